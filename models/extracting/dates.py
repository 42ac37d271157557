"""Dates named by their distance from a message's own time ("下周三", "next Tuesday")."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo

_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "天": 7, "日": 7, "末": 6}
_DAYS_EN = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTHS_EN = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_N = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})"


@dataclass(frozen=True, slots=True)
class Dated:
    """A span of a text that names a day or a period: `text[start:end]` means from `first` to `last`, both included."""

    start: int
    end: int
    first: date
    last: date

    def written(self) -> str:
        """The date as it is written into a memory: a day, a month or a year, in ISO 8601."""
        if self.first == self.last:
            return self.first.isoformat()
        if self.first.day == 1 and (self.last + timedelta(days=1)).day == 1:
            return f"{self.first:%Y}" if self.first.month == 1 and self.last.month == 12 else f"{self.first:%Y-%m}"
        return f"{self.first.isoformat()}/{self.last.isoformat()}"


def number(word: str) -> int:
    """A small number in digits or Chinese numerals.

    >>> number("12"), number("十二"), number("二十")
    (12, 12, 20)
    """
    if word.isdigit():
        return int(word)
    tens, ten, ones = word.partition("十")
    if not ten:
        return _DIGITS.get(word, 0)
    return (_DIGITS.get(tens, 1) if tens else 1) * 10 + (_DIGITS.get(ones, 0) if ones else 0)


def find(text: str, said: date) -> list[Dated]:
    """Every relative date in a text, left to right; where two overlap the longer one stands."""
    found: list[Dated] = []
    for pattern, days in _RULES:
        for match in pattern.finditer(text):
            span = days(match, said)
            if span and not any(d.start < match.end() and match.start() < d.end for d in found):
                found.append(Dated(match.start(), match.end(), *span))
    return sorted(found, key=lambda d: d.start)


def resolve(text: str, said: datetime | None) -> tuple[str, list[Dated]]:
    """A text with the date written behind each relative one, and those dates; unchanged if nothing is known of the time.

    >>> resolve("用户后天做肠镜", datetime(2025, 4, 15))[0]
    '用户后天（2025-04-17）做肠镜'
    """
    if said is None:
        return text, []
    dates = find(text, said.date())
    written = text
    for dated in reversed(dates):
        mark = f"（{dated.written()}）" if re.search(r"[\u4e00-\u9fff]", text) else f" ({dated.written()})"
        written = written[: dated.end] + mark + written[dated.end :]
    return written, dates


def end_of(day: date, zone: tzinfo | None) -> datetime:
    """The last moment of a day in a zone."""
    return datetime.combine(day, time(23, 59, 59), tzinfo=zone)


Span = tuple[date, date] | None


def _day(offset: int) -> Callable[[re.Match[str], date], Span]:
    return lambda _, said: (said + timedelta(days=offset), said + timedelta(days=offset))


def _weekday(said: date, weeks: int, day: int, *, ahead: bool) -> Span:
    monday = said - timedelta(days=said.weekday()) + timedelta(weeks=weeks)
    found = monday + timedelta(days=day - 1)
    if ahead and found < said:
        found += timedelta(weeks=1)
    return found, found


def _week_zh(match: re.Match[str], said: date) -> Span:
    which = match["which"] or ""
    weeks = which.count("下") - which.count("上")
    if not match["day"]:
        monday = said - timedelta(days=said.weekday()) + timedelta(weeks=weeks)
        return monday, monday + timedelta(days=6)
    if match["day"] == "末":
        saturday = said - timedelta(days=said.weekday()) + timedelta(weeks=weeks, days=5)
        return saturday, saturday + timedelta(days=1)
    return _weekday(said, weeks, _DIGITS.get(match["day"]) or int(match["day"]), ahead=not which)


def _month(year: int, month: int) -> Span:
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    first = date(year, month, 1)
    after = date(year + month // 12, month % 12 + 1, 1)
    return first, after - timedelta(days=1)


def _month_zh(match: re.Match[str], said: date) -> Span:
    shift = match["which"].count("下") - match["which"].count("上")
    whole = _month(said.year, said.month + shift)
    day = match["day"]
    return _on(whole[0].year, whole[0].month, number(day)) if day and whole else whole


def _on(year: int, month: int, day: int) -> Span:
    try:
        found = date(year, month, day)
    except ValueError:
        return None
    return found, found


def _day_of_month(day: int, said: date) -> Span:
    found = _on(said.year, said.month, day)
    if found and found[0] >= said:
        return found
    following = _month(said.year, said.month + 1)
    return _on(following[0].year, following[0].month, day) if following else None


def _month_day(month: int, day: int, said: date) -> Span:
    found = _on(said.year, month, day)
    return _on(said.year + 1, month, day) if found and (said - found[0]).days > 60 else found


def _after(match: re.Match[str], said: date) -> Span:
    count = number(match["n"])
    days = count * (7 if match["unit"] in ("周", "星期", "个星期", "礼拜", "个礼拜", "week") else 1)
    return (said + timedelta(days=days), said + timedelta(days=days)) if count else None


def _year(offset: int) -> Callable[[re.Match[str], date], Span]:
    return lambda _, said: (date(said.year + offset, 1, 1), date(said.year + offset, 12, 31))


def _weekday_en(match: re.Match[str], said: date) -> Span:
    day = _DAYS_EN.index(match["day"][:3].lower()) + 1
    which = (match["which"] or "").lower()
    weeks = {"next": 1, "last": -1}.get(which, 0)
    return _weekday(said, weeks, day, ahead=weeks == 0)


def _month_day_en(match: re.Match[str], said: date) -> Span:
    return _month_day(_MONTHS_EN.index(match["month"][:3].lower()) + 1, int(match["n"]), said)


_MONTH_NAMES = r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_RULES: list[tuple[re.Pattern[str], Callable[[re.Match[str], date], Span]]] = [
    (re.compile(rf"(?P<which>下下个?|下个?|上个?|这个?|本)月(?:的)?(?P<day>{_N})?(?:号|日)?"), _month_zh),
    (re.compile(rf"(?P<m>{_N})月(?P<d>{_N})[号日]?"), lambda m, said: _month_day(number(m["m"]), number(m["d"]), said)),
    (re.compile(r"(?P<which>(?:下{1,2}|上{1,2}|这|本)个?)?(?:周|星期|礼拜|禮拜)(?P<day>[一二三四五六日天末1-7])"), _week_zh),
    (re.compile(r"(?P<which>下{1,2}|上{1,2}|这|本)个?(?:周|星期|礼拜)(?P<day>)(?![一二三四五六日天末])"), _week_zh),
    (re.compile(rf"(?P<n>{_N})(?P<unit>天|周|个星期|星期|个礼拜|礼拜)(?:以|之)?后"), _after),
    (re.compile("大后天"), _day(3)),
    (re.compile("后天|後天"), _day(2)),
    (re.compile("明天|明晚|明早|明儿"), _day(1)),
    (re.compile("今天|今晚|今早|今儿"), _day(0)),
    (re.compile("昨天|昨晚|昨儿"), _day(-1)),
    (re.compile("前天"), _day(-2)),
    (re.compile("去年"), _year(-1)),
    (re.compile("前年"), _year(-2)),
    (re.compile("明年"), _year(1)),
    (re.compile(rf"(?<![月\d一二三四五六七八九十每第])(?P<d>{_N})号(?!楼|线|院|门)"), lambda m, said: _day_of_month(number(m["d"]), said)),
    (re.compile(r"\bday after tomorrow\b", re.IGNORECASE), _day(2)),
    (re.compile(r"\b(?:tomorrow|tmrw)\b", re.IGNORECASE), _day(1)),
    (re.compile(r"\b(?:today|tonight|this morning|this evening)\b", re.IGNORECASE), _day(0)),
    (re.compile(r"\b(?:yesterday|last night)\b", re.IGNORECASE), _day(-1)),
    (re.compile(rf"\b{_MONTH_NAMES} (?P<n>\d{{1,2}})(?:st|nd|rd|th)?\b", re.IGNORECASE), _month_day_en),
    (re.compile(rf"\b(?P<n>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH_NAMES}\b", re.IGNORECASE), _month_day_en),
    (re.compile(r"\b(?:(?P<which>next|this|last|on|this coming) )(?P<day>mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur|day|sday|nesday|rsday|urday)*\b(?!s)", re.IGNORECASE), _weekday_en),
    (re.compile(r"\bin (?P<n>\d{1,2}) (?P<unit>day|week)s?\b", re.IGNORECASE), _after),
    (re.compile(r"\bnext month\b", re.IGNORECASE), lambda _, said: _month(said.year, said.month + 1)),
    (re.compile(r"\bnext week\b", re.IGNORECASE), lambda _, said: (said + timedelta(days=7 - said.weekday()), said + timedelta(days=13 - said.weekday()))),
    (re.compile(r"\bon the (?P<d>\d{1,2})(?:st|nd|rd|th)\b", re.IGNORECASE), lambda m, said: _day_of_month(int(m["d"]), said)),
]  # fmt: skip
