"""Which memories an answer tells, and in what words."""

import pytest

from zhiji.core.turn import RecalledMemory
from zhiji.models.answer import AnswerRequest
from zhiji.models.answer_embedded import EmbeddedAnswerer
from zhiji.models.answering.person import second_person, without_subject
from zhiji.models.answering.remembered import may_take, without_repeats
from zhiji.models.answering.subjects import days, subjects


def memory(content, label="M1", key="other", **more):
    return RecalledMemory(label, "fact", key, content, more.pop("score", 0.6), label=label, **more)


ALLERGY = memory("用户对芒果过敏", "M1", "diet.allergy", pinned=True, relevant=False)
DRINK = memory("用户平时喜欢喝拿铁", "M2", "preference.drink")
SEAT = memory("出差的时候用户喜欢靠窗的座位", "M3", "hobby")
MEETING = memory("用户周四下午不方便开会", "M4", "schedule.unavailable")


async def answer(question, *memories, lang="zh", **given):
    abstain = not any(one.relevant for one in memories)
    request = AnswerRequest(question, question, lang, memories=memories, abstain=abstain, **given)
    return "".join([piece async for piece in EmbeddedAnswerer().answer(request)])


@pytest.mark.parametrize(
    ("question", "told", "left"),
    [
        ("我平时喝什么", ["拿铁"], ["芒果", "靠窗", "开会"]),
        ("推荐个早餐", ["芒果"], ["靠窗", "开会"]),
        ("推荐一杯喝的", ["拿铁", "芒果"], ["靠窗", "开会"]),
        ("帮我安排周四的会议", ["周四下午"], ["芒果", "拿铁", "靠窗"]),
        ("帮我安排周一的会议", [], ["周四", "芒果", "拿铁"]),
        ("推荐一款键盘", [], ["芒果", "拿铁", "靠窗", "开会"]),
        ("帮我订出差的机票", ["靠窗"], ["芒果", "拿铁", "开会"]),
    ],
)
async def test_what_is_told_of_the_user_depends_on_the_question(question, told, left):
    said = await answer(question, ALLERGY, DRINK, SEAT, MEETING)
    assert [part for part in told if part not in said] == []
    assert [part for part in left if part in said] == []


async def test_a_safety_constraint_leads_when_the_user_asks_if_something_may_be_drunk():
    said = await answer("我能喝芒果汁吗", memory("用户对芒果过敏", key="diet.allergy", pinned=True))
    assert "芒果过敏 [M1]" in said


async def test_the_recalls_own_topics_help_where_no_word_does():
    scifi = memory("用户爱看《三体》", key="hobby", topics=("entertainment",))
    cat = memory("用户养了橘猫", "M2", "pets", topics=("pets",))
    said = await answer("推荐一部片子", scifi, cat, topics=("entertainment", "reading"))
    assert "三体" in said
    assert "橘猫" not in said


async def test_a_memorys_words_outweigh_the_key_it_was_filed_under():
    filed = memory("出差的时候用户喜欢靠窗的座位", key="preference.food")
    assert "靠窗" not in await answer("推荐个早餐", filed, ALLERGY)


async def test_a_number_of_something_else_is_no_answer():
    said = await answer("我的年假有几天", memory("用户的退货期是30天", key="attribute.退货期"))
    assert "30天" not in said


async def test_how_the_user_wants_answers_is_told_when_asked_and_only_then():
    wish = memory("用户要求请以后都用表格回答", key="reply.format")
    assert await answer("我希望你怎么回答", wish) == "您希望以后都用表格回答 [M1]。"
    assert "表格" not in await answer("推荐个早餐", wish, DRINK)


async def test_what_stands_in_another_memory_is_not_told_twice():
    short, full = memory("用户在负责远山项目"), memory("用户在负责远山项目，给茶园做监测", "M2")
    assert without_repeats([short, full]) == [full]
    assert without_repeats([short, memory("用户在负责远山项目。", "M3")]) == [short]


async def test_memories_in_the_other_language_are_quoted_together_behind_the_rest():
    english = memory("The user plays chess", "M1")
    said = await answer("你都知道我什么", english, memory("用户住在青岛", "M2"))
    assert said == "您住在青岛 [M2]。记忆里用英文记着：“plays chess” [M1]。"


async def test_all_that_is_known_is_told_in_sentences_not_in_one_chain():
    known = [memory(f"用户喜欢第{number}首歌", f"M{number}") for number in range(1, 7)]
    assert (await answer("你都知道我什么", *known)).count("。") == 2


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("提醒一下，用户对芒果过敏", "您对芒果过敏"),
        ("用户要求以后给自己的报告都用要点", "您希望以后给您的报告都用要点"),
        ("出差的时候用户喜欢靠窗的座位", "出差的时候您喜欢靠窗的座位"),
        ("用户是VIP用户", "您是VIP用户"),
        ("The user asks: please keep answers short", "You asked me to keep answers short"),
        ("The user asks the assistant to answer in English", "You asked me to answer in English"),
        (
            "The user swims every Friday, please don't schedule anything then",
            "You swim every Friday, and asked me not to schedule anything then",
        ),
    ],
)
def test_a_wish_or_an_opening_is_told_back_as_a_person_would(content, told):
    assert second_person(content) == told


def test_pure_parts_of_what_is_told():
    assert without_subject("用户的猫叫团团") == "用户的猫叫团团"
    assert may_take("Can I eat prawns?")
    assert not may_take("What do I eat?")
    assert "travel" in subjects("book a hotel")
    assert days("every Friday") == {"fri"}
