"""Choosing where chunks begin: the cheapest way to cut a section's units into chunks near the wanted length."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from zhiji.ingest.units import CUT_AFTER_HEADING, CUT_AFTER_LEAD_IN, Room, Unit

_OFF_SIZE = 4.0  # cost of a chunk of length 0; half the wanted length costs a quarter of it
_STRETCH = 120  # characters of prose that may stand beside a table or code block over the usual limit


@dataclass(frozen=True, slots=True)
class Limits:
    """Lengths in characters: what a chunk should have, what the first and each later chunk of a section may have."""

    wanted: int
    first: int
    later: int


def pack(units: Sequence[Unit], limits: Limits, room: Room) -> list[tuple[int, int]]:
    """The spans of units that become chunks, by dynamic programming over all places to cut.

    The cost of a chunk is its distance from the wanted length, squared, and the price of the cut before it.
    """
    best = [0.0] + [math.inf] * len(units)
    begin = [0] * (len(units) + 1)
    for first in range(len(units)):
        price = best[first] + (_cut_price(units, first) if first else 0.0)
        window = _Window()
        for last in range(first, len(units)):
            window.add(units[last])
            if last > first and not window.may_grow(limits.first + _STRETCH, room.tokens):
                break
            if last > first and not window.is_allowed(limits.later if first else limits.first):
                continue
            cost = price + _OFF_SIZE * ((min(window.length, limits.first) - limits.wanted) / limits.wanted) ** 2
            if cost < best[last + 1]:
                best[last + 1], begin[last + 1] = cost, first
    return _spans(begin)


class _Window:
    """Neighbouring units that might be one chunk."""

    def __init__(self) -> None:
        self.length = 0  # characters, with the headers and fences that parts repeat
        self._tokens = 0
        self._solid = 0  # characters of tables and code
        self._solids = 0
        self._last: Unit | None = None
        self._repeats = False

    def add(self, unit: Unit) -> None:
        """Takes in the next unit."""
        gap = unit.start - self._last.end if self._last else 0
        self._repeats = self._last is not None and unit.part is not None and unit.part[0] > 1
        self.length += gap + len(unit.text)
        self._tokens += unit.tokens
        if unit.kind in ("table", "code"):
            self._solid += len(unit.text)
            self._solids += 1
        self._last = unit

    def may_grow(self, most: int, tokens: int) -> bool:
        """Whether this or a longer window can be a chunk; two parts of one table would show its header twice."""
        prose = self.length - self._solid
        return self._tokens <= tokens and not self._repeats and (self.length <= most or prose <= _STRETCH)

    def is_allowed(self, most: int) -> bool:
        """Whether the window is short enough; one that ends in a table or code may have some prose beside it."""
        if self.length <= most:
            return True
        ends_solid = self._last is not None and self._last.kind in ("table", "code")
        return ends_solid and self._solids == 1 and self.length - self._solid <= _STRETCH


def _spans(begin: Sequence[int]) -> list[tuple[int, int]]:
    spans = []
    end = len(begin) - 1
    while end > 0:
        spans.append((begin[end], end))
        end = begin[end]
    return spans[::-1]


def _cut_price(units: Sequence[Unit], first: int) -> float:
    before = units[first - 1]
    after = CUT_AFTER_HEADING if before.is_heading else CUT_AFTER_LEAD_IN if before.leads_in else 0.0
    return units[first].cut + after
