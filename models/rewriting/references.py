"""Questions about the last answer itself, named by what it was about."""

from collections.abc import Sequence

from zhiji.core.text import Language
from zhiji.core.turn import Turn
from zhiji.models.rewriting.sites import outline
from zhiji.models.rewriting.style import about_last_answer, session_object
from zhiji.models.rewriting.talk import bearing, said

_NOUN_KINDS = frozenset("NPLEVG")
_ANSWER: dict[Language, str] = {"zh": "关于“{}”的回答", "en": 'the answer on "{}"'}


def topic(window: Sequence[Turn]) -> str:
    """The last question that says what it is about; where nothing was asked, the last thing said."""
    users = [turn.text.strip() for turn in bearing(window) if turn.role == "user"]
    named = [text for text in users if any(token.kind in _NOUN_KINDS for token in outline(text).tokens)]
    asked = [text for text in named if said(text) == "asked"]
    return (asked or named or [""])[-1].rstrip("?？。.!！ ")


def named(question: str, window: Sequence[Turn], lang: Language) -> str | None:
    """A question on the last answer itself, or None where it is none.

    One that asks for another form is the question answered last: how it is to be told is no thing to search for.
    In any other, the answer is called by its topic ("刚才那个方案要花多少钱").
    """
    if not any(turn.role == "assistant" for turn in window):
        return None
    subject = topic(window)
    if about_last_answer(question):
        return subject or question
    pointed = session_object(question)
    if not pointed or not subject:
        return None
    return question[: pointed.start()] + _ANSWER[lang].format(subject) + question[pointed.end() :]
