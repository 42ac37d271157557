"""Plain text: paragraphs, and a title where one stands alone."""

import pytest

from zhiji.ingest.parse import parse


def read(text: str):
    return parse(text.encode(), "hr/01_年假_制度.txt")


def test_paragraphs_are_parted_by_blank_lines_and_rules():
    document = read("甲一。\n甲二。\n\n乙。\n-----\n丙。")
    assert [b.text for b in document.blocks] == ["甲一。\n甲二。", "乙。", "丙。"]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("固件更新记录\n\n3.4.1 修复了误报。", "固件更新记录"),
        ("这是一句完整的话。\n\n后文。", "年假 制度"),
        ("只有一行", "年假 制度"),
        ("Leave policy\n\nTen days a year.", "Leave policy"),
    ],
    ids=["short first line", "a sentence", "nothing follows", "English"],
)
def test_a_short_first_line_is_the_title(text, title):
    assert read(text).title == title


def test_a_hash_is_no_heading_in_plain_text():
    assert [b.kind for b in read("# 注释\nport = 1\n\n# 注释\nhost = 2\n\n# 三\nx = 3").blocks] == ["paragraph"] * 3


def test_text_that_is_plainly_markdown_is_read_as_markdown():
    document = read("# 手册\n\n前言。\n\n## 一\n\n甲。\n\n## 二\n\n乙。\n")
    assert (document.title, document.count("heading")) == ("手册", 3)


def test_the_encoding_is_noted():
    document = parse("退货规则以收货日为准，逾期不再受理。".encode("gb18030"), "a.txt")
    assert document.encoding == "gb18030"
