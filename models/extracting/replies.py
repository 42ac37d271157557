"""Reading a reply against what the assistant had just said: what is stated, of whom, under which key."""

import re
from dataclasses import dataclass

from zhiji.models.extracting import answers
from zhiji.models.extracting.cues import shows
from zhiji.models.extracting.features import Reading
from zhiji.models.extracting.keys import Named, named, topic_of
from zhiji.models.extracting.people import USER, Subject, subjects
from zhiji.models.extracting.wording import user_word

SHORT_ZH, SHORT_EN = 8, 24
"""Characters up to which a reply is taken for an answer rather than a statement of its own."""
_CLAIM = re.compile(
    r"(?:^|[。！!？?，,\s])我(?P<said>[^。！!？?，,我你您]{2,24})|\bi (?P<en>[^.!?,]{2,60})", re.IGNORECASE
)
_SEVERAL = re.compile(r"[、和跟及]|还有|或者|有没有.*有没有|\band\b|,", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply made complete."""

    content: str
    key: Named
    whose: Subject
    negative: bool = False


def completed(reading: Reading, at: int, quote: str, guess: str) -> Reply | None:
    """The reply in clause `at` with what it answers, or None if it speaks for itself."""
    if reading.asked and answers.is_too(quote):
        return _me_too(reading, guess)
    if not reading.answers or not _bare(reading, at, quote):
        return None
    asked = answers.questions(reading.asked)
    if not asked:
        return None
    question = asked[at] if len(asked) == len(reading.clauses) else asked[-1]
    stated = answers.answered(question, quote, han=reading.han)
    whose = _whose(question, han=reading.han)
    return Reply(stated.content, _key(stated, question, guess, whose, han=reading.han), whose, stated.negative)


def one_answer(reading: Reading, at: int) -> bool:
    """Whether clause `at` is a further fragment of the one answer to the one thing that was asked."""
    asked = answers.questions(reading.asked)
    if len(asked) != 1 or _SEVERAL.search(asked[0]):
        return False
    return all(_fragment(reading, place) for place in range(at + 1))


def _fragment(reading: Reading, at: int) -> bool:
    """Whether a clause is a bare name or amount, with nothing said of it."""
    text = reading.clauses[at].text
    says = shows(reading.cues[at], "no", "averse", "change", "prefer", "plan", "name", "habit")
    return _bare(reading, at, text) and not says and not answers.is_yes(text)


def goes_on_from_yes(reading: Reading, at: int) -> bool:
    """Whether clause `at` only says again what the yes before it has said ("对，还在宁波")."""
    said_yes = at == 1 and reading.answers and answers.is_yes(reading.clauses[0].text)
    return said_yes and len(answers.questions(reading.asked)) == 1 and _bare(reading, at, reading.clauses[at].text)


def _bare(reading: Reading, at: int, quote: str) -> bool:
    if answers.is_yes(quote) or answers.is_no(quote):
        return True
    short = len(quote) <= (SHORT_ZH if reading.han else SHORT_EN)
    return short and not shows(reading.cues[at], "i", "mine", "family", "pet")


def _whose(question: str, *, han: bool) -> Subject:
    """Whom the assistant asked about: "您家孩子" is the user's child."""
    mine = re.sub(r"[您你](?:们)?", "我", question) if han else re.sub(r"\byour\b", "my", question, flags=re.IGNORECASE)
    found = subjects(
        [
            re.sub(
                r"^\W*(?:how old (?:is|are)|what(?:'s| is| are)|is|are|does|do|where (?:is|does|do)) ",
                "",
                mine,
                flags=re.IGNORECASE,
            )
        ],
        han=han,
    )[0]
    return found if found.code != "other" else USER


def _key(stated: answers.Answer, question: str, guess: str, whose: Subject, *, han: bool) -> Named:
    own = whose.code == "user"
    if "“" in stated.content:
        found = named(stated.value, han=han, own=own, guess=guess)
    else:
        found = named(re.sub(r"用[户戶]", "我", stated.content), han=han, own=own, guess=guess)
    if found.sure:
        return found
    return Named(topic_of(question) or found.key, stated.value, sure=bool(topic_of(question)))


def _me_too(reading: Reading, guess: str) -> Reply | None:
    """The same said of the user as the assistant said of itself ("我也是")."""
    match = _CLAIM.search(reading.asked)
    if match is None:
        return None
    if reading.han and match["said"]:
        content = f"{user_word(reading.text)}也{match['said'].strip()}"
        return Reply(content, named("我" + match["said"], han=True, own=True, guess=guess), USER)
    said = (match["en"] or match["said"]).strip()
    return Reply(f"The user also says: I {said}", named(f"I {said}", han=False, own=True, guess=guess), USER)
