"""Which files an ingest reads, which documents it answers for, and what each is called."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from zhiji.core.errors import InvalidInput
from zhiji.ingest.files import Found, SourceFile, find_files, find_matching, is_archive
from zhiji.ingest.report import FileReport
from zhiji.stores.knowledge.records import StoredDocument

_MAGIC = re.compile(r"[*?\[]")


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
    patterns: list[tuple[Path, re.Pattern[str]]] = field(default_factory=list)
    """Patterns that were named, with the folder they start from: documents that matched and vanished are removed."""
    unseen: list[Path] = field(default_factory=list)
    """What could not be looked into; nothing below it counts as vanished."""

    def answers_for(self, document: StoredDocument) -> bool:
        """Whether a document that was not found again is gone, rather than outside or out of sight."""
        path = Path(document.root, document.source)
        inside = any(path.is_relative_to(folder) for folder in self.folders) or any(
            path.is_relative_to(root) and pattern.fullmatch(path.relative_to(root).as_posix())
            for root, pattern in self.patterns
        )
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
        folder = path.is_dir()
        root, below = _below(path, found)
        found.problems += below.problems
        found.unseen += [_unseen(root, problem.path, bool(below.files)) for problem in below.problems]
        for file in below.files:
            where = str(root / file.source)
            if where not in seen:
                seen.add(where)
                found.files.append(_rooted(root, file, None if folder else names.get(where)))
    return found


def _below(path: Path, found: Survey) -> tuple[Path, Found]:
    """The root of a path and the files below it; notes what the path answers for."""
    pattern = "" if path.exists() else _pattern_in(path)
    if pattern:
        root = Path(*path.parts[: len(path.parts) - len(PurePosixPath(pattern).parts)]).resolve()
        below = find_matching(root, pattern)
        if not below.files and not below.problems:
            raise InvalidInput(f"No file matches '{path}'.")
        found.patterns.append((root, _matcher(pattern)))
        return root, below
    below = find_files(path)
    if path.is_dir():
        found.folders.append(path.resolve())
        return path.resolve(), below
    if is_archive(path.name):
        found.folders.append(path.resolve())
    return path.parent.resolve(), below


def _pattern_in(path: Path) -> str:
    """The end of a path, from its first part that is a pattern; empty if there is none."""
    first = next((n for n, part in enumerate(path.parts) if _MAGIC.search(part)), len(path.parts))
    return "/".join(path.parts[first:])


def _matcher(pattern: str) -> re.Pattern[str]:
    """The pattern as an expression over relative paths; an archive that matches stands for what is in it.

    >>> bool(_matcher("**/*.md").fullmatch("a/b/c.md")), bool(_matcher("*.md").fullmatch("a/c.md"))
    (True, False)
    """
    signs = {"*": "[^/]*", "?": "[^/]", "[": "[", "]": "]", "-": "-"}
    parts = []
    for part in pattern.split("/"):
        written = "".join(signs.get(char, re.escape(char)) for char in part).replace("[!", "[^").replace("[\\!", "[^")
        parts.append("(?:[^/]+/)*" if part == "**" else written)
    joined = "".join(part if part.endswith(")*") else f"{part}/" for part in parts).rstrip("/")
    return re.compile(f"{joined}(?:/.*)?")


def _rooted(root: Path, file: SourceFile, known: tuple[str, str] | None) -> RootedFile:
    if known is None:
        return RootedFile(root, file)
    return RootedFile(Path(known[0]), replace(file, source=known[1]))


def _unseen(root: Path, name: str, anything_found: bool) -> Path:
    """What a problem hides; one with the root itself goes by the root's own name."""
    return root if name == root.name and not anything_found else root / name
