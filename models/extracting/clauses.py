"""Splitting a message into clauses: the units that are judged one by one."""

import re
from dataclasses import dataclass, replace

_END = "。！？!?；;\n…"
_HAN = r"\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_QUOTES = {"“": "”", "「": "」", "『": "』", "《": "》", "‘": "’"}
_LATIN_STOP = re.compile(r"[.!?]+(?=\s|$)|[,;:]\s+|\s[-–—]+\s|\n+|\s*[—–]+\s*|[()]")
_LATIN_JOIN = re.compile(
    r"\s(?=(?:but|and|so|because|cos|cuz|since|while|although|though|plus)\s"
    r"(?:i|i'm|im|i've|i'd|my|we|we're|our|he|she|they|it|the|also|then|don't|never|please|pls|only)\b)",
    re.IGNORECASE,
)
_HAN_STOP = re.compile(
    rf"[，,。！!？?；;：:…~～\n]+|——+|(?<=[{_HAN}0-9a-zA-Z\U0001f300-\U0001faff])[ \u3000]+(?=[{_HAN}])|(?<=[{_HAN}])[ \u3000]+"
)
_LATIN = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz@._%+/#-")
_BARE = frozenset(("", *" \u3000，,。！!？?；;：:、\n"))
_LONG_QUOTE = 6
_LEAD_IN = re.compile(
    r"(?:我?(?:再|重新)?(?:强调|说|讲|重申|提醒)(?:一遍|一次|一下|下|一声)|跟你(?:说|讲)(?:一?下|个事|哈)?|告诉你|从(?:今天|今|现在|此|明天)(?:起|开始)|从今以后|以后|今后|往后|另外|还有|对了|其实|不过|所以|但是|然后|说实话|老实说"
    r"|我(?:跟你|和你|之前|上次|前面)?(?:说过|讲过)|偷偷跟你说哈?|补充一?下?|顺便说一?[下句]"
    r"|from now on|going forward|by the way|btw|also|actually|honestly|for context|just so you know|fyi|remember|please note|quick one|oh|ok|so|well|yes|no wait|in general)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of a message.

    `start` and `end` are character offsets in the message, so `message[start:end]` is `text`. `stop` is the sign that
    closes it ("" at the end of the message) and `quoted` says that most of it stands between quotation marks.
    """

    text: str
    start: int
    end: int
    stop: str = ""
    quoted: bool = False
    sentence: int = 0
    """Which sentence of the message it belongs to, from 0."""


def quoted_spans(message: str) -> list[tuple[int, int]]:
    """Spans between quotation marks, the marks included; straight marks pair up line by line."""
    spans: list[tuple[int, int]] = []
    opened: tuple[str, int] | None = None
    for at, sign in enumerate(message):
        if opened and (sign == opened[0]):
            spans.append((opened[1], at + 1))
            opened = None
        elif opened and sign == "\n" and opened[0] == '"':
            opened = None
        elif not opened and (sign in _QUOTES or sign == '"'):
            opened = (_QUOTES.get(sign, '"'), at)
    return spans


def split(message: str, *, han: bool) -> list[Clause]:
    """The clauses of a message, in order.

    Chinese (`han`) parts at every stop, comma and space, but not at the spaces that set off a Latin word or a number
    ("我用 iPhone 手机"); English at sentence ends, commas and before a conjunction
    that starts a new subject. A quotation of more than a few characters stays whole.
    """
    spans = [(a, b) for a, b in quoted_spans(message) if b - a - 2 >= _LONG_QUOTE]
    cuts = [m.span() for m in (_HAN_STOP if han else _LATIN_STOP).finditer(message)]
    joins = () if han else _LATIN_JOIN.finditer(message)
    cuts = sorted(cut for cut in [*cuts, *(m.span() for m in joins)] if not (han and _sets_off(message, *cut)))
    cuts = [c for c in cuts if not any(a < c[0] and c[1] < b for a, b in spans) and not _inside_number(message, c)]
    return _led(message, _between(message, cuts, spans))


def _led(message: str, clauses: list[Clause]) -> list[Clause]:
    """The clauses, with words that only lead to the next one ("从今天起，…") joined to it."""
    joined: list[Clause] = []
    start: int | None = None
    for at, clause in enumerate(clauses):
        begins = clause.start if start is None else start
        if _LEAD_IN.fullmatch(clause.text) and at + 1 < len(clauses) and clause.stop not in ("?", "？"):
            start = begins
            continue
        joined.append(clause if start is None else replace(clause, text=message[begins : clause.end], start=begins))
        start = None
    return joined


def _inside_number(message: str, cut: tuple[int, int]) -> bool:
    before, after = message[: cut[0]][-1:], message[cut[1] :][:1]
    return cut[1] - cut[0] == 1 and message[cut[0]] in ",:：." and before.isdigit() and after.isdigit()


def _sets_off(message: str, start: int, end: int) -> bool:
    """Whether a space only parts Chinese from a Latin word or number that no other Chinese is glued to."""
    if message[start:end].strip():
        return False
    begin, stop = start, end
    while begin and message[begin - 1] in _LATIN:
        begin -= 1
    while stop < len(message) and message[stop] in _LATIN:
        stop += 1
    if begin < start:
        return stop == end and message[:begin][-1:] in _BARE
    return stop > end and message[stop:][:1] in _BARE


def _between(message: str, cuts: list[tuple[int, int]], spans: list[tuple[int, int]]) -> list[Clause]:
    clauses: list[Clause] = []
    start, sentence = 0, 0
    for a, b in [*cuts, (len(message), len(message))]:
        left, right = _trim(message, start, a)
        stop = message[a:b]
        if right > left and any(ch.isalnum() for ch in message[left:right]):
            clauses.append(
                Clause(
                    message[left:right], left, right, stop.strip() or stop[:1], _is_quoted(left, right, spans), sentence
                )
            )
        if any(sign in _END for sign in stop) or stop.startswith("."):
            sentence += 1
        start = b
    return clauses


def _trim(message: str, start: int, end: int) -> tuple[int, int]:
    while start < end and message[start].isspace():
        start += 1
    while end > start and message[end - 1].isspace():
        end -= 1
    return start, end


def _is_quoted(start: int, end: int, spans: list[tuple[int, int]]) -> bool:
    covered = sum(max(0, min(end, b) - max(start, a)) for a, b in spans)
    return covered * 2 > end - start
