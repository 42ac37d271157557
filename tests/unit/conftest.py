"""Unit tests open no socket."""

import sys

import pytest
from pytest_socket import disable_socket, enable_socket

from zhiji.cli.main import main


@pytest.fixture(autouse=True)
def no_network():
    """Let nothing out; the event loop's own pipe is a Unix socket pair and stays."""
    disable_socket(allow_unix_socket=True)
    yield
    enable_socket()


@pytest.fixture
def command(monkeypatch, capsys):
    """Run the command line in this process; returns exit code, standard output and standard error."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["zhiji", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        printed = capsys.readouterr()
        return left.value.code, printed.out, printed.err

    return run


@pytest.fixture
def bytes_kept(settings):
    """All that the store has on disk, as bytes."""

    async def read():
        return b"".join(path.read_bytes() for path in settings.home.iterdir() if path.is_file())

    return read
