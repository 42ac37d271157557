"""Uploading to a stand-in for LangSmith on the loopback interface."""

import json

import pytest

from zhiji.core.errors import Unreachable, ZhijiError
from zhiji.evals.langsmith_upload import Upload, dataset_name
from zhiji.evals.measured import Case, Measured

CASES = [
    Case("a", {"question": "退款"}, {"relevant": ["m1"]}, {"ranking": ["m1"]}, {"mrr": 1.0, "recall@1": 1.0}),
    Case("b", {"question": "地址"}, {"relevant": ["m2"]}, {"ranking": ["m3"]}, {"mrr": 0.0}),
]
RESULT = {"suite": "memory-recall", "n": 2, "metrics": {"mrr": 0.5}, "settings": {}, "versions": {}, "machine": {}}


def send():
    return Upload().send(RESULT, Measured(2, {}, cases=CASES))


def test_set_and_experiment_are_uploaded(langsmith):
    named = send()
    assert named["experiment"].startswith(named["dataset"])
    examples = json.loads(langsmith.sent("/examples/bulk"))
    assert [one["inputs"] for one in examples] == [case.inputs for case in CASES]
    assert [one["outputs"] for one in examples] == [case.expected for case in CASES]
    assert json.loads(langsmith.sent("/sessions"))["extra"]["metadata"]["metrics"] == {"mrr": 0.5}


def test_every_case_is_a_run_of_its_example_with_its_figures(langsmith):
    send()
    examples = {one["id"] for one in json.loads(langsmith.sent("/examples/bulk"))}
    sent = langsmith.sent("/runs/multipart").decode()
    assert all(one in sent for one in examples)
    assert sent.count('"key":"mrr"') == 2 and sent.count('"key":"recall@1"') == 1


def test_every_request_carries_the_key(langsmith):
    send()
    assert {key for _, key, _ in langsmith.requests} == {"key-1"}


def test_the_same_set_is_uploaded_once(langsmith):
    langsmith.known.append(dataset_name("memory-recall", CASES))
    send()
    assert "/datasets" not in langsmith.paths() and "/examples/bulk" not in langsmith.paths()
    assert "/sessions" in langsmith.paths()


def test_without_a_key_nothing_is_sent(langsmith, monkeypatch):
    monkeypatch.delenv("LANGSMITH_API_KEY")
    with pytest.raises(ZhijiError, match="LANGSMITH_API_KEY"):
        Upload()
    assert langsmith.requests == []


def test_a_refusal_is_told(langsmith):
    langsmith.status = 403
    with pytest.raises(Unreachable, match="LangSmith did not take"):
        send()
