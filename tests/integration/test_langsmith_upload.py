"""Uploading to a stand-in for LangSmith on the loopback interface."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from zhiji.core.errors import Unreachable, ZhijiError
from zhiji.evals.langsmith_upload import Upload, dataset_name
from zhiji.evals.measured import Case, Measured

DATASET, PROJECT, TENANT = (f"{digit * 8}-1111-4111-8111-{digit * 12}" for digit in "123")
CASES = [
    Case("a", {"question": "退款"}, {"relevant": ["m1"]}, {"ranking": ["m1"]}, {"mrr": 1.0, "recall@1": 1.0}),
    Case("b", {"question": "地址"}, {"relevant": ["m2"]}, {"ranking": ["m3"]}, {"mrr": 0.0}),
]
RESULT = {"suite": "memory-recall", "n": 2, "metrics": {"mrr": 0.5}, "settings": {}, "versions": {}, "machine": {}}
INFO = {
    "version": "0.12.0",
    "instance_flags": {"zstd_compression_enabled": False},
    "batch_ingest_config": {
        "use_multipart_endpoint": True,
        "size_limit": 100,
        "size_limit_bytes": 20_000_000,
        "scale_up_nthreads_limit": 16,
        "scale_up_qsize_trigger": 1000,
        "scale_down_nempty_trigger": 4,
    },
}


class LangSmith:
    """Remembers what it is sent; `known` are the datasets it has already, `status` how it answers what is posted."""

    def __init__(self):
        self.requests, self.known, self.status = [], [], 200
        seen = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self._answer(200, seen.read(self.path))

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                seen.requests.append((self.path, self.headers["x-api-key"], body))
                self._answer(seen.status, seen.write(self.path, body))

            def _answer(self, status, held):
                data = json.dumps(held).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def read(self, path):
        if path.startswith("/info"):
            return INFO
        if path.startswith("/datasets"):
            return [self._dataset(name) for name in self.known]
        return []

    def write(self, path, body):
        if path == "/datasets":
            return self._dataset(json.loads(body)["name"])
        if path == "/sessions":
            held = json.loads(body)
            known = {"id": PROJECT, "tenant_id": TENANT, "start_time": "2026-01-01T00:00:00Z"}
            return {**known, "name": held["name"], "reference_dataset_id": held["reference_dataset_id"]}
        if path.startswith("/examples"):
            return [{"id": one["id"]} for one in json.loads(body)]
        return {}

    def paths(self):
        return [path for path, _, _ in self.requests]

    def sent(self, path):
        return b"".join(body for to, _, body in self.requests if to == path)

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    @staticmethod
    def _dataset(name):
        return {
            "id": DATASET,
            "name": name,
            "created_at": "2026-01-01T00:00:00Z",
            "modified_at": "2026-01-01T00:00:00Z",
        }


@pytest.fixture
def langsmith(monkeypatch):
    """A stand-in that the client is pointed to, with a key set."""
    server = LangSmith()
    monkeypatch.setenv("LANGSMITH_ENDPOINT", server.url)
    monkeypatch.setenv("LANGSMITH_API_KEY", "key-1")
    monkeypatch.setenv("LANGSMITH_DISABLE_RUN_COMPRESSION", "true")
    yield server
    server.close()


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
