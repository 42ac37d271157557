"""Choosing which pieces of the passages make up the answer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from zhiji.core.text import Language, language_of
from zhiji.core.tokens import terms
from zhiji.core.turn import Passage
from zhiji.models.answering.asked import asked_kinds, gives, subject_terms
from zhiji.models.answering.bearing import Scored, bearing, loosely
from zhiji.models.answering.blocks import whole_block
from zhiji.models.answering.units import Unit
from zhiji.models.question_words import content_terms
from zhiji.models.rewriting.style import Style

# How far below the best piece another may lie and still be told, by how much the user wants to read.
REACH = {"one": 0.0, "short": 0.0, None: 1.2, "long": 3.0}
MOST = {"one": 1, "short": 1, None: 3, "long": 7}
# Pieces that share this part of their terms say the same; where one brings another subject, only near copies do.
ALIKE, SAME = 0.6, 0.9
REACH_OF_LINES = 0.4
COUNTED = frozenset({"when", "how_long", "how_many", "where"})
NAMED = 0.66
OTHER_LANGUAGE = 3.0


MOST_COMPARED, REACH_BY_MEANING = 6, 2.0

Nearness = Callable[[str, Sequence[str]], Sequence[float]]


@dataclass(frozen=True, slots=True)
class Choice:
    """The pieces to tell, best source first, each source's in its own order.

    `together` are the items of one list or the rows of one table, told as a whole before the rest.
    """

    pieces: tuple[Unit, ...] = ()
    together: tuple[Unit, ...] = ()
    covered: float = 0.0
    """Share of the question's content terms that the best piece holds, its heading included."""

    def __bool__(self) -> bool:
        """Whether anything was found to tell."""
        return bool(self.pieces or self.together)


def choose(
    question: str, passages: Sequence[Passage], style: Style, lang: Language, nearness: Nearness | None = None
) -> Choice:
    """The pieces that bear on the question, enough of them and no two alike.

    `nearness` compares meanings; it is slow, so it is asked only where no piece shares a word with the question.
    """
    found = _in_language(bearing(question, passages), lang)
    if not found:
        return Choice()
    if nearness and not any(one.covered for one in found):
        found = _by_meaning(question, found, nearness)
    kinds = asked_kinds(question)
    code = [one for one in found if one.unit.kind == "code"]
    if "code" in kinds and code:
        return Choice((code[0].unit,), covered=1.0)
    prose = [one for one in found if one.unit.kind != "code"] or found
    block = whole_block(question, prose, passages, kinds, style)
    if not block:
        prose = [one for one in prose if not one.unit.text.endswith(("：", ":"))] or prose
        return Choice(_ordered(_told(question, prose, passages, style)), covered=prose[0].covered)
    rest = [one for one in prose if one.unit not in block and one.unit.kind == "sentence"]
    more = _told(question, rest, passages, style) if rest and style.length == "long" else []
    return Choice(_ordered(more), block, prose[0].covered)


def _by_meaning(question: str, found: Sequence[Scored], nearness: Nearness) -> list[Scored]:
    """The pieces of the first passage, nearest in meaning first."""
    pieces = [one for one in found if one.unit.passage == 0 and one.unit.kind != "code"][:MOST_COMPARED]
    if not pieces:
        return list(found)
    near = nearness(question, [one.unit.text for one in pieces])
    order = sorted(range(len(pieces)), key=lambda at: -near[at])
    return [replace(pieces[at], score=-REACH_BY_MEANING * rank) for rank, at in enumerate(order)]


def _in_language(found: Sequence[Scored], lang: Language) -> list[Scored]:
    """The same, pieces in the other language behind those of equal worth."""
    lowered = [
        one if language_of(one.unit.text, default=lang) == lang else replace(one, score=one.score - OTHER_LANGUAGE)
        for one in found
    ]
    return sorted(lowered, key=lambda one: -one.score)


def _told(question: str, found: Sequence[Scored], passages: Sequence[Passage], style: Style) -> list[Unit]:
    """The best piece, then those near it that add something and are not the same again."""
    best = found[0]
    told, said = [best.unit], set(terms(best.unit.text))
    wanted = content_terms(question)
    named = _names(passages[best.unit.passage], subject_terms(question)) and style.length is None
    for one in found[1:]:
        if len(told) >= MOST[style.length] or one.score < best.score - REACH["long"]:
            break
        held = set(terms(one.unit.text))
        gains = (held & set(wanted)) - said
        elsewhere = bool(gains) and all(one.unit.passage != other.passage for other in told)
        wide = elsewhere or (named and _same_section(one.unit, best.unit, passages))
        reach = REACH["long"] if wide else REACH[style.length]
        alike = len(held & said) / max(1, len(held))
        adds = bool(gains) or reach == REACH["long"] or _completes(question, told, one.unit)
        if alike < (SAME if elsewhere else ALIKE) and adds and one.score >= best.score - reach and _fits(one, best):
            told.append(one.unit)
            said |= held
    return told


def _names(passage: Passage, wanted: Sequence[str]) -> bool:
    """Whether a section is just what is asked about: its heading names nearly all of it."""
    return loosely(wanted, f"{passage.title} {passage.heading}") >= NAMED


def _same_section(one: Unit, other: Unit, passages: Sequence[Passage]) -> bool:
    return one.passage == other.passage and abs(one.order - other.order) <= MOST[None]


def _fits(one: Scored, best: Scored) -> bool:
    """Prose goes with prose, but no lead-in; a second row only where it answers as well as the first."""
    if one.unit.kind != best.unit.kind or one.unit.text.endswith(("：", ":")):
        return False
    return one.unit.kind == "sentence" or one.score >= best.score - REACH_OF_LINES


def _completes(question: str, told: Sequence[Unit], piece: Unit) -> bool:
    """Whether a piece gives the kind of thing asked for, which nothing told so far does."""
    kinds = [kind for kind in asked_kinds(question) if kind in COUNTED]
    return any(gives(piece.text, kind) and not any(gives(one.text, kind) for one in told) for kind in kinds)


def _ordered(told: Sequence[Unit]) -> tuple[Unit, ...]:
    """Source by source in the order they were chosen, each in reading order."""
    order = list(dict.fromkeys(one.passage for one in told))
    return tuple(sorted(told, key=lambda one: (order.index(one.passage), one.order)))
