"""The words of an utterance that name an attribute, and how they stand to what is held."""

import re
from dataclasses import dataclass
from typing import Literal

from zhiji.models.statements.places import ABROAD, known, province_of

Attribute = Literal["gender", "loc", "constellation"]
Relation = Literal["same", "whole", "near", "apart", "abroad", "both", "none"]
"""How a mention stands to the held value: the same, the province around it, another place of that province, another
value, a place abroad, both values at once, or nothing mentioned."""

_SIGNS = re.compile("(?:白羊|牡羊|金牛|双子|巨蟹|狮子|处女|天秤|天平|天蝎|射手|人马|摩羯|魔羯|山羊|水瓶|双鱼)座?")
_OTHER_NAMES = {"牡羊": "白羊", "天平": "天秤", "人马": "射手", "魔羯": "摩羯", "山羊": "摩羯"}
_GENDERED = re.compile(
    "[女男](?:人|生|孩子?|的|子)|女士|先生|小哥哥|小姐姐|小姐|姑娘|妹子|汉子|爷们|小伙子?|帅哥|美女|老娘|老子|女汉子|妇女|女儿|儿子|[男女哥姐弟妹爸妈汉娘爷婆妞]"
)
_FEMININE = frozenset("女姐妹妈娘婆妞姑")
_STEM = 2
"""Characters that a place is known by: 潜江市 is 潜江."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Words that name an attribute; `text[start:end]` is `words`."""

    start: int
    end: int
    words: str


def mentions(folded: str, attribute: Attribute, held: str) -> list[Mention]:
    """Where a folded utterance names the attribute, in order."""
    pattern = {"gender": _GENDERED, "constellation": _SIGNS, "loc": known()}[attribute]
    found = [Mention(*match.span(), match.group()) for match in pattern.finditer(folded)]
    if attribute == "loc":
        found += _held_places(folded, held, found)
    return sorted(found, key=lambda one: one.start)


def _held_places(folded: str, held: str, found: list[Mention]) -> list[Mention]:
    """The held place itself, which may be too small to be listed."""
    more = []
    for place in held.split():
        at = folded.find(place[:_STEM])
        if at >= 0 and not any(one.start <= at < one.end for one in found):
            more.append(Mention(at, at + len(place[:_STEM]), place[:_STEM]))
    return more


def relation(found: list[Mention], attribute: Attribute, held: str) -> Relation:
    """How what is mentioned stands to the held value; of several mentions the closest counts."""
    if not found:
        return "none"
    if attribute == "gender":
        return _of_gender(found, held)
    if attribute == "constellation":
        return "same" if sign_of(held) in {sign_of(one.words) for one in found} else "apart"
    near = [_of_place(one.words, held.split()) for one in found]
    order: list[Relation] = ["same", "whole", "near", "apart", "abroad"]
    return min(near, key=order.index)


def _of_place(place: str, held: list[str]) -> Relation:
    if not held:
        return "apart"
    if place[:_STEM] == held[-1][:_STEM]:
        return "same"
    if place == held[0]:
        return "whole"
    if province_of(place) == held[0]:
        return "near"
    return "abroad" if province_of(place) == ABROAD else "apart"


def _of_gender(found: list[Mention], held: str) -> Relation:
    fits = {feminine(one) == (held == "female") for one in found}
    return "both" if len(fits) == 2 else "same" if True in fits else "apart"


def feminine(mention: Mention) -> bool:
    """Whether a gendered word names a woman."""
    return not _FEMININE.isdisjoint(mention.words)


def sign_of(words: str) -> str:
    """The usual name of a sign of the zodiac, without 座.

    >>> sign_of("魔羯座")
    '摩羯'
    """
    name = words.rstrip("座")
    return _OTHER_NAMES.get(name, name)
