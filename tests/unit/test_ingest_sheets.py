"""Workbooks and separated values: each sheet a heading, each table whole, merged cells repeated, values as shown."""

from datetime import date, datetime
from io import BytesIO

import pytest

from zhiji.ingest.parse import parse
from zhiji.ingest.report import ParseFailed

openpyxl = pytest.importorskip("openpyxl")


def saved(book) -> bytes:
    into = BytesIO()
    book.save(into)
    return into.getvalue()


def sheet_of(rows, merged=(), title="Sheet"):
    book = openpyxl.Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    for area in merged:
        book.active.merge_cells(area)
    return book


def table_lines(document, number=0) -> list[str]:
    return [block for block in document.blocks if block.kind == "table"][number].text.split("\n")


def read(book, name="表.xlsx"):
    return parse(saved(book), name)


def test_each_sheet_has_its_heading_and_its_number_as_page():
    book = sheet_of([["品种", "产量"], ["荔枝", 120]], title="2025")
    other = book.create_sheet("2026")
    other.append(["品种", "产量"])
    other.append(["龙眼", 80])
    document = read(book)
    assert [(b.kind, b.page) for b in document.blocks] == [("heading", 1), ("table", 1), ("heading", 2), ("table", 2)]
    assert "| 龙眼 | 80 |" in document.blocks[3].text


def test_a_merged_cell_is_repeated_wherever_it_reaches():
    book = sheet_of([["区域", "品种"], ["华南", "荔枝"], [None, "龙眼"]], ["A2:A3"])
    assert table_lines(read(book))[2:] == ["| 华南 | 荔枝 |", "| 华南 | 龙眼 |"]


def test_a_header_of_two_rows_becomes_one():
    rows = [["区域", "2026", None], [None, "一季度", "二季度"], ["华南", 120, 130]]
    assert table_lines(read(sheet_of(rows, ["A1:A2", "B1:C1"])))[0] == "| 区域 | 2026 / 一季度 | 2026 / 二季度 |"


def test_a_title_over_the_table_stands_before_it():
    book = sheet_of([["2026 年产量表"], ["品种", "产量"], ["荔枝", 120]])
    assert [(b.kind, b.text.split("\n")[0]) for b in read(book).blocks] == [
        ("paragraph", "2026 年产量表"),
        ("table", "| 品种 | 产量 |"),
    ]


def test_a_blank_row_parts_two_tables_but_not_the_data_of_one():
    rows = [["品种", "产量"], ["荔枝", 120], [], ["龙眼", 80], [], ["代码", "含义"], ["E1024", "超时"]]
    document = read(sheet_of(rows))
    assert [len(table_lines(document, n)) for n in range(2)] == [4, 3]


def test_tables_side_by_side_are_two():
    rows = [["品种", "产量", None, "代码", "含义"], ["荔枝", 120, None, "E1", "超时"], ["龙眼", 80]]
    document = read(sheet_of(rows))
    assert table_lines(document, 1) == ["| 代码 | 含义 |", "| --- | --- |", "| E1 | 超时 |"]


@pytest.mark.parametrize(
    ("value", "form", "shown"),
    [
        (0.125, "0.0%", "12.5%"),
        (3.0, "General", "3"),
        (123456789012, "General", "123456789012"),
        (0.1 + 0.2, "General", "0.3"),
        (datetime(2026, 11, 30, 8, 30), "yyyy-mm-dd hh:mm", "2026-11-30 08:30"),
        (date(2026, 11, 30), "yyyy-mm-dd", "2026-11-30"),
        (True, "General", "TRUE"),
        ("第一行\n第二行", "General", "第一行 第二行"),
    ],
)
def test_values_are_as_they_are_shown(value, form, shown):
    book = sheet_of([["名", "值"], ["甲", value]])
    book.active["B2"].number_format = form
    assert table_lines(read(book))[2] == f"| 甲 | {shown} |"


def test_a_formula_that_was_never_computed_shows_itself():
    book = sheet_of([["甲", "乙", "和"], [1, 2, "=A2+B2"]])
    assert table_lines(read(book))[2] == "| 1 | 2 | =A2+B2 |"


def test_a_cell_at_the_far_end_of_a_sheet_costs_nothing():
    book = sheet_of([["品种", "产量"], ["荔枝", 120]])
    book.active["XFD5000"] = "角落"
    document = read(book)
    assert "角落" in document.text and len(document.text) < 500


def test_a_picture_on_a_sheet_is_kept():
    images = pytest.importorskip("openpyxl.drawing.image")
    from PIL import Image

    into = BytesIO()
    Image.new("RGB", (80, 80), "white").save(into, "PNG")
    book = sheet_of([["品种", "产量"], ["荔枝", 120]])
    book.active.add_image(images.Image(into), "D1")
    document = read(book)
    assert document.count("image") == 1 and len(document.pictures) == 1


def test_an_old_workbook_gives_the_same_table():
    xlwt = pytest.importorskip("xlwt")
    book = xlwt.Workbook()
    sheet = book.add_sheet("Sheet1")
    sheet.write(0, 0, "区域")
    sheet.write(0, 1, "日期")
    sheet.write_merge(1, 2, 0, 0, "华南")
    sheet.write(1, 1, datetime(2026, 11, 30), xlwt.easyxf(num_format_str="yyyy-mm-dd"))
    sheet.write(2, 1, 0.5, xlwt.easyxf(num_format_str="0%"))
    into = BytesIO()
    book.save(into)
    assert table_lines(parse(into.getvalue(), "旧.xls"))[2:] == ["| 华南 | 2026-11-30 |", "| 华南 | 50% |"]


@pytest.mark.parametrize("name", ["a.xlsx", "a.xls"])
def test_a_damaged_workbook_is_a_failure(name):
    with pytest.raises(ParseFailed):
        parse(saved(sheet_of([["品种"], ["荔枝"]]))[:400], name)


def test_a_new_workbook_named_as_an_old_one_is_read():
    document = read(sheet_of([["品种", "产量"], ["荔枝", 120]]), "a.xls")
    assert document.notes == ("an Excel workbook, in spite of its name",) and "荔枝" in document.text


ROWS = "名前,年齢,住所\n佐藤太郎,30,東京\n三木英子,25,大阪\n髙橋淳,35,名古屋\n"
CHINESE = "姓名,城市,备注\n小华,杭州,喜欢喝美式咖啡的老客户\n老李,上海,每周五下午都不方便开会\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (CHINESE, "utf-8"),
        (CHINESE, "utf-8-sig"),
        (CHINESE, "gbk"),
        (CHINESE + "𠮷野,广州,四字节汉字\n", "gb18030"),
        (CHINESE, "utf-16"),
        (CHINESE, "utf-16-le"),
        (CHINESE, "utf-16-be"),
        (ROWS, "cp932"),
        ("姓名,城市,備註\n小華,臺北,喜歡喝美式咖啡的老客戶\n老李,高雄,每週五下午都不方便開會\n", "big5"),
    ],
)
def test_a_table_is_the_same_in_every_encoding(text, encoding):
    document = parse(text.encode(encoding), "a.csv")
    assert table_lines(document)[2:] == [f"| {line.replace(',', ' | ')} |" for line in text.splitlines()[1:]]


@pytest.mark.parametrize("mark", [";", "\t", "|"])
def test_the_separator_is_told_from_the_lines(mark):
    text = f"代码{mark}含义\nE1024{mark}阀门超时，检查线圈\n"
    assert table_lines(parse(text.encode(), "a.csv"))[0] == "| 代码 | 含义 |"


def test_quoted_cells_keep_separators_and_line_ends():
    document = parse('代码,含义\nE1024,"超时, 检查\n线圈"\n'.encode(), "a.csv")
    assert table_lines(document)[2] == "| E1024 | 超时, 检查 线圈 |"
