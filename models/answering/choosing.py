"""Choosing which pieces of the passages make up the answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from zhiji.core.text import Language, language_of
from zhiji.core.tokens import terms
from zhiji.core.turn import Passage
from zhiji.models.answering.asked import asked_kinds, gives
from zhiji.models.answering.bearing import Scored, bearing
from zhiji.models.answering.units import Unit
from zhiji.models.question_words import content_terms
from zhiji.models.rewriting.style import Style

# How far below the best piece another may lie and still be told, by how much the user wants to read.
REACH = {"one": 0.0, "short": 0.0, None: 1.2, "long": 3.0}
MOST = {"one": 1, "short": 1, None: 3, "long": 7}
ALIKE = 0.6
OTHER_LANGUAGE = 3.0
MAX_STEPS = {"one": 3, "short": 4, None: 6, "long": 12}


@dataclass(frozen=True, slots=True)
class Choice:
    """The pieces to tell, best source first, each source's in its own order; `steps` are told as one list."""

    pieces: tuple[Unit, ...]
    steps: tuple[Unit, ...] = ()
    covered: float = 0.0


def choose(question: str, passages: Sequence[Passage], style: Style, lang: Language) -> Choice:
    """The pieces that bear on the question, enough of them and no two alike."""
    found = _in_language(bearing(question, passages), lang)
    if not found:
        return Choice(())
    kinds = asked_kinds(question)
    if "code" in kinds:
        code = [one for one in found if one.unit.kind == "code"]
        if code:
            return Choice((code[0].unit,), covered=1.0)
    prose = [one for one in found if one.unit.kind != "code"] or found
    steps = _steps(question, prose, passages, kinds, style)
    if steps:
        return Choice((), steps, 1.0)
    return Choice(_ordered(_told(question, prose, style)), covered=prose[0].covered)


def _in_language(found: Sequence[Scored], lang: Language) -> list[Scored]:
    """The same, pieces in the other language behind those of equal worth."""
    lowered = [
        one
        if language_of(one.unit.text, default=lang) == lang
        else Scored(one.unit, one.score - OTHER_LANGUAGE, one.covered)
        for one in found
    ]
    return sorted(lowered, key=lambda one: -one.score)


def _told(question: str, found: Sequence[Scored], style: Style) -> list[Unit]:
    """The best piece, then those near it that add something and are not the same again."""
    best = found[0]
    told, said = [best.unit], set(terms(best.unit.text))
    wanted = set(content_terms(question))
    for one in found[1:]:
        held = set(terms(one.unit.text))
        alike = len(held & said) / max(1, len(held))
        adds = bool((held & wanted) - said) or style.length == "long" or _completes(question, told, one.unit)
        if len(told) >= MOST[style.length] or one.score < best.score - REACH[style.length]:
            break
        if alike < ALIKE and adds and one.unit.kind == best.unit.kind:
            told.append(one.unit)
            said |= held
    return told


def _completes(question: str, told: Sequence[Unit], piece: Unit) -> bool:
    """Whether a piece next to what is told gives the kind of thing asked for, which is not told yet."""
    beside = any(piece.passage == one.passage and abs(piece.order - one.order) == 1 for one in told)
    kinds = [kind for kind in asked_kinds(question) if kind[:3] in {"how", "whe"}]
    return beside and any(gives(piece.text, kind) and not any(gives(one.text, kind) for one in told) for kind in kinds)


def _ordered(told: Sequence[Unit]) -> tuple[Unit, ...]:
    """Source by source in the order they were chosen, each in reading order."""
    order = list(dict.fromkeys(one.passage for one in told))
    return tuple(sorted(told, key=lambda one: (order.index(one.passage), one.order)))


def _steps(
    question: str, found: Sequence[Scored], passages: Sequence[Passage], kinds: Sequence[str], style: Style
) -> tuple[Unit, ...]:
    """The items of the list that the question asks for, if a list answers it better than a sentence."""
    if not ({"how", "which"} & set(kinds) or style.as_list):
        return ()
    wanted = set(content_terms(question))
    blocks: dict[tuple[int, int], list[Unit]] = {}
    for one in found:
        if one.unit.kind == "item":
            blocks.setdefault((one.unit.passage, one.unit.block), []).append(one.unit)
    best: tuple[float, list[Unit]] = (0.0, [])
    for (passage, _), items in blocks.items():
        source = passages[passage]
        near = f"{source.title} {source.heading} {items[0].intro}"
        ordered = 0.15 * ("how" in kinds and all(item.number for item in items))
        covers = len(wanted & set(terms(near))) / max(1, len(wanted)) + ordered + 0.2 * source.score - 0.05 * passage
        if covers > best[0] and len(items) > 1:
            best = covers, items
    top = found[0]
    inside = top.unit.kind == "item" and top.unit in best[1] and top.covered < 0.99
    if best[0] < 0.5 and not (inside and "how" in kinds):
        return ()
    if top.covered > best[0] and not inside:
        return ()
    return tuple(sorted(best[1], key=lambda one: one.order))[: MAX_STEPS[style.length]]
