"""Exact questions about people, and the projection they are asked of."""

import pytest

from zhiji.core.errors import Misuse

CITY = {"residence.city": ["杭州"]}


async def names(store, wanted, **more):
    return [person.user_id for person in await store.find_people(wanted, **more)]


async def test_people_are_found_by_every_wanted_value(store, teller, other):
    await teller.say("我种荔枝和龙眼", "crops", "荔枝、龙眼")
    await teller.say("我住在杭州", "residence.city", "杭州")
    await other.say("我种荔枝", "crops", "荔枝")
    both = {teller.memory.user_id, other.memory.user_id}
    assert set(await names(store, {"crops": ["荔枝"]})) == both
    assert await names(store, {"crops": ["荔枝", "龙眼"]}) == [teller.memory.user_id]
    assert await names(store, {"crops": ["荔枝"], "city": ["杭州"]}) == [teller.memory.user_id]
    assert await names(store, {"crops": ["芒果"]}) == []


@pytest.mark.parametrize("asked", ["龍眼", "龙眼", " 龙眼 "])
async def test_the_spelling_of_a_value_does_not_matter(store, teller, asked):
    await teller.say("我種龍眼", "crops", "龍眼")
    assert await names(store, {"crops": [asked]}) == [teller.memory.user_id]


async def test_a_value_that_was_replaced_withdrawn_or_erased_finds_nobody(store, teller, other):
    await teller.say("我住在杭州", "residence.city", "杭州")
    await teller.say("我搬到上海了", "residence.city", "上海", op="supersede")
    assert await names(store, CITY) == []
    assert await names(store, {"residence.city": ["上海"]}) == [teller.memory.user_id]
    (learned,) = await other.say("我住在杭州", "residence.city", "杭州")
    assert await names(store, CITY) == [other.memory.user_id]
    await other.memory.forget(learned.id)
    assert await names(store, CITY) == []
    await teller.memory.erase()
    assert await names(store, {"residence.city": ["上海"]}) == []


async def test_a_pending_value_and_a_friends_finds_nobody(store, teller):
    await teller.say("我住在杭州", "residence.city", "杭州", confirm="always")
    await teller.say("我朋友住在杭州", "residence.city", "杭州", subject="friend", confirm="never")
    assert await names(store, CITY) == []


@pytest.mark.parametrize("key", ["job.income", "diet.allergy", "favourite_knot"])
async def test_nobody_is_found_by_what_is_sensitive_medical_or_no_field(store, teller, key):
    await teller.say("我对花生过敏", key, "花生", confirm="never")
    with pytest.raises(Misuse, match=key):
        await store.find_people({key: ["花生"]})


async def test_a_question_without_a_value_is_misuse(store):
    for empty in ({}, {"crops": []}, {"crops": [" 、 "]}):
        with pytest.raises(Misuse):
            await store.find_people(empty)


async def test_many_people_come_page_by_page(store):
    everybody = [f"grower {number}" for number in range(7)]
    for name in everybody:
        await store.of(name).add("我种荔枝", key="crops", value="荔枝")
    found = await names(store, {"crops": ["荔枝"]}, limit=3)
    while page := await names(store, {"crops": ["荔枝"]}, limit=3, after=found[-1]):
        found += page
    assert sorted(found) == everybody


async def test_a_very_long_value_is_kept_and_found(store, teller):
    long = "果园" * 2000
    await teller.say(f"我住在{long}", "residence.city", long)
    assert await names(store, {"residence.city": [long]}) == [teller.memory.user_id]
