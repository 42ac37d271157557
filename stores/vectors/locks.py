"""A lock between processes that names its holder: the embedded engine, and the one ingest of a base, take one."""

import fcntl
import os
import time
from pathlib import Path
from typing import IO

from zhiji.core.errors import StoreLocked

POLL_S = 0.05
HOLDERS = 12
UNKNOWN = "unknown"


class ProcessLock:
    """An exclusive lock on a file that holds the holder's pid; a dead holder's lock is free at once.

    lock = ProcessLock(folder / "engine.lock", "The knowledge base 'default'")
    lock.acquire(wait_s=10)

    A `fleeting` one removes its file when it is freed.
    """

    def __init__(self, path: Path, what: str, *, fleeting: bool = False) -> None:
        self._path = path
        self._what = what
        self._fleeting = fleeting
        self._file: IO[str] | None = None

    @property
    def held(self) -> bool:
        """Whether this object holds the lock."""
        return self._file is not None

    def acquire(self, wait_s: float) -> None:
        """Take the lock, waiting at most `wait_s` seconds for one holder; blocks the calling thread.

        While it passes from process to process, each for a moment, the wait begins anew with each, up to
        `HOLDERS` times `wait_s`: many short turns side by side are no reason to give up.

        Raises:
            StoreLocked: Another process still holds it; the message names its pid.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        wait = _Wait(self._path, self._what, wait_s)
        while self._file is None:
            self._file = self._taken(wait)

    def _taken(self, wait: "_Wait") -> IO[str] | None:
        """The locked file with our pid in it; None if it was removed while we waited for it."""
        file = self._path.open("a+", encoding="ascii")
        try:
            while not _locked(file):
                wait.on()
            if not _is_at(file, self._path):
                file.close()
                return None
            file.seek(0)
            file.truncate()
            file.write(str(os.getpid()))
            file.flush()
        except BaseException:
            file.close()
            raise
        return file

    def free(self) -> None:
        """Let go; nothing happens when the lock is not held."""
        if self._file is not None:
            if self._fleeting:
                self._path.unlink(missing_ok=True)
            self._file.close()
            self._file = None


class _Wait:
    """The patience of one who waits: for each holder `wait_s` seconds."""

    def __init__(self, path: Path, what: str, wait_s: float) -> None:
        self._path, self._what, self._wait_s = path, what, wait_s
        self._began = self._since = time.monotonic()
        self._seen = holder(path)

    def on(self) -> None:
        """Sleep a little.

        Raises:
            StoreLocked: The patience is at its end.
        """
        moment, held_by = time.monotonic(), holder(self._path)
        if held_by not in (self._seen, UNKNOWN):
            self._seen, self._since = held_by, moment
        if moment - self._since >= self._wait_s or moment - self._began >= HOLDERS * self._wait_s:
            raise StoreLocked(
                f"{self._what} is in use by process {self._seen}; waited {moment - self._began:.3g} s. "
                "Let it finish or stop it, or set ZHIJI_LOCK_WAIT to wait longer."
            )
        time.sleep(POLL_S)


def _locked(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_at(file: IO[str], path: Path) -> bool:
    """Whether an open file is still the one that stands at a path."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def holder(path: Path) -> str:
    """The pid in a lock file, or "unknown" while its holder is just taking it."""
    try:
        return path.read_text("ascii").strip() or UNKNOWN
    except (OSError, UnicodeDecodeError):
        return UNKNOWN
