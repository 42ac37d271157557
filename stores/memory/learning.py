"""Learning: candidates reconciled with what is held, inside one transaction."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from zhiji.core.ids import new_id
from zhiji.core.secrets import find_secret
from zhiji.core.settings import ConfirmPolicy
from zhiji.core.text import clean, fold
from zhiji.models.embed import Vector
from zhiji.models.extract import Candidate
from zhiji.models.similarity import Calibration
from zhiji.stores.memory.held import Held
from zhiji.stores.memory.ledger import Ledger, touched
from zhiji.stores.memory.policy import first_importance, first_status, is_safety, reinforced
from zhiji.stores.memory.reconcile import Add, Merge, Outcome, Reinforce, Retract, Supersede, reconcile
from zhiji.stores.memory.records import Evidence, Learned, MemoryRecord, Operation, Source, Status
from zhiji.stores.profiles import canonical, domain_of


@dataclass(frozen=True, slots=True)
class Said:
    """Where and when a candidate's words were said."""

    thread: str
    message: str
    at: datetime
    text: str


def acceptable(candidate: Candidate, text: str) -> bool:
    """Whether a candidate may be stored at all: it quotes the message, says something, and holds no secret."""
    if not candidate.content.strip() or not candidate.quote.strip():
        return False
    if _bare(candidate.quote) not in _bare(text):
        return False
    return (
        find_secret(candidate.content) is None
        and find_secret(candidate.quote) is None
        and not _in_secret(candidate, text)
    )


def _in_secret(candidate: Candidate, text: str) -> bool:
    """Whether the value belongs to a secret that the message spells out around the quote."""
    return find_secret(text) is not None and find_secret(text.replace(candidate.quote, " ")) is None


def _bare(text: str) -> str:
    return "".join(fold(clean(text)).split())


@dataclass(slots=True)
class Learner:
    """Applies candidates one by one to what is held, and writes each outcome."""

    ledger: Ledger
    held: Held
    calibration: Calibration
    topics_of: Callable[[Vector], tuple[str, ...]]
    vector_of: Callable[[str], Vector]
    confirm: ConfirmPolicy
    source: Source = "dialogue"

    async def learn(self, candidates: Sequence[tuple[Candidate, Said]]) -> list[Learned]:
        """Reconcile and store; a candidate that changes nothing leaves no trace."""
        learned = []
        for candidate, said in candidates:
            candidate = replace(candidate, key=canonical(candidate.key), pinned=is_safety(candidate))
            vector = self.vector_of(candidate.content)
            held = self.held.neighbours(candidate, vector, self.calibration, self.topics_of(vector))
            outcome = reconcile(candidate, held, said.at)
            if outcome is not None:
                learned += await self._apply(outcome, candidate, said, vector)
        return learned

    async def _apply(self, outcome: Outcome, candidate: Candidate, said: Said, vector: Vector) -> list[Learned]:
        match outcome:
            case Reinforce(target):
                return [await self._reinforce(target, candidate, said)]
            case Supersede(targets):
                return [await self._supersede(targets, candidate, said, vector)]
            case Merge(target, content):
                return [await self._merge(target, content, candidate, said)]
            case Retract(targets):
                return [await self._retract(target, candidate, said) for target in targets]
            case Add(outdated_by):
                return [await self._add(candidate, said, vector, outdated_by)]

    async def _reinforce(self, target: MemoryRecord, candidate: Candidate, said: Said) -> Learned:
        status = self._settled(target, candidate)
        after = touched(
            target,
            said.at,
            importance=reinforced(target.importance, candidate),
            confirmed_at=max(said.at, target.confirmed_at or said.at),
            evidence=(*target.evidence, _evidence(candidate, said)),
            status=status,
            pinned=target.pinned or candidate.pinned,
        )
        await self.ledger.change(target, after, "REINFORCE", said.at, "said again")
        self.held.put(after)
        return _learned("REINFORCE", after, candidate)

    def _settled(self, target: MemoryRecord, candidate: Candidate) -> Status:
        """A pending memory that the user now states plainly is confirmed by that."""
        if target.status == "pending" and first_status(candidate, self.confirm, safety=candidate.pinned) == "active":
            return "active"
        return target.status

    async def _supersede(
        self, targets: tuple[MemoryRecord, ...], candidate: Candidate, said: Said, vector: Vector
    ) -> Learned:
        record = self._record(candidate, said, vector, supersedes=targets[0].id)
        if record.status == "active":
            for target in targets:
                await self._retire(target, record, candidate, said)
        await self._keep(record, vector, "SUPERSEDE", f"replaces {len(targets)}")
        return _learned("SUPERSEDE", record, candidate, tuple(target.id for target in targets))

    async def _retire(self, target: MemoryRecord, by: MemoryRecord, candidate: Candidate, said: Said) -> None:
        after = replace(target, status="superseded", valid_to=said.at)
        reason = f"superseded by {by.id}: “{candidate.quote}”"
        await self.ledger.change(target, after, "SUPERSEDE", said.at, reason)
        self.held.put(after)

    async def _merge(self, target: MemoryRecord, content: str, candidate: Candidate, said: Said) -> Learned:
        vector = self.vector_of(content)
        after = touched(
            target,
            said.at,
            content=content,
            value=_fuller_value(target.value, candidate.value, content),
            importance=reinforced(target.importance, candidate),
            evidence=(*target.evidence, _evidence(candidate, said)),
            topics=self.topics_of(vector),
            status=self._settled(target, candidate),
        )
        await self.ledger.change(target, after, "MERGE", said.at, "says more of the same", vector)
        self.held.put(after, vector)
        return _learned("MERGE", after, candidate, (target.id,))

    async def _retract(self, target: MemoryRecord, candidate: Candidate, said: Said) -> Learned:
        after = replace(target, status="retracted", valid_to=said.at)
        await self.ledger.change(target, after, "RETRACT", said.at, f"taken back: “{candidate.quote}”")
        self.held.put(after)
        return _learned("RETRACT", after, candidate)

    async def _add(self, candidate: Candidate, said: Said, vector: Vector, outdated_by: MemoryRecord | None) -> Learned:
        record = self._record(candidate, said, vector)
        reason = ""
        if outdated_by is not None:
            record = replace(record, status="superseded", valid_to=outdated_by.valid_from or outdated_by.updated_at)
            reason = f"said before {outdated_by.id}, which stands"
        await self._keep(record, vector, "ADD", reason)
        return _learned("ADD", record, candidate)

    async def _keep(self, record: MemoryRecord, vector: Vector, operation: str, reason: str) -> None:
        await self.ledger.insert(record, vector, operation, reason)
        self.held.put(record, vector)

    def _record(self, candidate: Candidate, said: Said, vector: Vector, supersedes: str | None = None) -> MemoryRecord:
        status = first_status(candidate, self.confirm, safety=candidate.pinned)
        return MemoryRecord(
            id=new_id(),
            type=candidate.type,
            key=candidate.key,
            value=candidate.value,
            content=clean(candidate.content),
            subject=candidate.subject,
            polarity=candidate.polarity,
            domain=domain_of(candidate.key),
            scene=candidate.scene,
            topics=self.topics_of(vector),
            importance=first_importance(candidate, self.source),
            confidence=candidate.confidence,
            source=self.source,
            status=status,
            pinned=candidate.pinned,
            temporary=candidate.temporary,
            valid_from=candidate.valid_from or said.at,
            expire_at=candidate.expire_at,
            created_at=said.at,
            updated_at=said.at,
            supersedes=supersedes,
            evidence=(_evidence(candidate, said),),
        )


def _evidence(candidate: Candidate, said: Said) -> Evidence:
    return Evidence(candidate.quote, said.thread, said.message, said.at.isoformat(timespec="seconds"))


def _fuller_value(old: str, new: str, content: str) -> str:
    """The value of a merged memory: the longer one if it holds the other, else both."""
    if not old or not new or old in new or new in old:
        return max(old, new, key=len)
    return f"{old}；{new}" if any("\u4e00" <= c <= "\u9fff" for c in content) else f"{old}; {new}"


def _learned(
    operation: Operation, record: MemoryRecord, candidate: Candidate, replaced: tuple[str, ...] = ()
) -> Learned:
    return Learned(operation, record.id, record.content, candidate.quote, record.status, replaced)
