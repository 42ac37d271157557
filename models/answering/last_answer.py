"""Giving the last answer again in another form."""

from collections.abc import Sequence

from zhiji.core.text import Language, has_cjk, language_of
from zhiji.core.tokens import terms
from zhiji.core.turn import Turn
from zhiji.models.answering.markers import without_labels
from zhiji.models.answering.phrases import phrase
from zhiji.models.answering.units import sentences
from zhiji.models.answering.wording import shortened
from zhiji.models.question_words import content_terms
from zhiji.models.rewriting.references import topic
from zhiji.models.rewriting.style import Style, about_last_answer
from zhiji.models.rewriting.talk import replied

SHORT_CLAUSE = 28


def last_answer(window: Sequence[Turn]) -> str:
    """What the assistant answered last, without citations; empty when it only exchanged courtesies."""
    said = [turn.text for turn in window if turn.role == "assistant" and replied(turn.text) != "stock"]
    return without_labels(said[-1]).strip() if said else ""


def reworked(window: Sequence[Turn], style: Style, lang: Language, about: str) -> list[str]:
    """The sentences of the last answer, made shorter, listed, or repeated, as the style asks.

    Args:
        window: The turns before, oldest first.
        style: The form asked for.
        lang: The language of the reply.
        about: The question that the last answer answered, self-contained; a wish of form is looked up in the window.
    """
    before = last_answer(window)
    if not before:
        return [phrase("no_last", lang)]
    if style.lang and language_of(before) != style.lang:
        return [phrase("no_translation", lang).format(before)]
    parts = [part for line in before.splitlines() for part in sentences(line)]
    if style.length in {"short", "one"}:
        parts = _shorter(
            parts, set(content_terms(topic(window) if about_last_answer(about) else about)), one=style.length == "one"
        )
    if not style.as_list:
        return parts
    return [f"- {part}" + "\n" * (at < len(parts)) for at, part in enumerate(parts, start=1)]


def _shorter(parts: Sequence[str], wanted: set[str], *, one: bool) -> list[str]:
    """The part of the sentences that says most on the topic; a single sentence loses its side clauses."""
    if len(parts) == 1:
        return [_clause(parts[0], wanted)]
    keep = 1 if one else max(1, len(parts) // 2)
    best = sorted(range(len(parts)), key=lambda at: (-len(wanted & set(terms(parts[at]))), at))[:keep]
    return [parts[at] for at in sorted(best)]


def _clause(sentence: str, wanted: set[str]) -> str:
    end = sentence[-1] if sentence[-1] in "。！？!?." else ""
    limit = max(SHORT_CLAUSE, len(sentence) // 2) if has_cjk(sentence) else max(SHORT_CLAUSE, len(sentence) // 4)
    return shortened(sentence, wanted, limit) + end
