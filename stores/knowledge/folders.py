"""Where a knowledge base lies below the home folder."""

import hashlib
import re
from pathlib import Path

from zhiji.core.errors import InvalidInput
from zhiji.core.text import clean
from zhiji.stores.vectors.locks import ProcessLock

MAX_NAME = 200
DEFAULT_BASE = "default"
"""May be empty: then only memory answers."""


def base_folder(home: Path, base: str) -> Path:
    """The folder of a base: a readable part of its name, and a hash that keeps any two apart.

    >>> base_folder(Path("/h"), "a/../b").name
    'a-b-f0a79ad53c7a'

    Raises:
        InvalidInput: The name is empty, too long, or holds control characters.
    """
    if not base.strip() or clean(base) != base or len(base) > MAX_NAME:
        raise InvalidInput(f"A knowledge base needs a printable name of 1 to {MAX_NAME} characters.")
    readable = re.sub(r"[^A-Za-z0-9]+", "-", base).strip("-")[:24] or "base"
    return home / "knowledge" / f"{readable}-{hashlib.sha256(base.encode()).hexdigest()[:12]}"


def index_folder(home: Path, base: str, generation: int) -> Path:
    """The folder of a base's vector index; a rebuilt index is a new generation beside the old one."""
    return base_folder(home, base) / f"g{generation}"


def write_lock(home: Path, base: str) -> ProcessLock:
    """The lock of whoever changes a base's releases; readers do not take it."""
    return ProcessLock(base_folder(home, base) / "write.lock", f"The knowledge base '{base}'")
