import pytest

from zhiji.core.errors import InvalidInput, UnknownMemory


async def test_a_memory_written_by_hand_is_active_and_important(memory):
    await memory.add("我住在杭州", key="residence.city", value="杭州")
    (held,) = await memory.list()
    assert (held.source, held.status, held.importance) == ("manual", "active", 4)


async def test_correcting_keeps_the_wrong_words_in_the_history(memory):
    added = await memory.add("我住在杭州", key="residence.city", value="杭州")
    corrected = await memory.correct(added.id, "我住在湖州", value="湖州")
    assert [one.content for one in await memory.list()] == ["我住在湖州"]
    assert corrected.replaced == (added.id,)
    assert (await memory.get(added.id)).status == "superseded"


async def test_confirming_makes_a_pending_memory_active(teller):
    (waits,) = await teller.say("我月薪两万", "job.income", "两万")
    assert waits.status == "pending"
    await teller.memory.confirm(waits.id)
    assert (await teller.memory.get(waits.id)).status == "active"


async def test_what_a_pending_memory_replaces_stays_until_it_is_confirmed(teller):
    (old,) = await teller.say("我月薪两万", "job.income", "两万", confirm="never")
    (new,) = await teller.say("我月薪三万了", "job.income", "三万")
    assert (await teller.memory.get(old.id)).status == "active"
    await teller.memory.confirm(new.id)
    assert (await teller.memory.get(old.id)).status == "superseded"


async def test_a_rejected_memory_is_withdrawn(teller):
    (waits,) = await teller.say("我月薪两万", "job.income", "两万")
    await teller.memory.reject(waits.id)
    assert (await teller.memory.get(waits.id)).status == "retracted"


async def test_a_forgotten_memory_is_not_listed_but_its_history_stays(memory):
    added = await memory.add("我住在杭州")
    await memory.forget(added.id)
    assert await memory.list() == []
    assert [entry.operation for entry in await memory.history(added.id)] == ["ADD", "RETRACT"]


@pytest.mark.parametrize("act", ["get", "confirm", "reject", "forget", "history"])
async def test_an_id_of_another_user_is_unknown(teller, other, act):
    (learned,) = await teller.say("我住在杭州", "residence.city", "杭州")
    with pytest.raises(UnknownMemory):
        await getattr(other.memory, act)(learned.id)


@pytest.mark.parametrize("text", ["", "  \x00 ", "my password is Hunter2!x"])
async def test_an_empty_text_or_a_secret_is_refused(memory, text):
    with pytest.raises(InvalidInput):
        await memory.add(text)


async def test_the_export_holds_everything_and_is_plain_json(teller):
    import json

    await teller.say("我住在杭州", "residence.city", "杭州")
    await teller.memory.enqueue(teller.message("你好").turn, thread="t")
    whole = json.loads(json.dumps(await teller.memory.export()))
    assert [one["content"] for one in whole["memories"]] == ["我住在杭州"]
    assert [one["text"] for one in whole["queued"]] == ["你好"]
    assert whole["user"] == teller.memory.user_id
