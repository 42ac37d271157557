"""A knowledge base as a LangChain retriever."""

import asyncio
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict

from zhiji.core.turn import Hit
from zhiji.stores.knowledge.store import KnowledgeBase

RRF_K = 60
"""The usual constant of reciprocal rank fusion."""


class KnowledgeRetriever(BaseRetriever):
    """The `k` best chunks of the current release, both channels fused by reciprocal rank.

    Use it with `ainvoke` on the event loop that opened the base.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    base: KnowledgeBase
    k: int = 5
    category: str | None = None

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        vector = await asyncio.to_thread(self.base.embedder.query, query)
        found = await self.base.search(query, vector, category=self.category)
        best = sorted(found.hits, key=lambda hit: (-fused(hit), hit.id))[: self.k]
        return [_document(hit) for hit in best]

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        raise NotImplementedError("Await `ainvoke`: the knowledge base is asynchronous.")


def fused(hit: Hit) -> float:
    """Reciprocal rank fusion of both channels' ranks."""
    return sum(1 / (RRF_K + rank) for rank in (hit.dense_rank, hit.bm25_rank) if rank is not None)


def _document(hit: Hit) -> Document:
    metadata: dict[str, Any] = {
        "source": hit.source,
        "title": hit.title,
        "heading": hit.heading,
        "release": hit.release,
        "dense": hit.dense,
        "bm25": hit.bm25,
    }
    optional = {"category": hit.category, "page": hit.page, "images": list(hit.images) or None}
    present = {name: value for name, value in optional.items() if value is not None}
    return Document(id=hit.id, page_content=hit.text, metadata=metadata | present)
