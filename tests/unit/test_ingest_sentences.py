"""Where sentences end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhiji.ingest.sentences import NEVER_FIRST, sentences, split_to_fit


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("今天施肥。明天浇水！后天呢？", ["今天施肥。", "明天浇水！", "后天呢？"]),
        ("他说：“走吧。”我们走了。", ["他说：“走吧。”", "我们走了。"]),
        ("（见附表。）下一句……完", ["（见附表。）", "下一句……", "完"]),
        ("先断电；再开盖。", ["先断电；", "再开盖。"]),
        ("Use e.g. v3.5, i.e. the new one. It works!", ["Use e.g. v3.5, i.e. the new one.", "It works!"]),
        ("Dr. Lee paid $3.50. Then he left.", ["Dr. Lee paid $3.50.", "Then he left."]),
        ("1. 先断电\n2. 再开盖", ["1. 先断电", "2. 再开盖"]),
        ("半角句号.也能分开.", ["半角句号.", "也能分开."]),
        ("见 https://a.example/b?c=1&d=2 说明", ["见 https://a.example/b?c=1&d=2 说明"]),
        ("姓名：王某\n年龄：28岁", ["姓名：王某", "年龄：28岁"]),
    ],
)
def test_sentences_end_where_a_reader_says(text, expected):
    assert [text[a:b] for a, b in sentences(text)] == expected


def test_wrapped_lines_are_one_sentence():
    text = (
        "这段文字是按固定宽度换行的，每一行的长度都差不多，\n因此行尾并不是句子的结尾，而只是排版软件在那里断开\n了。"
    )
    assert [text[a:b] for a, b in sentences(text)] == [text]


@given(st.text("荔枝病虫，。！？”a1 .\n", max_size=300), st.integers(5, 60))
def test_pieces_fit_cover_everything_and_begin_with_no_closing_mark(text, most):
    pieces = split_to_fit(text, lambda piece: len(piece) <= most)
    assert "".join("".join(text[a:b].split()) for a, b in pieces) == "".join(text.split())
    assert all(b - a <= most for a, b in pieces)


def test_a_cut_tears_no_word_and_no_composed_character():
    text = "internationalization " * 5 + "👩‍🌾" * 10
    pieces = [text[a:b] for a, b in split_to_fit(text, lambda piece: len(piece) <= 25)]
    assert all(not piece.startswith(("\u200d", "nternational")) for piece in pieces)


def test_a_piece_does_not_begin_with_a_closing_mark():
    text = "没有停顿的长句子一直写下去写下去，" * 20
    assert all(text[a] not in NEVER_FIRST for a, b in split_to_fit(text, lambda piece: len(piece) <= 40))
