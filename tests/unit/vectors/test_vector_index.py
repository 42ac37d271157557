"""What every engine of vectors must do; the embedded one is run here."""

import asyncio
import threading
import uuid

import numpy as np
import pytest

from zhiji.core.errors import StoreCorrupted, StoreLocked
from zhiji.stores.vectors.base import OPEN, IndexedChunk, SparseVector, Where
from zhiji.stores.vectors.edge import EdgeIndex
from zhiji.stores.vectors.locks import ProcessLock
from zhiji.stores.vectors.shards import LOCK_NAME

DIM = 16
ANYWHERE = Where()


def terms(**weights):
    ids = sorted(int(name[1:]) for name in weights)
    return SparseVector(np.array(ids, np.uint32), np.array([weights[f"t{one}"] for one in ids], np.float32))


def vector(seed):
    drawn = np.random.default_rng(seed).standard_normal(DIM).astype(np.float32)
    return drawn / np.linalg.norm(drawn)


def chunk(number, *, begins=1, ends=OPEN, source="a.md", category="x"):
    return IndexedChunk(
        id=str(uuid.UUID(int=number)),
        vector=vector(number),
        terms=terms(t1=1.0, **{f"t{number + 10}": 2.0}),
        text=f"text {number}",
        index_text=f"indexed {number}",
        metadata={"source": source, "category": category},
        key=f"key {number}",
        embed_hash=f"hash {number}",
        from_release=begins,
        to_release=ends,
    )


def name(number):
    return str(uuid.UUID(int=number))


@pytest.fixture
async def index(tmp_path):
    opened = EdgeIndex(tmp_path / "index", DIM, lock_wait_s=0.1, keep=True)
    await opened.create()
    yield opened
    await opened.release()


async def found(index, release, where=ANYWHERE, limit=10):
    dense = await index.dense(vector(1), release=release, where=where, limit=limit)
    sparse = await index.sparse(terms(t1=1.0), release=release, where=where, limit=limit)
    return set(dense), set(sparse)


async def test_a_chunk_comes_back_as_it_was_stored(index):
    await index.upsert([chunk(1)])
    [kept] = await index.retrieve([name(1), name(2)])
    assert kept.vector.tobytes() == vector(1).tobytes()
    assert kept.terms.ids.tolist() == [1, 11]
    for field in ("id", "text", "index_text", "metadata", "key", "embed_hash", "from_release", "to_release"):
        assert getattr(kept, field) == getattr(chunk(1), field)


@pytest.mark.parametrize(("release", "seen"), [(1, {1, 2}), (2, {1, 3}), (3, {1, 3})])
async def test_each_channel_sees_one_release_only(index, release, seen):
    await index.upsert([chunk(1), chunk(2, ends=2), chunk(3, begins=2)])
    assert await found(index, release) == ({name(one) for one in seen},) * 2


async def test_filters_hold_in_each_channel(index):
    await index.upsert([chunk(1), chunk(2, category="y"), chunk(3, source="b.md", category="y")])
    assert await found(index, 1, Where(categories=("y",))) == ({name(2), name(3)},) * 2
    assert await found(index, 1, Where(categories=("y",), sources=("a.md",))) == ({name(2)},) * 2
    assert await found(index, 1, Where(sources=("a.md", "b.md"))) == ({name(1), name(2), name(3)},) * 2


async def test_scores_are_given_for_chunks_that_a_channel_did_not_find(index):
    await index.upsert([chunk(1), chunk(2)])
    scored = {one.chunk.id: one for one in await index.scored([name(1), name(2)], vector(1), terms(t11=1.5))}
    assert scored[name(1)].dense == pytest.approx(1, abs=1e-6)
    assert scored[name(1)].sparse == 3.0
    assert scored[name(2)].sparse == 0
    assert scored[name(2)].dense == pytest.approx(float(vector(1) @ vector(2)), abs=1e-6)


async def test_equal_scores_are_cut_by_id_and_not_by_order_of_storage(index):
    await index.upsert([chunk(number) for number in (5, 3, 4, 1, 2)])
    assert await index.sparse(terms(t1=1.0), release=1, where=Where(), limit=3) == [name(1), name(2), name(3)]


async def test_scores_do_not_depend_on_how_segments_are_arranged(index):
    await index.upsert([chunk(number) for number in range(1, 2400)])
    ids = [name(number) for number in range(1, 60)]

    async def scores():
        scored = await index.scored(ids, vector(7), terms(t1=0.3, t17=1.7, t23=0.9))
        return sorted((one.chunk.id, one.dense.hex(), one.sparse.hex()) for one in scored)

    before = await scores()
    await index.delete([name(number) for number in range(60, 1500)])
    assert await index.optimize()
    assert await scores() == before


async def test_ends_are_moved_and_moved_back(index):
    await index.upsert([chunk(1)])
    await index.set_to([name(1)], 2)
    assert await found(index, 2) == (set(), set())
    [interval] = await index.intervals(touching=2)
    assert (interval.id, interval.to_release) == (name(1), 2)
    await index.set_to([name(1)], OPEN)
    assert await found(index, 2) == ({name(1)}, {name(1)})
    assert await index.intervals(touching=2) == []


async def test_what_is_written_survives_closing(index):
    await index.upsert([chunk(1)])
    await index.release()
    assert [one.text for one in await index.texts(release=1)] == ["text 1"]


async def test_creating_again_empties_it(index):
    await index.upsert([chunk(1)])
    await index.create()
    assert await index.intervals() == []


async def test_no_terms_find_nothing(index):
    await index.upsert([chunk(1)])
    assert await index.sparse(terms(), release=1, where=Where(), limit=3) == []
    assert await index.scored([], vector(1), terms()) == []


async def test_reading_and_writing_at_once(index):
    await index.upsert([chunk(number) for number in range(1, 100)])

    async def read():
        return [len((await found(index, 1))[0]) for _ in range(30)]

    async def write():
        for start in range(100, 400, 50):
            await index.upsert([chunk(number) for number in range(start, start + 50)])

    counts, _, _ = await asyncio.gather(read(), read(), write())
    assert set(counts) == {10}
    assert len(await index.intervals()) == 399


def test_event_loops_of_one_process_share_the_engine(tmp_path):
    async def create():
        await EdgeIndex(tmp_path, DIM, lock_wait_s=0.1).create()
        await EdgeIndex(tmp_path, DIM, lock_wait_s=0.1).upsert([chunk(1)])

    asyncio.run(create())
    counts = []

    def count():
        async def search():
            index = EdgeIndex(tmp_path, DIM, lock_wait_s=0.1)
            counts.extend([len(await index.intervals()) for _ in range(20)])

        asyncio.run(search())

    threads = [threading.Thread(target=count) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [1] * 60


async def test_a_folder_that_is_locked_elsewhere_is_refused(tmp_path):
    lock = ProcessLock(tmp_path / LOCK_NAME, "it")
    lock.acquire(0)
    with pytest.raises(StoreLocked, match="in use by process"):
        await EdgeIndex(tmp_path, DIM, lock_wait_s=0).intervals()
    lock.free()


async def test_a_missing_index_is_named(tmp_path):
    with pytest.raises(StoreCorrupted, match="cannot be used"):
        await EdgeIndex(tmp_path / "nothing", DIM, lock_wait_s=0).intervals()
