"""Reading files into the next release of a knowledge base: parse, chunk, embed, publish."""

import asyncio
import errno
import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy.exc import OperationalError

from zhiji.core.errors import ZhijiError
from zhiji.core.settings import Settings
from zhiji.core.text import clean
from zhiji.core.time import iso
from zhiji.ingest.blocks import Document
from zhiji.ingest.chunk import OVERLAP, SIZE, STRATEGIES, Strategy, chunk, index_text
from zhiji.ingest.embed_pool import EmbedPool
from zhiji.ingest.files import read_file
from zhiji.ingest.ocr import is_installed
from zhiji.ingest.parse import most_bytes, parse, parser_for
from zhiji.ingest.report import FileReport, ParseFailed
from zhiji.ingest.roots import RootedFile, Survey, survey
from zhiji.models.embed import Embedder
from zhiji.stores.knowledge.pictures import keep_pictures, picture_folder
from zhiji.stores.knowledge.plan import Wanted
from zhiji.stores.knowledge.rebuild import rebuild
from zhiji.stores.knowledge.records import ChunkDraft, DocumentDraft, StoredDocument
from zhiji.stores.knowledge.update import Outcome, Target, update

PIPELINE = 1
"""Raise it when the parsers or the chunker change, so that unchanged files are read again."""
MAX_TOKENS = 500
"""Tokens of a chunk; the embedding models in use take 512 with their prefix."""
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}

Progress = Callable[[str, int, int], None]


@dataclass(slots=True)
class IngestReport:
    """What an ingest did, for the user; chunks are counted against the release that was current before."""

    base: str
    outcome: Outcome
    files: list[FileReport] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The report as the command line prints it."""
        done = self.outcome
        return {
            "base": self.base,
            "release": done.release,
            "unchanged": done.unchanged,
            "embedded": done.embedded,
            "chunks": {"added": done.added, "removed": done.removed, "kept": done.kept},
            "files": [asdict(file) for file in self.files],
        }


async def ingest(
    paths: Sequence[Path],
    *,
    base: str = "default",
    category: str | None = None,
    chunking: Strategy | None = None,
    settings: Settings,
    embedder: Embedder,
    progress: Progress | None = None,
) -> IngestReport:
    """Bring a base to what the files now say, as a new release; unchanged files cost nothing.

    Each path is a root: what vanished below a folder is removed, a single file removes nothing else. A file that
    cannot be read keeps the version that the base has of it.

    Args:
        paths: Files and folders.
        base: Which knowledge base.
        category: What these documents are about; None keeps what each had.
        chunking: What decides where chunks begin; None keeps what each document had, `structure` at first.
        settings: The home folder and the waiting time of locks.
        embedder: Embeds the chunks; the base must have been built with the same one.
        progress: Told the step (`read`, `embed`, `index`), how much is done, and how much there is.

    Raises:
        InvalidInput: There is nothing at a path.
        EmbedderChanged: The base was built with another embedding model.
        StoreLocked: Another ingest runs, or another process holds the engine.
        ZhijiError: The disk is full; the old release is intact.
    """
    tell = progress or _silent
    reading = _Reading(paths, category, chunking, embedder, tell, picture_folder(settings.home, base))
    with _disk_errors(settings.home):
        target = Target(settings.home, base, settings, embedder)
        outcome = await update(target, reading.collect, EmbedPool(embedder), tell)
    return IngestReport(base, outcome, reading.reports)


async def reindex(
    base: str = "default", *, settings: Settings, embedder: Embedder, progress: Progress | None = None
) -> int:
    """Embed all of a base again, beside the old index, and switch when complete; returns the number of chunks."""
    with _disk_errors(settings.home):
        target = Target(settings.home, base, settings, embedder)
        return await rebuild(target, EmbedPool(embedder), progress or _silent)


class _Reading:
    """One pass over the files: which documents the next release has, and a line of report on each file."""

    def __init__(
        self,
        paths: Sequence[Path],
        category: str | None,
        chunking: Strategy | None,
        embedder: Embedder,
        tell: Progress,
        pictures: Path,
    ) -> None:
        self._paths = paths
        self._category = clean(category) if category is not None else None
        self._chunking = chunking
        self._embedder = embedder
        self._tell = tell
        self._pictures = pictures
        self.reports: list[FileReport] = []

    async def collect(self, current: Sequence[StoredDocument]) -> list[Wanted]:
        """The documents of the next release, given those of the current one."""
        found = await asyncio.to_thread(survey, self._paths, current)
        known = {document.place: document for document in current}
        wanted: list[Wanted] = []
        for done, file in enumerate(found.files):
            self._tell("read", done, len(found.files))
            document, report = await asyncio.to_thread(self._read, file, known.get(file.place))
            self.reports.append(report)
            if document is not None:
                wanted.append(document)
        self._tell("read", len(found.files), len(found.files))
        self.reports += found.problems
        return wanted + _untouched(current, found)

    def _read(self, rooted: RootedFile, known: StoredDocument | None) -> tuple[Wanted | None, FileReport]:
        source = rooted.file.source
        try:
            return self._parsed(rooted, known)
        except ParseFailed as failed:
            report = failed.report(source)
        except OSError as failed:
            if failed.errno in _FULL:
                raise
            report = FileReport(source, "failed", f"cannot be read: {failed}"[:300])
        except Exception as unforeseen:  # one file that no parser foresaw must not stop the others
            report = FileReport(source, "failed", f"cannot be read: {type(unforeseen).__name__}: {unforeseen}"[:300])
        if known is not None and report.status in ("failed", "unsupported"):
            return known, replace(report, reason=f"{report.reason}; the version read before stays")
        return None, report

    def _parsed(self, rooted: RootedFile, known: StoredDocument | None) -> tuple[Wanted, FileReport]:
        data = read_file(rooted.file, most_bytes(rooted.file.source))
        strategy = self._chunking or _strategy_of(known)
        digest, pipeline = hashlib.sha256(data).hexdigest(), self._pipeline(rooted.file.source, strategy)
        if known and (known.file_hash, known.pipeline) == (digest, pipeline) and self._same_category(known):
            return known, _report(known, "unchanged")
        parsed = parse(data, rooted.file.source)
        draft = DocumentDraft(
            root=str(rooted.root),
            source=rooted.file.source,
            title=parsed.title,
            file_hash=digest,
            pipeline=pipeline,
            chunks=self._chunks(parsed, strategy),
            category=self._category_of(parsed, known),
            updated_at=iso(datetime.fromtimestamp(rooted.file.path.stat().st_mtime, UTC)),
            blocks=len(parsed.blocks),
            tables=parsed.count("table"),
            images=parsed.count("image"),
        )
        keep_pictures(self._pictures, parsed.pictures)
        loaded = _report(draft, "loaded")
        return draft, replace(loaded, reason="; ".join(parsed.notes), pages=parsed.pages, pages_skipped=parsed.skipped)

    def _chunks(self, document: Document, strategy: Strategy) -> list[ChunkDraft]:
        counter, embed = self._embedder.token_count, self._embedder.passages
        cut = chunk(document, max_tokens=MAX_TOKENS, count_tokens=counter, strategy=strategy, embed=embed)
        return [
            ChunkDraft(one.text, index_text(one), one.heading, one.kind, one.page, one.start, one.end, one.pictures)
            for one in cut
        ]

    def _pipeline(self, source: str, strategy: Strategy) -> str:
        """What a file was read and cut with; where pictures can be read, files that may hold some are read again."""
        ocr = "/ocr" if parser_for(source).binary and is_installed() else ""
        return f"{PIPELINE}/{SIZE}/{OVERLAP}/{MAX_TOKENS}/{self._embedder.model_id}{ocr}{'' if strategy == 'structure' else f'/{strategy}'}"

    def _same_category(self, known: StoredDocument) -> bool:
        return self._category is None or self._category == known.category

    def _category_of(self, document: Document, known: StoredDocument | None) -> str:
        if self._category is not None:
            return self._category
        return document.meta.get("category") or (known.category if known else "")


def _untouched(current: Sequence[StoredDocument], found: Survey) -> list[Wanted]:
    """The documents that this ingest neither read nor found gone."""
    read = {str(Path(*file.place)) for file in found.files}
    others = (document for document in current if str(Path(*document.place)) not in read)
    return [document for document in others if not found.answers_for(document)]


def _strategy_of(known: StoredDocument | None) -> Strategy:
    """How a document was cut before."""
    named = known.pipeline.rpartition("/")[2] if known else ""
    return next((one for one in STRATEGIES if one == named), "structure")


def _report(document: Wanted, status: Any) -> FileReport:
    chunks = document.chunks if isinstance(document, StoredDocument) else len(document.chunks)
    return FileReport(document.source, status, "", document.blocks, chunks, document.tables, document.images)


@contextmanager
def _disk_errors(home: Path) -> Iterator[None]:
    """Turn what the system says of a full or unwritable disk into a line that helps."""
    try:
        yield
    except OperationalError as failed:
        raise ZhijiError(f"{home} cannot be written: {failed.orig}. The current release is intact.") from failed
    except OSError as failed:
        what = "The disk is full" if failed.errno in _FULL else f"{home} cannot be written ({failed.strerror})"
        raise ZhijiError(
            f"{what}. The current release is intact; free some space and run the command again."
        ) from failed


def _silent(_step: str, _done: int, _all: int) -> None:
    pass
