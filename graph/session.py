"""Running turns from a process of one's own: the command line and the evaluations do it this way."""

import gc
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from langchain_core.messages import HumanMessage

from zhiji.core.errors import InvalidInput
from zhiji.core.ids import new_id
from zhiji.core.settings import Settings, load_settings
from zhiji.core.text import clean
from zhiji.core.time import iso
from zhiji.graph.agent import build_agent
from zhiji.graph.context import Context
from zhiji.nodes.conversation import answer_id, text_of
from zhiji.nodes.engines import Engines, close_engines, engines, use_engines
from zhiji.nodes.learning import flush
from zhiji.stores.checkpoints import WorkingMemory, open_working_memory, thread_key
from zhiji.stores.memory.records import Learned
from zhiji.stores.turns import one_turn


@dataclass(frozen=True, slots=True)
class Said:
    """One message to the agent; `at` drives decay, expiry and validity."""

    text: str
    user: str = "default"
    thread: str = ""
    message_id: str = ""
    at: datetime | None = None
    base: str = "default"
    category: str | None = None
    scene: str | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What a turn gave: the answer, everything that made it, and what was learned."""

    said: Said
    state: dict[str, Any]

    @property
    def answer(self) -> str:
        """The text of the answer."""
        wanted = answer_id(HumanMessage("", id=self.said.message_id))
        return next((str(m.text) for m in reversed(self.state["messages"]) if m.id == wanted), "")

    def as_json(self, late: Sequence[Learned] = ()) -> dict[str, Any]:
        """The document that `zhiji chat --json` prints; `late` is what was learned after the turn."""
        state, query = self.state, self.state["query"]
        return {
            "thread": self.said.thread,
            "user": self.said.user,
            "answer": self.answer,
            "abstained": state["abstained"],
            "query": query.text,
            "memories": _rows(state["memories"], "label id type key content status score pinned"),
            "passages": _rows(state["passages"], "label id source page heading text score release images"),
            "documents": _rows(state.get("documents"), "label id source text score"),
            "citations": _rows(state["citations"], "label id source quote"),
            "learned": _rows([*(state.get("learned") or ()), *late], "op id content quote status"),
            "pending": list(state.get("pending") or ()),
            "degraded": state["degraded"],
            "timings_ms": state["timings_ms"],
        }


def _rows(items: Any, fields: str) -> list[dict[str, Any]]:
    return [{name: getattr(item, name) for name in fields.split()} for item in items or ()]


class Session:
    """Engines and working memory of one process, for any number of users and threads.

    A `sharing` one lets go of the embedded vector engine as soon as a turn has searched, so that processes side by
    side do not wait for each other's answers; opening it again takes a quarter of a second.

    async with open_session() as session:
        reply = await session.say(Said("我住在杭州", user="lin"))
    """

    def __init__(self, using: Engines, working: WorkingMemory, *, sharing: bool = False) -> None:
        self.engines = using
        self._sharing = sharing
        self.working = working
        self._agent = build_agent().compile(checkpointer=working, name="zhiji")

    async def stream(self, said: Said) -> AsyncGenerator[dict[str, Any] | Reply, None]:
        """The stage events of a turn as they happen, and at last its reply."""
        said = _complete(said)
        settings = self.engines.settings
        patience = settings.lock_wait_s + (settings.chat_timeout_s if settings.chat_model else 0)
        async with one_turn(settings.home, thread_key(said.user, said.thread), patience):
            await self._check_id(said)
            async with aclosing(self._run(said)) as items:
                async for item in items:
                    yield item

    async def _run(self, said: Said) -> AsyncGenerator[dict[str, Any] | Reply, None]:
        state: dict[str, Any] = {}
        chunks: AsyncIterator[Any] = self._agent.astream(
            {"messages": [_message(said)]},
            {"configurable": {"thread_id": thread_key(said.user, said.thread)}},
            context=_context(said),
            stream_mode=["custom", "values"],
            durability="exit",
        )
        async for mode, chunk in chunks:
            if mode == "values":
                state = chunk
                continue
            if self._sharing and chunk.get("stage") == "found":
                await self.release()
            yield chunk
        yield Reply(said, state)

    async def _check_id(self, said: Said) -> None:
        """Refuse a message id that stands for other words in this thread: they would be lost silently."""
        held = await self._agent.aget_state({"configurable": {"thread_id": thread_key(said.user, said.thread)}})
        for message in held.values.get("messages", ()):
            if message.id == said.message_id and text_of(message) != text_of(HumanMessage(said.text)):
                raise InvalidInput(f"Message id '{said.message_id}' is taken by another message of this thread.")

    async def say(self, said: Said) -> Reply:
        """The reply to a message, once everything is learned from it."""
        async with aclosing(self.stream(said)) as items:
            async for item in items:
                if isinstance(item, Reply):
                    return item
        raise RuntimeError("the turn ended without a reply")

    async def release(self) -> None:
        """Let another process use the embedded vector engine until the next turn."""
        await self.engines.release()

    async def flush(self, user: str) -> list[Learned]:
        """Extract what is still queued of a user, from every thread."""
        return await flush(self.engines.extractor, self.engines.memory.of(user), self.engines.settings.confirm)


@asynccontextmanager
async def open_session(settings: Settings | None = None, *, sharing: bool = False) -> AsyncIterator[Session]:
    """Open engines and working memory, and close both; `sharing` as for a session."""
    settings = settings or load_settings()
    use_engines(settings)
    try:
        using = await engines()
        async with open_working_memory(settings.home, settings.session_ttl_s) as working:
            with _lasting():
                yield Session(using, working, sharing=sharing)
    finally:
        await close_engines()


@contextmanager
def _lasting() -> Iterator[None]:
    """Spare the garbage collector what is loaded by now: walking dictionaries and models took 50 ms of some turns."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _complete(said: Said) -> Said:
    filled = asdict(said)
    return Said(**{**filled, "thread": said.thread or new_id(), "message_id": said.message_id or new_id()})


def _message(said: Said) -> HumanMessage:
    extra = {"at": iso(said.at)} if said.at else {}
    return HumanMessage(clean(said.text), id=said.message_id, additional_kwargs=extra)


def _context(said: Said) -> Context:
    return Context(
        user_id=said.user,
        base=said.base,
        category=said.category,
        scene=said.scene,
        at=said.at,
        message_id=said.message_id,
    )
