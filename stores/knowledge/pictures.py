"""The pictures of a base's documents: files named by their hash, so each is kept once and never changes."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from zhiji.stores.knowledge.folders import base_folder
from zhiji.stores.vectors.base import VectorIndex, batches

_BATCH = 1000


def picture_folder(home: Path, base: str) -> Path:
    """Where a base keeps its pictures; every generation of its index names the same ones."""
    return base_folder(home, base) / "pictures"


def keep_pictures(folder: Path, pictures: Mapping[str, bytes]) -> None:
    """Write the pictures that are not there yet; each appears whole or not at all."""
    for name, data in pictures.items():
        path = folder / name
        if path.exists():
            continue
        folder.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_bytes(data)
        part.replace(path)


async def sweep_pictures(folder: Path, index: VectorIndex, chunks: Sequence[str]) -> None:
    """Delete the pictures that none of these stored chunks shows."""
    if not await asyncio.to_thread(folder.is_dir):
        return
    shown: set[str] = set()
    async with index.session():
        for some in batches(chunks, _BATCH):
            for chunk in await index.retrieve(some):
                shown.update(chunk.metadata.get("pictures", ()))
    await asyncio.to_thread(_delete_others, folder, shown)


def _delete_others(folder: Path, shown: set[str]) -> None:
    for path in folder.iterdir():
        if path.name not in shown:
            path.unlink()
