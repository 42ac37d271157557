from datetime import UTC, datetime, timedelta

import pytest

from zhiji.models.extract import Candidate
from zhiji.stores.memory.merge import merge_sentences
from zhiji.stores.memory.reconcile import Add, Merge, Neighbour, Reinforce, Retract, Supersede, reconcile
from zhiji.stores.memory.records import MemoryRecord

THEN = datetime(2026, 5, 1, tzinfo=UTC)
NOW = THEN + timedelta(days=1)


def said(content, key="", value="", **more):
    given = {"op": "add", "type": "fact", "quote": content, "turn": 0} | more
    return Candidate(key=key, value=value, content=content, **given)


def held(content, key="", value="", same=0.0, **more):
    given = {"type": "fact", "updated_at": THEN} | more
    return Neighbour(MemoryRecord(id=content, key=key, value=value, content=content, **given), same)


@pytest.mark.parametrize(
    ("candidate", "memory", "outcome"),
    [
        (said("我住在杭州市", "residence.city", "杭州市"), held("我住在杭州", "residence.city", "杭州"), Reinforce),
        (said("我爱喝美式", "", ""), held("我喜欢喝美式", "", "", 0.95), Reinforce),
        (said("我有2只猫", "pets", "2只猫"), held("我有两只猫", "pets", "两只猫"), Reinforce),
        (said("回复要简洁", "reply.length", "简洁"), held("回复要简短", "reply.length", "简短"), Reinforce),
        (said("allergic to shrimp", "allergy", "seafood"), held("我对海鲜过敏", "diet.allergy", "海鲜"), Reinforce),
        (said("回复要详细", "reply.length", "详细"), held("回复要短一点", "reply.length", "短一点"), Supersede),
        (said("我住在上海", "residence.city", "上海"), held("我住在杭州", "residence.city", "杭州", 0.95), Supersede),
        (said("我吃素了", "diet", "吃素", quote="我改吃素了"), held("我吃荤", "diet", "荤", 0.5), Supersede),
        (
            said("我不吃香菜", "preference.food", "香菜", polarity="-"),
            held("我爱吃香菜", "preference.food", "香菜"),
            Supersede,
        ),
        (
            said("我讨厌咖啡", "preference.drink", "咖啡", polarity="-"),
            held("我爱美式", "preference.drink", "美式"),
            Supersede,
        ),
        (
            said("我讨厌牛奶", "preference.drink", "牛奶", polarity="-"),
            held("我爱美式", "preference.drink", "美式"),
            Add,
        ),
        (
            said("我喜欢喝不加糖的咖啡", "preference.drink", "不加糖的咖啡"),
            held("我喜欢喝咖啡", "preference.drink", "咖啡"),
            Merge,
        ),
        (said("我养了一条狗", "pets", "一条狗"), held("我养了一只猫", "pets", "一只猫", 0.6), Add),
        (said("我爬山", "hobby", "爬山"), held("我做饭", "hobby", "做饭"), Add),
        (
            said("我对海鲜过敏", "diet.allergy", "海鲜", op="retract"),
            held("我对海鲜过敏", "diet.allergy", "海鲜"),
            Retract,
        ),
    ],
    ids=[
        "same value of a key",
        "nearly the same and nothing differs",
        "the same number in another spelling",
        "another name of the same choice",
        "the same choice in another language",
        "another choice",
        "another value of a single-valued key",
        "an explicit replacement",
        "now denied",
        "the whole kind is denied",
        "something else is denied",
        "the same and more",
        "another value of a many-valued key",
        "another value of a many-valued key with nothing shared",
        "taken back",
    ],
)
def test_each_outcome(candidate, memory, outcome):
    assert isinstance(reconcile(candidate, [memory], NOW), outcome)


@pytest.mark.parametrize(
    ("content", "memory", "more"),
    [
        ("我每天跑十公里", "我每天跑五公里", {}),
        ("我每天不跑五公里", "我每天跑五公里", {}),
        ("我妈每天跑五公里", "我每天跑五公里", {"subject": "mother"}),
        ("我每天跑五英里", "我每天跑五公里", {}),
        ("我每周三跑步", "我每周二跑步", {}),
        ("写代码时我要详细的回答", "我要详细的回答", {"scene": "coding"}),
    ],
    ids=["number", "negation", "person", "unit", "day", "scene"],
)
def test_two_sentences_that_differ_in_a_mark_are_two_memories(content, memory, more):
    assert isinstance(reconcile(said(content, **more), [held(memory, same=0.99)], NOW), Add)


def test_an_older_statement_becomes_history():
    outcome = reconcile(
        said("我住在杭州", "residence.city", "杭州"),
        [held("我住在上海", "residence.city", "上海", updated_at=NOW)],
        THEN,
    )
    assert isinstance(outcome, Add)
    assert outcome.outdated_by is not None


def test_also_is_no_replacement():
    candidate = said("我也叫小华", "identity.name", "小华")
    assert isinstance(reconcile(candidate, [held("我叫小明", "identity.name", "小明")], NOW), Add)


def test_the_value_named_as_gone_is_replaced_wherever_it_stands():
    memories = [held("我叫小明", "identity.nickname", "小明"), held("我住在杭州", "residence.city", "杭州")]
    outcome = reconcile(said("我叫小华", "identity.name", "小华", replaces="小明"), memories, NOW)
    assert isinstance(outcome, Supersede)
    assert [one.value for one in outcome.targets] == ["小明"]


def test_a_sharper_value_takes_the_place_of_the_vague_one():
    outcome = reconcile(
        said("家在西湖区那边，杭州西湖", "residence.city", "杭州西湖"),
        [held("我住在杭州", "residence.city", "杭州")],
        NOW,
    )
    assert isinstance(outcome, Supersede | Merge)


def test_a_withdrawal_of_something_else_under_the_key_withdraws_nothing():
    candidate = said("别再提那只猫", "pets", "那只猫", op="retract")
    assert reconcile(candidate, [held("我养了一缸金鱼", "pets", "一缸金鱼")], NOW) is None


def test_events_append():
    outcome = reconcile(
        said("我今天在医院复查过", "", "", type="event"), [held("我今天在医院复查", type="event", same=0.8)], NOW
    )
    assert isinstance(outcome, Add)


@pytest.mark.parametrize(
    ("old", "new", "merged"),
    [
        ("用户周末喜欢爬山", "用户喜欢和儿子爬山", "用户周末喜欢和儿子爬山"),
        ("The user runs every day", "The user runs 5 km every day", "The user runs 5 km every day"),
        ("用户会说英语", "用户会说日语", None),
        ("用户吃肉", "用户不吃肉", None),
        ("用户住在杭州", "The user lives in Hangzhou", None),
        ("用户每天跑五公里", "用户每天早上跑步", None),
    ],
)
def test_two_sentences_become_one_only_if_nothing_is_lost(old, new, merged):
    assert merge_sentences(old, new) == merged


def test_forgetting_a_field_finds_the_one_memory_of_its_domain():
    memory = held("我住六楼", "residence.home", "六楼")
    gone = reconcile(said("忘掉我住哪", "residence.city", "", op="retract"), [memory], NOW)
    assert gone == Retract((memory.record,))


def test_two_ailments_are_not_one_said_again():
    memory = held("我感冒了", "health.condition", "感冒", 0.6)
    assert not isinstance(reconcile(said("我嗓子疼", "health.condition", "嗓子疼"), [memory], NOW), Reinforce)


def test_what_is_given_up_is_found_by_a_part_of_its_value():
    memory = held("The user has a Pixel 8", "possessions.device", "Pixel 8")
    gone = reconcile(said("The user no longer uses a Pixel", "other", "Pixel", op="retract"), [memory], NOW)
    assert gone == Retract((memory.record,))


def test_another_name_in_a_place_for_one_takes_the_place():
    memory = held("The user's manager is Ingrid", "people.manager", "Ingrid")
    outcome = reconcile(said("The user's manager is now Kofi", "people.manager", "Kofi"), [memory], NOW)
    assert outcome == Supersede((memory.record,))


def test_a_corrected_name_retires_the_one_held():
    memory = held("The user's name is Basil", "identity.name", "Basil")
    right = said("The user's name is Hugo", "identity.name", "Hugo", op="supersede", replaces="Basil")
    assert reconcile(right, [memory], NOW) == Supersede((memory.record,))
