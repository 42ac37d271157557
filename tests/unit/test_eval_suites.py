"""The suites that need one capability, on small fakes of it."""

import numpy as np
import pytest

from zhiji.core.errors import Misuse
from zhiji.core.turn import Query
from zhiji.evals.baselines import open_baselines, rankings
from zhiji.evals.extraction import ExtractionLine
from zhiji.evals.extraction import measure_with as measure_extraction
from zhiji.evals.measured import silent
from zhiji.evals.paraphrase import Pair, by_kind, figures
from zhiji.evals.paraphrase import measure_with as measure_pairs
from zhiji.evals.rewriting import RewriteLine
from zhiji.evals.rewriting import measure_with as measure_rewrites
from zhiji.evals.suites import SUITES, suite
from zhiji.models.extract import Candidate


class Rewrites:
    """Answers with what it was given for each question."""

    def __init__(self, **texts):
        self._texts = texts

    async def rewrite(self, question, window):
        return Query(text=self._texts.get(question, question), original=question)


class Extracts:
    """Takes one memory from every turn that holds its quote."""

    def __init__(self, *candidates):
        self._candidates = candidates
        self.seen = []

    async def extract(self, turns, new):
        self.seen.append([turn.text for turn in turns])
        return [one for one in self._candidates if one.quote in turns[new[0]].text]


class Letters:
    """Embeds a text by the letters it has."""

    model_id, dim = "letters", 26

    def passages(self, texts):
        rows = np.array([[text.count(chr(97 + n)) for n in range(26)] for text in texts], dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class Certain:
    """Takes everything for the same."""

    def same_probability(self, cosine, a, b):
        return 0.95


def rewrite(query, wanted, category="rewrite"):
    return RewriteLine(id=query, history=[], query=query, rewrite=wanted, category=category)


def candidate(quote, content, **more):
    return Candidate(
        **{"op": "add", "type": "fact", "key": "k", "value": "", "turn": 0, **more}, quote=quote, content=content
    )


def extraction(*texts, **more):
    turns = [{"role": "user" if n % 2 == 0 else "assistant", "text": text} for n, text in enumerate(texts)]
    return ExtractionLine.model_validate({"id": "x", "turns": turns, **more})


def wanted(turn=0, **more):
    return {"turn": turn, "type": "fact", "value": "杭州", "quote": "住在杭州", "op": "add", **more}


async def test_a_rewrite_is_exact_or_shares_characters():
    lines = [rewrite("那个呢", "退货要多久"), rewrite("它", "退款")]
    measured = await measure_rewrites(Rewrites(那个呢="退货要多久", 它="退货"), lines, silent)
    assert measured.metrics == {"exact": 0.5, "char_f1": 0.75}


async def test_a_self_contained_question_must_come_back_unchanged():
    lines = [rewrite("怎么退款", "怎么退款", "self_contained"), rewrite("多久", "多久", "self_contained")]
    measured = await measure_rewrites(Rewrites(多久="退款多久"), lines, silent)
    assert measured.metrics == {"unchanged_rate": 0.5}
    assert measured.baselines["unchanged"] == {"unchanged_rate": 1.0}
    assert measured.details["outcomes"] == {"tp": 0, "fp": 1, "fn": 0, "tn": 1}


async def test_a_question_is_completed_when_it_comes_nearer_to_what_is_meant():
    lines = [rewrite("那个呢", "退货要多久"), rewrite("它", "退款"), rewrite("多久", "退货要多久")]
    measured = await measure_rewrites(Rewrites(那个呢="退货要多久", 它="天气", 多久="多久"), lines, silent)
    assert measured.details["outcomes"] == {"tp": 1, "fp": 0, "fn": 2, "tn": 0}


async def test_a_memory_of_the_same_words_and_value_is_a_match():
    measured = await measure_extraction(
        Extracts(candidate("我住在杭州", "用户住在杭州")), [extraction("我住在杭州", memories=[wanted()])], silent
    )
    assert measured.metrics["precision"] == measured.metrics["recall"] == measured.metrics["f1"] == 1.0


@pytest.mark.parametrize(
    "found",
    [candidate("天气不错", "用户住在杭州"), candidate("住在杭州", "用户喜欢晴天")],
    ids=["other words", "another value"],
)
async def test_other_words_or_another_value_is_no_match(found):
    measured = await measure_extraction(
        Extracts(found), [extraction("我住在杭州，天气不错", memories=[wanted()])], silent
    )
    assert measured.metrics["recall"] == 0.0


async def test_one_found_memory_matches_one_wanted():
    line = extraction("我住在杭州", memories=[wanted(), wanted()])
    measured = await measure_extraction(Extracts(candidate("住在杭州", "用户住在杭州")), [line], silent)
    assert measured.metrics["recall"] == 0.5


async def test_a_change_found_as_an_addition_is_no_change():
    line = extraction("我搬到杭州了", memories=[wanted(quote="搬到杭州", op="supersede")])
    measured = await measure_extraction(Extracts(candidate("搬到杭州", "用户住在杭州")), [line], silent)
    assert (measured.metrics["recall"], measured.metrics["non_add_recall"]) == (1.0, 0.0)


async def test_whatever_is_taken_from_an_empty_item_is_a_false_store():
    lines = [extraction("哈哈", memories=[]), extraction("天气好", memories=[])]
    measured = await measure_extraction(Extracts(candidate("天气", "用户喜欢晴天")), lines, silent)
    assert measured.metrics["false_store_rate"] == 0.5


async def test_a_message_is_seen_with_the_turns_before_it_only():
    extractor = Extracts()
    await measure_extraction(extractor, [extraction("甲", "乙", "丙", "丁", memories=[])], silent)
    assert extractor.seen == [["甲"], ["甲", "乙", "丙"]]


async def test_a_secret_is_never_a_memory():
    line = extraction("我的密码是 hunter2x", memories=[])
    measured = await measure_extraction(Extracts(candidate("密码", "我的密码是 hunter2x")), [line], silent)
    assert measured.metrics["false_store_rate"] == 0.0


async def test_of_a_revealing_set_recall_and_amount_are_known():
    line = extraction("我是个机械师", "好", "哦", reveal=[{"turn": 0, "persona": "我是机械师"}])
    measured = await measure_extraction(Extracts(candidate("我是", "用户是个机械师")), [line], silent)
    assert measured.metrics == {"recall": 1.0, "turn_recall": 1.0, "per_turn": 0.5}


async def test_a_turn_that_is_not_there_is_refused():
    with pytest.raises(Misuse, match="turn 3 of 1"):
        await measure_extraction(Extracts(), [extraction("甲", memories=[wanted(turn=3)])], silent)


def test_pairs_count_as_same_from_nine_tenths_on():
    pairs = [Pair(a="", b="", same=same) for same in (True, False, True)]
    assert figures([0.95, 0.9, 0.2], pairs) == {"auc": 0.5, "precision@0.9": 0.5, "recall@0.9": 0.5}


def test_each_kind_of_pair_is_counted():
    pairs = [Pair(a="", b="", same=False, kind="number"), Pair(a="", b="", same=True, kind="paraphrase")]
    assert by_kind(pairs, [0.95, 0.5]) == {
        "number": {"n": 1, "same": 0, "taken_as_same": 1},
        "paraphrase": {"n": 1, "same": 1, "taken_as_same": 0},
    }


def test_pairs_are_measured_beside_the_baselines():
    pairs = [Pair(a="tea", b="eat tea", same=True), Pair(a="tea", b="dog", same=False)]
    measured = measure_pairs(Letters(), Certain(), pairs, silent)
    assert measured.metrics == {"auc": 0.5, "precision@0.9": 0.5, "recall@0.9": 1.0}
    assert measured.baselines == {name: {"auc": 1.0} for name in ("bm25", "dense", "rrf")}


def test_the_baselines_rank_what_they_may():
    held = open_baselines(["red fish", "blue bird", "red bird"], Letters().passages(["red", "blue", "bird"]))
    found = rankings(held, "red bird", Letters().passages(["bird"])[0], [0, 1])
    assert set(found) == {"bm25", "dense", "rrf"}
    assert all(sorted(ranking) == [0, 1] for ranking in found.values())


def test_an_unknown_suite_is_refused_with_the_known_ones():
    with pytest.raises(Misuse, match="memory-recall"):
        suite("recall")


@pytest.mark.parametrize("name", SUITES)
def test_every_suite_has_a_runner(name):
    assert callable(suite(name))
