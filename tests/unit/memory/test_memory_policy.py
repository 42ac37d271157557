from datetime import UTC, datetime, timedelta

import pytest

from zhiji.models.extract import Candidate
from zhiji.stores.memory.policy import (
    decay,
    first_importance,
    first_status,
    freshness,
    is_safety,
    reinforced,
    score,
    type_match,
)
from zhiji.stores.memory.records import MemoryRecord

AT = datetime(2026, 5, 1, tzinfo=UTC)


def candidate(key="", subject="user", **more):
    given = {"op": "add", "type": "fact", "value": "", "content": "x", "quote": "x", "turn": 0} | more
    return Candidate(key=key, subject=subject, **given)


@pytest.mark.parametrize(("days", "rate", "left"), [(0, 0.01, 1.0), (69.3, 0.01, 0.5), (13.9, 0.05, 0.5)])
def test_memories_fade_at_their_rate(days, rate, left):
    assert decay(days, rate) == pytest.approx(left, abs=0.01)


def test_a_negative_age_is_refused():
    with pytest.raises(ValueError, match="negative"):
        decay(-1, 0.01)


def test_a_passing_state_fades_five_times_as_fast():
    lasting = MemoryRecord("1", "fact", "", "", "x", updated_at=AT - timedelta(days=10))
    passing = MemoryRecord("2", "fact", "", "", "x", updated_at=AT - timedelta(days=10), temporary=True)
    assert freshness(lasting, AT) > freshness(passing, AT)


def test_a_memory_from_the_future_is_fresh():
    assert freshness(MemoryRecord("1", "fact", "", "", "x", updated_at=AT + timedelta(days=1)), AT) == 1.0


@pytest.mark.parametrize(("preset", "total"), [("support", 0.73), ("assistant", 0.67)])
def test_the_presets_weigh_similarity_and_freshness(preset, total):
    assert score(0.8, 0.5, 1.0, preset=preset) == pytest.approx(total)


def test_what_was_written_by_hand_outranks_what_was_said():
    by = {
        source: score(0.8, 0.5, 1.0, preset="support", source=source) for source in ("manual", "dialogue", "document")
    }
    assert by["manual"] > by["dialogue"] > by["document"]


@pytest.mark.parametrize(
    ("given", "importance"),
    [
        ({"type": "preference"}, 1),
        ({"type": "preference", "rule": True}, 4),
        ({"pinned": True}, 5),
        ({"key": "identity.name"}, 3),
        ({}, 2),
    ],
    ids=["preference said once", "rule", "safety", "core field", "fact"],
)
def test_first_importance(given, importance):
    assert first_importance(candidate(**given), "dialogue") == importance


def test_importance_never_exceeds_five():
    assert [reinforced(start, candidate()) for start in (1, 4, 5)] == [2, 5, 5]


@pytest.mark.parametrize(
    ("given", "policy", "status"),
    [
        ({}, "sensitive", "active"),
        ({"key": "job.income"}, "sensitive", "pending"),
        ({"subject": "friend"}, "sensitive", "pending"),
        ({"subject": "mother"}, "sensitive", "active"),
        ({"inferred": True}, "sensitive", "pending"),
        ({"inferred": True}, "never", "pending"),
        ({"key": "job.income"}, "never", "active"),
        ({}, "always", "pending"),
        ({"key": "diet.allergy"}, "always", "active"),
    ],
)
def test_what_waits_for_a_yes(given, policy, status):
    one = candidate(**given)
    assert first_status(one, policy, safety=is_safety(one)) == status


def test_type_match_is_the_share_of_the_questions_topics():
    assert type_match(("food", "travel"), ("food",)) == 0.5
    assert type_match((), ("food",)) == 0.0
