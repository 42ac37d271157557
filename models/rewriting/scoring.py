"""Weighing the ways to complete a query against leaving it as it is."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from zhiji.core.text import Language
from zhiji.core.turn import Turn
from zhiji.models.answering.intent import intent_of
from zhiji.models.rewriting.edits import apply, pair_features
from zhiji.models.rewriting.frames import reframed, topic_of
from zhiji.models.rewriting.sites import Outline, outline, sites
from zhiji.models.rewriting.spans import spans
from zhiji.models.rewriting.tagging import holds_its_object
from zhiji.models.rewriting.talk import bearing, mood

# Pairs beyond the best of each side never won on the texts the weights were fitted on, and cost most of the time.
BEST_SPANS, BEST_SITES = 40, 8
# A compromise seen on two sets at once, none of them kept apart for it: a higher one completes more, rightly and wrongly.
LIKELIER = 0.55
COMPARED = 12


Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Weights:
    """The linear model of one language."""

    values: Mapping[str, float]

    def score(self, features: Iterable[str]) -> float:
        """The sum of the features' weights; an unknown feature weighs nothing."""
        return sum(self.values.get(feature, 0.0) for feature in features)


@dataclass(frozen=True, slots=True)
class Completion:
    """The best completed query, and the probability that the query should have stayed as it is."""

    text: str
    unchanged: float

    @property
    def likelier(self) -> bool:
        """Whether the completed query is likelier meant than the query as it stands."""
        return self.unchanged < LIKELIER


@cache
def weights(lang: Language) -> Weights:
    """The fitted weights of a language, read once."""
    found = json.loads((files("zhiji.models") / "data" / f"rewrite_{lang}.json").read_text(encoding="utf-8"))
    return Weights(found)


@dataclass(frozen=True, slots=True)
class Ways:
    """Texts a query can be completed to, and their scores, shape `(len(texts),)`."""

    texts: Sequence[str]
    scores: NDArray[np.float64]


def complete(query: str, window: Sequence[Turn], model: Weights) -> Completion | None:
    """The best completion of a query from the conversation, or None where there is nothing to complete it with."""
    shown, leaned_on = outline(query), bearing(window)
    filled, again = _filled(query, shown, leaned_on, model), _again(query, leaned_on, model)
    ways = Ways([*filled.texts, *again.texts], np.concatenate([filled.scores, again.scores]))
    if not ways.texts:
        return None
    unchanged = _unchanged(model.score(keep_features(shown, query, window)), ways.scores)
    best = np.argsort(ways.scores)[::-1][:COMPARED].tolist()
    return Completion(_central([ways.texts[at] for at in best], ways.scores[best]), unchanged)


def _filled(query: str, shown: Outline, window: Sequence[Turn], model: Weights) -> Ways:
    """A piece of the talk put into each place of the query."""
    pieces, places = spans(window, query), sites(query, shown)
    if not pieces or not places:
        return Ways([], np.zeros(0))
    pieces, piece_scores = _best(pieces, [model.score(prefixed("span", one.features)) for one in pieces], BEST_SPANS)
    places, place_scores = _best(places, [model.score(prefixed("site", one.features)) for one in places], BEST_SITES)
    scores = place_scores[:, None] + piece_scores[None, :]
    for row, place in enumerate(places):
        for column, piece in enumerate(pieces):
            scores[row, column] += model.score(prefixed("pair", pair_features(place, piece)))
    return Ways([apply(query, place, piece) for place in places for piece in pieces], scores.ravel())


def _again(query: str, window: Sequence[Turn], model: Weights) -> Ways:
    """The last question asked of what the query names."""
    found = reframed(query, window)
    return Ways(
        [one.text for one in found], np.array([model.score(prefixed("again", one.features)) for one in found], float)
    )


def _central(texts: Sequence[str], scores: NDArray[np.float64]) -> str:
    """Of the likeliest completions, the one that shares most characters with all of them, each by its probability.

    Where several nearly alike compete, this finds what they agree on rather than the luckiest of them.
    """
    likely = np.exp(scores - scores.max())
    counts = [Counter(text) for text in texts]
    expected = [
        sum(
            weight * 2 * (one & other).total() / (one.total() + other.total())
            for weight, other in zip(likely, counts, strict=True)
        )
        for one in counts
    ]
    return texts[int(np.argmax(expected))]


def _best(items: Sequence[Item], scores: Sequence[float], limit: int) -> tuple[list[Item], NDArray[np.float64]]:
    order = np.argsort(scores)[::-1][:limit]
    return [items[at] for at in order.tolist()], np.asarray(scores)[order]


def _unchanged(keep: float, scores: NDArray[np.float64]) -> float:
    highest = max(keep, float(scores.max()))
    changed = float(np.exp(scores - highest).sum())
    stay = float(np.exp(keep - highest))
    return stay / (stay + changed)


def prefixed(kind: str, features: Iterable[str]) -> list[str]:
    """Features named apart by the side they belong to."""
    return [f"{kind}:{feature}" for feature in features]


def keep_features(shown: Outline, query: str, window: Sequence[Turn]) -> list[str]:
    """What speaks for leaving the query as it is.

    Its own completeness, whether it takes up words of the talk, what kind of turn came before, and what it wants.
    """
    talk = " ".join(turn.text for turn in window[-2:])
    shared = [token.kind for token in shown.tokens if token.kind in "NPLEVAG" and token.text in talk]
    nouns, words = shown.features[0], shown.features[2]
    taken = f"taken={min(len(shared), 2)}"
    more = (taken, f"{taken}:{nouns}", f"{taken}:{words}", f"taken_up={''.join(sorted(set(shared)))}")
    return ["keep", *prefixed("keep", (*shown.features, *more, *_situation(shown, query, window)))]


def _situation(shown: Outline, query: str, window: Sequence[Turn]) -> Iterator[str]:
    asked, answered = mood(window)
    pronoun = any(token.kind == "R" and token.text not in {"那", "那么", "then"} for token in shown.tokens)
    verbs = [token.text for token in shown.tokens if token.kind == "V"]
    yield f"wants={intent_of(query)}"
    yield f"elliptic={topic_of(query) is not None}"
    for sign in (f"after={asked}", f"answer={answered}", f"turn={asked}.{answered}"):
        yield sign
        yield f"{sign}:pronoun={pronoun}"
        yield f"{sign}:{shown.features[0]}"
        yield f"{sign}:{shown.features[1]}"
    nouns = [token.text for token in shown.tokens if token.kind in "NPLE"]
    own = f"object={holds_its_object(verbs[-1]) if verbs else '-'}:{shown.features[0]}"
    yield own
    yield f"{own}:answer={answered}"
    yield f"noun_end={nouns[0][-1] if nouns else '-'}"
    yield f"noun_end={nouns[0][-1] if nouns else '-'}:words={min(len(shown.tokens), 5)}"
    yield f"verb={verbs[-1] if verbs else '-'}"
    yield f"verb_end={verbs[-1][-1] if verbs else '-'}:{shown.features[0]}"
    yield f"kinds={''.join(token.kind for token in shown.tokens if token.kind != '.')[:6]}"
