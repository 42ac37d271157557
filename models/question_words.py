"""The content terms of a question: what is left when the words that only make it a question are gone."""

import re
from functools import lru_cache

import rjieba

from zhiji.core.text import fold
from zhiji.core.tokens import terms

_CJK_RUN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")

# Closed classes only (interrogatives, pronouns, particles, auxiliaries, prepositions, politeness): a document may
# answer without a single one of them, and in formal text they are rare enough to look precious to IDF.
_FUNCTION_WORDS = frozenset(
    "的 地 得 了 着 过 吗 呢 吧 啊 呀 嘛 么 哦 啦 之 所 者 是 为 在 于 和 与 及 或 以及 还是 而 但 但是 就 都"
    " 也 还 又 再 才 很 太 更 最 只 不 没 没有 有 有没有 无 把 被 让 给 对 对于 关于 从 由 向 往 到 自 以 按"
    " 跟 同 比 用 将 会 能 能不能 能否 可以 可不可以 可否 是否 是不是 要 想 该 应 应该 需要 得要 行 行不行 好"
    " 我 我们 你 你们 您 他 他们 她 她们 它 它们 咱 咱们 自己 大家 别人 这 那 这个 那个 这些 那些 这里 那里"
    " 这样 那样 这种 那种 其 此 各 各自 每 某 另 另外 其他 请 请问 麻烦 帮 帮我 告诉 一下 下 哪 哪个 哪些 哪里"
    " 哪儿 哪种 哪家 哪位 哪年 哪一年 哪天 谁 什么 啥 什么样 怎么 怎么办 怎么样 怎样 怎么着 怎么回事 回事 咋"
    " 咋办 咋样 咋整 如何 为什么 为何 为啥 多少 几 多久 多长 何 何时 何地 何种 何处 什么时候 时候 个 每个 些"
    " 一个 一些 种 位 条 件 次 里 中 上 内 里面 根据 分别 以后 之后 之前 以前 时 如果 的话 因为 所以 虽然 然后"
    " 并 并且 且 呗 来 去 做 弄 搞 办 叫 算 说".split()
)

_FUNCTION_STEMS = frozenset(
    "get got want need know tell let give much mani long often ever s t m re ve ll d don".split()
)
"""English ones that the index keeps, as stems."""


def _is_function(word: str) -> bool:
    return word in _FUNCTION_WORDS


@lru_cache(maxsize=1024)
def content_terms(question: str) -> tuple[str, ...]:
    """Distinct terms of a question that an answer can be expected to hold, in order.

    Function words go before the pairs are made, so no pair straddles one ("怎么退款" has no "么退"). A question made
    of nothing else keeps all its terms.

    >>> content_terms("请问怎么退款")
    ('退款',)
    """
    folded = fold(question)
    words = terms(_CJK_RUN.sub(lambda run: _content(run.group()), folded))
    kept = [word for word in words if word not in _FUNCTION_STEMS]
    return tuple(dict.fromkeys(kept or terms(folded)))


def _content(run: str) -> str:
    """A Chinese run with its function words blanked; the word cut is the plain one, so that words do not overlap."""
    return "".join(" " if _is_function(word) else word for word in rjieba.cut(run))
