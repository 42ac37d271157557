"""A turn, and a conversation, as a person sees them in a terminal."""

import asyncio
import sys
from dataclasses import replace

from rich.console import Console
from rich.text import Text

from zhiji.cli.output import complain, console
from zhiji.core.errors import ZhijiError
from zhiji.core.text import language_of
from zhiji.graph.session import Reply, Said, Session

WORDS = {
    "zh": {"ADD": "记住了", "REINFORCE": "更确定了", "SUPERSEDE": "已更新", "MERGE": "已合并", "RETRACT": "已忘掉"},
    "en": {
        "ADD": "learned",
        "REINFORCE": "confirmed",
        "SUPERSEDE": "updated",
        "MERGE": "merged",
        "RETRACT": "forgotten",
    },
}


async def show_turn(session: Session, said: Said, screen: Console | None = None) -> None:
    """Print the answer as it comes, then its sources and what was learned."""
    screen = screen or console()
    async for item in session.stream(said):
        if isinstance(item, Reply):
            screen.print()
            _sources(screen, item)
            _learned(screen, item)
        elif item.get("stage") == "token":
            screen.print(Text(item["text"]), end="")


def _sources(screen: Console, reply: Reply) -> None:
    for one in reply.state["citations"]:
        passage = next((p for p in reply.state["passages"] if p.label == one.label), None)
        place = " › ".join(part for part in (one.source, passage.heading) if part) if passage else one.quote
        screen.print(Text(f"  [{one.label}] {place}", style="dim"))
    for note in reply.state["degraded"]:
        screen.print(Text(f"  ! {note}", style="yellow"))


def _learned(screen: Console, reply: Reply) -> None:
    words = WORDS[language_of(reply.said.text)]
    for one in reply.state.get("learned") or ():
        if one.status != "pending":
            screen.print(Text(f"  {words[one.op]}: {one.content}", style="green"))
    for asked in reply.state.get("pending") or ():
        screen.print(Text(f"  ? {asked['question']}", style="cyan"))


async def converse(session: Session, said: Said) -> None:
    """Read messages until the input ends; what is left unextracted is learned before leaving."""
    screen = console()
    if sys.stdin.isatty():
        screen.print(Text("知己 zhiji · 直接输入，Ctrl-D 结束 / just type, Ctrl-D to leave", style="dim"))
    try:
        while (line := await _read()) is not None:
            if line.strip():
                await _turn(session, replace(said, text=line, message_id=""))
                await session.release()  # also where the turn broke off
    finally:
        await session.flush(said.user)


async def _turn(session: Session, said: Said) -> None:
    try:
        await show_turn(session, said)
    except ZhijiError as failed:
        complain(str(failed))


async def _read() -> str | None:
    prompt = "› " if sys.stdin.isatty() else ""
    try:
        return await asyncio.to_thread(input, prompt)
    except EOFError:
        return None
