"""What the next release changes: a pure comparison of what is wanted with what is kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from zhiji.core.ids import content_id
from zhiji.stores.knowledge.records import Base, ChunkDraft, DocumentDraft, StoredChunk, StoredDocument

Wanted = DocumentDraft | StoredDocument
"""A document of the next release: parsed just now, or as the current release has it."""


@dataclass(frozen=True, slots=True)
class Fresh:
    """A chunk that must be written: from a draft, or as a copy of a point that says the same in an older interval."""

    id: str
    key: str
    embed_hash: str
    document: DocumentDraft | None = None
    draft: ChunkDraft | None = None
    origin: str = ""

    @property
    def index_text(self) -> str:
        """What to embed; empty for a copy."""
        return self.draft.index_text if self.draft else ""

    def stored(self, release: int, open_end: int) -> StoredChunk:
        """Its row in the ledger."""
        return StoredChunk(self.id, self.key, self.embed_hash, release, open_end)


@dataclass(slots=True)
class Plan:
    """The next release: what to write, what to close, and what to report."""

    release: int
    unchanged: bool = False
    fresh: list[Fresh] = field(default_factory=list)
    closing: list[str] = field(default_factory=list)
    documents: list[dict[str, Any]] = field(default_factory=list)
    closed_documents: list[int] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    """Documents added, changed, removed against the current release; files and chunks of the new one."""
    chunks_added: int = 0
    chunks_removed: int = 0
    chunks_kept: int = 0


@dataclass(frozen=True, slots=True)
class Kept:
    """What the ledger holds: all chunks, and the documents of the current and of the newest release."""

    base: Base
    chunks: Sequence[StoredChunk]
    current: Sequence[StoredDocument]
    newest: Sequence[StoredDocument]

    def keys_at(self, release: int) -> dict[str, StoredChunk]:
        """The chunks of a release by key."""
        return {c.key: c for c in self.chunks if c.from_release <= release < c.to_release}


@dataclass(frozen=True, slots=True)
class _Version:
    """A wanted document with its keys, its identity and the row it would have."""

    wanted: Wanted
    keys: tuple[str, ...]
    identity: str
    row: Mapping[str, Any]


def is_unchanged(current: Sequence[StoredDocument], wanted: Sequence[Wanted]) -> bool:
    """Whether the wanted documents are just those of the current release."""
    return {d.place: d.identity for d in current} == {d.place: _version(d).identity for d in wanted}


def plan_release(kept: Kept, wanted: Sequence[Wanted]) -> Plan:
    """Compare what the next release shall hold with what is valid in the newest one and in the current one.

    Intervals continue from the newest release, the counts compare with the current one: after a rollback they differ.
    """
    base = kept.base
    versions = [_version(document) for document in wanted]
    plan = Plan(base.newest + 1)
    newest, current = kept.keys_at(base.newest), kept.keys_at(base.current)
    keys = {key for version in versions for key in version.keys}
    plan.fresh = _fresh(kept, versions, newest, plan.release)
    plan.closing = [chunk.id for key, chunk in newest.items() if key not in keys]
    plan.chunks_kept = len(keys & current.keys())
    plan.chunks_added, plan.chunks_removed = len(keys - current.keys()), len(current.keys() - keys)
    _plan_documents(plan, kept, versions)
    plan.counts |= _document_counts(kept.current, versions) | {"chunks": len(keys)}
    return plan


def _fresh(kept: Kept, versions: Sequence[_Version], valid: Mapping[str, StoredChunk], release: int) -> list[Fresh]:
    by_key = {chunk.key: chunk for chunk in kept.chunks}
    fresh = []
    for version in versions:
        for position, key in enumerate(version.keys):
            if key in valid:
                continue
            point = content_id(kept.base.name, key, str(release))
            if isinstance(version.wanted, DocumentDraft):
                draft = version.wanted.chunks[position]
                fresh.append(Fresh(point, key, draft.embed_hash, version.wanted, draft))
            else:
                fresh.append(Fresh(point, key, by_key[key].embed_hash, origin=by_key[key].id))
    return fresh


def _plan_documents(plan: Plan, kept: Kept, versions: Sequence[_Version]) -> None:
    wanted = {version.wanted.place: version for version in versions}
    valid = {document.place: document for document in kept.newest}
    for place, document in valid.items():
        if place not in wanted or wanted[place].identity != document.identity:
            plan.closed_documents.append(document.id)
    for place, version in wanted.items():
        if place not in valid or valid[place].identity != version.identity:
            plan.documents.append(dict(version.row))


def _document_counts(current: Sequence[StoredDocument], versions: Sequence[_Version]) -> dict[str, int]:
    before = {document.place: document.identity for document in current}
    after = {version.wanted.place: version.identity for version in versions}
    return {
        "added": len(after.keys() - before.keys()),
        "changed": sum(before[place] != after[place] for place in after.keys() & before.keys()),
        "removed": len(before.keys() - after.keys()),
        "files": len(after),
    }


def _version(document: Wanted) -> _Version:
    if isinstance(document, StoredDocument):
        keys = tuple(place.key for place in document.placements())
        return _Version(document, keys, document.identity, _row(document, document.identity, document.layout))
    keys = tuple(document.keys())
    layout = document.layout(keys)
    identity = document.identity_of(layout)
    return _Version(document, keys, identity, _row(document, identity, layout))


def _row(document: Wanted, identity: str, layout: bytes) -> dict[str, Any]:
    names = ("root", "source", "category", "title", "file_hash", "pipeline", "updated_at", "blocks", "tables", "images")
    chunks = document.chunks if isinstance(document, StoredDocument) else len(document.chunks)
    row = {name: getattr(document, name) for name in names}
    return row | {"identity": identity, "layout": layout, "chunks": chunks}
