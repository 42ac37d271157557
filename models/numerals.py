"""Numbers and times of a text in one spelling: 两 and 2, "7 pm" and 19:00, 周三 and Wednesday."""

import re

_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2, "仨": 3}
_SCALE = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}
_CHINESE = "零〇一二两俩仨三四五六七八九十百千万亿"
_MEASURE = "个只条岁年月日号天点时分秒块元万亿斤克公里米平亩人口次杯本套台辆张间层楼度级周季件位名支瓶片粒遍双对头匹棵盒包节课章集期班届成倍折页字英尺寸吨升小百千十多几半"
_NUMERAL = re.compile(rf"(?<![{_CHINESE}])([{_CHINESE}]+)(?=[{_MEASURE}])(?!(?:点儿|点也|直|起|般|样|些|下))")
_WEEKDAY_ZH = re.compile(r"(?:周|星期|礼拜)([一二三四五六日天1-7末])")
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_WEEKDAY_EN = re.compile(r"\b(mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:days?)?(?:'s)?\b")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH_EN = re.compile(
    r"\b(jan(?:uary)?|feb(?:ruary)?|march|april|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b"
    r"|\b(may)(?=\s+\d|,|\s*$)|(?<=\bin\s)(may)\b|(?<=\d\s)(may)\b"
)
_MONTH_ZH = re.compile(r"(?<!\d)(1[0-2]|[1-9])月")
_CLOCK = re.compile(r"(?<![\d.])([01]?\d|2[0-4])[::]([0-5]\d)\s*(am|pm)?")
_CLOCK_EN = re.compile(r"(?<![\d.:])(1[0-2]|[1-9])\s*(am|pm|a\.m\.|p\.m\.|o'clock)(?!\w)")
_CLOCK_ZH = re.compile(
    r"(上午|早上|清晨|凌晨|中午|下午|傍晚|晚上|夜里|晚)?(?:的)?(?<!\d)(2[0-4]|1\d|\d)(?:点(?!点|儿)|时(?!间))(半|[0-5]?\d分?|一刻|三刻)?"
)
_NUMBER = re.compile(r"\d+(?:,\d{3})+|\d+(?:\.\d+)?")
_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty".split()
)
_TENS = {
    word: 10 * (place + 2) for place, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split())
}
_WORD = re.compile(
    r"\b("
    + "|".join([*_TENS, *sorted(_WORDS[2:], key=len, reverse=True)])
    + r")(?:[ -]("
    + "|".join(_WORDS[1:10])
    + r"))?\b"
)
_TIMES_WORD = {"once": "1", "twice": "2", "half": "0.5"}


def chinese_number(numeral: str) -> int | None:
    """The value of a Chinese numeral, or None for a row of characters that is none.

    >>> chinese_number("二十三"), chinese_number("一百零五"), chinese_number("两万")
    (23, 105, 20000)
    """
    if not any(c in _SCALE for c in numeral):
        return int("".join(str(_DIGITS[c]) for c in numeral)) if numeral else None
    total = section = digit = 0
    for c in numeral:
        if c in _DIGITS:
            digit = _DIGITS[c]
        elif _SCALE[c] >= 10_000:
            total, section, digit = total + (section + digit or 1) * _SCALE[c], 0, 0
        else:
            section, digit = section + (digit or 1) * _SCALE[c], 0
    return total + section + digit


def arabic(folded: str) -> str:
    """The text with its numerals in digits where they count or measure something.

    >>> arabic("两只猫和一百二十平"), arabic("一起吃一点")
    ('2只猫和120平', '一起吃一点')
    """
    digits = _NUMERAL.sub(_as_digits, folded)
    return _WORD.sub(_english, digits)


def _as_digits(found: re.Match[str]) -> str:
    numeral = found.group(1)
    rest = found.string[found.end() : found.end() + 2]
    a_little = numeral == "一" and rest[:1] == "点" and rest[1:] not in ("钟", "半")
    value = None if a_little else chinese_number(numeral)
    return numeral if value is None else str(value)


def _english(found: re.Match[str]) -> str:
    first, unit = found.group(1), found.group(2)
    if first in _TENS:
        return str(_TENS[first] + (_WORDS.index(unit) if unit else 0))
    return str(_WORDS.index(first)) + (f" {unit}" if unit else "")


def amounts(folded: str) -> tuple[frozenset[str], frozenset[str]]:
    """The numbers of a folded text, and its times (weekdays `w3`, months `m5`, clock times `t19:00`).

    >>> numbers, times = amounts("every tuesday at 7 pm, 2 cats")
    >>> sorted(numbers), sorted(times)
    (['2'], ['t19:00', 'w2'])
    """
    times: set[str] = set()
    text = _WEEKDAY_ZH.sub(lambda found: _note(times, _weekday_zh(found.group(1))), folded)
    text = _WEEKDAY_EN.sub(lambda found: _note(times, _weekday_en(found.group(1))), arabic(text))
    text = _MONTH_EN.sub(
        lambda found: _note(times, f"m{_MONTHS.index(next(filter(None, found.groups()))[:3]) + 1}"), text
    )
    text = _MONTH_ZH.sub(lambda found: _note(times, f"m{found.group(1)}"), text)
    text = _CLOCK.sub(lambda found: _note(times, _clock(found.group(1), found.group(2), found.group(3) or "")), text)
    text = _CLOCK_EN.sub(lambda found: _note(times, _clock(found.group(1), "0", found.group(2))), text)
    text = _CLOCK_ZH.sub(lambda found: _note(times, _clock_zh(found)), text)
    numbers = {_plain(number) for number in _NUMBER.findall(text)}
    return frozenset(numbers), frozenset(times)


def _note(times: set[str], mark: str) -> str:
    times.add(mark)
    return " "


def _weekday_zh(day: str) -> str:
    return "w6-7" if day == "末" else f"w{'一二三四五六日'.find(day.replace('天', '日')) + 1 or day}"


def _weekday_en(day: str) -> str:
    return f"w{next(place for place, name in enumerate(_WEEKDAYS, 1) if name.startswith(day[:3]))}"


def _clock(hour: str, minute: str, half: str) -> str:
    h = int(hour) % 12 + (12 if half.startswith("p") else 0) if half and half != "o'clock" else int(hour)
    return f"t{h}:{int(minute):02d}"


def _clock_zh(found: re.Match[str]) -> str:
    part, hour, rest = found.group(1) or "", int(found.group(2)), found.group(3) or ""
    late = (part in ("下午", "傍晚", "晚上", "晚", "夜里") and hour < 12) or (part == "中午" and hour < 3)
    minutes = {"半": 30, "一刻": 15, "三刻": 45}.get(rest, int(rest.rstrip("分")) if rest.rstrip("分").isdigit() else 0)
    return f"t{hour + 12 if late else hour}:{minutes:02d}"


def _plain(number: str) -> str:
    return f"{float(number.replace(',', '')):g}" if len(number) < 16 else number
