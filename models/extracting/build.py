"""From judged clauses to candidate memories."""

import re
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from zhiji.core.secrets import find_secret
from zhiji.core.text import has_cjk
from zhiji.models.extract import Candidate
from zhiji.models.extracting import changes, dates, kinds
from zhiji.models.extracting.cues import shows
from zhiji.models.extracting.features import Reading
from zhiji.models.extracting.judge import Judged
from zhiji.models.extracting.keys import Named, named, rest_of, topic_of
from zhiji.models.extracting.numerals import in_digits
from zhiji.models.extracting.people import Subject
from zhiji.models.extracting.replies import completed
from zhiji.models.extracting.units import Unit, units
from zhiji.models.extracting.wording import asks_assistant as asks_zh
from zhiji.models.extracting.wording import third_person_zh, user_word
from zhiji.models.extracting.wording_en import asks_assistant as asks_en
from zhiji.models.extracting.wording_en import third_person_en, without_filler


@dataclass(frozen=True, slots=True)
class Told:
    """What a unit says: a sentence about somebody, under a key."""

    content: str
    key: Named
    whose: Subject
    negative: bool


@dataclass(frozen=True, slots=True)
class When:
    """When a message was said, and where the user's clock stands; None where that is not known."""

    said: datetime | None
    zone: tzinfo | None = None

    def local(self) -> datetime | None:
        """The moment on the user's clock."""
        return self.said.astimezone(self.zone) if self.said else None


def candidates(reading: Reading, judged: list[Judged], turn: int, when: When, threshold: float) -> list[Candidate]:
    """Candidates of one message; what holds a secret, or is about somebody outside the family, is left out."""
    if reading.played:
        return []
    whose = reading.whose
    hides = find_secret(reading.text) is not None
    found: list[Candidate] = []
    before: dict[int, Told] = {}
    for unit in units(reading, judged, whose, threshold):
        quote = reading.text[unit.start : unit.end]
        if find_secret(quote) is None and not (hides and shows(reading.cues[unit.at], "secret")):
            told = _told(reading, judged[unit.at], whose[unit.at], unit, quote, before.get(unit.at - 1))
            before[unit.at] = told
            if find_secret(told.content) is None:
                found.append(_candidate(reading, judged[unit.at], unit, quote, told, turn, when))
    return _joined(found, reading.text)


def _told(reading: Reading, judged: Judged, whose: Subject, unit: Unit, quote: str, before: Told | None) -> Told:
    negative = judged.negative > 0.5 and shows(reading.cues[unit.at], "no", "averse", "allergy", "change", "drop")
    if changes.forgotten(quote):
        return _withdrawn(reading, judged, whose, quote)
    if unit.correction is not None:
        return _corrected(reading, judged, whose, quote, unit.correction)
    reply = completed(reading, unit.at, quote, judged.key)
    if reply is not None:
        return Told(reply.content, reply.key, reply.whose, reply.negative)
    own = whose.code in kinds.OWN
    key = named(reading.clauses[unit.at].text, han=reading.han, own=own, guess=judged.key, whose=whose.words)
    if not key.sure:
        key = named(quote, han=reading.han, own=own, guess=judged.key, whose=whose.words)
    if not key.old:
        key = replace(key, old=changes.replaced_in(quote))
    left = changes.stopped(quote) or changes.denied(quote, reading.text)
    if left and not key.sure:
        key = replace(key, value=rest_of(left, han=reading.han))
    if before is not None and _needs_lead(reading, unit.at, key, before):
        led = f"{reading.clauses[unit.at - 1].text}{'，' if reading.han else ', '}{without_filler(quote)}"
        return Told(_worded(reading, unit.at, led, reading.whose[unit.at - 1]), key, whose, negative)
    return Told(_worded(reading, unit.at, quote, whose), key, whose, negative)


def _needs_lead(reading: Reading, at: int, key: Named, before: Told) -> bool:
    """Whether a clause should be told with the one before: both tell of the same, and it names nobody itself.

    "我上夜班，早上八点下班": the second part would say too little alone.
    """
    if key.sure or before.key.sure or key.key != before.key.key or key.key == "other":
        return False
    if shows(reading.cues[at], "health"):  # a complaint says enough alone, and two in one sentence would pass for one
        return False
    return not reading.whose[at].explicit and reading.clauses[at].sentence == reading.clauses[at - 1].sentence


def _worded(reading: Reading, at: int, said: str, whose: Subject) -> str:
    asked = kinds.makes_rule(reading, at)
    if reading.han:
        return third_person_zh(said, whose, rule=asked or asks_zh(said))
    return third_person_en(said, whose, rule=asked or asks_en(said))


def _withdrawn(reading: Reading, judged: Judged, whose: Subject, quote: str) -> Told:
    """What is to be forgotten: its key, and its value where the words name it."""
    about = changes.what_is_forgotten(quote) or _said_before(reading, quote)
    key = named(about, han=reading.han, own=whose.code in kinds.OWN, guess=judged.key, whose=whose.words)
    topic = topic_of(about)
    if not key.sure and topic:
        key = Named(topic, "", sure=True)
    if reading.han:
        content = (
            f"{user_word(quote)}要求忘掉：{third_person_zh(about, whose)}"
            if about
            else f"{user_word(quote)}要求忘掉刚才说的"
        )
    else:
        content = f"The user asks to forget: {about}"
    return Told(content, key, whose, judged.negative > 0.5)


def _said_before(reading: Reading, quote: str) -> str:
    """What "that" means in "forget that": the clause before, else what the user had said before."""
    before = reading.text[: reading.text.index(quote)].strip(" ，,。.!！\n")
    said = before or reading.earlier
    clauses = Reading(said).clauses
    return clauses[-1].text if clauses else ""


def _corrected(reading: Reading, judged: Judged, whose: Subject, quote: str, correction: changes.Correction) -> Told:
    said = changes.right_part(quote, correction)
    key = named(said, han=reading.han, own=whose.code in kinds.OWN, guess=judged.key, whose=whose.words)
    if not key.sure and topic_of(quote):
        key = Named(topic_of(quote), correction.new, sure=True)
    content = _worded(reading, -1, said, whose)
    if not reading.han:
        about = "The user's name is" if key.key == "identity.name" else "The user corrects this to"
        content = content if re.match(r"(?:i|my|we)\b", said, re.IGNORECASE) else f"{about} {correction.new}"
    value = key.value if key.sure and key.value else correction.new
    return Told(content, Named(key.key, value, correction.old, key.sure), whose, False)


def _candidate(
    reading: Reading, judged: Judged, unit: Unit, quote: str, told: Told, turn: int, when: When
) -> Candidate:
    op = kinds.operation(judged, quote, reading.text, told.key, corrects=unit.correction is not None)
    recurs = kinds.recurring(quote)
    kind = kinds.memory_type(judged, told.key, recurs=recurs)
    temporary = judged.temporary > 0.5 and not recurs and op != "retract"
    content, expires = _dated(told, when.local(), temporary=temporary, recurs=recurs)
    return Candidate(
        op=op,
        type=kind,
        key=kinds.full_key(told.key.key, told.whose),
        value=told.key.value,
        content=content,
        quote=quote,
        turn=turn,
        subject=told.whose.code if told.whose.code != "other" else "user",
        polarity="-" if told.negative and told.key.key != "diet.allergy" else "+",
        temporary=temporary,
        rule=kinds.makes_rule(reading, unit.at),
        pinned=kinds.pinned(told.key, quote, op, told.whose, temporary=temporary),
        replaces=changes.a_value(told.key.old),
        scene=kinds.scene_of(quote),
        expire_at=expires,
        confidence=round(judged.keep, 3),
    )


def _dated(told: Told, said: datetime | None, *, temporary: bool, recurs: bool) -> tuple[str, datetime | None]:
    """A sentence with its relative dates written out, and when it ends to be true.

    A passing state without a date of its own bears that of the day it was told.
    """
    content = in_digits(told.content)
    if said is None or recurs or told.key.key in _WHOLE_DATES:
        return content, None
    dated, days = dates.resolve(content, said)
    if days:
        return dated, dates.end_of(days[-1].last, said.tzinfo) if temporary else None
    if not temporary:
        return content, None
    day = said.date().isoformat()
    return (f"{day}时{content}" if has_cjk(content) else f"As of {day}, {content[0].lower()}{content[1:]}"), None


_WHOLE_DATES = frozenset({"identity.birthday", "birthday", "identity.age", "schedule.unavailable"})
"""Keys whose dates are not counted from the day they were told."""


def _joined(found: list[Candidate], text: str) -> list[Candidate]:
    """The same told twice becomes one; "改喝美式了，不喝拿铁了" is one replacement that names what is gone."""
    kept: list[Candidate] = []
    for one in found:
        if any(_repeats(other, one) for other in kept):
            continue
        if kept and _only_stresses(kept[-1], one):
            kept[-1] = replace(kept[-1], quote=_both(kept[-1], one, text))
            continue
        if kept and _announces(kept[-1], one):
            kept[-1] = replace(one, op="supersede", quote=_both(kept[-1], one, text))
            continue
        if kept and _gives_way(kept[-1], one):
            gone = changes.a_value(changes.given_up(kept[-1].value))
            kept[-1] = replace(one, replaces=one.replaces or gone, quote=_both(kept[-1], one, text))
            continue
        pair = next((other for other in kept if _replaces(other, one)), None)
        if pair is None:
            kept.append(one)
            continue
        new, old = (pair, one) if pair.polarity == "+" else (one, pair)
        kept[kept.index(pair)] = replace(
            new, op="supersede", replaces=changes.a_value(old.value), quote=_both(pair, one, text)
        )
    return kept


def _both(one: Candidate, other: Candidate, text: str) -> str:
    """The stretch of a message that holds both quotes."""
    start = min(text.index(one.quote), text.index(other.quote))
    return text[start : max(text.index(one.quote) + len(one.quote), text.index(other.quote) + len(other.quote))]


def _announces(one: Candidate, following: Candidate) -> bool:
    """Whether a clause only says that something changed, and the next one what it is now ("我换工作了，现在当老师")."""
    domain, _, rest = one.key.partition(".")
    return (
        one.op == "supersede"
        and rest == "other"
        and following.op != "retract"
        and following.key != one.key
        and following.key.split(".", 1)[0] == domain
        and following.subject == one.subject
    )


def _only_stresses(one: Candidate, following: Candidate) -> bool:
    """Whether a clause names nothing new of what the one before says ("我讨厌咖啡，一口都不喝了")."""
    same = one.key == following.key and one.subject == following.subject
    return same and one.op != "retract" and bool(following.value) and not changes.a_value(following.value)


def _gives_way(one: Candidate, following: Candidate) -> bool:
    """Whether a clause takes back what the next one puts something else in the place of ("不养猫了，换成狗")."""
    return (
        one.op == "retract"
        and following.op == "supersede"
        and following.key == one.key
        and following.subject == one.subject
    )


def _repeats(one: Candidate, other: Candidate) -> bool:
    both = one.op == other.op == "retract" and (not one.value or not other.value or one.content == other.content)
    return both or (
        one.key == other.key and one.value == other.value and one.op == other.op and one.subject == other.subject
    )


def _replaces(one: Candidate, other: Candidate) -> bool:
    domains = {one.key.split(".")[-1], other.key.split(".")[-1]}
    related = one.key == other.key or domains <= {"drink", "food", "restriction"}
    changed = "supersede" in (one.op, other.op)
    return related and changed and one.subject == other.subject and one.polarity != other.polarity and not one.replaces
