"""Judging what came of a scenario."""

import pytest

from zhiji.core.errors import Misuse
from zhiji.evals.lines import read_lines
from zhiji.evals.play import in_prompt
from zhiji.evals.scenario import Outcome, Scenario, failures
from zhiji.evals.stories import summarised

ASK = {"at": "2026-03-04T15:00:00+08:00", "text": "?"}


def scenario(**more):
    return Scenario.model_validate(
        {"id": "s", "lang": "zh", "sessions": [], "ask": ASK, "expect": [], "forbid": [], **more}
    )


def test_a_scenario_in_which_all_holds_has_no_failure():
    wanted = scenario(expect=["杭州", ["拿铁", "latte"]], forbid=["美式"])
    assert failures(wanted, Outcome(prompt=["用户住在杭州", "User drinks Latte"])) == []


@pytest.mark.parametrize(
    ("more", "outcome", "why"),
    [
        ({"expect": ["杭州"]}, {"prompt": ["上海"]}, "prompt lacks 杭州"),
        ({"expect": [["a", "b"]]}, {}, "prompt lacks a | b"),
        ({"forbid": ["小明"]}, {"prompt": ["我叫小明"]}, "prompt holds 小明"),
        ({"ops": [{"op": "SUPERSEDE", "value": "拿铁"}]}, {"ops": [("ADD", "拿铁")]}, "no SUPERSEDE of 拿铁"),
        ({"answer": {"contains": ["7 天"]}}, {"answer": "不知道"}, "answer lacks 7 天"),
        ({"answer": {"omits": ["美式"]}}, {"answer": "喝美式"}, "answer holds 美式"),
        ({"answer": {"abstained": True}}, {"abstained": False}, "answers"),
        ({"answer": {"abstained": False}}, {"abstained": True}, "abstains"),
        ({"answer": {"cites": ["M", "K"]}}, {"labels": ["M1"]}, "cites no [K]"),
        ({"stored": {"contains": [["海鲜", "虾"]]}}, {"stored": ["花生"]}, "memory lacks 海鲜 | 虾"),
        ({"stored": {"omits": ["花生"]}}, {"stored": ["对花生过敏"]}, "memory holds 花生"),
        ({"stored": {"count": 1}}, {"stored": ["一", "二"]}, "2 memories instead of 1"),
        ({}, {"degraded": ["memory: late"]}, "degraded: memory: late"),
    ],
)
def test_each_thing_that_does_not_hold_is_a_reason(more, outcome, why):
    assert failures(scenario(**more), Outcome(**outcome)) == [why]


def test_width_case_and_script_do_not_matter():
    assert failures(scenario(expect=["退貨ＡＢＣ"]), Outcome(prompt=["退货abc"])) == []


def test_a_heading_enters_the_prompt_with_its_passage():
    passage = {"heading": "退货 > 期限", "text": "七天内", "label": "K1"}
    document = {"memories": [{"content": "甲"}], "passages": [passage], "documents": [{"text": "乙"}]}
    assert in_prompt(document) == ["甲", "退货 > 期限\n七天内", "乙"]


def test_failures_are_listed_and_rates_told_apart():
    played = [(Outcome(), []), (Outcome(), ["prompt lacks x"])]
    measured = summarised([scenario(id="a", category="one"), scenario(id="b", category="two")], played)
    assert measured.metrics == {"pass_rate": 0.5}
    assert measured.details["by_category"] == {"one": {"n": 1, "pass_rate": 1.0}, "two": {"n": 1, "pass_rate": 0.0}}
    assert [(one["id"], one["reasons"]) for one in measured.details["failures"]] == [("b", ["prompt lacks x"])]


@pytest.mark.parametrize("at", ["yesterday", ""])
def test_a_time_that_is_none_is_refused(tmp_path, at):
    path = tmp_path / "set.jsonl"
    path.write_text(
        scenario().model_copy(update={"ask": None}).model_dump_json().replace("null", f'{{"at": "{at}", "text": "?"}}')
    )
    with pytest.raises(Misuse, match=r"set\.jsonl:1: ask\.at"):
        read_lines(path, Scenario)
