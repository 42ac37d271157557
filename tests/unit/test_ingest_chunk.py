"""Chunks: complete, bounded, never across a heading, never through a row or a fence."""

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zhiji.ingest.blocks import Document, heading_text
from zhiji.ingest.chunk import STRATEGIES, Chunk, chunk, index_text
from zhiji.ingest.parse import parse
from zhiji.ingest.report import ParseFailed
from zhiji.ingest.sentences import NEVER_FIRST

SENTENCE = "每年十一月清园一次，剪除病枝并集中烧毁。"


def document(text: str, source: str = "手册.md") -> Document:
    return parse(text.encode(), source)


def chunks(text: str, **options) -> list[Chunk]:
    return chunk(document(text), **{"max_tokens": 500, "count_tokens": len, **options})


def prose(characters: int, sentence: str = SENTENCE) -> str:
    return sentence * (characters // len(sentence))


def table(rows: int) -> str:
    lines = [f"| E{1000 + n} | 第{n}号阀门反馈超时，检查线圈与接线 | 断电后更换 |" for n in range(rows)]
    return "\n".join(["| 代码 | 含义 | 处理 |", "|---|---|---|", *lines])


def test_a_short_section_is_one_chunk_with_its_heading_path():
    (only,) = chunks("# 手册\n\n## 保修\n\n### 主机\n\n保修24个月。\n")
    assert (only.heading, only.text, only.title) == ("手册 > 保修 > 主机", "保修24个月。", "手册")


def test_what_is_indexed_begins_with_title_and_headings():
    (only,) = chunks("# 手册\n\n## 保修\n\n见[官网](https://a.example/x)，**24个月**。\n")
    assert index_text(only) == "手册\n保修\n见官网，24个月。"


def test_the_indexed_copy_leaves_code_as_it_is():
    (only,) = chunks("# 手册\n\n```python\nx = a[0](**kw) ** 2\n```\n")
    assert "x = a[0](**kw) ** 2" in index_text(only)


def test_no_chunk_crosses_a_heading():
    found = chunks("# 手册\n\n## 一\n\n甲说。\n\n## 二\n\n乙说。\n")
    assert [(c.heading, c.text) for c in found] == [("手册 > 一", "甲说。"), ("手册 > 二", "乙说。")]


def test_long_prose_becomes_chunks_of_three_to_five_hundred_characters():
    found = chunks("# 手册\n\n" + prose(4000))
    assert all(300 <= len(c.text) <= 500 for c in found)


def test_neighbours_overlap_by_ten_to_twenty_percent():
    found = chunks("# 手册\n\n" + prose(4000))
    shares = [(c.core_start - c.start) / len(c.text) for c in found[1:]]
    assert shares and all(0.1 <= share <= 0.2 for share in shares)


def test_overlap_repeats_the_end_of_the_chunk_before():
    first, second, *_ = chunks("# 手册\n\n" + "".join(f"第{n}条规定如下，请各位遵照执行。" for n in range(80)))
    assert first.text.endswith(second.text[: second.core_start - second.start])


def test_sections_do_not_overlap():
    found = chunks(f"# 手册\n\n## 一\n\n{prose(300)}\n\n## 二\n\n{prose(300)}")
    assert [c.start == c.core_start for c in found] == [True, True]


def test_overlap_can_be_switched_off():
    assert all(c.start == c.core_start for c in chunks("# 手册\n\n" + prose(2000), overlap=0))


def test_a_sentence_keeps_its_final_mark_and_closing_quote():
    text = "# 手册\n\n" + "他反复说：“天青色等烟雨，而我在等你！”于是我们都停了下来。" * 40
    assert all(c.text.endswith(("。", "”")) and c.text[0] not in NEVER_FIRST for c in chunks(text))


def test_an_endless_sentence_is_cut_and_nothing_is_lost():
    text = "无标点" * 900
    found = chunks("# 手册\n\n" + text, overlap=0)
    assert "".join(c.text for c in found) == text
    assert max(len(c.text) for c in found) <= 500


def test_a_table_that_fits_stays_whole_with_the_line_before_it():
    (only,) = chunks(f"# 手册\n\n## 故障\n\n故障代码如下：\n\n{table(8)}\n")
    assert only.kind == "table" and only.text == f"故障代码如下：\n\n{table(8)}"


def test_a_long_table_is_cut_between_rows_and_every_part_has_the_header():
    source = table(60)
    parts = chunks(f"# 手册\n\n## 故障\n\n故障代码如下：\n\n{source}\n")
    rows = []
    for part in parts:
        assert part.text.startswith("故障代码如下：\n\n| 代码 | 含义 | 处理 |\n|---|---|---|\n| E")
        rows.extend(part.text.split("|---|---|---|\n")[1].split("\n"))
    assert rows == source.split("\n")[2:]
    assert [part.part for part in parts] == [(n, len(parts)) for n in range(1, len(parts) + 1)]


def test_a_row_longer_than_a_chunk_is_cut_inside_its_cell_and_keeps_its_name():
    parts = chunks(f"# 手册\n\n| 项目 | 说明 |\n|---|---|\n| 清园 | {prose(1500)} |\n")
    assert len(parts) > 2
    assert all(re.fullmatch(r"\| 项目 \| 说明 \|\n\|---\|---\|\n\| 清园 \| .+ \|", part.text) for part in parts)


def test_a_code_block_longer_than_prose_stays_whole():
    code = "```yaml\n" + "\n".join(f"# 第{n}路\nvalve_{n}: open" for n in range(30)) + "\n```"
    found = chunks(f"# 手册\n\n编辑配置：\n\n{code}\n", max_tokens=2000)
    assert [c.text for c in found] == [f"编辑配置：\n\n{code}"]


def test_code_too_long_for_the_embedder_is_cut_at_line_ends_inside_fences():
    lines = [f"valve_{n} = controller.open({n})" for n in range(200)]
    parts = chunks("# 手册\n\n~~~python\n" + "\n".join(lines) + "\n~~~\n")
    inner = [part.text.removeprefix("~~~python\n").removesuffix("\n~~~") for part in parts]
    assert "\n".join(inner).split("\n") == lines
    assert all(part.text.startswith("~~~python\n") and part.text.endswith("\n~~~") for part in parts)


def test_a_lead_in_line_is_not_parted_from_its_list():
    items = "\n".join(f"{n}. 先关闭第{n}号阀门，再检查滤网是否堵塞" for n in range(1, 12))
    found = chunks(f"# 手册\n\n{prose(390)}\n\n操作步骤如下：\n\n{items}\n")
    holder = next(c for c in found if "操作步骤如下：" in c.text)
    assert "1. 先关闭" in holder.text


def test_a_heading_without_a_body_is_kept_with_what_follows():
    found = chunks("# 手册\n\n## 空章\n\n## 实章\n\n有话。\n\n## 尾章\n")
    (only,) = found
    assert "## 空章" in only.text and only.text.endswith("## 尾章")


def test_a_document_of_headings_alone_is_still_found():
    (only,) = chunks("# 手册\n\n## 一\n\n## 二\n")
    assert "一" in only.text and "二" in only.text


def test_a_very_long_title_leaves_room_for_the_text():
    found = chunks(f"# {prose(600)}\n\n## {prose(600)}\n\n{prose(900)}", max_tokens=300)
    assert all(len(index_text(c)) <= 300 for c in found)
    assert min(len(c.text) for c in found) > 50


@pytest.mark.parametrize(
    "wrong", [{"size": 10}, {"overlap": 0.9}, {"max_tokens": 5}], ids=["size", "overlap", "tokens"]
)
def test_limits_that_leave_nothing_are_refused(wrong):
    with pytest.raises(ValueError, match="cannot cut"):
        chunks("# 手册\n\n有话。", **wrong)


words = st.sampled_from(
    ["荔枝", "蒂蛀虫", "退货期", "HG-300", "3.5", "e.g. this", "😀", "𠮷", "https://a.example/b?c=d", "x" * 90, "﷽"]
)
marks = st.sampled_from(["。", "，", "；", "！”", "……", ". ", "? ", " ", "\n", "、", ""])
phrases = st.lists(st.tuples(words, marks).map("".join), min_size=1, max_size=60).map("".join)
cells = st.lists(phrases.map(lambda text: text.replace("\n", " ").replace("|", "")), min_size=2, max_size=2)
headings = st.tuples(st.integers(1, 4), words).map(lambda pair: f"{'#' * pair[0]} {pair[1]}")
lists = st.lists(phrases, min_size=1, max_size=6).map(
    lambda items: "\n".join("- " + i.replace("\n", " ") for i in items)
)
tables = st.lists(cells, min_size=1, max_size=12).map(
    lambda rows: "\n".join(["| 甲 | 乙 |", "|---|---|", *(f"| {a} | {b} |" for a, b in rows)])
)
codes = st.tuples(st.sampled_from(["```", "~~~~"]), st.lists(st.text("ab #|`", max_size=50), max_size=60)).map(
    lambda pair: f"{pair[0]}sh\n" + "\n".join(line.strip("`") for line in pair[1]) + f"\n{pair[0]}"
)
others = st.sampled_from(["<!-- 注 -->", "![图](a.png)", "> 引用一句。", "---", "<div>块</div>", "[1]: 只是一句话"])
sources = st.lists(st.one_of(headings, phrases, lists, tables, codes, others), min_size=1, max_size=12).map("\n\n".join)
counters = st.sampled_from([len, lambda text: len(text.encode()) // 2 + 2, lambda text: len(text.split()) + 2])


@settings(max_examples=150, deadline=None)
@given(sources, counters, st.sampled_from([80, 200, 500]), st.sampled_from([100, 400]))
def test_every_character_is_in_exactly_one_core_and_every_chunk_fits(source, count, max_tokens, size):
    try:
        whole = document(source)
    except ParseFailed:
        return
    found = chunk(whole, size=size, max_tokens=max_tokens, count_tokens=count)
    covered = [0] * len(whole.text)
    for one in found:
        assert count(index_text(one)) <= max_tokens
        assert whole.text[one.core_start : one.core_end].strip()
        for at in range(one.core_start, one.core_end):
            covered[at] += 1
    paths = " > ".join(one.heading for one in found)
    for block in whole.blocks:
        assert whole.text[block.start : block.end] == block.text
        in_path = block.kind == "heading" and heading_text(block) in paths
        for at in range(block.start, block.end):
            assert covered[at] == 1 or in_path or whole.text[at].isspace()
    assert [one.ordinal for one in found] == list(range(len(found)))
    assert all(a.core_end <= b.core_start for a, b in pairwise(found))


def subjects(texts):
    """Vectors by what a text speaks of: trees, or money."""
    of_trees = np.array([float("树" in text or "虫" in text) + 0.01 * (len(text) % 7) for text in texts])
    return np.stack([of_trees, 1.0 - of_trees], axis=1).astype(np.float32)


@settings(max_examples=150, deadline=None)
@given(sources, counters, st.sampled_from([100, 400]), st.sampled_from(STRATEGIES))
def test_cores_and_the_blanks_and_headings_between_them_give_back_the_document(source, count, size, strategy):
    try:
        whole = document(source)
    except ParseFailed:
        return
    found = chunk(whole, size=size, max_tokens=500, count_tokens=count, strategy=strategy, embed=subjects)
    between = [(0, 0), *((one.core_start, one.core_end) for one in found), (len(whole.text), len(whole.text))]
    headings = [block for block in whole.blocks if block.kind == "heading"]
    rebuilt = ""
    for (_, before), (start, end) in pairwise(between):
        gap = whole.text[before:start]
        for block in headings if strategy != "fixed" else ():
            if before <= block.start and block.end <= start:
                gap = gap.replace(block.text, "", 1)
        assert not gap.strip()
        rebuilt += whole.text[before:start] + whole.text[start:end]
    assert rebuilt == whole.text
    assert all(count(index_text(one)) <= 500 for one in found)


def test_fixed_chunks_cross_headings_and_keep_each_with_what_follows():
    source = "# 手册\n\n" + "".join(f"## 第{n}节\n\n{prose(120)}\n\n" for n in range(12))
    found = chunks(source, strategy="fixed")
    assert len(found) < 8 and max(len(c.text) for c in found) <= 500
    assert all(f"## 第{n}节\n\n{SENTENCE}" in "\n".join(c.text for c in found) for n in range(12))
    assert not any(c.text.rstrip().split("\n")[-1].startswith("#") for c in found)


def test_fixed_chunks_know_the_headings_they_begin_under():
    source = "# 手册\n\n" + "".join(f"## 第{n}节\n\n{prose(300)}\n\n" for n in range(4))
    found = chunks(source, strategy="fixed", overlap=0)
    assert [c.heading for c in found if c.text.startswith("## 第2节")] == ["手册 > 第2节"]


@pytest.mark.parametrize("first", [9, 12, 15])
def test_semantic_chunks_begin_where_the_subject_shifts(first):
    trees = "冬季给果树涂白，可以防止害虫越冬并减少冻害。" * first
    money = "发票须在次月五日之前提交，逾期不再受理报销。" * (26 - first)
    found = chunks(f"# 手册\n\n{trees}{money}", strategy="semantic", embed=subjects, overlap=0)
    assert any(c.text.startswith("发票") for c in found)
    assert all(200 <= len(c.text) <= 500 for c in found)


def test_semantic_chunks_need_vectors():
    with pytest.raises(ValueError, match="embedder"):
        chunks("# 手册\n\n有话。", strategy="semantic")


@settings(max_examples=100, deadline=None)
@given(phrases)
def test_plain_prose_is_shown_as_the_document_has_it(text):
    try:
        whole = document(text, "a.txt")
    except ParseFailed:
        return
    for one in chunk(whole, max_tokens=500, count_tokens=len):
        assert one.text == whole.text[one.start : one.end]
        assert len(one.text) <= 500
