"""A store full of people for timing user memory: each has a few memories of one of some made-up persons."""

from pathlib import Path

from sqlalchemy import insert, literal, select

from zhiji.core.ids import tenant_of
from zhiji.core.settings import Settings
from zhiji.core.time import now
from zhiji.evals.bench_data import Prepared, memory_texts, verbatim
from zhiji.models.embed import Vector
from zhiji.stores.memory.store import MemoryStore
from zhiji.stores.memory.tables import memories, users
from zhiji.stores.sql import EVERYONE, Database

EACH = 20
"""Memories of a person."""
KINDS = 20
"""Made-up persons whose memories the others have."""
_BATCH = 10_000


class ByRule(Prepared):
    """Every vector by rule, those of questions too: what is timed is the store, not the model."""

    def query(self, text: str) -> Vector:
        """The vector of a question: the same text always has the same."""
        return self._vector(text)


def person(number: int) -> str:
    """The user id of one of the people."""
    return f"person {number}"


class People:
    """So many people in one store; it only grows."""

    def __init__(self, store: MemoryStore, database: Database) -> None:
        self.store = store
        self.size = 0
        self._database = database

    @classmethod
    async def open(cls, home: Path, embedder: ByRule, settings: Settings) -> "People":
        """A store with the made-up persons and nobody else."""
        store = await MemoryStore.open(home, embedder, settings)
        for kind, texts in enumerate(told()):
            await store.of(_made_up(kind)).remember_verbatim(verbatim(_made_up(kind), texts))
        return cls(store, await Database.open(home, "memory", settings))

    async def grow(self, size: int) -> None:
        """Add people until there are so many, their rows copied inside the database."""
        for first in range(self.size, size, _BATCH):
            await self._add(range(first, min(first + _BATCH, size)))
        self.size = size

    async def _add(self, numbers: range) -> None:
        names = [column.name for column in memories.c if column.name != "tenant"]
        async with self._database.write(EVERYONE) as connection:
            for kind in range(KINDS):
                mark = f"{kind} of {numbers}"
                rows = [_row(number, mark) for number in numbers if number % KINDS == kind]
                if not rows:
                    continue
                await connection.execute(insert(users), rows)
                copied = (
                    select(users.c.tenant, *(memories.c[name] for name in names))
                    .select_from(users.join(memories, memories.c.tenant == literal(tenant_of(_made_up(kind)))))
                    .where(users.c.timezone == mark)
                )
                await connection.execute(insert(memories).from_select(["tenant", *names], copied))

    async def close(self) -> None:
        """Close both connections."""
        await self.store.close()
        await self._database.close()


def told() -> list[list[str]]:
    """What each made-up person told."""
    texts = memory_texts(EACH * KINDS)
    return [texts[kind * EACH : (kind + 1) * EACH] for kind in range(KINDS)]


def _made_up(kind: int) -> str:
    return f"made up {kind}"


def _row(number: int, mark: str) -> dict[str, object]:
    user = person(number)
    return {"tenant": tenant_of(user), "user_id": user, "timezone": mark[:64], "revision": EACH, "created_at": now()}
