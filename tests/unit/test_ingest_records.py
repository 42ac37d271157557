"""Transcripts, JSON and feeds: paragraphs with their time, records as tables or sections, entries as sections."""

import json

import pytest

from zhiji.ingest.parse import parse
from zhiji.ingest.report import ParseFailed


def kinds(document):
    return [(block.kind, block.text) for block in document.blocks]


def srt(*cues: tuple[str, str, str]) -> bytes:
    return "\n\n".join(f"{n}\n{a} --> {b}\n{text}" for n, (a, b, text) in enumerate(cues, 1)).encode()


def test_cues_of_one_sentence_are_joined_and_begin_with_their_time():
    data = srt(
        ("00:00:01,000", "00:00:03,000", "今天我们讲荔枝的"),
        ("00:00:03,000", "00:00:05,500", "冬季管理。"),
        ("00:01:10,000", "00:01:12,000", "第二部分是\n清园。"),
    )
    assert kinds(parse(data, "课.srt")) == [
        ("paragraph", "[00:00:01] 今天我们讲荔枝的冬季管理。"),
        ("paragraph", "[00:01:10] 第二部分是清园。"),
    ]


def test_english_cues_are_joined_with_blanks_and_tags_dropped():
    data = srt(
        ("00:00:01,000", "00:00:03,000", "<i>Hold the</i> power"),
        ("00:00:03,100", "00:00:05,000", "button &amp; wait."),
    )
    assert parse(data, "a.srt").text == "[00:00:01] Hold the power button & wait."


def test_speakers_of_a_web_transcript_begin_paragraphs():
    data = "WEBVTT\n\n01:02.500 --> 01:04.000\n<v 老李>荔枝怎么防虫？\n\n01:04.000 --> 01:06.000\n<v 小华>十一月清园。\n".encode()
    assert [text for _, text in kinds(parse(data, "a.vtt"))] == [
        "[00:01:02] 老李：荔枝怎么防虫？",
        "[00:01:04] 小华：十一月清园。",
    ]


def test_a_transcript_without_full_stops_does_not_become_one_paragraph():
    cues = [
        (f"00:{n // 60:02}:{n % 60:02},000", f"00:{n // 60:02}:{n % 60:02},900", "没有标点的一句话接着一句话")
        for n in range(300)
    ]
    assert max(len(text) for _, text in kinds(parse(srt(*cues), "a.srt"))) < 700


def test_a_file_without_times_is_no_transcript():
    with pytest.raises(ParseFailed, match="no times"):
        parse("只是文字。".encode(), "a.srt")


def lines(*records) -> bytes:
    return "\n".join(json.dumps(one, ensure_ascii=False) for one in records).encode()


def test_short_records_alike_are_a_table():
    document = parse(lines({"code": "E1024", "means": "超时"}, {"code": "E2048", "means": "水压低"}), "a.jsonl")
    assert kinds(document) == [("table", "| code | means |\n| --- | --- |\n| E1024 | 超时 |\n| E2048 | 水压低 |")]


def test_long_records_are_sections_with_their_texts():
    answer = "自签收之日起七天内可以申请退货，商品须保持完好。" * 4
    document = parse(
        lines({"question": "怎么退货", "answer": answer, "meta": {"tags": ["退货", "售后"]}}, {"a": 1}), "a.jsonl"
    )
    assert kinds(document) == [
        ("heading", "## 怎么退货"),
        ("list", "- meta.tags: 退货, 售后"),
        ("paragraph", answer),
        ("list", "- a: 1"),
    ]


def test_a_line_that_is_no_json_is_said_and_the_rest_read():
    document = parse(lines({"text": "七天。"}) + b"\n{broken\n" + lines({"text": "两年。"}), "a.jsonl")
    assert document.notes == ("1 lines are no JSON and were left out: 2",) and document.text == "七天。\n\n两年。"


def test_a_file_of_no_json_is_a_failure():
    with pytest.raises(ParseFailed, match="no line"):
        parse(b"{broken\n{too", "a.jsonl")


def test_one_json_document_is_read_too():
    assert "E1024" in parse(json.dumps([{"c": "E1024"}, {"c": "E2"}], indent=1).encode(), "a.json").text


@pytest.mark.parametrize("encoding", ["gb18030", "utf-8"])
def test_entries_of_a_feed_are_sections(encoding):
    feed = (
        f'<?xml version="1.0" encoding="{encoding}"?><rss><channel><title>公告</title>'
        "<item><title>停机</title><description><![CDATA[<p>周五<b>停机</b>维护。</p>]]></description></item>"
        "<item><title>恢复</title><description>&lt;p&gt;已恢复。&lt;/p&gt;</description></item></channel></rss>"
    )
    assert [text for _, text in kinds(parse(feed.encode(encoding), "a.xml"))] == [
        "# 公告",
        "## 停机",
        "周五停机维护。",
        "## 恢复",
        "已恢复。",
    ]


def test_other_xml_is_read_by_its_texts():
    data = "<manual><part><name>阀门</name><note>断电后 <b>更换</b>。</note></part></manual>".encode()
    assert [text for _, text in kinds(parse(data, "a.xml"))] == ["阀门", "断电后 更换 。"]
