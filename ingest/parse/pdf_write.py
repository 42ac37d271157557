"""The pages of a PDF as blocks: paragraphs, headings, lists, tables and pictures in reading order."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from zhiji.ingest.blocks import DocumentBuilder
from zhiji.ingest.grids import add_grid
from zhiji.ingest.layout import Line, Paragraph, paragraphs
from zhiji.ingest.parse.pdf_outline import Headings
from zhiji.ingest.parse.pdf_page import Page, Picture
from zhiji.ingest.parse.pdf_tables import PageTable
from zhiji.ingest.pictures import add_picture

_EDGE_LINES = 2  # lines at the top and at the bottom of a page among which running heads and page numbers stand
_REPEATED = 0.5  # share of the pages on which a line stands that is no part of the text
_LEAST_PAGES = 3
_PAGE_NUMBER = re.compile(
    r"^[\s\-–—·~|]*(?:第\s*)?(?:p(?:age|\.)?\s*)?(?:\d{1,5}|[ivxlc]{1,7})(?:\s*页)?(?:\s*(?:/|of|共)\s*(?:第\s*)?\d{1,5}(?:\s*页)?)?[\s\-–—·~|]*$",
    re.IGNORECASE,
)


def without_running_lines(pages: Sequence[Page]) -> Iterator[Page]:
    """The pages without their numbers, and without lines that stand at the edge of most pages after the first."""
    counts = Counter(text for page in pages for text in {line.text for line in _edge(page.lines)})
    most = max(_LEAST_PAGES, _REPEATED * len(pages))
    running = {text for text, count in counts.items() if count >= most}
    seen: set[str] = set()
    for page in pages:
        edge = set(map(id, _edge(page.lines)))
        kept = []
        for line in page.lines:
            if id(line) in edge and (line.text in seen or (len(pages) > 1 and _PAGE_NUMBER.match(line.text))):
                continue
            kept.append(line)
        seen |= {line.text for line in kept if line.text in running}
        yield replace(page, lines=kept)


def _edge(lines: Sequence[Line]) -> list[Line]:
    """The uppermost and the lowest lines of a page."""
    by_height = sorted(lines, key=lambda line: line.top)
    return [*by_height[:_EDGE_LINES], *by_height[max(_EDGE_LINES, len(by_height) - _EDGE_LINES) :]]


def write_page(build: DocumentBuilder, page: Page, headings: Headings) -> None:
    """Adds the blocks of a page; a table or picture stands after the line above it."""
    lines = [line for line in page.lines if not any(_inside(line, table) for table in page.tables)]
    waiting: list[PageTable | Picture] = [*page.tables, *page.pictures]
    waiting.sort(key=_top)
    for stretch, solid in _stretches(lines, waiting):
        _write_text(build, paragraphs(stretch), page, headings)
        if isinstance(solid, PageTable):
            add_grid(build, solid.rows, page=page.number)
        elif solid is not None:
            add_picture(build, solid.data, page=page.number)


def _write_text(build: DocumentBuilder, found: Sequence[Paragraph], page: Page, headings: Headings) -> None:
    items: list[str] = []
    for paragraph in found:
        level = headings.level(paragraph, scanned=page.scanned)
        if paragraph.is_item and not level:
            items.append(paragraph.text)
            continue
        _write_list(build, items, page.number)
        items = []
        if level:
            build.heading(paragraph.text, level, page=page.number)
        else:
            build.add("paragraph", paragraph.text, page=page.number)
    _write_list(build, items, page.number)


def _write_list(build: DocumentBuilder, items: Sequence[str], page: int) -> None:
    build.add("list", "\n".join(items), page=page)


def _stretches(
    lines: Sequence[Line], solids: Sequence[PageTable | Picture]
) -> Iterator[tuple[list[Line], PageTable | Picture | None]]:
    """Lines in their order, each stretch with the table or picture that follows it."""
    rest = list(lines)
    for solid in solids:
        above = [n for n, line in enumerate(rest) if (line.top + line.bottom) / 2 <= _top(solid)]
        cut = above[-1] + 1 if above else 0
        yield rest[:cut], solid
        rest = rest[cut:]
    yield rest, None


def _top(solid: PageTable | Picture) -> float:
    return solid.box[1] if isinstance(solid, PageTable) else solid.top


def _inside(line: Line, table: PageTable) -> bool:
    left, top, right, bottom = table.box
    x, y = (line.left + line.right) / 2, (line.top + line.bottom) / 2
    return left - 2 <= x <= right + 2 and top - 1 <= y <= bottom + 1
