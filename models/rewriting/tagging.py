"""Cutting an utterance into words with a coarse part of speech, Chinese and English."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import rjieba

from zhiji.core.text import fold, has_cjk

# One letter a class. N noun, P person, L place, E foreign word, V verb, A adjective, D adverb, M number or measure,
# R third person or demonstrative, I first or second person, W question word, Y particle, J interjection or
# conjunction, S copula or auxiliary, T determiner, O preposition, U 的, X other, "." punctuation.
_BY_TAG = {"n": "N", "v": "V", "a": "A", "d": "D", "m": "M", "q": "M", "r": "R", "p": "O", "c": "J", "y": "Y", "e": "J"}
_BY_FULL_TAG = {"nr": "P", "nrt": "P", "nrfg": "P", "ns": "L", "nz": "N", "eng": "E", "uj": "U", "ul": "Y", "uz": "Y"}


def _words(text: str, letter: str) -> dict[str, str]:
    return dict.fromkeys(text.split(), letter)


_CHINESE = {
    **_words(
        "它 他 她 它们 他们 她们 这 那 这个 那个 这些 那些 这里 那里 这儿 那儿 这边 那边 这种 那种 这样 那样 这部 那部",
        "R",
    ),
    **_words(
        "此 该 其 这么 那么 这家 那家 这位 那位 这首 那首 这本 那本 这次 那次 這個 那個 這 這些 這裡 那裡 後者 后者 前者",
        "R",
    ),
    **_words("我 你 您 我们 你们 咱 咱们 俺 自己 人家 本人 我們 你們", "I"),
    **_words(
        "什么 谁 哪 哪里 哪儿 哪个 哪些 怎么 怎样 如何 为什么 为何 为啥 多少 几 多久 多大 多长 多远 多高 多 怎么样 怎么办 啥 咋",
        "W",
    ),
    **_words("什么时候 几点 几个 几天 哪天 何时 哪位 谁的 何 什麼 怎麼 為什麼 多少钱 要多久", "W"),
    **_words("吗 呢 吧 啊 呀 嘛 么 哦 啦 了 过 着 得 哈 呗 喔 嗎 的话 噢 哟", "Y"),
    **_words(
        "嗯 对 好的 是的 是啊 哈哈 哈哈哈 嗯嗯 对啊 可是 但是 但 不过 那 而且 所以 因为 因此 然后 还有 其实 当然 真的 哎 唉 哇 噢 不是",
        "J",
    ),
    **_words(
        "不 没 没有 别 也 都 还 就 很 太 真 最 更 又 再 才 挺 好像 一直 已经 刚 只 非常 特别 比较 应该 可能 一定", "D"
    ),
    **_words("是 有 在 要 会 能 可以 想 应该 叫 算", "S"),
    **_words("的", "U"),
}
_ENGLISH = {
    **_words("it that this they them he she him her his its their those these there theirs hers here then", "R"),
    **_words("i you we me my your our us mine yours ours myself yourself", "I"),
    **_words("what who whom whose which when where why how whats hows", "W"),
    **_words(
        "is are was were be been do does did can could will would should shall may might must has have had am 's 're",
        "S",
    ),
    **_words("the a an any some every each no another", "T"),
    **_words(
        "in on at to for of from with by about into over under after before during without near via per than as like",
        "O",
    ),
    **_words("and or but so because if yes no yeah ok okay well also oh please thanks hi hello sure while", "J"),
    **_words("not n't never always too very just only really still again already often much many more most long", "D"),
    **_words(
        "take takes cost costs work works mean means go get gets make use need want know see tell ask give start open close return"
        " pay apply cancel install explain show find choose send run buy bought read write said say think like love live",
        "V",
    ),
}
_ENGLISH_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[._\-/][A-Za-z0-9]+)*|'[a-z]+|\d+(?:[.,:]\d+)*|[^\sA-Za-z0-9]")


# The segmenter glues these to what follows ("它费水" as one word), so they are cut off first.
_PERSONS = re.compile(r"(它们?|她们?|(?<![其吉])他们?(?![人乡国]))")
_ASKED_OF = frozenset("i you we they he she it".split())
_NOMINAL_TAG = frozenset("nmq")
_PERIODS = frozenset("年月日周季")
_ASKING = ("怎么", "什么", "为什么", "多少", "哪")
_LOOKS = re.compile(r"[好难]\w")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, its class (one letter), and where it stands in its text."""

    text: str
    kind: str
    start: int
    end: int


def tag(text: str) -> list[Token]:
    """The words of a text with their classes; spaces are left out.

    >>> [(token.text, token.kind) for token in tag("它的导演是谁")]
    [('它', 'R'), ('的', 'U'), ('导演', 'V'), ('是', 'S'), ('谁', 'W')]
    """
    return _chinese(text) if has_cjk(text) else _english(text)


def _chinese(text: str) -> list[Token]:
    tokens: list[Token] = []
    at = 0
    for word, label in (pair for part in _PERSONS.split(text) for pair in rjieba.tag(part)):
        at = text.index(word, at)
        if not word.isspace():
            tokens.append(Token(word, _chinese_kind(word, label, first=not tokens), at, at + len(word)))
        at += len(word)
    return _joined(tokens)


def _joined(tokens: Sequence[Token]) -> list[Token]:
    """Words with what the segmenter cuts off their front: a unit of time without a number begins a noun ("年假")."""
    found: list[Token] = []
    for token in tokens:
        last = found[-1] if found else None
        counted = len(found) > 1 and found[-2].kind in "MWR"
        if last and last.text in _PERIODS and not counted and token.kind == "N" and len(token.text) == 1:
            found[-1] = Token(last.text + token.text, "N", last.start, token.end)
        else:
            found.append(token)
    return found


def _chinese_kind(word: str, label: str, *, first: bool) -> str:
    known = _CHINESE.get(word)
    if known:
        return known
    if word == "好":  # at the start it agrees, elsewhere it says how something is
        return "J" if first else "A"
    if not any(mark.isalnum() for mark in word):
        return "."
    if word.isascii():
        return "M" if word.isdigit() else "E"
    if label == "r" or word.startswith(_ASKING):  # a pronoun the lists do not name asks or points
        return "W" if set(word) & set("什谁哪几多怎何") else "R"
    if _LOOKS.fullmatch(word) and label[0] in "va":  # 好吃, 难看: said of something, whatever the dictionary calls it
        return "A"
    if label == "vn" or (len(word) > 2 and label[0] in "adxz"):  # a long unknown word is mostly a name
        return "N"
    return _BY_FULL_TAG.get(label) or _BY_TAG.get(label[0], "X")


def _english(text: str) -> list[Token]:
    tokens: list[Token] = []
    for found in _ENGLISH_WORD.finditer(text):
        kind = _english_kind(found.group(), found.start() == 0)
        # After "do I", "should you" a word is what is done, whatever else it may be.
        asked = len(tokens) > 1 and tokens[-2].kind == "S" and tokens[-1].text.lower() in _ASKED_OF
        tokens.append(Token(found.group(), "V" if kind in "NG" and asked else kind, *found.span()))
    return tokens


def _english_kind(word: str, first: bool) -> str:
    known = _ENGLISH.get(fold(word))
    if known:
        return known
    if not word[0].isalnum() and word[0] != "'":
        return "."
    if word[0].isdigit():
        return "M"
    if word[0].isupper() and not first:
        return "P"
    return "G" if word.endswith("ing") else "N"


@cache
def holds_its_object(verb: str) -> bool:
    """Whether a Chinese verb brings its object along: "退款" asks for nothing more, "预防" does.

    >>> holds_its_object("退款"), holds_its_object("预防")
    (True, False)
    """
    return len(verb) == 2 and has_cjk(verb) and bool(_NOMINAL_TAG & {label[0] for _, label in rjieba.tag(verb[-1])})


def shape(tokens: Sequence[Token]) -> str:
    """The classes of some words in a row, such as `NUN`; long ones keep their ends."""
    kinds = "".join(token.kind for token in tokens)
    return kinds if len(kinds) <= 4 else f"{kinds[:2]}~{kinds[-2:]}"
