"""The suites of the stores once more, on PostgreSQL: `memory` and `knowledge` here are the folders of `tests/unit`."""

import uuid

import pytest

from zhiji.core.settings import Settings


@pytest.fixture
def settings(home, database_url, monkeypatch):
    """Default settings on an empty home and empty schemas of the server, for child processes too."""
    monkeypatch.setenv("ZHIJI_DATABASE_URL", database_url)
    monkeypatch.setenv("ZHIJI_NAMESPACE", f"t_{uuid.uuid4().hex[:12]}")
    return Settings()


@pytest.fixture
def bytes_kept(settings, server):
    """All that the store's tables and indexes have on disk, as bytes."""

    async def read():
        return server.bytes_of(f"{settings.namespace}_memory")

    return read
