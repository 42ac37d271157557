"""The benchmark runs on real engines; a small one, for its shape."""

from zhiji.evals.bench import measure
from zhiji.evals.measured import silent


async def test_every_node_is_timed_beside_the_rival_store():
    result = await measure(runs=1, memories=20, chunks=40, advance=silent)
    nodes = {"query embedding", "turn", "load_profile", "rewrite_query", "retrieve_memory", "retrieve_knowledge"}
    assert nodes | {"rerank", "generate", "gate"} <= set(result["nodes"])
    assert result["sizes"] == {"runs": 1, "memories": 20, "chunks": 40}
    assert result["recall"]["ratio"] > 0
    assert result["metrics"]["ms_p50"] == result["nodes"]["turn"]["p50"]
