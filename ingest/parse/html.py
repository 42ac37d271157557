"""HTML pages: what a reader came for, without navigation and scripts."""

import re

from bs4 import BeautifulSoup, Tag

from zhiji.ingest.blocks import Document, title_from_name
from zhiji.ingest.decode import decode
from zhiji.ingest.parse.html_blocks import add_blocks
from zhiji.ingest.parse.html_content import content_of
from zhiji.ingest.parse.html_text import inline_text
from zhiji.ingest.parse.html_tree import soup_of

_DECLARED = re.compile(
    rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w-]+)|<\?xml[^>]{0,100}encoding=[\"']([\w-]+)", re.IGNORECASE
)
_HEAD_BYTES = 4096


class HtmlParser:
    """Reads HTML with Python's own tolerant parser."""

    suffixes: tuple[str, ...] = (".html", ".htm", ".xhtml")
    binary = False

    def parse(self, data: bytes, source: str) -> Document:
        """The blocks of the page's content, as Markdown."""
        declared = _DECLARED.search(data[:_HEAD_BYTES])
        names = [name for name in declared.groups() if name] if declared else []
        decoded = decode(data, names[0].decode("ascii", "ignore") if names else "")
        soup = soup_of(decoded.text)
        title = _title(soup)
        build = add_blocks(content_of(soup))
        return Document(
            source=source,
            title=title or title_from_name(source),
            text=build.text,
            blocks=build.blocks,
            encoding=decoded.encoding,
            notes=(decoded.note,) if decoded.note else (),
        )


def _title(soup: BeautifulSoup) -> str:
    """The only first-level heading, or the first inside the content, else the page's title."""
    headings = [text for tag in soup.find_all("h1") if (text := inline_text(tag))]
    if len(headings) == 1:
        return headings[0]
    inner = soup.select_one("main h1, [role=main] h1, article h1")
    found = (inline_text(inner) if isinstance(inner, Tag) else "") or (headings[0] if headings else "")
    return found or (inline_text(soup.title) if soup.title else "")
