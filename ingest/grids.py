"""Grids of cells, as sheets, slides and pages have them, to tables with one header row."""

from collections.abc import Sequence

from zhiji.ingest.blocks import DocumentBuilder
from zhiji.ingest.tables import render_table


def add_grid(build: DocumentBuilder, rows: Sequence[Sequence[str]], *, heads: int = 1, page: int | None = None) -> None:
    """Adds a grid in which merged cells are repeated wherever they reach.

    First rows that say one thing in all columns become paragraphs before the table; a single column is no table.

    Args:
        build: Where to add it.
        rows: The cells' texts.
        heads: How many rows at the top are header; they become one, as "2024 / 营收".
        page: The page, slide or sheet it stands on.
    """
    rows = _without_empty([[" ".join(text.split()) for text in row] for row in rows])
    while len(rows) > 1 and len(rows[0]) > 1 and len(set(rows[0])) == 1:
        build.add("paragraph", rows[0][0], page=page)
        rows, heads = rows[1:], max(1, heads - 1)
    if not rows:
        return
    if len(rows[0]) == 1 or len(rows) == 1:
        for row in rows:
            build.add("paragraph", " ".join(dict.fromkeys(row)), page=page)
        return
    heads = max(1, min(heads, len(rows) - 1))
    build.add("table", render_table([one_header(rows[:heads]), *rows[heads:]]), page=page)


def one_header(rows: Sequence[Sequence[str]]) -> list[str]:
    """One header row of several: the texts above each other, each once, as "2024 / 营收"."""
    columns = zip(*rows, strict=True)
    return [" / ".join(dict.fromkeys(text for text in column if text)) for column in columns]


def _without_empty(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The grid without rows and columns in which nothing stands, all rows of one width."""
    width = max((len(row) for row in rows), default=0)
    filled = [[*row, *[""] * (width - len(row))] for row in rows if any(row)]
    columns = [n for n in range(width) if any(row[n] for row in filled)]
    return [[row[n] for n in columns] for row in filled]
