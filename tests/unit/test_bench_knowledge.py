"""The benchmark of the knowledge base, on a few chunks."""

import numpy as np

from zhiji.evals import bench_knowledge, bench_rivals
from zhiji.evals.bench_chunks import CATEGORIES, Corpus
from zhiji.evals.bench_knowledge import growth, measure, sizes_up_to
from zhiji.evals.measured import silent


class Idle:
    """A rival that finds nothing, at once."""

    does = "nothing"

    def __init__(self, folder):
        self.asked = []

    def load(self, corpus):
        self.size = len(corpus.texts)

    def ask(self, question):
        self.asked.append(question)
        return []


def test_prepared_questions_are_near_the_chunk_they_are_about():
    corpus = Corpus(200)
    question = corpus.questions(1, run=1)[0]
    nearest = int(np.argmax(corpus.vectors @ question.vector))
    assert corpus.categories[nearest] == question.category
    assert len(set(corpus.categories)) == CATEGORIES


def test_no_run_repeats_a_question():
    corpus = Corpus(200)
    first, second = ({one.text for one in corpus.questions(20, run)} for run in (1, 2))
    assert first != second


async def test_each_size_is_measured_beside_what_is_installed(home, monkeypatch):
    monkeypatch.setattr(bench_knowledge, "installed", lambda: {"idle": Idle})
    result = await measure(runs=1, chunks=60, advance=silent)
    (size,) = result["sizes"]
    assert (size["chunks"], set(size["systems"])) == (60, {"zhiji", "idle"})
    assert size["systems"]["zhiji"]["ms_p50"] > size["systems"]["idle"]["ms_p50"]
    assert result["metrics"]["load_s"] > 0
    assert result["absent"] == sorted(bench_rivals.RIVALS)
    assert "idle" in growth(result)


def test_sizes_grow_to_the_one_asked_for():
    assert sizes_up_to(100_000) == [1_000, 10_000, 100_000]
    assert sizes_up_to(2_500) == [1_000, 2_500]
