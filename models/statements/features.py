"""What the judge of statements sees: the words with the mentions masked, what stands beside them, and cues."""

import zlib
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from zhiji.core.text import fold
from zhiji.models.extracting.cues import NAMES, cues
from zhiji.models.extracting.features import Reading
from zhiji.models.statements.mentions import Attribute, Mention, feminine, mentions, relation

BUCKETS = 1 << 15
"""Hash buckets of the signs; a power of two."""
SCALE = 4.0
"""Length of an utterance's row; chosen by cross-validation."""
_BESIDE = 8
"""Characters on each side of a mention that are searched for pronouns and verbs of place."""
_WORDS = "我你他她这那哪在去来回到是都也吗了不"
_MASK = {"loc": "◆", "constellation": "★"}
"""What stands for a mention; a gendered word stays as it is, for who is meant depends on it."""

Buckets = NDArray[np.int64]


def signs(utterance: str, attribute: Attribute, held: str) -> Buckets:
    """Hash buckets of everything seen of an utterance that may state an attribute whose held value is `held`."""
    folded = fold(utterance)
    found = mentions(folded, attribute, held)
    seen = {*_groups(_masked(folded, found, attribute)), *_cues(folded, attribute), *_standing(found, attribute, held)}
    for one in found:
        seen |= {f"{attribute}|{sign}" for sign in _around(folded, one)}
    for whose in {_whose(folded, one) for one in found}:
        seen |= {f"about {whose}", f"{attribute}|about {whose}"}
    seen.add(f"length {min(8, len(folded) // 5)}")
    return np.unique(np.fromiter((zlib.crc32(sign.encode()) % BUCKETS for sign in seen), dtype=np.int64))


def _masked(folded: str, found: list[Mention], attribute: Attribute) -> str:
    parts, reached = [], 0
    for one in found:
        if one.start >= reached:
            parts += [folded[reached : one.start], _MASK.get(attribute, one.words)]
            reached = one.end
    return "".join([*parts, folded[reached:]])


def _groups(masked: str) -> set[str]:
    framed = f"^{masked}$"
    return {framed[at : at + n] for n in (1, 2, 3) for at in range(len(framed) - n + 1)}


def _cues(folded: str, attribute: Attribute) -> Iterator[str]:
    for at in np.nonzero(cues(folded))[0]:
        yield f"cue {NAMES[at]}"
        yield f"{attribute}|cue {NAMES[at]}"


def _standing(found: list[Mention], attribute: Attribute, held: str) -> Iterator[str]:
    """How the mentions stand to what is held, alone and with what kind of value that is."""
    stands = relation(found, attribute, held)
    yield f"attribute {attribute}"
    yield f"{attribute}|stands {stands}"
    yield f"mentions {attribute} {min(len(found), 3)}"
    for kind in _kinds(found, attribute, held):
        yield f"{attribute}|kind {kind}"
        yield f"{attribute}|{stands} of {kind}"


def _kinds(found: list[Mention], attribute: Attribute, held: str) -> list[str]:
    if attribute == "loc":
        return ["a city" if len(held.split()) > 1 else "a province", f"abroad {held.startswith('海外')}"]
    if attribute == "gender":
        said = sorted({feminine(one) for one in found})
        return [held, f"said {said}"]
    return [f"signs {min(2, len({one.words.rstrip('座') for one in found}))}"]


def _whose(folded: str, one: Mention) -> str:
    """Whom the clause of a mention is about: the speaker, a relative, somebody else, or nobody that it names."""
    reading = Reading(folded)
    at = next((at for at, clause in enumerate(reading.clauses) if one.start < clause.end), -1)
    if at < 0:
        return "nobody"
    whose = reading.whose[at]
    kind = whose.code if whose.code in ("user", "other") else "family"
    return f"{kind} {'by name' if whose.explicit else 'carried on'}"


def _around(folded: str, one: Mention) -> Iterator[str]:
    before, after = "^^^" + folded[: one.start], folded[one.end :] + "$$$"
    for n in (1, 2, 3):
        yield f"before {before[-n:]}"
        yield f"after {after[:n]}"
    yield f"from start {min(one.start, 3)}"
    yield f"from end {min(len(folded) - one.end, 3)}"
    for word in _WORDS:
        if word in before[-_BESIDE:]:
            yield f"left {word}"
        if word in after[:_BESIDE]:
            yield f"right {word}"
