"""A small knowledge base: four documents, and an embedder that needs no model."""

import zlib

import numpy as np
import pytest

from zhiji.core.text import clean
from zhiji.core.tokens import terms
from zhiji.ingest.load import ingest
from zhiji.stores.knowledge.store import KnowledgeBase

RETURNS = """# 如何申请退货

## 期限

自签收之日起七天内可以申请退货，商品须保持完好。

## 步骤

在订单页点击“申请退货”，填写原因，等待客服审核后寄回商品。
"""
DOCUMENTS = {
    "support/returns.md": RETURNS,
    "support/shipping.md": "# 配送说明\n\n订单在付款后二十四小时内发出，偏远地区需要五到七天送达。\n",
    "product/manual.md": "# HG-300 手册\n\n## 故障代码\n\n屏幕显示 E1024 时，请检查水泵的电源线是否松动。\n",
    "product/guide_en.txt": "User guide\n\nHold the power button for five seconds to reset the controller.\n",
}


class HashEmbedder:
    """A bag of hashed terms as a unit vector; remembers what it was asked to embed."""

    def __init__(self, model_id="hash", dim=64):
        self.model_id, self.dim = model_id, dim
        self.embedded = []

    def query(self, text):
        vector = np.zeros(self.dim, dtype=np.float32)
        for term in terms(clean(text)):
            vector += np.random.default_rng(zlib.crc32(term.encode())).standard_normal(self.dim)
        length = np.linalg.norm(vector)
        return vector / length if length else np.full(self.dim, self.dim**-0.5, dtype=np.float32)

    def passages(self, texts):
        self.embedded += texts
        return np.stack([self.query(text) for text in texts])

    def token_count(self, text):
        return len(text)


@pytest.fixture
def embedder():
    return HashEmbedder()


@pytest.fixture
def docs(tmp_path):
    """The four documents in a folder."""
    folder = tmp_path / "docs"
    for source, text in DOCUMENTS.items():
        (folder / source).parent.mkdir(parents=True, exist_ok=True)
        (folder / source).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def load(settings, embedder, docs):
    """Ingest the folder, or other paths; returns the report as JSON."""

    async def run(*paths, **options):
        report = await ingest(list(paths) or [docs], **{"settings": settings, "embedder": embedder} | options)
        return report.as_json()

    return run


@pytest.fixture
async def knowledge(settings, embedder, docs):
    """The base, opened before anything was ingested."""
    base = await KnowledgeBase.open(settings.home, settings.model_copy(update={"knowledge_cache_s": 0}), embedder)
    yield base
    await base.close()


@pytest.fixture
def ask(knowledge, embedder):
    """Search the base for a text."""

    async def run(text, **where):
        return await knowledge.search(text, embedder.query(text), **where)

    return run
