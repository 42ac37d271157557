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
_PLACES = 2


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
    kept = all(plain(value) in plain(fuller) for value in values if value) and _marks_kept(fuller, old, new)
    return fuller if kept and len({_denials(text, values) for text in (old, new, fuller)}) == 1 else None


def _tokens(text: str) -> list[str]:
    bare = text.rstrip(_END)
    return list(rjieba.cut(bare)) if has_cjk(bare) else _TOKEN_EN.findall(bare)


def _fuller(old: str, new: str) -> str | None:
    """The longer sentence, if it is the shorter one with something added in at most two places."""
    longer, shorter = (new, old) if len(new) >= len(old) else (old, new)
    # Chinese by character: the cut differs with the neighbours (喝咖啡, but 喝 不加糖的 咖啡).
    pieces = [list(fold(text.rstrip(_END))) if has_cjk(text) else _tokens(fold(text)) for text in (shorter, longer)]
    edits = SequenceMatcher(None, pieces[0], pieces[1], autojunk=False).get_opcodes()
    added = [kind for kind, *_ in edits if kind != "equal"]
    return longer if len(added) <= _PLACES and set(added) <= {"insert"} else None


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
    """Whether no number or time was lost."""
    whole = marks(fuller)
    return all(held.numbers <= whole.numbers and held.times <= whole.times for held in map(marks, texts))


def _denials(text: str, values: tuple[str, ...]) -> bool:
    """Whether a sentence denies something, apart from what its value says of itself ("不加糖的咖啡")."""
    for value in sorted(filter(None, values), key=len, reverse=True):
        text = text.replace(value, " ", 1)
    return marks(text).negations % 2 == 1
