"""Fitting the weights of the embedded rewriter: `python -m zhiji.evals.fit.rewrite --data DATA`.

Completions are learned from `rewrite_own.jsonl`, written for this project. Questions that stand alone come from there
too and from the halves of `paraphrase/lcqmc_dev` and `kb_qa/cmrc` whose sha256 is even, each behind an unrelated
exchange. Only numbers are written.
"""

import argparse
import hashlib
import json
import logging
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zhiji.core.text import Language
from zhiji.core.turn import Turn
from zhiji.models.rewriting.edits import apply, pair_features
from zhiji.models.rewriting.frames import reframed
from zhiji.models.rewriting.scoring import LIKELIER, Completion, Weights, complete, keep_features, prefixed
from zhiji.models.rewriting.sites import outline, sites
from zhiji.models.rewriting.spans import spans
from zhiji.models.rewriting.talk import bearing

STEPS, RATE, RIDGE = 200, 0.05, 1e-3
BORROWED: dict[Language, int] = {"zh": 6000, "en": 0}
MIN_GAIN = 0.02
BORROWED_WEIGHT = 0.4

Floats = NDArray[np.float64]
log = logging.getLogger("rewrite")


@dataclass(frozen=True)
class Triple:
    """A conversation, the question after it, and that question made self-contained."""

    window: tuple[Turn, ...]
    query: str
    rewrite: str
    borrowed: bool = False
    """Not written for the purpose; counts less."""

    @property
    def stands_alone(self) -> bool:
        """Whether nothing is to be changed."""
        return self.query == self.rewrite


@dataclass
class Choices:
    """All ways to complete one query: feature columns of each side, and which pairs are right."""

    keep: list[int]
    spans: list[list[int]]
    sites: list[list[int]]
    pairs: list[list[int]]
    again: list[list[int]]
    weight: float
    right: Floats
    """Shape `(1 + sites · spans + again,)`; the first is "unchanged"."""


def char_f1(one: str, other: str) -> float:
    """Harmonic mean of precision and recall over characters, with repeats."""
    shared = sum((Counter(one) & Counter(other)).values())
    return 2 * shared / (len(one) + len(other)) if shared else 0.0


def even(text: str) -> bool:
    """Whether a text belongs to the half that may be fitted on."""
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % 2 == 0


def own(lang: Language) -> list[Triple]:
    """The triples written for this project."""
    lines = (files("zhiji.evals.fit") / "rewrite_own.jsonl").read_text(encoding="utf-8").splitlines()
    return [
        Triple(tuple(Turn(turn["role"], turn["text"]) for turn in line["history"]), line["query"], line["rewrite"])
        for line in map(json.loads, lines)
        if line["lang"] == lang
    ]


def completed(triples: Sequence[Triple]) -> list[Triple]:
    """Each rewrite as a question of its own, after its own exchange or another: it must stay as it is."""
    chance = random.Random(9)
    found = []
    for at, one in enumerate(triples):
        if not one.stands_alone:
            window = one.window if at % 2 else chance.choice(triples).window
            found.append(Triple(window, one.rewrite, one.rewrite, borrowed=True))
    return found


def borrowed(data: Path, windows: Sequence[tuple[Turn, ...]], count: int) -> list[Triple]:
    """Questions that stand alone, each behind an exchange about something else."""
    pairs = (data / "paraphrase" / "lcqmc_dev.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line)["a"] for line in pairs if even(line)]
    asked = (data / "kb_qa" / "cmrc" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    found += [line["question"] for line in map(json.loads, asked) if even(line["id"])]
    chance = random.Random(5)
    return [
        Triple(chance.choice(windows), text, text, borrowed=True)
        for text in chance.sample(found, min(count, len(found)))
    ]


class Columns:
    """Feature names and their columns."""

    def __init__(self) -> None:
        self.of: dict[str, int] = {}

    def __call__(self, names: Iterable[str]) -> list[int]:
        """The columns of some features; new ones are added."""
        return [self.of.setdefault(name, len(self.of)) for name in names]


def choices(triple: Triple, columns: Columns) -> Choices | None:
    """The ways to complete a query; None where none of them comes nearer to the right one."""
    shown, leaned_on = outline(triple.query), bearing(triple.window)
    pieces, places = spans(leaned_on, triple.query), sites(triple.query, shown)
    again = reframed(triple.query, leaned_on)
    texts = [apply(triple.query, place, piece) for place in places for piece in pieces] + [one.text for one in again]
    near = np.array([char_f1(text, triple.rewrite) for text in (triple.query, *texts)])
    if not triple.stands_alone and near.max() < near[0] + MIN_GAIN:
        return None
    return Choices(
        columns(keep_features(shown, triple.query, triple.window)),
        [columns(prefixed("span", piece.features)) for piece in pieces],
        [columns(prefixed("site", place.features)) for place in places],
        [columns(prefixed("pair", pair_features(place, piece))) for place in places for piece in pieces],
        [columns(prefixed("again", one.features)) for one in again],
        BORROWED_WEIGHT if triple.borrowed else 1.0,
        _right(triple, near, texts),
    )


def _right(triple: Triple, near: Floats, texts: Sequence[str]) -> Floats:
    if triple.stands_alone:
        right = np.zeros(len(near))
        right[0] = 1
        return right
    exact = np.array([False] + [text == triple.rewrite for text in texts])
    return (exact if exact.any() else near >= near.max() - 1e-9).astype(float)


class Batch:
    """All examples as flat index arrays, so that one step is a few `bincount` calls."""

    def __init__(self, examples: Sequence[Choices]) -> None:
        self.rows: list[int] = []
        self.columns: list[int] = []
        self.example: list[int] = []
        span_rows: list[int] = []
        site_rows: list[int] = []
        self.parts = 0
        pair_rows: list[int] = []
        for number, one in enumerate(examples):
            keep = self._part([one.keep])
            of_spans, of_sites, of_pairs = self._part(one.spans), self._part(one.sites), self._part(one.pairs)
            of_again, nothing = self._part(one.again), [-1]
            alone = nothing * len(one.again)
            span_rows += nothing + [of_spans + i for _ in one.sites for i in range(len(one.spans))] + alone
            site_rows += nothing + [of_sites + j for j in range(len(one.sites)) for _ in one.spans] + alone
            pair_rows += [keep] + [of_pairs + k for k in range(len(one.pairs))]
            pair_rows += [of_again + m for m in range(len(one.again))]
            self.example += [number] * (1 + len(one.pairs) + len(one.again))
        self.parts_of = np.array([span_rows, site_rows, pair_rows])
        self.right = np.concatenate([one.right for one in examples])
        self.examples = np.array(self.example)
        self.row, self.column = np.array(self.rows), np.array(self.columns)
        self.count = len(examples)
        share = np.array([one.weight for one in examples])
        self.weight = share / share.sum()

    def _part(self, feature_lists: Sequence[Sequence[int]]) -> int:
        start = self.parts
        for offset, features in enumerate(feature_lists):
            self.rows += [start + offset] * len(features)
            self.columns += features
        self.parts += len(feature_lists)
        return start

    def loss(self, weights: Floats) -> tuple[float, Floats]:
        """Mean negative log probability of the right choices, and its gradient."""
        parts = np.append(np.bincount(self.row, weights[self.column], self.parts), 0.0)  # the last is "no part"
        scores = parts[self.parts_of].sum(axis=0)
        highest = np.full(self.count, -np.inf)
        np.maximum.at(highest, self.examples, scores)
        raised = np.exp(scores - highest[self.examples])
        share = raised / np.bincount(self.examples, raised, self.count)[self.examples]
        mass = np.bincount(self.examples, share * self.right, self.count)
        wanted = share * self.right / np.maximum(mass, 1e-12)[self.examples]
        slope = (share - wanted) * self.weight[self.examples]
        of_parts = np.sum([np.bincount(of % (self.parts + 1), slope, self.parts + 1) for of in self.parts_of], axis=0)
        gradient = np.bincount(self.column, of_parts[self.row], len(weights)).astype(np.float64)
        return float(self.weight @ -np.log(np.maximum(mass, 1e-12))), gradient


def fit(examples: Sequence[Choices], size: int) -> Floats:
    """Weights by Adam over all examples at once, shape `(size,)`."""
    batch, weights = Batch(examples), np.zeros(size)
    mean, square = np.zeros(size), np.zeros(size)
    for step in range(1, STEPS + 1):
        loss, gradient = batch.loss(weights)
        gradient += RIDGE * weights
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        weights -= RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        if step % 100 == 0:
            log.info("step %d: loss %.4f", step, loss)
    return weights


def train(triples: Sequence[Triple]) -> Weights:
    """The model fitted on the triples."""
    columns = Columns()
    found = [one for triple in triples if (one := choices(triple, columns)) is not None]
    log.info("%d of %d examples, %d features", len(found), len(triples), len(columns.of))
    weights = fit(found, len(columns.of))
    return Weights({name: round(float(weights[at]), 4) for name, at in columns.of.items() if abs(weights[at]) > 1e-3})


def report(model: Weights, triples: Sequence[Triple], likelier: float = LIKELIER) -> dict[str, float]:
    """Exact matches, char F1 and the share of standalone queries left alone, where one completes below `likelier`."""
    made = [(one, rewritten(one, complete(one.query, one.window, model), likelier)) for one in triples]
    changed = [(one, text) for one, text in made if not one.stands_alone]
    alone = [(one, text) for one, text in made if one.stands_alone]
    return {
        "n": len(triples),
        "exact": float(np.mean([text == one.rewrite for one, text in changed])),
        "char_f1": float(np.mean([char_f1(text, one.rewrite) for one, text in changed])),
        "unchanged_rate": float(np.mean([text == one.query for one, text in alone])) if alone else 1.0,
    }


def rewritten(triple: Triple, found: Completion | None, likelier: float) -> str:
    """What is made of a query, given its best completion."""
    return found.text if found and found.unchanged < likelier else triple.query


def main() -> None:
    """Fit both languages, report a fifth held out, write the weights fitted on all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the evaluation data")
    parser.add_argument("--out", type=Path, required=True, help="folder the weights are written to")
    asked = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    for lang in BORROWED:
        triples = own(lang)
        random.Random(3).shuffle(triples)
        triples += completed(triples) + borrowed(asked.data, [one.window for one in triples], BORROWED[lang])
        kept, held = [one for i, one in enumerate(triples) if i % 5], triples[::5]
        judged = train(kept)
        for likelier in (0.4, 0.5, LIKELIER, 0.6, 0.7):
            log.info("%s held out, completing below %.2f: %s", lang, likelier, report(judged, held, likelier))
        model = train(triples)
        text = json.dumps(model.values, ensure_ascii=False)
        (asked.out / f"rewrite_{lang}.json").write_text(text.replace(', "', ',\n"') + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
