"""Markdown by CommonMark's rules, as blocks."""

import pytest

from zhiji.ingest.parse import parse
from zhiji.ingest.report import ParseFailed


def read(text: str, source: str = "docs/03_退货_说明.md"):
    return parse(text.encode(), source)


def kinds(text: str) -> list[str]:
    return [block.kind for block in read(text).blocks]


def test_blocks_are_slices_of_the_text():
    document = read(
        "# 一\n\n甲。\n\n- 乙\n- 丙\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sh\nls\n```\n\n> 丁\n\n![戊](e.png)\n"
    )
    assert [b.kind for b in document.blocks] == ["heading", "paragraph", "list", "table", "code", "quote", "image"]
    assert all(document.text[b.start : b.end] == b.text for b in document.blocks)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("前言\n\n# **退货** 规则\n\n话。", "退货 规则"),
        ("退货规则\n===\n\n话。", "退货规则"),
        ("---\ntitle: 退货规则\ntags: [a]\n---\n\n## 小节\n\n话。", "退货规则"),
        ("## 小节\n\n话。", "退货 说明"),
    ],
    ids=["first-level heading", "underlined heading", "front matter", "file name"],
)
def test_the_title_comes_from_the_best_place(text, title):
    assert read(text).title == title


def test_front_matter_is_kept_as_data_and_not_as_text():
    document = read("---\ntitle: 退货\ncategory: 售后\n---\n正文。")
    assert (document.text, document.meta["category"]) == ("正文。", "售后")


def test_a_rule_at_the_top_is_no_front_matter():
    assert read("---\n\n正文：甲。\n\n---\n\n尾。").text == "正文：甲。\n\n尾。"


@pytest.mark.parametrize(
    "fence",
    [
        "```python\n# 不是标题\nx = 1\n```",
        "~~~\n# 不是标题\n```\n~~~",
        "````md\n```\n# 不是标题\n```\n````",
        "```\n# 不是标题\n\n没有结束",
        "    # 不是标题\n    x = 1",
    ],
    ids=["backticks", "tildes", "longer fence", "unclosed", "indented"],
)
def test_a_hash_in_code_is_no_heading(fence):
    blocks = read(f"# 题\n\n{fence}\n").blocks
    assert [b.kind for b in blocks] == ["heading", "code"]
    assert blocks[1].text == fence


def test_the_language_of_a_fence_is_kept():
    assert read("```yaml title=a\nx: 1\n```").blocks[0].language == "yaml"


def test_code_inside_a_list_item_is_a_block_of_its_own():
    text = "- 停止服务：\n  ```bash\n  docker compose down\n  ```\n  数据保留。\n- 清理"
    document = read(text)
    assert [b.kind for b in document.blocks] == ["list", "code", "list"]
    assert document.text == text


def test_comments_are_not_knowledge():
    document = read("<!-- 模板\n\n说明 -->\n\n# 题\n\n甲<!-- 乙 -->丙，写作`<!-- 丁 -->`。\n\n<!-- 戊 -->")
    assert document.text == "# 题\n\n甲丙，写作`<!-- 丁 -->`。"


def test_layout_tags_are_dropped_and_their_words_kept():
    text = read('<div align="center">\n<img src="a.png" alt="架构图">\n</div>\n\n按<kbd>R</kbd>键<br>重启').text
    assert text == "![架构图](a.png)\n\n按R键 重启"


def test_an_html_table_becomes_a_table_even_over_blank_lines():
    document = read(
        "<table>\n<tr><th>代码</th><th>含义</th></tr>\n\n<tr><td>E1</td><td>超时</td></tr>\n</table>\n\n后文。"
    )
    assert [b.kind for b in document.blocks] == ["table", "paragraph"]
    assert document.blocks[0].text == "| 代码 | 含义 |\n| --- | --- |\n| E1 | 超时 |"


def test_headings_without_a_blank_are_understood():
    document = read("##退货规则\n\n七天内。\n\n#话题# 不是标题。")
    assert [(b.kind, b.level) for b in document.blocks] == [("heading", 2), ("paragraph", 0), ("paragraph", 0)]


def test_embedded_pictures_leave_no_bytes():
    assert read(f"图：![标志](data:image/png;base64,{'QUJD' * 500})完。").text == "图：![标志](image/png)完。"


def test_a_table_of_contents_is_no_knowledge():
    assert read("[TOC]\n\n- [一](#a)\n- [二](#b)\n- [三](#c)\n\n正文。").text == "正文。"


def test_a_definition_with_words_is_a_remark_and_not_a_link():
    assert read("见下[注]。\n\n[注]: 本表不含税\n\n[a]: https://a.example").text == "见下[注]。\n\n[注]: 本表不含税"


def test_deep_nesting_loses_no_words():
    assert "最深" in read("> " * 300 + "最深").text


def test_escaped_bars_stay_in_their_cell():
    assert kinds("| a | b |\n|---|---|\n| x \\| y | z |") == ["table"]


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"", "empty"),
        (b" \n\t\n", "empty"),
        (b"<!-- only -->", "empty"),
        (b"%PDF-1.7 ...", "failed"),
        (b"PK\x03\x04rest", "failed"),
        (b"\x89PNG\r\n\x1a\n" + bytes(50), "failed"),
        (bytes(range(256)) * 8, "failed"),
    ],
    ids=["no byte", "blank", "comment", "PDF", "ZIP", "PNG", "binary"],
)
def test_a_file_that_is_no_text_says_so(data, status):
    with pytest.raises(ParseFailed) as refused:
        parse(data, "a.md")
    assert refused.value.status == status and refused.value.reason


def test_an_unknown_format_names_the_known_ones():
    with pytest.raises(ParseFailed, match=r"\.md") as refused:
        parse(b"x", "a.xyz")
    assert refused.value.status == "unsupported"


def test_a_page_under_another_name_is_read_as_a_page():
    assert parse("<!DOCTYPE html><html><body><p>甲</p></body></html>".encode(), "a.md").text == "甲"


def test_a_file_is_read_by_its_path(tmp_path):
    (tmp_path / "a.md").write_text("甲。", encoding="utf-8")
    assert parse(tmp_path / "a.md", "x/a.md").source == "x/a.md"
