"""Failures in one line, as a document where JSON was asked for, and nothing else hidden."""

import json
import sqlite3
import sys

import pytest
import typer
from sqlalchemy.exc import OperationalError

from zhiji.cli.faults import fault_of
from zhiji.cli.main import main
from zhiji.core.errors import InvalidInput, StoreLocked


@pytest.mark.parametrize(
    "failed",
    [
        sqlite3.OperationalError("database or disk is full"),
        OperationalError("INSERT", {}, sqlite3.OperationalError("database or disk is full")),
    ],
    ids=["driver", "engine"],
)
def test_a_full_disk_is_said_without_the_words_that_were_written(failed):
    line = fault_of(failed).message
    assert "full" in line and "ZHIJI_HOME" in line and "INSERT" not in line


@pytest.mark.parametrize("failed", [ValueError("x"), KeyError("x"), sqlite3.IntegrityError("x")])
def test_a_fault_of_ours_is_not_hidden(failed):
    assert fault_of(failed) is None


@pytest.mark.parametrize(
    ("failed", "kind", "code"),
    [
        (InvalidInput("The message is empty."), "InvalidInput", 2),
        (StoreLocked("In use."), "StoreLocked", 1),
        (typer.Abort(), "Interrupted", 1),
        (PermissionError(13, "Permission denied", "/x"), "SystemError", 1),
    ],
)
def test_what_was_foreseen_has_a_kind_and_an_exit_code(failed, kind, code):
    fault = fault_of(failed)
    assert (fault.type, fault.exit_code) == (kind, code) and fault.message


WRONG = [
    ["memory", "forget"],
    ["memory", "list", "one too many"],
    ["kb", "rollback", "first"],
    ["kb", "gc", "--keep", "0"],
    ["chat", "--no-such-option"],
    ["no-such-command"],
    ["ingest"],
]
WRONG_WITH_JSON = [["memory", "erase"], ["chat"]]
"""Without it they ask, or talk."""


@pytest.mark.parametrize("arguments", WRONG, ids=" ".join)
def test_misuse_is_one_line(arguments, command):
    code, out, err = command(*arguments)
    assert (code, out) == (2, "")
    assert len(err.strip().splitlines()) == 1 and err.startswith("zhiji: ")


@pytest.mark.parametrize("arguments", WRONG + WRONG_WITH_JSON, ids=" ".join)
def test_misuse_with_json_is_one_document_besides(arguments, command):
    code, out, err = command(*arguments, "--json")
    error = json.loads(out)["error"]
    assert code == 2
    assert error["type"] in ("Misuse", "InvalidInput") and error["message"] in err


def test_an_error_of_ours_is_a_document_too_and_keeps_its_traceback(monkeypatch, capsys):
    def broken() -> int:
        raise AttributeError("no such thing")

    monkeypatch.setattr("zhiji.cli.main._run", broken)
    monkeypatch.setattr(sys, "argv", ["zhiji", "memory", "list", "--json"])
    with pytest.raises(AttributeError):
        main()
    assert json.loads(capsys.readouterr().out)["error"]["type"] == "AttributeError"
