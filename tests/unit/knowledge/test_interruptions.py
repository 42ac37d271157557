"""Ingest stopped in the middle: killed, interrupted, out of space, or met by another process."""

import asyncio
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import namedtuple

import pytest

from zhiji.core.errors import StoreLocked, ZhijiError
from zhiji.stores.knowledge.folders import base_folder, index_folder, write_lock
from zhiji.stores.knowledge.store import KnowledgeBase
from zhiji.stores.vectors import shards
from zhiji.stores.vectors.locks import ProcessLock

CHILD = """
import asyncio, signal, sys, time
from pathlib import Path
import numpy as np
from zhiji.core.settings import Settings
from zhiji.ingest.load import ingest

signal.signal(signal.SIGINT, signal.default_int_handler)  # a runner in the background hands it down as ignored

class Slow:
    model_id, dim, seen = "hash", 64, 0
    def query(self, text): return np.full(64, 0.125, dtype=np.float32)
    def token_count(self, text): return len(text)
    def passages(self, texts):
        self.seen += len(texts)
        if self.seen > {after}:
            print("reached", flush=True)
            time.sleep(3)
        return np.stack([self.query(text) for text in texts])

asyncio.run(ingest([Path({docs!r})], settings=Settings(), embedder=Slow()))
"""
HOLD = """
import sys, time
from pathlib import Path
from zhiji.stores.vectors.locks import ProcessLock
lock = ProcessLock(Path(sys.argv[1]), "it")
lock.acquire(0)
print("held", flush=True)
time.sleep(60)
"""


def started(code, *arguments):
    child = subprocess.Popen([sys.executable, "-P", "-c", code, *arguments], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline().strip() in ("reached", "held")
    return child


def ended(child, signal_number=signal.SIGKILL):
    child.send_signal(signal_number)
    child.wait(20)
    child.stdout.close()


@pytest.fixture
def many(docs):
    """So many documents that they are embedded in several batches."""
    for number in range(200):
        (docs / f"note{number}.md").write_text(f"# 记录{number}\n\n第{number}号仓库的温度正常。\n", encoding="utf-8")
    return docs


@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
async def test_a_stopped_ingest_leaves_the_old_release_and_is_resumed(load, many, ask, settings, knowledge, stop):
    await load(many / "support")
    before = repr(await ask("怎么退货"))
    await knowledge.release()
    ended(started(CHILD.format(after=130, docs=str(many))), stop)

    assert repr(await ask("怎么退货")) == before
    assert [one["release"] for one in await knowledge.releases()] == [1]
    assert await knowledge.check() == []
    await knowledge.release()

    report = await load()
    assert (report["release"], report["chunks"]["added"]) == (2, 205)
    assert 0 < report["embedded"] < 100
    assert await knowledge.check() == []
    assert any(hit.bm25_rank for hit in (await ask("199号仓库")).hits)


async def test_a_first_ingest_that_was_killed_is_resumed(load, many, knowledge, settings, embedder):
    ended(started(CHILD.format(after=130, docs=str(many))))
    assert (await knowledge.search("仓库", embedder.query("仓库"))).hits == []
    report = await load()
    assert (report["release"], report["chunks"]["added"]) == (1, 205)
    assert 0 < report["embedded"] < 100
    assert await knowledge.check() == []


async def test_what_a_killed_ingest_left_is_dropped_when_the_files_are_gone(load, many, knowledge, settings):
    await load(many / "support")
    ended(started(CHILD.format(after=130, docs=str(many))))
    for note in many.glob("note*.md"):
        note.unlink()
    await load()
    assert len(await knowledge.texts()) == 5
    assert await knowledge.check() == []


async def test_a_killed_ingest_that_was_to_remove_something_removes_nothing(load, many, ask, knowledge, settings):
    await load()
    (many / "support/shipping.md").unlink()
    for number in range(200, 400):
        (many / f"note{number}.md").write_text(f"# 记录{number}\n\n第{number}号仓库的温度正常。\n", encoding="utf-8")
    ended(started(CHILD.format(after=130, docs=str(many))))
    assert any(hit.source == "support/shipping.md" and hit.bm25_rank for hit in (await ask("偏远地区")).hits)


async def test_another_process_at_the_vectors_is_named(load, settings, embedder):
    await load()
    engine = index_folder(settings.home, "default", 1) / shards.LOCK_NAME
    child = started(HOLD, str(engine))
    base = await KnowledgeBase.open(settings.home, settings.model_copy(update={"lock_wait_s": 0.1}), embedder)
    with pytest.raises(StoreLocked, match=rf"process {child.pid}\b"):
        await base.search("退货", embedder.query("退货"))
    assert [one["release"] for one in await base.releases()] == [1]
    ended(child)
    assert (await base.search("退货", embedder.query("退货"))).hits
    await base.close()


async def test_a_second_ingest_waits_and_then_says_who_is_at_work(load, settings):
    await load()
    lock = base_folder(settings.home, "default") / "write.lock"
    child = started(HOLD, str(lock))
    with pytest.raises(StoreLocked, match=rf"process {child.pid}\b"):
        await load(settings=settings.model_copy(update={"lock_wait_s": 0.1}))
    ended(child)
    assert (await load())["unchanged"]


async def test_a_process_that_lets_go_in_time_is_waited_for(load, settings, knowledge):
    await load()
    lock = write_lock(settings.home, "default")
    lock.acquire(0)
    began = time.monotonic()
    asyncio.get_running_loop().call_later(0.3, lock.free)
    await knowledge.rollback(1)
    assert time.monotonic() - began >= 0.3


async def test_a_reader_lets_go_between_turns_and_takes_the_engine_again(load, knowledge, ask, settings):
    await load()
    await ask("退货")
    await knowledge.release()
    engine = index_folder(settings.home, "default", 1) / shards.LOCK_NAME
    ended(started(HOLD, str(engine)))
    assert (await ask("退货")).hits


async def test_a_full_disk_is_told_and_changes_nothing(load, docs, ask, knowledge, monkeypatch):
    await load()
    before = repr(await ask("怎么退货"))
    (docs / "new.md").write_text("# 新\n\n新内容。\n", encoding="utf-8")
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10**9, 10**9 - 4096, 4096))
    with pytest.raises(ZhijiError, match="nearly full"):
        await load()
    monkeypatch.undo()
    assert repr(await ask("怎么退货")) == before
    assert (await load())["release"] == 2


async def test_a_damaged_index_is_named_and_left_alone(load, settings, embedder, knowledge):
    await load()
    folder = index_folder(settings.home, "default", 1)
    (folder / "edge_config.json").write_text("{", encoding="utf-8")
    [problem] = await knowledge.check()
    assert str(folder) in problem
    assert (folder / "segments").exists()


def test_a_lock_that_passes_from_hand_to_hand_is_waited_for(tmp_path):
    child = started(HOLD, str(tmp_path / "a.lock"))

    def pass_on():
        for number in range(6):
            time.sleep(0.3)
            (tmp_path / "a.lock").write_text(f"{child.pid}{number}")
        ended(child)

    hands = threading.Thread(target=pass_on)
    hands.start()
    lock = ProcessLock(tmp_path / "a.lock", "it")
    lock.acquire(1)
    lock.free()
    hands.join()


def test_one_holder_is_not_waited_for_longer_than_asked(tmp_path):
    child = started(HOLD, str(tmp_path / "a.lock"))
    began = time.monotonic()
    with pytest.raises(StoreLocked, match=rf"process {child.pid}\b"):
        ProcessLock(tmp_path / "a.lock", "it").acquire(0.5)
    assert 0.5 <= time.monotonic() - began < 5
    ended(child)


def test_a_dead_holder_blocks_nobody(tmp_path):
    ended(started(HOLD, str(tmp_path / "a.lock")))
    lock = ProcessLock(tmp_path / "a.lock", "it")
    lock.acquire(0)
    assert lock.held
    lock.free()
