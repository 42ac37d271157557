"""Telling the chosen pieces: sentences with their labels, steps as a list, code as a block."""

from collections.abc import Iterator, Sequence

from zhiji.core.text import Language, fold, language_of
from zhiji.core.turn import Passage
from zhiji.models.answering.blocks import tells_a_way
from zhiji.models.answering.choosing import Choice
from zhiji.models.answering.markers import neutral
from zhiji.models.answering.phrases import phrase
from zhiji.models.answering.units import Unit
from zhiji.models.answering.wording import cited, first_clause, measure_of, table, worded
from zhiji.models.question_words import content_terms
from zhiji.models.rewriting.style import Style

# DESIGN §3: never a whole passage over 200 characters verbatim.
WHOLE_PASSAGE = 200


def tell(
    question: str, choice: Choice, sources: Sequence[Passage], lang: Language, style: Style, lead: str = ""
) -> Iterator[str]:
    """The sentences of the answer, one by one."""
    wanted = frozenset(content_terms(question))
    if choice.together:
        yield lead
        yield from _together(choice.together, sources, lang, wanted, whole=style.length == "long")
        lead = "\n" if choice.pieces and choice.together[0].kind == "item" else ""
    for at, unit in enumerate(_not_whole(choice.pieces, sources)):
        label = sources[unit.passage].label
        if unit.kind == "code":
            yield f"```\n{unit.text}\n```\n[{label}]"
        else:
            yield (lead if at == 0 else "") + cited(
                worded(unit, wanted, whole=style.length == "long", measure=measure_of(question)), label, lang
            )


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


def _together(
    lines: Sequence[Unit], sources: Sequence[Passage], lang: Language, wanted: frozenset[str], *, whole: bool
) -> Iterator[str]:
    """Rows as one sentence; items one a line, each by its first sentence unless the whole is wanted, with its label."""
    if lines[0].kind == "row":
        yield cited(table(lines, wanted), sources[lines[0].passage].label, lang)
        return
    ordered = all(line.number for line in lines)
    if lines[0].intro:
        yield lines[0].intro.rstrip("：:，,") + ("：" if lang == "zh" else ":") + "\n"
    elif ordered:
        heading = sources[lines[0].passage].heading.rpartition(">")[2].strip()
        named = heading and not tells_a_way(heading) and language_of(heading, default=lang) == lang
        yield (f"{neutral(heading)}{'：' if lang == 'zh' else ':'}" if named else phrase("steps", lang)) + "\n"
    for at, line in enumerate(lines, start=1):
        mark = f"{at}. " if ordered else "- "
        said = line.text.rstrip("。；;.") if whole else first_clause(line.text)
        yield f"{mark}{said} [{sources[line.passage].label}]{'' if at == len(lines) else chr(10)}"
