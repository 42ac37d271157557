"""The tables go up and down, and nothing kept is lost on the way."""

from sqlalchemy import inspect, text

from zhiji.stores.migrations import downgrade, upgrade
from zhiji.stores.sql import EVERYONE


async def migrated(store, step):
    async with store._engines.database.write(EVERYONE) as connection:
        await connection.run_sync(step)


async def test_down_to_nothing_and_up_again(store):
    await migrated(store, lambda held: downgrade(held, "memory"))
    async with store._engines.database.read() as connection:
        assert await connection.run_sync(lambda held: inspect(held).get_table_names()) == ["alembic_version"]
    await migrated(store, lambda held: upgrade(held, "memory"))
    await store.of("a").add("我住在杭州")
    assert [one.content for one in await store.of("a").list()] == ["我住在杭州"]


async def test_memories_and_profiles_come_through_a_version_down_and_up(store, teller, other):
    await teller.say("我住在杭州", "residence.city", "杭州")
    await teller.say("我種龍眼", "crops", "龍眼")
    await other.say("我住在杭州", "residence.city", "杭州")
    before = [await one.memory.export() for one in (teller, other)]

    await migrated(store, lambda held: downgrade(held, "memory", "memory_0002"))
    async with store._engines.database.read() as connection:
        assert (await connection.execute(text("SELECT count(*) FROM profile_fields"))).scalar_one() == 3
    await migrated(store, lambda held: upgrade(held, "memory"))

    assert [await one.memory.export() for one in (teller, other)] == before
    found = await store.find_people({"crops": ["龙眼"], "city": ["杭州"]})
    assert [person.user_id for person in found] == [teller.memory.user_id]
