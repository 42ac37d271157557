"""A part of a table or code block that was too long for one chunk."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """`start` and `end` span what this part alone holds; `text` shows it with the repeated header or fence."""

    text: str
    start: int
    end: int
