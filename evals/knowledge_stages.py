"""Which stage of the search lost an evidence."""

from collections.abc import Collection, Mapping, Sequence

from zhiji.evals.knowledge_lines import Piece, QuestionLine
from zhiji.evals.texts import SHARE

_RUN = 6
"""Characters in a row by which words are recognised in a document whose chunks come in no order."""


class Stages:
    """The chunks of a base by document, asked where a piece of evidence went missing."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._of: dict[str, list[Piece]] = {}
        for piece in pieces:
            self._of.setdefault(piece.source, []).append(piece)

    def lost_at(self, line: QuestionLine, evidence: str, reached: Mapping[str, Collection[str]]) -> str | None:
        """The first stage after which no chunk with the evidence is left; None where one reached the prompt.

        Args:
            line: The question.
            evidence: A bare evidence of it.
            reached: The ids of the chunks that came through each stage from `retrieval` on, in the stages' order.
        """
        pieces = [piece for source in line.docs for piece in self._of.get(source, ())]
        holders = [piece for piece in pieces if piece.holds(evidence)]
        if not holders:
            return "cut" if covered([piece.text for piece in pieces], evidence) >= SHARE else "not_parsed"
        if line.pool and not any(piece.source in line.pool for piece in holders):
            return "filter"
        ids = {piece.id for piece in holders}
        return next((stage for stage, through in reached.items() if not ids & set(through)), None)


def covered(texts: Sequence[str], part: str) -> float:
    """The share of `part` that stands in some of the texts, a few characters at a time.

    >>> covered(["一二三四五六", "七八九十百千"], "三四五六七八九十百千")
    0.6
    """
    length = min(_RUN, len(part))
    there: set[int] = set()
    for start in range(len(part) - length + 1):
        if any(part[start : start + length] in text for text in texts):
            there.update(range(start, start + length))
    return len(there) / len(part)
