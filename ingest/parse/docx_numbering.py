"""The numbers that Word shows before paragraphs: they stand nowhere in the text, and are counted here."""

from typing import Any

from zhiji.ingest.parse.docx_styles import Styles
from zhiji.ingest.parse.docx_text import q

_DIGITS = "零一二三四五六七八九"
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"


class Numbering:
    """Counts the items of each list of a document."""

    def __init__(self, document: Any) -> None:
        self._levels: dict[str, dict[int, tuple[str, str, int]]] = {}
        self._counts: dict[str, dict[int, int]] = {}
        try:
            root = document.part.numbering_part.element
        except (KeyError, NotImplementedError, AttributeError):  # a document without lists
            return
        abstract = {one.get(q("abstractNumId")): _levels(one) for one in root.iter(q("abstractNum"))}
        for one in root.iter(q("num")):
            named = one.find(q("abstractNumId"))
            if named is not None:
                self._levels[one.get(q("numId"))] = abstract.get(named.get(q("val")), {})

    def label(self, p: Any, styles: Styles) -> tuple[str, int]:
        """What stands before a paragraph ("1.", "第一条", "-" for a bullet) and how deep it is; empty for no item."""
        numbered = _numbered(p.find(q("pPr"))) or next(
            (found for style in styles.chain(p) if (found := _numbered(style.element.find(q("pPr"))))), None
        )
        if numbered is None or numbered[0] == "0":
            return "", 0
        list_id, depth = numbered
        levels = self._levels.get(list_id, {})
        kind, pattern, start = levels.get(depth, ("bullet", "", 1))
        counts = self._counts.setdefault(list_id, {})
        counts[depth] = counts.get(depth, start - 1) + 1
        for deeper in [level for level in counts if level > depth]:
            del counts[deeper]
        if kind in ("bullet", "none") or not pattern:
            return "-", depth
        for level in range(depth + 1):
            of, _, first = levels.get(level, (kind, "", 1))
            pattern = pattern.replace(f"%{level + 1}", _written(counts.get(level, first), of))
        return pattern.strip(), depth


def _levels(abstract: Any) -> dict[int, tuple[str, str, int]]:
    """The kind, pattern and first number of each level."""
    found = {}
    for level in abstract.iter(q("lvl")):
        values = {name: level.find(q(name)) for name in ("numFmt", "lvlText", "start")}
        kind, pattern, start = (one.get(q("val")) if one is not None else None for one in values.values())
        found[int(level.get(q("ilvl")) or 0)] = (kind or "decimal", pattern or "", int(start or 1))
    return found


def _numbered(properties: Any) -> tuple[str, int] | None:
    found = properties.find(q("numPr")) if properties is not None else None
    list_id = found.find(q("numId")) if found is not None else None
    if found is None or list_id is None:
        return None
    depth = found.find(q("ilvl"))
    return list_id.get(q("val")) or "0", int(depth.get(q("val")) or 0) if depth is not None else 0


def _written(number: int, kind: str) -> str:
    """A number in the way of a list.

    >>> [_written(12, kind) for kind in ("chineseCounting", "lowerLetter", "upperRoman", "decimalEnclosedCircle")]
    ['十二', 'l', 'XII', '⑫']
    """
    if "hinese" in kind or kind in ("ideographTraditional", "taiwaneseCounting", "japaneseCounting"):
        return _chinese(number)
    if kind in ("lowerLetter", "upperLetter"):
        letter = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letter.upper() if kind == "upperLetter" else letter
    if kind in ("lowerRoman", "upperRoman"):
        return _roman(number) if kind == "upperRoman" else _roman(number).lower()
    if kind.startswith("decimalEnclosedCircle") and 0 < number <= len(_CIRCLED):
        return _CIRCLED[number - 1]
    return f"{number:02d}" if kind == "decimalZero" else str(number)


def _chinese(number: int) -> str:
    if number >= 100:
        rest = number % 100
        between = "零" if 0 < rest < 10 else ""
        tail = "一" if 10 <= rest < 20 else ""
        return f"{_DIGITS[number // 100 % 10]}百{between}{tail}{_chinese(rest) if rest else ''}"
    tens, ones = divmod(number, 10)
    head = "" if tens == 0 else "十" if tens == 1 else f"{_DIGITS[tens]}十"
    return head + (_DIGITS[ones] if ones or not tens else "")


def _roman(number: int) -> str:
    signs = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
    ]
    text = ""
    for value, sign in [*signs, (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]:
        text += sign * (number // value)
        number %= value
    return text
