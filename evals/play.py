"""Playing scenarios through the whole graph, each with a user of its own."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig

from zhiji.evals.scenario import Outcome, Scenario, ScriptSession, words_of
from zhiji.graph.agent import build_agent
from zhiji.graph.session import Reply, Said, Session
from zhiji.nodes.conversation import answer_id
from zhiji.stores.checkpoints import thread_key

_LAST_NODE = "write_memory"
"""The node a scripted answer is written as: nothing follows it."""


class Player:
    """Plays scenarios in one session of engines."""

    def __init__(self, session: Session, base: str = "default") -> None:
        self._session = session
        self._base = base
        self._agent = build_agent().compile(checkpointer=session.working)

    async def play(self, scenario: Scenario) -> Outcome:
        """Say everything, ask, and tell what came of it."""
        ops: list[tuple[str, str]] = []
        for number, script in enumerate(scenario.sessions):
            ops += await self._act(scenario.id, f"s{number}", script)
        last = len(scenario.sessions) - 1
        same = last >= 0 and scenario.sessions[last].same_thread
        thread = f"s{last}" if same else "ask"
        reply = await self._say(scenario.id, thread, scenario.ask.text, scenario.ask.moment)
        document = reply.as_json(await self._session.flush(scenario.id))
        return Outcome(
            prompt=[*in_prompt(document), await self._summary(scenario.id, thread)],
            answer=document["answer"],
            abstained=bool(document["abstained"]),
            labels=[one["label"] for one in document["citations"]],
            ops=[*ops, *map(words_of, document["learned"])],
            stored=[one.content for one in await self._session.engines.memory.of(scenario.id).list()],
            degraded=document["degraded"],
        )

    async def _act(self, user: str, thread: str, script: ScriptSession) -> list[tuple[str, str]]:
        """Play one session and end it, so that everything said in it is learned."""
        ops: list[tuple[str, str]] = []
        reply: Reply | None = None
        for place, turn in enumerate(script.turns):
            if turn.role == "user":
                reply = await self._say(user, thread, turn.text, script.moment + timedelta(seconds=place))
                ops += map(words_of, reply.as_json()["learned"])
            elif reply is not None:
                await self._replace_answer(reply, turn.text)
        return [*ops, *map(words_of, learned_rows(await self._session.flush(user)))]

    async def _say(self, user: str, thread: str, text: str, at: datetime) -> Reply:
        return await self._session.say(Said(text, user=user, thread=thread, at=at, base=self._base))

    async def _replace_answer(self, reply: Reply, text: str) -> None:
        answer = AIMessage(text, id=answer_id(HumanMessage("", id=reply.said.message_id)))
        config = _config(reply.said.user, reply.said.thread)
        await self._agent.aupdate_state(config, {"messages": [answer]}, as_node=_LAST_NODE)

    async def _summary(self, user: str, thread: str) -> str:
        held = (await self._agent.aget_state(_config(user, thread))).values.get("summary")
        return str(held["text"]) if held else ""


def in_prompt(document: dict[str, Any]) -> list[str]:
    """The texts of a turn that entered the prompt: memories, passages with their headings, documents."""
    passages = [f"{one['heading']}\n{one['text']}" for one in document["passages"]]
    return [
        *(one["content"] for one in document["memories"]),
        *passages,
        *(one["text"] for one in document["documents"]),
    ]


def learned_rows(learned: Sequence[Any]) -> list[dict[str, Any]]:
    """What was learned, as the fields that scenarios ask for."""
    return [{"op": one.op, "content": one.content, "quote": one.quote} for one in learned]


def _config(user: str, thread: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_key(user, thread)}}
