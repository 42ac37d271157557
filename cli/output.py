"""Printing: one JSON document, or text for people; errors in one line."""

import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console


def emit(document: Any) -> None:
    """Print one JSON document on standard output, and nothing else."""
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2, default=str) + "\n")


def console() -> "Console":
    """Where text for people goes."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True)


def complain(line: str) -> None:
    """Print one line on standard error."""
    sys.stderr.write(f"zhiji: {line}\n")


def rows(title: str, columns: list[str], lines: list[list[Any]]) -> None:
    """Print a table for people."""
    from rich.table import Table
    from rich.text import Text

    table = Table(*columns, title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for line in lines:
        table.add_row(*(Text("" if cell is None else str(cell)) for cell in line))
    console().print(table)
