"""The suite `kb` on a base of a few sentences."""

import json

import pytest

from zhiji.core.errors import Misuse
from zhiji.evals.knowledge_figures import Asked, lost_counts, ranking_scores, refusal_figures
from zhiji.evals.knowledge_lines import Piece, QuestionLine, held_by, read_questions
from zhiji.evals.knowledge_stages import Stages, covered
from zhiji.evals.knowledge_withheld import copy_without, withheld, without

QUESTION = QuestionLine(id="q", question="?", evidence=["一二三四五六七八九十"], docs=["a.md"])
EVIDENCE = "一二三四五六七八九十"
LONG = "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉"


@pytest.fixture
def folder(tmp_path):
    """A set with two documents and one question."""
    (tmp_path / "docs").mkdir()
    for name in ("a.md", "b.md"):
        (tmp_path / "docs" / name).write_text("text", encoding="utf-8")
    write(tmp_path)
    return tmp_path


def write(folder, **more):
    line = {"id": "q", "question": "?", "evidence": ["text"], "docs": ["a.md"], "answerable": True, **more}
    (folder / "questions.jsonl").write_text(json.dumps(line), encoding="utf-8")


def reached(*through):
    return dict(zip(("retrieval", "dedup", "rerank", "threshold"), through, strict=True))


def asked(best, answerable, **more):
    return Asked("q", "", answerable, [EVIDENCE] if answerable else [], [], best, **more)


def test_a_set_is_read_with_its_documents(folder):
    assert [line.id for line in read_questions(folder, "all")] == ["q"]


def test_partial_questions_are_left_out(folder):
    write(folder, category="partial")
    assert read_questions(folder, "all") == []


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"docs": ["c.md"]}, r"questions\.jsonl:1: docs holds no c\.md"),
        ({"pool": ["c.md"]}, r"questions\.jsonl:1: docs holds no c\.md"),
        ({"evidence": []}, r"questions\.jsonl:1: answerable, but without evidence"),
        ({"docs": []}, r"questions\.jsonl:1: evidence without docs"),
    ],
    ids=["unknown document", "unknown in the pool", "no evidence", "no document"],
)
def test_a_line_that_makes_no_sense_is_named(folder, more, says):
    write(folder, **more)
    with pytest.raises(Misuse, match=says):
        read_questions(folder, "all")


def test_a_folder_without_docs_is_no_set(tmp_path):
    with pytest.raises(Misuse, match="no folder docs"):
        read_questions(tmp_path, "all")


def test_another_documents_words_are_no_evidence():
    assert held_by(Piece("1", "b.md", EVIDENCE), QUESTION, [EVIDENCE]) == set()
    assert held_by(Piece("1", "a.md", EVIDENCE), QUESTION, [EVIDENCE]) == {EVIDENCE}


def test_recall_is_the_share_of_evidence_found_so_far():
    scores = ranking_scores([set(), {"x"}, set(), {"x", "y"}], ["x", "y"])
    assert (scores["recall@1"], scores["recall@3"], scores["recall@5"]) == (0.0, 0.5, 1.0)
    assert (scores["all@5"], scores["mrr"]) == (1.0, 0.5)


@pytest.mark.parametrize(
    ("ranked", "evidence", "wanted"),
    [
        ([{"x"}, {"y"}], ["x", "y"], 1.0),
        ([{"x", "y"}, set()], ["x", "y"], 1.0),
        ([{"x"}, {"x"}, {"y"}], ["x", "y"], (1 + 1 / 2) / (1 + 1 / 1.58496)),
        ([set(), {"x"}], ["x"], 1 / 1.58496),
        ([{"x"}], ["x", "y"], 1 / (1 + 1 / 1.58496)),
        ([*[set()] * 10, {"x"}], ["x"], 0.0),
    ],
    ids=["both first", "one chunk has both", "a repeat brings nothing", "second place", "one missing", "too deep"],
)
def test_discounted_gain_is_of_chunks_that_bring_evidence(ranked, evidence, wanted):
    assert ranking_scores(ranked, evidence)["ndcg@10"] == pytest.approx(wanted, abs=1e-4)


def test_refusing_is_measured_at_the_threshold():
    figures = refusal_figures([asked(0.9, True), asked(0.2, True), asked(0.6, False), asked(0.1, False)], 0.5)
    assert figures == {
        "auc_abstain": 0.75,
        "false_answer_rate": 0.5,
        "false_refusal_rate": 0.5,
        "balanced_error": 0.5,
    }


def test_a_set_without_unanswerable_questions_has_no_abstain_figures():
    figures = refusal_figures([asked(0.9, True)], 0.5)
    assert figures == {
        "auc_abstain": None,
        "false_answer_rate": None,
        "false_refusal_rate": 0.0,
        "balanced_error": None,
    }


@pytest.mark.parametrize(
    ("pieces", "through", "stage"),
    [
        ([("1", "a.md", "别的话")], reached([], [], [], []), "not_parsed"),
        ([("1", "a.md", LONG[:10]), ("2", "a.md", LONG[10:])], reached([], [], [], []), "cut"),
        ([("1", "a.md", EVIDENCE)], reached([], [], [], []), "retrieval"),
        ([("1", "a.md", EVIDENCE)], reached(["1"], [], [], []), "dedup"),
        ([("1", "a.md", EVIDENCE)], reached(["1"], ["1"], [], []), "rerank"),
        ([("1", "a.md", EVIDENCE)], reached(["1"], ["1"], ["1"], []), "threshold"),
        ([("1", "a.md", EVIDENCE)], reached(["1"], ["1"], ["1"], ["1"]), None),
        ([("1", "a.md", EVIDENCE), ("2", "a.md", EVIDENCE)], reached(["1", "2"], ["2"], ["2"], ["2"]), None),
    ],
    ids=["not parsed", "cut", "retrieval", "dedup", "rerank", "threshold", "reached", "its twin reached"],
)
def test_the_first_stage_that_lost_it_is_named(pieces, through, stage):
    stages = Stages([Piece(*piece) for piece in pieces])
    assert stages.lost_at(QUESTION, LONG if stage == "cut" else EVIDENCE, through) == stage


def test_a_pool_without_the_document_is_a_filter():
    line = QUESTION.model_copy(update={"pool": ["b.md"]})
    assert Stages([Piece("1", "a.md", EVIDENCE)]).lost_at(line, EVIDENCE, reached([], [], [], [])) == "filter"


def test_words_in_two_chunks_are_there_though_cut():
    assert covered([LONG[:10], LONG[10:]], LONG) == 1.0
    assert covered(["别的"], LONG) == 0.0


def test_lost_evidence_is_counted_by_stage():
    counts = lost_counts([asked(0.9, True), asked(0.9, True, lost={EVIDENCE: "rerank"}), asked(0.1, False)])
    assert (counts["evidence"], counts["reached_prompt"], counts["rerank"]) == (2, 1, 1)


def line(name, *docs, **more):
    return QuestionLine(id=name, question="?", evidence=["text"] if docs else [], docs=docs, **more)


def test_every_third_document_is_withheld_whatever_order_they_come_in():
    assert withheld({"f", "b", "a", "d", "c", "e", "g"}) == {"c", "f"}


def test_what_is_withheld_is_not_there_to_be_read(folder, tmp_path):
    (folder / "docs" / "sub").mkdir()
    (folder / "docs" / "sub" / "c.md").write_text("text", encoding="utf-8")
    docs = copy_without(folder, {"b.md"}, tmp_path / "kept")
    assert {file.relative_to(docs).as_posix() for file in docs.rglob("*.md")} == {"a.md", "sub/c.md"}


def test_a_question_whose_documents_are_all_gone_must_be_refused():
    lines = [
        line("kept", "a.md", "b.md"),
        line("gone", "c.md"),
        line("half", "a.md", "c.md"),
        line("open", answerable=False),
        line("pooled", "a.md", pool=["a.md", "c.md"]),
    ]
    left = {one.id: one for one in without(lines, frozenset({"c.md"}))}
    assert {name: one.answerable for name, one in left.items()} == {"kept": True, "gone": False, "pooled": True}
    assert (left["gone"].docs, left["gone"].evidence) == ((), ())
    assert left["pooled"].pool == ("a.md",)
