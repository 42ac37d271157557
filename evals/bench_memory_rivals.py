"""What user memory is timed beside: the stores others take, with the same people, texts and vectors."""

import importlib.util
import os
import tempfile
import uuid
from importlib import import_module
from typing import Any, Protocol

from langgraph.store.memory import InMemoryStore

from zhiji.evals.bench_people import KINDS, ByRule, person, told

LIMIT = 5


class MemoryRival(Protocol):
    """A store that is filled once and then asked."""

    async def fill(self, people: int) -> None:
        """Take in the memories of so many people."""
        ...

    async def ask(self, user: str, text: str) -> Any:
        """What of a person's memories bears on a question."""
        ...


class LangGraphStore:
    """LangGraph's InMemoryStore, a namespace for each person."""

    def __init__(self, embedder: ByRule) -> None:
        self._store = InMemoryStore(index={"dims": embedder.dim, "embed": embedder, "fields": ["text"]})

    async def fill(self, people: int) -> None:
        """Put every memory."""
        kinds = told()
        for number in range(people):
            for place, text in enumerate(kinds[number % KINDS]):
                await self._store.aput(("memories", person(number)), str(place), {"text": text})

    async def ask(self, user: str, text: str) -> Any:
        """Search the person's namespace."""
        return await self._store.asearch(("memories", user), query=text, limit=LIMIT)


class Mem0:
    """mem0 on its embedded Qdrant, memories stored as they were said (`infer=False`).

    Its rows go straight into the vector store: adding them one by one takes a quarter of an hour.
    """

    def __init__(self, embedder: ByRule) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="zhiji-mem0-", ignore_cleanup_errors=True)
        os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": self._folder.name, "OPENAI_API_KEY": "none"}
        place = {"path": f"{self._folder.name}/qdrant", "collection_name": "m", "embedding_model_dims": embedder.dim}
        self._memory: Any = import_module("mem0").Memory.from_config(
            {"vector_store": {"provider": "qdrant", "config": place}, "history_db_path": f"{self._folder.name}/h.db"}
        )
        self._embedder = embedder
        self._memory.embedding_model = self

    def embed(self, text: str, _action: str | None = None) -> list[float]:
        """What mem0 calls to embed a text."""
        return self._embedder.embed_query(text)

    async def fill(self, people: int) -> None:
        """Insert every memory with the payload that mem0 gives it."""
        kinds = [[(text, self.embed(text)) for text in texts] for texts in told()]
        rows = [(person(number), text, vector) for number in range(people) for text, vector in kinds[number % KINDS]]
        for first in range(0, len(rows), 1000):
            part = rows[first : first + 1000]
            self._memory.vector_store.insert(
                vectors=[vector for _, _, vector in part],
                payloads=[{"data": text, "user_id": user, "hash": ""} for user, text, _ in part],
                ids=[str(uuid.uuid4()) for _ in part],
            )

    async def ask(self, user: str, text: str) -> Any:
        """Search with the person as filter."""
        return self._memory.search(text, filters={"user_id": user}, top_k=LIMIT)


def installed(embedder: ByRule) -> dict[str, MemoryRival]:
    """The stores that are installed, by name; mem0 comes with `pip install --group bench`."""
    found: dict[str, MemoryRival] = {"InMemoryStore": LangGraphStore(embedder)}
    if importlib.util.find_spec("mem0") is not None:
        found["mem0"] = Mem0(embedder)
    return found
