"""Tracing to LangSmith: every node a run where a key is set, nothing at all without."""

import pytest

NODES = [
    b"load_profile",
    b"rewrite_query",
    b"retrieve_memory",
    b"retrieve_knowledge",
    b"rerank",
    b"generate",
    b"gate",
    b"extract_memory",
    b"write_memory",
]


def test_with_a_key_every_node_is_a_traced_run(langsmith, zhiji):
    done = zhiji("chat", "-m", "我住在杭州", env={"LANGSMITH_TRACING": "true"})
    assert done.returncode == 0, done.stderr
    sent = b"".join(body for path, _, body in langsmith.requests if path.startswith("/runs"))
    assert [node for node in NODES if node not in sent] == []


@pytest.mark.parametrize("env", [{}, {"LANGSMITH_TRACING": "false"}], ids=["not asked for", "switched off"])
def test_nothing_leaves_the_machine_unasked(langsmith, zhiji, env):
    assert zhiji("chat", "-m", "我住在杭州", env=env).returncode == 0
    assert langsmith.requests == []
