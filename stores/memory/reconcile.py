"""What a candidate does to the memories already held: the five outcomes, decided by pure rules."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from zhiji.core.text import fold
from zhiji.models.extract import Candidate
from zhiji.models.kinds import is_kind_of
from zhiji.models.similarity import RELATED, SAME
from zhiji.stores.memory.guards import (
    Statement,
    plain,
    relation,
    same_place,
    same_scene,
    same_subject,
    what_differs,
)
from zhiji.stores.memory.merge import merge_sentences
from zhiji.stores.memory.records import MemoryRecord
from zhiji.stores.profiles import canonical, domain_of, single_valued


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A memory held, with the calibrated probability that the candidate says the same.

    `cosine` orders memories by nearness only; `akin` says that both are above all about the same topic.
    """

    record: MemoryRecord
    same: float
    cosine: float = 0.0
    akin: bool = False


@dataclass(frozen=True, slots=True)
class Add:
    """A memory of its own; `outdated_by` names the newer one that already replaced it."""

    outdated_by: MemoryRecord | None = None


@dataclass(frozen=True, slots=True)
class Reinforce:
    """The same again: more important and fresh, no new row."""

    target: MemoryRecord


@dataclass(frozen=True, slots=True)
class Supersede:
    """A new value: the targets are kept, and never recalled as current."""

    targets: tuple[MemoryRecord, ...]


@dataclass(frozen=True, slots=True)
class Merge:
    """One fuller sentence in the target's place."""

    target: MemoryRecord
    content: str


@dataclass(frozen=True, slots=True)
class Retract:
    """The user takes the targets back."""

    targets: tuple[MemoryRecord, ...]


Outcome = Add | Reinforce | Supersede | Merge | Retract

_REPLACING = re.compile(
    r"改(?:喝|吃|用|成|到|为|做|住|叫|看|学|养|种|穿|坐|开|骑|玩|买|订|走)|换(?:成|到|了)|搬(?:到|去|来|回)|跳槽|转(?:行|岗|到|学)|调到|升(?:为|成|任)"
    r"|不(?:是|叫|住|在|喝|吃|用|做).{1,12}[,，].{0,4}(?:是|叫|住|在|喝|吃|用|做|改)"
    r"|\b(?:switched? to|switching to|moved? to|moving to|changed? to|went over to|now (?:drink|eat|use|live|work)\w*|instead(?: of)?|no longer|any ?more"
    r"|replaced|upgraded to|actually it'?s|it'?s .{1,20},? not)\b"
)
_ALSO = re.compile(r"也|还(?!是)|又|另外|除了|以及|\b(?:also|too|as well|in addition|another|besides)\b")
NEAR = 0.35
"""Probability of being the same from which a memory may be what a retraction or a replacement without a key means."""


def reconcile(candidate: Candidate, held: Sequence[Neighbour], said_at: datetime) -> Outcome | None:
    """The outcome for a candidate said at `said_at`, given the active and pending memories; None if there is nothing to do.

    Retractions are looked at first, since what they name is of course held. Then, in this order: the same again, a
    replacement, a fuller statement, a new memory.
    """
    claim = statement_of(candidate)
    if candidate.op == "retract":
        return _retract(claim, held)
    again = _same_again(claim, held)
    named = _named_as_replaced(candidate, claim, held)
    if again is not None and not named:
        return again
    replaced = named or _replaced(candidate, claim, held)
    if replaced:
        return _supersede(replaced, said_at)
    return _merge(candidate, claim, held) or _sharpened(claim, held, said_at) or Add()


def statement_of(candidate: Candidate) -> Statement:
    """What a candidate claims."""
    return Statement(
        candidate.key, candidate.value, candidate.content, candidate.subject, candidate.polarity, candidate.scene
    )


def claim_of(record: MemoryRecord) -> Statement:
    """What a memory claims."""
    return Statement(record.key, record.value, record.content, record.subject, record.polarity, record.scene)


def _best_first(held: Sequence[Neighbour]) -> list[Neighbour]:
    return sorted(held, key=lambda neighbour: (-neighbour.same, -neighbour.cosine))


def _same_again(claim: Statement, held: Sequence[Neighbour]) -> Reinforce | None:
    for neighbour in _best_first(held):
        other = claim_of(neighbour.record)
        if claim.polarity != other.polarity or not same_scene(claim, other) or not same_subject(claim, other):
            continue
        if same_place(claim, other) and _same_value(claim, other):
            return Reinforce(neighbour.record)
        if neighbour.same >= SAME and not _adds(claim, other) and not what_differs(claim, other):
            return Reinforce(neighbour.record)
    return None


def _same_value(claim: Statement, other: Statement) -> bool:
    how = relation(claim, other)
    if how == "unknown":
        return plain(claim.content) == plain(other.content)
    return how == "equal" or (how == "wider" and single_valued(claim.key))


def _adds(claim: Statement, other: Statement) -> bool:
    """Whether the new statement's value says something that the old sentence does not."""
    known = relation(claim, other) in ("equal", "wider", "unknown")
    return not known and plain(claim.value) not in plain(other.content) and plain(other.value) in plain(claim.content)


def _named_as_replaced(candidate: Candidate, claim: Statement, held: Sequence[Neighbour]) -> tuple[MemoryRecord, ...]:
    """Memories whose value the words say is no longer so."""
    gone = plain(candidate.replaces)
    if not gone:
        return ()
    by_value = [n.record for n in held if same_subject(claim, claim_of(n.record)) and _holds(n.record, gone)]
    related = [
        r for r in by_value if canonical(r.key) == canonical(claim.key) or domain_of(r.key) == domain_of(claim.key)
    ]
    return tuple(related or by_value[:1])


def _holds(record: MemoryRecord, value: str) -> bool:
    return plain(record.value) == value or (len(value) > 1 and value in plain(record.value or record.content))


def _replaced(candidate: Candidate, claim: Statement, held: Sequence[Neighbour]) -> tuple[MemoryRecord, ...]:
    placed = [n for n in held if same_place(claim, claim_of(n.record))]
    contrary = [n for n in placed if claim.polarity != n.record.polarity and _about_same(claim, claim_of(n.record))]
    if contrary:
        return tuple(n.record for n in contrary)
    explicit = candidate.op == "supersede" or _REPLACING.search(fold(candidate.quote)) is not None
    if single_valued(claim.key) and (explicit or not _ALSO.search(fold(candidate.quote))):
        return tuple(n.record for n in placed if _another_value(claim, claim_of(n.record)))
    if not explicit:
        return ()
    near = [n for n in placed if candidate.op == "supersede" or n.same >= NEAR]
    return _nearest_replaced(claim, near or [n for n in held if _replaceable(candidate, claim, n)])


def _about_same(claim: Statement, other: Statement) -> bool:
    """Whether both speak of one thing, or the new one of the kind that the old one belongs to."""
    related = relation(claim, other) in ("equal", "narrower", "wider")
    return related or is_kind_of(other.value, claim.value)


def _another_value(claim: Statement, other: Statement) -> bool:
    return relation(claim, other) in ("other", "unknown") or claim.polarity != other.polarity


def _replaceable(candidate: Candidate, claim: Statement, neighbour: Neighbour) -> bool:
    """Whether a memory under another key may be what an explicit replacement means: nearly the same, or akin to it."""
    record = neighbour.record
    akin = candidate.op == "supersede" and neighbour.akin and record.type == candidate.type != "event"
    other = claim_of(record)
    return (neighbour.same >= NEAR or akin) and same_subject(claim, other) and same_scene(claim, other)


def _nearest_replaced(claim: Statement, held: Sequence[Neighbour]) -> tuple[MemoryRecord, ...]:
    """The one memory that a replacement without a named old value most likely means."""
    others = [
        n
        for n in _best_first(held)
        if claim.polarity == n.record.polarity and _another_value(claim, claim_of(n.record))
    ]
    return (others[0].record,) if others else ()


def _supersede(targets: tuple[MemoryRecord, ...], said_at: datetime) -> Outcome:
    """Replace what is older; what was said later stands, and the candidate is history."""
    newer = [t for t in targets if (said := last_said(t)) is not None and said > said_at]
    if newer:
        return Add(outdated_by=newer[0])
    return Supersede(targets)


def last_said(record: MemoryRecord) -> datetime | None:
    """When the user last said what a memory holds."""
    return record.updated_at or record.created_at


def _merge(candidate: Candidate, claim: Statement, held: Sequence[Neighbour]) -> Merge | None:
    """A fuller sentence where two statements of one key are near, compatible and of the same kind."""
    if candidate.type == "event":
        return None
    for neighbour in _best_first(held):
        other = claim_of(neighbour.record)
        refines = same_place(claim, other) and relation(claim, other) == "narrower"
        if (
            not (neighbour.same >= RELATED or refines)
            or not same_place(claim, other)
            or neighbour.record.type == "event"
        ):
            continue
        if what_differs(claim, other) & {"person", "subject", "polarity", "scene", "side", "unit"}:
            continue
        if candidate.pinned != neighbour.record.pinned:
            continue
        content = merge_sentences(other.content, claim.content, (other.value, claim.value))
        if content is not None:
            return Merge(neighbour.record, content)
    return None


def _sharpened(claim: Statement, held: Sequence[Neighbour], said_at: datetime) -> Outcome | None:
    """A more exact value of a single-valued key takes the place of the vaguer one."""
    placed = [n.record for n in held if same_place(claim, claim_of(n.record)) and single_valued(claim.key)]
    vaguer = tuple(r for r in placed if relation(claim, claim_of(r)) == "narrower")
    return _supersede(vaguer, said_at) if vaguer else None


def _retract(claim: Statement, held: Sequence[Neighbour]) -> Retract | None:
    """What a withdrawal means: the memory of that value under that key, else the nearest one."""
    own = [n for n in held if same_subject(claim, claim_of(n.record))]
    placed = [n for n in own if bool(claim.key) and canonical(n.record.key) == canonical(claim.key)]
    valued = [n for n in own if claim.value and _value_meets(claim, n.record)]
    both = [n for n in valued if n in placed]
    unnamed = not claim.value or canonical(claim.value) == canonical(claim.key)
    for found in (both, _best_first(valued)[:1], placed if unnamed and len(placed) == 1 else []):
        if found:
            return Retract(tuple(n.record for n in found))
    akin = [n for n in own if claim.key and domain_of(n.record.key) == domain_of(claim.key)]
    if unnamed and not placed and len(akin) == 1:
        return Retract((akin[0].record,))
    near = [n for n in _best_first(placed or own) if n.same >= NEAR]
    return Retract((near[0].record,)) if near else None


def _value_meets(claim: Statement, record: MemoryRecord) -> bool:
    value = plain(claim.value)
    if is_kind_of(record.value, claim.value):
        return True
    return relation(claim, claim_of(record)) in ("equal", "narrower", "wider") or (
        len(value) > 1 and value in plain(record.content)
    )
