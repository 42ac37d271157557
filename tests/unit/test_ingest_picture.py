"""Pictures: their text is read, a picture without text is a failure."""

from io import BytesIO

import pytest

from zhiji.ingest.parse import parse
from zhiji.ingest.report import ParseFailed

pytest.importorskip("rapidocr")

from PIL import Image, ImageDraw, ImageFont


def drawing(*lines: str, size=(900, 200)) -> Image.Image:
    image = Image.new("RGB", size, "white")
    for number, line in enumerate(lines):
        ImageDraw.Draw(image).text((40, 30 + 70 * number), line, fill="black", font=ImageFont.load_default(44))
    return image


def encoded(image: Image.Image, kind: str = "PNG", **options) -> bytes:
    into = BytesIO()
    image.save(into, kind, **options)
    return into.getvalue()


@pytest.mark.parametrize(
    ("kind", "name"), [("PNG", "a.png"), ("JPEG", "a.jpeg"), ("WEBP", "a.webp"), ("TIFF", "a.tif")]
)
def test_the_text_in_a_picture_is_its_document(kind, name):
    document = parse(encoded(drawing("Valve E1024 timeout"), kind), name)
    (block,) = document.blocks
    assert block.kind == "image" and "E1024 timeout" in block.text
    assert list(document.pictures) == [block.picture]


def test_a_picture_on_a_transparent_ground_is_read_on_white():
    image = drawing("Valve E1024 timeout").convert("RGBA")
    image.putalpha(image.convert("L").point(lambda light: 255 - light))
    assert "E1024" in parse(encoded(image), "a.png").text


def test_a_picture_that_lies_on_its_side_is_turned():
    image = drawing("Valve E1024 timeout", "Check the coil wiring", size=(900, 240)).rotate(90, expand=True)
    text = parse(encoded(image), "a.png").text
    assert "E1024 timeout" in text and "coil" in text


def test_a_scan_of_several_pages_in_one_file_has_pages():
    first, second = drawing("Valve E1024 timeout"), drawing("Pump E2048 blocked")
    document = parse(encoded(first, "TIFF", save_all=True, append_images=[second]), "a.tiff")
    assert [(block.page, "E1024" in block.text) for block in document.blocks] == [(1, True), (2, False)]
    assert document.pages == 2


def test_a_picture_without_text_is_a_failure_and_never_a_success():
    with pytest.raises(ParseFailed, match="no text was recognised") as failed:
        parse(encoded(Image.new("RGB", (400, 300), "white")), "a.png")
    assert failed.value.status == "failed"


@pytest.mark.parametrize("cut", [30, 400], ids=["the mark alone", "half"])
def test_a_damaged_picture_says_so(cut):
    with pytest.raises(ParseFailed, match="damaged"):
        parse(encoded(drawing("Valve E1024 timeout"))[:cut], "a.png")


def test_a_picture_too_large_for_memory_is_refused_unread():
    with pytest.raises(ParseFailed, match="too large"):
        parse(encoded(Image.new("1", (12_000, 12_000))), "a.png")


def test_pictures_need_the_extra_and_name_it(monkeypatch):
    from zhiji.ingest import ocr

    monkeypatch.setitem(__import__("sys").modules, "rapidocr", None)
    ocr._engine.cache_clear()
    with pytest.raises(ParseFailed, match=r"zhiji\[ocr\]") as failed:
        parse(encoded(drawing("Valve")), "a.png")
    assert failed.value.status == "unsupported"
