"""Embedding all memories anew when the embedding model changes."""

import asyncio
from collections.abc import Callable

from sqlalchemy import select, union_all, update

from zhiji.core.settings import Settings
from zhiji.models.embed import Embedder
from zhiji.stores.memory.rows import searchable, to_record
from zhiji.stores.memory.tables import memories, users
from zhiji.stores.sql import EVERYONE, Database

BATCH = 64
"""Memories embedded and written together."""


async def other_models(database: Database, model_id: str) -> list[str]:
    """The models, other than this one, that embedded memories in the database."""
    before = select(memories.c.model_id).where(memories.c.model_id < model_id).limit(1).subquery()
    after = select(memories.c.model_id).where(memories.c.model_id > model_id).limit(1).subquery()
    async with database.read(EVERYONE) as connection:  # two look-ups in the index: a != would read every row
        return list((await connection.execute(union_all(select(before), select(after)))).scalars())


async def reindex(settings: Settings, embedder: Embedder, progress: Callable[[int], None] = lambda done: None) -> int:
    """Embed with `embedder` every memory that another model embedded; returns how many. Can be broken off and resumed."""
    database = await Database.open(settings.home, "memory", settings)
    done = 0
    try:
        while batch := await _next_batch(database, embedder.model_id):
            vectors = await asyncio.to_thread(embedder.passages, [text for _, _, text in batch])
            async with database.write(EVERYONE) as connection:
                for (tenant, memory_id, _), vector in zip(batch, vectors, strict=True):
                    row = {"embedding": vector.tobytes(), "model_id": embedder.model_id}
                    its = (memories.c.tenant == tenant) & (memories.c.id == memory_id)
                    await connection.execute(update(memories).where(its).values(row))
            done += len(batch)
            progress(done)
        async with database.write(EVERYONE) as connection:
            await connection.execute(update(users).values(revision=users.c.revision + 1))
            newest = select(users.c.revision).where(users.c.tenant == memories.c.tenant).scalar_subquery()
            await connection.execute(update(memories).values(revision=newest))
    finally:
        await database.close()
    return done


async def _next_batch(database: Database, model_id: str) -> list[tuple[str, str, str]]:
    statement = select(memories).where(memories.c.model_id != model_id).limit(BATCH)
    async with database.read(EVERYONE) as connection:
        rows = (await connection.execute(statement)).mappings().all()
    return [(row["tenant"], row["id"], searchable(to_record(row))) for row in rows]
