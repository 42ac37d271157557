"""Word documents: everything in the order of the text, merged cells filled, lists numbered as Word shows them."""

from io import BytesIO

import pytest

from zhiji.ingest.parse import parse
from zhiji.ingest.report import ParseFailed

docx = pytest.importorskip("docx")

from docx.oxml import parse_xml  # noqa: E402
from docx.oxml.ns import nsdecls  # noqa: E402

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)


def saved(document) -> bytes:
    into = BytesIO()
    document.save(into)
    return into.getvalue()


def read(document):
    return parse(saved(document), "制度.docx")


def kinds(document) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in document.blocks]


@pytest.fixture
def word():
    return docx.Document()


def test_paragraphs_tables_and_headings_keep_their_order(word):
    word.add_heading("休假制度", 1)
    word.add_paragraph("工作满一年可休年假。")
    table = word.add_table(2, 2)
    for cell, text in zip(
        (c for row in table.rows for c in row.cells), ["工龄", "天数", "1–10 年", "5 天"], strict=True
    ):
        cell.text = text
    word.add_heading("病假", 2)
    word.add_paragraph("病假须附证明。")
    document = read(word)
    assert [kind for kind, _ in kinds(document)] == ["heading", "paragraph", "table", "heading", "paragraph"]
    assert document.blocks[2].text == "| 工龄 | 天数 |\n| --- | --- |\n| 1–10 年 | 5 天 |"
    assert document.title == "休假制度"


def test_headings_stand_below_the_title(word):
    word.add_heading("员工手册", 0)
    word.add_heading("休假", 1)
    word.add_paragraph("正文。")
    assert [text for kind, text in kinds(read(word)) if kind == "heading"] == ["# 员工手册", "## 休假"]


def test_without_heading_styles_bold_lines_are_headings(word):
    for text, bold in [
        ("一、总则", True),
        ("本制度自发布之日起施行。", False),
        ("二、附则", True),
        ("由人事部解释。", False),
    ]:
        word.add_paragraph().add_run(text).bold = bold
    assert [text for kind, text in kinds(read(word)) if kind == "heading"] == ["## 一、总则", "## 二、附则"]


def test_merged_cells_are_repeated_and_their_text_is_not_doubled_inside(word):
    table = word.add_table(3, 3)
    for row, texts in enumerate([["区域", "品种", "产量"], ["华南", "荔枝", "120"], ["", "龙眼", "80"]]):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    assert read(word).blocks[0].text.split("\n")[2:] == ["| 华南 | 荔枝 | 120 |", "| 华南 | 龙眼 | 80 |"]


def test_a_header_of_two_rows_becomes_one(word):
    table = word.add_table(3, 3)
    for row, texts in enumerate([["区域", "2026", ""], ["", "一季度", "二季度"], ["华南", "120", "130"]]):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    table.cell(0, 0).merge(table.cell(1, 0))
    table.cell(0, 1).merge(table.cell(0, 2))
    assert read(word).blocks[0].text.split("\n")[0] == "| 区域 | 2026 / 一季度 | 2026 / 二季度 |"


def test_a_table_inside_a_cell_is_said_there_once(word):
    table = word.add_table(2, 2)
    for cell, text in zip((c for row in table.rows for c in row.cells), ["项目", "说明", "清园", "见"], strict=True):
        cell.text = text
    table.cell(1, 1).add_table(1, 1).cell(0, 0).text = "十一月"
    assert read(word).text.count("十一月") == 1


def test_lists_have_the_numbers_that_word_shows(word):
    for text in ("关闭总阀", "拆下滤网"):
        word.add_paragraph(text, style="List Number")
    for text in ("备用滤网",):
        word.add_paragraph(text, style="List Bullet")
    assert kinds(read(word)) == [("list", "1. 关闭总阀\n2. 拆下滤网\n- 备用滤网")]


def test_inserted_text_is_read_and_deleted_text_is_not(word):
    word.element.body.insert(
        0,
        parse_xml(
            f"<w:p {nsdecls('w')}><w:r><w:t>年假</w:t></w:r><w:del><w:r><w:delText>五天</w:delText></w:r></w:del>"
            "<w:ins><w:r><w:t>七天</w:t></w:r></w:ins></w:p>"
        ),
    )
    assert read(word).text == "年假七天"


def test_a_picture_stands_where_it_is_and_is_kept(word):
    word.add_paragraph("接线见图：")
    word.add_picture(BytesIO(PNG))
    word.add_paragraph("完。")
    document = read(word)
    assert [kind for kind, _ in kinds(document)] == ["paragraph", "image", "paragraph"]
    assert document.pictures == {document.blocks[1].picture: PNG}


def test_a_text_box_is_read_once(word):
    box = "<w:txbxContent><w:p><w:r><w:t>注意：断电操作</w:t></w:r></w:p></w:txbxContent>"
    mc = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    word.element.body.insert(
        0,
        parse_xml(
            f"<w:p {nsdecls('w')} {mc}><w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing>{box}</w:drawing></mc:Choice>"
            f"<mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
        ),
    )
    assert read(word).text == "注意：断电操作"


def test_formulas_are_written_out(word):
    m = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    fraction = "<m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f>"
    power = "<m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"
    word.element.body.insert(0, parse_xml(f"<w:p {nsdecls('w')} {m}><m:oMath>{fraction}{power}</m:oMath></w:p>"))
    assert read(word).text == "$\\frac{a}{b}x^{2}$"


def test_pages_are_counted_where_word_marked_them(word):
    word.add_paragraph("第一页。")
    mark = f"<w:p {nsdecls('w')}><w:r><w:lastRenderedPageBreak/><w:t>第二页。</w:t></w:r></w:p>"
    word.element.body.insert(1, parse_xml(mark))
    word.element.body.insert(2, parse_xml(f"<w:p {nsdecls('w')}><w:r><w:t>还是第二页。</w:t></w:r></w:p>"))
    assert [block.page for block in read(word).blocks][-1] == 2


@pytest.mark.parametrize("share", [0.1, 0.9])
def test_a_truncated_document_is_a_failure(word, share):
    word.add_paragraph("正文。" * 100)
    data = saved(word)
    with pytest.raises(ParseFailed, match="damaged"):
        parse(data[: int(len(data) * share)], "a.docx")


def test_an_encrypted_document_says_so():
    data = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "EncryptedPackage\0".encode("utf-16-le") + bytes(600)
    with pytest.raises(ParseFailed, match="encrypted"):
        parse(data, "a.docx")


def test_a_web_page_saved_as_word_is_read_as_a_page():
    document = parse("<html><body><p>年假七天</p></body></html>".encode(), "a.docx")
    assert document.text == "年假七天" and document.notes == ("a web page, in spite of its name",)


def test_an_archive_that_would_fill_memory_is_refused(word):
    import zipfile

    into = BytesIO(saved(word))
    with zipfile.ZipFile(into, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/media/bomb.bin", bytes(64 * 2**20))
    with pytest.raises(ParseFailed, match="refused"):
        parse(into.getvalue(), "a.docx")
