from sqlalchemy import inspect, text

from zhiji.core.turn import Query
from zhiji.stores.memory.records import VerbatimMessage
from zhiji.stores.sql import EVERYONE


async def test_another_users_memory_is_never_recalled(teller, other):
    await teller.say("我住在杭州", "residence.city", "杭州")
    assert await other.memory.recall(Query("我住在哪里", "我住在哪里"), threshold=0) == []
    assert await other.memory.list(all=True) == []
    assert await other.memory.rank("我住在哪里") == []


async def test_two_users_may_hold_the_same_words(teller, other):
    for one in (teller, other):
        (learned,) = await one.say("我住在杭州", "residence.city", "杭州")
        assert learned.op == "ADD"


async def test_erasing_one_user_leaves_the_other_whole(teller, other):
    await teller.say("我住在杭州", "residence.city", "杭州")
    await other.say("我住在成都", "residence.city", "成都")
    await teller.memory.erase()
    assert await teller.memory.list(all=True) == []
    assert [one.content for one in await other.memory.list()] == ["我住在成都"]


async def test_erased_words_are_not_left_on_disk(teller, bytes_kept):
    await teller.say("我住在呼和浩特", "residence.city", "呼和浩特")
    await teller.memory.enqueue(teller.message("呼和浩特的冬天很冷").turn, thread="t")
    await teller.memory.erase()
    kept = await bytes_kept()
    assert "呼和浩特".encode() not in kept
    assert teller.memory.user_id.encode() not in kept


async def test_an_erased_user_can_start_anew(teller):
    await teller.say("我住在杭州", "residence.city", "杭州")
    await teller.memory.erase()
    await teller.say("我住在上海", "residence.city", "上海")
    assert await teller.asked("我住在哪个城市") == ["我住在上海"]


async def test_every_table_with_a_users_rows_is_emptied(teller, store):
    await teller.say("我住在杭州", "residence.city", "杭州")
    (waits,) = await teller.say("我月薪两万", "job.income", "两万")
    await teller.memory.ask("t", [waits.id])
    await teller.memory.enqueue(teller.message("你好").turn, thread="t")
    await teller.memory.erase()
    async with store._engines.database.read(EVERYONE) as connection:
        names = await connection.run_sync(lambda held: inspect(held).get_table_names())
        left = {name: (await connection.execute(text(f"select count(*) from {name}"))).scalar_one() for name in names}
    assert {name for name, rows in left.items() if rows} == {"alembic_version"}


async def test_a_verbatim_message_of_another_user_is_not_overwritten(teller, other):
    said = VerbatimMessage("x1", "我住在杭州", teller.start)
    await teller.memory.remember_verbatim([said])
    await other.memory.remember_verbatim([said])
    assert [one.content for one in await teller.memory.list()] == ["我住在杭州"]
    assert [one.content for one in await other.memory.list()] == ["我住在杭州"]
