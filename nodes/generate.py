"""The answer, from what was recalled and found."""

from typing import Any

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from zhiji.core.turn import Citation
from zhiji.models.answer import AnswerRequest
from zhiji.models.answering.budget import fit
from zhiji.models.answering.citations import check, quote_of
from zhiji.models.answering.phrases import says_unknown
from zhiji.models.summary import fold
from zhiji.nodes.conversation import answer_id, question_of, text_of, turns_before
from zhiji.nodes.engines import engines
from zhiji.nodes.state import Summary, TurnState
from zhiji.nodes.timing import timed


@timed
async def generate(state: TurnState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Answer from the given sources, or say that nothing is known.

    What the budget leaves no room for is taken out of `memories` and `passages`: they are what entered the prompt.

    Reads `query`, `memories`, `documents`, `passages`, `summary`; writes the answer to `messages`, its checked
    `citations`, `abstained`, and the `summary` when the window overflows. Pieces stream as custom events.
    """
    using = await engines()
    summary, request = await _request(state, using.settings.window_turns, using.settings.fold_turns)
    request = fit(request, using.settings.context_tokens)
    pieces: list[str] = []
    async for piece in using.answerer.answer(request):
        pieces.append(piece)
        runtime.stream_writer({"stage": "token", "text": piece})
    answer, citations = _checked("".join(pieces), request)
    abstained = not citations and says_unknown(answer)
    message = AIMessage(answer, id=answer_id(question_of(dict(state))), name=using.answerer.name)
    update: dict[str, Any] = {
        "messages": [message],
        "memories": list(request.memories),
        "passages": list(request.passages),
        "citations": citations,
        "abstained": abstained,
    }
    return {**update, "summary": summary} if summary else update


async def _request(state: TurnState, window_turns: int, fold_turns: int) -> tuple[Summary | None, AnswerRequest]:
    question = question_of(dict(state))
    held = state.get("summary")
    window = turns_before(state["messages"], question, held["through_message_id"] if held else "")
    text, summary = held["text"] if held else "", None
    while sum(turn.role == "user" for turn in window) > window_turns:
        old, window = _oldest(window, fold_turns)
        text = fold(text, old)
        summary = Summary(text=text, through_message_id=old[-1].id)
    query, memories, passages = state["query"], state.get("memories") or [], state.get("passages") or []
    return summary, AnswerRequest(
        question=text_of(question),
        query=query.text,
        lang=query.lang,
        instruction=query.instruction,
        topics=query.topics,
        memories=memories,
        passages=passages,
        documents=state.get("documents") or [],
        summary=text,
        window=window,
        abstain=not passages and not state.get("documents") and not any(memory.relevant for memory in memories),
    )


def _oldest(window: list[Any], turns: int) -> tuple[list[Any], list[Any]]:
    """Split off the oldest user turns with the replies to them."""
    users = [place for place, turn in enumerate(window) if turn.role == "user"]
    cut = users[turns]
    return window[:cut], window[cut:]


def _checked(text: str, request: AnswerRequest) -> tuple[str, list[Citation]]:
    sources: dict[str, tuple[str, str, str]] = {}
    for memory in request.memories:
        sources[memory.label] = (memory.id, "memory", memory.content)
    for passage in request.passages:
        sources[passage.label] = (passage.id, passage.source, passage.text)
    for digest in request.documents:
        sources[digest.label] = (digest.id, digest.source, digest.text)
    answer, used = check(text, sources)
    return answer, [
        Citation(label, sources[label][0], sources[label][1], quote_of(answer, label, sources[label][2]))
        for label in used
    ]
