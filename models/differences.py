"""What sets two sentences apart although their vectors are near: numbers, dates, units, sides, persons, negation."""

import re
from dataclasses import dataclass
from functools import lru_cache

from zhiji.core.text import fold
from zhiji.models.numerals import amounts

_NEGATION = re.compile(
    r"不(?![错仅但]|得不|管|论|过(?!敏)|然|少|断|锈)|没(?!错|准)|无(?!线|锡|人机|所谓)|非(?!常|洲|遗)|未(?!来|婚|必)|别(?=再|给|用|放|加|吃|喝|叫)|勿|戒|忌|讨厌|拒绝|停(?:止|了|用)|避免"
    r"|\b(?:no|not|never|none|without|cannot|can't|cant|don't|dont|doesn't|doesnt|didn't|didnt|isn't|isnt|aren't|wasn't|won't|wouldn't"
    r"|neither|nor|hates?|dislikes?|avoids?|avoiding|stopped|quit|gave up|refuses?|unable|lacks?|non)\b"
)
# Pairs of words that cannot both be meant: one sentence has the one and the other sentence the other.
_OPPOSITES_ZH = (
    "左|右 早|晚 冷|热 甜|咸 男|女 上午|下午 上半年|下半年 楼上|楼下 早班|夜班 白天|晚上 白天|夜里 单号|双号 靠窗|靠过道 去程|回程"
    " 喜欢|讨厌 进口|国产 老板|员工 以前|以后 增加|减少 室内|室外 城里|乡下"
)
_OPPOSITES_EN = (
    "left|right morning|evening morning|night morning|afternoon am|pm upstairs|downstairs before|after first|last buy|sell"
    " hot|cold hot|iced big|small long|short window|aisle odd|even east|west north|south day|night older|younger elder|younger"
    " increase|decrease like|dislike love|hate more|less early|late start|end arrive|leave mother|father brother|sister son|daughter"
)
_UNIT = re.compile(
    r"(?<=[\d一二两三四五六七八九十百千万半几])\s*(公斤|千克|斤|克|毫克|吨|公里|千米|里|米|厘米|毫米|英里|平方米|平米|平|亩|公顷|分钟|小时|秒|天|周|星期|个月|月|年|岁|度|元|块|美元|万元|欧元|毫升|升|杯|瓶|片|粒|次|遍)"
    r"|(?<=\d)\s*(kg|kilograms?|kilos?|lbs?|pounds?|g|grams?|mg|km|kilomet(?:er|re)s?|miles?|m|met(?:er|re)s?|cm|mm|ft|feet|inch(?:es)?"
    r"|minutes?|mins?|hours?|hrs?|seconds?|days?|weeks?|months?|years?|acres?|hectares?|dollars?|euros?|ml|lit(?:er|re)s?|cups?|tablets?|times|celsius|fahrenheit)\b"
)
_UNIT_NAMES = {
    "千克": "kg", "公斤": "kg", "kilogram": "kg", "kilo": "kg", "pound": "lb", "lb": "lb", "gram": "g", "克": "g", "毫克": "mg",
    "公里": "km", "千米": "km", "kilometer": "km", "kilometre": "km", "英里": "mile", "米": "m", "meter": "m", "metre": "m",
    "厘米": "cm", "毫米": "mm", "feet": "ft", "inche": "inch", "分钟": "min", "minute": "min", "小时": "hour", "hr": "hour", "秒": "second",
    "天": "day", "周": "week", "星期": "week", "个月": "month", "月": "month", "年": "year", "岁": "year", "块": "元", "dollar": "美元",
    "euro": "欧元", "毫升": "ml", "升": "l", "liter": "l", "litre": "l", "平方米": "平", "平米": "平", "公顷": "hectare", "遍": "次", "time": "次",
}  # fmt: skip
_PERSONS = {
    "mother": r"母亲|妈妈|我妈|[老他她]妈|妈(?!蛋)|娘(?!娘)|\b(?:mother|mum|mom|mam)(?:'s)?\b",
    "father": r"父亲|爸|我爹|\b(?:father|dad|daddy)(?:'s)?\b",
    "parent": r"父母|爸妈|\bparents\b",
    "wife": r"妻子|老婆|媳妇|太太|\bwife(?:'s)?\b",
    "husband": r"丈夫|老公|\bhusband(?:'s)?\b",
    "son": r"儿子|\bsons?(?:'s)?\b",
    "daughter": r"女儿|闺女|\bdaughters?(?:'s)?\b",
    "brother": r"哥哥|弟弟|兄弟|[大二表堂]哥|[表堂]弟|\bbrothers?(?:'s)?\b",
    "sister": r"姐姐|妹妹|姐妹|[大二表堂]姐|[表堂]妹|\bsisters?(?:'s)?\b",
    "grandma": r"奶奶|外婆|姥姥|\b(?:grandma|grandmother|gran|nan)(?:'s)?\b",
    "grandpa": r"爷爷|外公|姥爷|\b(?:grandpa|grandfather|grandad)(?:'s)?\b",
    "friend": r"朋友|闺蜜|\bfriends?(?:'s)?\b",
    "colleague": r"同事|\b(?:colleagues?|co-?workers?)(?:'s)?\b",
    "boss": r"老板|领导|上司|\b(?:boss|manager)(?:'s)?\b",
    "neighbour": r"邻居|\bneighbou?rs?(?:'s)?\b",
    "roommate": r"室友|舍友|\b(?:room|flat|house)mates?(?:'s)?\b",
    "classmate": r"同学|\bclassmates?(?:'s)?\b",
}
_PERSON_FORMS = {name: re.compile(form) for name, form in _PERSONS.items()}


@dataclass(frozen=True, slots=True)
class Marks:
    """What of a sentence must agree for another to say the same."""

    numbers: frozenset[str]
    times: frozenset[str]
    units: frozenset[str]
    sides: frozenset[str]
    persons: frozenset[str]
    negations: int


@lru_cache(maxsize=16384)
def marks(text: str) -> Marks:
    """The marks of a sentence."""
    folded = fold(text)
    numbers, times = amounts(folded)
    return Marks(
        numbers=numbers,
        times=times,
        units=frozenset(_unit(match.group(1) or match.group(2)) for match in _UNIT.finditer(folded)),
        sides=frozenset(side for pair in _SIDES for side in pair if _has(folded, side)),
        persons=frozenset(name for name, form in _PERSON_FORMS.items() if form.search(folded)),
        negations=len(_NEGATION.findall(folded)),
    )


_SIDES = tuple((pair.split("|")[0], pair.split("|")[1]) for pair in f"{_OPPOSITES_ZH} {_OPPOSITES_EN}".split())


@lru_cache(maxsize=512)
def _form(word: str) -> re.Pattern[str]:
    return re.compile(rf"\b{word}\b" if word.isascii() else re.escape(word))


def _has(folded: str, word: str) -> bool:
    return _form(word).search(folded) is not None


def _unit(word: str) -> str:
    bare = word if len(word) <= 2 else word.removesuffix("s")
    return _UNIT_NAMES.get(bare, _UNIT_NAMES.get(word, bare))


def differences(a: str, b: str) -> frozenset[str]:
    """Kinds of mark in which two sentences differ: `number time unit side person negation`.

    >>> sorted(differences("用户对花生过敏", "用户对花生不过敏"))
    ['negation']
    """
    left, right = marks(a), marks(b)
    found = {
        "number": left.numbers != right.numbers,
        "time": left.times != right.times,
        "unit": bool(left.units and right.units) and left.units != right.units,
        "side": any(_crossed(pair, left.sides, right.sides) for pair in _SIDES),
        "person": left.persons != right.persons,
        "negation": left.negations % 2 != right.negations % 2,
    }
    return frozenset(kind for kind, differs in found.items() if differs)


def _crossed(pair: tuple[str, str], left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether each sentence has one word of a pair, and not the same one."""
    one, other = set(pair) & left, set(pair) & right
    return len(one) == len(other) == 1 and one != other
