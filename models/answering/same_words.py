"""Everyday words for the same thing, where a question and a document seldom choose the same one."""

import re
from functools import lru_cache

from zhiji.core.text import fold

_GROUPS = (
    "过期 失效 到期 作废 清零",
    "丢 丢了 丢失 遗失 弄丢",
    "退款 退钱 退回",
    "购买 购置 买",
    "打药 施药 喷药 用药 喷施",
    "关门 闭馆 打烊 上锁",
    "费用 收费 价格 价钱",
    "坏 坏了 故障 损坏",
    "修改 更改 变更",
    "更换 换",
    "赔 赔偿 赔付 补偿",
    "存放 保存 存储",
    "密码 口令",
    "离职 辞职 离开公司",
    "电脑 笔记本电脑",
    "人数 容量 能坐",
    "结婚 领证 婚假",
    "维修 返修 报修",
    "取消 撤回",
    "查询 查看 看到",
    "开始 起",
    "结束 截止",
    "携带 带",
    "寄存 存放",
    "上班 营业 服务时间",
    "下班 营业 服务时间",
)
_GROUPS_EN = (
    "lost lose stolen",
    "cancel cancellation",
    "begin start",
    "price cost fee",
    "return send back",
    "expire lapse",
    "broken faulty failed",
    "freeze frozen",
    "wash clean",
    "close shut",
)


def _patterns() -> tuple[tuple[re.Pattern[str], frozenset[str]], ...]:
    chinese = [(re.compile("|".join(map(re.escape, group.split()))), frozenset(group.split())) for group in _GROUPS]
    english = [
        (re.compile(rf"\b(?:{'|'.join(group.split())})(?:s|es|d|ed)?\b"), frozenset(group.split()))
        for group in _GROUPS_EN
    ]
    return (*chinese, *english)


_PATTERNS = _patterns()


@lru_cache(maxsize=4096)
def same_words(text: str) -> frozenset[str]:
    """The words that mean what some word of a text means, that word included.

    >>> "过期" in same_words("积分在次年清零")
    True
    """
    folded = fold(text)
    return frozenset(word for pattern, words in _PATTERNS if pattern.search(folded) for word in words)
