"""One turn of a conversation at a time, whichever process runs it."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from zhiji.stores.vectors.locks import ProcessLock


@asynccontextmanager
async def one_turn(home: Path, key: str, wait_s: float) -> AsyncIterator[None]:
    """Hold a conversation while a turn of it runs: of two that begin together, the later would drop the other's words.

    The lock's name says nothing of the user, and its file goes with the turn.

    Raises:
        StoreLocked: Another turn of the conversation takes longer than `wait_s` seconds.
    """
    name = hashlib.sha256(key.encode()).hexdigest()[:32]
    lock = ProcessLock(home / "turns" / f"{name}.lock", "This conversation", fleeting=True)
    await asyncio.to_thread(lock.acquire, wait_s)
    try:
        yield
    finally:
        lock.free()
