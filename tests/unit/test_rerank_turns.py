"""Documents that one question names take turns in its ranking."""

import numpy as np
import pytest

from zhiji.models.ranking_turns import behind, take_turns

A, B, C = "a.md", "b.md", "c.md"


def order(scores, sources, named, cost=1.0):
    return take_turns(np.array(scores, dtype=float), sources, np.array(named, dtype=float), cost=cost).tolist()


@pytest.mark.parametrize(
    ("sources", "named", "wanted"),
    [
        ([A, A, A, B, B], [1, 1, 1, 1, 1], [0, 1, 3, 2, 4]),
        ([A, A, A, B, B], [1, 1, 1, 0, 0], [0, 1, 2, 3, 4]),
        ([A, A, A, B, B], [0, 0, 0, 0, 0], [0, 1, 2, 3, 4]),
        ([A, A, A, C, B], [1, 1, 1, 0, 1], [0, 1, 3, 2, 4]),
    ],
    ids=["both named", "one named", "none named", "an unnamed one pays nothing"],
)
def test_named_documents_do_not_crowd_each_other_out(sources, named, wanted):
    assert order([5.0, 4.8, 4.5, 3.6, 3.0], sources, named, cost=0.6) == wanted


def test_a_chunk_far_behind_does_not_come_first_for_its_document():
    assert order([9.0, 8.9, 8.8, 1.0], [A, A, A, B], [1, 1, 1, 1]) == [0, 1, 2, 3]


def test_equal_hits_keep_their_order():
    assert order([1.0, 1.0, 1.0], [A, A, B], [0, 0, 0]) == [0, 1, 2]


def test_without_a_cost_the_scores_alone_decide():
    assert order([1.0, 3.0, 2.0], [A, A, B], [1, 1, 1], cost=0.0) == [1, 2, 0]


@pytest.mark.parametrize(
    ("named", "wanted"),
    [([1, 1, 1], [0.0, 2.0, 0.0]), ([1, 1, 0], [0.0, 2.0, 5.0]), ([0, 0, 0], [0.0, 2.0, 5.0])],
    ids=["both named", "one named", "none named"],
)
def test_each_named_document_is_measured_by_its_own_best(named, wanted):
    assert behind(np.array([9.0, 7.0, 4.0]), [A, A, B], np.array(named, dtype=float)).tolist() == wanted
