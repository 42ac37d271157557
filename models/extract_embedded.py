"""The embedded extractor: clauses judged by small classifiers, worded by rules; no model call."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import tzinfo

import numpy as np

from zhiji.core.secrets import MASK, find_secret
from zhiji.core.text import clean
from zhiji.core.turn import Turn
from zhiji.models.embed import Embedder
from zhiji.models.extract import Candidate, Verdict
from zhiji.models.extracting import build, changes
from zhiji.models.extracting.asking import is_filler, is_one_off, is_question
from zhiji.models.extracting.cues import shows
from zhiji.models.extracting.features import Floats, Reading
from zhiji.models.extracting.frames import played
from zhiji.models.extracting.judge import gate_score, head, judge, told_first, weights
from zhiji.models.extracting.propositions import claimed
from zhiji.models.extracting.units import tells_outright

LONGEST = 2000
"""Characters of a message that are read; what is longer is pasted text, not talk."""
_ASKED_TAIL = 160
"""Characters of the assistant's last words that are looked at for a question."""
_EXPLICIT = re.compile(
    r"记住|記住|记一下|记下来|记着|记牢|以后都|以后别|以后请|今后|往后|从今以后|从现在起|\b(?:remember that|remember this|keep in mind|from now on|going forward)\b",
    re.IGNORECASE,
)


class EmbeddedExtractor:
    """Finds what a user said about themselves, by the vectors of its clauses and a few dot products."""

    quick = True

    def __init__(self, embedder: Embedder, zone: tzinfo | None = None, threshold: float | None = None) -> None:
        self._embedder = embedder
        self._zone = zone
        self._threshold = threshold

    def worth(self, message: Turn, window: Sequence[Turn]) -> Verdict:
        """Whether a message may hold something lasting, by its words alone, and why."""
        reading = _reading(message, window)
        if message.role != "user" or not reading.clauses:
            hides = message.role == "user" and find_secret(message.text) is not None
            return Verdict(False, "a secret, which is never stored" if hides else "no words of the user")
        score = gate_score(reading)
        reason = _reason(reading)
        if _of_the_moment(reading):
            return Verdict(False, "a question or a request of the moment", round(score, 3), barren=True)
        worth = score >= weights().gate_threshold or (reason in _SURE and score >= weights().gate_threshold / 4)
        worth = worth or _tells_outright(reading)
        return Verdict(worth, reason if worth else "nothing lasting about the user", round(score, 3))

    async def extract(self, turns: Sequence[Turn], new: Sequence[int]) -> Sequence[Candidate]:
        """Candidates from the user turns whose indices are in `new`."""
        found: list[Candidate] = []
        for at in new:
            if turns[at].role == "user":
                found += await asyncio.to_thread(self._of_turn, turns, at)
        return found

    def _of_turn(self, turns: Sequence[Turn], at: int) -> list[Candidate]:
        turn = turns[at]
        reading = _reading(turn, turns[:at])
        if claim := claimed(reading):
            return [replace(one, quote=turn.text.strip()) for one in self._judged(Reading(claim), turn, at)]
        if (
            not reading.clauses
            or _of_the_moment(reading)
            or (gate_score(reading) < weights().gate_threshold / 4 and not _tells_outright(reading))
        ):
            return []
        return [one for one in self._judged(reading, turn, at) if one.quote in turn.text]

    def _judged(self, reading: Reading, turn: Turn, at: int) -> list[Candidate]:
        judged = judge(reading, self._vectors(reading))
        threshold = weights().thresholds[reading.han] if self._threshold is None else self._threshold
        return build.candidates(reading, judged, at, build.When(turn.at, self._zone), threshold)

    def _vectors(self, reading: Reading) -> Floats:
        """The vectors of the clauses, shape `(clauses, dim)`; one that is not worth its time has the mean of all."""
        chosen = told_first(reading)
        vectors = np.tile(weights().mean, (len(reading.clauses), 1))
        if chosen:
            vectors[chosen] = self._embedder.passages([head(reading, at) for at in chosen])
        return vectors


_SURE = frozenset(
    {"an explicit request to remember", "a withdrawal", "a correction", "an answer to a question of the assistant"}
)


def _of_the_moment(reading: Reading) -> bool:
    return all(is_question(c) or is_filler(c.text) or is_one_off(c.text) for c in reading.clauses)


def _tells_outright(reading: Reading) -> bool:
    return any(tells_outright(reading, at, whose) for at, whose in enumerate(reading.whose))


def _reading(message: Turn, window: Sequence[Turn]) -> Reading:
    asked = window[-1].text[-_ASKED_TAIL:] if window and window[-1].role == "assistant" else ""
    before = [clean(turn.text)[:LONGEST] for turn in window if turn.role == "user"]
    text = _without_secrets(clean(message.text)[:LONGEST])
    return Reading(text, clean(asked), before[-1] if before else "", played([*before, text]))


def _without_secrets(text: str) -> str:
    """The text with spaces in place of what holds a secret or held one, so that all else keeps its place."""
    if find_secret(text) is None and MASK not in text:
        return text
    clauses = Reading(text).clauses
    for clause in clauses:
        if MASK in clause.text:
            text = text[: clause.start] + " " * len(clause.text) + text[clause.end :]
    for width in (1, 2, 3):  # a secret may be parted from the word that names it
        for first, last in zip(clauses, clauses[width - 1 :], strict=False):
            if find_secret(text[first.start : last.end]) is not None:
                text = text[: first.start] + " " * (last.end - first.start) + text[last.end :]
    return text


def _reason(reading: Reading) -> str:
    """The most telling sign, named without the user's words."""
    text = reading.text
    if changes.forgotten(text):
        return "a withdrawal"
    if changes.corrections(text) or any(shows(found, "change") for found in reading.cues):
        return "a correction"
    if _EXPLICIT.search(text):
        return "an explicit request to remember"
    if reading.answers and len(text) <= 40:
        return "an answer to a question of the assistant"
    if any(shows(found, "prefer", "averse") for found in reading.cues):
        return "a preference of the user"
    return "a statement about the user"
