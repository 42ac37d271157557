"""Which profile fields a question about oneself asks for ("what do I do for a living" asks for the occupation)."""

import re
from collections.abc import Iterator
from functools import lru_cache

from zhiji.core.schema import Schema
from zhiji.core.schema_file import active
from zhiji.core.text import fold
from zhiji.models.extracting.asking import asks
from zhiji.models.extracting.key_patterns import TOPIC

_ONESELF = re.compile(r"[我俺咱]|本人|\b(?:i|my|me|mine|we|our|i'm|i've|am i|do i)\b")
_ASKS = re.compile(
    r"[?？]|什么|哪|谁|几|多少|多[大高久重长]|啥|吗|^(?:what|which|who|whose|where|when|how|do|does|did|am|is|are|can|may)\b"
)
_OWN = re.compile(r"\b(?:my|our) (?P<words>[\w-]+(?: [\w-]+){0,3})")
_SHORTEST_HAN = 2
"""Characters of a Chinese name of a field that may stand anywhere in a question; single ones stand in other words."""


@lru_cache(maxsize=1024)
def asked_fields(question: str) -> frozenset[str]:
    """The keys of the fields that a question about the user asks for; nothing for any other text.

    >>> sorted(asked_fields("我是做什么工作的？")), sorted(asked_fields("What do I do for a living?"))
    (['job.title'], ['job.title'])
    >>> asked_fields("怎么退款"), asked_fields("帮我推荐个咖啡店")
    (frozenset(), frozenset())
    """
    plain = fold(question)
    if not _ONESELF.search(plain) or not (_ASKS.search(plain) or asks(plain)):
        return frozenset()
    by_pattern = {key for key, pattern in TOPIC if pattern.search(plain)}
    names, owned = _names(active())
    by_name = {key for name, key in names.items() if name in plain}
    return frozenset(by_pattern | by_name | {owned[name] for name in _possessions(plain) if name in owned})


@lru_cache(maxsize=8)
def _names(schema: Schema) -> tuple[dict[str, str], dict[str, str]]:
    """The keys of a schema's fields by their names: those that may stand anywhere, and English ones, that may not."""
    keys = {
        fold(name).replace("_", " "): field.key
        for field in schema.fields
        for name in (field.zh, field.en, *field.aliases)
    }
    han = {name: key for name, key in keys.items() if not name.isascii() and len(name) >= _SHORTEST_HAN}
    return han, {name: key for name, key in keys.items() if name.isascii()}


def _possessions(plain: str) -> Iterator[str]:
    """What an English question calls one's own, with and without the word before it ("my staff number", "number")."""
    for found in _OWN.finditer(plain):
        words = found["words"].split(" ")
        yield from (" ".join(words[first:last]) for first in (0, 1) for last in range(first + 1, len(words) + 1))


def is_asked(key: str, asked: frozenset[str]) -> bool:
    """Whether a memory's key is one of the asked fields, or holds what is known of the same part of life besides.

    >>> is_asked("job.other", frozenset({"job.title"})), is_asked("job.income", frozenset({"job.title"}))
    (True, False)
    """
    known = active().canonical(key)
    if known in asked:
        return True
    domain, _, rest = known.partition(".")
    return rest == "other" and any(one.split(".", 1)[0] == domain for one in asked)
