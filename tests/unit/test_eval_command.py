"""`zhiji eval` as a user meets it."""

import json
import sys

import pytest

from zhiji.cli.main import main

LINES = [
    {
        "id": "q1",
        "history": [{"role": "user", "text": "怎么退款"}, {"role": "assistant", "text": "在订单页申请"}],
        "query": "那个要多久",
        "rewrite": "退款要多久",
        "category": "rewrite",
    },
    {"id": "q2", "history": [], "query": "会员有什么优惠", "rewrite": "会员有什么优惠", "category": "self_contained"},
]


@pytest.fixture
def data(tmp_path):
    """A set of two questions."""
    path = tmp_path / "set.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in LINES), encoding="utf-8")
    return path


@pytest.fixture
def zhiji(monkeypatch, capsys):
    """Run the command; gives its exit code, standard output and standard error."""

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["zhiji", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            main()
        said = capsys.readouterr()
        return left.value.code or 0, said.out, said.err

    return call


def test_json_is_one_document_and_nothing_else(zhiji, data):
    code, out, _ = zhiji("eval", "rewrite", "--data", data, "--json")
    result = json.loads(out)
    assert (code, result["suite"], result["n"]) == (0, "rewrite", 2)
    assert set(result["metrics"]) == {"exact", "char_f1", "unchanged_rate"}


def test_the_result_is_kept_in_the_home(zhiji, data, home):
    _, out, _ = zhiji("eval", "rewrite", "--data", data, "--json")
    (kept,) = (home / "results").glob("rewrite-*.json")
    assert json.loads(kept.read_text(encoding="utf-8")) == json.loads(out)


def test_an_older_result_is_compared_with(zhiji, data, tmp_path):
    old = tmp_path / "old.json"
    old.write_text(json.dumps({"suite": "rewrite", "metrics": {"unchanged_rate": 0.25}}), encoding="utf-8")
    _, out, _ = zhiji("eval", "rewrite", "--data", data, "--against", old, "--json")
    assert json.loads(out)["against"]["metrics"]["unchanged_rate"] == {"old": 0.25, "new": 1.0, "change": 0.75}


def test_people_see_a_table_beside_the_baseline(zhiji, data):
    code, out, _ = zhiji("eval", "rewrite", "--data", data)
    assert code == 0
    assert "unchanged_rate" in out and "unchanged" in out and "n = 2" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["recall"], "There is no suite 'recall'"),
        (["rewrite", "--half", "third"], "--half"),
        (["kb"], "has no folder docs"),
        (["rewrite", "--against", "absent.json"], "absent.json"),
    ],
    ids=["unknown suite", "unknown half", "no such set", "no such result"],
)
def test_misuse_is_one_line_and_exit_2(zhiji, data, arguments, says):
    code, out, err = zhiji("eval", *arguments, "--data", data)
    assert (code, out) == (2, "")
    assert says in err and len(err.strip().splitlines()) == 1


def test_a_bad_line_is_named_with_its_file(zhiji, data):
    data.write_text("{}\n", encoding="utf-8")
    code, _, err = zhiji("eval", "rewrite", "--data", data)
    assert code == 2
    assert f"{data}:1: id" in err


def test_no_upload_without_a_key(zhiji, data, home):
    code, out, err = zhiji("eval", "rewrite", "--data", data, "--langsmith")
    assert (code, out) == (1, "")
    assert "LANGSMITH_API_KEY" in err
    assert not (home / "results").exists()


def test_documents_are_withheld_from_a_knowledge_base_only(zhiji, data):
    code, _, err = zhiji("eval", "rewrite", "--data", data, "--withhold")
    assert code == 2
    assert "suite kb" in err
