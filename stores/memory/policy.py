"""The rules of memory that need no store: how it fades, what it weighs, when it waits for a yes."""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta

from zhiji.core.settings import ConfirmPolicy, RankingPreset
from zhiji.models.extract import Candidate
from zhiji.stores.memory.records import MemoryRecord, Source, Status
from zhiji.stores.profiles import field_of

STABLE_RATE, PASSING_RATE = 0.01, 0.05
"""Decay a day of what lasts, and of a short-lived state; seeds, document 000 §3.2."""
HIGHEST_IMPORTANCE = 5
PASSING_DAYS = 60
"""After these a short-lived state that named no end is over: by then 5 % of its weight is left."""
_DAY_S = 86_400.0


@dataclass(frozen=True, slots=True)
class Weights:
    """Shares of similarity, freshness and type match in a memory's score; they add up to 1."""

    semantic: float
    decay: float
    type_match: float


PRESETS: dict[RankingPreset, Weights] = {"support": Weights(0.6, 0.3, 0.1), "assistant": Weights(0.4, 0.5, 0.1)}
"""Similarity first for support, freshness first for a personal assistant; seeds, document 000 §3.3."""

SOURCE_WEIGHT: dict[Source, float] = {"manual": 1.0, "dialogue": 0.95, "document": 0.9}
"""What the user wrote into memory outranks what was said, and that what a document says."""


def decay(age_days: float, rate: float) -> float:
    """Weight left after `age_days` at `rate` per day: exp(-rate · age).

    Stable preferences use 0.01 (half gone after 69 days), passing states 0.05 (14 days); seeds, document 000 §3.2.

    >>> round(decay(69.3, 0.01), 2)
    0.5

    Raises:
        ValueError: The age is negative.
    """
    if age_days < 0:
        raise ValueError(f"age must not be negative, got {age_days}")
    return math.exp(-rate * age_days)


def freshness(record: MemoryRecord, at: datetime) -> float:
    """How fresh a memory is at a moment, in (0, 1]: from when it was last said or confirmed."""
    last = max((m for m in (record.updated_at, record.confirmed_at, record.created_at) if m), default=at)
    age = max(0.0, (at - last).total_seconds() / _DAY_S)
    return decay(age, PASSING_RATE if record.temporary else STABLE_RATE)


def over_at(record: MemoryRecord) -> datetime | None:
    """When a memory's time is over: its own end, or for a short-lived state the day nothing of it is left."""
    ends = [moment for moment in (record.expire_at, record.valid_to) if moment is not None]
    if record.temporary and record.expire_at is None and record.updated_at is not None:
        ends.append(record.updated_at + timedelta(days=PASSING_DAYS))
    return min(ends, default=None)


def score(
    semantic: float, fresh: float, type_match: float, *, preset: RankingPreset, source: Source = "manual"
) -> float:
    """A memory's rank: α·semantic + β·freshness + γ·type match, times the weight of its source.

    >>> round(score(0.8, 0.5, 1.0, preset="support"), 3), round(score(0.8, 0.5, 1.0, preset="assistant"), 3)
    (0.73, 0.67)
    """
    weights = PRESETS[preset]
    total = weights.semantic * semantic + weights.decay * fresh + weights.type_match * type_match
    return total * SOURCE_WEIGHT[source]


def first_importance(candidate: Candidate, source: Source) -> int:
    """The importance of a new memory, 1 to 5.

    Said once without emphasis it stays low until repeated; a rule, a manual entry or a safety constraint starts high.
    """
    if candidate.pinned:
        return HIGHEST_IMPORTANCE
    if candidate.rule or source == "manual":
        return 4
    field = field_of(candidate.key)
    if field is not None and field.core:
        return 3
    return 1 if candidate.type == "preference" or candidate.temporary else 2


def reinforced(importance: int, candidate: Candidate) -> int:
    """The importance after the same was said again: one more, and at least a rule's where it was made one."""
    return min(HIGHEST_IMPORTANCE, max(importance + 1, 4 if candidate.rule else 0))


_KIN = frozenset(
    "family kin mother mom mum dad father parent parents wife husband spouse partner son daughter child children kid kids baby"
    " brother sister sibling grandson granddaughter grandmother grandfather grandma grandpa pet cat dog 家人 家里 妈妈 母亲 妈"
    " 爸爸 父亲 爸 父母 爸妈 老婆 妻子 太太 老公 丈夫 爱人 对象 儿子 女儿 闺女 孩子 宝宝 娃 哥哥 姐姐 弟弟 妹妹 爷爷 奶奶 外公 外婆"
    " 姥姥 姥爷 孙子 孙女 宠物 猫 狗".split()
)


def is_kin(subject: str) -> bool:
    """Whether a subject is the user's close family or pet, of whom the user speaks first-hand."""
    words = subject.lower().removeprefix("user's ").removeprefix("用户的").replace("_", " ").split()
    return bool(words) and words[0].removeprefix("我") in _KIN


def first_status(candidate: Candidate, confirm: ConfirmPolicy, *, safety: bool) -> Status:
    """Whether a new memory is active at once or waits for the user's yes.

    Under `sensitive` those wait that the schema marks so, that are about third persons (close family and pets are the
    user's own to tell of), or that are inferred. A safety constraint the user stated is active at once under any policy.
    """
    if safety and not candidate.inferred:
        return "active"
    if confirm == "never":
        return "pending" if candidate.inferred else "active"
    field = field_of(candidate.key)
    third_person = candidate.subject != "user" and not is_kin(candidate.subject)
    waits = confirm == "always" or candidate.inferred or third_person or (field is not None and field.sensitive)
    return "pending" if waits else "active"


def is_safety(candidate: Candidate) -> bool:
    """Whether a candidate is a constraint that must never be missed: an allergy, a medical or religious one."""
    field = field_of(candidate.key)
    lasting = field is not None and field.safety and not candidate.temporary
    return candidate.pinned or (lasting and candidate.subject == "user")


def type_match(asked: tuple[str, ...], held: tuple[str, ...]) -> float:
    """Share of a query's topics that a memory touches, in [0, 1]; nothing asked matches nothing.

    >>> type_match(("food", "travel"), ("food",))
    0.5
    """
    return len(set(asked) & set(held)) / len(asked) if asked else 0.0
