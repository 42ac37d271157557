"""Naming the stage at which an expected text was lost between the files and the prompt: pure functions."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from zhiji.core.text import clean, fold
from zhiji.core.turn import Found, Hit
from zhiji.stores.knowledge.retriever import fused
from zhiji.stores.vectors.base import IndexedChunk, Where

Loss = Literal["not_parsed", "cut", "filter", "retrieval", "dedup", "rerank", "threshold", "budget"]
LOSSES: tuple[Loss, ...] = get_args(Loss)

ENOUGH = 0.6
"""Share of the expected text that a chunk must hold in one piece; DESIGN §8."""
WHOLE_BELOW = 10
"""Characters below which the whole text is asked for: six of ten say something, two of three do not."""
CUT_COVERS = 0.9
SHORTEST_PIECE = 4
_MARKS = re.compile(r"[\s*_`|#>~]+")


@dataclass(frozen=True, slots=True)
class Trace:
    """One question's way through search, stage by stage.

    `documents` are all chunks of the release, each document's in order, whatever the filter; `prompt` are the ids that
    entered the prompt. `dense_order` and `bm25_order` may reach beyond the pools, to tell how far off a chunk was.
    """

    query: str
    release: int
    documents: Sequence[Sequence[IndexedChunk]]
    where: Where
    found: Found
    deduped: Sequence[Hit]
    reranked: Sequence[tuple[Hit, float]]
    keep: int
    threshold: float
    prompt: Sequence[str]
    dense_order: Sequence[str] = ()
    bm25_order: Sequence[str] = ()

    def kept(self) -> list[tuple[Hit, float]]:
        """What the reranker's cut leaves."""
        return list(self.reranked[: self.keep])

    def passing(self) -> list[tuple[Hit, float]]:
        """What also passes the threshold."""
        return [(hit, score) for hit, score in self.kept() if score >= self.threshold]


def staged(trace: Trace) -> dict[str, Any]:
    """The stages of a search as JSON."""
    return {"query": trace.query, "release": trace.release, "stages": _stages(trace)}


def compared(now: Trace, other: Trace) -> dict[str, Any]:
    """What the prompt of another release holds that this one's does not, and the other way round.

    A chunk that stayed has another id where the releases keep a copy each, so chunks are told apart by what they say.
    """
    ours, theirs = _said(now), _said(other)
    return {
        "release": other.release,
        "only_here": [item for said, item in ours.items() if said not in theirs],
        "only_there": [item for said, item in theirs.items() if said not in ours],
    }


def _said(trace: Trace) -> dict[tuple[str, str], dict[str, Any]]:
    entered = set(trace.prompt)
    return {(hit.source, hit.text): _item(hit, score) for hit, score in trace.passing() if hit.id in entered}


def lost_at(trace: Trace, expect: str) -> Loss | None:
    """The first stage after which no chunk holding the text was left; None if one entered the prompt."""
    holders = holding(trace.documents, expect)
    if not holders:
        return "cut" if _is_cut(trace.documents, expect) else "not_parsed"
    ids = {chunk.id for chunk in holders}
    survivors: list[tuple[Loss, Iterable[str]]] = [
        ("filter", (chunk.id for chunk in holders if _passes(chunk, trace.where))),
        ("retrieval", (hit.id for hit in trace.found.hits)),
        ("dedup", (hit.id for hit in trace.deduped)),
        ("rerank", (hit.id for hit, _ in trace.kept())),
        ("threshold", (hit.id for hit, _ in trace.passing())),
        ("budget", trace.prompt),
    ]
    return next((stage for stage, left in survivors if ids.isdisjoint(left)), None)


def holding(documents: Iterable[Sequence[IndexedChunk]], expect: str) -> list[IndexedChunk]:
    """The chunks that hold a text, or as much of it in one piece as counts."""
    wanted = squashed(expect)
    need = len(wanted) if len(wanted) < WHOLE_BELOW else ENOUGH * len(wanted)
    chunks = [chunk for document in documents for chunk in document]
    return [chunk for chunk in chunks if max(_piece(wanted, copy)[1] for copy in _copies(chunk)) >= need]


def squashed(text: str) -> str:
    """A text as it is compared: folded, without spaces and Markdown's marks.

    >>> squashed("**退 貨** | 7天")
    '退货7天'
    """
    return _MARKS.sub("", fold(clean(text)))


def _is_cut(documents: Iterable[Sequence[IndexedChunk]], expect: str) -> bool:
    """Whether the chunks of one document together hold nearly all of a text that none of them holds."""
    wanted = squashed(expect)
    for document in documents:
        covered: set[int] = set()
        for chunk in document:
            start, length = max((_piece(wanted, copy) for copy in _copies(chunk)), key=lambda piece: piece[1])
            if length >= min(SHORTEST_PIECE, len(wanted)):
                covered.update(range(start, start + length))
        if len(covered) >= CUT_COVERS * len(wanted):
            return True
    return False


def _piece(wanted: str, text: str) -> tuple[int, int]:
    """Start and length of the longest piece of `wanted` that stands in `text`."""
    if wanted in text:
        return 0, len(wanted)
    best, at = 0, 0
    for start in range(len(wanted)):
        while start + best < len(wanted) and wanted[start : start + best + 1] in text:
            best, at = best + 1, start
    return at, best


def _copies(chunk: IndexedChunk) -> tuple[str, str]:
    return squashed(chunk.text), squashed(chunk.index_text)


def _passes(chunk: IndexedChunk, where: Where) -> bool:
    about = chunk.metadata
    return (not where.categories or about.get("category") in where.categories) and (
        not where.sources or about.get("source") in where.sources
    )


def _stages(trace: Trace) -> list[dict[str, Any]]:
    hits = trace.found.hits
    dense = sorted((hit for hit in hits if hit.dense_rank), key=lambda hit: hit.dense_rank or 0)
    bm25 = sorted((hit for hit in hits if hit.bm25_rank), key=lambda hit: hit.bm25_rank or 0)
    passing = trace.passing()
    stages = {
        "dense": [(hit, hit.dense) for hit in dense],
        "bm25": [(hit, hit.bm25) for hit in bm25],
        "fused": [(hit, fused(hit)) for hit in _by_fusion(hits)],
        "dedup": [(hit, fused(hit)) for hit in trace.deduped],
        "rerank": list(trace.reranked),
        "threshold": passing,
        "prompt": [(hit, score) for hit, score in passing if hit.id in set(trace.prompt)],
    }
    return [{"name": name, "items": [_item(hit, score) for hit, score in pairs]} for name, pairs in stages.items()]


def _item(hit: Hit, score: float) -> dict[str, Any]:
    return {"id": hit.id, "score": score, "source": hit.source, "heading": hit.heading, "text": hit.text}


def expectation(trace: Trace, expect: str) -> dict[str, Any]:
    """Whether a text entered the prompt, else the stage that lost it, the ranks it had, and what to try."""
    ids = {chunk.id for chunk in holding(trace.documents, expect)}
    hits = trace.found.hits
    ranks = {
        "dense": _rank(ids, trace.dense_order) or _least(hit.dense_rank for hit in hits if hit.id in ids),
        "bm25": _rank(ids, trace.bm25_order) or _least(hit.bm25_rank for hit in hits if hit.id in ids),
        "fused": _rank(ids, [hit.id for hit in _by_fusion(hits)]),
        "rerank": _rank(ids, [hit.id for hit, _ in trace.reranked]),
    }
    lost = lost_at(trace, expect)
    return {"text": expect, "found": lost is None, "lost_at": lost, "ranks": ranks, "hint": _hint(lost, ranks, trace)}


def _by_fusion(hits: Sequence[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda hit: (-fused(hit), hit.id))


def _rank(ids: set[str], order: Sequence[str]) -> int | None:
    return next((rank for rank, one in enumerate(order, 1) if one in ids), None)


def _least(ranks: Iterable[int | None]) -> int | None:
    return min((rank for rank in ranks if rank is not None), default=None)


def _hint(lost: Loss | None, ranks: dict[str, int | None], trace: Trace) -> str:
    hints: dict[Loss | None, str] = {
        None: "It entered the prompt.",
        "not_parsed": "No document of this release holds it: look at the ingest report, or at the spelling.",
        "cut": "It is spread over several chunks, none of which holds enough of it.",
        "filter": "The category or source filter excludes the chunk that holds it.",
        "retrieval": f"It is number {ranks['dense'] or '-'} by meaning and {ranks['bm25'] or '-'} by words; "
        "each channel passes on its best 20.",
        "dedup": "A chunk that says nearly the same was kept in its place.",
        "rerank": f"The reranker put it at {ranks['rerank']}; the best {trace.keep} are kept.",
        "threshold": f"Its relevance is below the threshold of {trace.threshold:.2f}.",
        "budget": "It was relevant enough, but the prompt's budget was used up.",
    }
    return hints[lost]
