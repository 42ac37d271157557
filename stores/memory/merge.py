"""Making one fuller sentence of two that belong together, or seeing that it cannot be done."""

import re
from difflib import SequenceMatcher

import rjieba

from zhiji.core.text import fold, has_cjk
from zhiji.models.differences import marks
from zhiji.stores.memory.guards import plain

_END = "。.!！;；,，、 "
_TOKEN_EN = re.compile(r"\s+|[^\s\w]|[\w'’-]+")
LONGEST = 200
"""Characters above which one sentence is no longer one thought."""


def merge_sentences(old: str, new: str, values: tuple[str, ...] = ()) -> str | None:
    """One sentence that says all that both say and keeps every value, or None where only two sentences would do.

    If one sentence holds all of the other, it is the fuller one. Otherwise both must be the same sentence with
    different additions in different places; where they disagree word against word, they are two statements.

    >>> merge_sentences("用户周末喜欢爬山", "用户喜欢和儿子爬山")
    '用户周末喜欢和儿子爬山'
    >>> merge_sentences("用户会说英语", "用户会说日语") is None
    True
    """
    if has_cjk(old) != has_cjk(new):
        return None
    fuller = _fuller(old, new) or _spliced(old, new)
    if fuller is None or len(fuller) > LONGEST:
        return None
    kept = all(plain(value) in plain(fuller) for value in values if value)
    return fuller if kept and _marks_kept(fuller, old, new) else None


def _tokens(text: str) -> list[str]:
    bare = text.rstrip(_END)
    return list(rjieba.cut(bare)) if has_cjk(bare) else _TOKEN_EN.findall(bare)


def _fuller(old: str, new: str) -> str | None:
    """The longer sentence, if dropping words from it gives the shorter one."""
    longer, shorter = (new, old) if len(new) >= len(old) else (old, new)
    rest = iter(token for token in map(fold, _tokens(longer)))
    return longer if all(any(token == held for held in rest) for token in map(fold, _tokens(shorter))) else None


def _spliced(old: str, new: str) -> str | None:
    left, right = _tokens(old), _tokens(new)
    matcher = SequenceMatcher(None, [fold(t) for t in left], [fold(t) for t in right], autojunk=False)
    if matcher.ratio() < 0.5:
        return None
    merged: list[str] = []
    for kind, i, j, k, m in matcher.get_opcodes():
        if kind == "replace":
            return None
        merged += right[k:m] if kind == "insert" else left[i:j]
    ending = next((text[len(text.rstrip(_END)) :] for text in (new, old) if text.rstrip(_END) != text), "")
    return "".join(merged) + ending.strip()


def _marks_kept(fuller: str, *texts: str) -> bool:
    """Whether no number or time was lost, and nothing turned into its negation."""
    whole = marks(fuller)
    parts = [marks(text) for text in texts]
    return all(
        p.numbers <= whole.numbers and p.times <= whole.times and p.negations % 2 == whole.negations % 2 for p in parts
    )
