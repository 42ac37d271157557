"""Which stretches of a message are worth keeping: one clause, or several that make one memory."""

from collections.abc import Iterator
from dataclasses import dataclass

from zhiji.models.extracting import changes
from zhiji.models.extracting.asking import is_filler, is_question
from zhiji.models.extracting.cues import shows
from zhiji.models.extracting.features import Reading
from zhiji.models.extracting.judge import Judged
from zhiji.models.extracting.keys import named
from zhiji.models.extracting.people import Subject
from zhiji.models.extracting.replies import goes_on_from_yes, one_answer
from zhiji.models.extracting.superiors import tells_name
from zhiji.models.statements.passing import in_passing

EXPLICIT_SHARE = 0.4
"""An explicit correction or withdrawal needs this share of the usual threshold, and so does a field of the profile told
with "I" (of the training lines so kept, 28 in 31 are right by cross-validation)."""
JOINED = 0.4
"""Probability from which two clauses make one memory."""
LEANS = 0.15
"""The same where one of them is not kept by itself."""
OTHERS_THRESHOLD = 0.75
"""What somebody else does or says is kept only if the classifier is this sure, and only where it names the user."""
CHANGE_SHARE, CHANGE_CLEAR = 0.6, 0.5
"""The same of words that change something with this probability: a missed change leaves what is no longer so."""
LIKING_SHARE = 0.6
"""The same of a liking told with "I" at its start, which may stand beside what others like."""
QUESTION_THRESHOLD = 0.8
"""A question is kept only if the classifier is this sure, and only where it speaks of the user or the family."""


_FIELDS = frozenset({"identity", "residence", "body", "job", "possessions", "pets", "diet"})
"""Domains of the profile whose patterns may be trusted."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of a message that becomes one candidate: one clause or several next to each other."""

    at: int
    start: int
    end: int
    correction: changes.Correction | None = None


def units(reading: Reading, judged: list[Judged], whose: list[Subject], threshold: float) -> Iterator[Unit]:
    """The stretches of a message that become candidates, in order."""
    corrected = changes.corrections(reading.text)
    reached = 0
    for at, clause in enumerate(reading.clauses):
        correction = next((c for c in corrected if c.start < clause.end and clause.start < c.end), None)
        if clause.end <= reached or not _kept(
            reading, at, judged[at], whose[at], threshold, explicit=correction is not None
        ):
            continue
        if correction is None:
            first = _first(reading, judged, at, reached, threshold)
            start, reached = reading.clauses[first].start, reading.clauses[_last(reading, judged, at, threshold)].end
        else:
            start, reached = min(clause.start, correction.start), max(clause.end, correction.end)
        yield Unit(at, start, reached, correction)


def _first(reading: Reading, judged: list[Judged], at: int, reached: int, threshold: float) -> int:
    """The first clause of a unit whose main one is `at`: what only leads to it is told with it."""
    first = at
    while (
        first
        and reading.clauses[first - 1].start >= reached
        and (_same_memory(reading, judged, first, threshold) or (first == at and _names_what_ends(reading, judged, at)))
    ):
        first -= 1
    return first


def _names_what_ends(reading: Reading, judged: list[Judged], at: int) -> bool:
    """Whether the clause before a withdrawal names what is withdrawn ("吉他呢，不学了"); of the training lines 35 in 42."""
    one, other = reading.clauses[at - 1], reading.clauses[at]
    ends = judged[at].op == "retract" or changes.forgotten(other.text)
    says = not (one.quoted or is_question(one) or is_filler(one.text) or changes.only_mistaken(one.text))
    return ends and says and one.sentence == other.sentence


def _last(reading: Reading, judged: list[Judged], at: int, threshold: float) -> int:
    """The last clause of a unit that begins with clause `at`: an answer in several fragments is one memory."""
    last = at
    while last + 1 < len(reading.clauses) and (
        one_answer(reading, last + 1)
        or goes_on_from_yes(reading, last + 1)
        or _same_memory(reading, judged, last + 1, threshold)
    ):
        last += 1
    return last


def _same_memory(reading: Reading, judged: list[Judged], at: int, threshold: float) -> bool:
    """Whether a clause and the one before it make one memory ("我坐高铁喜欢靠窗，最好是F座")."""
    one, other = reading.clauses[at - 1], reading.clauses[at]
    if one.sentence == other.sentence and changes.only_forgets(other.text) and not one.quoted:
        return True
    if one.quoted or other.quoted or is_question(one) or is_question(other) or is_filler(one.text):
        return False
    if changes.corrections(one.text + other.text) or reading.whose[at].code != reading.whose[at - 1].code:
        return False
    return judged[at].joins >= (LEANS if _leans(reading, judged, at, threshold) else JOINED)


def _leans(reading: Reading, judged: list[Judged], at: int, threshold: float) -> bool:
    """Whether one of two clauses would not be kept by itself; complaints and changes are told one by one."""
    both = (at - 1, at)
    told_apart = any(shows(reading.cues[i], "health") or judged[i].change >= CHANGE_CLEAR for i in both)
    return not told_apart and min(judged[i].keep for i in both) < threshold


def _kept(reading: Reading, at: int, judged: Judged, whose: Subject, threshold: float, *, explicit: bool) -> bool:
    clause, found = reading.clauses[at], reading.cues[at]
    if clause.quoted or reading.worked_on(at) or _near_secret(reading, at):
        return False
    if whose.code == "other" and whose.explicit:  # "医生让我忌口" is the user's own; "我朋友不吃辣" never comes near
        return judged.keep >= max(threshold, OTHERS_THRESHOLD) and shows(found, "i", "we", "mine")
    if is_filler(clause.text) or changes.only_mistaken(clause.text):
        return False
    asks = is_question(clause)
    if tells_outright(reading, at, whose) and not asks and not shows(found, "if", "play") and not reading.handed_over:
        return True
    if asks:
        return judged.keep >= max(threshold, QUESTION_THRESHOLD) and shows(found, "i", "mine", "we", "family", "pet")
    return judged.keep >= threshold * _share(reading, at, judged, whose, explicit=explicit)


def _share(reading: Reading, at: int, judged: Judged, whose: Subject, *, explicit: bool) -> float:
    """How much of the usual threshold a clause needs: what it says outright needs less."""
    clause, found = reading.clauses[at], reading.cues[at]
    if shows(found, "if", "play"):
        return 1.0
    told_off = changes.forgotten(clause.text) and changes.tells_of_telling(clause.text)
    if explicit or told_off or changes.denied(clause.text, reading.text):
        return EXPLICIT_SHARE
    if whose.code == "user" and whose.explicit and not reading.handed_over and _tells_field(reading, at):
        return EXPLICIT_SHARE
    if judged.change >= CHANGE_CLEAR:
        return CHANGE_SHARE
    likes = whose.code == "user" and shows(found, "i_first") and shows(found, "prefer", "averse")
    return LIKING_SHARE if likes and not reading.handed_over else 1.0


def _tells_field(reading: Reading, at: int) -> bool:
    key = named(reading.clauses[at].text, han=reading.han, own=True, guess="")
    return key.sure and key.key.split(".")[0] in _FIELDS


def tells_outright(reading: Reading, at: int, whose: Subject) -> bool:
    """Whether a clause tells a name, or the user's own sign or gender, so that no classifier need be asked."""
    text = reading.clauses[at].text
    if tells_name(text):
        return True
    return reading.han and whose.code == "user" and in_passing(text) is not None


def _near_secret(reading: Reading, at: int) -> bool:
    """Whether a clause with digits names a password, a card or a code, or follows one that does."""
    named_here = shows(reading.cues[at], "secret") or (at > 0 and shows(reading.cues[at - 1], "secret"))
    return named_here and any(sign.isdigit() for sign in reading.clauses[at].text)
