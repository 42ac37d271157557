from datetime import timedelta

import pytest

from zhiji.core.turn import Query
from zhiji.stores.memory.records import VerbatimMessage


async def cafe_user(teller):
    await teller.say("我住在杭州", "residence.city", "杭州")
    await teller.say("我平时喜欢喝美式", "preference.drink", "美式", type="preference")
    await teller.say("我周五下午都不方便开会", "schedule.unavailable", "周五下午", type="preference")


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("帮我推荐个附近的咖啡店", {"我住在杭州", "我平时喜欢喝美式"}),
        ("我平时喝什么", {"我平时喜欢喝美式"}),
        ("帮我安排周五的复盘会", {"我周五下午都不方便开会"}),
        ("我在哪个城市", {"我住在杭州"}),
    ],
)
async def test_what_bears_on_the_question_is_recalled(teller, question, found):
    await cafe_user(teller)
    assert found <= set(await teller.asked(question))


@pytest.mark.parametrize("question", ["怎么退款", "会员积分怎么算", "路由器怎么恢复出厂设置", "勾股定理怎么证明"])
async def test_a_question_about_nothing_known_recalls_nothing(teller, question):
    await cafe_user(teller)
    assert await teller.asked(question) == []


@pytest.mark.parametrize(
    ("key", "told", "question"),
    [
        ("job.title", "用户在县医院当药剂师", "我靠什么谋生，做什么工作？"),
        ("job.title", "The user is a paramedic now", "What do I do for a living?"),
        ("identity.age", "用户今年34岁", "我多大了？"),
        ("pets", "The user keeps two tortoises", "What pets do I have?"),
        ("job.other", "用户在码头管吊车", "我是做什么工作的？"),
    ],
)
async def test_a_question_about_a_field_finds_its_memory_whatever_the_words(teller, key, told, question):
    await cafe_user(teller)
    await teller.say(told, key, "")
    assert told in await teller.asked(question)


@pytest.mark.parametrize("question", ["你做什么工作？", "How do I reset the controller?", "这份工作说明写得怎么样？"])
async def test_a_question_about_something_else_asks_for_no_field(teller, question):
    await teller.say("用户在县医院当药剂师", "job.title", "药剂师")
    assert await teller.asked(question) == []


async def test_all_that_is_known_comes_with_the_important_first(teller, other):
    await cafe_user(teller)
    await teller.say("我对花生过敏", "diet.allergy", "花生", pinned=True)
    await other.say("我住在上海", "residence.city", "上海")
    found = await teller.memory.recall(Query("你都知道我什么", "你都知道我什么", overview=True), at=teller.start)
    assert found[0].content == "我对花生过敏"
    assert {one.content for one in found} >= {"我住在杭州", "我平时喜欢喝美式", "我周五下午都不方便开会"}
    assert len(found) == 4


async def test_a_safety_constraint_comes_with_every_question(teller):
    await teller.say("我对花生过敏", "diet.allergy", "花生")
    (found,) = await teller.memory.recall(Query("怎么退款", "怎么退款"))
    assert found.content == "我对花生过敏"
    assert found.pinned


async def test_a_pending_memory_is_not_recalled(teller):
    (learned,) = await teller.say("我可能喜欢爬山", "hobby", "爬山", inferred=True)
    assert learned.status == "pending"
    assert await teller.asked("周末去哪里爬山") == []


async def test_what_was_written_is_recalled_at_once(teller):
    await teller.asked("我叫什么")
    await teller.say("我叫周岚", "identity.name", "周岚")
    assert await teller.asked("我叫什么") == ["我叫周岚"]


async def test_an_expired_memory_is_not_recalled(teller):
    await teller.say("我这周住在酒店", "stay", "酒店", expire_at=teller.start + timedelta(days=7))
    assert await teller.asked("我住在哪里") == ["我这周住在酒店"]
    assert await teller.asked("我住在哪里", at=teller.start + timedelta(days=8)) == []


async def test_the_fresher_of_two_equals_comes_first(teller):
    await teller.say(
        "我喜欢看科幻电影", "preference.film", "科幻电影", type="preference", at=teller.start - timedelta(days=200)
    )
    await teller.say("我喜欢看动画电影", "preference.film", "动画电影", type="preference")
    assert (await teller.asked("推荐一部电影"))[0] == "我喜欢看动画电影"


async def test_a_passing_state_is_over_after_some_weeks(teller):
    await teller.say("我这两天感冒了", "health.condition", "感冒", temporary=True)
    assert await teller.asked("我最近身体怎么样") == ["我这两天感冒了"]
    assert await teller.asked("我最近身体怎么样", at=teller.start + timedelta(days=100)) == []


async def test_asking_what_was_said_brings_it_all(teller):
    for content, key in (("I'm Priya", "name"), ("I live in Norwich", "city"), ("I teach chemistry", "job")):
        await teller.say(content, key, content.split()[-1])
    found = await teller.asked("Do you remember what I told you about myself?", wide=True, limit=10)
    assert set(found) == {"I'm Priya", "I live in Norwich", "I teach chemistry"}


async def test_each_part_of_a_question_is_looked_up(teller):
    said = ["我的车是斯柯达", "我妹妹学的是兽医", "我家楼下有个菜市场", "周末一般在家做饭", "我对猫毛没有反应"]
    await teller.memory.remember_verbatim([VerbatimMessage(f"v{n}", text, teller.start) for n, text in enumerate(said)])
    found = [one.content for one in await teller.memory.rank("我开的是什么车，另外我妹妹学什么专业？", 2)]
    assert set(found) == {"我的车是斯柯达", "我妹妹学的是兽医"}


async def test_who_spoke_is_part_of_what_is_searched(teller):
    said = [("Maria", "I adopted a puppy"), ("David", "I adopted a kitten"), ("David", "I went to the gym")]
    await teller.memory.remember_verbatim(
        [VerbatimMessage(f"v{n}", text, teller.start, who) for n, (who, text) in enumerate(said)]
    )
    first, *_ = await teller.memory.rank("Which animal did David adopt?", 3)
    assert first.content == "I adopted a kitten"


async def test_ranking_may_be_limited_to_some_memories(teller):
    await teller.memory.remember_verbatim(
        [VerbatimMessage(f"v{n}", f"我去了第{n}家店", teller.start) for n in range(5)]
    )
    assert {one.id for one in await teller.memory.rank("我去了哪家店", among={"v1", "v3"})} == {"v1", "v3"}


async def test_recalling_from_an_empty_memory_finds_nothing(memory):
    assert await memory.recall(Query("我住哪", "我住哪")) == []
