"""Outlook messages, written here as compound files of small streams, because nothing else writes them."""

import itertools
import struct

import pytest

from zhiji.ingest.parse import parse
from zhiji.ingest.report import ParseFailed

SECTOR, MINI, END, FREE, FAT = 512, 64, 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD


def compound_file(tree: dict) -> bytes:
    """A compound file; a value that is a dict is a storage, bytes are a stream (all shorter than 4,096 bytes)."""
    names, kinds, data, children = ["Root Entry"], [5], [b""], [[]]

    def walk(folder: dict, parent: int) -> None:
        for name, value in sorted(folder.items(), key=lambda item: (len(item[0]), item[0].upper())):
            index = len(names)
            names.append(name)
            kinds.append(1 if isinstance(value, dict) else 2)
            data.append(b"" if isinstance(value, dict) else value)
            children.append([])
            children[parent].append(index)
            if isinstance(value, dict):
                walk(value, index)

    walk(tree, 0)
    mini, mini_fat, starts = b"", [], []
    for content in data:
        starts.append(len(mini_fat) if content else END)
        count = -(-len(content) // MINI)
        mini_fat += [*range(len(mini_fat) + 1, len(mini_fat) + count), END] if count else []
        mini += content.ljust(count * MINI, b"\0")
    # Each storage's children form a chain of right siblings, which is a tree, if no balanced one.
    right, child = [FREE] * len(names), [FREE] * len(names)
    for parent, inner in enumerate(children):
        for one, following in itertools.pairwise(inner):
            right[one] = following
        child[parent] = inner[0] if inner else FREE

    def sectors(content: bytes) -> int:
        return -(-len(content) // SECTOR)

    directory_size = -(-len(names) * 128 // SECTOR)
    minis, mini_table = sectors(mini), sectors(b"\0" * 4 * len(mini_fat))
    first_directory, first_mini, first_table = 1, 1 + directory_size, 1 + directory_size + minis
    starts[0] = first_mini
    entries = b""
    for index, name in enumerate(names):
        size = len(mini) if index == 0 else len(data[index])
        encoded = name.encode("utf-16-le")
        entries += encoded.ljust(64, b"\0") + struct.pack(
            "<HBBIII", len(encoded) + 2, kinds[index], 1, FREE, right[index], child[index]
        )
        entries += bytes(36) + struct.pack("<IQ", starts[index] if kinds[index] != 1 else 0, size)
    fat = [FAT]
    for count in (directory_size, minis, mini_table):
        fat += [*range(len(fat) + 1, len(fat) + count), END] if count else []
    head = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    head += struct.pack("<IIIIIIIII", 0, 1, first_directory, 0, 4096, first_table, mini_table, END, 0) + struct.pack(
        "<I", 0
    )
    head = head.ljust(SECTOR, b"\xff")
    body = struct.pack(f"<{len(fat)}I", *fat).ljust(SECTOR, b"\xff") + entries.ljust(directory_size * SECTOR, b"\0")
    table = struct.pack(f"<{len(mini_fat)}I", *mini_fat).ljust(mini_table * SECTOR, b"\xff")
    return head + body + mini.ljust(minis * SECTOR, b"\0") + table


def outlook_message(subject: str, body: str, sender: str, attachments: dict[str, bytes] | None = None) -> bytes:
    """An Outlook message."""
    tree: dict = {
        "__properties_version1.0": _properties(
            {0x0037: subject, 0x1000: body, 0x0C1A: sender, 0x007D: f"From: {sender}"}, header=32
        ),
        "__substg1.0_0037001F": subject.encode("utf-16-le"),
        "__substg1.0_1000001F": body.encode("utf-16-le"),
        "__substg1.0_0C1A001F": sender.encode("utf-16-le"),
        "__substg1.0_007D001F": f"From: {sender}\r\n\r\n".encode("utf-16-le"),
    }
    for number, (name, data) in enumerate((attachments or {}).items()):
        tree[f"__attach_version1.0_#{number:08X}"] = {
            "__properties_version1.0": _properties({0x3707: name}, header=8, binary={0x3701: len(data)}),
            "__substg1.0_3707001F": name.encode("utf-16-le"),
            "__substg1.0_37010102": data,
        }
    return compound_file(tree)


def _properties(texts: dict[int, str], *, header: int, binary: dict[int, int] | None = None) -> bytes:
    entries = b"".join(
        struct.pack("<HHIQ", 0x001F, tag, 6, len(text.encode("utf-16-le")) + 2) for tag, text in texts.items()
    )
    for tag, size in (binary or {}).items():
        entries += struct.pack("<HHIQ", 0x0102, tag, 6, size)
    if header == 8:
        entries += struct.pack("<HHIQ", 0x0003, 0x3705, 6, 1)  # attached by value
    return bytes(header) + entries


def test_an_outlook_message_is_read_with_its_attachments():
    pytest.importorskip("oxmsg")
    data = outlook_message(
        "退货申请", "我要退货。\r\n\r\n订单 A-1024。", "林", {"保修.md": "# 保修\n\n两年。\n".encode()}
    )
    document = parse(data, "信.msg")
    assert document.title == "退货申请"
    assert [block.text for block in document.blocks][-5:] == [
        "我要退货。",
        "订单 A-1024。",
        "## 保修.md",
        "### 保修",
        "两年。",
    ]


def test_a_damaged_outlook_message_is_a_failure():
    with pytest.raises(ParseFailed):
        parse(outlook_message("退货", "正文", "林")[:900], "a.msg")
