"""The embedded rewriter: completes a question from the conversation with a small linear model."""

from collections.abc import Sequence
from dataclasses import replace

from zhiji.core.text import Language, language_of
from zhiji.core.turn import Query, Turn
from zhiji.models.answering.intent import about_the_assistant, is_small_talk
from zhiji.models.rewriting import signals
from zhiji.models.rewriting.references import named
from zhiji.models.rewriting.scoring import complete, weights
from zhiji.models.rewriting.style import style_of, without_style
from zhiji.models.rewriting.talk import said

# A long question says what it is about; what it lacks, three words from the conversation would not add.
LONGEST_CHARS = 80
FOLLOWED = 2
"""Questions before this one that are read as they were meant."""
READ = 10
"""Turns before this one that are read at all."""


class EmbeddedRewriter:
    """Completes a question from the last turns, and reads what else it says; about a millisecond, no model.

    Args:
        categories: Fields of the knowledge base that a question may name.
    """

    name = "embedded"

    def __init__(self, categories: Sequence[str] = ()) -> None:
        self._categories = tuple(categories)

    async def rewrite(self, question: str, window: Sequence[Turn]) -> Query:
        """The query for a question, given the turns before it (oldest first, the question not among them)."""
        lang = language_of(question, default=_spoken(window))
        text = without_style(self_contained(question, window, lang))
        return Query(
            text=text,
            original=question,
            lang=lang,
            keywords=signals.keywords(text),
            category=signals.category(question, self._categories),
            scene=signals.scene(question),
            recall_signal=signals.recalls(question),
            overview=signals.overview(question),
            instruction=style_of(question).phrase,
        )


def _spoken(window: Sequence[Turn]) -> Language:
    said = " ".join(turn.text for turn in window if turn.role == "user")
    return language_of(said[-500:])


def self_contained(question: str, window: Sequence[Turn], lang: Language) -> str:
    """The question completed from the turns before it; as it is where it stands alone."""
    return _completed(question, understood(window[-READ:], lang), lang)


def understood(window: Sequence[Turn], lang: Language) -> list[Turn]:
    """The window with the user's last questions as they were meant: a follow-up of a follow-up needs the first."""
    turns = list(window)
    users = [at for at, turn in enumerate(turns) if turn.role == "user"]
    for at in users[-FOLLOWED:]:
        if said(turns[at].text) == "asked":
            turns[at] = replace(turns[at], text=_completed(turns[at].text, turns[:at], lang))
    return turns


def _completed(question: str, window: Sequence[Turn], lang: Language) -> str:
    if (
        not window
        or not question.strip()
        or len(question) > LONGEST_CHARS
        or is_small_talk(question)
        or about_the_assistant(question)
        or signals.overview(question)
    ):
        return question
    about = named(question, window, lang)
    if about is not None:
        return about
    found = complete(question, window, weights(lang))
    return found.text if found is not None and found.likelier else question
