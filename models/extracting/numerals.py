"""Chinese and English number words in digits, where they count or measure."""

import re

_ONES = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_UNITS = {"十": 10, "百": 100, "千": 1000}
# A number starts with a digit, or is ten and something: 百色 is a place, 十分 a word. Dates keep the user's spelling.
_RUN = re.compile(
    r"(?<![万萬零〇一二三四五六七八九两兩十百千几第初星期周])(?:[一二三四五六七八九两兩][十百千]|十[一二三四五六七八九])[零〇一二三四五六七八九两兩十百千]*+(?![分几足全来多余把有月号日点万萬])"
)
_AGE = re.compile(r"(?P<n>[一二三四五六七八九两兩])(?=(?:周)?[岁歲])")
_WORDS_EN = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split()
_AGE_EN = re.compile(rf"(?<=\bis )(?P<n>{'|'.join(_WORDS_EN[1:])})(?=$| (?:years|now|and|in)\b)", re.IGNORECASE)


def value_of(numeral: str) -> int:
    """The value of a Chinese numeral.

    >>> value_of("四十"), value_of("十二"), value_of("一千二百"), value_of("四百五"), value_of("四百零五")
    (40, 12, 1200, 450, 405)
    """
    total = digit = last = 0
    for sign in numeral:
        if sign in _UNITS:
            last = _UNITS[sign]
            total += (digit or 1) * last
            digit = 0
        else:
            digit, last = _ONES[sign], (last if _ONES[sign] else 10)
    return total + digit * (last // 10 if last > 10 else 1)  # "四百五" is 450, "四百零五" 405


def in_digits(text: str) -> str:
    """A text with compound numerals and ages in digits; small bare numerals stay as the user wrote them.

    >>> in_digits("用户承包了四十亩地"), in_digits("用户的猫三岁"), in_digits("用户有一只猫"), in_digits("用户十分喜欢茶")
    ('用户承包了40亩地', '用户的猫3岁', '用户有一只猫', '用户十分喜欢茶')
    """
    spelled = _RUN.sub(lambda m: str(value_of(m.group())), text)
    spelled = _AGE.sub(lambda m: str(_ONES[m["n"]]), spelled)
    return _AGE_EN.sub(lambda m: str(_WORDS_EN.index(m["n"].lower())), spelled)
