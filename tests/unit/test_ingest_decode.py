"""Bytes become the right text or are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhiji.ingest.decode import decode
from zhiji.ingest.report import ParseFailed

SIMPLIFIED = "荔枝蒂蛀虫是荔枝的主要害虫，每年发生十代以上，以幼虫蛀食果实和嫩梢。"
TRADITIONAL = "退貨申請須於收到商品後七天內提出，並附上購買證明與完整包裝，逾期不予受理。"
JAPANESE = "商品の返品は到着後七日以内にご連絡ください。送料はお客様のご負担となります。"
KOREAN = "상품 반품은 도착 후 칠일 이내에 연락해 주십시오. 배송비는 고객 부담입니다."


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [
        (SIMPLIFIED, "utf-8", "utf-8"),
        (SIMPLIFIED, "utf-8-sig", "utf-8"),
        (SIMPLIFIED, "utf-16", "utf-16-le"),
        (SIMPLIFIED, "utf-16-le", "utf-16-le"),
        (SIMPLIFIED, "utf-16-be", "utf-16-be"),
        (SIMPLIFIED, "utf-32", "utf-32-le"),
        (SIMPLIFIED, "gb2312", "gb18030"),
        (SIMPLIFIED, "gb18030", "gb18030"),
        (TRADITIONAL, "big5", "big5"),
        (TRADITIONAL, "gb18030", "gb18030"),
        (JAPANESE, "shift_jis", "shift_jis"),
        (JAPANESE, "euc_jp", "euc-jp"),
        (KOREAN, "cp949", "euc-kr"),
        ("Return it within 7 days, won't you?", "utf-16-le", "utf-16-le"),
        ("It’s a café – naïve “quotes” in plain English prose.", "cp1252", "windows-1252"),
    ],
)
def test_each_encoding_is_read_right(text, codec, name):
    decoded = decode(text.encode(codec))
    assert (decoded.text, decoded.encoding, decoded.note) == (text, name, "")


def test_characters_of_four_bytes_are_kept():
    text = "𠮷野家在㐂字楼，店名用了𪚥字。"
    assert decode(text.encode("gb18030")).text == text


def test_names_without_kana_are_japanese_if_the_bytes_say_so():
    rows = "名前,年齢,住所\n山田太郎,41,京都\n鈴木花子,28,横浜\n"
    assert decode(rows.encode("cp932")).text == rows


@pytest.mark.parametrize("text", ["退货规则", "会员等级与积分", "龙眼"], ids=len)
def test_a_few_characters_are_enough_for_gb18030(text):
    assert decode(text.encode("gb18030")).text == text


def test_the_byte_order_mark_is_no_part_of_the_text():
    assert decode("\ufeff退货".encode()).text == "退货"


def test_line_ends_and_control_characters_are_cleaned():
    assert decode(b"a\r\nb\rc\x07d").text == "a\nb\ncd"


def test_a_declared_encoding_settles_what_is_too_short_to_tell():
    assert decode("年月".encode("big5"), "Big5").text == "年月"


def test_a_stray_nul_is_left_out_with_a_remark():
    decoded = decode((SIMPLIFIED * 100).encode() + b"\x00")
    assert decoded.text == SIMPLIFIED * 100 and "NUL" in decoded.note


def test_a_few_broken_bytes_of_utf8_are_left_out_with_a_remark():
    good = (SIMPLIFIED * 20).encode()
    decoded = decode(good[:300] + b"\xff" + good[300:])
    assert decoded.text == SIMPLIFIED * 20 and "1 broken" in decoded.note


@pytest.mark.parametrize(
    "data",
    [
        bytes(range(256)) * 4,
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(200),
        "台北市政府公告".encode("utf-16-le")[:-1] + b"\x00\x00\x00\xff\x00",
        b"\xef\xbb\xbf" + SIMPLIFIED.encode("gb18030"),
        bytes([0xEA, 0xC4, 0xD9, 0xD7, 0xC4, 0xCB, 0xCC, 0xA8, 0xF2, 0xE2, 0xFA, 0xE6, 0xF5, 0xC5]) * 8,
    ],
    ids=["all bytes", "picture", "torn UTF-16", "mark of another encoding", "EUC-TW"],
)
def test_what_cannot_be_told_is_refused(data):
    with pytest.raises(ParseFailed):
        decode(data)


@given(st.binary(max_size=300))
def test_any_bytes_give_text_or_a_refusal(data):
    try:
        decoded = decode(data)
    except ParseFailed:
        return
    decoded.text.encode("utf-8")
    assert "\x00" not in decoded.text and "\ufeff" not in decoded.text


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Zl", "Zp", "Cn"]), max_size=200))
def test_every_utf8_text_comes_back_unchanged(text):
    assert decode(text.encode()).text == text
