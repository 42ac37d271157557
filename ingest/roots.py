"""Which files an ingest reads, which documents it answers for, and what each is called."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from zhiji.ingest.files import SourceFile, find_files
from zhiji.ingest.report import FileReport
from zhiji.stores.knowledge.records import StoredDocument


@dataclass(frozen=True, slots=True)
class RootedFile:
    """A file with the root it belongs to; both together name its document."""

    root: Path
    file: SourceFile

    @property
    def place(self) -> tuple[str, str]:
        """The document's name in the base."""
        return str(self.root), self.file.source


@dataclass(slots=True)
class Survey:
    """What lies below the given paths."""

    files: list[RootedFile] = field(default_factory=list)
    problems: list[FileReport] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)
    """Roots that are folders: documents that vanished below them are removed."""
    unseen: list[Path] = field(default_factory=list)
    """What could not be looked into; nothing below it counts as vanished."""

    def answers_for(self, document: StoredDocument) -> bool:
        """Whether a document that was not found again is gone, rather than outside or out of sight."""
        path = Path(document.root, document.source)
        inside = any(path.is_relative_to(folder) for folder in self.folders)
        return inside and not any(path.is_relative_to(hidden) for hidden in self.unseen)


def survey(paths: Iterable[Path], known: Sequence[StoredDocument]) -> Survey:
    """Find the files below each path, each file once; a single file keeps the name that the base knows it by.

    Raises:
        InvalidInput: There is nothing at a path, or it may not be entered.
    """
    found = Survey()
    names = {str(Path(document.root, document.source)): document.place for document in known}
    seen: set[str] = set()
    for path in paths:
        below = find_files(path)
        folder = path.is_dir()
        root = path.resolve() if folder else path.parent.resolve()
        found.problems += below.problems
        found.unseen += [_unseen(root, problem.path, bool(below.files)) for problem in below.problems]
        found.folders += [root] if folder else []
        for file in below.files:
            where = str(root / file.source)
            if where not in seen:
                seen.add(where)
                found.files.append(_rooted(root, file, None if folder else names.get(where)))
    return found


def _rooted(root: Path, file: SourceFile, known: tuple[str, str] | None) -> RootedFile:
    if known is None:
        return RootedFile(root, file)
    return RootedFile(Path(known[0]), SourceFile(file.path, known[1]))


def _unseen(root: Path, name: str, anything_found: bool) -> Path:
    """What a problem hides; one with the root itself goes by the root's own name."""
    return root if name == root.name and not anything_found else root / name
