"""The answerer over any LangChain chat model, streaming."""

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from zhiji.core.errors import ZhijiError
from zhiji.core.settings import Settings
from zhiji.models.answer import AnswerRequest
from zhiji.models.answering.budget import fit
from zhiji.models.answering.messages import messages_for
from zhiji.models.chatting.endpoint import failed, timed_out
from zhiji.models.chatting.thinking import without_thinking

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage


class EmptyAnswer(ZhijiError):
    """The chat model answered nothing."""


class ChatAnswerer:
    """Answers with a chat model, from the sources of the request, cut to the token budgets.

    Args:
        model: Any LangChain chat model.
        settings: Give the tokens that prompt and answer share, and the seconds to wait for the whole answer.
    """

    name = "chat"

    def __init__(self, model: "BaseChatModel", settings: Settings) -> None:
        self._model = model
        self._context_tokens = settings.context_tokens
        self._answer_tokens = settings.answer_tokens
        self._timeout_s = settings.chat_timeout_s

    async def answer(self, request: AnswerRequest) -> AsyncIterator[str]:
        """The answer, in the pieces the model streams.

        Raises:
            ChatModelTimedOut: The model took longer than `ZHIJI_CHAT_TIMEOUT_S`.
            ChatModelFailed: The endpoint refused the request or broke off.
            EmptyAnswer: The model said nothing.
        """
        said = False
        async for piece in without_thinking(self._stream(messages_for(fit(request, self._context_tokens)))):
            said = said or bool(piece.strip())
            yield piece
        if not said:
            raise EmptyAnswer("The chat model returned an empty answer. Ask again, or check ZHIJI_CHAT_MODEL.")

    async def _stream(self, messages: "list[BaseMessage]") -> AsyncIterator[str]:
        stream = self._model.astream(messages, max_tokens=self._answer_tokens)
        left, clock = self._timeout_s, asyncio.get_running_loop().time
        while True:
            start = clock()
            try:
                # Only the waiting counts: a reader who takes pieces slowly must not use up the model's time.
                chunk = await asyncio.wait_for(anext(stream), left)
            except StopAsyncIteration:
                return
            except TimeoutError:
                raise timed_out(self._timeout_s) from None
            except Exception as broken:  # each provider raises its own errors
                raise failed(broken) from broken
            left = max(0.001, left - (clock() - start))
            yield chunk.text
