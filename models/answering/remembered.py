"""Which memories bear on the question."""

import re
from collections.abc import Sequence

from zhiji.core.text import fold
from zhiji.core.tokens import terms
from zhiji.core.turn import RecalledMemory
from zhiji.models.answering.asked import asked_kinds, gives
from zhiji.models.answering.intent import Intent
from zhiji.models.answering.subjects import TAKEN, days, subjects, subjects_of
from zhiji.models.question_words import content_terms
from zhiji.models.rewriting.style import style_of

MOST = 3
LEAST_FIT = 1.0
OTHER_LANGUAGE = 0.5
"""How much less a memory in another language than the question's fits, since no word of it can be shared."""

# Words of a question, and the part of a memory's key that answers it.
_CUES = (
    (r"叫什么|名字|姓名|我是谁|怎么称呼|姓什么|\bname\b|who am i|call me", r"name|称呼"),
    (
        r"哪个?城市|住哪|住在哪|哪里住|在哪(?:里|儿)?(?:住|生活)|哪个地方|我在哪|地址|\bcity\b|where (?:do|am) i|\blive\b",
        r"residence|city|location|address|home",
    ),
    (r"老家|哪里人|家乡|籍贯|hometown|where .*from", r"hometown|origin"),
    (r"多大|几岁|年龄|岁数|how old|\bage\b", r"age|birth"),
    (r"生日|出生|birthday|born", r"birth"),
    (
        r"工作|职业|做什么的|上班|公司|岗位|职位|\bjob\b|work|profession|employer",
        r"job|work|occupation|profession|company|employer|role|position",
    ),
    (r"喝|饮料|咖啡|茶|drink|coffee|tea", r"drink|beverage|coffee|tea"),
    (r"吃|口味|零食|饮食|忌口|菜|\beat\b|food|snack|dish|diet", r"food|eat|diet|taste|snack|cuisine"),
    (r"过敏|allerg", r"allerg"),
    (r"宠物|猫|狗|养了?什么|\bpets?\b|\bcat\b|\bdog\b", r"pet"),
    (r"爱好|兴趣|喜欢(?:什么|做什么|干)|hobb|free time", r"hobby|interest|sport|like|preference"),
    (r"语言|language", r"language"),
    (r"手机|电脑|设备|\bphone\b|laptop|device", r"device|phone|computer|laptop"),
    (r"预算|budget", r"budget"),
    (
        r"孩子|女儿|儿子|老婆|老公|家人|妻子|丈夫|children|daughter|\bson\b|wife|husband|family",
        r"family|child|kid|spouse|daughter|son|wife|husband|relative",
    ),
)
_SAFETY = re.compile(
    r"过敏|不耐受|忌口|禁忌|不能吃|不能喝|不吃|素食|清真|糖尿病|哮喘|孕|服药|allerg|intoleran|coeliac|celiac|vegan|vegetarian|halal|kosher|diabet|asthma|pregnan|medicat",
    re.IGNORECASE,
)
_SAFETY_KEY = re.compile(r"allerg|health|medical|diet|safety", re.IGNORECASE)
_STYLE_KEY = re.compile(r"reply|answer|style|format|tone|response|语气|回复", re.IGNORECASE)
_ON_STYLE = re.compile(
    r"回答|回复|格式|形式|语气|风格|汇报|报告|\banswers?|\brepl(?:y|ies)|format|\bstyle\b|\breports?\b"
)
_ON_SAFETY = re.compile(
    r"过敏|忌口|禁忌|不能[吃喝用碰]|避开|避免|忌|不耐受|allerg|intoleran|\bavoid|\bcan'?t (?:i )?eat|\b(?:diet|restrict)"
)
_MAY_TAKE = re.compile(
    r"(?:能|可以|可不可以|能不能|适合|该不该|要不要|敢).{0,4}(?:吃|喝|服|用|打|尝|涂|抹)|(?:吃|喝|服|打).{1,12}(?:吗|行不行|可以)"
    r"|\b(?:can|may|should|could|is it (?:ok|okay|safe|fine)|am i)\b.{0,20}\b(?:eat|drink|take|have|try|use)\b"
)
_OUGHT_REPLY = re.compile(r"回复|回答|answers?|repl(?:y|ies)|respon", re.IGNORECASE)
_OF_NAME = re.compile(r"name|称呼", re.IGNORECASE)


def is_safety(memory: RecalledMemory) -> bool:
    """Whether a pinned memory is a constraint that advice must keep (core identity is pinned too)."""
    return memory.pinned and bool(_SAFETY_KEY.search(memory.key) or _SAFETY.search(memory.content))


# Words that stand in any memory of a kind, so that sharing them means nothing.
_SAY_LITTLE = frozenset("喜欢 爱 平时 一般 通常 习惯 希望 知道 记得 like prefer usual remember".split())
_PARTS = re.compile(r"[?？;；。]")
"""Where one message asks for several things."""


def is_style(memory: RecalledMemory) -> bool:
    """Whether a memory says how answers should be written; it shapes the answer and is not told."""
    return bool(_STYLE_KEY.search(memory.key) or _OUGHT_REPLY.search(memory.content)) and bool(style_of(memory.content))


def bearing_memories(
    question: str,
    intent: Intent,
    memories: Sequence[RecalledMemory],
    topics: Sequence[str] = (),
    *,
    alone: bool = False,
) -> list[RecalledMemory]:
    """The memories an answer should tell, most fitting first, at most three besides safety constraints.

    Args:
        question: What is asked, self-contained.
        intent: What the message wants.
        memories: Those recalled.
        topics: The question's topics in the space of the recall, nearest first.
        alone: There is no passage, so that only a memory can answer.
    """
    if intent == "overview":
        return without_repeats(memories)
    on_style = bool(_ON_STYLE.search(fold(question)))
    told = without_repeats([one for one in memories if on_style or not _of_style(one)])
    if intent == "advice":
        return _for_advice(question, told, topics)
    if intent == "self" and not may_take(question):
        parts = [part for part in _PARTS.split(question) if part.strip()] or [question]
        fitting = [one for part in parts for one in _of_oneself(part, told)]
        return list(dict.fromkeys(fitting))[: MOST * len(parts)]
    ranked = _ranked(question, told)
    if intent == "recall":
        return _recalled(question, [pair for pair in ranked if pair[1].relevant])
    safety = [one for one in told if is_safety(one) and may_take(question)]
    return [*[one for _, one in ranked if one not in safety and _answers(question, one, alone=alone)][:1], *safety]


def _of_style(memory: RecalledMemory) -> bool:
    return is_style(memory) or memory.key.startswith("reply.")


def without_repeats(memories: Sequence[RecalledMemory]) -> list[RecalledMemory]:
    """The memories without those whose words stand in another one of them."""
    bare = ["".join(mark for mark in fold(one.content) if mark.isalnum()) for one in memories]
    return [
        one
        for at, one in enumerate(memories)
        if not any(
            (bare[at] in other and len(bare[at]) < len(other)) or (bare[at] == other and before < at)
            for before, other in enumerate(bare)
            if before != at
        )
    ]


def may_take(question: str) -> bool:
    """Whether the user asks if something may be eaten, drunk or taken.

    >>> may_take("我能喝奶茶吗"), may_take("我平时喝什么")
    (True, False)
    """
    return bool(_MAY_TAKE.search(fold(question))) and bool(subjects(question) & TAKEN)


def takes(question: str, topics: Sequence[str] = ()) -> bool:
    """Whether what is asked about goes into or onto the body, so that a safety constraint has to be said."""
    return bool(subjects(question) & TAKEN) or any(topic in {"food", "drink", "health"} for topic in topics[:1])


def _for_advice(question: str, told: Sequence[RecalledMemory], topics: Sequence[str]) -> list[RecalledMemory]:
    safety = [one for one in told if is_safety(one)]
    able = [one for one in told if one not in safety and _may_fit(question, one)]
    named = [one for one in able if fits_advice(question, one)]
    near = [] if subjects(question) else [one for one in able if topics and one.topics[:1] == tuple(topics[:1])]
    rest = named or near
    rest = sorted(rest, key=lambda one: -one.score)[:MOST]
    return [*rest, *safety] if takes(question, topics) else rest


def _may_fit(question: str, memory: RecalledMemory) -> bool:
    """Whether nothing speaks against telling a memory: the user's name is no advice, nor is what is on another day."""
    if not memory.relevant or (_OF_NAME.search(memory.key) and not shared(question, memory.content)):
        return False
    return not (days(question) and days(memory.content)) or bool(days(question) & days(memory.content))


def fits_advice(question: str, memory: RecalledMemory) -> bool:
    """Whether advice must take a memory into account: it is on the same field, or shares a word."""
    return bool(subjects(question) & subjects_of(memory)) or shared(question, memory.content) > 0


def _recalled(question: str, ranked: Sequence[tuple[float, RecalledMemory]]) -> list[RecalledMemory]:
    """What the user said before: the best memory, and those nearly as fitting that share a word or a field with it."""
    if not ranked:
        return []
    best = ranked[0][0]
    near = [one for fit, one in ranked if fit >= 0.6 * best]
    named = [one for one in near if shared(question, one.content) or subjects(question) & subjects_of(one)]
    return (named or near[:1])[:MOST]


def _ranked(question: str, told: Sequence[RecalledMemory]) -> list[tuple[float, RecalledMemory]]:
    return sorted(((fitness(question, one), one) for one in told), key=lambda pair: -pair[0])


def _of_oneself(question: str, told: Sequence[RecalledMemory]) -> list[RecalledMemory]:
    on_safety = bool(_ON_SAFETY.search(fold(question)))
    able = [one for one in told if (on_safety or not is_safety(one)) and _of_kind(question, one)]
    # Facts that come along with every question must be named by this one.
    able = [one for one in able if not one.pinned or _named(question, one)]
    ranked = _ranked(question, able)
    return _alike(ranked) or _nearest(question, ranked)


def _named(question: str, memory: RecalledMemory) -> bool:
    return _cued(question, memory) or shared(question, memory.content) > 0


def _of_kind(question: str, memory: RecalledMemory) -> bool:
    """Whether a memory can hold what is asked for: a number where one is asked for, unless its key is what is meant."""
    kinds = [kind for kind in asked_kinds(question) if kind in {"how_long", "how_many"}]
    return _cued(question, memory) or all(gives(memory.content, kind) for kind in kinds)


def _alike(ranked: Sequence[tuple[float, RecalledMemory]]) -> list[RecalledMemory]:
    """The best memory and those nearly as fitting, or of the same key and not far behind."""
    if not ranked or ranked[0][0] < LEAST_FIT:
        return []
    best, first = ranked[0]
    return [one for fit, one in ranked if fit >= best * (0.6 if one.key == first.key else 0.9)][:MOST]


def _nearest(question: str, ranked: Sequence[tuple[float, RecalledMemory]]) -> list[RecalledMemory]:
    """The best relevant memory where none names what is asked for: similarity alone found it.

    A number can be read off anything, so where one is asked for, similarity alone is not enough.
    """
    counted = any(kind in {"how_long", "how_many"} for kind in asked_kinds(question))
    return [one for _, one in ranked if one.relevant and (not counted or _named(question, one))][:1]


def fitness(question: str, memory: RecalledMemory) -> float:
    """How well a memory fits a question on oneself: its key by the question's cues, shared terms, recall's score."""
    return (
        2.0 * _cued(question, memory) + 2.0 * shared(question, memory.content) + memory.score + 0.25 * memory.relevant
    )


def _cued(question: str, memory: RecalledMemory) -> bool:
    asked = fold(question)
    return any(re.search(words, asked) and re.search(key, memory.key, re.IGNORECASE) for words, key in _CUES)


def shared(question: str, text: str) -> float:
    """Share of the question's content terms that a text holds."""
    found = content_terms(question)
    wanted = [term for term in found if term not in _SAY_LITTLE] or found
    held = set(terms(text))
    return sum(term in held for term in wanted) / len(wanted) if wanted else 0.0


def _answers(question: str, memory: RecalledMemory, *, alone: bool) -> bool:
    """Whether a memory has something to say on a question about the documents: shared terms, and what is asked for."""
    personal = "我" in question or re.search(r"\b(?:i|my|me)\b", question.lower())
    if personal and _of_style(memory) and _ON_STYLE.search(fold(question)):
        return True
    if not memory.relevant or not shared(question, memory.content):
        return False
    if personal or alone:
        return True
    return any(gives(memory.content, kind) for kind in asked_kinds(question) if kind[:3] == "how")
