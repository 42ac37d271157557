"""Failures of the disk in one line, and nothing else hidden."""

import sqlite3

import pytest
from sqlalchemy.exc import OperationalError

from zhiji.cli.faults import explained


@pytest.mark.parametrize(
    "failed",
    [
        sqlite3.OperationalError("database or disk is full"),
        OperationalError("INSERT", {}, sqlite3.OperationalError("database or disk is full")),
    ],
    ids=["driver", "engine"],
)
def test_a_full_disk_is_said_without_the_words_that_were_written(failed):
    line = explained(failed)
    assert line and "full" in line and "ZHIJI_HOME" in line and "INSERT" not in line


@pytest.mark.parametrize("failed", [ValueError("x"), KeyError("x"), sqlite3.IntegrityError("x")])
def test_a_fault_of_ours_is_not_hidden(failed):
    assert explained(failed) is None
