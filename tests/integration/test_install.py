"""The package as others install it: as a wheel, editable, and from git."""

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PROBE = "import zhiji.graph.agent, zhiji.prompts, zhiji.stores.sql; print(zhiji.graph.agent.__file__)"


@pytest.fixture
def bare(tmp_path):
    """A virtual environment that sees our dependencies, but not our editable install."""
    venv.create(tmp_path / "venv", with_pip=False)
    python = tmp_path / "venv" / "bin" / "python"
    site = subprocess.run(
        [python, "-c", "import site; print(site.getsitepackages()[0])"], capture_output=True, text=True, check=True
    )
    Path(site.stdout.strip(), "ours.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return python


@pytest.mark.parametrize(
    "source", [[str(ROOT)], ["-e", str(ROOT)], [f"git+file://{ROOT}"]], ids=["wheel", "editable", "git"]
)
def test_an_install_imports_the_agent(bare, source, tmp_path):
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        bare,
        "install",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "--force-reinstall",
    ]
    done = subprocess.run([*pip, *source], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    found = subprocess.run([bare, "-c", PROBE], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert found.returncode == 0, found.stderr


def test_a_wheel_holds_what_it_needs_and_nothing_else(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", tmp_path, ROOT],
        check=True,
    )
    import zipfile

    names = zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"zhiji"}
    for needed in (
        "zhiji/prompts/zh/",
        "zhiji/ingest/sample/docs/",
        "zhiji/models/data/",
        "zhiji/stores/migrations/memory/versions/",
    ):
        assert any(name.startswith(needed) for name in names), needed
