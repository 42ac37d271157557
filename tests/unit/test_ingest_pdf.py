"""PDF: lines become paragraphs, large type headings, rules tables; what gives no text is said."""

from io import BytesIO

import pytest

from zhiji.ingest.blocks import Document
from zhiji.ingest.extras import MissingExtra
from zhiji.ingest.parse import parse
from zhiji.ingest.report import ParseFailed

pytest.importorskip("pypdfium2")
canvases = pytest.importorskip("reportlab.pdfgen.canvas")

from reportlab.lib import pdfencrypt  # noqa: E402
from reportlab.lib.pagesizes import A4  # noqa: E402
from reportlab.lib.utils import ImageReader  # noqa: E402
from reportlab.pdfbase import pdfmetrics  # noqa: E402
from reportlab.pdfbase.cidfonts import UnicodeCIDFont  # noqa: E402

SONG = "STSong-Light"
pdfmetrics.registerFont(UnicodeCIDFont(SONG))
WIDTH, HEIGHT = A4
PROSE = "每年十一月清园一次，剪除病枝并集中烧毁，树干涂白后用草绳包扎，防止冬季冻害与越冬害虫。"


class Paper:
    """Draws a PDF from the top of the page downwards."""

    def __init__(self, **options):
        self.file = BytesIO()
        self.canvas = canvases.Canvas(self.file, pagesize=A4, **options)
        self.y = HEIGHT - 70

    def line(self, text, size=11, font=SONG, left=72, gap=1.5):
        self.canvas.setFont(font, size)
        self.canvas.drawString(left, self.y, text)
        self.y -= size * gap
        return self

    def prose(self, text, size=11, per_line=40, after=10):
        for start in range(0, len(text), per_line):
            self.line(text[start : start + per_line], size)
        self.y -= after
        return self

    def table(self, rows, width=110, height=22):
        top = self.y
        for number, row in enumerate(rows):
            for column, text in enumerate(row):
                self.canvas.rect(72 + column * width, top - (number + 1) * height, width, height)
                self.canvas.setFont(SONG, 10)
                self.canvas.drawString(76 + column * width, top - (number + 1) * height + 7, text)
        self.y = top - len(rows) * height - 30
        return self

    def picture(self, image, width=200, height=100):
        self.canvas.drawImage(ImageReader(image), 72, self.y - height, width, height)
        self.y -= height + 30
        return self

    def page(self):
        self.canvas.showPage()
        self.y = HEIGHT - 70
        return self

    def bytes(self):
        self.canvas.save()
        return self.file.getvalue()


def read(paper: Paper) -> Document:
    return parse(paper.bytes(), "手册.pdf")


def kinds(document: Document) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in document.blocks]


def test_lines_of_chinese_are_joined_without_blanks():
    document = read(Paper().prose(PROSE * 3))
    assert kinds(document) == [("paragraph", PROSE * 3)]


def test_lines_of_english_are_joined_with_blanks_and_hyphens_undone():
    paper = Paper()
    for text in (
        "Hold the power button for five seconds to reset the con-",
        "troller, then wait until the green light is on.",
    ):
        paper.line(text, font="Helvetica")
    assert read(paper).text == (
        "Hold the power button for five seconds to reset the controller, then wait until the green light is on."
    )


def test_larger_type_makes_headings_with_levels_and_pages():
    paper = (
        Paper().line("灌溉控制器手册", 24).line("保修", 16).prose(PROSE * 4).page().line("故障", 16).prose(PROSE * 4)
    )
    document = read(paper)
    headings = [(block.text, block.page) for block in document.blocks if block.kind == "heading"]
    assert headings == [("# 灌溉控制器手册", 1), ("## 保修", 1), ("## 故障", 2)]
    assert document.pages == 2


def test_a_bold_numbered_line_is_a_heading():
    paper = Paper().line("1. Warranty", 11, "Helvetica-Bold")
    for _ in range(8):
        paper.line("The device is covered for twenty-four months from the day of delivery to you.", 11, "Helvetica")
    assert kinds(read(paper))[0] == ("heading", "# 1. Warranty")


def test_the_outline_names_the_headings():
    paper = Paper()
    for number, title in enumerate(["保修条款", "退货流程"]):
        paper.canvas.bookmarkPage(str(number))
        paper.canvas.addOutlineEntry(title, str(number), level=number)
        paper.line(title).prose(PROSE * 3).page()
    assert [text for kind, text in kinds(read(paper)) if kind == "heading"] == ["# 保修条款", "## 退货流程"]


def test_a_ruled_table_is_one_block_in_its_place_and_its_words_stand_nowhere_else():
    rows = [["代码", "含义", "处理"], ["E1024", "阀门超时", "检查线圈"], ["E2048", "水压过低", "清洗滤网"]]
    document = read(Paper().prose("故障代码见下表：" + PROSE).table(rows).prose(PROSE))
    assert [kind for kind, _ in kinds(document)] == ["paragraph", "table", "paragraph"]
    assert document.blocks[1].text.split("\n")[2:] == [
        "| E1024 | 阀门超时 | 检查线圈 |",
        "| E2048 | 水压过低 | 清洗滤网 |",
    ]
    assert document.text.count("E1024") == 1


def test_a_merged_cell_is_repeated_wherever_it_reaches():
    paper = Paper()
    top = paper.y
    for left, bottom, width, height, text in [
        (72, top - 20, 100, 20, "区域"),
        (172, top - 20, 100, 20, "品种"),
        (72, top - 60, 100, 40, "华南"),
        (172, top - 40, 100, 20, "荔枝"),
        (172, top - 60, 100, 20, "龙眼"),
    ]:
        paper.canvas.rect(left, bottom, width, height)
        paper.canvas.setFont(SONG, 10)
        paper.canvas.drawString(left + 4, bottom + height - 14, text)
    (block,) = read(paper).blocks
    assert block.text.split("\n")[2:] == ["| 华南 | 荔枝 |", "| 华南 | 龙眼 |"]


def test_a_table_that_goes_on_over_the_page_is_one_table():
    rows = [["代码", "含义"], *([f"E{1000 + n}", "阀门超时"] for n in range(30))]
    document = read(Paper().table(rows).page().table([rows[0], ["E9999", "电源故障"]]))
    (block,) = document.blocks
    assert block.kind == "table" and len(block.text.split("\n")) == 33


def test_page_numbers_and_running_heads_are_left_out_but_not_lost():
    paper = Paper()
    for number in range(1, 6):
        paper.line("灌溉控制器手册 2026 版", 9).prose(f"第{number}章的内容。" + PROSE * 3)
        paper.canvas.drawString(WIDTH / 2, 30, f"- {number} -")
        paper.page()
    document = read(paper)
    assert document.text.count("2026 版") == 1
    assert "- 3 -" not in document.text and all(f"第{n}章的内容" in document.text for n in range(1, 6))


def test_items_make_a_list():
    paper = Paper()
    for text in ("1. 关闭总阀。", "2. 拆下滤网。", "3. 用清水冲洗。"):
        paper.line(text)
    assert kinds(read(paper)) == [("list", "1. 关闭总阀。\n2. 拆下滤网。\n3. 用清水冲洗。")]


def test_a_blank_page_is_skipped_and_said():
    document = read(Paper().prose(PROSE).page().page().prose(PROSE))
    assert [(page.page, page.reason) for page in document.skipped] == [(2, "blank")]
    assert document.notes == ("1 of 3 pages gave no text",)


def test_a_pdf_without_anything_is_a_failure():
    with pytest.raises(ParseFailed, match="none of its 1 pages gave text") as failed:
        read(Paper().page())
    assert failed.value.status == "failed"


def test_an_encrypted_pdf_says_so():
    with pytest.raises(ParseFailed, match="encrypted"):
        read(Paper(encrypt=pdfencrypt.StandardEncryption("secret")).prose(PROSE))


def test_a_pdf_that_only_its_owner_may_change_is_read():
    lock = pdfencrypt.StandardEncryption("", ownerPassword="owner", canModify=0)
    assert PROSE[:20] in read(Paper(encrypt=lock).prose(PROSE)).text


@pytest.mark.parametrize("share", [0.0, 0.01], ids=["only the mark", "the first bytes"])
def test_a_truncated_pdf_is_damaged(share):
    data = Paper().prose(PROSE).bytes()
    with pytest.raises(ParseFailed, match="damaged"):
        parse(data[: max(8, int(len(data) * share))], "a.pdf")


def test_a_text_named_pdf_is_not_read_as_one():
    with pytest.raises(ParseFailed, match=r"not a \.pdf file"):
        parse("只是文字。".encode(), "a.pdf")


def test_a_pdf_with_another_name_is_read_and_the_name_noted():
    document = parse(Paper().prose(PROSE).bytes(), "手册.md")
    assert PROSE in document.text and document.notes == ("a PDF, in spite of its name",)


def test_a_missing_reader_names_the_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pypdfium2", None)
    with pytest.raises(MissingExtra, match=r"pip install 'zhiji\[documents\]'") as missing:
        read(Paper().prose(PROSE))
    assert missing.value.status == "unsupported"


def lettering(text: str, size: int = 48, height: int = 160):
    """A picture with a line of text."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (900, height), "white")
    ImageDraw.Draw(image).text((30, 50), text, fill="black", font=ImageFont.load_default(size))
    return image


def test_a_scanned_page_is_read_from_its_picture():
    pytest.importorskip("rapidocr")
    paper = Paper().picture(lettering("Valve E1024 timeout", height=600), 450, 300).page().prose(PROSE)
    document = read(paper)
    assert "E1024" in document.blocks[0].text and document.blocks[0].page == 1
    assert document.skipped == ()


def test_a_picture_on_a_page_is_found_by_its_text_and_kept_once():
    pytest.importorskip("rapidocr")
    image = lettering("Valve E1024 timeout")
    document = read(Paper().prose(PROSE).picture(image).prose(PROSE).page().prose(PROSE).picture(image))
    (block,) = [block for block in document.blocks if block.kind == "image"]
    assert "E1024" in block.text and block.page == 1
    assert list(document.pictures) == [block.picture]


def test_a_scan_without_the_ocr_extra_fails_and_names_it(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "rapidocr", None)
    from zhiji.ingest import ocr

    ocr._engine.cache_clear()
    with pytest.raises(ParseFailed, match=r"no text layer; .*zhiji\[ocr\]"):
        read(Paper().picture(lettering("Valve", height=600), 450, 300))


def test_a_scan_on_which_nothing_is_recognised_is_a_failure():
    pytest.importorskip("rapidocr")
    from PIL import Image

    with pytest.raises(ParseFailed, match="no text was recognised"):
        read(Paper().picture(Image.new("RGB", (900, 600), "white"), 450, 300))
