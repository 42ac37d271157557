"""Questions about the last answer itself, named by what it was about."""

from collections.abc import Sequence

from zhiji.core.text import Language
from zhiji.core.turn import Turn
from zhiji.models.rewriting.sites import outline
from zhiji.models.rewriting.style import about_last_answer, session_object

_NOUN_KINDS = frozenset("NPLEVG")
_ANSWER: dict[Language, str] = {"zh": "关于“{}”的回答", "en": 'the answer on "{}"'}
_PRONOUNS = ("它", "这个", "那个", "上面的", "这段", "那段", " it", " that", " this")


def topic(window: Sequence[Turn]) -> str:
    """The last question that says what it is about: not one that only asks for another form."""
    asked = [turn.text.strip() for turn in window if turn.role == "user" and turn.text.strip()]
    for text in reversed(asked):
        if not about_last_answer(text) and any(token.kind in _NOUN_KINDS for token in outline(text).tokens):
            return text.rstrip("?？。.!！ ")
    return ""


def named(question: str, window: Sequence[Turn], lang: Language) -> str | None:
    """The question with the last answer called by its topic, or None where it does not refer to it.

    "把它缩短" after an answer on refunds becomes "把关于“怎么退款”的回答缩短".
    """
    if not any(turn.role == "assistant" for turn in window):
        return None
    subject = topic(window)
    if not subject:
        return None
    pointed = session_object(question)
    if pointed:
        return _put(question, pointed.start(), pointed.end(), _ANSWER[lang].format(subject))
    if not about_last_answer(question):
        return None
    for pronoun in _PRONOUNS:
        at = question.lower().find(pronoun)
        if at >= 0:
            start = at + len(pronoun) - len(pronoun.lstrip())
            return _put(question, start, at + len(pronoun), _ANSWER[lang].format(subject))
    return f"{subject}（{question}）" if lang == "zh" else f"{subject} ({question})"


def _put(question: str, start: int, end: int, name: str) -> str:
    return question[:start] + name + question[end:]
