from dataclasses import replace

import pytest

from zhiji.core.turn import Found, Hit
from zhiji.stores.knowledge.inspection import LOSSES, Trace, compared, expectation, lost_at, staged
from zhiji.stores.vectors.base import IndexedChunk, Where
from zhiji.stores.vectors.edge import NO_TERMS

ANSWER = "自签收之日起七天内可以申请退货"
OTHER = "订单在付款后二十四小时内发出"


def chunk(name, text, category="policy"):
    about = {"source": "a.md", "category": category}
    return IndexedChunk(name, None, NO_TERMS, text, index_text=text, metadata=about)


def hit(name, rank):
    return Hit(name, ANSWER if name == "answer" else OTHER, "", "", "a.md", 1, 0.9, 3.0, rank, rank)


HITS = [hit("other", 1), hit("answer", 2)]
WHOLE = Trace(
    query="多久可以退",
    release=3,
    documents=[[chunk("other", OTHER), chunk("answer", f"**期限**：{ANSWER}。")]],
    where=Where(categories=("policy",)),
    found=Found(3, HITS),
    deduped=HITS,
    reranked=[(HITS[1], 0.8), (HITS[0], 0.3)],
    keep=5,
    threshold=0.4,
    prompt=["answer"],
)
SPLIT = [[chunk("first", "退货：自签收之日起七天"), chunk("second", "天内可以申请退货，逾期不受理")]]


@pytest.mark.parametrize(
    ("changed", "lost"),
    [
        ({}, None),
        ({"prompt": []}, "budget"),
        ({"prompt": [], "threshold": 0.85}, "threshold"),
        ({"prompt": [], "keep": 1, "reranked": [(HITS[0], 0.9), (HITS[1], 0.8)]}, "rerank"),
        ({"prompt": [], "deduped": HITS[:1], "reranked": []}, "dedup"),
        ({"prompt": [], "found": Found(3, HITS[:1]), "deduped": [], "reranked": []}, "retrieval"),
        ({"prompt": [], "where": Where(categories=("product",)), "found": Found(3)}, "filter"),
        ({"prompt": [], "where": Where(sources=("b.md",)), "found": Found(3)}, "filter"),
        ({"documents": SPLIT}, "cut"),
        ({"documents": [[chunk("other", OTHER)]]}, "not_parsed"),
        ({"documents": []}, "not_parsed"),
    ],
)
def test_the_first_stage_that_lost_the_text_is_named(changed, lost):
    assert lost_at(replace(WHOLE, **changed), ANSWER) == lost


def test_the_stages_stand_in_the_order_of_a_search():
    assert LOSSES == ("not_parsed", "cut", "filter", "retrieval", "dedup", "rerank", "threshold", "budget")
    names = [stage["name"] for stage in staged(WHOLE)["stages"]]
    assert names == ["dense", "bm25", "fused", "dedup", "rerank", "threshold", "prompt"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("自簽收之日起七天內可以申請退貨", True),
        ("自签收之日起 **七天内** 可以", True),
        (ANSWER + "，须保持商品完好", True),
        ("自签收之日起三十天内不得申请换货", False),
        ("八天", False),
    ],
    ids=["traditional", "spaces and marks", "most of it", "another text", "short and other"],
)
def test_the_expected_text_is_compared_by_what_it_says(text, found):
    assert expectation(WHOLE, text)["found"] is found


def test_ranks_and_a_hint_tell_how_far_off_it_was():
    far = [f"x{number}" for number in range(56)] + ["answer"]
    trace = replace(WHOLE, prompt=[], found=Found(3, HITS[:1]), deduped=[], reranked=[], dense_order=far)
    expected = expectation(trace, ANSWER)
    assert (expected["lost_at"], expected["ranks"]["dense"], expected["ranks"]["rerank"]) == ("retrieval", 57, None)
    assert "57" in expected["hint"]


def test_stages_show_what_was_found_in_their_order():
    assert [item["id"] for item in staged(WHOLE)["stages"][4]["items"]] == ["answer", "other"]


def test_two_releases_are_told_apart_by_what_entered_the_prompt():
    other = replace(WHOLE, release=2, reranked=[(HITS[0], 0.9), (HITS[1], 0.1)], prompt=["other"])
    against = compared(WHOLE, other)
    assert against["release"] == 2
    assert [item["id"] for item in against["only_here"]] == ["answer"]
    assert [item["id"] for item in against["only_there"]] == ["other"]


def test_a_chunk_that_was_copied_into_another_release_is_the_same():
    copied = replace(HITS[1], id="a copy of it")
    other = replace(WHOLE, release=2, reranked=[(copied, 0.8)], prompt=["a copy of it"])
    assert (compared(WHOLE, other)["only_here"], compared(WHOLE, other)["only_there"]) == ([], [])
