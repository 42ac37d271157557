"""The embedded engine's open shards: one for each folder in this process, and one process for each folder."""

import atexit
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import qdrant_edge as engine

from zhiji.core.errors import StoreCorrupted, ZhijiError
from zhiji.stores.vectors.locks import ProcessLock

T = TypeVar("T")
LOCK_NAME = "engine.lock"
SPARE_BYTES = 96 * 2**20
"""Free space below which nothing is written: on a full disk the engine's mapped files kill the process."""


class SharedShard:
    """A shard that threads and event loops of this process use together.

    It opens at the first use. With `keep` it stays open until `release`, else it closes with its last user.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._idle = threading.Condition()
        self._lock = ProcessLock(folder / LOCK_NAME, f"The knowledge base in {folder}")
        self._shard: engine.EdgeShard | None = None
        self._users = 0
        self._keep = False

    @contextmanager
    def use(
        self, wait_s: float, *, keep: bool = False, create: engine.EdgeConfig | None = None
    ) -> Iterator[engine.EdgeShard]:
        """The open shard; with `create` a new and empty one. Blocks: call it in a worker thread.

        Raises:
            StoreLocked: Another process holds it for longer than `wait_s` seconds.
            StoreCorrupted: Its files cannot be read.
        """
        with self._idle:
            shard = self._opened(wait_s, create)
            self._users += 1
            self._keep = self._keep or keep
        try:
            yield shard
        finally:
            with self._idle:
                self._users -= 1
                if self._users == 0:
                    if not self._keep:
                        self._close()
                    self._idle.notify_all()

    def release(self) -> None:
        """Close once the running calls have ended, so that another process may open it."""
        with self._idle:
            self._keep = False
            self._idle.wait_for(lambda: self._users == 0)
            self._close()

    def _opened(self, wait_s: float, create: engine.EdgeConfig | None) -> engine.EdgeShard:
        if self._shard is not None and create is not None:
            self._idle.wait_for(lambda: self._users == 0)
            self._close()
        if self._shard is None:
            self._lock.acquire(wait_s)
            try:
                self._shard = _load(self.folder) if create is None else _create(self.folder, create)
            except BaseException:
                self._lock.free()
                raise
        return self._shard

    def _close(self) -> None:
        if self._shard is not None:
            self._shard.close()
            self._shard = None
            self._lock.free()


def _load(folder: Path) -> engine.EdgeShard:
    return understood(folder, lambda: engine.EdgeShard.load(str(folder)))


def _create(folder: Path, config: engine.EdgeConfig) -> engine.EdgeShard:
    for old in folder.iterdir():
        if old.name != LOCK_NAME:
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    return understood(folder, lambda: engine.EdgeShard.create(str(folder), config))


def understood(folder: Path, call: Callable[[], T]) -> T:
    """The result of an engine call, its bare exceptions turned into ours.

    Raises:
        StoreCorrupted: The engine cannot read or write its files.
    """
    try:
        return call()
    except ZhijiError:
        raise
    except Exception as failed:  # the engine raises nothing more precise
        raise StoreCorrupted(
            f"The vector index in {folder} cannot be used: {failed}. Run `zhiji kb check`; it was left as it is."
        ) from failed


def require_space(folder: Path, need: int) -> None:
    """Refuse to begin a write that the disk cannot take.

    Raises:
        ZhijiError: Fewer than `need` bytes and a reserve are free.
    """
    free = shutil.disk_usage(folder).free
    if free < need + SPARE_BYTES:
        raise ZhijiError(
            f"The disk is nearly full: {free // 2**20} MB free in {folder}, {(need + SPARE_BYTES) // 2**20} MB needed. "
            "Nothing was published; the current release is intact. Free some space and run the command again."
        )


_shards: dict[Path, SharedShard] = {}
_registering = threading.Lock()


def shared(folder: Path) -> SharedShard:
    """This process's one handle on the shard in a folder."""
    with _registering:
        return _shards.setdefault(folder.resolve(), SharedShard(folder.resolve()))


@atexit.register
def _close_all() -> None:
    for shard in list(_shards.values()):
        shard.release()
