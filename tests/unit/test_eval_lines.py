"""Reading a set, and saying where it is wrong."""

import hashlib
import json

import pytest

from zhiji.core.errors import Misuse
from zhiji.evals.lines import read_lines
from zhiji.evals.paraphrase import Pair
from zhiji.evals.rewriting import RewriteLine


@pytest.fixture
def file(tmp_path):
    """A set with one good line."""
    path = tmp_path / "set.jsonl"
    path.write_text('{"a": "一", "b": "二", "same": true}\n', encoding="utf-8")
    return path


def append(path, *lines):
    with path.open("a", encoding="utf-8") as out:
        out.writelines(f"{line}\n" for line in lines)


def test_a_folder_is_read_file_by_file(file, tmp_path):
    (tmp_path / "a.jsonl").write_text('{"a": "0", "b": "0", "same": false}\n', encoding="utf-8")
    assert [line.a for line in read_lines(tmp_path, Pair)] == ["0", "一"]


def test_a_line_knows_its_file(file):
    assert read_lines(file, Pair)[0].file == "set"


def test_blank_lines_and_a_byte_order_mark_are_nothing(tmp_path):
    path = tmp_path / "set.jsonl"
    path.write_bytes(b'\xef\xbb\xbf\n{"a": "1", "b": "2", "same": true}\n\n')
    assert len(read_lines(path, Pair)) == 1


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ("{", "set.jsonl:2: no JSON"),
        ('{"a": "1", "b": "2"}', "set.jsonl:2: same"),
        ("[1]", "set.jsonl:2: the line"),
        ('{"a": 1, "b": "2", "same": true}', "set.jsonl:2: a"),
    ],
    ids=["broken", "a field lacks", "no object", "a wrong kind"],
)
def test_a_bad_line_is_named(file, bad, says):
    append(file, bad)
    with pytest.raises(Misuse, match=says):
        read_lines(file, Pair)


def test_other_encodings_are_named(tmp_path):
    path = tmp_path / "set.jsonl"
    path.write_bytes("你好".encode("gbk"))
    with pytest.raises(Misuse, match="not UTF-8"):
        read_lines(path, Pair)


@pytest.mark.parametrize("name", ["absent.jsonl", "."], ids=["no file", "a folder without a set"])
def test_nothing_to_read_is_an_error(tmp_path, name):
    with pytest.raises(Misuse):
        read_lines(tmp_path / name, Pair)


def test_an_empty_set_is_an_error(tmp_path):
    (tmp_path / "set.jsonl").write_text("\n", encoding="utf-8")
    with pytest.raises(Misuse, match="no line"):
        read_lines(tmp_path / "set.jsonl", Pair)


def test_the_halves_are_told_by_the_hash_of_the_id(tmp_path):
    path = tmp_path / "set.jsonl"
    for number in range(20):
        append(path, json.dumps({"id": f"q{number}", "history": [], "query": "x", "rewrite": "x"}))
    odd = {line.id for line in read_lines(path, RewriteLine, "odd")}
    assert odd == {f"q{n}" for n in range(20) if int(hashlib.sha256(f"q{n}".encode()).hexdigest(), 16) % 2}
    assert odd.isdisjoint(line.id for line in read_lines(path, RewriteLine, "even"))
