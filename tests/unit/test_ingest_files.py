"""Finding files: sorted, without hidden ones, and nothing on disk stops the walk."""

import os
from pathlib import Path

import pytest

from zhiji.core.errors import InvalidInput
from zhiji.ingest.files import SourceFile, find_files, read_file
from zhiji.ingest.report import ParseFailed


def write(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")


def names(root: Path) -> list[str]:
    return [file.source for file in find_files(root).files]


def test_files_are_named_by_their_path_below_the_root_and_sorted(tmp_path):
    write(tmp_path, "b.md", "a/z.md", "a/b/c.txt", "退货.md")
    assert names(tmp_path) == ["a/b/c.txt", "a/z.md", "b.md", "退货.md"]


def test_a_single_file_is_named_by_its_name(tmp_path):
    write(tmp_path, "a/退货.md")
    assert names(tmp_path / "a" / "退货.md") == ["退货.md"]


def test_hidden_files_and_folders_are_left_out(tmp_path):
    write(tmp_path, ".git/config", ".DS_Store", "~$lock.docx", "a.md")
    assert names(tmp_path) == ["a.md"]


def test_a_hidden_file_that_is_named_is_read(tmp_path):
    write(tmp_path, ".notes.md")
    assert names(tmp_path / ".notes.md") == [".notes.md"]


def test_a_loop_of_links_ends(tmp_path):
    write(tmp_path, "a/b.md")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    (tmp_path / "a" / "self").symlink_to(tmp_path / "a" / "self")
    found = find_files(tmp_path)
    assert [file.source for file in found.files] == ["a/b.md"]
    assert [report.path for report in found.problems] == ["a/self"]


def test_a_folder_elsewhere_is_followed_once(tmp_path):
    write(tmp_path, "root/a.md", "other/x.md", "other/deep/y.md")
    (tmp_path / "root" / "one").symlink_to(tmp_path / "other")
    (tmp_path / "root" / "two").symlink_to(tmp_path / "other")
    assert names(tmp_path / "root") == ["a.md", "one/deep/y.md", "one/x.md"]


def test_a_link_that_leads_nowhere_is_reported(tmp_path):
    (tmp_path / "gone.md").symlink_to(tmp_path / "missing.md")
    (report,) = find_files(tmp_path).problems
    assert (report.path, report.status, report.reason) == ("gone.md", "failed", "a link that leads nowhere")


def test_a_folder_that_may_not_be_entered_is_reported_and_the_rest_read(tmp_path, monkeypatch):
    write(tmp_path, "a.md", "closed/b.md", "open/c.md")
    scan = os.scandir

    def refuse(folder):
        if Path(folder).name == "closed":
            raise PermissionError(13, "Permission denied")
        return scan(folder)

    monkeypatch.setattr(os, "scandir", refuse)
    found = find_files(tmp_path)
    assert [file.source for file in found.files] == ["a.md", "open/c.md"]
    assert [(r.path, r.reason) for r in found.problems] == [("closed", "no permission to read it")]


def test_a_name_that_is_no_text_still_has_one(tmp_path):
    (tmp_path / os.fsdecode(b"\xcd\xcb\xbb\xf5.md")).write_text("x")
    (name,) = names(tmp_path)
    name.encode("utf-8")


def test_a_decomposed_name_is_composed(tmp_path):
    write(tmp_path, "cafe\u0301.md")
    assert names(tmp_path) == ["caf\u00e9.md"]


def test_a_path_with_nothing_there_is_misuse(tmp_path):
    with pytest.raises(InvalidInput, match="no such file"):
        find_files(tmp_path / "missing")


def test_a_path_with_a_nul_is_misuse():
    with pytest.raises(InvalidInput):
        find_files(Path("a\x00b"))


def test_a_pipe_is_not_waited_for(tmp_path):
    pipe = tmp_path / "pipe.md"
    os.mkfifo(pipe)
    assert find_files(tmp_path).files == ()
    with pytest.raises(ParseFailed, match="ordinary"):
        read_file(SourceFile(pipe, "pipe.md"))


def test_a_file_that_vanished_is_reported(tmp_path):
    with pytest.raises(ParseFailed, match="no such file"):
        read_file(SourceFile(tmp_path / "gone.md", "gone.md"))


def test_a_huge_file_is_refused_unread(tmp_path):
    huge = tmp_path / "huge.txt"
    with huge.open("wb") as file:
        file.truncate(100 * 2**20)
    with pytest.raises(ParseFailed, match="64 MB"):
        read_file(SourceFile(huge, "huge.txt"))
