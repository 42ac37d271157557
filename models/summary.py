"""Folding the oldest turns of a conversation into a short summary, without a model."""

import re
from collections.abc import Sequence

from zhiji.core.text import Language, has_cjk, language_of
from zhiji.core.tokens import codes, terms
from zhiji.core.turn import Turn
from zhiji.models.answering.markers import without_labels

# DESIGN §3: 100-200 characters. An English word takes about three times the characters a Chinese one does.
MAX_CHARS: dict[Language, int] = {"zh": 200, "en": 600}

_SENTENCE = re.compile(r"[^。！？!?\n]+?(?:[。！？!?\n]|\.(?=\s|$)|$)")
_DECISION = re.compile(
    r"决定|确定|就定|选|改成|改为|定在|同意|不要|必须|记住|以后|计划|打算|安排|预约|买了|"
    r"decid|agree|plan|must|chose|will |let's|from now on|book",
    re.IGNORECASE,
)
_ABOUT_ONESELF = re.compile(r"我|\b(?:i|my|i'm|i've)\b", re.IGNORECASE)
_CHATTER = re.compile(
    r"^(?:好的?|嗯+|谢谢.{0,3}|哈+|你好|您好|ok(?:ay)?|thanks?(?: you)?|hi|hello|sure)[\s，,。.!！~]*$",
    re.IGNORECASE,
)
_SAID: dict[Language, dict[str, str]] = {
    "zh": {"user": "用户：", "assistant": "助手："},
    "en": {"user": "User: ", "assistant": "Assistant: "},
}


def fold(previous: str, turns: Sequence[Turn], lang: Language | None = None) -> str:
    """The summary so far and `turns` in one: the sentences that hold names, numbers and decisions, in order.

    Sentences are taken verbatim, so nothing is invented; the earlier summary keeps up to half of the room.
    `lang` is that of the user's turns when not given.
    """
    lang = lang or language_of(" ".join(turn.text for turn in turns if turn.role == "user"))
    limit = MAX_CHARS[lang]
    kept = _best(_lines(previous), limit // 2 if turns else limit)
    room = limit - sum(len(line) for line in kept)
    return " ".join([*kept, *_best(_sentences(turns, lang), room)]).strip()


def _lines(previous: str) -> list[str]:
    return [part.strip() for part in re.split(r"(?<=[。！？!?；;])\s*|(?<=\.)\s+", previous) if part.strip()]


def _sentences(turns: Sequence[Turn], lang: Language) -> list[str]:
    found = []
    for turn in turns:
        parts = [part.strip() for part in _SENTENCE.findall(without_labels(turn.text)) if part.strip()]
        # What the assistant said first is its answer; the rest elaborates.
        for part in parts if turn.role == "user" else parts[:1]:
            if not _CHATTER.match(part):
                found.append(_SAID[lang][turn.role] + _closed(_cut(part)))
    return found


def _closed(part: str) -> str:
    return part if part[-1] in "。！？!?.…" else part + ("。" if has_cjk(part) else ".")


def _best(sentences: Sequence[str], room: int) -> list[str]:
    """The most telling sentences that fit, in their own order, no two alike."""
    chosen: set[int] = set()
    seen: set[str] = set()
    for index in sorted(range(len(sentences)), key=lambda at: (-_telling(sentences[at]), at)):
        line = sentences[index]
        new = set(terms(line)) - seen
        if len(line) <= room and len(new) > 1:
            chosen.add(index)
            seen |= new
            room -= len(line)
    return [sentences[index] for index in sorted(chosen)]


def _cut(sentence: str, limit: int = 80) -> str:
    """A long sentence up to its last clause end before `limit` (three times that in English)."""
    limit = limit if has_cjk(sentence) else 3 * limit
    if len(sentence) <= limit:
        return sentence
    end = max(sentence.rfind(mark, 0, limit) for mark in "，,；; ")
    return sentence[: end if end > limit // 3 else limit].rstrip("，,；; ") + "…"


def _telling(sentence: str) -> float:
    """How much of what must not be lost a sentence holds: numbers, decisions, the user's own facts, many terms."""
    mine = sentence.startswith(("用户", "User"))
    return (
        1.5 * min(3, len(codes(sentence)))
        + 2 * bool(_DECISION.search(sentence))
        + 2 * (mine and bool(_ABOUT_ONESELF.search(sentence)))
        + min(len(set(terms(sentence))), 20) / 10
        + mine
    )
