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
    """

    def __init__(self, path: Path, what: str) -> None:
        self._path = path
        self._what = what
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
        file = self._path.open("a+", encoding="ascii")
        try:
            self._wait(file, wait_s)
            file.seek(0)
            file.truncate()
            file.write(str(os.getpid()))
            file.flush()
        except BaseException:
            file.close()
            raise
        self._file = file

    def _wait(self, file: IO[str], wait_s: float) -> None:
        began = since = time.monotonic()
        seen = holder(self._path)
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                moment, now_held = time.monotonic(), holder(self._path)
                if now_held not in (seen, UNKNOWN):
                    seen, since = now_held, moment
                if moment - since >= wait_s or moment - began >= HOLDERS * wait_s:
                    raise StoreLocked(
                        f"{self._what} is in use by process {seen}; waited {moment - began:.3g} s. "
                        "Let it finish or stop it, or set ZHIJI_LOCK_WAIT to wait longer."
                    ) from None
                time.sleep(POLL_S)
            else:
                return

    def free(self) -> None:
        """Let go; nothing happens when the lock is not held."""
        if self._file is not None:
            self._file.close()
            self._file = None


def holder(path: Path) -> str:
    """The pid in a lock file, or "unknown" while its holder is just taking it."""
    try:
        return path.read_text("ascii").strip() or UNKNOWN
    except (OSError, UnicodeDecodeError):
        return UNKNOWN
