"""Archives and patterns: each member a document of its own, nothing leads out, nothing fills memory."""

import stat
import zipfile

import pytest

from zhiji.core.errors import InvalidInput


def archive(path, *members: tuple[str | zipfile.ZipInfo, str | bytes]):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in members:
            made.writestr(name, data)
    return path


def status(report):
    return {file["path"]: file["status"] for file in report["files"]}


def reason(report, path):
    return next(file["reason"] for file in report["files"] if file["path"] == path)


async def sources(ask, text):
    return {hit.source for hit in (await ask(text)).hits}


async def test_the_files_of_an_archive_are_documents_below_it(load, docs, ask):
    archive(docs / "old.zip", ("hr/年假.md", "# 年假\n\n满一年休五天。"), ("notes.txt", "周五停机维护。"))
    report = await load()
    assert status(report)["old.zip/hr/年假.md"] == status(report)["old.zip/notes.txt"] == "loaded"
    assert "old.zip/hr/年假.md" in await sources(ask, "年假休几天")


async def test_an_unchanged_archive_embeds_nothing(load, docs):
    archive(docs / "old.zip", ("a.md", "满一年休五天。"))
    await load()
    assert (await load())["unchanged"]


async def test_a_member_that_is_gone_from_a_named_archive_is_removed(load, tmp_path, ask):
    packed = archive(tmp_path / "old.zip", ("a.md", "满一年休五天。"), ("b.md", "周五停机维护。"))
    await load(packed)
    archive(packed, ("a.md", "满一年休五天。"))
    report = await load(packed)
    assert report["chunks"]["removed"] == 1 and "old.zip/b.md" not in await sources(ask, "停机维护")


@pytest.mark.parametrize("name", ["../outside.md", "/etc/outside.md", "a/../../outside.md", "C:\\outside.md"])
async def test_a_path_that_leads_out_is_refused_and_the_rest_read(load, docs, name):
    archive(docs / "bad.zip", (name, "外面"), ("good.md", "里面的好文件。"))
    report = await load()
    refused = [file for file in report["files"] if file["path"].endswith("outside.md")]
    assert [file["status"] for file in refused] == ["failed"] and "leads out" in refused[0]["reason"]
    assert status(report)["bad.zip/good.md"] == "loaded"


async def test_a_bomb_is_refused(load, docs):
    archive(docs / "bomb.zip", ("zeros.txt", bytes(64 * 2**20)))
    report = await load()
    assert status(report)["bomb.zip"] == "failed" and "refused" in reason(report, "bomb.zip")


async def test_a_link_and_an_archive_inside_are_said(load, docs, tmp_path):
    link = zipfile.ZipInfo("link.md")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    inner = archive(tmp_path / "inner.zip", ("a.md", "内"))
    archive(docs / "two.zip", (link, "/etc/passwd"), ("inner.zip", inner.read_bytes()), ("a.md", "外层的文件。"))
    assert {k: v for k, v in status(await load()).items() if k.startswith("two.zip")} == {
        "two.zip/a.md": "loaded",
        "two.zip/inner.zip": "skipped",
        "two.zip/link.md": "skipped",
    }


async def test_a_damaged_archive_keeps_what_was_read_before(load, docs, ask):
    packed = archive(docs / "old.zip", ("a.md", "满一年休五天年假。"))
    await load()
    packed.write_bytes(packed.read_bytes()[:40])
    report = await load()
    assert status(report)["old.zip"] == "failed" and report["unchanged"]
    assert "old.zip/a.md" in await sources(ask, "年假")


async def test_a_damaged_member_is_said_and_the_rest_read(load, docs):
    packed = archive(docs / "old.zip", ("a.md", "满一年休五天。" * 50), ("b.md", "周五停机维护。"))
    data = bytearray(packed.read_bytes())
    at = data.index(b"a.md") + 8
    data[at : at + 8] = b"\xff" * 8
    packed.write_bytes(bytes(data))
    assert {k: v for k, v in status(await load()).items() if k.startswith("old.zip")} == {
        "old.zip/a.md": "failed",
        "old.zip/b.md": "loaded",
    }


async def test_chinese_names_of_old_archives_are_readable(load, docs):
    packed = archive(docs / "old.zip", ("XXXX.md", "满一年休五天。"))
    packed.write_bytes(packed.read_bytes().replace(b"XXXX", "年假".encode("gbk")))
    assert "old.zip/年假.md" in status(await load())


async def test_a_pattern_reads_what_matches_and_forgets_what_vanished(load, docs, ask):
    report = await load(docs / "**/*.md")
    assert sorted(status(report)) == ["product/manual.md", "support/returns.md", "support/shipping.md"]
    (docs / "support/shipping.md").unlink()
    report = await load(docs / "**/*.md")
    assert report["chunks"]["removed"] == 1


async def test_a_pattern_leaves_other_documents_alone(load, docs, ask):
    await load()
    (docs / "product/guide_en.txt").unlink()
    assert (await load(docs / "support/*.md"))["unchanged"]


async def test_a_pattern_that_matches_nothing_is_misuse(load, docs):
    with pytest.raises(InvalidInput, match="No file matches"):
        await load(docs / "*.docx")


async def test_a_folder_whose_name_looks_like_a_pattern_is_a_folder(load, docs, tmp_path):
    odd = tmp_path / "[2026] docs"
    docs.rename(odd)
    assert len(status(await load(odd))) == 4
