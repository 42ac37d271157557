import math

import numpy as np
import pytest

from zhiji.core.tokens import terms
from zhiji.stores.knowledge.bm25 import AVERAGE_TERMS, K1, B, term_id, terms_version, weigh
from zhiji.stores.knowledge.cache import Recent
from zhiji.stores.knowledge.frequencies import Frequencies, Tally

TEXTS = ["退货须在七天内申请", "退货运费由买家承担", "E1024 表示水泵断电", "退货 退货 退货"]


def table(texts):
    return Frequencies.counted([weigh(text) for text in texts])


def test_a_term_weighs_by_the_chunks_that_hold_it():
    frequencies = table(TEXTS)
    assert (frequencies.total, frequencies.of("退货"), frequencies.of("e1024"), frequencies.of("没有")) == (4, 3, 1, 0)
    assert frequencies.idf("退货") == pytest.approx(math.log(1 + 1.5 / 3.5))
    assert frequencies.idf("没有") > frequencies.idf("e1024") > frequencies.idf("退货") >= 0


def test_a_chunk_and_a_query_multiply_to_bm25():
    frequencies, chunk = table(TEXTS), weigh(TEXTS[3])
    norm = K1 * (1 - B + B * len(terms(TEXTS[3])) / AVERAGE_TERMS)
    assert chunk.ids.tolist() == [term_id("退货")]
    assert chunk.weights[0] == pytest.approx(3 * (K1 + 1) / (3 + norm))
    query = frequencies.query({"退货": frequencies.idf("退货"), "没有": 9.0})
    assert query.ids.tolist() == [term_id("退货")]
    assert query.weights[0] == pytest.approx(frequencies.idf("退货"))


def test_what_came_and_went_leaves_what_counting_anew_would():
    before, after = table(TEXTS), table([*TEXTS[1:], "新的一段"])
    changed = before.plus(table(["新的一段"])).plus(table(TEXTS[:1]), -1)
    assert changed.pack() == after.pack()


def test_packing_loses_nothing():
    frequencies = table(TEXTS)
    again = Frequencies.unpack(frequencies.pack())
    assert np.array_equal(again.ids, frequencies.ids)
    assert np.array_equal(again.counts, frequencies.counts)
    assert again.total == frequencies.total
    assert Frequencies.unpack(Frequencies.empty().pack()).total == 0


def test_a_tally_counts_in_batches(monkeypatch):
    monkeypatch.setattr("zhiji.stores.knowledge.frequencies.FOLD_AT", 2)
    tally = Tally()
    tally.add(weigh(text) for text in TEXTS)
    assert tally.sum().pack() == table(TEXTS).pack()


@pytest.mark.parametrize("text", ["", "。！", "🙂"])
def test_a_text_without_terms_weighs_nothing(text):
    assert len(weigh(text).ids) == 0


def test_another_tokeniser_is_another_version(monkeypatch):
    before = terms_version()
    terms_version.cache_clear()
    monkeypatch.setattr("zhiji.stores.knowledge.bm25.terms", str.split)
    assert terms_version() != before
    terms_version.cache_clear()


def test_recent_values_age_and_make_room(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr("zhiji.stores.knowledge.cache.time.monotonic", lambda: clock[0])
    recent = Recent[str, int](2, keep_s=10)
    for number, key in enumerate("abc"):
        recent.put(key, number)
    assert [recent.get(key) for key in "abc"] == [None, 1, 2]
    clock[0] = 11
    assert recent.get("c") is None
