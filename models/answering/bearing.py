"""How much each piece of the passages bears on the question."""

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from zhiji.core.text import fold
from zhiji.core.tokens import codes, terms
from zhiji.core.turn import Passage
from zhiji.models.answering.asked import asked_kinds, gives
from zhiji.models.answering.units import Unit, units
from zhiji.models.question_words import content_terms

NAMES = (
    "covered",
    "covered_rare",
    "characters",
    "code",
    "code_missing",
    "before",
    "after",
    "block",
    "answer_kind",
    "answer_kind_covered",
    "position",
    "first",
    "length",
    "short",
    "long",
    "question",
    "item_how",
)


@dataclass(frozen=True, slots=True)
class Scored:
    """A piece and how much it bears on the question (a log-odds-like score; only differences mean something)."""

    unit: Unit
    score: float
    covered: float
    """Share of the question's content terms that it holds, 0 to 1."""


@dataclass(frozen=True, slots=True)
class _Asked:
    terms: tuple[str, ...]
    characters: frozenset[str]
    codes: frozenset[str]
    kinds: tuple[str, ...]


@cache
def weights() -> Mapping[str, float]:
    """The fitted weights, read once."""
    found: dict[str, float] = json.loads((files("zhiji.models") / "data" / "answer.json").read_text(encoding="utf-8"))
    return found


def asked(question: str) -> _Asked:
    """What is looked for: content terms, their characters, codes, kinds of answer."""
    found = content_terms(question)
    return _Asked(
        found,
        frozenset("".join(term for term in found if not term.isascii())),
        frozenset(codes(question)),
        asked_kinds(question),
    )


def bearing(question: str, passages: Sequence[Passage]) -> list[Scored]:
    """Every piece of the passages, best first."""
    wanted = asked(question)
    scored: list[Scored] = []
    for at, passage in enumerate(passages):
        pieces = units(passage.text, at)
        prior = 4 * passage.score if passages else 0
        heading = set(terms(f"{passage.title} {passage.heading}"))
        for piece, features in zip(pieces, piece_features(wanted, pieces, heading), strict=True):
            score = prior + sum(weights().get(name, 0.0) * value for name, value in features.items())
            scored.append(Scored(piece, score, features["covered"]))
    return sorted(scored, key=lambda one: -one.score)


def piece_features(wanted: _Asked, pieces: Sequence[Unit], heading: set[str]) -> list[dict[str, float]]:
    """Features of each piece of one passage, named as in `NAMES`; all lie between 0 and about 1."""
    held = [set(terms(piece.text)) for piece in pieces]
    rare = _rarity(wanted, held, heading)
    covers = [_share(wanted, one, rare) for one in held]
    return [_features(wanted, pieces, held, covers, at) for at in range(len(pieces))]


def _rarity(wanted: _Asked, held: Sequence[set[str]], heading: set[str]) -> dict[str, float]:
    """How telling a term is inside this passage: rarer pieces weigh more, a term of the heading less."""
    counts = Counter(term for one in held for term in one)
    return {
        term: math.log(1 + len(held) / (0.5 + counts[term])) * (0.5 if term in heading else 1.0)
        for term in wanted.terms
    }


def _share(wanted: _Asked, held: set[str], rare: Mapping[str, float]) -> tuple[float, float]:
    if not wanted.terms:
        return 0.0, 0.0
    total = sum(rare.values()) or 1.0
    plain = sum(term in held for term in wanted.terms) / len(wanted.terms)
    return plain, sum(rare[term] for term in wanted.terms if term in held) / total


def _features(
    wanted: _Asked, pieces: Sequence[Unit], held: Sequence[set[str]], covers: Sequence[tuple[float, float]], at: int
) -> dict[str, float]:
    piece = pieces[at]
    text = fold(piece.text)
    given = sum(gives(piece.text, kind) for kind in wanted.kinds) / max(1, len(wanted.kinds))
    shared = sum(mark in text for mark in wanted.characters) / max(1, len(wanted.characters))
    found = bool(wanted.codes & held[at])
    beside = [covers[near][1] for near in (at - 1, at + 1) if 0 <= near < len(pieces)]
    block = [covers[other][1] for other, one in enumerate(pieces) if one.block == piece.block and other != at]
    return {
        "covered": covers[at][0],
        "covered_rare": covers[at][1],
        "characters": shared,
        "code": float(found),
        "code_missing": float(bool(wanted.codes) and not found),
        "before": covers[at - 1][1] if at else 0.0,
        "after": beside[-1] if at + 1 < len(pieces) else 0.0,
        "block": max(block, default=0.0),
        "answer_kind": given,
        "answer_kind_covered": given * covers[at][1],
        "position": at / max(1, len(pieces)),
        "first": float(at == 0),
        "length": min(1.0, len(piece.text) / 100),
        "short": float(len(piece.text) < 8),
        "long": float(len(piece.text) > 150),
        "question": float(piece.text.rstrip().endswith(("？", "?"))),
        "item_how": float(piece.kind == "item" and "how" in wanted.kinds),
    }
