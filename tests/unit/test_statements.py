"""Statements about oneself: who is spoken of, and whether it agrees with what is held."""

import pytest

from zhiji.evals.statements import StatementLine, figures
from zhiji.evals.statements import measure as measure_statements
from zhiji.models.statements.judge import LABELS, shares
from zhiji.models.statements.mentions import mentions, relation
from zhiji.models.statements.passing import in_passing
from zhiji.models.statements.places import province_of


@pytest.mark.parametrize(
    ("said", "attribute", "held", "stands"),
    [
        ("我在深圳上班", "loc", "广东 深圳", "same"),
        ("我们广东人爱喝汤", "loc", "广东 深圳", "whole"),
        ("我搬到佛山了", "loc", "广东 深圳", "near"),
        ("成都今天又下雨", "loc", "广东 深圳", "apart"),
        ("在东京转机", "loc", "广东 深圳", "abroad"),
        ("某个小村子里", "loc", "广东 深圳", "none"),
        ("我老家是仙居的", "loc", "浙江 仙居", "same"),
        ("本摩羯表示不服", "constellation", "魔羯座", "same"),
        ("我是双鱼", "constellation", "狮子座", "apart"),
        ("我是女生", "gender", "female", "same"),
        ("我是女生", "gender", "male", "apart"),
        ("男生女生都有", "gender", "male", "both"),
    ],
)
def test_what_is_mentioned_is_set_against_what_is_held(said, attribute, held, stands):
    assert relation(mentions(said, attribute, held), attribute, held) == stands


def test_every_city_lies_in_one_province():
    assert (province_of("厦门"), province_of("伦敦"), province_of("天涯")) == ("福建", "海外", "")


@pytest.mark.parametrize(
    ("said", "held", "label"),
    [
        ("我是水瓶座的", "水瓶座", "entailed"),
        ("我是水瓶座的", "金牛座", "contradicted"),
        ("你是水瓶座吗？", "水瓶座", "irrelevant"),
        ("我男朋友是水瓶座", "水瓶座", "irrelevant"),
    ],
)
def test_a_statement_of_the_speaker_agrees_or_not_and_one_of_another_is_neither(said, held, label):
    assert LABELS[int(shares(said, "constellation", held).argmax())] == label


@pytest.mark.parametrize("said", ["你是天秤座？", "我妈是天秤座", "我身边天秤不少", "天秤座今天运势如何"])
def test_the_sign_of_another_is_not_the_speakers(said):
    assert in_passing(said) is None


def test_a_sign_let_drop_is_the_speakers_own():
    assert in_passing("我也是射手座哈哈") == ("identity.constellation", "射手座")


def test_two_signs_in_one_breath_tell_none():
    assert in_passing("我是双鱼，他是天蝎") is None


def test_an_irrelevant_utterance_taken_for_the_users_is_counted():
    told = figures(["entailed", "irrelevant", "contradicted", "entailed"], ["irrelevant"] * 2 + ["contradicted"] * 2)
    assert told["accuracy"] == 0.5
    assert told["irrelevant_false_rate"] == 0.5


async def test_the_suite_reads_its_lines(tmp_path):
    line = StatementLine.model_validate(
        {
            "id": "a",
            "profile": {"gender": "female", "loc": "福建 厦门", "constellation": "双子座"},
            "utterance": "我是双子座",
            "attribute": "constellation",
            "label": "entailed",
        }
    )
    file = tmp_path / "statements.jsonl"
    file.write_text(line.model_dump_json(), encoding="utf-8")
    reports = []
    measured = await measure_statements(file, "all", lambda *done: reports.append(done))
    assert measured.metrics["accuracy"] == 1.0
    assert reports == [("judge", 1, 1)]
