"""The chat model that the settings name, and the ways it can fail."""

import asyncio
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import getproxies

from zhiji.core.errors import NotInstalled, Unreachable
from zhiji.core.settings import Settings
from zhiji.models.chatting.thinking import after_thinking

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage


CONNECT_S = 3.0


class ChatModelTimedOut(Unreachable):
    """The chat model took longer than `ZHIJI_CHAT_TIMEOUT_S`."""


class ChatModelFailed(Unreachable):
    """The chat model's endpoint refused the request or broke off."""


def open_chat_model(settings: Settings) -> "BaseChatModel":
    """The chat model that the settings name, over an OpenAI-compatible endpoint.

    Raises:
        NotInstalled: The package for it is missing.
    """
    try:
        from langchain_openai import ChatOpenAI
        from openai import DefaultAsyncHttpxClient
    except ImportError:
        raise NotInstalled(
            f'ZHIJI_CHAT_MODEL={settings.chat_model} needs langchain-openai. Run `pip install "zhiji[chat]"`.'
        ) from None
    key = settings.chat_api_key.get_secret_value()
    return ChatOpenAI(
        model=settings.chat_model,
        base_url=settings.chat_base_url or None,
        # A local server such as Ollama or vLLM takes no key, but the client insists on one.
        api_key=settings.chat_api_key if key or not settings.chat_base_url else "none",
        timeout=settings.chat_timeout_s,
        http_async_client=DefaultAsyncHttpxClient(timeout=settings.chat_timeout_s),  # else all models share one
        max_retries=1,
        temperature=0.2,
    )


async def reach(settings: Settings) -> None:
    """Find out before the first turn that the endpoint of the settings does not listen.

    Raises:
        Unreachable: Nothing accepts a connection there.
    """
    url = urlsplit(settings.chat_base_url)
    if not (settings.chat_model and url.hostname) or getproxies():  # behind a proxy only the proxy would be seen
        return
    port = url.port or (443 if url.scheme == "https" else 80)
    try:
        _, writer = await asyncio.wait_for(asyncio.open_connection(url.hostname, port), CONNECT_S)
    except (OSError, TimeoutError):
        raise Unreachable(
            f"Nothing listens at ZHIJI_CHAT_BASE_URL={settings.chat_base_url}. "
            "Start the server, or unset ZHIJI_CHAT_MODEL to answer without a model."
        ) from None
    writer.close()


async def let_go(model: "BaseChatModel") -> None:
    """Close the connections that a model's client keeps open."""
    client = getattr(model, "http_async_client", None)
    if client is not None:
        await client.aclose()


async def completion(model: "BaseChatModel", messages: "list[BaseMessage]", timeout_s: float, **given: Any) -> str:
    """The model's whole reply, its thoughts left out; `given` goes along with the request.

    Raises:
        ChatModelTimedOut: It took longer than `timeout_s` seconds.
        ChatModelFailed: The endpoint refused the request or broke off.
    """
    try:
        reply = await asyncio.wait_for(model.ainvoke(messages, **given), timeout_s)
    except TimeoutError:
        raise timed_out(timeout_s) from None
    except Exception as broken:  # each provider raises its own errors
        raise failed(broken) from broken
    return after_thinking(str(reply.text))


def timed_out(timeout_s: float) -> ChatModelTimedOut:
    """The error of a model that takes too long."""
    return ChatModelTimedOut(
        f"The chat model gave no full answer within {timeout_s:g} s. "
        "Raise ZHIJI_CHAT_TIMEOUT_S, or unset ZHIJI_CHAT_MODEL to answer without a model."
    )


def failed(broken: Exception) -> ChatModelFailed:
    """The error of an endpoint that refuses or breaks off."""
    reason = next(iter(str(broken).splitlines()), "")[:200]
    return ChatModelFailed(
        f"The chat model failed ({type(broken).__name__}: {reason}). Check ZHIJI_CHAT_BASE_URL and ZHIJI_CHAT_API_KEY."
    )
