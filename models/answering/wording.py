"""Writing a piece of a passage as a sentence of an answer."""

import re
from collections.abc import Sequence

from zhiji.core.text import Language, has_cjk, language_of
from zhiji.core.tokens import terms
from zhiji.models.answering.phrases import phrase
from zhiji.models.answering.units import Unit, sentences

LONGEST = 120
LONGEST_TABLE = 140
SHORTEST_ITEM, SHORTEST_WORDS = 8, 3
_WHETHER = re.compile(r"不?支持|[是否有无可]|不?可以|不?能|免费|√|✓|×")
_MEASURE = re.compile(r"(?:多少|几)个?(人|天|年|个?月|小时|分钟|元|株|层|台|次|册|米|千克|公里|亩|页|升|倍)")
_END = "。！？!?.…;；:：,，、"


def worded(
    unit: Unit, wanted: frozenset[str] | set[str] = frozenset(), *, whole: bool = False, measure: str = ""
) -> str:
    """A piece as prose without its closing mark: a row with its column names, a long sentence by its telling clauses.

    `measure` is the unit that a number is asked for in ("人" of "能坐多少人"): the cells that hold it are enough.
    """
    if unit.kind == "code":
        return unit.text
    text = _row(unit, wanted, measure) if unit.kind == "row" else unit.text
    text = text.strip().rstrip(_END)
    if whole:
        return text
    return shortened(telling_part(text, wanted) if unit.kind == "item" else text, set(wanted))


def telling_part(text: str, wanted: frozenset[str] | set[str]) -> str:
    """The sentence of a list's item that holds most of what is asked; one that only names the item stays before it."""
    parts = list(sentences(text))
    if len(parts) < 2 or not wanted:
        return text
    gap = "" if has_cjk(text) else " "
    if _only_names(parts[0]):
        parts[:2] = [f"{parts[0]}{gap}{parts[1]}"]
    best = max(range(len(parts)), key=lambda at: (len(set(wanted) & set(terms(parts[at]))), -at))
    return parts[best].rstrip(_END)


def _only_names(part: str) -> bool:
    return len(part) < SHORTEST_ITEM if has_cjk(part) else len(part.split()) < SHORTEST_WORDS


def measure_of(question: str) -> str:
    """The unit of the number that a question asks for, empty where it names none.

    >>> measure_of("白鹭能坐多少人"), measure_of("退货期是几天"), measure_of("要多久")
    ('人', '天', '')
    """
    found = _MEASURE.search(question)
    return found[1] if found else ""


def _row(unit: Unit, wanted: frozenset[str] | set[str], measure: str) -> str:
    """A table row: its first cell, then each other cell, named by its column unless it is the only one."""
    filled = [pair for pair in zip(unit.header[1:], unit.cells[1:], strict=False) if pair[1] and pair[1] not in "-—/"]
    asked = [pair for pair in filled if set(terms(pair[0])) & set(wanted)] if len(filled) > 2 else []
    measured = [pair for pair in filled if measure and re.search(rf"\d\s*{re.escape(measure)}", pair[1])]
    chinese = has_cjk(unit.text) or any(map(has_cjk, unit.header))
    cells = asked or measured or filled
    if not cells:
        return unit.cells[0]
    if chinese:
        return _chinese_row(unit.cells[0], cells, named=len(unit.header) > 2)
    return f"{unit.cells[0]} – {'; '.join(f'{name.lower()}: {cell}' for name, cell in cells)}"


def _chinese_row(subject: str, cells: Sequence[tuple[str, str]], *, named: bool) -> str:
    if not named:
        return f"{subject}：{cells[0][1]}"
    if all(_WHETHER.fullmatch(cell) for _, cell in cells):
        return f"{subject}：{'，'.join(f'{name}{cell}' for name, cell in cells)}"
    (name, cell), *rest = cells
    return f"{subject}的{name}是{cell}" + "".join(f"；{other}：{text}" for other, text in rest)


def table(rows: Sequence[Unit], wanted: frozenset[str] | set[str]) -> str:
    """Several rows of one table as one sentence: the first cell of each with the column asked for, else all columns."""
    chinese = any(has_cjk(row.text) for row in rows)
    every = list(range(1, len(rows[0].header)))
    asked = [at for at in every if set(terms(rows[0].header[at])) & set(wanted)]
    for columns in (asked or every, every[:2]):
        said = ("；" if chinese else "; ").join(_cells(row, columns, chinese=chinese) for row in rows)
        if len(said) <= LONGEST_TABLE * (1 if chinese else 2):
            break
    return said


def _cells(row: Unit, columns: Sequence[int], *, chinese: bool) -> str:
    colon, comma = ("：", "，") if chinese else (": ", ", ")
    shown = [at for at in columns if at < len(row.cells) and row.cells[at]]
    named = len(row.header) > 2
    gap = "" if chinese else ": "
    return row.cells[0] + colon + comma.join((row.header[at] + gap if named else "") + row.cells[at] for at in shown)


def shortened(text: str, wanted: set[str], limit: int = LONGEST) -> str:
    """A long sentence cut to the clauses that hold most of what is asked, in their order."""
    limit = limit if has_cjk(text) else 2 * limit
    if len(text) <= limit:
        return text
    clauses = [part for part in re.split(r"(?<=[；;，])|(?<=[,:] )", text) if part]
    best = max(range(len(clauses)), key=lambda at: (len(wanted & set(terms(clauses[at]))), -at))
    begin = end = best
    while sum(map(len, clauses[begin : end + 2])) <= limit and end + 1 < len(clauses):
        end += 1
    while begin > 0 and sum(map(len, clauses[begin - 1 : end + 1])) <= limit:
        begin -= 1
    return "".join(clauses[begin : end + 1]).strip().rstrip(_END)[: limit + 40]


def cited(text: str, label: str, lang: Language) -> str:
    """A sentence with its label before the closing mark; one in the other language is quoted as it stands."""
    if language_of(text, default=lang) != lang:
        text = phrase("foreign", lang).format(text)
    return f"{text} [{label}]{'。' if lang == 'zh' else '.'}"


def first_clause(text: str) -> str:
    """The first sentence of a list's item, with the next one where the first is only a name; no closing mark."""
    parts = [part.strip() for part in re.findall(r".+?(?:[。；;！!]|\.(?=\s|$)|$)", text, re.DOTALL) if part.strip()]
    if not parts:
        return text.strip()
    few = SHORTEST_ITEM * (1 if has_cjk(text) else 3)
    return (
        f"{parts[0]}{'' if has_cjk(text) else ' '}{parts[1]}" if len(parts) > 1 and len(parts[0]) < few else parts[0]
    ).rstrip(_END)
