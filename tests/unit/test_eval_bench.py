"""What the benchmark is made of."""

import numpy as np
import pytest

from zhiji.evals.bench_data import Prepared, memory_texts, messages, write_documents
from zhiji.evals.timings import Timings


class Model:
    """Stands for the embedded model."""

    model_id, dim = "model", 384

    def query(self, text):
        return np.ones(384, dtype=np.float32)


def test_the_figures_are_medians_over_runs():
    timings = Timings()
    for milliseconds in (1.0, 9.0, 2.0):
        timings.begin()
        timings.add("turn", milliseconds)
    assert timings.figures("turn") == {"p50": 2.0, "p95": 2.0}


def test_a_run_without_a_duration_does_not_count():
    timings = Timings()
    timings.begin()
    timings.add("turn", 1.0)
    timings.begin()
    assert timings.figures("turn") == {"p50": 1.0, "p95": 1.0}


def test_no_message_comes_twice():
    said = [text for run in range(6) for text in messages(40, run)]
    assert len(set(said)) == len(said)


def test_memories_are_all_different():
    assert len(set(memory_texts(2000))) == 2000


def test_there_are_as_many_sections_as_chunks_wanted(tmp_path):
    write_documents(tmp_path / "docs", 50)
    text = "".join(file.read_text(encoding="utf-8") for file in (tmp_path / "docs").iterdir())
    assert text.count("\n## ") == 50


def test_prepared_vectors_are_the_same_at_every_call():
    first, second = Prepared(Model()).passages(["甲", "乙"]), Prepared(Model()).passages(["甲", "乙"])
    assert np.array_equal(first, second)


def test_prepared_vectors_are_as_close_as_real_ones():
    vectors = Prepared(Model()).passages(memory_texts(50))
    cosines = (vectors @ vectors.T)[np.triu_indices(50, 1)]
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert cosines.mean() == pytest.approx(0.77, abs=0.03)
