"""Telling the chosen pieces: sentences with their labels, steps as a list, code as a block."""

from collections.abc import Iterator, Sequence

from zhiji.core.text import Language, fold
from zhiji.core.turn import Passage
from zhiji.models.answering.choosing import Choice
from zhiji.models.answering.phrases import phrase
from zhiji.models.answering.units import Unit
from zhiji.models.answering.wording import cited, first_clause, worded
from zhiji.models.question_words import content_terms

# DESIGN §3: never a whole passage over 200 characters verbatim.
WHOLE_PASSAGE = 200


def tell(question: str, choice: Choice, sources: Sequence[Passage], lang: Language, lead: str = "") -> Iterator[str]:
    """The sentences of the answer, one by one."""
    if choice.steps:
        yield from _list(choice.steps, sources, lang)
        return
    wanted = frozenset(content_terms(question))
    pieces = _not_whole(choice.pieces, sources)
    for at, unit in enumerate(pieces):
        label = sources[unit.passage].label
        if unit.kind == "code":
            yield f"```\n{unit.text}\n```\n[{label}]"
        else:
            gap = " " if lang == "en" and at + 1 < len(pieces) else ""
            yield (lead if at == 0 else "") + cited(worded(unit, wanted), label, lang) + gap


def _not_whole(pieces: Sequence[Unit], sources: Sequence[Passage]) -> list[Unit]:
    """The pieces without the last of a source that would otherwise be told entire."""
    kept = list(pieces)
    for number, source in enumerate(sources):
        told = [one for one in kept if one.passage == number]
        length = len(_bare(source.text))
        if len(told) > 1 and length > WHOLE_PASSAGE and sum(len(_bare(one.text)) for one in told) > 0.9 * length:
            kept.remove(told[-1])
    return kept


def _bare(text: str) -> str:
    return "".join(mark for mark in fold(text) if mark.isalnum())


def _list(steps: Sequence[Unit], sources: Sequence[Passage], lang: Language) -> Iterator[str]:
    """Steps one a line, each by its first clause, with the label at the end of each."""
    label = sources[steps[0].passage].label
    ordered = all(step.number for step in steps)
    opening = (steps[0].intro.rstrip("：:") + ("：" if lang == "zh" else ":")) if steps[0].intro else ""
    yield (opening or (phrase("steps", lang) if ordered else "")) + ("\n" if opening or ordered else "")
    for at, step in enumerate(steps, start=1):
        mark = f"{at}. " if ordered else "- "
        yield f"{mark}{first_clause(step.text)} [{label}]{'' if at == len(steps) else chr(10)}"
