"""A home folder for one evaluation, gone when it is over."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import SecretStr

from zhiji.core.settings import Settings, load_settings
from zhiji.stores.memory.store import CALIBRATIONS

PATIENT_MS = 30_000
"""Time a retrieval may take: what is found must not depend on how busy the machine is; speed is measured apart."""

ALONE = {"database_url": SecretStr(""), "checkpoints": "sqlite"}
"""Settings that keep an evaluation off the servers real users are on."""


@contextmanager
def temporary_home(settings: Settings | None = None) -> Iterator[Settings]:
    """The settings of this process on an empty home, removed afterwards; a calibration of one's own comes along."""
    held = settings or load_settings()
    with tempfile.TemporaryDirectory(prefix="zhiji-eval-", ignore_cleanup_errors=True) as folder:
        bring_calibration(held.home, Path(folder))
        yield held.model_copy(update=ALONE | {"home": Path(folder), "retrieval_ms": PATIENT_MS, "knowledge_cache_s": 0})


def bring_calibration(home: Path, into: Path) -> None:
    """Copy what `zhiji calibrate` fitted, so that another home works with the same."""
    if (home / CALIBRATIONS).is_dir():
        shutil.copytree(home / CALIBRATIONS, into / CALIBRATIONS)
