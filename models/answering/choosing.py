"""Choosing which pieces of the passages make up the answer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from zhiji.core.text import Language, language_of
from zhiji.core.tokens import terms
from zhiji.core.turn import Passage
from zhiji.models.answering.asked import VALUES, asked_kinds, decides, gives, joins, subject_terms
from zhiji.models.answering.bearing import Scored, bearing, loosely, twins
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
# How far below the best a sentence may lie and still lead because it says yes or no, or be told because it holds a
# word of the question that the best one lacks.
REACH_OF_DECISION, REACH_OF_GAIN = 1.5, 2.0
NAMED = 0.66
OTHER_LANGUAGE = 3.0


MOST_COMPARED, REACH_BY_MEANING = 6, 2.0
MOST_COMPARED_THINGS = 3

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

    @property
    def source(self) -> int:
        """The place of the passage that is told first."""
        return (*self.together, *self.pieces)[0].passage

    def __bool__(self) -> bool:
        """Whether anything was found to tell."""
        return bool(self.pieces or self.together)


def choose(
    question: str, passages: Sequence[Passage], style: Style, lang: Language, nearness: Nearness | None = None
) -> Choice:
    """The pieces that bear on the question, enough of them and no two alike.

    `nearness` compares meanings; it is slow, so it is asked only where no piece shares a word with the question.
    """
    strangers = twins(subject_terms(question), passages)
    found = [one for one in _in_language(bearing(question, passages), lang) if one.unit.passage not in strangers]
    if not found:
        return Choice()
    if nearness and not any(one.covered for one in found):
        found = _by_meaning(question, found, nearness)
    kinds = asked_kinds(question)
    compared = _compared(question, passages) if joins(question) else ()
    if len(compared) > 1:
        return Choice(compared, covered=1.0)
    code = [one for one in found if one.unit.kind == "code"]
    if "code" in kinds and code:
        return Choice((code[0].unit,), covered=1.0)
    prose = [one for one in found if one.unit.kind != "code"] or found
    block = whole_block(question, prose, passages, kinds, style)
    if not block:
        prose = [one for one in prose if not one.unit.text.endswith(("：", ":"))] or prose
        return Choice(_ordered(_told(question, prose, passages, style), kinds), covered=prose[0].covered)
    rest = [one for one in prose if one.unit not in block and one.unit.kind == "sentence"]
    rest = [one for one in rest if one.unit.passage == block[0].passage]  # detail is of the thing told, not beside it
    more = _told(question, rest, passages, style) if rest and style.length == "long" else []
    return Choice(_ordered(more, ()), block, prose[0].covered)


def _compared(question: str, passages: Sequence[Passage]) -> tuple[Unit, ...]:
    """One piece on each of several things that a question names side by side, where each has a passage of its own."""
    wanted = subject_terms(question)
    above = [{term for term in wanted if loosely((term,), f"{one.title} {one.heading}")} for one in passages]
    own = [
        at for at, terms_ in enumerate(above) if terms_ and all(terms_ - held for held in above if held is not terms_)
    ]
    told = []
    for at in own[:MOST_COMPARED_THINGS] if len(own) > 1 else ():
        # Without the other things' names, a sentence that only mentions them gains nothing by it.
        others = set().union(*(above[other] for other in own if other != at)) - above[at]
        rest = question
        for term in others:
            rest = rest.replace(term, "")
        found = [one for one in bearing(rest, [passages[at]]) if not one.unit.text.endswith(("：", ":"))]
        told += [replace(found[0].unit, passage=at)] if found else []
    return tuple(told)


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
    """The piece that answers, then those that add something: none where it gives all that was asked for."""
    kinds = asked_kinds(question)
    best = _leading(found, kinds)
    others = [one for one in found if one is not best]
    rest = others if joins(question) else [one for one in others if _fits(one, best)]
    if style.length is None and _settles(best.unit, kinds):
        more = _completing(question, best, rest, passages)
        return [best.unit, *(one.unit for one in more)]
    return _widely(question, best, rest, passages, style)


def _leading(found: Sequence[Scored], kinds: Sequence[str]) -> Scored:
    """The best piece; where yes or no is asked for, the best of the near ones that says so."""
    best = found[0]
    if "whether" not in kinds or decides(best.unit.text) or best.unit.kind != "sentence":
        return best
    near = [
        one for one in found if one.score >= best.score - REACH_OF_DECISION and one.unit.passage == best.unit.passage
    ]
    return next((one for one in near if decides(one.unit.text) and one.covered), best)


def _settles(unit: Unit, kinds: Sequence[str]) -> bool:
    """Whether one piece can be all of the answer: a value or a yes or no was asked for, and it gives one."""
    if unit.kind == "row" or "code" in kinds:
        return True
    if any(kind in VALUES and gives(unit.text, kind) for kind in kinds):
        return True
    return "whether" in kinds and decides(unit.text)


def _completing(question: str, best: Scored, rest: Sequence[Scored], passages: Sequence[Passage]) -> list[Scored]:
    """One more piece, if it holds something asked for that the best one and its headings do not name."""
    wanted, joined = subject_terms(question), joins(question)
    named = _held(best.unit, wanted) | _above(best.unit, wanted, passages)
    for one in rest:
        if one.unit.text.endswith(("：", ":")):
            continue
        gains = _held(one.unit, wanted) - named
        if joined:
            gains |= _above(one.unit, wanted, passages) - _above(best.unit, wanted, passages)
        here = one.unit.passage == best.unit.passage
        if gains and (joined or here) and one.score >= best.score - (REACH["long"] if joined else REACH_OF_GAIN):
            return [one]
    return []


def _held(unit: Unit, wanted: Sequence[str]) -> set[str]:
    return {term for term in wanted if loosely((term,), unit.text, unit.intro)}


def _above(unit: Unit, wanted: Sequence[str], passages: Sequence[Passage]) -> set[str]:
    above = f"{passages[unit.passage].title} {passages[unit.passage].heading}"
    return {term for term in wanted if loosely((term,), above)}


def _widely(
    question: str, best: Scored, rest: Sequence[Scored], passages: Sequence[Passage], style: Style
) -> list[Unit]:
    """The best piece, then those near it that add something and are not the same again."""
    told, said = [best.unit], set(terms(best.unit.text))
    wanted = content_terms(question)
    named = _names(passages[best.unit.passage], subject_terms(question)) and style.length is None
    for one in rest:
        if len(told) >= MOST[style.length] or one.score < best.score - REACH["long"]:
            break
        held = set(terms(one.unit.text))
        gains = (held & set(wanted)) - said
        elsewhere = bool(gains) and all(one.unit.passage != other.passage for other in told)
        wide = (elsewhere and joins(question)) or (named and _same_section(one.unit, best.unit))
        reach = REACH["long"] if wide else REACH[style.length]
        alike = len(held & said) / max(1, len(held))
        adds = bool(gains) or wide or style.length == "long"
        if alike < (SAME if elsewhere else ALIKE) and adds and one.score >= best.score - reach:
            told.append(one.unit)
            said |= held
    return told


def _names(passage: Passage, wanted: Sequence[str]) -> bool:
    """Whether a section is just what is asked about: its heading names nearly all of it."""
    return loosely(wanted, f"{passage.title} {passage.heading}") >= NAMED


def _same_section(one: Unit, other: Unit) -> bool:
    return one.passage == other.passage and abs(one.order - other.order) <= MOST[None]


def _fits(one: Scored, best: Scored) -> bool:
    """Prose goes with prose, but no lead-in; a second row only where it answers as well as the first."""
    if one.unit.kind != best.unit.kind or one.unit.text.endswith(("：", ":")):
        return False
    return one.unit.kind == "sentence" or one.score >= best.score - REACH_OF_LINES


def _ordered(told: Sequence[Unit], kinds: Sequence[str]) -> tuple[Unit, ...]:
    """Source by source in the order they were chosen, each in reading order; what settles the question comes first."""
    order = list(dict.fromkeys(one.passage for one in told))
    first = told[:1] if told and _settles(told[0], kinds) else []
    rest = sorted((one for one in told if one not in first), key=lambda one: (order.index(one.passage), one.order))
    return (*first, *rest)
