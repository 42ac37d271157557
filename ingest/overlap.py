"""What a chunk repeats of the one before it."""

from collections.abc import Sequence

from zhiji.ingest.sentences import CLAUSE_MARKS, NEVER_FIRST, clauses
from zhiji.ingest.units import Unit, caption_of


def overlap_start(text: str, before: Sequence[Unit], core: tuple[int, int], share: float, longest: int) -> int:
    """Where a chunk begins if it repeats about `share` of its text: at a sentence, else at a clause, else at a word.

    From two thirds to four thirds of the share are taken, so 10 to 20 % where 15 % are wanted.

    Args:
        text: The document's text.
        before: The units before the chunk, the last ones prose.
        core: Span of what the chunk alone holds.
        share: Share of the finished chunk that the overlap should be.
        longest: Most characters that the finished chunk may have.

    Returns:
        An offset in `text`: the start of the core if nothing suits.
    """
    start, length = core[0], core[1] - core[0]
    prose = _prose_tail(before)
    least, wanted, most = (_overlap(length, share * part) for part in (2 / 3, 1, 4 / 3))
    in_sentences = [unit.start for unit in prose]
    at_blanks = [unit.start + a for unit in prose[-3:] for a, _ in clauses(unit.text)]
    at_commas = [at for at in at_blanks if text[max(0, at - 3) : at].rstrip()[-1:] in CLAUSE_MARKS]
    for places in (in_sentences, at_commas, at_blanks):
        fitting = [at for at in places if least <= start - at <= min(most, longest - length)]
        fitting = [at for at in fitting if text[at] not in NEVER_FIRST]
        if fitting:
            return min(fitting, key=lambda at: abs(start - at - wanted))
    return start


def caption_before(first: Unit, before: Sequence[Unit]) -> str:
    """The caption of a table or code block that begins a chunk; a later part has that of the first part."""
    earlier_parts = first.part[0] - 1 if first.part else 0
    at = len(before) - 1 - earlier_parts
    return caption_of(before[at]) if at >= 0 else ""


def _overlap(core: int, share: float) -> int:
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
