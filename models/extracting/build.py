"""From judged clauses to candidate memories."""

import re
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import Literal, cast

from zhiji.core.secrets import find_secret
from zhiji.core.turn import MemoryType
from zhiji.models.extract import Candidate, CandidateOp
from zhiji.models.extracting import answers, changes, dates
from zhiji.models.extracting.clauses import Clause
from zhiji.models.extracting.cues import shows
from zhiji.models.extracting.features import Reading
from zhiji.models.extracting.judge import Judged
from zhiji.models.extracting.keys import Named, named, rest_of
from zhiji.models.extracting.people import Subject, subjects
from zhiji.models.extracting.wording import asks_assistant as asks_zh
from zhiji.models.extracting.wording import third_person_zh
from zhiji.models.extracting.wording_en import asks_assistant as asks_en
from zhiji.models.extracting.wording_en import third_person_en

_SAFETY = ("diet.allergy", "diet.restriction", "health.condition", "health.medication")
_RELIGIOUS = re.compile(r"清真|回族|穆斯林|信佛|斋|犹太|宗教|halal|kosher|muslim|ramadan|jain|hindu", re.IGNORECASE)
_SCENE = re.compile(
    r"^(?:以后|今后|往后)?(?:写|做|生成|出|发)?(?P<zh>报告|周报|日报|邮件|代码|代码注释|注释|PPT|会议纪要|合同|方案|文案|表格|作业|菜谱|翻译|论文|总结)(?:里|时|的时候|中)?(?:都|一律|统一|要|请|用|只|别|不要)"
    r"|\b(?:in|for) (?:my |all my |all |any )?(?P<en>reports?|e-?mails?|code|comments|slides|recipes?|homework|contracts?|minutes)\b",
    re.IGNORECASE,
)
_SINGLE = frozenset("user other".split())


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of a message that becomes one candidate: one clause or several next to each other."""

    at: int
    start: int
    end: int
    correction: changes.Correction | None = None


def candidates(reading: Reading, judged: list[Judged], turn: int, said: datetime | None, zone: tzinfo | None, threshold: float) -> list[Candidate]:
    """Candidates of one message; what holds a secret, or is about somebody outside the family, is left out."""
    whose = subjects([clause.text for clause in reading.clauses], han=reading.han)
    found: list[Candidate] = []
    for unit in _units(reading, judged, whose, threshold):
        quote = reading.text[unit.start : unit.end]
        if find_secret(quote) is not None or (find_secret(reading.text) is not None and shows(reading.cues[unit.at], "secret")):
            continue
        found.append(_candidate(reading, judged[unit.at], whose[unit.at], unit, quote, turn, said, zone))
    return _without_repeats(found)


def _units(reading: Reading, judged: list[Judged], whose: list[Subject], threshold: float) -> list[Unit]:
    corrected = changes.corrections(reading.text)
    units: list[Unit] = []
    for at, clause in enumerate(reading.clauses):
        correction = next((c for c in corrected if c.start < clause.end and clause.start < c.end), None)
        if any(correction is not None and unit.correction is correction for unit in units):
            continue
        if not _kept(reading, at, judged[at], whose[at], correction, threshold):
            continue
        start, end = _extent(clause, correction)
        units.append(Unit(at, start, end, correction))
    return units


def _kept(reading: Reading, at: int, judged: Judged, whose: Subject, correction: changes.Correction | None, threshold: float) -> bool:
    clause = reading.clauses[at]
    if clause.quoted or (whose.code == "other" and whose.explicit):
        return False
    if clause.stop in ("?", "？") and not _states(reading, at):
        threshold = max(threshold, _QUESTION_THRESHOLD)
    if correction is not None and clause.stop not in ("?", "？") and not shows(reading.cues[at], "if", "play"):
        return judged.keep >= threshold * _EXPLICIT_SHARE
    if changes.forgotten(clause.text) and shows(reading.cues[at], "i", "mine", "drop"):
        return judged.keep >= threshold * _EXPLICIT_SHARE
    return judged.keep >= threshold


_EXPLICIT_SHARE = 0.4
"""An explicit correction or withdrawal needs this share of the usual threshold."""
_QUESTION_THRESHOLD = 0.8
"""A clause that ends in a question mark is kept only if the classifier is this sure."""


def _states(reading: Reading, at: int) -> bool:
    return bool(shows(reading.cues[at], "i", "mine", "family", "pet"))


def _extent(clause: Clause, correction: changes.Correction | None) -> tuple[int, int]:
    if correction is None:
        return clause.start, clause.end
    return min(clause.start, correction.start), max(clause.end, correction.end)


def _candidate(
    reading: Reading, judged: Judged, whose: Subject, unit: Unit, quote: str, turn: int, said: datetime | None, zone: tzinfo | None
) -> Candidate:
    clause = reading.clauses[unit.at]
    own = whose.code in _SINGLE
    key = named(quote if unit.correction is None else _right_part(quote, unit.correction), han=reading.han, own=own, guess=judged.key)
    key = _corrected(key, unit.correction)
    op = _op(reading, unit, judged, quote, key)
    rule = shows(reading.cues[unit.at], "rule") or (unit.at > 0 and _remember(reading, unit.at - 1)) or _remember(reading, unit.at + 1)
    content = _content(reading, unit, quote, whose, key, op, rule)
    negative = judged.negative > 0.5
    reply = _reply(reading, unit, quote)
    if reply is not None and op == "add":
        content, key = reply.content, replace(key, value=reply.value) if not key.sure else key
        negative = reply.negative
    content, when = dates.resolve(content, said) if judged.type == "event" or judged.temporary > 0.5 else (content, [])
    temporary = judged.temporary > 0.5
    ends = dates.end_of(when[-1].last, said.tzinfo if said and said.tzinfo else zone) if when and temporary else None
    scene = _SCENE.search(quote)
    kind = _type(judged, key, rule)
    return Candidate(
        op=op,
        type=kind,
        key=_full_key(key, whose),
        value=key.value,
        content=content,
        quote=quote,
        turn=turn,
        subject=whose.code if whose.code != "other" else "user",
        polarity="-" if negative and not _denied_allergy(key) else "+",
        temporary=temporary,
        rule=rule,
        pinned=_pinned(key, kind, quote, op, own, negative),
        replaces=key.old,
        scene=(scene["zh"] or scene["en"].lower()) if scene else None,
        expire_at=ends,
        confidence=round(judged.keep, 3),
    ) if clause else _never()  # pragma: no branch


def _never() -> Candidate:
    raise AssertionError


def _right_part(quote: str, correction: changes.Correction) -> str:
    at = quote.rfind(correction.new)
    head = quote[:at]
    cut = max(head.rfind(sign) for sign in "，,。；; ")
    return quote[cut + 1 :].strip()


def _corrected(key: Named, correction: changes.Correction | None) -> Named:
    if correction is None:
        return key
    value = key.value if key.sure else correction.new
    return Named(key.key, value, correction.old, key.sure)


def _op(reading: Reading, unit: Unit, judged: Judged, quote: str, key: Named) -> CandidateOp:
    if changes.forgotten(quote):
        return "retract"
    if unit.correction is not None or key.old:
        return "supersede"
    if changes.stopped(quote) and not re.search(r"吃|喝", quote):
        return "retract"
    return cast(CandidateOp, judged.op if judged.op_sure >= _OP_SURE else "add")


_OP_SURE = 0.5


def _remember(reading: Reading, at: int) -> bool:
    if not 0 <= at < len(reading.clauses):
        return False
    return re.fullmatch(r"(?:请|麻烦|帮我|你)*(?:记住|记一下|记着|记牢|记好|记得)(?:了|啊|哈|哦)*|(?:please )?(?:remember(?: this| that)?|keep in mind|note that)", reading.folded[at]) is not None


def _content(reading: Reading, unit: Unit, quote: str, whose: Subject, key: Named, op: CandidateOp, rule: bool) -> str:
    said = quote if unit.correction is None else _right_part(quote, unit.correction)
    del key, op
    if reading.han:
        return third_person_zh(said, whose, rule=rule or asks_zh(said))
    return third_person_en(said, whose, rule=rule or asks_en(said))


def _reply(reading: Reading, unit: Unit, quote: str) -> answers.Answer | None:
    """The answer to what the assistant had just asked, where the words alone say too little."""
    if not reading.answers or unit.correction is not None:
        return None
    asked = answers.questions(reading.asked)
    bare = len(quote) <= (8 if reading.han else 24)
    own = shows(reading.cues[unit.at], "i") and not answers.is_yes(quote)
    if not asked or own or not (bare or answers.is_yes(quote) or answers.is_no(quote)):
        return None
    if len(asked) == len(reading.clauses):
        return answers.answered(asked[unit.at], quote, han=reading.han)
    return answers.answered(asked[-1] if len(asked) == 1 else " ".join(asked), quote, han=reading.han)


def _type(judged: Judged, key: Named, rule: bool) -> MemoryType:
    if key.sure and key.key.split(".")[0] in ("identity", "residence", "job", "body", "pets", "membership", "attribute"):
        return "fact"
    if key.key == "diet.allergy":
        return "fact"
    if key.sure and key.key.startswith(("reply.", "preference.")):
        return "preference"
    del rule
    return cast(MemoryType, judged.type)


def _full_key(key: Named, whose: Subject) -> str:
    if whose.code in _SINGLE:
        return key.key
    return f"pets.{whose.code}" if whose.code in ("cat", "dog", "pet") else f"family.{whose.code}.{key.key}"


def _denied_allergy(key: Named) -> bool:
    return key.key == "diet.allergy"


def _pinned(key: Named, kind: str, quote: str, op: CandidateOp, own: bool, negative: bool) -> bool:
    del kind, negative
    if op == "retract" or not own:
        return False
    if key.key == "diet.restriction":
        return _RELIGIOUS.search(quote) is not None
    return key.key in _SAFETY


def _without_repeats(found: list[Candidate]) -> list[Candidate]:
    kept: list[Candidate] = []
    for one in found:
        if not any(other.key == one.key and other.value == one.value and other.op == one.op for other in kept):
            kept.append(one)
    return kept


Polarity = Literal["+", "-"]
