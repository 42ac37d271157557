"""The suite `memory-recall` on a store that recalls what it is told to."""

from datetime import UTC, datetime

import numpy as np
import pytest

from zhiji.core.errors import Misuse
from zhiji.core.turn import RecalledMemory
from zhiji.evals.embedding import Remembering, digest_of
from zhiji.evals.measured import silent
from zhiji.evals.memory_recall import UserLine, measure_with


class Flat:
    """Embeds every text the same, and counts how often it is asked."""

    model_id, dim = "flat", 2

    def __init__(self):
        self.calls = 0

    def query(self, text):
        self.calls += 1
        return np.array([1.0, 0.0], dtype=np.float32)

    def passages(self, texts):
        self.calls += len(texts)
        return np.tile(np.array([1.0, 0.0], dtype=np.float32), (len(texts), 1))


class Store:
    """All users' messages; each user recalls its own, newest first, and with `leaky` everybody's."""

    def __init__(self, leaky=False):
        self.messages = {}
        self.asked = []
        self._leaky = leaky

    def of(self, user):
        return Handle(self, user)

    def held(self, user):
        return [m for name, own in self.messages.items() for m in own if self._leaky or name == user]


class Handle:
    def __init__(self, store, user):
        self._store, self._user = store, user

    async def remember_verbatim(self, messages):
        self._store.messages[self._user] = list(messages)

    async def rank(self, question, k=10, *, at=None, among=None):
        self._store.asked.append((question, at))
        held = [one for one in self._store.held(self._user) if among is None or one.id in among]
        held.sort(key=lambda one: one.at, reverse=True)
        return [RecalledMemory(one.id, "event", "", one.text, 1.0) for one in held[:k]]


def user(name, relevant, **more):
    said = [{"id": f"m{day}", "at": f"2026-01-0{day}T08:00:00", "text": f"第{day}天"} for day in (1, 2, 3)]
    query = {"id": "q", "at": "2026-02-01T08:00:00", "text": "哪天", "relevant": relevant, **more}
    return UserLine.model_validate({"id": name, "lang": "zh", "messages": said, "queries": [query]})


async def measured(*lines, store=None):
    return await measure_with(store or Store(), Remembering(Flat()), lines, UTC, silent)


async def test_the_ranking_is_scored_by_the_messages_own_ids():
    found = await measured(user("a", ["m3"]), user("b", ["m1"]))
    assert found.n == 2
    assert (found.metrics["recall@1"], found.metrics["recall@3"], found.metrics["leaks"]) == (0.5, 1.0, 0)


async def test_users_of_the_same_name_are_kept_apart():
    found = await measured(user("a", ["m3"]), user("a", ["m3"]))
    assert (found.metrics["recall@1"], found.details["users"]) == (1.0, 2)


async def test_anothers_message_is_a_leak():
    found = await measured(user("a", ["m3"]), user("b", ["m3"]), store=Store(leaky=True))
    assert found.metrics["leaks"] == 6


@pytest.mark.parametrize("before", ["m3", "2026-01-03T08:00:00"], ids=["a message", "a time"])
async def test_what_is_said_later_is_not_recalled(before):
    found = await measured(user("a", ["m2"], before=before))
    assert found.metrics["recall@1"] == 1.0
    assert found.baselines["dense"]["recall@3"] == 1.0


async def test_the_clock_is_the_time_of_the_question():
    store = Store()
    await measured(user("a", ["m1"]), store=store)
    assert store.asked[-1] == ("哪天", datetime(2026, 2, 1, 8, tzinfo=UTC))


async def test_a_question_without_an_answer_is_not_scored():
    found = await measured(user("a", []), user("b", ["m3"]))
    assert found.n == 1


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (user("a", ["m9"]), "m9"),
        (user("a", ["m1"]).model_copy(update={"messages": user("a", []).messages[:1] * 2}), "same id"),
    ],
    ids=["unknown message", "an id twice"],
)
async def test_a_line_that_makes_no_sense_is_refused(line, says):
    with pytest.raises(Misuse, match=says):
        await measured(line)


async def test_the_figures_stand_beside_the_baselines_and_by_category():
    found = await measured(user("a", ["m3"], category="simple"))
    assert set(found.baselines) == {"bm25", "dense", "rrf"}
    assert found.details["by_category"]["simple"]["n"] == 1


def test_no_text_is_embedded_twice():
    flat = Flat()
    embedder = Remembering(flat)
    embedder.passages(["a", "b", "a"])
    embedder.query("a")
    embedder.timed_query("a")
    assert flat.calls == 3


def test_a_vector_is_found_by_the_name_of_its_text():
    embedder = Remembering(Flat())
    embedder.passages(["a"])
    assert embedder.remembered(digest_of("a"))[0] == "a"
    assert embedder.remembered(digest_of("b")) is None
