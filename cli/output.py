"""Printing: one JSON document, or text for people; errors in one line."""

import json
import os
import sys
from dataclasses import asdict, is_dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console


UNLIMITED = 100_000
"""Columns of what is no terminal."""


def emit(document: Any) -> None:
    """Print one JSON document on standard output, and nothing else."""
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2, default=_plain) + "\n")


def _plain(value: Any) -> Any:
    """What JSON has no form for: records as objects, moments as ISO 8601."""
    from zhiji.core.time import iso

    if isinstance(value, datetime):
        return iso(value)
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)


def console() -> "Console":
    """Where text for people goes."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True)


def complain(line: str) -> None:
    """Print one line on standard error."""
    sys.stderr.write(f"zhiji: {line}\n")


def rows(title: str, columns: list[str], lines: list[list[Any]]) -> None:
    """Print a table for people: nothing is cut off, and each row is one line where no terminal limits it."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    for line in lines:
        table.add_row(*(Text("" if cell is None else str(cell)) for cell in line))
    screen = Console(highlight=False)
    if not screen.is_terminal and "COLUMNS" not in os.environ:
        screen.width = UNLIMITED
    screen.print(table)
