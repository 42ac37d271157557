"""Fitting what an embedding model's similarities mean: the sets written for it, the fit, the held-out figures."""

import hashlib
import itertools
import json
import re
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
from zhiji.models.space import Space
from zhiji.stores.memory.lexical import Words
from zhiji.stores.memory.parts import parts_of
from zhiji.stores.memory.relevance import Asked, Corpus, features, gate_features

OWN_WEIGHT = 6.0
"""How much a written memory pair counts against a question pair from outside: they are few and what matters here."""
_ROUNDS = 4
"""Fits of a question of several parts: after each, every memory is taken by the part it serves best."""
_UNRELATED = 6
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
    asked = list(askings(embedder, Space.of(embedder)))
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


def askings(embedder: Embedder, space: Space) -> Iterator[Asking]:
    """Every written question to every written person."""
    for name in ("relevance.jsonl", "relevance_lookup.jsonl"):
        text = (files("zhiji.evals") / "fit" / name).read_text(encoding="utf-8")
        persons = [json.loads(line) for line in text.splitlines()]
        for person in [*persons, *map(_as_stored, persons)]:
            memories = person["memories"]
            vectors, words = embedder.passages(memories), [Words.of(memory) for memory in memories]
            for question in [*person["queries"], *_unrelated(person)]:
                for rows in _persons(question, len(memories)):
                    corpus = Corpus.of(vectors[rows], [words[row] for row in rows], space)
                    relevant = np.isin(rows, question["relevant"]).astype(np.float64)
                    asked = _look_up(question["text"], corpus, embedder, space)
                    yield Asking(asked, relevant, "lookup" in name, even(memories[0]))


def _unrelated(person: dict[str, Any]) -> list[dict[str, Any]]:
    """Some of the questions that nobody's memory bears on."""
    held = json.loads((files("zhiji.evals") / "fit" / "unrelated.json").read_text(encoding="utf-8"))[person["lang"]]
    start = int(hashlib.sha256(person["memories"][0].encode()).hexdigest(), 16)
    return [{"text": held[(start + step * 7) % len(held)], "relevant": []} for step in range(_UNRELATED)]


_STORED_EN = (
    (r"^I'm\b", "The user is"),
    (r"^I am\b", "The user is"),
    (r"^I've\b", "The user has"),
    (r"^I have\b", "The user has"),
    (r"^I (can't|can|hate|was|use|don't|used to)\b", r"The user \1"),
    (r"^I (\w+[^s\W])\b", r"The user \1s"),
    (r"^My\b", "The user's"),
    (r"^We\b", "The user and others"),
    (r"\bmy\b", "their"),
)


def _as_stored(person: dict[str, Any]) -> dict[str, Any]:
    """The person with memories in the third person, as extraction writes them."""

    def stored(text: str) -> str:
        if person["lang"] == "zh":
            return re.sub("我", "用户", text, count=1) if text.startswith("我") else text
        for form, written in _STORED_EN:
            text = re.sub(form, written, text)
        return text

    return person | {"memories": [stored(text) for text in person["memories"]]}


def _persons(question: dict[str, Any], size: int) -> Iterator[list[int]]:
    """The person asked: with all memories, and again with few, since everybody starts with few."""
    yield list(range(size))
    chance = int(hashlib.sha256(question["text"].encode()).hexdigest(), 16)
    few = 1 + chance % 5
    others = [(row * 7 + chance) % size for row in range(size)]
    keep = dict.fromkeys([*question["relevant"], *others])
    yield sorted(list(keep)[: max(few, len(question["relevant"]))])


def _look_up(text: str, corpus: Corpus, embedder: Embedder, space: Space) -> list[Floats]:
    return [features(Asked.of(part, embedder.query(part), space), corpus, space) for part in (text, *parts_of(text))]


def fit_relevance(asked: Sequence[Asking]) -> Relevance:
    """Fit the three parts of relevance; an everyday question counts twice a look-up, for the gate one about nothing half another."""
    blank = _NOTHING
    absolute = _fit_parts(asked, blank.absolute_columns)
    relative = _fit_parts([one for one in asked if one.relevant.any()], blank.relative_columns)
    half = Relevance(absolute, relative, blank.gate)
    gate = fit_logistic(
        [gate_features(one.tables, half) for one in asked],
        [float(one.relevant.any()) for one in asked],
        sample_weight=[1.0 if one.relevant.any() else 0.5 for one in asked],
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
