"""Which hits say the same twice."""

from zhiji.core.turn import Hit
from zhiji.models.dedup import dedup


def hit(name: str, text: str, title: str = "退货", source: str = "a.md", span: tuple[int, int] = (0, 0)) -> Hit:
    return Hit(name, text, title, "", source, 1, span=span)


def names(*hits: Hit) -> list[str]:
    return [hit.id for hit in dedup(hits)]


def test_the_same_text_in_a_copy_of_the_file_is_said_once():
    assert names(hit("1", "七天内可以退。"), hit("2", "七天内\n可以退。 ", source="copy.md")) == ["1"]


def test_the_same_text_about_something_else_stays():
    assert names(hit("1", "七天内可以退。"), hit("2", "七天内可以退。", title="换货", source="b.md")) == ["1", "2"]


def test_a_negation_is_another_text():
    assert names(hit("1", "It is allowed."), hit("2", "It is not allowed.")) == ["1", "2"]


def test_nearly_the_same_span_is_one_passage():
    assert names(hit("1", "甲", span=(0, 400)), hit("2", "乙", span=(40, 420))) == ["1"]


def test_neighbours_that_overlap_by_design_both_stay():
    assert names(hit("1", "甲", span=(0, 400)), hit("2", "乙", span=(340, 740))) == ["1", "2"]


def test_equal_spans_of_two_documents_have_nothing_in_common():
    assert names(hit("1", "甲", span=(0, 400)), hit("2", "乙", source="b.md", span=(0, 400))) == ["1", "2"]


def test_what_is_kept_takes_over_the_better_ranks_and_scores():
    first, second = hit("1", "甲"), hit("2", "甲", source="copy.md")
    first.dense, first.dense_rank = 0.8, 7
    second.dense, second.dense_rank, second.bm25, second.bm25_rank = 0.9, 2, 5.0, 1
    kept = dedup([first, second])[0]
    assert (kept.id, kept.dense, kept.dense_rank, kept.bm25, kept.bm25_rank) == ("1", 0.9, 2, 5.0, 1)


def test_the_hits_given_are_left_as_they_were():
    first, second = hit("1", "甲"), hit("2", "甲")
    second.dense = 0.9
    dedup([first, second])
    assert first.dense == 0.0
