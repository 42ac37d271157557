"""Which memories bear on the question, and how they are told to the user."""

import re
from collections.abc import Sequence

from zhiji.core.text import Language, fold, language_of
from zhiji.core.tokens import terms
from zhiji.core.turn import RecalledMemory
from zhiji.models.answering.asked import asked_kinds, gives
from zhiji.models.answering.intent import Intent
from zhiji.models.answering.markers import neutral
from zhiji.models.answering.person import second_person
from zhiji.models.answering.phrases import phrase
from zhiji.models.question_words import content_terms
from zhiji.models.rewriting.style import style_of

MOST = 3
LEAST_FIT = 1.0

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
    (r"喝|饮料|咖啡|茶|drink|coffee|tea", r"drink|beverage|coffee|tea|diet|food"),
    (r"吃|口味|零食|饮食|忌口|菜|\beat\b|food|snack|dish|diet", r"food|eat|diet|taste|allerg|snack|cuisine"),
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
_OUGHT_REPLY = re.compile(r"回复|回答|answers?|repl(?:y|ies)|respon", re.IGNORECASE)
_OF_NAME = re.compile(r"name|称呼", re.IGNORECASE)


def is_safety(memory: RecalledMemory) -> bool:
    """Whether a pinned memory is a constraint that advice must keep (core identity is pinned too)."""
    return memory.pinned and bool(_SAFETY_KEY.search(memory.key) or _SAFETY.search(memory.content))


_PARTS = re.compile(r"[?？;；。]")
"""Where one message asks for several things."""


def is_style(memory: RecalledMemory) -> bool:
    """Whether a memory says how answers should be written; it shapes the answer and is not told."""
    return bool(_STYLE_KEY.search(memory.key) or _OUGHT_REPLY.search(memory.content)) and bool(style_of(memory.content))


def bearing_memories(question: str, intent: Intent, memories: Sequence[RecalledMemory]) -> list[RecalledMemory]:
    """The memories an answer should use, most fitting first, at most three besides safety constraints."""
    if intent == "overview":
        return list(memories)
    told = [one for one in memories if not is_style(one)]
    if intent == "advice":
        safety = [one for one in told if is_safety(one)]
        rest = [one for one in told if one.relevant and one not in safety and not _OF_NAME.search(one.key)]
        return [*sorted(rest, key=lambda one: -one.score)[:MOST], *safety]
    if intent == "self":
        parts = [part for part in _PARTS.split(question) if part.strip()] or [question]
        fitting = [one for part in parts for one in _of_oneself(part, told)]
        return list(dict.fromkeys(fitting))[: MOST * len(parts)]
    ranked = _ranked(question, told)
    if intent == "recall":
        return [one for fit, one in ranked if fit >= 0.6 * ranked[0][0] and one.relevant][:MOST]
    return [one for fit, one in ranked if _answers(question, one)][:1]


def _ranked(question: str, told: Sequence[RecalledMemory]) -> list[tuple[float, RecalledMemory]]:
    return sorted(((fitness(question, one), one) for one in told), key=lambda pair: -pair[0])


def _of_oneself(question: str, told: Sequence[RecalledMemory]) -> list[RecalledMemory]:
    ranked = _ranked(question, told)
    return _alike(ranked) or _nearest(ranked)


def _alike(ranked: Sequence[tuple[float, RecalledMemory]]) -> list[RecalledMemory]:
    """The best memory and those nearly as fitting, or of the same key and not far behind."""
    if not ranked or ranked[0][0] < LEAST_FIT:
        return []
    best, first = ranked[0]
    return [one for fit, one in ranked if fit >= best * (0.6 if one.key == first.key else 0.9)][:MOST]


def _nearest(ranked: Sequence[tuple[float, RecalledMemory]]) -> list[RecalledMemory]:
    """The best relevant memory where none names what is asked for: similarity alone found it."""
    return [one for _, one in ranked if one.relevant and not is_safety(one)][:1]


def fitness(question: str, memory: RecalledMemory) -> float:
    """How well a memory fits a question on oneself: its key by the question's cues, shared terms, recall's score."""
    asked = fold(question)
    cue = any(re.search(words, asked) and re.search(key, memory.key, re.IGNORECASE) for words, key in _CUES)
    return 2.0 * cue + 2.0 * shared(question, memory.content) + memory.score + 0.25 * memory.relevant


def shared(question: str, text: str) -> float:
    """Share of the question's content terms that a text holds."""
    wanted = content_terms(question)
    held = set(terms(text))
    return sum(term in held for term in wanted) / len(wanted) if wanted else 0.0


def _answers(question: str, memory: RecalledMemory) -> bool:
    """Whether a memory has something to say on a question about the documents: shared terms, and what is asked for."""
    if not memory.relevant or not shared(question, memory.content):
        return False
    personal = "我" in question or re.search(r"\b(?:i|my|me)\b", question.lower())
    return bool(personal) or any(gives(memory.content, kind) for kind in asked_kinds(question) if kind[:3] == "how")


def told(memories: Sequence[RecalledMemory], lang: Language) -> str:
    """Memories as one sentence to the user, each with its label, without the closing mark.

    "用户住在杭州", "用户平时喜欢喝美式" become "您住在杭州 [M1]，平时喜欢喝美式 [M2]".
    """
    parts: list[str] = []
    for memory in memories:
        said = _said(memory, lang)
        if parts and said.startswith("您") and not said.startswith("您的"):
            said = said[1:]
        elif parts and said.startswith("You "):
            said = f"you {said[4:]}"
        parts.append(f"{said} [{memory.label}]")
    return ("，" if lang == "zh" else ", and ").join(parts)


def _said(memory: RecalledMemory, lang: Language) -> str:
    text = neutral(memory.content)
    if language_of(text) != lang:
        return phrase("foreign_memory", lang).format(text.strip().rstrip("。."))
    return second_person(text)
