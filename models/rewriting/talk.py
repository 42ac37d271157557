"""What of a conversation a question can lean on: not thanks, not greetings, not the assistant's own phrases."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Literal

from zhiji.core.turn import Turn
from zhiji.models.answering.intent import about_the_assistant, asks, intent_of, is_small_talk
from zhiji.models.answering.markers import without_labels
from zhiji.models.answering.phrases import PHRASES
from zhiji.models.rewriting.style import about_last_answer

Said = Literal["nothing", "small", "form", "told", "asked", "chat"]
Replied = Literal["nothing", "unknown", "stock", "cited", "words"]

# Phrases that say nothing of their own; "foreign" and the like wrap words of a source and are left out.
_STOCK = (
    *("greeting", "thanks", "farewell", "chat", "identity", "understood_that", "understood"),
    *("unknown", "unknown_plain", "no_last", "nothing_on", "nothing", "rule", "no_translation"),
)
# An abstaining answer of any model says so at its start, as a clause of its own.
_UNKNOWN = re.compile(
    r"\s*(?:(?:抱歉|对不起|很抱歉)[，,]?\s*)?(?:我(?:还|也)?)?(?:不知道|不清楚|没有找到)(?:[：:，,。.！!]|$)"
    r"|\s*(?:(?:i'm )?sorry[,.]? (?:but )?)?i (?:don't|do not) know(?:[:,.!]|$)",
    re.IGNORECASE,
)


def said(text: str) -> Said:
    """What kind of turn the user made.

    >>> [said(text) for text in ("谢谢", "我住在杭州", "怎么退款", "请详细一点")]
    ['small', 'told', 'asked', 'form']
    """
    if is_small_talk(text) or about_the_assistant(text):
        return "small"
    if about_last_answer(text):
        return "form"
    if asks(text):
        return "asked"
    return "told" if intent_of(text) == "statement" else "chat"


def replied(text: str) -> Replied:
    """What kind of answer the assistant gave: words of its own, words of a source, a fixed phrase, or that it knows nothing.

    >>> [replied(text) for text in ("不客气。", "不知道：没有内容。", "五个工作日到账 [K1]。")]
    ['stock', 'unknown', 'cited']
    """
    if _UNKNOWN.match(text.replace("’", "'")):
        return "unknown"
    if not _alnum(without_labels(own_words(text))):
        return "stock"
    return "cited" if without_labels(text) != text else "words"


def own_words(text: str) -> str:
    """An answer without the assistant's fixed phrases; its labels stay."""
    return _stock().sub(" ", text).strip()


def mood(window: Sequence[Turn]) -> tuple[Said, Replied]:
    """What kinds of turns came right before the question."""
    told: Said = "nothing"
    asked = next((said(turn.text) for turn in reversed(window) if turn.role == "user"), told)
    last = window[-1] if window else None
    return asked, replied(last.text) if last and last.role == "assistant" else "nothing"


def bearing(window: Sequence[Turn]) -> list[Turn]:
    """The turns a question can lean on, the answers in their own words alone.

    After a question, what the user told before it is left out: a follow-up goes on from the question.
    """
    kinds: list[Said] = [said(turn.text) if turn.role == "user" else "nothing" for turn in window]
    held = [(replace(turn, text=_carried(turn, kind)), kind) for turn, kind in zip(window, kinds, strict=True)]
    kept = [(turn, kind) for turn, kind in held if _alnum(without_labels(turn.text))]
    last = next((kind for _, kind in reversed(kept) if kind != "nothing"), "nothing")
    return [turn for turn, kind in kept if not (last == "asked" and kind == "told")]


def _carried(turn: Turn, kind: Said) -> str:
    if turn.role == "user":
        return "" if kind in {"small", "form"} else turn.text
    return "" if replied(turn.text) == "unknown" else own_words(turn.text)


def _alnum(text: str) -> bool:
    return any(mark.isalnum() for mark in text)


@cache
def _stock() -> re.Pattern[str]:
    """The fixed phrases as one pattern: what stands in a blank belongs to the phrase."""
    phrases = [text.rstrip("。.：: ") for name in _STOCK for text in PHRASES[name].values()]
    forms = [re.escape(text).replace(r"\{\}", r"[^。\n]*?") for text in sorted(phrases, key=len, reverse=True)]
    return re.compile(rf"(?:(?<=[。.\n ])|^)\s*(?:{'|'.join(forms)})(?:[。.：:]+|$)", re.IGNORECASE)
