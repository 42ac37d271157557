"""Fixtures of all tests: a home folder of one's own, and settings read from nothing else."""

import os

import pytest

from zhiji.core.settings import Settings, load_settings

OURS = ("ZHIJI_", "LANGSMITH_", "LANGCHAIN_")


def pytest_configure():
    """A developer's own settings do not reach the tests."""
    for name in [name for name in os.environ if name.startswith(OURS) and name != "ZHIJI_REQUIRE_SERVICES"]:
        del os.environ[name]


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """An empty ZHIJI_HOME for each test."""
    monkeypatch.setenv("ZHIJI_HOME", str(tmp_path / "home"))
    load_settings.cache_clear()
    yield tmp_path / "home"
    load_settings.cache_clear()


@pytest.fixture
def settings(home):
    """Default settings on an empty home."""
    return Settings(home=home)
