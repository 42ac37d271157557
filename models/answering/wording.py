"""Writing a piece of a passage as a sentence of an answer."""

import re

from zhiji.core.text import Language, has_cjk, language_of
from zhiji.core.tokens import terms
from zhiji.models.answering.phrases import phrase
from zhiji.models.answering.units import Unit

LONGEST = 120
_END = "。！？!?.…;；:：,，、"


def worded(unit: Unit, wanted: frozenset[str] | set[str] = frozenset(), *, whole: bool = False) -> str:
    """A piece as prose without its closing mark: a row with its column names, a long sentence by its telling clauses."""
    if unit.kind == "code":
        return unit.text
    text = _row(unit, wanted) if unit.kind == "row" else unit.text
    text = text.strip().rstrip(_END)
    return text if whole else shortened(text, set(wanted))


def _row(unit: Unit, wanted: frozenset[str] | set[str]) -> str:
    """A table row: its first cell, then each other cell, named by its column unless it is the only one."""
    subject, rest = unit.cells[0], list(zip(unit.header[1:], unit.cells[1:], strict=False))
    filled = [(name, cell) for name, cell in rest if cell and cell not in "-—/"]
    asked = [pair for pair in filled if set(terms(pair[0])) & set(wanted)] if len(filled) > 2 else []
    colon, comma = ("：", "；") if has_cjk(unit.text) or any(map(has_cjk, unit.header)) else (": ", "; ")
    shown = asked or filled
    if len(shown) == 1 and not asked:
        return f"{subject}{colon}{shown[0][1]}"
    return subject + colon + comma.join(f"{name}{'为' if colon == '：' else ': '}{cell}" for name, cell in shown)


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
    """The first sentence of a step, without its closing mark."""
    found = re.match(r".+?(?=[。；;！!]|\.\s|$)", text, re.DOTALL)
    return (found.group() if found else text).strip().rstrip(_END)
