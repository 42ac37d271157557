"""Advice from memory, and saying what the sources do not hold."""

import re
from collections.abc import Iterator, Sequence

from zhiji.core.text import Language, language_of
from zhiji.core.turn import RecalledMemory
from zhiji.models.answer import AnswerRequest
from zhiji.models.answering.intent import intent_of
from zhiji.models.answering.markers import neutral, without_labels
from zhiji.models.answering.phrases import phrase
from zhiji.models.answering.remembered import is_safety, may_take, takes
from zhiji.models.answering.retelling import told

_FRAME = re.compile(
    r"^(?:那|那么|你好|您好|请问|请|麻烦|你|您|能不能|能|可以|可否|帮我|帮忙|给我|替我|我想要?|我要|[，,\s])*"
    r"(?:推荐|建议|介绍|安排|规划|计划|制定|设计|找|选|挑|查|搜|订|来|写|列|算|告诉我|讲讲|说说)?(?:一下|下)?(?:一?[个些点份家款杯道种])?"
)
_FRAME_EN = re.compile(
    r"^(?:please|can you|could you|would you|help me|i want to|i'd like to|[ ,])*\s*(?:recommend|suggest|find|plan|arrange|schedule|"
    r"give|choose|pick|book|check|look up|tell|show|list|describe|get)?\s*(?:me|us)?\s*(?:about|for|on)?\s*",
    re.IGNORECASE,
)
_ARRANGE = re.compile(r"安排|计划|规划|制定|预约|订|schedule|arrange|plan\b|book", re.IGNORECASE)
_CHOOSE = re.compile(r"推荐|挑|选|吃|喝|买|送|穿|recommend|suggest|choose|pick|eat|drink|buy|wear", re.IGNORECASE)
LONGEST_TOPIC = {"zh": 24, "en": 60}


def lead(question: str, memories: Sequence[RecalledMemory], lang: Language) -> Iterator[str]:
    """What is known of the user that the advice must fit, safety constraints last and marked as such."""
    safety = [one for one in memories if is_safety(one)]
    rest = [one for one in memories if one not in safety]
    if rest:
        yield told(rest, lang) + _end(lang)
    if safety:
        yield phrase("mind", lang).format(_lowered(told(safety, lang), lang)) + _end(lang)


def nothing_on(question: str, lang: Language) -> str:
    """That the documents hold nothing on what advice is asked for, and what to do with what is known."""
    use = "arrange" if _ARRANGE.search(question) else "choose" if _CHOOSE.search(question) else "consider"
    subject = topic_of(question, lang)
    if subject:
        return phrase("nothing_on", lang).format(subject, phrase(use, lang))
    return phrase("nothing", lang).format(phrase(use, lang))


def unknown(request: AnswerRequest, lang: Language) -> str:
    """That nothing is known, and about what."""
    subject = topic_of(request.query, lang) if language_of(request.query, default=lang) == lang else ""
    said = phrase("unknown", lang).format(subject) if subject else phrase("unknown_plain", lang)
    safety = [one for one in request.memories if is_safety(one)]
    concerned = takes(request.query, request.topics) and intent_of(request.question) == "advice"
    if not safety or not (concerned or may_take(request.query)):
        return said
    # Nothing is cited when nothing is known, but advice sought elsewhere must still keep the constraint.
    told_plain = without_labels(told(safety, lang))
    return f"{said}{'' if lang == 'zh' else ' '}{phrase('mind', lang).format(_lowered(told_plain, lang))}{_end(lang)}"


def _lowered(text: str, lang: Language) -> str:
    return text if lang == "zh" else text[0].lower() + text[1:]


def _end(lang: Language) -> str:
    return "。" if lang == "zh" else "."


def topic_of(question: str, lang: Language) -> str:
    """What a question is about: itself, without the words that make it a request; empty when that is too long.

    >>> topic_of("帮我推荐个附近的咖啡店", "zh")
    '附近的咖啡店'
    """
    frame = _FRAME if lang == "zh" else _FRAME_EN
    line = neutral(question).strip().splitlines()[0] if question.strip() else ""
    subject = frame.sub("", line, count=1).strip().strip("？?。.！!，,~ ").removesuffix("吧").removesuffix("呗")
    return subject if 1 < len(subject) <= LONGEST_TOPIC[lang] else ""
