"""Lists and tables that answer as a whole rather than by one of their lines."""

import re
from collections.abc import Sequence

from zhiji.core.tokens import terms
from zhiji.core.turn import Passage
from zhiji.models.answering.asked import VALUES, gives, subject_terms
from zhiji.models.answering.bearing import Scored, is_named, label_of, loosely
from zhiji.models.answering.units import Unit
from zhiji.models.rewriting.style import Style

_WAY = re.compile(
    r"步骤|流程|操作|怎么|如何|办理|方法|\bhow\b|steps?\b|process|procedure|start|reset|set ?up|install", re.IGNORECASE
)

MOST_LINES = {"one": 3, "short": 4, None: 6, "long": 12}
# Share of the question that heading, title and lead-in must hold before a list or table answers as a whole.
NEAR = 0.5
HEADED = 0.66
PER_RANK = 0.03
LAST_HEADING = 0.2
STEPS = 3
"""Fewest numbered lines that are a procedure."""


def whole_block(
    question: str, found: Sequence[Scored], passages: Sequence[Passage], kinds: Sequence[str], style: Style
) -> tuple[Unit, ...]:
    """The list or table that the question asks for as a whole, its lines in order; empty where one line answers."""
    wanted = subject_terms(question)
    blocks = _blocks(found, passages)
    top = found[0]
    if top.unit.text.endswith(("：", ":")):  # a lead-in is no answer, what it leads in is
        led = [lines for lines in blocks if lines[0].intro == top.unit.text]
        if led:
            return _cut(led[0], style)
    procedure = [lines for lines in blocks if top.unit in lines and _is_procedure(question, lines, kinds)]
    if procedure and loosely(wanted, top.unit.text) < 1.0:  # a step that is itself what is asked for is told alone
        return _cut(procedure[0], style)
    if any(is_named(label_of(line.text), question) for lines in blocks if top.unit in lines for line in lines):
        return ()
    best = max(
        (lines for lines in blocks if _suits(lines, wanted, kinds, style, _nearness(lines, wanted, passages, kinds))),
        key=lambda lines: _nearness(lines, wanted, passages, kinds) - PER_RANK * lines[0].passage,
        default=None,
    )
    if best is None or _nearness(best, wanted, passages, kinds) < NEAR:
        return ()
    return _cut(best, style) if _beats(best, top, _nearness(best, wanted, passages, kinds), kinds) else ()


def _is_procedure(question: str, lines: Sequence[Unit], kinds: Sequence[str]) -> bool:
    """Whether a way is asked for, no single value, and these are its steps."""
    steps = len(lines) >= STEPS and all(line.number for line in lines) and not any(label_of(one.text) for one in lines)
    return "how" in kinds and not VALUES & set(kinds) and steps


def _beats(lines: Sequence[Unit], top: Scored, near: float, kinds: Sequence[str]) -> bool:
    """Whether a block answers better than the best single piece, which may be one of its lines."""
    if top.unit in lines:
        return True
    wholly = near >= HEADED and bool({"which", "how"} & set(kinds))
    return near > top.covered or (near == top.covered and (wholly or top.unit.passage == lines[0].passage))


def _blocks(found: Sequence[Scored], passages: Sequence[Passage]) -> list[list[Unit]]:
    """Lists and tables of two lines or more; a list cut into several passages is one again."""
    blocks: dict[tuple[object, ...], dict[object, Unit]] = {}
    for one in sorted(found, key=lambda one: (one.unit.passage, one.unit.order)):
        unit, source = one.unit, passages[one.unit.passage]
        if unit.kind in {"item", "row"}:
            split = unit.kind == "item"
            at = (source.source, source.heading, unit.intro) if split else (unit.passage, unit.block)
            blocks.setdefault(at, {}).setdefault(unit.number or unit.text, unit)
    whole = [sorted(lines.values(), key=lambda one: (one.number, one.passage, one.order)) for lines in blocks.values()]
    return [lines for lines in whole if len(lines) > 1]


def _suits(lines: Sequence[Unit], wanted: Sequence[str], kinds: Sequence[str], style: Style, near: float) -> bool:
    """Whether all lines answer: none of them stands out unless the heading is the question, all are of its kind."""
    if (near < HEADED or lines[0].kind == "row") and _stands_out(lines, wanted):
        return False
    if lines[0].kind == "item":
        return style.as_list or "which" in kinds or ("how" in kinds and _ordered_or_led(lines))
    countable = [kind for kind in kinds if kind in {"how_long", "how_many", "when"}]
    return "which" in kinds or any(all(gives(line.text, kind) for line in lines) for kind in countable)


def _ordered_or_led(lines: Sequence[Unit]) -> bool:
    return bool(lines[0].intro) or all(line.number for line in lines)


def _stands_out(lines: Sequence[Unit], wanted: Sequence[str]) -> bool:
    """Whether the question names one line: a term of it stands in one or two lines of several, and in their first words."""
    held = [set(terms(line.cells[0] if line.cells else line.text[:12])) for line in lines]
    counts = [sum(term in one for one in held) for term in wanted]
    return any(0 < count <= max(1, len(lines) // 4) for count in counts)


def _nearness(lines: Sequence[Unit], wanted: Sequence[str], passages: Sequence[Passage], kinds: Sequence[str]) -> float:
    """How much of the question the surroundings of a block hold; steps are preferred where a way is asked for."""
    source = passages[lines[0].passage]
    near = f"{source.title} {source.heading} {lines[0].intro} {' '.join(lines[0].header)}"
    way = "how" in kinds and tells_a_way(source.heading)
    steps = 0.15 * ("how" in kinds and all(line.number for line in lines)) + 0.3 * way
    section = LAST_HEADING * loosely(wanted, source.heading.rpartition(">")[2])
    return loosely(wanted, near) + steps + section


def tells_a_way(heading: str) -> bool:
    """Whether a section's heading says that it tells how something is done."""
    return bool(_WAY.search(heading.rpartition(">")[2]))


def _cut(lines: Sequence[Unit], style: Style) -> tuple[Unit, ...]:
    return tuple(lines[: MOST_LINES[style.length]])
