"""Choosing where chunks begin: the cheapest way to cut a section's units into chunks near the wanted length."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from zhiji.ingest.units import CUT_AFTER_LEAD_IN, Room, Unit

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
        for last in range(first, len(units)):
            window = units[first : last + 1]
            length = _length(window)
            if last > first and not _is_allowed(window, length, limits.later if first else limits.first, room):
                if length > limits.first + _STRETCH:
                    break
                continue
            cost = price + _OFF_SIZE * ((min(length, limits.first) - limits.wanted) / limits.wanted) ** 2
            if cost < best[last + 1]:
                best[last + 1], begin[last + 1] = cost, first
    return _spans(begin)


def _spans(begin: Sequence[int]) -> list[tuple[int, int]]:
    spans = []
    end = len(begin) - 1
    while end > 0:
        spans.append((begin[end], end))
        end = begin[end]
    return spans[::-1]


def _length(window: Sequence[Unit]) -> int:
    """Characters of the chunk: the span in the document, and what repeated headers and fences add to it."""
    added = sum(len(unit.text) - (unit.end - unit.start) for unit in window if unit.part)
    return window[-1].end - window[0].start + added


def _cut_price(units: Sequence[Unit], first: int) -> float:
    return units[first].cut + (CUT_AFTER_LEAD_IN if units[first - 1].leads_in else 0.0)


def _is_allowed(window: Sequence[Unit], length: int, limit: int, room: Room) -> bool:
    if sum(unit.tokens for unit in window) > room.tokens:
        return False
    blocks = [unit for unit in window if unit.kind in ("table", "code")]
    if any(unit.part and unit.part[0] > 1 for unit in window[1:]):
        return False  # two parts of one table would show the header twice
    if length <= limit:
        return True
    rest = length - sum(len(unit.text) for unit in blocks)
    return len(blocks) == 1 and window[-1] is blocks[0] and rest <= _STRETCH
