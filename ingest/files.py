"""Finding the files below a path that the user names."""

import os
import stat
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from zhiji.core.errors import InvalidInput
from zhiji.ingest.members import SUFFIX, members, read_member
from zhiji.ingest.report import FileReport, ParseFailed

MAX_BYTES = 64 * 2**20  # a text file beyond this is a dump or a log, and would be held in memory several times
MAX_BYTES_BINARY = 256 * 2**20  # pictures make up the most of larger documents


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read, and the name it goes by: its path relative to the root, with slashes."""

    path: Path
    source: str
    member: str = ""  # its name inside an archive, if `path` is one


@dataclass(frozen=True, slots=True)
class Found:
    """Everything below one root: files in the order of their names, and what could not be looked into."""

    files: tuple[SourceFile, ...]
    problems: tuple[FileReport, ...]


def find_files(root: Path) -> Found:
    """The files below `root`, or `root` itself if it is a file; hidden files and folders are left out.

    A link to a folder is followed unless the folder lies below the root anyway or holds it, so loops end.

    Raises:
        InvalidInput: there is nothing at `root`, or its folder may not be entered.
    """
    try:
        mode = root.stat().st_mode
    except (OSError, ValueError) as unseen:
        raise InvalidInput(f"Cannot read '{root}': {_reason(unseen)}.") from unseen
    if not stat.S_ISDIR(mode):
        return _sorted([SourceFile(root, _name(Path(root.name)))], [])
    walk = _Walk(root)
    walk.run()
    return _sorted(walk.files, walk.problems)


def find_matching(root: Path, pattern: str) -> Found:
    """The files below `root` whose path matches a pattern such as `**/*.md`; hidden ones are left out."""
    paths = [path for path in root.glob(pattern) if path.is_file()]
    relative = [path.relative_to(root) for path in paths]
    seen = [one for one in relative if not any(_is_hidden(part) for part in one.parts)]
    return _sorted([SourceFile(root / one, _name(one)) for one in seen], [])


def is_archive(source: str) -> bool:
    """Whether a file stands for the files in it."""
    return source.lower().endswith(SUFFIX)


def _sorted(files: Sequence[SourceFile], problems: Sequence[FileReport]) -> Found:
    """What was found in the order of the names, archives opened."""
    found = [file for file in files if not is_archive(file.source)]
    unread = list(problems)
    for archive in files:
        if is_archive(archive.source):
            for one in members(archive.path, archive.source):
                if isinstance(one, FileReport):
                    unread.append(one)
                else:
                    found.append(SourceFile(archive.path, _name(Path(one[0])), one[1]))
    by_name = {file.source: file for file in found}
    return Found(tuple(by_name[name] for name in sorted(by_name)), tuple(sorted(unread, key=lambda one: one.path)))


def read_file(file: SourceFile, most: int = MAX_BYTES) -> bytes:
    """The bytes of a file.

    Raises:
        ParseFailed: it may not be read, is no ordinary file, or is larger than `most` bytes.
    """
    try:
        if file.member:
            return read_member(file.path, file.member, most)
        status = file.path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise ParseFailed("not an ordinary file", "skipped")
        if status.st_size > most:
            raise ParseFailed(f"{status.st_size / 1e6:.0f} MB, more than the {most // 2**20} MB a file may have")
        return file.path.read_bytes()
    except OSError as unreadable:
        raise ParseFailed(_reason(unreadable)) from unreadable


class _Walk:
    """One pass over the folders below a root."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files: list[SourceFile] = []
        self.problems: list[FileReport] = []
        self._seen = {root.resolve()}

    def run(self) -> None:
        """Visits every folder, without recursion: a tree may be deeper than the interpreter's stack."""
        waiting = [self.root]
        while waiting:
            waiting.extend(self._visit(waiting.pop()))

    def _visit(self, folder: Path) -> list[Path]:
        try:
            with os.scandir(folder) as entries:
                names = sorted(entry.name for entry in entries)
        except OSError as unreadable:
            self._report(folder, _reason(unreadable))
            return []
        return [path for name in names if not _is_hidden(name) and (path := self._enter(folder / name)) is not None]

    def _enter(self, path: Path) -> Path | None:
        """Notes a file; returns a folder that is still to be visited."""
        try:
            mode = path.stat().st_mode
        except OSError as unseen:
            self._report(path, "a link that leads nowhere" if path.is_symlink() else _reason(unseen))
            return None
        if stat.S_ISREG(mode):
            self.files.append(SourceFile(path, _name(path.relative_to(self.root))))
        elif stat.S_ISDIR(mode):
            return path if not path.is_symlink() or self._is_new(path.resolve()) else None
        return None

    def _is_new(self, target: Path) -> bool:
        root = self.root.resolve()
        if target in self._seen or target.is_relative_to(root) or root.is_relative_to(target):
            return False
        if any(target.is_relative_to(seen) or seen.is_relative_to(target) for seen in self._seen):
            return False
        self._seen.add(target)
        return True

    def _report(self, path: Path, reason: str) -> None:
        name = _name(path.relative_to(self.root)) if path != self.root else _name(Path(path.name or str(path)))
        self.problems.append(FileReport(name, "failed", reason))


def _is_hidden(name: str) -> bool:
    return name.startswith((".", "~$"))


def _name(path: Path) -> str:
    """A path as text that any store can hold; composed, because macOS hands out decomposed names."""
    readable = os.fsencode(path.as_posix()).decode("utf-8", "backslashreplace")
    return unicodedata.normalize("NFC", readable)


def _reason(error: OSError | ValueError) -> str:
    match error:
        case PermissionError():
            return "no permission to read it"
        case FileNotFoundError():
            return "there is no such file or folder"
        case OSError(strerror=str(words)):
            return words.lower()
        case _:
            return str(error)
