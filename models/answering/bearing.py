"""How much each piece of the passages bears on the question."""

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from zhiji.core.text import fold, has_cjk
from zhiji.core.tokens import codes, terms
from zhiji.core.turn import Passage
from zhiji.models.answering.asked import (
    KINDS,
    VALUES,
    asked_kinds,
    clauses,
    decides,
    gives,
    is_exception,
    naming_terms,
    subject_terms,
)
from zhiji.models.answering.same_words import same_words
from zhiji.models.answering.units import Unit, units
from zhiji.models.question_words import content_terms

_QUESTION = re.compile(
    r"[吗呢么？?]$|怎么|如何|什么|多少|多久|能不能|要不要|谁|^(?:can|do|does|is|are|how|what|who|when|why|where)\b",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^([\u4e00-\u9fff]{2,8})[：:]|^([A-Z][\w ]{1,24}?)[.:] ")
NAMED = 0.5
"""Share of the subject that a heading which is itself a question must name for its first sentence to be the reply."""
# How much a passage's relevance and its rank count beside its pieces' own merits.
PER_RELEVANCE, PER_RANK = 3.0, 0.3
# Credit for a term by whether the piece holds it and whether heading or title names it.
CREDIT = {(True, True): 1.0, (True, False): 0.85, (False, True): 0.6, (False, False): 0.0}

NAMES = (
    "covered_rare",
    "characters",
    "heading",
    "code",
    "code_missing",
    *(f"gives_{kind}" for kind in KINDS),
    "section",
    "bare_line",
    "position",
    "length",
    "long",
    "item_how",
    "clause_gives",
    "decides",
    "replies",
    "exception",
    "label",
    "twin",
    "subject",
)


@dataclass(frozen=True, slots=True)
class Scored:
    """A piece and how much it bears on the question (a log-odds-like score; only differences mean something)."""

    unit: Unit
    score: float
    covered: float
    """Share of the question's content terms that it holds, heading and title of its passage included, 0 to 1."""


@dataclass(frozen=True, slots=True)
class _Asked:
    terms: tuple[str, ...]
    subject: tuple[str, ...]
    marks: tuple[str, ...]
    """The Chinese characters of the terms."""
    codes: frozenset[str]
    kinds: tuple[str, ...]
    text: str = ""


@cache
def weights() -> Mapping[str, float]:
    """The fitted weights, read once."""
    found: dict[str, float] = json.loads((files("zhiji.models") / "data" / "answer.json").read_text(encoding="utf-8"))
    return found


def asked(question: str) -> _Asked:
    """What is looked for: content terms, their characters, codes, kinds of answer."""
    found = naming_terms(question)
    marks = dict.fromkeys(mark for term in found for mark in term if not mark.isascii())
    return _Asked(
        found, subject_terms(question), tuple(marks), frozenset(codes(question)), asked_kinds(question), question
    )


def bearing(question: str, passages: Sequence[Passage]) -> list[Scored]:
    """Every piece of the passages, best first."""
    wanted = asked(question)
    scored = [
        Scored(piece, prior + _sum(features), loosely(wanted.subject, above, piece.intro, piece.text))
        for piece, features, prior, above in described(wanted, passages)
    ]
    return sorted(scored, key=lambda one: -one.score)


def described(wanted: _Asked, passages: Sequence[Passage]) -> Iterator[tuple[Unit, dict[str, float], float, str]]:
    """Every piece with its features, what its passage counts beside them, and what stands above it."""
    strangers = twins(wanted.subject, passages)
    for at, passage in enumerate(passages):
        above = f"{passage.title} {passage.heading}"
        pieces = _whole(units(passage.text, at))
        prior = PER_RELEVANCE * passage.score - PER_RANK * at
        features = piece_features(wanted, pieces, above, passage.heading.rpartition(">")[2])
        for piece, one in zip(pieces, features, strict=True):
            yield piece, one | {"twin": float(at in strangers)}, prior, above


def _sum(features: Mapping[str, float]) -> float:
    return sum(weights().get(name, 0.0) * value for name, value in features.items())


def twins(subject: Sequence[str], passages: Sequence[Passage]) -> frozenset[int]:
    """The passages on another thing of the same kind: titled like one that names more of what is asked for.

    Asked of the litchi borer, the passage "longan > longan borer" is one beside "litchi > litchi borer".
    """
    named = [_named(subject, passage) for passage in passages]
    return frozenset(
        at
        for at, passage in enumerate(passages)
        if any(
            named[at] < named[other] and _alike(passage, passages[other], named[at])
            for other in range(len(passages))
            if passages[other].source != passage.source
        )
    )


def _named(subject: Sequence[str], passage: Passage) -> frozenset[str]:
    return frozenset(term for term in subject if loosely((term,), f"{passage.title} {passage.heading}"))


def _alike(one: Passage, other: Passage, shared: Set[str]) -> bool:
    """Whether two passages are titled alike: the last headings share a term asked for, or are the same."""
    last, against = one.heading.rpartition(">")[2].strip(), other.heading.rpartition(">")[2].strip()
    return last == against or any(loosely((term,), last) and loosely((term,), against) for term in shared)


def _whole(pieces: list[Unit]) -> list[Unit]:
    """The pieces without a first one that is only the rest of a sentence, as a passage's overlap may begin."""
    cut = len(pieces) > 1 and pieces[0].kind == "sentence" and pieces[0].text[0].islower()
    return pieces[1:] if cut else pieces


def loosely(wanted: Sequence[str], *texts: str) -> float:
    """Share of terms that one of some texts holds, also where a word was drawn apart ("年假" in "年休假").

    >>> loosely(("年假", "几天"), "年休假天数")
    0.5
    """
    if not wanted:
        return 0.0
    return sum(any(_holds(text, term) for text in texts) for term in wanted) / len(wanted)


def _holds(text: str, term: str) -> bool:
    return term in _terms_of(text) or term in same_words(text) or _drawn_apart(term, fold(text))


@lru_cache(maxsize=4096)
def _terms_of(text: str) -> frozenset[str]:
    return frozenset(terms(text))


def _drawn_apart(term: str, folded: str) -> bool:
    if term.isascii() or not 2 <= len(term) <= 4:
        return False
    return re.search(".{0,2}".join(map(re.escape, term)), folded) is not None


def piece_features(wanted: _Asked, pieces: Sequence[Unit], above: str, section: str = "") -> list[dict[str, float]]:
    """Features of each piece of one passage, named as in `NAMES`; all lie between 0 and about 1."""
    texts = [fold(f"{' '.join(piece.header)} {piece.text}" if piece.header else piece.text) for piece in pieces]
    held = [_terms_of(text) | same_words(text) for text in texts]
    rare = _rarity(wanted.terms, held)
    subject = _rarity(wanted.subject, held)
    marks = _rarity(wanted.marks, [set(text) for text in texts])
    over = {term for term in wanted.terms if loosely((term,), above)}, set(fold(above))
    heading, own_section = loosely(wanted.subject, above), loosely(wanted.subject, section)
    return [
        _features(wanted, piece, held[at])
        | {
            "covered_rare": _share(rare, held[at], over[0]),
            "characters": _share(marks, set(texts[at]), over[1]) if marks else _share(rare, held[at], over[0]),
            "heading": heading,
            "section": own_section,
            "bare_line": float(piece.kind in {"item", "row"} and not loosely(wanted.subject, piece.text)),
            "position": at / len(pieces),
            "replies": float(at == 0 and piece.kind == "sentence" and _is_question(section) and own_section >= NAMED),
            "clause_gives": _clause_gives(wanted, piece, rare, over[0]),
            "subject": _share(subject, held[at], over[0]),
            "decides": _share(marks, set(texts[at]), over[1])
            if "whether" in wanted.kinds and decides(piece.text)
            else 0.0,
        }
        for at, piece in enumerate(pieces)
    ]


def _is_question(heading: str) -> bool:
    return bool(_QUESTION.search(heading.strip()))


def _clause_gives(wanted: _Asked, piece: Unit, rare: Mapping[str, float], above: Set[str]) -> float:
    """The most that one clause which gives the kind of value asked for holds of the question."""
    kinds = [kind for kind in wanted.kinds if kind in VALUES]
    if not kinds or piece.kind == "code":
        return 0.0
    giving = [part for part in clauses(piece.text) if any(gives(part, kind) for kind in kinds)]
    return max((_share(rare, _terms_of(fold(part)) | same_words(part), above) for part in giving), default=0.0)


def is_named(label: str, question: str) -> bool:
    """Whether a question names an item by its label, its characters in order and close together."""
    label = label.strip()
    if not 1 < len(label) <= 4 or label.isascii():
        return bool(label) and label.isascii() and loosely(content_terms(label), question) == 1.0
    return re.search(".{0,2}".join(map(re.escape, label)), question) is not None


def label_of(text: str) -> str:
    """The few words at an item's start that name it ("用药：…", "First spray. …"), else nothing."""
    found = _LABEL.match(text)
    return (found[1] or found[2]) if found else ""


def _rarity(wanted: Sequence[str], held: Sequence[Set[str]]) -> dict[str, float]:
    """How telling each is inside this passage: found in fewer pieces weighs more."""
    counts = Counter(one for has in held for one in has)
    return {one: math.log(1 + len(held) / (0.5 + counts[one])) for one in wanted}


def _share(rare: Mapping[str, float], held: Set[str], above: Set[str]) -> float:
    """Share of what is wanted that a piece holds or its heading names, most where it is both."""
    total = sum(rare.values())
    found = sum(weight * CREDIT[one in held, one in above] for one, weight in rare.items())
    return found / total if total else 0.0


def _features(wanted: _Asked, piece: Unit, held: Set[str]) -> dict[str, float]:
    found = bool(wanted.codes & held)
    size = len(piece.text) / (1 if has_cjk(piece.text) else 3)  # an English word takes three times the characters
    return {
        "code": float(found),
        "code_missing": float(bool(wanted.codes) and not found),
        **{f"gives_{kind}": float(gives(piece.text, kind)) for kind in wanted.kinds},
        "length": min(1.0, size / 100),
        "long": float(size > 150),
        "item_how": float(piece.kind == "item" and "how" in wanted.kinds),
        "exception": float(is_exception(piece.text, wanted.text)),
        "label": float(piece.kind == "item" and is_named(label_of(piece.text), wanted.text)),
    }
