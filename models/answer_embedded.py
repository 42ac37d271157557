"""The embedded answerer: composes an answer from sentences of the given sources, with no model."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass

from zhiji.core.text import Language
from zhiji.core.turn import RecalledMemory
from zhiji.models.answer import AnswerRequest
from zhiji.models.answering import advice, smalltalk
from zhiji.models.answering.choosing import Choice, Nearness, choose
from zhiji.models.answering.intent import Intent, intent_of
from zhiji.models.answering.last_answer import last_answer, reworked
from zhiji.models.answering.lookup import attributed, sources_of
from zhiji.models.answering.phrases import phrase
from zhiji.models.answering.remembered import bearing_memories, is_safety, is_style
from zhiji.models.answering.retelling import told
from zhiji.models.answering.telling import tell
from zhiji.models.embed import Embedder
from zhiji.models.rewriting.style import Style, style_of

# Advice tells of passages only if heading and piece hold this share of what is asked about.
ADVICE_COVERED = 0.6
# Relevance that a passage needs before it is told where it is not documents that are asked for.
ADVICE_RELEVANT, SELF_RELEVANT = 0.6, 0.4


@dataclass(frozen=True, slots=True)
class _Plan:
    """How this request is to be answered."""

    intent: Intent
    style: Style
    lang: Language


class EmbeddedAnswerer:
    """Picks the sentences of the sources that bear on the question and tells them in order, each with its label.

    Args:
        embedder: Compares meanings where no sentence shares a word with the question; without one, the first serve.
    """

    name = "embedded"

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder

    async def answer(self, request: AnswerRequest) -> AsyncIterator[str]:
        """The answer, sentence by sentence."""
        nearness = self._nearness if self._embedder else None
        before = ""
        for piece in await asyncio.to_thread(lambda: list(_pieces(request, nearness))):
            if piece:
                yield f" {piece}" if _needs_blank(before, piece) else piece
                before = piece
                await asyncio.sleep(0)  # lets a reader show each sentence as it comes

    def _nearness(self, question: str, texts: Sequence[str]) -> list[float]:
        assert self._embedder is not None
        return [float(near) for near in self._embedder.passages(texts) @ self._embedder.query(question)]


def _needs_blank(before: str, piece: str) -> bool:
    """Whether two sentences in a row would stick together: an English mark, and no line end between."""
    return before[-1:].isascii() and bool(before) and not before[-1].isspace() and not piece[0].isspace()


def _pieces(request: AnswerRequest, nearness: Nearness | None) -> Iterator[str]:
    plan = _plan(request)
    if plan.intent in smalltalk.INTENTS:
        yield smalltalk.reply(request.question, plan.intent, plan.lang)
    elif plan.intent == "last_answer" and plan.style.length != "long":
        yield from _again(request, plan)
    elif request.abstain:
        yield advice.unknown(request, plan.lang)
    else:
        yield from _composed(request, plan, nearness)


def _plan(request: AnswerRequest) -> _Plan:
    """What is wanted; a standing wish in memory sets the style where this message says nothing of it."""
    intent = intent_of(request.question, bool(last_answer(request.window)))
    style = style_of(request.instruction or request.question)
    if not style:
        style = next((style_of(one.content) for one in request.memories if is_style(one)), style)
    return _Plan(intent, style, style.lang or request.lang)


def _again(request: AnswerRequest, plan: _Plan) -> Iterator[str]:
    for sentence in reworked(request.window, plan.style, plan.lang, request.query):
        yield attributed(sentence, request)


def _composed(request: AnswerRequest, plan: _Plan, nearness: Nearness | None) -> Iterator[str]:
    """Memory first, then the documents, then what advice from memory alone leaves open."""
    about = advice.topic_of(request.query, plan.lang) if plan.intent == "advice" else ""
    question = about or request.query
    sources = sources_of(request)
    memories = bearing_memories(request.query, plan.intent, request.memories, request.topics, alone=not sources)
    choice = choose(question, sources, plan.style, plan.lang, nearness)
    if choice and _beside_the_point(choice, sources[choice.source].score, plan, memories):
        choice = Choice()
    if not memories and not choice:
        yield advice.unknown(request, plan.lang)
        return
    yield from _from_memory(request, plan, memories)
    if choice:
        lead = phrase("rule", plan.lang) if memories and plan.intent == "question" else ""
        yield from tell(question, choice, sources, plan.lang, plan.style, lead)
    elif plan.intent == "advice":
        yield advice.nothing_on(request.query, plan.lang)


def _beside_the_point(choice: Choice, score: float, plan: _Plan, memories: Sequence[RecalledMemory]) -> bool:
    """Whether passages would only distract: the user asks of themselves, or for advice that they do not touch.

    `score` is the relevance of the passage that is told first.
    """
    if plan.intent == "overview":
        return True
    if plan.intent in {"self", "recall"} and memories:
        return not all(map(is_safety, memories))
    if plan.intent in {"self", "recall"}:
        return score < SELF_RELEVANT
    return plan.intent == "advice" and (choice.covered < ADVICE_COVERED or score < ADVICE_RELEVANT)


def _from_memory(request: AnswerRequest, plan: _Plan, memories: Sequence[RecalledMemory]) -> Iterator[str]:
    if plan.intent == "advice" or (memories and all(map(is_safety, memories)) and plan.intent == "question"):
        yield from advice.lead(request.question, memories, plan.lang)
    elif memories:
        lead = phrase("remembered", plan.lang) if plan.intent == "recall" else ""
        yield f"{lead}{told(memories, plan.lang)}{'。' if plan.lang == 'zh' else '.'}"
