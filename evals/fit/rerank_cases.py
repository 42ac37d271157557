"""The questions the reranker is fitted on, each with what a search of its documents finds."""

import hashlib
import json
import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zhiji.core.tokens import terms
from zhiji.core.turn import Found, Hit
from zhiji.evals.knowledge_lines import Piece, bare_evidence, held_by, read_questions
from zhiji.evals.lines import Half
from zhiji.evals.texts import bare
from zhiji.ingest.chunk import chunk, index_text
from zhiji.ingest.load import MAX_TOKENS
from zhiji.ingest.parse import parse
from zhiji.models.embed import Embedder, Matrix, Vector
from zhiji.models.ranking_views import Floats
from zhiji.stores.knowledge.bm25 import term_id, weigh
from zhiji.stores.knowledge.search import POOL
from zhiji.stores.vectors.base import SparseVector

OWN = Path(__file__).with_name("rerank_own.jsonl")
FAMILIES = frozenset({"reports", "acceptance", "datasheets", "plants"})
"""Bases whose documents differ in their subject alone."""
CODES = "codes_"
"""What the names of bases begin with that are asked for codes, part numbers, dates and amounts, in both languages."""


@dataclass(frozen=True, slots=True)
class Case:
    """A question, what was found for it, and which chunks hold each evidence; none: it must be refused."""

    kind: str
    question: str
    found: Found
    right: tuple[frozenset[str], ...] = ()

    @property
    def ids(self) -> frozenset[str]:
        """The chunks that hold any of the evidence."""
        return frozenset().union(*self.right)


@dataclass(frozen=True, slots=True)
class Indexed:
    """A chunk as it is found, and what is indexed of it."""

    hit: Hit
    index: str


class Search:
    """The product's search in memory: the same terms, weights and pools, with documents left out at will."""

    def __init__(self, chunks: Sequence[Indexed], vectors: Matrix) -> None:
        self.chunks, self.vectors = chunks, vectors
        self._sources = np.array([chunk.hit.source for chunk in chunks])
        self._ids = np.array([chunk.hit.id for chunk in chunks])
        self._held = _postings([weigh(chunk.index) for chunk in chunks])

    def find(self, text: str, vector: Vector, allowed: Collection[str], cut: Collection[str] = ()) -> Found:
        """What both channels find for a question in the allowed documents, less the chunks that are cut out of them."""
        open_ = np.isin(self._sources, list(allowed)) & ~np.isin(self._ids, list(cut))
        total, nothing = int(open_.sum()), (np.empty(0, dtype=np.int64), np.empty(0))
        bm25, idf = np.zeros(len(self.chunks)), {}
        for term in dict.fromkeys(terms(text)):
            rows, weights = self._held.get(term_id(term), nothing)
            holding = int(open_[rows].sum())
            idf[term] = math.log(1 + (total - holding + 0.5) / (holding + 0.5))
            bm25[rows] += idf[term] * weights
        dense = (self.vectors @ vector).astype(np.float64)
        by_dense = _ranks(np.where(open_, dense, -np.inf))
        by_bm25 = _ranks(np.where(open_ & (bm25 > 0), bm25, -np.inf))
        union = sorted({*by_dense, *by_bm25}, key=lambda row: -float(dense[row]))
        return Found(1, [self._hit(row, dense, bm25, by_dense, by_bm25) for row in union], idf)

    def ids_of(self, documents: Collection[str]) -> set[str]:
        """The chunks of these documents."""
        return {chunk.hit.id for chunk in self.chunks if chunk.hit.source in documents}

    def _hit(self, row: int, dense: Floats, bm25: Floats, by_dense: dict[int, int], by_bm25: dict[int, int]) -> Hit:
        return replace(
            self.chunks[row].hit,
            dense=float(dense[row]),
            bm25=float(bm25[row]),
            dense_rank=by_dense.get(row),
            bm25_rank=by_bm25.get(row),
        )


def _postings(weights: Sequence[SparseVector]) -> dict[int, tuple[NDArray[np.int64], Floats]]:
    """For each term id, the chunks that hold it and their weights."""
    held: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for row, vector in enumerate(weights):
        for one, weight in zip(vector.ids.tolist(), vector.weights.tolist(), strict=True):
            held[one].append((row, weight))
    return {one: (np.array([r for r, _ in rows]), np.array([w for _, w in rows])) for one, rows in held.items()}


def _ranks(scores: Floats) -> dict[int, int]:
    best = np.argsort(-scores, kind="stable")[:POOL]
    return {int(row): rank for rank, row in enumerate(best[np.isfinite(scores[best])], 1)}


def folder_cases(kind: str, folder: Path, half: Half, embedder: Embedder) -> Iterator[Case]:
    """The questions of a `kb` set, each asked of all its documents, and of less.

    Kinds: `KIND`; `KIND_withheld`, without the documents that answer; `KIND_cut`, without the chunks that answer, where
    something of their documents is left; `KIND_open`, those that no document answers.
    """
    files = sorted(path for path in (folder / "docs").rglob("*") if path.is_file())
    chunks = [one for path in files for one in _cut(path, path.relative_to(folder / "docs").as_posix(), embedder)]
    search = Search(chunks, embedder.passages([one.index for one in chunks]))
    pieces = defaultdict(list)
    for one in chunks:
        pieces[one.hit.source].append(Piece(one.hit.id, one.hit.source, bare(one.hit.text)))
    for line in read_questions(folder, half):
        vector, pool = embedder.query(line.question), line.pool or list(pieces)
        if not line.answerable:
            yield Case(f"{kind}_open", line.question, search.find(line.question, vector, pool))
            continue
        evidence = bare_evidence(line)
        near = [piece for source in line.docs for piece in pieces[source]]
        right = [frozenset(p.id for p in near if one in held_by(p, line, evidence)) for one in evidence]
        yield Case(kind, line.question, search.find(line.question, vector, pool), tuple(right))
        others = set(pool) - set(line.docs)
        yield Case(f"{kind}_withheld", line.question, search.find(line.question, vector, others))
        answering = frozenset().union(*right)
        if {piece.id for piece in near} - answering:
            yield Case(f"{kind}_cut", line.question, search.find(line.question, vector, pool, answering))


def _cut(path: Path, source: str, embedder: Embedder) -> Iterator[Indexed]:
    document = parse(path, source)
    for one in chunk(document, max_tokens=MAX_TOKENS, count_tokens=embedder.token_count):
        yield Indexed(Hit(f"{source}#{one.ordinal}", one.text, one.title, one.heading, source, 1), index_text(one))


def own_cases(embedder: Embedder, file: Path = OWN) -> Iterator[Case]:
    """Questions written for this: asked of their own base, of all bases, of one document, and of the wrong base.

    Kinds: `own`, `all` and `tiny`, the first two also `_withheld`, `_cut` and `_open` as above, `tiny` of another
    document as `tiny_withheld`; `off` for the wrong base. Bases of look-alike documents have `family_` before it,
    those of codes `codes_`.
    """
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    chunks = [_passage(line) for line in lines if "passage" in line]
    search = Search(chunks, embedder.passages([one.index for one in chunks]))
    bases: dict[str, set[str]] = defaultdict(set)
    for one in chunks:
        bases[one.hit.source.partition(":")[0]].add(one.hit.source)
    languages = {line["base"]: line["lang"] for line in lines}
    for line in lines:
        if "question" in line:
            yield from _own(line, search, bases, languages, embedder.query(line["question"]))


def _passage(line: dict[str, str]) -> Indexed:
    title, heading = line["title"], line["heading"]
    hit = Hit(f"{line['base']}:{line['passage']}", line["text"], title, heading, f"{line['base']}:{title}", 1)
    return Indexed(hit, "\n".join(part for part in (title, heading, line["text"]) if part))


def _own(
    line: dict[str, str], search: Search, bases: dict[str, set[str]], languages: dict[str, str], vector: Vector
) -> Iterator[Case]:
    base, question = line["base"], line["question"]
    family = "family_" if base in FAMILIES else CODES if base.startswith(CODES) else ""
    right = tuple(frozenset({f"{base}:{one}"}) for one in line["answers"])
    docs = {f"{base}:{one.partition('/')[0]}" for one in line["answers"]}
    everything = set().union(*bases.values())
    for kind, pool in (("own", bases[base]), ("all", everything)):
        if right:
            yield Case(family + kind, question, search.find(question, vector, pool), right)
            yield Case(f"{family}{kind}_withheld", question, search.find(question, vector, pool - docs))
            answering = frozenset().union(*right)
            if search.ids_of(docs) - answering:
                yield Case(f"{family}{kind}_cut", question, search.find(question, vector, pool, answering))
        else:
            yield Case(f"{family}{kind}_open", question, search.find(question, vector, pool))
    alike = sorted(one for one in bases if one != base and languages[one] == languages[base])
    wrong = bases[_drawn(alike, question)]
    yield Case(family + "off", question, search.find(question, vector, wrong))
    if right:
        yield Case(family + "tiny", question, search.find(question, vector, docs), right)
        another = {_drawn(sorted(bases[base] - docs), question)}
        yield Case(f"{family}tiny_withheld", question, search.find(question, vector, another))


def _drawn(from_these: Sequence[str], question: str) -> str:
    """One of them, the same at every run."""
    return from_these[int(hashlib.sha256(question.encode()).hexdigest(), 16) % len(from_these)]
