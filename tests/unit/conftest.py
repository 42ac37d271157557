"""Unit tests open no socket."""

import pytest
from pytest_socket import disable_socket, enable_socket


@pytest.fixture(autouse=True)
def no_network():
    """Let nothing out; the event loop's own pipe is a Unix socket pair and stays."""
    disable_socket(allow_unix_socket=True)
    yield
    enable_socket()
