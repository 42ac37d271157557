"""Replies to greetings, chat, and statements that need no source."""

import re

from zhiji.core.text import Language, fold
from zhiji.models.answering.intent import Intent, about_the_assistant
from zhiji.models.answering.markers import neutral
from zhiji.models.answering.person import second_person
from zhiji.models.answering.phrases import phrase

INTENTS = frozenset({"greeting", "thanks", "farewell", "chat", "statement"})
LONGEST_RESTATED = 60
_LEAD = re.compile(
    r"^(?:请|你)?(?:要)?(?:帮我)?(?:记住|记一下|记下来?|记得)[，,：: ]*|^(?:please )?(?:remember|note)(?: that)?[ ,:]*|^(?:hi|hello|hey|你好|您好)(?: there)?[，,!！.。~ ]+|^(?:对了|其实|那个|哦|嗯|顺便说一下|by the way|actually|oh|well)[，, ]+",
    re.IGNORECASE,
)
_OF_ONESELF = re.compile(r"^.{0,8}?我|^.{0,16}?\b(?:i|my|i'm|i've)\b")
_STANDING = re.compile(
    r"^(?:以后|今后|每次|不要|别|always|never|from now on|don't)|.*\b(?:from now on|going forward)\W*$"
)
_NOT_RESTATED = re.compile(
    r"忘掉|忘了|别记|删掉|密码|口令|身份证|卡号|\bforget\b|password|\bpin\b|\d{6,}|[\n]", re.IGNORECASE
)


def reply(message: str, intent: Intent, lang: Language) -> str:
    """A short reply; a statement is restated to show that it was understood, nothing is added to it."""
    if about_the_assistant(message):
        return phrase("identity", lang)
    if intent != "statement":
        return phrase(intent, lang)
    return restated(message, lang)


def restated(message: str, lang: Language) -> str:
    """What the user said, said back; secrets, requests to forget and long texts are only acknowledged."""
    said = _LEAD.sub("", neutral(message).strip()).strip()
    told = _OF_ONESELF.match(fold(said)) or said != neutral(message).strip() or _STANDING.match(fold(said))
    if not told or len(said) > LONGEST_RESTATED * (1 if lang == "zh" else 2) or _NOT_RESTATED.search(fold(said)):
        return phrase("understood", lang)
    back = second_person(said) if re.search(r"我|\b(?:i|my|me|i'm|i've)\b", fold(said)) else said.rstrip("。.！! ")
    if lang == "en" and re.match(r"You(?:r)?\b", back):
        back = back[0].lower() + back[1:]
    return phrase("understood_that", lang).format(back)
