import asyncio
from datetime import timedelta

import pytest


async def statuses(memory):
    return {one.content: one.status for one in await memory.list(all=True)}


async def test_the_same_said_in_five_threads_is_one_memory_of_raised_importance(teller):
    for thread in "abcde":
        await teller.say("我喜欢喝美式", "preference.drink", "美式", type="preference", thread=thread)
    (held,) = await teller.memory.list()
    assert held.importance == 5
    assert len(held.evidence) == 5


async def test_a_preference_said_once_stays_low_until_it_is_made_a_rule(teller):
    await teller.say("我喜欢喝美式", "preference.drink", "美式", type="preference")
    assert [one.importance for one in await teller.memory.list()] == [1]
    await teller.say("记住我喜欢喝美式", "preference.drink", "美式", type="preference", rule=True)
    assert [one.importance for one in await teller.memory.list()] == [4]


async def test_a_new_value_of_a_single_valued_key_replaces_the_old_one(teller):
    await teller.say("我住在杭州", "residence.city", "杭州")
    (learned,) = await teller.say("我住在上海", "residence.city", "上海")
    assert learned.op == "SUPERSEDE"
    assert await statuses(teller.memory) == {"我住在杭州": "superseded", "我住在上海": "active"}


async def test_the_history_tells_when_and_by_which_words_a_memory_was_replaced(teller):
    (old,) = await teller.say("我喜欢喝美式", "preference.drink", "美式", type="preference")
    await teller.say("我改喝拿铁了", "preference.drink", "拿铁", type="preference", op="supersede")
    last = (await teller.memory.history(old.id))[-1]
    assert last.operation == "SUPERSEDE"
    assert "我改喝拿铁了" in last.reason
    assert last.at == teller.start + timedelta(minutes=2)


async def test_a_replacement_without_the_key_finds_the_nearest_memory(teller):
    await teller.say("我平时喝美式咖啡", "drink_habit", "美式咖啡", type="preference")
    await teller.say("我在一家银行上班", "job.employer", "银行")
    (learned,) = await teller.say("我改喝拿铁咖啡了", "beverage", "拿铁咖啡", type="preference", op="supersede")
    assert (await statuses(teller.memory))["我平时喝美式咖啡"] == "superseded"
    assert (await statuses(teller.memory))["我在一家银行上班"] == "active"
    assert learned.op == "SUPERSEDE"


async def test_the_name_that_is_denied_is_retired(teller):
    await teller.say("我叫小明", "identity.name", "小明")
    await teller.say("我叫小华", "identity.name", "小华", op="supersede", replaces="小明")
    assert [one.value for one in await teller.memory.list()] == ["小华"]


async def test_a_second_allergy_is_kept_beside_the_first(teller):
    await teller.say("我对海鲜过敏", "diet.allergy", "海鲜")
    await teller.say("我对花生过敏", "diet.allergy", "花生")
    assert {one.value for one in await teller.memory.list()} == {"海鲜", "花生"}


async def test_two_values_of_one_key_in_one_message_are_both_kept(teller):
    both = [teller.candidate("我养了一只猫", "pets", "一只猫"), teller.candidate("我养了一条狗", "pets", "一条狗")]
    await teller.memory.learn(both, teller.message("我养了一只猫，我养了一条狗"))
    assert {one.value for one in await teller.memory.list()} == {"一只猫", "一条狗"}


async def test_the_same_twice_in_one_message_is_one_memory(teller):
    twice = [teller.candidate("我住在杭州", "residence.city", "杭州")] * 2
    await teller.memory.learn(twice, teller.message("我住在杭州，我住在杭州"))
    assert len(await teller.memory.list()) == 1


async def test_a_fuller_statement_is_merged_and_keeps_both_quotes(teller):
    await teller.say("用户喜欢喝咖啡", "preference.drink", "咖啡", type="preference")
    (learned,) = await teller.say("用户喜欢喝不加糖的咖啡", "preference.drink", "不加糖的咖啡", type="preference")
    (held,) = await teller.memory.list()
    assert learned.op == "MERGE"
    assert held.content == "用户喜欢喝不加糖的咖啡"
    assert [one.quote for one in held.evidence] == ["用户喜欢喝咖啡", "用户喜欢喝不加糖的咖啡"]


async def test_a_retraction_withdraws_the_memory_it_names_and_no_other(teller):
    await teller.say("我对海鲜过敏", "diet.allergy", "海鲜")
    await teller.say("我对花生过敏", "diet.allergy", "花生")
    (learned,) = await teller.say("我对海鲜过敏", "diet.allergy", "海鲜", op="retract")
    assert learned.op == "RETRACT"
    assert [one.value for one in await teller.memory.list()] == ["花生"]


async def test_a_retraction_of_something_never_said_changes_nothing(teller):
    await teller.say("我住在杭州", "residence.city", "杭州")
    assert await teller.say("我养了一只猫", "pets", "猫", op="retract") == []
    assert len(await teller.memory.list()) == 1


async def test_an_older_statement_never_replaces_a_newer_one(teller):
    await teller.say("我住在上海", "residence.city", "上海")
    await teller.say("我住在杭州", "residence.city", "杭州", at=teller.start - timedelta(days=30))
    assert await statuses(teller.memory) == {"我住在上海": "active", "我住在杭州": "superseded"}


async def test_a_friends_allergy_is_not_mine(teller):
    await teller.say("我对花生过敏", "diet.allergy", "花生")
    (learned,) = await teller.say("我朋友对花生过敏", "diet.allergy", "花生", subject="friend")
    assert learned.op == "ADD"
    assert learned.status == "pending"
    assert [one.content for one in await teller.memory.pinned()] == ["我对花生过敏"]


async def test_a_liking_turned_into_a_dislike_replaces_it(teller):
    await teller.say("我喜欢吃香菜", "preference.food", "香菜", type="preference")
    await teller.say("我不吃香菜了", "preference.food", "香菜", type="preference", polarity="-")
    assert [one.content for one in await teller.memory.list()] == ["我不吃香菜了"]


async def test_replaying_a_message_changes_nothing(teller):
    one, said = teller.candidate("我住在杭州", "residence.city", "杭州"), teller.message("我住在杭州")
    await teller.memory.learn([one], said)
    before = await teller.memory.history()
    assert await teller.memory.learn([one], said) == []
    assert await teller.memory.history() == before


async def test_the_same_message_id_in_another_thread_is_another_message(teller):
    one = teller.candidate("我住在杭州", "residence.city", "杭州")
    await teller.memory.learn([one], teller.message("我住在杭州", number=1, thread="a"))
    (learned,) = await teller.memory.learn([one], teller.message("我住在杭州", number=1, thread="b"))
    assert learned.op == "REINFORCE"


async def test_a_candidate_that_does_not_quote_the_message_is_dropped(teller):
    invented = teller.candidate("我住在杭州", "residence.city", "杭州", quote="我住在杭州")
    assert await teller.memory.learn([invented], teller.message("今天天气不错")) == []


@pytest.mark.parametrize("policy", ["never", "sensitive", "always"])
async def test_a_secret_is_stored_under_no_policy(teller, policy):
    assert await teller.say("我的支付密码是 839201", "password", "839201", confirm=policy) == []
    assert await teller.memory.list(all=True) == []


async def test_the_value_of_a_secret_is_not_stored_without_its_name_either(teller):
    bare = teller.candidate("839201", "code", "839201")
    assert await teller.memory.learn([bare], teller.message("我的支付密码是 839201")) == []


async def test_turns_at_the_same_time_lose_nothing_and_duplicate_nothing(teller):
    foods = ["苹果", "香蕉", "榴莲", "荔枝"]
    await asyncio.gather(
        *(
            teller.say(f"我喜欢吃{food}", "preference.food", food, type="preference", thread=f"t{n}")
            for n in range(3)
            for food in foods
        )
    )
    held = await teller.memory.list()
    assert sorted(one.value for one in held) == sorted(foods)
    assert all(one.importance == 3 for one in held)


async def test_the_profile_row_follows_the_memory(teller):
    await teller.say("我住在杭州", "city", "杭州")
    assert [fact.content for fact in await teller.memory.profile_facts()] == ["我住在杭州"]
    (moved,) = await teller.say("我搬到上海了", "city", "上海")
    assert [fact.content for fact in await teller.memory.profile_facts()] == ["我搬到上海了"]
    await teller.memory.forget(moved.id)
    assert await teller.memory.profile_facts() == []
