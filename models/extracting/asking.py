"""Clauses that tell nothing: questions without a question mark, one-off requests, fillers."""

import re

from zhiji.core.text import fold
from zhiji.models.extracting import changes
from zhiji.models.extracting.clauses import Clause

_QUESTION = re.compile(
    r"(?:吗|(?<!那)(?<!这)么)[啊呀呢]?$|(?<!没)(?<!随)(?:找谁|问谁|是谁|哪[里儿家个种款位]?|什么|干嘛|啥|多少|(?<!差不)多[久远大高重长]|(?<!了)(?<!好)几[岁点号个天次月年]|怎么[办样弄修用走]|咋[办整弄])(?:了|的|呢|啊|呀|好)*$"
    r"|^(?:怎么|如何|为什么|为啥|谁|哪[里儿家个种款位])"
    r"|^(?:what|how|why|when|where|which|who|whose)(?:'s|'re)? (?:is|are|do|does|did|can|could|should|would|much|many|long)\b"
)
_NO_QUESTION = re.compile(r"不知道|忘了|不记得|叫我|称呼我|喊我|无论|不管|怎么都|什么都|\bcall me\b")
_FILLER = re.compile(
    r"(?:you know(?: what| what i mean)?|i mean|you see|i guess|let me see|as i said|like i said|你知道的?|我是说|怎么说呢|这么说吧)[啊吧呢]?"
)
_ONE_OFF = re.compile(r"^(?:请|麻烦|劳驾)?(?:你|您)?(?:帮我|帮忙|替我|给我)(?!.{0,6}记)")
_STANDING = re.compile(r"以后|今后|往后|从今|从现在|每|一律|总是|永远|都(?:要|用)|别|不要|不用")


def is_question(clause: Clause) -> bool:
    """Whether a clause asks something, with a question mark or without."""
    return clause.stop in ("?", "？") or asks(clause.text)


def asks(text: str) -> bool:
    """Whether the words alone ask something.

    >>> asks("这台打印机能双面打印吗"), asks("我住在杭州"), asks("忘掉我住哪")
    (True, False, False)
    """
    words = fold(text)
    if changes.forgotten(words) or _NO_QUESTION.search(words):
        return False
    return _QUESTION.search(words) is not None


def is_filler(text: str) -> bool:
    """Whether a clause only fills a pause ("you know")."""
    return _FILLER.fullmatch(fold(text)) is not None


def is_one_off(text: str) -> bool:
    """Whether a clause asks for one piece of work and sets no rule.

    >>> is_one_off("帮我查一下库存"), is_one_off("帮我记住我不吃辣")
    (True, False)
    """
    words = fold(text)
    return _ONE_OFF.search(words) is not None and _STANDING.search(words) is None and not changes.forgotten(words)
