"""Fixtures of tests that talk to real servers and real engines."""

import json
import os
import subprocess
import sys
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
ELSEWHERE = ROOT.parent
"""Commands run outside the repository, where its folders do not shadow the package."""


@pytest.fixture(scope="session")
def sample_home(tmp_path_factory):
    """A home with the sample documents, ingested once."""
    home = tmp_path_factory.mktemp("sample") / "home"
    command = [sys.executable, "-m", "zhiji.cli.main", "ingest", "--sample", "--quiet"]
    subprocess.run(command, check=True, cwd=ELSEWHERE, env={**os.environ, "ZHIJI_HOME": str(home)})
    return home


@pytest.fixture
def zhiji(home):
    """Run the command line in a process of its own, on this test's home."""

    def run(
        *arguments: str, input: str | None = None, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "zhiji.cli.main", *arguments],
            capture_output=True,
            text=True,
            input=input,
            stdin=None if input is not None else subprocess.DEVNULL,
            cwd=ELSEWHERE,
            env={**os.environ, "ZHIJI_HOME": str(home), **(env or {})},
            timeout=180,
            check=False,
        )

    return run


@pytest.fixture
def say(zhiji):
    """One message through `zhiji chat --json`; the document it printed."""

    def run(message: str, *arguments: str) -> dict:
        done = zhiji("chat", "--json", "--message", message, *arguments)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


DATASET, PROJECT, TENANT = (f"{digit * 8}-1111-4111-8111-{digit * 12}" for digit in "123")
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


POSTGRES = os.environ.get("TEST_POSTGRES_URL", "postgresql://postgres@127.0.0.1:5432/postgres")
REDIS = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/15")


def missing(service: str, failed: BaseException) -> None:
    """Skip for want of a server, or fail where every server is required."""
    says = f"{service} is needed: {str(failed).splitlines()[0]}"
    if os.environ.get("ZHIJI_REQUIRE_SERVICES") == "1":
        pytest.fail(says)
    pytest.skip(says)


class Server:
    """A database and an ordinary role of our own on the PostgreSQL that is there."""

    def __init__(self, url):
        import psycopg

        self._psycopg = psycopg
        self.name = f"zhiji_test_{uuid.uuid4().hex[:12]}"
        self._admin = psycopg.connect(url, autocommit=True, connect_timeout=5)
        self._admin.execute(f"CREATE ROLE {self.name} LOGIN PASSWORD '{self.name}'")
        self._admin.execute(f"CREATE DATABASE {self.name} OWNER {self.name} TEMPLATE template0 ENCODING 'UTF8'")
        info = self._admin.info
        self.url = f"postgresql://{self.name}:{self.name}@{info.host}:{info.port}/{self.name}"
        self._inside = psycopg.connect(url, dbname=self.name, autocommit=True)

    def execute(self, statement, *values):
        """Run a statement in the database, as a superuser."""
        cursor = self._inside.execute(statement, values)
        return cursor.fetchall() if cursor.description else []

    def bytes_of(self, schema):
        """The files of every table, index and overflow table of a schema."""
        self.execute("CHECKPOINT")
        files = """
            SELECT pg_read_binary_file(pg_relation_filepath(c.oid)) FROM pg_class c
            WHERE c.relkind IN ('r', 'i', 't') AND pg_relation_filepath(c.oid) IS NOT NULL AND (
                c.relnamespace = %s::regnamespace
                OR c.oid IN (SELECT reltoastrelid FROM pg_class WHERE relnamespace = %s::regnamespace)
            )
        """
        return b"".join(row[0] for row in self.execute(files, schema, schema))

    def drop(self):
        """Leave nothing behind."""
        self._inside.close()
        self._admin.execute(f"DROP DATABASE {self.name} WITH (FORCE)")
        self._admin.execute(f"DROP ROLE {self.name}")
        self._admin.close()


@pytest.fixture(scope="session")
def server():
    """PostgreSQL, with a database that lives as long as the test session."""
    try:
        opened = Server(POSTGRES)
    except Exception as failed:
        missing("PostgreSQL", failed)
    yield opened
    opened.drop()


@pytest.fixture
def database_url(server):
    """The URL of the session's database."""
    return server.url
