"""Fitting what an embedding model's similarities mean: the sets written for it, the fit, the held-out figures."""

import hashlib
import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np

from zhiji.evals.metrics import auc, precision_recall
from zhiji.models.embed import Embedder
from zhiji.models.logistic import Floats, Logistic
from zhiji.models.logistic import fit as fit_logistic
from zhiji.models.similarity import SAME, Calibration, Relevance, embed_pairs, fit_same
from zhiji.models.topics import Topics
from zhiji.stores.memory.lexical import Words
from zhiji.stores.memory.parts import parts_of
from zhiji.stores.memory.relevance import Asked, Corpus, features, gate_features

OWN_WEIGHT = 6.0
"""How much a written memory pair counts against a question pair from outside: they are few and what matters here."""
_ROUNDS = 4
"""Fits of a question of several parts: after each, every memory is taken by the part it serves best."""
Sentences = tuple[str, str, bool]
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sentences, whether they say the same, what sets them apart if not, and where they come from."""

    a: str
    b: str
    same: bool
    kind: str
    source: str
    even: bool

    @property
    def sentences(self) -> Sentences:
        """The pair as the fit takes it."""
        return (self.a, self.b, self.same)


@dataclass(frozen=True, slots=True)
class Asking:
    """One question to one person's memories: its feature tables by part, and which memories bear on it."""

    tables: Sequence[Floats]
    relevant: Floats
    lookup: bool
    even: bool


def even(text: str) -> bool:
    """The half a text belongs to: fits use the even one, figures the odd one."""
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % 2 == 0


def calibrate(embedder: Embedder, outside: Sequence[Pair] = (), progress: Progress = lambda step: None) -> Calibration:
    """Fit an embedder on the sets written for it and on pairs from outside.

    The figures in the report are those of the odd half under a fit on the even half; what is returned is fitted on all
    of the written sets and on the even half of what comes from outside.
    """
    pairs = [*own_pairs(), *outside]
    progress("pairs of sentences")
    same = _fit_same(embedder, [pair for pair in pairs if pair.even or pair.source == "own"])
    report: dict[str, Any] = {"same": _same_report(embedder, pairs)}
    progress("questions to memories")
    asked = list(askings(embedder, Topics.of(embedder)))
    report["relevant"] = _relevance_report(asked)
    return Calibration(embedder.model_id, same, fit_relevance(asked), report)


def own_pairs() -> list[Pair]:
    """All pairs of the written groups: paraphrases of one memory, each against what only resembles it."""
    lines = (files("zhiji.evals") / "fit" / "same_groups.jsonl").read_text(encoding="utf-8").splitlines()
    groups = [json.loads(line) for line in lines]
    return [pair for place in range(len(groups)) for pair in _of_group(groups, place)]


def _of_group(groups: Sequence[dict[str, Any]], place: int) -> Iterator[Pair]:
    group = groups[place]
    half = even(group["same"][0])
    for a, b in itertools.combinations(group["same"], 2):
        yield Pair(a, b, True, "paraphrase", "own", half)
    for kind, text in group["other"]:
        for said in group["same"][:3]:
            yield Pair(said, text, False, kind, "own", half)
    for step in (7, 14, 21):
        other = groups[(place + step) % len(groups)]
        if other["lang"] == group["lang"]:
            yield Pair(group["same"][0], other["same"][-1], False, "unrelated", "own", half)


def _fit_same(embedder: Embedder, pairs: Sequence[Pair]) -> Any:
    weights = [OWN_WEIGHT if pair.kind else 1.0 for pair in pairs]
    return fit_same(embedder, [pair.sentences for pair in pairs], weights)


def _same_report(embedder: Embedder, pairs: Sequence[Pair]) -> dict[str, dict[str, float]]:
    model = _fit_same(embedder, [pair for pair in pairs if pair.even])
    report = {}
    for source in dict.fromkeys(pair.source for pair in pairs):
        held = [pair for pair in pairs if pair.source == source and not pair.even]
        cosines = embed_pairs(embedder, [pair.sentences for pair in held])
        calibration = Calibration(embedder.model_id, model, _NOTHING)
        scores = [calibration.same_probability(float(c), pair.a, pair.b) for c, pair in zip(cosines, held, strict=True)]
        same = [pair.same for pair in held]
        precision, recall = precision_recall([score >= SAME for score in scores], same)
        report[source] = {
            "n": len(held),
            "auc": round(auc(scores, same) or 0.0, 4),
            "auc_cosine": round(auc([float(c) for c in cosines], same) or 0.0, 4),
            "precision@0.9": round(precision or 0.0, 4),
            "recall@0.9": round(recall or 0.0, 4),
        }
    return report


_NOTHING = Relevance(Logistic((), 0.0), Logistic((), 0.0), Logistic((), 0.0))


def askings(embedder: Embedder, topics: Topics) -> Iterator[Asking]:
    """Every written question to every written person."""
    for name in ("relevance.jsonl", "relevance_lookup.jsonl"):
        text = (files("zhiji.evals") / "fit" / name).read_text(encoding="utf-8")
        for person in map(json.loads, text.splitlines()):
            memories = person["memories"]
            vectors, words = embedder.passages(memories), [Words.of(memory) for memory in memories]
            for question in person["queries"]:
                for rows in _persons(question, len(memories)):
                    corpus = Corpus.of(vectors[rows], [words[row] for row in rows], topics)
                    relevant = np.isin(rows, question["relevant"]).astype(np.float64)
                    asked = _look_up(question["text"], corpus, embedder, topics)
                    yield Asking(asked, relevant, "lookup" in name, even(memories[0]))


def _persons(question: dict[str, Any], size: int) -> Iterator[list[int]]:
    """The person asked: with all memories, and again with few, since everybody starts with few."""
    yield list(range(size))
    chance = int(hashlib.sha256(question["text"].encode()).hexdigest(), 16)
    few = 1 + chance % 5
    others = [(row * 7 + chance) % size for row in range(size)]
    keep = dict.fromkeys([*question["relevant"], *others])
    yield sorted(list(keep)[: max(few, len(question["relevant"]))])


def _look_up(text: str, corpus: Corpus, embedder: Embedder, topics: Topics) -> list[Floats]:
    return [features(Asked.of(part, embedder.query(part), topics), corpus, topics) for part in (text, *parts_of(text))]


def fit_relevance(asked: Sequence[Asking]) -> Relevance:
    """Fit the three parts of relevance; an everyday question counts twice a look-up, an unanswerable one four times."""
    blank = _NOTHING
    absolute = _fit_parts(asked, blank.absolute_columns)
    relative = _fit_parts(asked, blank.relative_columns)
    half = Relevance(absolute, relative, blank.gate)
    gate = fit_logistic(
        [gate_features(one.tables, half) for one in asked],
        [float(one.relevant.any()) for one in asked],
        sample_weight=[1.0 if one.relevant.any() else 4.0 for one in asked],
    )
    return Relevance(absolute, relative, gate)


def _fit_parts(asked: Sequence[Asking], columns: tuple[int, ...]) -> Logistic:
    model: Logistic | None = None
    yes = np.concatenate([one.relevant for one in asked])
    weights = np.concatenate([np.full(len(one.relevant), 1.0 if one.lookup else 2.0) for one in asked])
    for _ in range(_ROUNDS):
        rows = np.vstack([_best_part(one.tables, columns, model) for one in asked])
        model = fit_logistic(rows, yes, sample_weight=weights)
    assert model is not None
    return model


def _best_part(tables: Sequence[Floats], columns: tuple[int, ...], model: Logistic | None) -> Floats:
    """Each memory's features by the part that serves it best; before the first fit, the best of every column."""
    stacked = np.stack(tables)[:, :, columns]
    if model is None:
        return np.asarray(stacked.max(axis=0))
    best = np.argmax(stacked @ np.asarray(model.weights), axis=0)
    return np.asarray(stacked[best, np.arange(stacked.shape[1])])


def _relevance_report(asked: Sequence[Asking]) -> dict[str, float]:
    from zhiji.evals.relevance_figures import figures

    model = fit_relevance([one for one in asked if one.even])
    held = [one for one in asked if not one.even]
    return figures(model, [(one.tables, one.relevant) for one in held if not one.lookup])
