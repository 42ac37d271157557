"""`--json` of every command: one document on standard output and nothing else, done or failed."""

import json

import pytest
import typer

from zhiji.cli.main import app


def leaves(group, *before):
    """Every command below a group, by its whole name."""
    for name, one in group.commands.items():
        yield from leaves(one, *before, name) if hasattr(one, "commands") else [((*before, name), one)]


COMMANDS = dict(leaves(typer.main.get_command(app)))


@pytest.mark.parametrize("name", COMMANDS, ids=" ".join)
def test_every_command_takes_json(name):
    assert "--json" in [option for one in COMMANDS[name].params for option in one.opts]


@pytest.fixture
def page(tmp_path):
    """A folder with one page."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "退货.md").write_text("# 退货\n\n签收后七天内可以退货。\n", encoding="utf-8")
    return tmp_path / "docs"


def document(printed):
    code, out, err = printed
    assert code == 0, err
    return json.loads(out)


def test_a_base_from_its_first_release_to_its_last(command, page):
    assert document(command("ingest", str(page), "--json"))["release"] == 1
    (page / "新.md").write_text("# 新\n\n新的一页。\n", encoding="utf-8")
    assert document(command("ingest", str(page), "--json"))["release"] == 2
    assert document(command("kb", "diff", "1", "2", "--json"))["added"] == ["新.md"]
    assert [one["current"] for one in document(command("kb", "releases", "--json"))] == [False, True]
    assert document(command("kb", "rollback", "1", "--json")) == {"base": "default", "release": 1}
    assert document(command("kb", "list", "--json"))[0]["release"] == 1
    assert document(command("kb", "gc", "--keep", "1", "--json"))["removed"] == []
    assert document(command("kb", "check", "--json"))["problems"] == []
    assert document(command("inspect", "多久可以退货", "--expect", "七天", "--json"))["expect"]["found"]
    assert document(command("chat", "-m", "多久可以退货", "--json"))["citations"]
    assert document(command("reindex", "--json"))["chunks"] == 2
    assert document(command("doctor", "--json"))


@pytest.mark.parametrize(
    "arguments",
    [
        ["chat", "-m", ""],
        ["chat", "-m", "hi", "--base", "no-such-base"],
        ["chat", "-m", "hi", "--user", " "],
        ["chat", "-m", "hi", "--at", "soon"],
        ["ingest", "/no/such/folder"],
        ["inspect", " "],
        ["memory", "add", " "],
        ["memory", "forget", "no-such-id"],
        ["memory", "list", "--user", ""],
        ["eval", "no-such-suite", "--data", "."],
        ["kb", "rollback", "99"],
        *(
            [*name, "--base", "no-such-base"]
            for name in (["kb", "releases"], ["kb", "gc"], ["kb", "check"], ["reindex"])
        ),
    ],
    ids=" ".join,
)
def test_a_failure_is_one_document_and_one_line(command, arguments):
    code, out, err = command(*arguments, "--json")
    error = json.loads(out)["error"]
    assert code == 2 and set(error) == {"type", "message"}
    assert err == f"zhiji: {error['message']}\n"


def test_a_damaged_store_is_a_document_with_exit_1(command, home):
    home.mkdir(parents=True)
    (home / "memory.db").write_bytes(b"no database " * 500)
    for arguments in (["memory", "list"], ["chat", "-m", "hi"], ["profile"]):
        code, out, _ = command(*arguments, "--json")
        assert code == 1 and json.loads(out)["error"]["type"] == "StoreCorrupted"
