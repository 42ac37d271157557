"""The messages a chat model is sent, in the order of a turn."""

from typing import TYPE_CHECKING

from zhiji.core.text import Language
from zhiji.core.turn import Digest, Passage, RecalledMemory
from zhiji.models.answer import AnswerRequest
from zhiji.models.answering.markers import fenced, neutral, without_labels
from zhiji.prompts import prompt

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

_MUST = {"zh": "须遵守", "en": "must be kept"}


def messages_for(request: AnswerRequest) -> "list[BaseMessage]":
    """System text with the sources, then the recent turns, then the question.

    One system message, since many OpenAI-compatible servers take no second one.
    """
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

    # Labels of earlier answers name other sources than this turn's, so they are left out.
    turns = [
        HumanMessage(turn.text) if turn.role == "user" else AIMessage(without_labels(turn.text))
        for turn in request.window
        if turn.text
    ]
    return [SystemMessage(system_text(request)), *turns, HumanMessage(request.question)]


def system_text(request: AnswerRequest) -> str:
    """System → how to use memory → memories → knowledge base → documents → summary → this answer's instruction."""
    lang = request.lang
    parts = [prompt("system", lang).text, prompt("memory_use", lang).text]
    sections = {
        "memories": "\n".join(_memory(one, lang) for one in request.memories),
        "passages": "\n".join(_passage(one) for one in request.passages),
        "documents": "\n".join(_digest(one) for one in request.documents),
        "summary": neutral(request.summary),
    }
    parts += [prompt(name, lang).fill(sources=text) for name, text in sections.items() if text.strip()]
    if request.instruction:
        parts.append(prompt("instruction", lang).fill(instruction=neutral(request.instruction)))
    if request.abstain:
        parts.append(prompt("nothing_found", lang).text)
    return "\n\n".join(parts)


def _memory(memory: RecalledMemory, lang: Language) -> str:
    return fenced(
        memory.label, memory.content, updated=memory.updated_at[:10], note=_MUST[lang] if memory.pinned else ""
    )


def _passage(passage: Passage) -> str:
    page = "" if passage.page is None else str(passage.page)
    return fenced(passage.label, passage.text, source=passage.source, heading=passage.heading, page=page)


def _digest(digest: Digest) -> str:
    return fenced(digest.label, digest.text, source=digest.source)
