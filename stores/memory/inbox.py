"""A person's messages on the way to memory: the queue of the unextracted, learning from them, open questions."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, select, update

from zhiji.core.settings import ConfirmPolicy
from zhiji.core.text import language_of
from zhiji.core.time import iso, now, parse_time
from zhiji.core.turn import Role, Turn
from zhiji.models.embed import Vector
from zhiji.models.extract import Candidate
from zhiji.stores.memory.editing import Editing
from zhiji.stores.memory.held import Held
from zhiji.stores.memory.learning import Said, acceptable
from zhiji.stores.memory.ledger import enter
from zhiji.stores.memory.reconcile import Merge, reconcile
from zhiji.stores.memory.records import Learned, Question, QueuedMessage
from zhiji.stores.memory.tables import memories, processed, questions, queue
from zhiji.stores.sql import upsert


class Inbox(Editing):
    """The learning half of a person's memory."""

    async def enqueue(self, message: Turn, window: Sequence[Turn] = (), *, thread: str) -> int:
        """Keep a user's message until it was learned from; returns how many of the thread now wait.

        A message that was learned from before is not queued again, and then 0 is returned.
        """
        key = {"tenant": self.tenant, "thread": thread, "message_id": message.id}
        async with self.transaction() as connection:
            known = select(processed.c.at).filter_by(**key)
            if (await connection.execute(known)).first() is not None:
                return 0
            await enter(connection, self.tenant, self.user_id)
            last = select(func.coalesce(func.max(queue.c.seq), 0)).where(queue.c.tenant == self.tenant)
            seq = int((await connection.execute(last)).scalar_one()) + 1
            row = key | {
                "seq": seq,
                "text": message.text,
                "at": message.at or now(),
                "window": [_to_json(t) for t in window],
            }
            await connection.execute(
                upsert(connection, queue).values(row | {"attempts": 0, "last_error": ""}).on_conflict_do_nothing()
            )
            waiting = (
                select(func.count()).select_from(queue).where(queue.c.tenant == self.tenant, queue.c.thread == thread)
            )
            return int((await connection.execute(waiting)).scalar_one())

    async def queued(self, thread: str | None = None) -> list[QueuedMessage]:
        """The messages nothing was extracted from yet, oldest first, of one thread or of all."""
        statement = select(queue).where(queue.c.tenant == self.tenant).order_by(queue.c.seq)
        if thread is not None:
            statement = statement.where(queue.c.thread == thread)
        async with self.reading() as connection:
            rows = (await connection.execute(statement)).mappings().all()
        return [
            QueuedMessage(
                thread=row["thread"],
                turn=Turn("user", row["text"], row["message_id"], row["at"]),
                window=tuple(_from_json(held) for held in row["window"]),
                attempts=row["attempts"],
                last_error=row["last_error"],
                tried_at=row["tried_at"],
            )
            for row in rows
        ]

    async def failed(self, message: QueuedMessage, error: str) -> None:
        """Note that extraction from a queued message failed; it stays queued."""
        statement = (
            update(queue)
            .where(
                queue.c.tenant == self.tenant, queue.c.thread == message.thread, queue.c.message_id == message.turn.id
            )
            .values(attempts=queue.c.attempts + 1, last_error=error[:200], tried_at=now())
        )
        async with self.transaction() as connection:
            await connection.execute(statement)

    async def learn(
        self, candidates: Sequence[Candidate], message: QueuedMessage, *, confirm: ConfirmPolicy | None = None
    ) -> list[Learned]:
        """Reconcile a message's candidates with what is held and store them, in one transaction.

        The message leaves the queue in the same transaction; learning from it again changes nothing. Candidates that
        do not quote the message, or that hold a secret, are dropped.
        """
        turn = message.turn
        said = Said(message.thread, turn.id, turn.at or now(), turn.text)
        kept = [candidate for candidate in candidates if acceptable(candidate, turn.text)]
        known = await self.embed([candidate.content for candidate in kept])
        known |= await self.embed(await self._likely_merges(kept, known, said.at))
        async with self.writing("user") as (ledger, held):
            if turn.id and await ledger.seen(message.thread, turn.id):
                return []
            learner = self.learner(ledger, held, self.vector_in(known), confirm or self.engines.settings.confirm)
            learned = await learner.learn([(candidate, said) for candidate in kept])
            if turn.id:
                await ledger.mark_seen(message.thread, [turn.id], said.at)
        await self.snapshot()  # off the answer path, so that the next turn finds it ready
        return learned

    async def _likely_merges(
        self, candidates: Sequence[Candidate], vectors: dict[str, Vector], at: datetime
    ) -> list[str]:
        """Sentences that merging would make, found before the transaction so that it need not embed them."""
        snapshot = await self.snapshot()
        if not snapshot.records or not candidates:
            return []
        held = Held(snapshot)
        outcomes = [
            reconcile(c, held.neighbours(c, vectors[c.content], self.engines.calibration), at) for c in candidates
        ]
        return [outcome.content for outcome in outcomes if isinstance(outcome, Merge)]

    async def ask(self, thread: str, memory_ids: Sequence[str], message_id: str = "") -> list[dict[str, str]]:
        """Ask the user about pending memories in a thread: `{id, content, question}` each.

        What an earlier turn of the thread asked is no longer open: a yes settles only the turn just before it.
        """
        async with self.transaction() as connection:
            await connection.execute(_close(self.tenant, thread))
            for memory_id in memory_ids:
                row = {
                    "tenant": self.tenant,
                    "memory_id": memory_id,
                    "thread": thread,
                    "message_id": message_id,
                    "open": True,
                }
                statement = upsert(connection, questions).values(row)
                await connection.execute(
                    statement.on_conflict_do_update(index_elements=["tenant", "memory_id"], set_=row)
                )
        asked = {question.memory_id: question for question in await self.questions(thread)}
        return [{"id": i, "content": asked[i].content, "question": asked[i].question} for i in memory_ids if i in asked]

    async def questions(self, thread: str) -> list[Question]:
        """What the thread's last turn asked and the user has not answered."""
        joined = questions.join(
            memories, (memories.c.id == questions.c.memory_id) & (memories.c.tenant == questions.c.tenant)
        )
        statement = (
            select(questions, memories.c.content)
            .select_from(joined)
            .where(
                questions.c.tenant == self.tenant,
                questions.c.thread == thread,
                questions.c.open,
                memories.c.status == "pending",
            )
            .order_by(questions.c.memory_id)
        )
        async with self.reading() as connection:
            rows = (await connection.execute(statement)).mappings().all()
        return [
            Question(r["memory_id"], r["thread"], r["message_id"], r["content"], _question(r["content"])) for r in rows
        ]

    async def pass_over(self, thread: str) -> None:
        """The user replied with something else: the memories stay pending, the thread's questions are no longer open."""
        async with self.transaction() as connection:
            await connection.execute(_close(self.tenant, thread))

    async def settle(self, thread: str, accept: bool, named: Sequence[str] = ()) -> list[Learned]:
        """Confirm or reject what the thread's last turn asked: all of it, or the named ones."""
        settled = []
        for question in await self.questions(thread):
            if not named or question.memory_id in named:
                settle = self.confirm if accept else self.reject
                settled.append(await settle(question.memory_id))
        await self.pass_over(thread)
        return settled

    async def drop_queued(self, thread: str, message_id: str) -> None:
        """Take a message off the queue without learning from it."""
        gone = delete(queue).where(
            queue.c.tenant == self.tenant, queue.c.thread == thread, queue.c.message_id == message_id
        )
        async with self.transaction() as connection:
            await connection.execute(gone)


def _close(tenant: str, thread: str) -> Any:
    return update(questions).where(questions.c.tenant == tenant, questions.c.thread == thread).values(open=False)


def _question(content: str) -> str:
    bare = content.strip().rstrip("。.!！ ")
    return f"要我记住“{bare}”吗？" if language_of(content) == "zh" else f"Shall I remember “{bare}”?"


def _to_json(turn: Turn) -> dict[str, str]:
    return {"role": turn.role, "text": turn.text, "id": turn.id, "at": iso(turn.at) if turn.at else ""}


def _from_json(held: dict[str, str]) -> Turn:
    role: Role = "assistant" if held["role"] == "assistant" else "user"
    return Turn(role, held["text"], held["id"], parse_time(held["at"]) if held["at"] else None)
