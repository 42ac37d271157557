"""What forbids taking two statements for one: another value, number, negation, person, polarity or scene."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from zhiji.core.text import fold
from zhiji.models.differences import differences
from zhiji.models.numerals import arabic
from zhiji.stores.memory.policy import is_kin
from zhiji.stores.profiles import canonical, field_of

Relation = Literal["equal", "narrower", "wider", "other", "unknown"]
_NOISE = re.compile(r"[\s,.;:!?，。；：！？、“”\"'’·()（）-]+|(?<=.)[市省县区]$|^(?:a|an|the) ")
_SUBJECTS = {
    "me": "user",
    "i": "user",
    "self": "user",
    "用户": "user",
    "我": "user",
    "本人": "user",
    "": "user",
    "the user": "user",
}


@dataclass(frozen=True, slots=True)
class Statement:
    """What a memory or a candidate claims."""

    key: str
    value: str
    content: str
    subject: str = "user"
    polarity: Literal["+", "-"] = "+"
    scene: str | None = None


@lru_cache(maxsize=16384)
def plain(value: str) -> str:
    """A value for comparing: folded, numerals in digits, without punctuation and 市/省/县/区 at the end.

    >>> plain("杭州市") == plain(" 杭州 "), plain("两只猫") == plain("2 只猫")
    (True, True)
    """
    return _NOISE.sub("", arabic(fold(value.strip())))


@lru_cache(maxsize=4096)
def person(subject: str) -> str:
    """The one spelling of a subject: every name of the user is `user`."""
    folded = fold(subject.strip())
    return _SUBJECTS.get(folded, folded)


def compare_values(new: str, old: str) -> Relation:
    """How a new value relates to an old one; `narrower` means that it says the same and more.

    >>> compare_values("杭州西湖区", "杭州"), compare_values("上海", "杭州"), compare_values("", "杭州")
    ('narrower', 'other', 'unknown')
    """
    left, right = plain(new), plain(old)
    if not left or not right:
        return "unknown"
    if left == right:
        return "equal"
    if left[-1:].isdigit() or right[-1:].isdigit() or left[0].isdigit() or right[0].isdigit():
        return "other"
    if len(right) > 1 and right in left:
        return "narrower"
    return "wider" if len(left) > 1 and left in right else "other"


def relation(new: Statement, old: Statement) -> Relation:
    """How the values of two statements relate; two names of one choice of a profile field are equal."""
    field = field_of(new.key) if canonical(new.key) == canonical(old.key) else None
    choices = (field.choice_of(new.value), field.choice_of(old.value)) if field is not None else (None, None)
    if choices[0] is None or choices[1] is None:
        return compare_values(new.value, old.value)
    return "equal" if choices[0] == choices[1] else "other"


def same_subject(one: Statement, other: Statement) -> bool:
    """Whether both speak of the same person."""
    return person(one.subject) == person(other.subject)


def same_place(one: Statement, other: Statement) -> bool:
    """Whether both stand under the same key, of the same person and in the same scene."""
    return (
        bool(one.key)
        and canonical(one.key) == canonical(other.key)
        and same_subject(one, other)
        and same_scene(one, other)
    )


def same_scene(one: Statement, other: Statement) -> bool:
    """Whether both hold in the same situation; one for all situations is not one for a single one."""
    return (one.scene or "") == (other.scene or "")


def contradicts(one: Statement, other: Statement) -> bool:
    """Whether one denies what the other says of the same thing."""
    return one.polarity != other.polarity


def what_differs(new: Statement, old: Statement) -> frozenset[str]:
    """Why two statements are not the same: the marks of `differences`, and `value subject polarity scene`."""
    found = set(differences(new.content, old.content))
    if not same_subject(new, old):
        found.add("subject")
    if new.polarity != old.polarity:
        found.add("polarity")
    if not same_scene(new, old):
        found.add("scene")
    if _values_apart(new, old):
        found.add("value")
    return frozenset(found)


def _values_apart(new: Statement, old: Statement) -> bool:
    """Whether each names a value that the other's sentence does not hold."""
    if relation(new, old) in ("equal", "unknown"):
        return False
    return plain(new.value) not in plain(old.content) and plain(old.value) not in plain(new.content)


def about_other_person(subject: str) -> bool:
    """Whether a subject is neither the user nor the user's own family or pets."""
    return person(subject) != "user" and not is_kin(subject)
