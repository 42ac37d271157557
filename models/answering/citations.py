"""Citations of an answer: which labels it may use, and the words each one stands for."""

import math
import re
from collections.abc import Collection

from zhiji.core.tokens import terms

_CITED = re.compile(r"(?P<space>[ \t]*)[\[［【]\s*(?P<label>[MKDmkd]\d{1,3})\s*[\]］】]")
_SEVERAL = re.compile(r"[\[［【]\s*([MKD]\d{1,3}(?:\s*[,，、;；]\s*[MKD]\d{1,3})+)\s*[\]］】]", re.IGNORECASE)
_SENTENCE = re.compile(r"[^。！？!?\n；;]+(?:\.(?=\d)[^。！？!?\n；;]*)*[。！？!?；;]?")
_MAX_QUOTE_CHARS = 200


def check(answer: str, labels: Collection[str]) -> tuple[str, list[str]]:
    """The answer with every label that was not given taken out, and the labels it uses, in order of first use.

    Also rewrites a list of labels in one pair of brackets as single ones.

    >>> check("退货期为7天 [K1, K9]。", {"K1"})
    ('退货期为7天 [K1]。', ['K1'])
    """
    used: list[str] = []

    def keep(found: re.Match[str]) -> str:
        label = found["label"].upper()
        if label not in labels:
            return ""
        if label not in used:
            used.append(label)
        return f"{found['space']}[{label}]"

    single = _SEVERAL.sub(lambda found: "".join(f"[{label}]" for label in re.findall(r"\w\d+", found[1])), answer)
    return _CITED.sub(keep, single), used


def claims(answer: str, label: str) -> str:
    """What an answer says with that label: the words before each of its citations, back to the sentence's start."""
    said = []
    for found in _CITED.finditer(answer):
        if found["label"].upper() == label:
            before = _CITED.sub("", answer[: found.start()])
            sentences = [part for part in _SENTENCE.findall(before) if part.strip()]
            said.append(sentences[-1].strip() if sentences else "")
    return " ".join(said)


def quote_of(answer: str, label: str, source: str) -> str:
    """The words of a source that an answer's citation rests on, verbatim, at most 200 characters.

    The line or sentence of `source` that shares most terms with what the answer says there; the source's first one
    when nothing is shared.
    """
    said = set(terms(claims(answer, label)))
    parts = [part.strip() for line in source.splitlines() for part in _SENTENCE.findall(line) if part.strip(" |-:")]
    if not parts:
        return source.strip()[:_MAX_QUOTE_CHARS]
    best: str = max(parts, key=lambda part: _shared(said, part))
    return best[:_MAX_QUOTE_CHARS]


def _shared(said: set[str], part: str) -> float:
    here = set(terms(part))
    return len(said & here) / math.sqrt(len(here) + 4)
