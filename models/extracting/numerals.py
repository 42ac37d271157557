"""Chinese and English number words in digits, where they count or measure."""

import re

_ONES = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_RUN = re.compile(
    r"(?<![万萬零〇一二三四五六七八九两兩十百千几])[零〇一二三四五六七八九两兩十百千]*[十百千][零〇一二三四五六七八九两兩十百千]*(?![分几足全来多余个把])"
)
_AGE = re.compile(r"(?P<n>[一二三四五六七八九两兩])(?=(?:周)?[岁歲])")
_NOT_COUNTED = re.compile(r"[十百千]+")
_IDIOM = ("一百分", "百分", "十分", "千万", "千萬", "百合", "百度", "万一", "千里", "百姓", "十字", "双十")
_WORDS_EN = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split()
_AGE_EN = re.compile(rf"(?<=\bis )(?P<n>{'|'.join(_WORDS_EN[1:])})(?=$| (?:years|now|and|in)\b)", re.IGNORECASE)


def value_of(numeral: str) -> int:
    """The value of a Chinese numeral.

    >>> value_of("四十"), value_of("十二"), value_of("一千二百")
    (40, 12, 1200)
    """
    section = digit = 0
    for sign in numeral:
        if sign in _ONES:
            digit = _ONES[sign]
        else:
            section += (digit or 1) * _UNITS[sign]
            digit = 0
    return section + digit


def in_digits(text: str) -> str:
    """A text with compound numerals and ages in digits; small bare numerals stay as the user wrote them.

    >>> in_digits("用户承包了四十亩地"), in_digits("用户的猫三岁"), in_digits("用户有一只猫"), in_digits("用户十分喜欢茶")
    ('用户承包了40亩地', '用户的猫3岁', '用户有一只猫', '用户十分喜欢茶')
    """
    spelled = _RUN.sub(lambda m: _digits(m, text), text)
    spelled = _AGE.sub(lambda m: str(_ONES[m["n"]]), spelled)
    return _AGE_EN.sub(lambda m: str(_WORDS_EN.index(m["n"].lower())), spelled)


def _digits(match: re.Match[str], text: str) -> str:
    around = text[max(0, match.start() - 1) : match.end() + 1]
    plain = match.group()
    if any(idiom in around for idiom in _IDIOM) or (_NOT_COUNTED.fullmatch(plain) and len(plain) > 1):
        return plain
    return str(value_of(plain))
