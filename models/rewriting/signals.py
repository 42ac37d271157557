"""What else a question says: that the user's past words are meant, which field it is about, what its content is."""

import re
from collections.abc import Sequence

from zhiji.core.text import fold, has_cjk
from zhiji.core.tokens import codes
from zhiji.models.question_words import content_terms
from zhiji.models.rewriting.tagging import tag

_RECALL = re.compile(
    r"记不记得|(?:你|还|是否|可)?(?:记得|记着|想得起)(?:吗|么|不|没|我|咱|上次|之前|以前|刚才|[?？])"
    r"|我(?:之前|以前|上次|曾经|前几天|上回|当时|刚才|昨天|那天)?(?:跟|和|对|同|给)?你?(?:说过|提过|讲过|聊过|告诉过你?|提到过|说起过)"
    r"|(?:之前|上次|以前|上回|前几天)(?:我|咱们?|我们)?(?:跟你|和你|对你)?(?:说|聊|讲|提)(?:到|起|的|过|了)?"
    r"|忘了我|(?:我|咱们?)(?:上次|之前|上回)(?:说|聊|提|讲)"
    r"|\bdo you (?:still )?(?:remember|recall)\b|\b(?:can|could) you (?:remember|recall)\b|\bremember (?:when|what|how|my|the)\b[^.]*\?"
    r"|\bwhat did i (?:say|tell|mention)\b|\b(?:did|have) i (?:ever |already )?(?:tell|told|mention|mentioned|say|said)\b"
    r"|\b(?:as|like|what) i (?:told|said|mentioned)(?: to)?\b|\bi (?:told|mentioned to) you\b|\blast time (?:we|i)\b|\b(?:i|we) (?:talked|spoke) about\b",
    re.IGNORECASE,
)
_KNOW = r"(?:知道|记得|记住|记下|了解|掌握|记录|存|保存)"
_OVERVIEW = re.compile(
    rf"^(?:请问|那|现在|到目前为止|目前|,|，| )*(?:你|您|知己)?(?:都|还|现在|目前|已经)*{_KNOW}了?(?:关于)?(?:我的?|关于我的?)(?:的)?(?:都有)?(?:些什么|什么|啥|哪些|多少|哪些事情?|什么事情?|什么信息|哪些信息|多少事情?)(?:了|呢|啊|呀|吗)?$"
    rf"|^(?:请|你)?(?:说说|讲讲|列出|列一下|告诉我|介绍一下|总结一下|总结|看看)?(?:关于我的?|我的)(?:事情?|情况|信息|记忆|资料|档案|画像|一切)?,?(?:你|您)?(?:都|还)*{_KNOW}了?(?:些什么|什么|啥|哪些|多少)(?:了|呢|啊|呀)?$"
    r"|^(?:请|你)?(?:说说|讲讲|列出|列一下|告诉我|总结一下|总结|看看|查看|展示)(?:你)?(?:所?(?:知道|记得|记住|了解)的?)?(?:关于)?我(?:的)?(?:全部|所有)?(?:信息|记忆|画像|档案|情况)?$"
    r"|^(?:我是谁|你认识我吗|你了解我吗|你记得我吗|你还记得我吗)$"
    r"|\b(?:what|everything|anything|how much|all)\b.{0,16}\b(?:you|u)(?:'ve| have)?\b.{0,20}\b(?:know|remember|remembered|learned|learnt|stored|saved|kept|got|have)\b.{0,12}\b(?:about|on|of) me(?: so far| now| already)?$"
    r"|^(?:so |and |please )*(?:who am i|tell me about myself|do you (?:know|remember) me|(?:show|list)(?: me)? (?:my (?:profile|memories|details)|everything about me))$"
)
_KEEP = re.compile(r"^(?:请|要|帮我)?(?:你)?(?:记住|记下|记好|记一下)|\b(?:please )?remember that\b", re.IGNORECASE)
_KEYWORD_KINDS = frozenset("NPLEVAGX")


def recalls(question: str) -> bool:
    """Whether the question asks for what the user said before; "记住…" asks to keep something, not to recall it.

    >>> recalls("你还记得我之前说的预算吗"), recalls("记住我不吃香菜")
    (True, False)
    """
    return bool(_RECALL.search(question)) and not _KEEP.search(question)


def overview(question: str) -> bool:
    """Whether the user asks for everything that is known of them.

    >>> overview("你都知道我些什么？"), overview("What do you know about me?"), overview("你知道我住哪吗")
    (True, True, False)
    """
    return _OVERVIEW.search(fold(question).strip().strip("。.!！?？~～ ")) is not None


def keywords(text: str) -> tuple[str, ...]:
    """The words that carry a query, in order: nouns, verbs, codes; no pronouns, particles or question words.

    >>> keywords("请问HG-300的退货期限是几天")
    ('hg-300', '退货', '期限')
    """
    folded = fold(text)
    known = codes(text)
    content = set(content_terms(folded))
    tagged = [token.text for token in tag(folded) if token.kind in _KEYWORD_KINDS]
    words = [word for word in tagged if not has_cjk(word) or word in content]
    kept = [word for word in words if (len(word) > 1 or not word.isascii()) and not any(word in code for code in known)]
    return tuple(dict.fromkeys(sorted([*known, *kept], key=folded.find)))


def category(question: str, known: Sequence[str]) -> str | None:
    """The field of the knowledge base that a question names plainly ("在人事制度里查年假"), among those there are."""
    for name in known:
        quoted = re.escape(fold(name))
        chinese = rf"(?:在|从|只看|只查|只搜|根据|按照?|查)\s*“?{quoted}”?\s*(?:里|中|类|分类|资料|文档|部分)"
        if re.search(rf"{chinese}|\b(?:in|from|only)\s+(?:the\s+)?{quoted}\b", fold(question)):
            return name
    return None


_SCENES = {
    "work": r"工作场景|(?:在)?工作(?:上|中|时|的时候)|办公(?:时|场景)|\bat work\b|\bfor work\b",
    "daily": r"日常(?:问答|聊天|生活中?)|平常聊天|\bin everyday\b|\bcasual(?:ly)?\b",
    "travel": r"旅(?:游|行)(?:时|的时候|途中)|出差(?:时|的时候)|\b(?:while|when) travel+ing\b|\bon (?:a |my )?trips?\b",
    "technical": r"技术(?:方案|问题|讨论|文档)(?:里|中|时|上|的时候)?|\btechnical (?:question|discussion)s?\b",
}


def scene(question: str) -> str | None:
    """The situation a question names plainly ("工作上", "when travelling"), else None."""
    return next((name for name, pattern in _SCENES.items() if re.search(pattern, fold(question))), None)
