"""The figures, each on a case small enough to compute by hand."""

import math
import random

import pytest

from zhiji.evals.metrics import (
    auc,
    char_f1,
    f1,
    fuse,
    means,
    ndcg,
    of_ranking,
    percentile,
    precision_recall,
    recall,
    reciprocal_rank,
    timing,
)
from zhiji.evals.texts import bare, common_in_order, holds, holds_in_order


def test_recall_is_a_share_of_the_relevant():
    assert recall(["a", "x", "b"], ["a", "b", "c"], 3) == pytest.approx(2 / 3)


def test_a_relevant_one_counts_once_however_often_it_is_listed():
    assert recall(["a", "b"], ["a", "a"], 1) == 1.0


def test_all_at_5_needs_every_relevant_one():
    assert of_ranking(list("abxyz"), ["a", "b"])["all@5"] == 1.0
    assert of_ranking(list("axyzwb"), ["a", "b"])["all@5"] == 0.0


def test_ndcg_discounts_by_log2():
    assert ndcg(["x", "a", "b"], ["a", "b"]) == pytest.approx((1 / math.log2(3) + 1 / 2) / (1 + 1 / math.log2(3)))


def test_a_perfect_ranking_of_more_than_ten_has_ndcg_1():
    assert ndcg(list(range(12)), list(range(12))) == pytest.approx(1.0)


@pytest.mark.parametrize(("place", "value"), [(1, 1.0), (4, 0.25), (10, 0.1), (11, 0.0)])
def test_the_reciprocal_rank_looks_at_ten_places(place, value):
    ranked = ["x"] * (place - 1) + ["a"]
    assert reciprocal_rank(ranked, ["a"]) == value


def test_auc_equals_the_share_of_ordered_pairs():
    chance = random.Random(3)
    scores = [chance.choice([0.1, 0.2, 0.3, 0.4]) for _ in range(60)]
    yes = [chance.random() < 0.4 for _ in range(60)]
    pairs = [(a, b) for a, p in zip(scores, yes, strict=True) if p for b, q in zip(scores, yes, strict=True) if not q]
    expected = sum(1.0 if a > b else 0.5 if a == b else 0.0 for a, b in pairs) / len(pairs)
    assert auc(scores, yes) == pytest.approx(expected)


def test_auc_of_one_kind_alone_is_unknown():
    assert auc([0.1, 0.2], [True, True]) is None


def test_precision_of_no_prediction_is_unknown():
    assert precision_recall([False, False], [True, False]) == (None, 0.0)


@pytest.mark.parametrize(("precision", "recall", "value"), [(0.5, 0.5, 0.5), (0.0, 0.0, 0.0), (None, 0.4, None)])
def test_f1(precision, recall, value):
    assert f1(precision, recall) == value


def test_char_f1_counts_a_character_as_often_as_both_have_it():
    assert char_f1("aab", "abb") == pytest.approx(2 / 3)


@pytest.mark.parametrize(("percent", "value"), [(0, 1.0), (50, 2.0), (95, 2.9), (100, 3.0)])
def test_percentiles_lie_between_neighbours(percent, value):
    assert percentile([3, 1, 2], percent) == pytest.approx(value)


def test_no_durations_have_no_median():
    assert timing([]) == {"ms_p50": None, "ms_p95": None}


def test_means_leave_out_what_a_row_does_not_have():
    assert means([{"a": 1.0}, {"a": 0.0, "b": 0.5}]) == {"a": 0.5, "b": 0.5}


def test_fusion_prefers_what_both_rankings_have():
    assert fuse(["a", "b", "c"], ["c", "d"])[0] == "c"


def test_an_evidence_is_held_by_sixty_percent_in_one_piece():
    evidence = "一二三四五六七八九十"
    assert holds("……一二三四五六……", evidence)
    assert not holds("一二三四五……六七八九十", evidence)


def test_holding_agrees_with_the_longest_common_substring():
    chance = random.Random(5)
    for _ in range(300):
        text = "".join(chance.choices("ab", k=12))
        part = "".join(chance.choices("ab", k=chance.randint(1, 8)))
        longest = max(
            (j - i for i in range(len(part)) for j in range(i + 1, len(part) + 1) if part[i:j] in text), default=0
        )
        assert holds(text, part) == (longest >= 0.6 * len(part) - 1e-9)


def test_white_space_and_width_do_not_matter():
    assert bare("职　　业：\n退休 教师") == bare("职业:退休教师")


def test_a_value_may_be_spread_over_the_sentence():
    assert holds_in_order("用户在一家银行里做风控工作", "银行风控")
    assert not holds_in_order("用户喜欢猫", "银行风控")


def test_the_common_subsequence_keeps_the_order():
    assert common_in_order("ABCBDAB", "BDCABA") == 4
