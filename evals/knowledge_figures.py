"""The figures of the suite `kb`: evidence found by rank, questions refused, and the stage that lost each evidence."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from zhiji.evals.metrics import ALL_CUT, CUTS, DEPTH, Metrics, auc, balanced_error, gain, means, share

STAGES = ("not_parsed", "cut", "filter", "retrieval", "dedup", "rerank", "threshold")


@dataclass(frozen=True, slots=True)
class Asked:
    """One question as it went: the evidence each ranked chunk holds, and the best chunk's score."""

    id: str
    category: str
    answerable: bool
    evidence: Sequence[str]
    ranked: Sequence[set[str]]
    best: float
    milliseconds: float = 0.0
    embed_milliseconds: float = 0.0
    lost: dict[str, str] = field(default_factory=dict)
    """The stage that lost an evidence, for each that did not reach the prompt."""
    query: str = ""


def ranking_scores(ranked: Sequence[set[str]], evidence: Sequence[str]) -> dict[str, float]:
    """The figures of one ranking: an evidence counts where the first chunk that holds it stands.

    >>> ranking_scores([{"a"}, set(), {"b"}], ["a", "b"])["recall@1"]
    0.5
    """
    first = {one: next((place for place, held in enumerate(ranked, 1) if one in held), 0) for one in evidence}
    found = {cut: sum(0 < place <= cut for place in first.values()) / len(evidence) for cut in CUTS}
    return {
        **{f"recall@{cut}": found[cut] for cut in CUTS},
        f"all@{ALL_CUT}": float(found[ALL_CUT] == 1.0),
        f"ndcg@{DEPTH}": _ndcg(list(first.values())),
        "mrr": max((1 / place for place in first.values() if 0 < place <= DEPTH), default=0.0),
    }


def _ndcg(places: Sequence[int]) -> float:
    """Normalised discounted cumulative gain of the chunks that bring evidence, each at its place from 1; 0: not found.

    A chunk counts once, where it brings the first of its evidence. The best ranking has those chunks at its head, and
    one more for each evidence that no ranked chunk holds.
    """
    bringing = sorted({place for place in places if place})
    wanted = len(bringing) + sum(not place for place in places)
    return sum(gain(place) for place in bringing if place <= DEPTH) / sum(map(gain, range(1, min(wanted, DEPTH) + 1)))


def ranking_figures(asked: Sequence[Asked]) -> Metrics:
    """The mean figures over the answerable questions."""
    return means([ranking_scores(one.ranked, one.evidence) for one in asked if one.answerable])


def refusal_figures(asked: Sequence[Asked], threshold: float) -> Metrics:
    """How well the best score tells what the documents answer from what they do not."""
    answers = [one.best >= threshold for one in asked if not one.answerable]
    refusals = [one.best < threshold for one in asked if one.answerable]
    return {
        "auc_abstain": auc([one.best for one in asked], [one.answerable for one in asked]),
        "false_answer_rate": share(sum(answers), len(answers)),
        "false_refusal_rate": share(sum(refusals), len(refusals)),
        "balanced_error": balanced_error(answers, refusals),
    }


def lost_counts(asked: Sequence[Asked]) -> dict[str, int]:
    """How many evidence each stage lost, and how many reached the prompt."""
    lost = Counter(stage for one in asked for stage in one.lost.values())
    evidence = sum(len(one.evidence) for one in asked if one.answerable)
    return {"evidence": evidence, "reached_prompt": evidence - lost.total(), **{stage: lost[stage] for stage in STAGES}}


def by_category(asked: Sequence[Asked]) -> dict[str, Metrics]:
    """The ranking figures of each category of question."""
    names = sorted({one.category for one in asked if one.answerable})
    grouped = {name: [one for one in asked if one.category == name and one.answerable] for name in names}
    return {name: {"n": len(some), **ranking_figures(some)} for name, some in grouped.items()}
