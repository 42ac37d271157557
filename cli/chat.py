"""`zhiji chat`: one message, or a conversation."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from zhiji.cli.options import At, Base, Category, Json, User, run
from zhiji.cli.output import emit

if TYPE_CHECKING:
    from zhiji.graph.session import Said


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("chat")(chat)


def chat(
    message: Annotated[
        str | None, typer.Option("--message", "-m", help="Say this and stop; - reads standard input.")
    ] = None,
    user: User = "default",
    thread: Annotated[str, typer.Option("--thread", "-t", help="Conversation to continue. Default: a new one.")] = "",
    message_id: Annotated[
        str, typer.Option("--message-id", help="Id of the message; saying it again changes nothing.")
    ] = "",
    at: At = None,
    base: Base = "default",
    category: Category = None,
    scene: Annotated[str | None, typer.Option("--scene", help="What is being done, such as report.")] = None,
    json: Json = False,
) -> None:
    """Talk to the agent. It answers from your memory and the documents, and remembers what lasts."""
    from zhiji.core.errors import Misuse
    from zhiji.core.ids import new_id
    from zhiji.core.settings import load_settings
    from zhiji.core.time import parse_time
    from zhiji.graph.session import Said

    if message is None and json:
        raise Misuse('--json needs a message: zhiji chat --json --message "…".')
    if message == "-":
        message = sys.stdin.buffer.read().decode("utf-8", "replace")
    said = Said(
        text=message or "",
        user=user,
        thread=thread or new_id(),
        message_id=message_id,
        at=parse_time(at, load_settings().zone()) if at is not None else None,
        base=base,
        category=category,
        scene=scene,
    )
    run(_once(said, json) if message is not None else _converse(said))


async def _once(said: "Said", json: bool) -> None:
    from zhiji.cli.conversation import show_turn
    from zhiji.graph.session import open_session

    async with open_session(sharing=True) as session:
        if json:
            reply = await session.say(said)
            document = reply.as_json(await session.flush(said.user))
        else:
            await show_turn(session, said)
            await session.flush(said.user)
    if json:  # once nothing can fail any more: a failure is a document too
        emit(document)


async def _converse(said: "Said") -> None:
    from zhiji.cli.conversation import converse
    from zhiji.graph.session import open_session

    async with open_session(sharing=True) as session:
        await converse(session, said)
