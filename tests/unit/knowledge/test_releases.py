from pathlib import Path

import pytest

from zhiji.core.errors import Misuse, UnknownRelease
from zhiji.ingest import files
from zhiji.stores.knowledge.catalog import Catalog

QUESTIONS = ["怎么退货", "几天送达", "E1024", "reset the controller", "完好"]


async def everything(ask):
    return [repr(await ask(question)) for question in QUESTIONS]


async def sources(ask, text, channel):
    return {hit.source for hit in (await ask(text)).hits if getattr(hit, channel) is not None}


def state_of(home):
    return {
        str(path): (path.stat().st_mtime_ns, path.stat().st_size)
        for path in home.rglob("*")
        if path.is_file() and path.suffix not in (".lock", ".db-wal", ".db-shm")
    }


async def test_a_first_ingest_makes_release_one(load):
    report = await load()
    assert (report["base"], report["release"], report["unchanged"]) == ("default", 1, False)
    assert report["chunks"] == {"added": report["embedded"], "removed": 0, "kept": 0}
    assert {file["path"]: file["status"] for file in report["files"]}["support/returns.md"] == "loaded"


async def test_an_unchanged_folder_embeds_nothing_and_writes_nothing(load, embedder, settings, docs):
    await load()
    before, embedded = state_of(settings.home), len(embedder.embedded)
    for path in docs.rglob("*.md"):
        path.touch()
    report = await load()
    assert (report["release"], report["unchanged"], report["embedded"]) == (1, True, 0)
    assert len(embedder.embedded) == embedded
    assert state_of(settings.home) == before


async def test_an_edited_section_changes_its_own_chunks_only(load, docs):
    await load()
    returns = docs / "support/returns.md"
    returns.write_text(returns.read_text("utf-8").replace("七天", "三十天"), encoding="utf-8")
    report = await load()
    assert report["chunks"]["added"] == report["chunks"]["removed"] == report["embedded"] == 1


async def test_a_section_written_above_moves_the_others_but_does_not_embed_them_again(load, docs, ask):
    await load()
    [before] = [hit for hit in (await ask("客服审核")).hits if "客服审核" in hit.text]
    returns = docs / "support/returns.md"
    returns.write_text(returns.read_text("utf-8").replace("## 期限", "## 概要\n\n本页说明退货。\n\n## 期限"), "utf-8")
    report = await load()
    [after] = [hit for hit in (await ask("客服审核")).hits if "客服审核" in hit.text]
    assert report["embedded"] == 1
    assert (after.id, after.ordinal) == (before.id, before.ordinal + 1)
    assert after.span[0] > before.span[0]


@pytest.mark.parametrize("channel", ["dense_rank", "bm25_rank"])
async def test_a_vanished_file_is_gone_from_each_channel(load, docs, ask, channel):
    await load()
    assert "support/shipping.md" in await sources(ask, "偏远地区几天送达", channel)
    (docs / "support/shipping.md").unlink()
    report = await load()
    assert report["chunks"]["removed"] == 1
    assert "support/shipping.md" not in await sources(ask, "偏远地区几天送达", channel)


async def test_a_single_file_removes_nothing_else(load, docs, ask):
    await load()
    manual = docs / "product/manual.md"
    manual.write_text("# HG-300 手册\n\n屏幕显示 E2048 时请更换滤芯。\n", encoding="utf-8")
    report = await load(manual)
    assert [file["path"] for file in report["files"]] == ["product/manual.md"]
    assert report["chunks"]["kept"] == 4
    assert await sources(ask, "怎么退货", "bm25_rank") == {"support/returns.md"}
    assert not await sources(ask, "E1024", "bm25_rank")


async def test_a_single_file_keeps_the_name_it_has_in_its_folder(load, docs):
    await load()
    shipping = docs / "support/shipping.md"
    shipping.write_text("# 配送说明\n\n当天发出。\n", encoding="utf-8")
    report = await load(shipping)
    assert [file["path"] for file in report["files"]] == ["support/shipping.md"]
    assert (report["chunks"]["added"], report["chunks"]["removed"]) == (1, 1)


async def test_a_file_below_two_given_roots_is_read_once(load, docs):
    report = await load(docs, docs / "support", docs / "support/returns.md")
    assert len(report["files"]) == 4


async def test_two_roots_do_not_remove_each_other(load, tmp_path, ask):
    await load()
    other = tmp_path / "other"
    other.mkdir()
    (other / "leave.md").write_text("# 年假\n\n入职满一年享有五天年假。\n", encoding="utf-8")
    report = await load(other)
    assert report["chunks"]["removed"] == 0
    assert await sources(ask, "怎么退货", "bm25_rank") == {"support/returns.md"}


@pytest.mark.parametrize("hidden", ["support", "docs"])
async def test_what_cannot_be_looked_into_does_not_count_as_vanished(load, monkeypatch, hidden):
    await load()
    scan = files.os.scandir

    def refuse(folder):
        if Path(folder).name == hidden:
            raise PermissionError(13, "Permission denied")
        return scan(folder)

    monkeypatch.setattr(files.os, "scandir", refuse)
    report = await load()
    assert report["unchanged"]
    assert (hidden, "failed") in {(file["path"], file["status"]) for file in report["files"]}


async def test_a_file_that_turned_unreadable_keeps_its_last_version(load, docs, ask):
    await load()
    (docs / "support/shipping.md").write_bytes(b"\x00\x01\x02\x03" * 4000)
    report = await load()
    [file] = [file for file in report["files"] if file["path"] == "support/shipping.md"]
    assert file["status"] == "failed"
    assert "stays" in file["reason"]
    assert "support/shipping.md" in await sources(ask, "几天送达", "bm25_rank")


async def test_rollback_restores_scores_to_the_byte(load, docs, ask, knowledge):
    await load()
    before = await everything(ask)
    (docs / "support/shipping.md").unlink()
    (docs / "support/returns.md").write_text("# 如何申请退货\n\n退货须在三十天内申请。\n" * 3, encoding="utf-8")
    (docs / "extra.md").write_text("# 会员退货\n\n会员退货没有期限，完好即可。\n", encoding="utf-8")
    await load()
    assert await everything(ask) != before
    await knowledge.rollback(1)
    assert await everything(ask) == before


async def test_an_old_release_can_be_searched_without_rolling_back(load, docs, ask):
    await load()
    before = await ask("E1024")
    (docs / "product/manual.md").unlink()
    await load()
    assert repr(await ask("E1024", release=1)) == repr(before)
    with pytest.raises(UnknownRelease):
        await ask("E1024", release=9)


async def test_an_ingest_after_rollback_compares_with_the_current_release(load, docs, knowledge, embedder, ask):
    await load()
    (docs / "extra.md").write_text("# 会员\n\n会员享受九折优惠。\n", encoding="utf-8")
    await load()
    await knowledge.rollback(1)
    assert (await load())["release"] == 3
    [_, _, third] = await knowledge.releases()
    assert (third["added"], third["removed"], third["current"]) == (1, 0, True)
    assert "extra.md" in await sources(ask, "会员优惠", "bm25_rank")
    assert await knowledge.check() == []


async def test_what_comes_back_is_not_embedded_again(load, docs, ask):
    await load()
    before = repr([hit.bm25 for hit in (await ask("几天送达")).hits])
    text = (docs / "support/shipping.md").read_text("utf-8")
    (docs / "support/shipping.md").unlink()
    await load()
    (docs / "support/shipping.md").write_text(text, encoding="utf-8")
    report = await load()
    assert (report["release"], report["embedded"], report["chunks"]["added"]) == (3, 0, 1)
    assert repr([hit.bm25 for hit in (await ask("几天送达")).hits]) == before


async def test_a_rollback_that_is_ingested_upon_brings_old_chunks_back(load, docs, ask, knowledge):
    await load()
    (docs / "support/shipping.md").unlink()
    await load()
    await knowledge.rollback(1)
    (docs / "extra.md").write_text("# 会员\n\n会员享受九折优惠。\n", encoding="utf-8")
    report = await load(docs / "extra.md")
    assert (report["release"], report["embedded"]) == (3, 1)
    assert "support/shipping.md" in await sources(ask, "几天送达", "bm25_rank")
    assert await knowledge.check() == []


async def test_another_category_is_another_release_that_embeds_nothing(load, ask):
    await load()
    report = await load(category="policy")
    assert (report["release"], report["embedded"], report["chunks"]["kept"]) == (2, 0, 0)
    assert {hit.category for hit in (await ask("退货")).hits} == {"policy"}
    assert (await load())["unchanged"]


async def test_releases_say_what_they_changed(load, docs, settings):
    await load()
    (docs / "support/shipping.md").unlink()
    (docs / "product/guide_en.txt").write_text("User guide\n\nNothing to reset any more.\n", encoding="utf-8")
    (docs / "new.md").write_text("# 新\n\n新内容在这里。\n", encoding="utf-8")
    await load()
    catalog = await Catalog.open(settings.home, settings)
    first, second = await catalog.releases("default")
    assert (first["added"], first["files"], first["current"]) == (4, 4, False)
    assert [second[name] for name in ("release", "current", "added", "changed", "removed", "files")] == [
        2,
        True,
        1,
        1,
        1,
        4,
    ]
    difference = await catalog.diff("default", 1, 2)
    assert (difference["added"], difference["removed"]) == (("new.md",), ("support/shipping.md",))
    [base] = await catalog.bases()
    assert (base["base"], base["release"], base["files"]) == ("default", 2, 4)
    await catalog.close()


async def test_an_unknown_release_is_misuse(load, knowledge):
    await load()
    with pytest.raises(UnknownRelease) as refused:
        await knowledge.rollback(7)
    assert refused.value.exit_code == 2


async def test_old_releases_are_removed_for_good(load, docs, knowledge, ask):
    for text in ("第一版说明。", "第二版说明。", "第三版说明。"):
        (docs / "support/shipping.md").write_text(f"# 配送\n\n{text}\n", encoding="utf-8")
        await load()
    await knowledge.rollback(2)
    kept = await everything(ask)
    assert await knowledge.gc(keep=1) == [1]
    assert [one["release"] for one in await knowledge.releases()] == [2, 3]
    assert await everything(ask) == kept
    assert not any("第一版" in chunk.text for chunk in [*await knowledge.texts(2), *await knowledge.texts(3)])
    assert await knowledge.check() == []
    with pytest.raises(UnknownRelease):
        await knowledge.rollback(1)
    with pytest.raises(Misuse):
        await knowledge.gc(keep=0)


async def test_the_number_of_a_removed_release_is_not_given_again(load, docs, knowledge):
    await load()
    (docs / "new.md").write_text("# 新\n\n新内容。\n", encoding="utf-8")
    await load()
    await knowledge.gc(keep=1)
    (docs / "new.md").unlink()
    assert (await load())["release"] == 3


async def test_bases_do_not_see_each_other(load, docs, ask, settings):
    await load(docs / "product/manual.md", base="产品/../手册")
    assert (await ask("E1024")).hits == []
    assert (await load(docs / "support/returns.md"))["release"] == 1
    assert await sources(ask, "E1024 退货", "bm25_rank") == {"returns.md"}
