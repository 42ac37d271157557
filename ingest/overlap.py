"""What a chunk repeats of the one before it."""

from collections.abc import Sequence

from zhiji.ingest.sentences import NEVER_FIRST, clauses
from zhiji.ingest.units import Unit

_MAX_LEAD_IN = 80  # characters of the sentence that announces a table or code block


def overlap_start(text: str, before: Sequence[Unit], core: int, share: float, room: int) -> int:
    """Where the overlap begins: a sentence, else a clause, so that it is about `share` of overlap and core together.

    From two thirds to four thirds of the share are taken, so 10 to 20 % where 15 % are wanted.

    Args:
        text: The document's text.
        before: The units before the chunk.
        core: Characters of the chunk's own.
        share: Share of the finished chunk that the overlap should be.
        room: Most characters the overlap may have.

    Returns:
        An offset in `text`: the end of `before` if nothing suits.
    """
    end = before[-1].end
    prose = _prose_tail(before)
    least, most = _length(core, share * 2 / 3), min(_length(core, share * 4 / 3), room)
    wanted = _length(core, share)
    in_sentences = [unit.start for unit in prose]
    in_clauses = [unit.start + a for unit in prose[-3:] for a, _ in clauses(unit.text)]
    for starts in (in_sentences, in_clauses):
        fitting = [at for at in starts if least <= end - at <= most and text[at] not in NEVER_FIRST]
        if fitting:
            return min(fitting, key=lambda at: abs(end - at - wanted))
    return end


def lead_in(first: Unit, before: Sequence[Unit]) -> str:
    """The sentence just before a table or code block, which often says what it shows; empty if it is too long.

    A later part of a table has that of the first part.
    """
    earlier_parts = first.part[0] - 1 if first.part else 0
    at = len(before) - 1 - earlier_parts
    if at < 0 or before[at].kind != "prose":
        return ""
    return before[at].text if len(before[at].text) <= _MAX_LEAD_IN else ""


def _length(core: int, share: float) -> int:
    """Characters that are `share` of themselves and `core` together."""
    return round(core * share / (1 - share))


def _prose_tail(units: Sequence[Unit]) -> list[Unit]:
    """The units at the end that are prose."""
    tail: list[Unit] = []
    for unit in reversed(units):
        if unit.kind != "prose":
            break
        tail.append(unit)
    return tail[::-1]
