"""What the knowledge base keeps and reports: documents, chunks, releases and what differs between them."""

import hashlib
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zhiji.core.errors import EmbedderChanged
from zhiji.core.ids import content_id


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    """A chunk that ingest hands over; `index_text` is what is embedded and searched by terms.

    `start` and `end` are character offsets in the document's text; `pictures` names those that the chunk shows.
    """

    text: str
    index_text: str
    heading: str = ""
    kind: str = "text"
    page: int | None = None
    start: int = 0
    end: int = 0
    pictures: tuple[str, ...] = ()

    @property
    def embed_hash(self) -> str:
        """Names the embedding's input: chunks with the same one share a vector."""
        return hashlib.sha256(self.index_text.encode("utf-8", "replace")).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a chunk stands in its document: its key, its position and its character offsets."""

    key: str
    ordinal: int
    start: int
    end: int


def placements_of(layout: bytes) -> list[Placement]:
    """The chunks of a document in order, from the bytes that `DocumentDraft.layout` made."""
    return [Placement(key, i, s, e) for i, (key, s, e) in enumerate(json.loads(zlib.decompress(layout)))]


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """One version of a document, as the ledger keeps it."""

    id: int
    root: str
    source: str
    category: str
    title: str
    file_hash: str
    pipeline: str
    identity: str
    updated_at: str
    blocks: int
    chunks: int
    tables: int
    images: int
    layout: bytes
    from_release: int
    to_release: int

    @property
    def place(self) -> tuple[str, str]:
        """What makes it the same document in another release."""
        return self.root, self.source

    def placements(self) -> list[Placement]:
        """Its chunks in order."""
        return placements_of(self.layout)


@dataclass(frozen=True, slots=True)
class DocumentDraft:
    """A parsed document that ingest hands over; root and source together say which document it is."""

    root: str
    source: str
    title: str
    file_hash: str
    pipeline: str
    chunks: Sequence[ChunkDraft]
    category: str = ""
    updated_at: str = ""
    blocks: int = 0
    tables: int = 0
    images: int = 0

    @property
    def place(self) -> tuple[str, str]:
        """What makes it the same document in another release."""
        return self.root, self.source

    def metadata(self, chunk: ChunkDraft) -> dict[str, Any]:
        """What a point of the index carries of the document and the chunk; absent rather than null, for filters."""
        always = {"source": self.source, "title": self.title, "heading": chunk.heading, "kind": chunk.kind}
        sometimes = {
            "category": self.category or None,
            "page": chunk.page,
            "updated_at": self.updated_at or None,
            "pictures": list(chunk.pictures) or None,
        }
        return always | {name: value for name, value in sometimes.items() if value is not None}

    def keys(self) -> list[str]:
        """The key of each chunk: all that a reader can see of it, and which of several equal ones it is.

        Position and offsets are left out, so a chunk stays the same one when something is written above it.
        """
        seen: dict[str, int] = {}
        keys = []
        for chunk in self.chunks:
            said = (chunk.text, chunk.index_text, chunk.heading, chunk.kind, str(chunk.page), *chunk.pictures)
            key = content_id(self.root, self.source, self.category, self.title, *said)
            seen[key] = seen.get(key, 0) + 1
            keys.append(key if seen[key] == 1 else content_id(key, str(seen[key])))
        return keys

    def layout(self, keys: Sequence[str]) -> bytes:
        """The document's chunks and their offsets as bytes."""
        places = [(key, chunk.start, chunk.end) for key, chunk in zip(keys, self.chunks, strict=True)]
        return zlib.compress(json.dumps(places, separators=(",", ":")).encode(), 6)

    def identity_of(self, layout: bytes) -> str:
        """Changes when anything of the document that readers can see changes; the file's time alone does not."""
        digest = hashlib.sha256("\x1f".join((self.title, self.category)).encode("utf-8", "replace"))
        digest.update(zlib.decompress(layout))
        return digest.hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """One chunk in one interval of releases; `id` is its point in the vector index."""

    id: str
    key: str
    embed_hash: str
    from_release: int
    to_release: int


@dataclass(frozen=True, slots=True)
class Base:
    """A knowledge base: what it was built with, and which release its readers see (0 before the first)."""

    name: str
    model: str
    dim: int
    terms_version: str
    generation: int
    current: int
    newest: int
    created_at: str

    def require(self, model: str, dim: int, terms_version: str) -> None:
        """Refuse to compare vectors or terms of two kinds.

        Raises:
            EmbedderChanged: The base was built with another embedding model, dimension or tokeniser.
        """
        if (self.model, self.dim) != (model, dim):
            raise EmbedderChanged(
                f"The knowledge base '{self.name}' was built with {self.model} ({self.dim}), but settings name {model} "
                f"({dim}). Run `zhiji reindex --base {self.name}`, or set ZHIJI_EMBEDDING back."
            )
        if self.terms_version != terms_version:
            raise EmbedderChanged(
                f"The knowledge base '{self.name}' was indexed by an older tokeniser. "
                f"Run `zhiji reindex --base {self.name}`."
            )


@dataclass(frozen=True, slots=True)
class Release:
    """One release; `added`, `changed` and `removed` count documents against the release current before it."""

    release: int
    current: bool
    created_at: str
    added: int
    changed: int
    removed: int
    files: int
    chunks: int


@dataclass(frozen=True, slots=True)
class Difference:
    """The documents that differ between two releases, and how many chunks came and went."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    chunks_added: int
    chunks_removed: int
