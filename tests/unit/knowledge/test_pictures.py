"""Pictures in documents: kept once by their hash, returned with the passage, and gone when nothing shows them."""

from pathlib import Path

import pytest

from zhiji.ingest import ocr
from zhiji.ingest.blocks import DocumentBuilder
from zhiji.ingest.parse import parsers
from zhiji.ingest.pictures import add_picture
from zhiji.stores.knowledge.pictures import picture_folder

PNG = b"\x89PNG\r\n\x1a\n"


class AlbumParser:
    """Reads a made-up format: each line is a paragraph, or after a plus sign the words in a picture."""

    suffixes = (".album",)
    binary = False

    def parse(self, data, source):
        build = DocumentBuilder()
        for line in data.decode().splitlines():
            if line.startswith("+"):
                add_picture(build, PNG + line[1:].encode(), page=3)
            else:
                build.add("paragraph", line)
        return build.document(source)


@pytest.fixture(autouse=True)
def albums(monkeypatch):
    """The format is known, and its pictures say what their bytes say."""
    monkeypatch.setitem(parsers(), ".album", AlbumParser())
    monkeypatch.setattr(ocr, "text_in", lambda data: data.removeprefix(PNG).decode())


def kept(settings) -> list[str]:
    folder = picture_folder(settings.home, "default")
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


async def test_a_picture_is_found_by_its_text_and_comes_back_with_the_passage(load, docs, ask):
    (docs / "a.album").write_text("阀门接线见下图。\n+屏幕显示 E7777 时断电重启")
    report = await load()
    [line] = [file for file in report["files"] if file["path"] == "a.album"]
    assert line["images"] == 1
    [hit] = [hit for hit in (await ask("E7777 断电重启")).hits if "E7777" in hit.text]
    (path,) = hit.images
    assert Path(path).read_bytes() == PNG + "屏幕显示 E7777 时断电重启".encode()


async def test_the_same_picture_in_two_documents_is_kept_once(load, docs, settings):
    for name in ("a.album", "b.album"):
        (docs / name).write_text(f"{name}\n+屏幕显示 E7777")
    await load()
    assert len(kept(settings)) == 1


async def test_another_picture_with_the_same_words_is_another_chunk(load, docs, ask, monkeypatch):
    monkeypatch.setattr(ocr, "text_in", lambda data: "屏幕显示 E7777")
    (docs / "a.album").write_text("+一")
    await load()
    [before] = [hit.images for hit in (await ask("E7777")).hits if hit.source == "a.album"]
    (docs / "a.album").write_text("+二")
    await load()
    [after] = [hit.images for hit in (await ask("E7777")).hits if hit.source == "a.album"]
    assert before != after


async def test_collecting_old_releases_removes_the_pictures_that_nothing_shows(load, docs, settings, knowledge):
    (docs / "a.album").write_text("文字\n+第一张")
    await load()
    (docs / "a.album").write_text("文字\n+第二张")
    await load()
    assert len(kept(settings)) == 2
    await knowledge.gc(keep=1)
    assert len(kept(settings)) == 1


async def test_a_reader_that_was_uninstalled_removes_nothing(load, docs, monkeypatch):
    (docs / "a.album").write_text("文字\n+第一张")
    await load()
    monkeypatch.delitem(parsers(), ".album")
    (docs / "a.album").write_text("别的文字")
    report = await load()
    [line] = [file for file in report["files"] if file["path"] == "a.album"]
    assert line["status"] == "unsupported" and "stays" in line["reason"] and report["unchanged"]
