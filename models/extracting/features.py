"""What the classifiers see of a message: cues, hashed character and word groups, its vector."""

import math
import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from zhiji.core.text import fold, language_of
from zhiji.models.extracting.clauses import Clause, split
from zhiji.models.extracting.cues import NAMES, cues, shows
from zhiji.models.extracting.people import Subject, subjects

BUCKETS = 1 << 15
"""Hash buckets of character and word groups; a power of two."""
_LATIN = re.compile(r"[a-z']+|\d+")
_ASKS = re.compile(r"[?？]")
_HANDS_OVER = re.compile(r"[：:]\s*\n|\n.*\n|[：:]\s*[“\"「]")
_NONE = np.zeros(len(NAMES), np.float32)

Floats = NDArray[np.float32]
Buckets = NDArray[np.int64]


@dataclass(frozen=True)
class Reading:
    """A user's message as the classifiers read it, with the assistant's words just before it ("" if none)."""

    text: str
    asked: str = ""
    earlier: str = ""
    """What the user said before the assistant's words, for what refers back to it."""
    played: bool = False
    """Whether the user speaks in a role."""

    @cached_property
    def han(self) -> bool:
        """Whether the message is Chinese."""
        return language_of(self.text) == "zh"

    @cached_property
    def clauses(self) -> list[Clause]:
        """Its clauses, in order."""
        return split(self.text, han=self.han)

    @cached_property
    def folded(self) -> list[str]:
        """The clauses, folded."""
        return [fold(clause.text) for clause in self.clauses]

    @cached_property
    def cues(self) -> list[Floats]:
        """The cues of each clause."""
        return [cues(text) for text in self.folded]

    @cached_property
    def whose(self) -> list[Subject]:
        """Who each clause is about."""
        return subjects([clause.text for clause in self.clauses], han=self.han)

    @cached_property
    def handed_over(self) -> bool:
        """Whether the message hands over a text to be worked on, in which "I" may be anybody."""
        return any(shows(found, "edit") for found in self.cues) or _HANDS_OVER.search(self.text) is not None

    def worked_on(self, at: int) -> bool:
        """Whether a clause stands in a text that the words before it ask to work on ("润色一下：我叫小明")."""
        asking = zip(self.clauses[:at], self.cues[:at], strict=True)
        return any(shows(found, "edit") and clause.stop[:1] in (":", "：") for clause, found in asking)

    @cached_property
    def answers(self) -> bool:
        """Whether the assistant had just asked something."""
        return _ASKS.search(self.asked) is not None


def clause_rows(reading: Reading) -> Floats:
    """Dense features of every clause, shape `(clauses, features)`: its cues, its neighbours', the message's, its place."""
    found = reading.cues
    if not found:
        return np.zeros((0, 6 * len(NAMES) + _PLACE), np.float32)
    stacked = np.stack(found)
    whole = stacked.max(axis=0)
    asked = cues(fold(reading.asked)) if reading.answers else _NONE
    rows = []
    for at, clause in enumerate(reading.clauses):
        before = found[at - 1] if at else _NONE
        after = found[at + 1] if at + 1 < len(found) else _NONE
        peers = stacked[[i for i, other in enumerate(reading.clauses) if other.sentence == clause.sentence]].max(axis=0)
        answering = found[at] if reading.answers else _NONE
        parts = [found[at], before, after, whole, peers, answering, asked, _place(reading, at)]
        rows.append(np.concatenate(parts))
    return np.stack(rows).astype(np.float32)


_PLACE = len(NAMES) + 25
"""Features after the six cue blocks: the assistant's cues, and the clause's place and length."""


def _place(reading: Reading, at: int) -> Floats:
    clause, count = reading.clauses[at], len(reading.clauses)
    length = len(clause.text) / (1 if reading.han else 4)
    sentence = [c for c in reading.clauses if c.sentence == clause.sentence]
    long_text = len(reading.text) > (60 if reading.han else 200)
    facts = [
        reading.han, at == 0, at == count - 1, min(at, 6) / 6, min(count, 8) / 8,
        bool(reading.asked), reading.answers, reading.answers and at == 0, clause.quoted,
        length <= 2, length <= 4, length <= 7, length > 15,
        clause.stop in ("?", "？"), any(c.stop.strip() in ("?", "？") for c in sentence),
        long_text, "：" in reading.text or "\n" in reading.text,
        *_about(reading.whose[at]), any(one.code == "other" and one.explicit for one in reading.whose), reading.played,
    ]  # fmt: skip
    return np.array(facts, np.float32)


def _about(subject: Subject) -> tuple[bool, ...]:
    family = subject.code not in ("user", "other", "cat", "dog", "pet")
    return (
        subject.code == "user" and subject.explicit, subject.code == "user" and not subject.explicit, family,
        subject.code in ("cat", "dog", "pet"), subject.code == "other" and subject.explicit, subject.code == "other" and not subject.explicit,
    )  # fmt: skip


def message_row(reading: Reading) -> Floats:
    """Dense features of a whole message: the cues that any clause shows, and the share of clauses that show them."""
    if not reading.cues:
        return np.zeros(2 * len(NAMES) + _PLACE - len(NAMES), np.float32)
    stacked = np.stack(reading.cues)
    return np.concatenate([stacked.max(axis=0), stacked.mean(axis=0), _place(reading, 0)]).astype(np.float32)


def groups(folded: str, *, han: bool) -> Buckets:
    """Hash buckets of a clause's characters (one to three in a row) and Latin words (one or two in a row)."""
    found: set[str] = set()
    if han:
        framed = f"^{folded}$"
        found.update(framed[i : i + n] for n in (1, 2, 3) for i in range(len(framed) - n + 1))
    words = _LATIN.findall(folded)
    found.update(f"w:{word}" for word in words)
    found.update(f"w:{one} {two}" for one, two in pairwise(words))
    if not han and words:
        found.add(f"w^{words[0]}")
        found.add(f"w^{' '.join(words[:2])}")
    return _buckets(found)


def message_groups(folded: str, *, han: bool) -> Buckets:
    """The same of a whole message: pairs and triples of characters, words and pairs of words."""
    found: set[str] = set()
    if han:
        found.update("t" + folded[i : i + n] for n in (2, 3) for i in range(len(folded) - n + 1))
    words = _LATIN.findall(folded)
    found.update(f"tw:{word}" for word in words)
    found.update(f"tw:{one} {two}" for one, two in pairwise(words))
    return _buckets(found)


def _buckets(found: Iterable[str]) -> Buckets:
    return np.unique(np.fromiter((zlib.crc32(group.encode()) % BUCKETS for group in found), dtype=np.int64))


def norm(buckets: Sequence[int] | Buckets) -> float:
    """Length of the vector that has a one in each bucket."""
    return math.sqrt(max(1, len(buckets)))
