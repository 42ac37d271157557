"""Books: chapters in reading order, pictures kept, copy protection named."""

import zipfile
from io import BytesIO

import pytest

from zhiji.ingest.parse import parse
from zhiji.ingest.report import ParseFailed

CONTAINER = '<?xml version="1.0"?><container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
PICTURE = b"\x89PNG\r\n\x1a\n" + b"not really"


def book(chapters: dict[str, str], order: list[str], **more: bytes | str) -> bytes:
    items = "".join(f'<item id="{name}" href="{name}.xhtml" media-type="application/xhtml+xml"/>' for name in chapters)
    spine = "".join(f'<itemref idref="{name}"/>' for name in order)
    package = f"<package><metadata><dc:title>柑橘手册</dc:title></metadata><manifest>{items}</manifest><spine>{spine}</spine></package>"
    into = BytesIO()
    with zipfile.ZipFile(into, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr("META-INF/container.xml", CONTAINER)
        archive.writestr("OEBPS/book.opf", package)
        for name, text in chapters.items():
            archive.writestr(f"OEBPS/{name}.xhtml", f"<html><head><title>x</title></head><body>{text}</body></html>")
        for name, data in more.items():
            archive.writestr(name.replace("__", "/"), data)
    return into.getvalue()


TWO = {"b": "<h1>修剪</h1><p>冬季修剪。</p>", "a": "<h1>清园</h1><p>十一月清园。</p>"}


def test_chapters_are_read_in_reading_order_and_are_pages():
    document = parse(book(TWO, ["a", "b"]), "书.epub")
    assert [(b.text, b.page) for b in document.blocks] == [
        ("# 清园", 1),
        ("十一月清园。", 1),
        ("# 修剪", 2),
        ("冬季修剪。", 2),
    ]
    assert (document.title, document.pages) == ("柑橘手册", 2)


def test_a_picture_of_the_book_is_kept(monkeypatch):
    from zhiji.ingest import ocr

    monkeypatch.setattr(ocr, "text_in", lambda data: "剪口示意")
    chapters = {"a": '<p>见图。</p><img src="img/cut.png" alt="剪口"/>'}
    document = parse(book(chapters, ["a"], **{"OEBPS__img__cut.png": PICTURE}), "书.epub")
    assert document.blocks[1].text.endswith("剪口示意") and document.pictures == {document.blocks[1].picture: PICTURE}


def test_a_chapter_that_lacks_is_said_and_the_rest_read():
    document = parse(book(TWO, ["a", "b"]).replace(b"OEBPS/b.xhtml", b"OEBPS/c.xhtml"), "书.epub")
    assert "十一月清园" in document.text and any("b.xhtml" in note for note in document.notes)


@pytest.mark.parametrize(
    ("method", "locked"),
    [("http://www.w3.org/2001/04/xmlenc#aes256-cbc", True), ("http://www.idpf.org/2008/embedding", False)],
)
def test_copy_protection_is_named_but_hidden_fonts_are_none(method, locked):
    lock = (
        f'<encryption><enc:EncryptedData><enc:EncryptionMethod Algorithm="{method}"/></enc:EncryptedData></encryption>'
    )
    data = book(TWO, ["a"], **{"META-INF__encryption.xml": lock})
    if locked:
        with pytest.raises(ParseFailed, match="encrypted by copy protection"):
            parse(data, "书.epub")
    else:
        assert "清园" in parse(data, "书.epub").text
