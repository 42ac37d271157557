"""E-mails: head, text and attachments, in any charset; what is attached is read as itself."""

from email.message import EmailMessage

import pytest

from zhiji.ingest.parse import parse
from zhiji.ingest.report import ParseFailed


def mail(subject="退货申请", text="您好，我要退货。\n\n订单号 A-1024。"):
    made = EmailMessage()
    made["Subject"], made["From"], made["To"] = subject, "林 <lin@a.example>", "support@b.example"
    made["Date"] = "Mon, 30 Nov 2026 08:30:00 +0800"
    made.set_content(text)
    return made


def read(made):
    return parse(made.as_bytes(), "信.eml")


def kinds(document):
    return [(block.kind, block.text) for block in document.blocks]


def test_the_subject_is_the_title_and_the_head_says_who_and_when():
    document = read(mail())
    assert document.title == "退货申请"
    assert kinds(document) == [
        ("heading", "# 退货申请"),
        ("paragraph", "From: 林 <lin@a.example>\nTo: support@b.example\nDate: 2026-11-30 08:30+08:00"),
        ("paragraph", "您好，我要退货。"),
        ("paragraph", "订单号 A-1024。"),
    ]


def test_of_two_versions_the_page_is_read_once():
    made = mail(text="表格见网页版。")
    made.add_alternative(
        "<p>价格：</p><table><tr><th>项</th><th>价</th></tr><tr><td>甲</td><td>3</td></tr></table>", "html"
    )
    document = read(made)
    assert "| 甲 | 3 |" in document.text and "见网页版" not in document.text


@pytest.mark.parametrize("charset", ["gb18030", "big5", "utf-8", "shift_jis"])
def test_the_charset_of_the_text_does_not_matter(charset):
    made = EmailMessage()
    made["Subject"] = "測試"
    made.set_content("日本語中文", charset=charset)
    assert "日本語中文" in read(made).text


def test_attachments_are_read_as_what_they_are_under_their_names():
    made = mail()
    made.add_attachment("# 保修\n\n两年。\n".encode(), maintype="text", subtype="markdown", filename="保修.md")
    made.add_attachment("代码,含义\nE1024,超时\n".encode(), maintype="text", subtype="csv", filename="代码.csv")
    document = read(made)
    assert kinds(document)[4:] == [
        ("heading", "## 保修.md"),
        ("heading", "### 保修"),
        ("paragraph", "两年。"),
        ("heading", "## 代码.csv"),
        ("table", "| 代码 | 含义 |\n| --- | --- |\n| E1024 | 超时 |"),
    ]


def test_an_attachment_that_cannot_be_read_is_said_and_the_rest_read():
    made = mail()
    made.add_attachment(bytes(range(256)), maintype="application", subtype="octet-stream", filename="固件.bin")
    document = read(made)
    assert document.notes and document.notes[0].startswith("固件.bin: no parser for .bin files")
    assert "A-1024" in document.text


def test_a_message_inside_messages_without_end_is_left_out():
    made = mail("最里面", "深处。")
    for number in range(6):
        outer = mail(f"第{number}层", "转发。")
        outer.add_attachment(made)
        made = outer
    document = read(made)
    assert "最里面" not in document.text and any("too many" in note for note in document.notes)


def test_a_text_named_as_mail_is_a_failure():
    with pytest.raises(ParseFailed, match="no header"):
        parse("只是文字，没有信头。".encode(), "a.eml")
