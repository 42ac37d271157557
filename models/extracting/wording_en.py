"""Putting an English clause into the third person: one complete sentence about the user."""

import re

from zhiji.models.extracting.people import Subject

_FILLER = re.compile(
    r"^(?:(?:and|but|so|also|well|ok|okay|oh|yeah|yes|yep|actually|btw|by the way|anyway|honestly|fyi|for context|hi|hello|hey|because|cos|cuz|since|plus|though|quick one"
    r"|please remember(?: that)?|remember(?: that)?|note that|keep in mind(?: that)?)\b[,:;\s]*)+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:[\s,;:.!~]|\blol\b|\bhaha\w*\b|\bpls\b|\bplease\b|\btho\b|\bthanks\b|[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f])+$",
    re.IGNORECASE,
)
_ADVERBS = (
    r"(?:(?:always|never|usually|often|also|really|only|just|still|already|mostly|mainly|currently|normally|generally|sometimes|rarely|now|actually|recently|both|all"
    r"|hardly|no longer|typically|absolutely|probably|finally|even)\s+)*"
)
_FIXED = (
    "can could will would shall should may might must had did was used ought went got bought moved lost left found became began took told said made met"
    " ate drank drove gave knew came came ran saw sold spent taught thought wrote won built broke chose felt grew kept paid quit put set cut hurt let"
).split()
_FORMS = {"am": "is", "are": "is", "'m": "is", "have": "has", "do": "does", "don't": "doesn't", "dont": "doesn't", "haven't": "hasn't", "were": "was", "aren't": "isn't",
          "weren't": "wasn't", "go": "goes"}  # fmt: skip
_CONTRACTED = [
    (re.compile(r"\b(?:i'm|i’m|im|i am|we're|we’re|we are)\b", re.IGNORECASE), "the user is"),
    (re.compile(r"\b(?:i've|i’ve|ive|we've|we’ve)\b", re.IGNORECASE), "the user has"),
    (re.compile(r"\b(?:i'll|i’ll|we'll)\b", re.IGNORECASE), "the user will"),
    (re.compile(r"\b(?:i'd|i’d|we'd)\b", re.IGNORECASE), "the user would"),
]
_WORDS = [
    (re.compile(r"\b(?:my|our)\b", re.IGNORECASE), "the user's"),
    (re.compile(r"\b(?:mine|ours)\b", re.IGNORECASE), "the user's"),
    (re.compile(r"\b(?:myself|ourselves)\b", re.IGNORECASE), "themselves"),
    (re.compile(r"\b(?:me|us)\b"), "the user"),
    (re.compile(r"\b(?:i|we)\b(?!')", re.IGNORECASE), "the user"),
    (re.compile(r"\b(?:your|ur)\b", re.IGNORECASE), "the assistant's"),
    (re.compile(r"\b(?:you|u)\b", re.IGNORECASE), "the assistant"),
]
_AGAIN = re.compile(r"(?<=\bthe user )(?P<between>[^.;]*?)\bthe user's\b", re.IGNORECASE)
_VERB = re.compile(rf"\b(?:i|we)\s+(?P<adverbs>{_ADVERBS})(?P<verb>[a-z']+)", re.IGNORECASE)
_ASKS = re.compile(
    r"^(?:please |pls |can you |can u |could you |kindly |from now on,? |going forward,? |in future,? |whenever [^,]*, )*"
    r"(?:always|never|don't|dont|do not|stop|use|answer|reply|respond|keep|call|give|write|avoid|make|send|speak|talk|skip|show|put|no|remember|remind|tell|only|stick|address|cut|leave|flag|say)\b",
    re.IGNORECASE,
)
_BARE_VERB = re.compile(
    r"^(?:got|had|went|moved|bought|started|switched|quit|gave|live|lives|lived|work|worked|love|like|hate|prefer|want|need|use|been|born|did|teach|run|play|drive|don't|dont|can't|cant|cannot|never|always|usually)\b",
    re.IGNORECASE,
)


def without_filler(clause: str) -> str:
    """An English clause without the words that only join it to what stands before.

    >>> without_filler("and I love tea")
    'I love tea'
    """
    return _FILLER.sub("", clause).strip() or clause


def asks_assistant(clause: str) -> bool:
    """Whether an English clause tells the assistant what to do."""
    return bool(_ASKS.search(_FILLER.sub("", clause)))


def third_person_en(clause: str, subject: Subject, *, rule: bool = False) -> str:
    """An English clause as a sentence about the user.

    >>> third_person_en("I live in Hangzhou", Subject())
    'The user lives in Hangzhou'
    >>> third_person_en("I sold my car and my bike", Subject())
    'The user sold their car and their bike'
    >>> third_person_en("never call me mate again", Subject(), rule=True)
    'The user asks the assistant never to call them mate again'
    """
    bare = _TAIL.sub("", _FILLER.sub("", clause).strip()) or clause.strip()
    if rule and subject.code == "user" and asks_assistant(bare):
        return _request(bare)
    if subject.code not in ("user", "other") and not subject.explicit:
        bare = _named(bare, subject)
    sentence = _replace(bare)
    if "the user" not in sentence.lower():
        sentence = _headed(bare)
    return sentence[0].upper() + sentence[1:]


def _replace(text: str) -> str:
    sentence = _VERB.sub(lambda m: f"the user {m['adverbs']}{inflected(m['verb'])}", _before_verbs(text))
    for pattern, word in _WORDS:
        sentence = pattern.sub(word, sentence)
    while (again := _AGAIN.search(sentence)) is not None:
        sentence = f"{sentence[: again.start()]}{again['between']}their{sentence[again.end() :]}"
    return sentence


def _before_verbs(text: str) -> str:
    for pattern, word in _CONTRACTED:
        text = pattern.sub(word, text)
    return text


def _headed(bare: str) -> str:
    if _BARE_VERB.match(bare):
        return _replace("I " + bare[0].lower() + bare[1:])
    if re.match(r"^\w+ing\b", bare):
        return f"the user is {bare[0].lower()}{bare[1:]}"
    return f"the user says: {bare}"


def _named(bare: str, subject: Subject) -> str:
    for pattern, verb in (
        (r"^(?:he|she|it)(?:'s|’s) ", "is "),
        (r"^(?:he|she|it|they) ", ""),
        (r"^(?:his|her|its|their) ", "'s "),
    ):
        if re.match(pattern, bare, re.IGNORECASE):
            rest = re.sub(pattern, "", bare, flags=re.IGNORECASE)
            return f"{subject.words}{verb}{rest}" if verb == "'s " else f"{subject.words} {verb}{rest}"
    return bare


def _request(bare: str) -> str:
    words = re.sub(r"^(?:please|pls|kindly|can you|can u|could you|will you)\s+", "", bare, flags=re.IGNORECASE)
    start = re.match(
        r"^(?P<when>(?:from now on|going forward|in future|in the future|whenever [^,]*),?\s+)?(?:please\s+)?(?P<rest>.*)$",
        words,
        re.IGNORECASE | re.DOTALL,
    )
    when, rest = (start["when"] or "", start["rest"]) if start else ("", words)
    for pattern, word in (
        (r"\b(?:me|us)\b", "them"),
        (r"\b(?:i'm|im|i am)\b", "they are"),
        (r"\bi\b", "they"),
        (r"\b(?:my|our)\b", "their"),
        (r"\byour\b", "its"),
        (r"\byou\b", "it"),
    ):
        rest = re.sub(pattern, word, rest, flags=re.IGNORECASE)
    negated = re.match(r"^(?:don't|dont|do not|never|no)\s+", rest, re.IGNORECASE)
    if negated and negated.group().strip().lower() != "no":
        adverb = "never" if negated.group().strip().lower() == "never" else "not"
        rest = f"{adverb} to {rest[negated.end() :]}"
    elif negated:
        rest = f"to use {rest}"
    else:
        rest = f"to {rest[0].lower()}{rest[1:]}" if rest else "to remember this"
    tail = f" {when.strip().rstrip(',').lower()}" if when else ""
    return f"The user asks the assistant{tail} {rest}"


def inflected(verb: str) -> str:
    """A verb as it stands after "the user": present tense takes its -s, past and modal verbs stay.

    >>> inflected("live"), inflected("have"), inflected("moved"), inflected("study")
    ('lives', 'has', 'moved', 'studies')
    """
    low = verb.lower()
    if low in _FORMS:
        return _FORMS[low]
    if low in _FIXED or low.endswith(("ed", "n't", "ing")) or not low.isalpha():
        return verb
    if low.endswith("y") and len(low) > 2 and low[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if low.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")
