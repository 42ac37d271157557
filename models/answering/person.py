"""Saying to the user what is known of the user: "用户住在杭州" becomes "您住在杭州"."""

import re
from itertools import pairwise

from zhiji.core.text import has_cjk

_IRREGULAR = {
    "has": "have",
    "is": "are",
    "was": "were",
    "does": "do",
    "goes": "go",
    "doesn't": "don't",
    "isn't": "aren't",
}
_IRREGULAR |= {"hasn't": "haven't", "wasn't": "weren't", "am": "are", "i'm": "you're", "does not": "do not"}
_SUBJECT = re.compile(r"^(?:the |this )?user(?='s\b|\b)", re.IGNORECASE)
_MODAL = frozenset("can could will would shall should may might must had did lived moved".split())
_ADVERB = frozenset(
    "also always never usually often really now currently still no not just mostly only strongly regularly".split()
)
_FIRST_PERSON = [
    (r"\bI'm\b|\bI am\b|\bIm\b", "you are"),
    (r"\bI've\b", "you have"),
    (r"\bI'd\b", "you would"),
    (r"\bI'll\b", "you will"),
    (r"\bI was\b", "you were"),
    (r"\bI\b", "you"),
    (r"\bmyself\b", "yourself"),
    (r"\bmine\b", "yours"),
    (r"\bmy\b", "your"),
    (r"\bme\b", "you"),
]


# What only opened the message: "提醒一下，用户对花生过敏".
_OPENING = re.compile(
    r"^(?:(?:再)?(?:提醒|说|补充|备注|强调)一(?:下|句|声)|对了|其实|另外|还有|顺便(?:说|提)?一?[下句]?|记住|请记住|记一下|by the way|just so you know|note that|remember(?: that)?)[，,：:\s]+",
    re.IGNORECASE,
)
_CLAUSE_USER = re.compile(
    r"(^|[，,、；;。：:时候后前里上中间午晚天年月日])(?:该|这位|本)?用户(?!名|手册|协议|数据|体验|量|端|\d|[甲乙丙])"
)
_WISH = re.compile(r"^您(?:要求|请求|吩咐|(?:让|叫)(?=助手|知己))(?:助手|知己)?[：:，,]?(?:请|要)?(?:助手|知己)?")
_WISH_EN = re.compile(
    r"^(?:the |this )?user (?:asks|asked|wants|requests|requested|would like)(?: (?:me|the assistant|you))?(?: to|: ?| that (?:the assistant|you|i))?(?: please)? ",
    re.IGNORECASE,
)
_PLEASE_EN = re.compile(r",? (?:so |and )?please (don't|do not|never|\w+)", re.IGNORECASE)


def second_person(content: str) -> str:
    """A memory's sentence addressed to its user, without the final mark.

    >>> second_person("用户住在杭州。"), second_person("The user lives in Leeds and has a dog.")
    ('您住在杭州', 'You live in Leeds and have a dog')
    >>> second_person("提醒一下，用户对花生过敏"), second_person("用户要求请以后都用表格回答")
    ('您对花生过敏', '您希望以后都用表格回答')
    """
    text = _OPENING.sub("", content.strip()).rstrip("。.！!；;").strip()
    return _chinese(text) if has_cjk(text) else _english(text)


def without_subject(content: str) -> str:
    """A memory's sentence without "用户" or "The user" at its start, to be quoted.

    >>> without_subject("用户住在杭州"), without_subject("The user lives in Leeds.")
    ('住在杭州', 'lives in Leeds')
    """
    text = _OPENING.sub("", content.strip()).rstrip("。.！!；;").strip()
    return re.sub(r"^用户(?!名|的)|^(?:the |this )?user (?=\w)", "", text, flags=re.IGNORECASE)


def _chinese(text: str) -> str:
    text = _CLAUSE_USER.sub(r"\1您", text)
    text = re.sub(r"我们|咱们", "你们", text)
    text = re.sub(r"(?<!自)我(?!国|市|省|校|司)|本人|俺", "您", text)
    text = re.sub(r"(?<=[给为替让帮跟对])(?:用户)?自己", "您", text)
    text = re.sub(r"您(?:自己)?您", "您", text)
    text = _WISH.sub("您希望", text)
    return text if "您" in text or "你" in text else f"您{text}"


def _wish(text: str) -> str:
    """A wish told back: "asks: please answer briefly" is "You asked me to answer briefly"."""
    wished = _WISH_EN.match(text)
    if wished:
        rest = re.sub(r"^please ", "", text[wished.end() :], flags=re.IGNORECASE)
        never = re.match(r"(?:don't|do not|never) ", rest, re.IGNORECASE)
        text = f"You asked me {'not to ' + rest[never.end() :] if never else 'to ' + rest}"
        text = re.sub(r"\bthey\b", "you", text)
        return re.sub(r"\b(?:the user's|their)\b", "your", text, flags=re.IGNORECASE)
    return text


def _asked_for(found: re.Match[str]) -> str:
    word = found[1].lower()
    return ", and asked me " + ("not to" if word in {"don't", "do not", "never"} else f"to {found[1]}")


def _english(text: str) -> str:
    wished = _wish(text)
    if wished != text:
        return wished
    text = _PLEASE_EN.sub(_asked_for, text)
    subject = _SUBJECT.match(text)
    if subject:
        rest = text[subject.end() :]
        text = f"Your{rest[2:]}" if rest.startswith("'s ") else f"You{_agreeing(rest)}"
        text = re.sub(r"\b(?:the )?user's\b", "your", text, flags=re.IGNORECASE)
        text = re.sub(r"\b(?:their|his|her)\b", "your", text)
    else:
        for pattern, said in _FIRST_PERSON:
            text = re.sub(pattern, said, text, flags=re.IGNORECASE if pattern != r"\bI\b" else 0)
    if not re.match(r"(?:you|your)\b", text, re.IGNORECASE) and not re.search(r"\byou", text):
        text = f"{_agreeing(' ' + text).strip()}"
    return re.sub(r"(?:^|[.!?]\s+)[a-z]", lambda start: start.group().upper(), text)


def _agreeing(rest: str) -> str:
    """The predicate after "you": its verb, and one after "and" or "but", without the third person's ending."""
    words = rest.split(" ")
    at = next((i for i, word in enumerate(words) if word and word.lower() not in _ADVERB), None)
    if at is None:
        return rest
    words[at] = _bare(words[at])
    for i, (one, two) in enumerate(pairwise(words)):
        follows = words[i + 2].lower() if i + 2 < len(words) else ""
        if one.lower() in {"and", "but", "or"} and (two.lower() in _IRREGULAR or _verb_like(two, follows)):
            words[i + 1] = _bare(two)
    return " ".join(words)


def _verb_like(word: str, follows: str) -> bool:
    return word.endswith("s") and follows in set(
        "at in for as on with to the a an every only his her their your no".split()
    )


def _bare(word: str) -> str:
    low = word.lower()
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if low in _MODAL or not low.endswith("s") or low.endswith("ss"):
        return word
    if low.endswith("ies") and len(low) > 4:
        return word[:-3] + "y"
    return word[:-2] if low.endswith(("ches", "shes", "sses", "xes", "zes")) else word[:-1]
