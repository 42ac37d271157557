"""HTML pages: the content, its structure, and nothing of the frame around it."""

import pytest

from zhiji.ingest.parse import parse
from zhiji.ingest.report import ParseFailed

BODY = "退货须在签收后七天内提出，商品应保持完好，附带全部配件与发票，运费由责任方承担，质量问题免费。"


def read(html: str):
    return parse(html.encode(), "help/退货.html")


def text(html: str) -> str:
    return read(html).text


def test_headings_paragraphs_lists_and_code_become_markdown():
    html = """<h1>退货</h1><p>先<b>申请</b>，
      再寄回。</p><ol><li>填单<ul><li>写明原因</ul><li>寄出</ol><pre><code class="language-sh">ls  -l
</code></pre><blockquote><p>须知</p></blockquote><p>用<code>ls</code></p>"""
    assert text(html) == (
        "# 退货\n\n先申请，再寄回。\n\n1. 填单\n   - 写明原因\n2. 寄出\n\n```sh\nls  -l\n```\n\n> 须知\n\n用`ls`"
    )


def test_blocks_are_slices_of_the_text():
    document = read(f"<h1>甲</h1><p>{BODY}</p><table><tr><th>a<th>b<tr><td>1<td>2</table>")
    assert [b.kind for b in document.blocks] == ["heading", "paragraph", "table"]
    assert all(document.text[b.start : b.end] == b.text for b in document.blocks)


@pytest.mark.parametrize(
    ("html", "title"),
    [
        (f"<title>站名</title><h1>退货规则</h1><p>{BODY}</p>", "退货规则"),
        (f"<title>退货 - 站名</title><p>{BODY}</p>", "退货 - 站名"),
        (f"<p>{BODY}</p>", "退货"),
        (f"<h1>站名</h1><main><h1>退货规则</h1><p>{BODY}</p></main>", "退货规则"),
    ],
    ids=["heading", "title", "file name", "heading in the content"],
)
def test_the_title_comes_from_the_best_place(html, title):
    assert read(html).title == title


def test_the_frame_of_a_page_is_left_out():
    html = f"""<header>商城</header><nav><a href=/>首页</a></nav><aside>广告</aside><script>x()</script>
      <style>p{{}}</style><div class="breadcrumb">首页 / 帮助</div><div><p>{BODY}</p></div>
      <div class="site-footer">联系我们</div><footer>备案</footer><p hidden>隐藏</p><p>© 2026 商城 版权所有</p>"""
    assert text(html) == BODY


def test_the_one_main_part_is_preferred():
    assert text(f"<div>推荐阅读</div><main><p>{BODY}</p></main><div>更多</div>") == BODY


def test_an_empty_main_part_is_not_preferred():
    assert text(f"<main></main><div><p>{BODY}</p></div>") == BODY


def test_menus_without_any_mark_are_known_by_their_links():
    menu = "".join(f'<li><a href="/{n}">栏目{n}</a></li>' for n in range(9))
    assert text(f"<ul>{menu}</ul><div><p>{BODY}</p></div>") == BODY


def test_a_page_of_links_alone_keeps_them():
    menu = "".join(f'<li><a href="/{n}">栏目{n}</a></li>' for n in range(9))
    assert "栏目8" in text(f"<nav><ul>{menu}</ul></nav>")


def test_a_short_chinese_page_is_not_taken_for_empty():
    assert text("<nav>首页</nav><main><p>门店周一休息。</p></main>") == "门店周一休息。"


def test_merged_cells_are_filled_in_every_cell_they_cover():
    html = """<table><tr><th>地区<th>品种<th>月份</tr><tr><td rowspan=2>广东<td>妃子笑<td rowspan=2>六月
      <tr><td>桂味</tr><tr><td>广西<td colspan=2>暂无</table>"""
    assert text(html).split("\n")[2:] == [
        "| 广东 | 妃子笑 | 六月 |",
        "| 广东 | 桂味 | 六月 |",
        "| 广西 | 暂无 | 暂无 |",
    ]


def test_two_header_rows_become_one():
    html = """<table><thead><tr><th rowspan=2>专业<th colspan=2>文史<tr><th>最高<th>最低</thead>
      <tr><td>法学<td>655<td>652</table>"""
    assert text(html).split("\n")[0] == "| 专业 | 文史 / 最高 | 文史 / 最低 |"


def test_captions_stand_before_their_table():
    assert text("<table><caption>故障代码</caption><tr><th>a<th>b<tr><td>1<td>2</table>").startswith(
        "故障代码\n\n| a | b |"
    )


def test_a_title_row_over_all_columns_is_a_caption():
    assert text("<table><tr><td colspan=2>价目<tr><td>品名<td>元<tr><td>螺丝<td>2</table>").startswith(
        "价目\n\n| 品名 |"
    )


def test_bars_in_cells_are_escaped():
    assert "| a\\|b | c |" in text("<table><tr><th>x<th>y<tr><td>a|b<td>c</table>")


def test_a_table_that_lays_out_the_page_is_no_table():
    html = f"<table><tr><td><table><tr><td>菜单</table><td><p>{BODY}</p><h2>退款</h2></table>"
    assert "table" not in [b.kind for b in read(html).blocks]


def test_blocks_inside_a_cell_stay_apart():
    assert "| 甲 乙 | 丙 丁 |" in text(
        "<table><tr><th>a<th>b<tr><td><ul><li>甲</li><li>乙</li></ul><td><p>丙</p><p>丁</p></table>"
    )


def test_absurd_spans_do_not_fill_the_memory():
    html = "<table><tr><td rowspan=65534 colspan=99999>a<td>b<tr><td>c</table>"
    assert len(text(html)) < 20_000


def test_tags_left_open_end_where_the_next_begins():
    assert text("<ul>" + "<li>项目" * 3000 + "</ul>" + "<p>段落" * 3000).count("\n\n段落") == 3000


def test_line_ends_in_chinese_text_are_no_blanks():
    assert text("<p>退货\n   规则，\n   with English\n words</p>") == "退货规则，with English words"


def test_breaks_end_lines():
    assert text("<p>一楼<br>二楼</p>") == "一楼\n二楼"


def test_pictures_keep_their_words_and_lose_their_bytes():
    html = (
        '<p>页</p><img src="data:image/png;base64,AAAA" alt="标志"><img src="a.png" alt=""><img src="b.png" alt="图 b">'
    )
    assert text(html) == "页\n\n![标志]()\n\n![图 b](b.png)"


def test_a_picture_inside_a_paragraph_is_found():
    assert "![架构]" in text('<p>如图<img src="a.png" alt="架构">所示。</p>')


def test_the_declared_encoding_is_used():
    html = f'<meta charset="gb2312"><p>{BODY}</p>'
    assert parse(html.encode("gb18030"), "a.html").text == BODY


def test_a_wrong_declaration_does_not_matter():
    html = f'<meta charset="utf-8"><p>{BODY}</p>'
    assert parse(html.encode("gb18030"), "a.html").text == BODY


@pytest.mark.parametrize("html", ["<div>" * 5000 + "x", "<b>" * 5000 + "x"], ids=["boxes", "inline"])
def test_a_page_nested_beyond_reason_is_refused(html):
    with pytest.raises(ParseFailed, match="nests"):
        read(html)


@pytest.mark.parametrize("html", ["<script>x()</script>", "<html><body></body></html>"], ids=["script", "nothing"])
def test_a_page_without_words_is_empty(html):
    with pytest.raises(ParseFailed) as refused:
        read(html)
    assert refused.value.status == "empty"
