"""Leaving out the thoughts that a reasoning model writes before its answer."""

from collections.abc import AsyncIterator

_OPEN, _CLOSE = "<think>", "</think>"


async def without_thinking(pieces: AsyncIterator[str]) -> AsyncIterator[str]:
    """The pieces after a leading `<think>…</think>`; pieces of an answer without one pass through at once.

    vLLM and Ollama without a reasoning parser send DeepSeek's and Qwen's thoughts as ordinary text.
    """
    held, thinking, decided = "", False, False
    async for piece in pieces:
        if decided:
            yield piece
            continue
        held += piece
        start = held.lstrip()
        if not thinking and len(start) < len(_OPEN) and _OPEN.startswith(start):
            continue
        thinking = thinking or start.startswith(_OPEN)
        if not thinking:
            decided = True
            yield held
        elif _CLOSE in held:
            decided, rest = True, held.split(_CLOSE, 1)[1].lstrip()
            if rest:
                yield rest
    if not decided and not thinking and held:
        yield held


def after_thinking(text: str) -> str:
    """A whole reply without its leading thoughts; nothing where the thinking never ended.

    >>> after_thinking("<think>well</think> yes"), after_thinking("no")
    ('yes', 'no')
    """
    start = text.lstrip()
    return start.partition(_CLOSE)[2].strip() if start.startswith(_OPEN) else text.strip()
