"""Presentations: slides are pages, titles headings; tables, charts, groups and speaker notes are read."""

from io import BytesIO

import pytest

from zhiji.ingest.parse import parse
from zhiji.ingest.report import ParseFailed

pptx = pytest.importorskip("pptx")

from pptx.chart.data import CategoryChartData  # noqa: E402
from pptx.enum.chart import XL_CHART_TYPE  # noqa: E402
from pptx.util import Inches  # noqa: E402

BOX = (Inches(1), Inches(1), Inches(4), Inches(1))


@pytest.fixture
def show():
    return pptx.Presentation()


def slide(show, title):
    made = show.slides.add_slide(show.slide_layouts[5])
    made.shapes.title.text = title
    return made


def read(show):
    into = BytesIO()
    show.save(into)
    return parse(into.getvalue(), "培训.pptx")


def kinds(document):
    return [(block.kind, block.text, block.page) for block in document.blocks]


def test_slides_are_pages_and_titles_headings(show):
    slide(show, "退货流程").shapes.add_textbox(*BOX).text_frame.text = "七天内可退。"
    slide(show, "保修").shapes.add_textbox(*BOX).text_frame.text = "保修两年。"
    document = read(show)
    assert kinds(document) == [
        ("heading", "## 退货流程", 1),
        ("paragraph", "七天内可退。", 1),
        ("heading", "## 保修", 2),
        ("paragraph", "保修两年。", 2),
    ]
    assert document.pages == 2


def test_speaker_notes_are_read_after_their_slide(show):
    slide(show, "退货").notes_slide.notes_text_frame.text = "提醒客户保留发票。"
    slide(show, "保修")
    assert kinds(read(show))[1] == ("quote", "> 提醒客户保留发票。", 1)


def test_shapes_are_read_from_top_to_bottom_and_groups_opened(show):
    shapes = slide(show, "步骤").shapes
    shapes.add_textbox(Inches(1), Inches(5), Inches(4), Inches(1)).text_frame.text = "最后通电。"
    shapes.add_textbox(Inches(1), Inches(2), Inches(4), Inches(1)).text_frame.text = "先断电。"
    group = shapes.add_group_shape()
    group.shapes.add_textbox(Inches(1), Inches(3.5), Inches(4), Inches(1)).text_frame.text = "再接线。"
    assert [text for _, text, _ in kinds(read(show))][1:] == ["先断电。", "再接线。", "最后通电。"]


def test_lines_of_one_box_are_a_list_with_levels(show):
    frame = slide(show, "要点").shapes.add_textbox(*BOX).text_frame
    frame.text = "退货"
    inner = frame.add_paragraph()
    inner.text, inner.level = "七天", 1
    assert kinds(read(show))[1][1] == "- 退货\n  - 七天"


def test_a_table_keeps_its_merged_cells(show):
    table = slide(show, "产量").shapes.add_table(3, 2, *BOX).table
    for row, texts in enumerate([["区域", "品种"], ["华南", "荔枝"], ["", "龙眼"]]):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    assert kinds(read(show))[1][1].split("\n")[2:] == ["| 华南 | 荔枝 |", "| 华南 | 龙眼 |"]


def test_a_chart_is_read_as_the_table_behind_it(show):
    data = CategoryChartData()
    data.categories = ["一季度", "二季度"]
    data.add_series("荔枝", (120, 130.5))
    slide(show, "产量").shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *BOX, data)
    lines = kinds(read(show))[-1][1].split("\n")
    assert lines[2:] == ["| 一季度 | 120 |", "| 二季度 | 130.5 |"]


def test_a_picture_is_kept_with_what_its_author_says_of_it(show):
    from PIL import Image

    into = BytesIO()
    Image.new("RGB", (60, 60), "white").save(into, "PNG")
    picture = slide(show, "接线").shapes.add_picture(into, *BOX)
    picture._element.nvPicPr.cNvPr.set("descr", "阀门接线图")
    document = read(show)
    assert kinds(document)[1][1].startswith("![阀门接线图](") and len(document.pictures) == 1


def test_a_truncated_presentation_is_a_failure(show):
    into = BytesIO()
    show.save(into)
    with pytest.raises(ParseFailed, match="damaged"):
        parse(into.getvalue()[:2000], "a.pptx")
