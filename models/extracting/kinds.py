"""What kind of memory a candidate is: its type, its operation, whether it is a rule, for one scene only, or a matter of safety."""

import re
from typing import cast

from zhiji.core.text import fold
from zhiji.core.turn import MemoryType
from zhiji.models.extract import CandidateOp
from zhiji.models.extracting import changes
from zhiji.models.extracting.cues import shows
from zhiji.models.extracting.features import Reading
from zhiji.models.extracting.judge import Judged
from zhiji.models.extracting.keys import Named
from zhiji.models.extracting.people import Subject

OWN = frozenset({"user", "other"})
"""Subjects whose clause is read as the user's own; `other` here is only a pronoun without an antecedent."""
PETS = frozenset({"cat", "dog", "pet"})
_SAFETY = frozenset({"diet.allergy", "health.condition", "health.medication"})
_FACTS = frozenset({"identity", "residence", "body", "pets", "membership", "attribute", "diet.allergy", "job"})
_RELIGIOUS = re.compile(
    r"清真|回族|穆斯林|信佛|斋|齋|犹太|宗教|\b(?:halal|kosher|muslim|ramadan|jain|hindu)\b", re.IGNORECASE
)
_RECURRING = re.compile(
    r"每|都(?:不|要|在|有|没|得|是|会)|一般|平时|平常|通常|总是|常年|从来|固定|经常|天天|向来|\b(?:every|each|always|never|usually|often|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|weekends|mornings|afternoons|evenings)\b",
    re.IGNORECASE,
)
_THIS_ONCE = re.compile(
    r"这次|这回|今天|明天|后天|今晚|下(?:个)?(?:周|月|星期|礼拜)|这(?:个)?(?:周|月|星期|礼拜)|最近|\b(?:this|next|tomorrow|today|tonight)\b",
    re.IGNORECASE,
)
_REMEMBER = re.compile(
    r"(?:请|麻烦|帮我|你|给我)*(?:记住|记一下|记着|记牢|记好|记得|记下来?)(?:了|啊|哈|哦|这个)*|(?:please )?(?:remember(?: this| that| it)?|keep (?:this |that )?in mind|note that)"
)
_SCENES = r"报告|报表|周报|日报|月报|邮件|代码注释|代码|注释|PPT|幻灯片|会议纪要|纪要|合同|方案|文案|表格|作业|菜谱|翻译|论文|总结|简历|海报"
_SCENE = re.compile(
    rf"^(?:以后|今后|往后|从今以后)?(?:我的?|给我|帮我)?(?:写|做|生成|出|发)?(?P<zh>{_SCENES})(?:里面?|时|的时候|中|上)?(?:都|一律|统一|要|请|用|只|别|不要|得|尽量|默认)"
    r"|\b(?:in|for) (?:my |all my |all |any |the )?(?P<en>reports?|e-?mails?|code|comments|slides|recipes?|homework|contracts?|minutes)\b"
    r"|^(?P<en2>reports?|e-?mails?|code|slides|recipes?|minutes) (?:should|must|need|always|in)\b",
    re.IGNORECASE,
)


def operation(judged: Judged, quote: str, message: str, key: Named, *, corrects: bool) -> CandidateOp:
    """Whether the words add, replace or take back."""
    if changes.forgotten(quote):
        return "retract"
    if corrects or key.old:
        return "supersede"
    if changes.denied(quote, message):
        return "retract"
    if changes.stopped(quote) and not re.search(r"[吃喝]", quote):
        return "retract"
    if judged.op != "retract" and changes.changed(quote, message):
        return "supersede"
    return cast(CandidateOp, judged.op)


def recurring(quote: str) -> bool:
    """Whether the words tell of a habit or a standing rule rather than of one day."""
    return _RECURRING.search(quote) is not None and _THIS_ONCE.search(quote) is None


def memory_type(judged: Judged, key: Named, *, recurs: bool) -> MemoryType:
    """Fact, preference or event; a profile field that a pattern found decides it."""
    domain = key.key.split(".")[0]
    if key.sure and (domain in _FACTS or key.key in _FACTS):
        return "fact"
    if key.sure and domain in ("reply", "preference"):
        return "preference"
    if judged.type == "event" and (recurs or key.key == "schedule.unavailable"):
        return "fact"
    return cast(MemoryType, judged.type)


def makes_rule(reading: Reading, at: int) -> bool:
    """Whether the user made it a rule or asked to remember it, in this clause or in one beside it that says only that."""
    if at < 0:
        return False
    if shows(reading.cues[at], "rule"):
        return True
    beside = [i for i in (at - 1, at + 1) if 0 <= i < len(reading.folded)]
    return any(_REMEMBER.fullmatch(reading.folded[i]) for i in beside)


def pinned(key: Named, quote: str, op: CandidateOp, whose: Subject, *, temporary: bool) -> bool:
    """Whether forgetting it could hurt the user: an allergy, a lasting condition, a medicine, a religious diet."""
    if op == "retract" or whose.code not in OWN or temporary:
        return False
    return key.key in _SAFETY or (key.key == "diet.restriction" and _RELIGIOUS.search(quote) is not None)


def scene_of(quote: str) -> str | None:
    """The only situation a preference is for ("报告用表格" → 报告), or None."""
    match = _SCENE.search(quote)
    if match is None:
        return None
    return match["zh"] or fold(match["en"] or match["en2"])


def full_key(key: str, whose: Subject) -> str:
    """A key with the person or pet it is about before it; the user's own stay bare."""
    if whose.code in OWN:
        return key
    return f"pets.{whose.code}.{key}" if whose.code in PETS else f"family.{whose.code}.{key}"
