"""Cleaning text at the door, and the index-only copy that search compares."""

import re
import unicodedata
from functools import cache
from typing import Literal

from opencc import OpenCC

Language = Literal["zh", "en"]

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_BIDI = re.compile(r"[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_CJK = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_LATIN_WORD = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?")


@cache
def _to_simplified() -> OpenCC:
    return OpenCC("t2s")


def clean(text: str) -> str:
    r"""Text that every engine can hold: no lone surrogates, control characters or direction overrides.

    Tabs and line ends stay; `\r\n` becomes `\n`. Nothing a reader can see is changed.

    >>> clean("a\x00b\ud800c\r\nd")
    'abc\nd'
    """
    paired = text.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
    lines = paired.replace("\r\n", "\n").replace("\r", "\n")
    return _BIDI.sub("", _CONTROL.sub("", lines))


def fold(text: str) -> str:
    """The copy that search and comparison use: NFKC, lower case, traditional to simplified.

    >>> fold("退貨ＡＢＣ")
    '退货abc'
    """
    folded: str = _to_simplified().convert(unicodedata.normalize("NFKC", text).lower())
    return folded


def normalised(text: str) -> str:
    r"""A question as caches know it: what a reader sees, whatever its spaces and widths.

    >>> normalised("  ＨＧ-300\u3000怎么 \n 重启？")
    'HG-300 怎么 重启?'
    """
    return " ".join(unicodedata.normalize("NFKC", clean(text)).split())


def has_cjk(text: str) -> bool:
    """Whether the text holds a Chinese character."""
    return _CJK.search(text) is not None


def language_of(text: str, default: Language = "zh") -> Language:
    """The language to answer in: Chinese if Chinese characters carry the text, else English.

    A Chinese character counts as much as one English word, so "帮我查 iPhone 15" is Chinese.

    >>> language_of("帮我查一下 iPhone 15 的价格"), language_of("what is 荔枝 in English, please?")
    ('zh', 'en')
    """
    cjk, latin = len(_CJK.findall(text)), len(_LATIN_WORD.findall(text))
    if cjk == latin == 0:
        return default
    return "zh" if cjk >= latin else "en"
