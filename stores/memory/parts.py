"""The questions inside a question: each part is looked up on its own."""

import re

from zhiji.core.text import fold
from zhiji.models.question_words import content_terms

_CUT = re.compile(
    r"[,，。.?？!！;；、\n]+(?!\d)"
    r"|(?:另外|还有|以及|并且|同时|顺便|而且)"
    r"|(?<=[\u4e00-\u9fff])(?:和|与|跟|并)(?=[\u4e00-\u9fff])"
    r"|\b(?:and|also|as well as|besides|plus|but|then)\b",
    re.I,
)
_OF = re.compile(r"(?<=[\u4e00-\u9fff]{2})的(?=[\u4e00-\u9fff]{2})")
MOST = 6
"""Parts looked at; a longer question is a text, and its first parts carry it."""


def parts_of(question: str) -> tuple[str, ...]:
    """The parts of a question with at least two content terms; empty where it is one piece.

    >>> parts_of("我穿的鞋是什么牌子，我住的城市有多少人？")
    ('我穿的鞋是什么牌子', '我住的城市有多少人')
    """
    pieces = [piece.strip() for piece in _CUT.split(question) if piece and piece.strip()]
    full = [piece for piece in pieces if len(content_terms(piece)) >= 2]
    return tuple(full[:MOST]) if len(full) > 1 else ()


def phrases_of(question: str) -> tuple[str, ...]:
    """The noun phrases around 的, which name one thing by another: "身高164的人的职业" gives both halves.

    >>> phrases_of("我同事的生日")
    ('我同事', '生日')
    """
    halves = [piece.strip() for piece in _OF.split(fold(question)) if piece.strip()]
    return tuple(halves[:MOST]) if len(halves) > 1 else ()
