"""Every command and every example in the docs runs."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
BLOCK = re.compile(r"```(sh|python)\n(.*?)```", re.S)


def blocks(kind: str) -> list[pytest.param]:
    return [
        pytest.param(text, id=f"{page.name}-{number}")
        for page in PAGES
        for number, (found, text) in enumerate(BLOCK.findall(page.read_text(encoding="utf-8")), 1)
        if found == kind
    ]


@pytest.mark.parametrize("block", blocks("sh"))
def test_a_command_in_the_docs_runs(block, zhiji, sample_home, home):
    shutil.copytree(sample_home, home)
    for line in block.strip().splitlines():
        words = shlex.split(line, comments=True)
        if words[0] == "zhiji":
            done = zhiji(*words[1:])
            assert done.returncode == 0, f"{line}: {done.stderr}"
        elif words[0] == "make":
            subprocess.run(["make", "-n", *words[1:]], cwd=ROOT, check=True, capture_output=True)
        else:
            assert words[0] in ("pip", "export", "langgraph", "git", "cd"), f"no test runs: {line}"


@pytest.mark.parametrize("block", blocks("python"))
def test_an_example_in_the_docs_runs(block, home, tmp_path):
    script = tmp_path / "example.py"
    script.write_text(block, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, cwd=tmp_path, check=False, env=dict(os.environ)
    )
    assert done.returncode == 0, done.stderr
