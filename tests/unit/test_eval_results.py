"""The result document: what it says, where it is kept, how it is compared."""

import json

import pytest

from zhiji.core.errors import Misuse
from zhiji.core.settings import Settings
from zhiji.evals import results
from zhiji.evals.measured import Measured

MEASURED = Measured(3, {"mrr": 1 / 3, "leaks": 0}, {"bm25": {"mrr": 0.25}}, {"by_category": {"a": {"mrr": 2 / 3}}})


@pytest.fixture
def result(settings):
    return results.document("memory-recall", "set.jsonl", MEASURED, settings)


def test_the_document_names_what_made_the_figures(result):
    wanted = {"suite", "data", "at", "n", "metrics", "baselines", "by_category", "settings", "versions", "machine"}
    assert set(result) == wanted


def test_figures_are_rounded_to_four_places(result):
    assert result["metrics"] == {"mrr": 0.3333, "leaks": 0}
    assert result["by_category"]["a"]["mrr"] == 0.6667


def test_no_key_and_no_path_is_in_it(home):
    held = results.document("kb", "set", MEASURED, Settings(home=home, chat_api_key="sk-very-secret"))
    text = json.dumps(held)
    assert "secret" not in text and str(home) not in text


def test_results_are_kept_side_by_side(result, home):
    first, second = results.keep(result, home), results.keep(result, home)
    assert first != second
    assert {first.parent, second.parent} == {home / "results"}
    assert results.load(first) == result


def test_the_difference_shows_every_figure_of_either(result):
    old = {"metrics": {"mrr": 0.5, "gone": 1.0}}
    assert results.difference(old, result) == {
        "mrr": {"old": 0.5, "new": 0.3333, "change": -0.1667},
        "leaks": {"old": None, "new": 0, "change": None},
        "gone": {"old": 1.0, "new": None, "change": None},
    }


@pytest.mark.parametrize("text", ["{", "[]", '{"suite": "kb"}'], ids=["broken", "a list", "no metrics"])
def test_what_is_no_result_is_refused(tmp_path, text):
    path = tmp_path / "old.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Misuse, match=r"old\.json"):
        results.load(path)


def test_a_missing_result_is_refused(tmp_path):
    with pytest.raises(Misuse, match=r"absent\.json"):
        results.load(tmp_path / "absent.json")
