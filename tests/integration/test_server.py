"""`langgraph dev` with our langgraph.json: offline, one thread, one stream, the schemas."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from langgraph_sdk import get_client

ROOT = Path(__file__).parent.parent.parent


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The address of a server of one's own, on an empty home."""
    folder, port = tmp_path_factory.mktemp("dev"), _free_port()
    config = folder / "langgraph.json"
    config.write_text(
        (ROOT / "langgraph.json").read_text(encoding="utf-8").replace('["."]', f'["{ROOT}"]'), encoding="utf-8"
    )
    command = Path(sys.executable).parent / "langgraph"
    log = (folder / "log").open("w+")
    process = subprocess.Popen(
        [
            command,
            "dev",
            "--no-browser",
            "--no-reload",
            "--port",
            str(port),
            "--config",
            config,
            "--n-jobs-per-worker",
            "4",
        ],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "ZHIJI_HOME": str(folder / "home")},
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    url = f"http://127.0.0.1:{port}"
    _wait(url, process, log)
    yield url
    os.killpg(process.pid, signal.SIGTERM)
    process.wait(20)
    log.seek(0)
    said = log.read()
    log.close()
    assert not re.search(r"BlockingError|Traceback", said)


def _wait(url: str, process: subprocess.Popen, log) -> None:
    import httpx

    for _ in range(120):
        if process.poll() is not None:
            log.seek(0)
            pytest.fail(log.read())
        try:
            if httpx.get(f"{url}/ok", timeout=2).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.5)
    pytest.fail("langgraph dev did not come up")


@pytest.fixture
async def client(server):
    """A client of the server, closed again."""
    async with get_client(url=server) as opened:
        yield opened


async def test_a_thread_remembers_and_the_next_one_recalls(client):
    first, second = await client.threads.create(), await client.threads.create()
    for thread, text in ((first, "我住在杭州，平时喜欢喝美式"), (second, "帮我推荐个附近的咖啡店")):
        out = await client.runs.wait(
            thread["thread_id"],
            "agent",
            input={"messages": [{"role": "user", "content": text}]},
            context={"user_id": "u1"},
            raise_error=True,
        )
    recalled = " ".join(memory["content"] for memory in out["memories"])
    assert "杭州" in recalled and "美式" in recalled
    assert out["degraded"] == []


async def test_a_stream_gives_stages_and_tokens_before_the_end(client):
    thread = await client.threads.create()
    stages = [
        part.data["stage"]
        async for part in client.runs.stream(
            thread["thread_id"],
            "agent",
            input={"messages": [{"role": "user", "content": "我对花生过敏"}]},
            context={"user_id": "u2"},
            stream_mode=["custom"],
        )
        if part.event == "custom"
    ]
    assert {"rewritten", "recalled", "found", "token", "gate", "learned"} <= set(stages)
    assert stages.index("token") < stages.index("learned")


@pytest.mark.parametrize("graph", ["agent", "recall", "remember"])
async def test_studio_can_draw_forms(client, graph):
    schemas = await client.assistants.get_schemas((await client.assistants.search(graph_id=graph))[0]["assistant_id"])
    assert list(schemas["input_schema"]["properties"]) == ["messages"]
    fields = schemas["context_schema"]["properties"]
    assert fields["user_id"]["title"] == "User" and fields["user_id"]["description"]
