"""What the benchmark runs on: texts made by rule, and vectors made from the texts, so that no model is in the way."""

import hashlib
import random
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from zhiji.core.time import now
from zhiji.core.tokens import count_tokens
from zhiji.models.embed import Embedder, Matrix, Vector
from zhiji.stores.memory.records import VerbatimMessage

_THINGS = (
    "空气炸锅 扫地机器人 电子秤 蓝牙耳机 加湿器 净水器 门锁 投影仪"
    " 打印机 显示器 路由器 键盘 水泵 喷雾器 温室大棚 育苗盘"
).split()
_ASPECTS = "安装 清洁 保修 退货 升级 充电 连接 报修 保养 运输 验收 开票".split()
_STEPS = (
    "先确认电源已经断开 再核对包装里的清单 把滤网取出用清水冲洗"
    " 等指示灯变成绿色 在手机上打开设置页面 记录下面板显示的代码"
).split()
_RULES = (
    "需要在签收后的规定时间内提出 应当保留原包装和发票 由当地服务点上门处理"
    " 每个季度检查一次 不得使用腐蚀性的溶剂 由仓库统一登记"
).split()
_HABITS = "喜欢 常用 不喜欢 正在学 打算换 负责管理 每周都会用 收藏了".split()
_QUESTIONS = (
    "{thing} A{number} 怎么{aspect}？",
    "A{number} 的{thing}{aspect}要注意什么？",
    "第{number}号{thing}坏了该找谁？",
    "{thing}能用几年，A{number} 和别的型号有什么不同？",
)
_STATEMENTS = (
    "我上周买了一台{thing}，型号是 A{number}。",
    "我负责第{number}号仓库的{aspect}。",
    "我不喜欢 A{number} 这款{thing}。",
)
_LEARNED = 10
"""Every tenth message is a statement about the user."""
_SPREAD = 0.55
"""How far prepared vectors scatter around a common direction: cosines come out near 0.77, as those of real texts."""


class Prepared(Embeddings):
    """Vectors by rule for stored texts, the real model for questions; a zhiji `Embedder` and a LangChain one."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.model_id = embedder.model_id
        self.dim = embedder.dim
        self._common = _unit(np.random.default_rng(0).standard_normal(embedder.dim))

    def query(self, text: str) -> Vector:
        """The vector of a question."""
        return self._embedder.query(text)

    def passages(self, texts: Sequence[str]) -> Matrix:
        """The vectors of stored texts: the same text always has the same."""
        return np.stack([self._vector(text) for text in texts]).astype(np.float32)

    def token_count(self, text: str) -> int:
        """An estimate: the model's own count is no part of what is measured."""
        return count_tokens(text)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """LangChain's name for `passages`."""
        return [[float(x) for x in row] for row in self.passages(texts)]

    def embed_query(self, text: str) -> list[float]:
        """LangChain's name for `query`."""
        return [float(x) for x in self.query(text)]

    def _vector(self, text: str) -> Vector:
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
        own = _unit(np.random.default_rng(seed).standard_normal(self.dim))
        return _unit(self._common + _SPREAD * own)


def _unit(vector: NDArray[Any]) -> Vector:
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


def write_documents(folder: Path, chunks: int, each: int = 20) -> None:
    """Write Markdown files that give about so many chunks, `each` to a file, one under each heading."""
    folder.mkdir(parents=True)
    chance = random.Random(1)
    for number in range(0, chunks, each):
        sections = [section(chance, place) for place in range(number, min(number + each, chunks))]
        text = f"# 手册 {number // each + 1}\n\n" + "\n\n".join(sections) + "\n"
        (folder / f"{number // each:05}.md").write_text(text, encoding="utf-8")


def section(chance: random.Random, number: int) -> str:
    """A Markdown section of some 350 characters that no other number has."""
    thing, aspect = chance.choice(_THINGS), chance.choice(_ASPECTS)
    sentences = [
        f"型号 A{number} 的{thing}在{aspect}时，{chance.choice(_STEPS)}，{chance.choice(_RULES)}。" for _ in range(8)
    ]
    return f"## {thing}{aspect} {number}\n\n{''.join(sentences)}"


def memory_texts(count: int) -> list[str]:
    """So many different things a user may have said."""
    chance = random.Random(2)
    return [
        f"我{chance.choice(_HABITS)}{chance.choice(_THINGS)}，第{n}件，主要看{chance.choice(_ASPECTS)}"
        for n in range(count)
    ]


def verbatim(user: str, texts: list[str]) -> list[VerbatimMessage]:
    """Some texts as messages, an hour apart, the last of them said now."""
    last = now()
    return [
        VerbatimMessage(f"{user}-{place}", text, last - timedelta(hours=len(texts) - place))
        for place, text in enumerate(texts)
    ]


def messages(count: int, run: int) -> list[str]:
    """So many messages, mostly questions, different in every run, so that no cache answers them."""
    chance = random.Random(1000 + run)
    return [_message(chance, run * count + n, learn=n % _LEARNED == _LEARNED - 1) for n in range(count)]


def _message(chance: random.Random, number: int, learn: bool) -> str:
    return _said(chance, number, _STATEMENTS if learn else _QUESTIONS)


def question(chance: random.Random, number: int) -> str:
    """A question about one section."""
    return _said(chance, number, _QUESTIONS)


def _said(chance: random.Random, number: int, forms: Sequence[str]) -> str:
    return chance.choice(forms).format(thing=chance.choice(_THINGS), aspect=chance.choice(_ASPECTS), number=number)
