"""How the prompt's tokens are shared out between what may enter it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from zhiji.core.tokens import count_tokens
from zhiji.core.turn import RecalledMemory
from zhiji.models.answer import AnswerRequest

# Shares of the whole window, after DESIGN: of 8k tokens, memory takes 1.5-2k and recent turns 3-4k; the system text
# needs 1-1.5k, and the rest is left for the answer.
MEMORIES, PASSAGES, DOCUMENTS, SUMMARY, WINDOW = 0.2, 0.25, 0.05, 0.03, 0.4
QUESTION = 0.15
ALL = 0.75
"""What all of it may take together: recent turns give way first, so that system text and answer keep their room."""
TOKENS_PER_TAG = 24

Item = TypeVar("Item")


def fit(request: AnswerRequest, context_tokens: int) -> AnswerRequest:
    """The request cut to its budgets: least relevant sources and oldest turns go first, pinned memories stay.

    Doing it twice changes nothing, so what was shown as having entered the prompt is what enters it.
    """

    def share(part: float) -> int:
        return int(part * context_tokens)

    cut = replace(
        request,
        question=_shortened(request.question, share(QUESTION)),
        memories=_memories(request.memories, share(MEMORIES)),
        passages=_leading(request.passages, lambda one: one.text, share(PASSAGES)),
        documents=_leading(request.documents, lambda one: one.text, share(DOCUMENTS)),
        summary=_shortened(request.summary, share(SUMMARY)),
    )
    left = min(share(WINDOW), share(ALL) - _without_window(cut))
    return replace(cut, window=_leading(request.window[::-1], lambda one: one.text, left)[::-1])


def _without_window(request: AnswerRequest) -> int:
    texts = [one.content for one in request.memories]
    texts += [one.text for one in request.passages] + [one.text for one in request.documents]
    return sum(map(_cost, (*texts, request.summary, request.question)))


def _memories(memories: Sequence[RecalledMemory], budget: int) -> list[RecalledMemory]:
    """All pinned ones, then the most relevant that fit, in the order given."""
    spent = sum(_cost(one.content) for one in memories if one.pinned)
    kept = {one.id for one in memories if one.pinned}
    for one in sorted((one for one in memories if not one.pinned), key=lambda one: -one.score):
        spent += _cost(one.content)
        if spent > budget:
            break
        kept.add(one.id)
    return [one for one in memories if one.id in kept]


def _leading(items: Sequence[Item], text_of: Callable[[Item], str], budget: int) -> list[Item]:
    """The longest start of `items` (best first) that fits."""
    spent = 0
    for count, item in enumerate(items):
        spent += _cost(text_of(item))
        if spent > budget:
            return list(items[:count])
    return list(items)


def _shortened(text: str, budget: int) -> str:
    """Start and end of a text too long for its budget: what is asked stands mostly there."""
    if count_tokens(text) <= budget:
        return text
    half = len(text) // 2
    while half > 16 and count_tokens(text[:half] + text[-half:]) > budget - 2:
        half = int(half * 0.8)
    return f"{text[:half]} … {text[-half:]}"


def _cost(text: str) -> int:
    return count_tokens(text) + TOKENS_PER_TAG
