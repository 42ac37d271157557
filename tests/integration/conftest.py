"""Fixtures of tests that talk to real servers and real engines."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
ELSEWHERE = ROOT.parent
"""Commands run outside the repository, where its folders do not shadow the package."""


@pytest.fixture(scope="session")
def sample_home(tmp_path_factory):
    """A home with the sample documents, ingested once."""
    home = tmp_path_factory.mktemp("sample") / "home"
    command = [sys.executable, "-m", "zhiji.cli.main", "ingest", "--sample", "--quiet"]
    subprocess.run(command, check=True, cwd=ELSEWHERE, env={**os.environ, "ZHIJI_HOME": str(home)})
    return home


@pytest.fixture
def zhiji(home):
    """Run the command line in a process of its own, on this test's home."""

    def run(
        *arguments: str, input: str | None = None, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "zhiji.cli.main", *arguments],
            capture_output=True,
            text=True,
            input=input,
            stdin=None if input is not None else subprocess.DEVNULL,
            cwd=ELSEWHERE,
            env={**os.environ, "ZHIJI_HOME": str(home), **(env or {})},
            timeout=180,
            check=False,
        )

    return run


@pytest.fixture
def say(zhiji):
    """One message through `zhiji chat --json`; the document it printed."""

    def run(message: str, *arguments: str) -> dict:
        done = zhiji("chat", "--json", "--message", message, *arguments)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run
