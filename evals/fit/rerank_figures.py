"""What the fitted reranker reaches on questions, as lines to read."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from zhiji.core.turn import Hit
from zhiji.evals.fit.rerank_cases import Case
from zhiji.evals.metrics import auc
from zhiji.models.rerank_features import RerankWeights, rank

CUTS = (1, 3, 5, 10)
Order = Callable[[Case], list[Hit]]


def ranking_lines(cases: Sequence[Case], weights: RerankWeights) -> Iterator[str]:
    """Recall of evidence at each cut: BM25, dense, their reciprocal ranks, the reranker, and what passes the floor."""
    floor = weights.threshold

    def after_floor(case: Case) -> list[Hit]:
        return [hit for hit, chance in rank(case.question, case.found, weights) if chance >= floor]

    orders: dict[str, Order] = {
        "bm25": lambda case: sorted(case.found.hits, key=lambda hit: -hit.bm25),
        "dense": lambda case: sorted(case.found.hits, key=lambda hit: -hit.dense),
        "rrf": lambda case: sorted(case.found.hits, key=_fused),
        "rerank": lambda case: [hit for hit, _ in rank(case.question, case.found, weights)],
        "after floor": after_floor,
    }
    for kind, held in _by_kind([case for case in cases if case.right]).items():
        for name, order in orders.items():
            found = [[hit.id for hit in order(case)[: CUTS[-1]]] for case in held]
            at = [np.mean([_recall(ids[:cut], case) for ids, case in zip(found, held, strict=True)]) for cut in CUTS]
            yield f"{kind:16} n={len(held):5} {name:12} " + "  ".join(
                f"@{cut} {value:.3f}" for cut, value in zip(CUTS, at, strict=True)
            )


def refusal_lines(cases: Sequence[Case], weights: RerankWeights) -> Iterator[str]:
    """How well the best hit's probability tells what is answered from what is not, and the errors at the threshold."""
    best = {kind: [_best(case, weights) for case in held] for kind, held in _by_kind(cases).items()}
    for kind, chances in best.items():
        yes = kind.removesuffix("_withheld").removesuffix("_cut").removesuffix("_open")
        yes = yes.replace("off", "own")
        if kind == yes or yes not in best:
            continue
        area = auc([*best[yes], *chances], [True] * len(best[yes]) + [False] * len(chances))
        answered = np.mean([chance >= weights.threshold for chance in chances])
        refused = np.mean([chance < weights.threshold for chance in best[yes]])
        yield (
            f"{kind:20} n={len(best[yes])}+{len(chances)}  auc {area:.3f}  "
            f"false answers {answered:.3f}  false refusals {refused:.3f}  at {weights.threshold}"
        )


def _by_kind(cases: Sequence[Case]) -> dict[str, list[Case]]:
    kinds: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        kinds[case.kind].append(case)
    return kinds


def _best(case: Case, weights: RerankWeights) -> float:
    return max((chance for _, chance in rank(case.question, case.found, weights)), default=0.0)


def _fused(hit: Hit) -> float:
    return -sum(1 / (60 + at) for at in (hit.dense_rank, hit.bm25_rank) if at is not None)


def _recall(ids: Sequence[str], case: Case) -> float:
    return float(np.mean([bool(one & set(ids)) for one in case.right]))
