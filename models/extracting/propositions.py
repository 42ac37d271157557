"""What a yes, or the choice of an option, makes of the assistant's question: a statement in the user's own person.

"以后的汇报都用表格，可以吗？" and "可以" together are "以后的汇报都用表格".
"""

import re

from zhiji.core.text import has_cjk
from zhiji.models.extracting import answers
from zhiji.models.extracting.features import Reading

LONGEST_CHOICE = 24
"""Characters up to which a reply only chooses; a longer one says something of its own."""

_FIRST_ZH = (("您们", "我们"), ("你们", "我们"), ("您", "我"), ("你", "我"))
_TAG_ZH = re.compile(
    r"[，,]?(?:可以|行|好|对|是|是这样|没错|怎么样|您看行|您看可以|您看)(?:不对|不行|不可以|不好|不是)?(?:吗|吧|么|嘛)?[?？\s]*$|(?:了)?(?:吗|吧|么|嘛|不|没有)?[?？\s]*$"
)
_WHETHER_ZH = re.compile(r"是不是|是否|要不要|需不需要|需要|(?P<verb>[有会能爱想])(?:没|不)(?P=verb)")
_OFFER_ZH = re.compile(
    r"^(?:那|那么|请问|好的|要|我|可以)*(?:我来|由我|让我|我)(?=以后|今后|往后|每|把|给|用|先|都|总|一律)"
)
_REMEMBER_ZH = re.compile(r"^我?(?:帮[您你])?(?:记住|记下|记一下|记得)(?:一下)?[：:，,]?(?=.{3})")
_ASKS_MORE_ZH = re.compile(r"哪|什么|啥|谁|几|多少|多[大久高长重]|怎么|还是")
_WISH_EN = re.compile(
    r"^\W*(?:\w+[,.!]\s+)*(?:would you like me to|do you want me to|should i|shall i|can i|may i|could i)\s+", re.I
)
_STANDING_EN = re.compile(
    r"\b(?:always|never|from now on|going forward|in (?:the )?future|every|each|all|whenever|by default|call me)\b",
    re.I,
)
"""What makes an offer a rule; without it, a yes to one only lets the assistant go on."""
_LIKES_EN = re.compile(r"^\W*(?:\w+[,.!]\s+)*would you (?P<verb>like|prefer|rather)\s+", re.I)
_DOES_EN = re.compile(r"^\W*(?:\w+[,.!]\s+)*(?:do|did) you\s+", re.I)
_IS_EN = re.compile(r"^\W*(?:\w+[,.!]\s+)*(?P<be>are|were|have|had|can|will) you\s+", re.I)
_YOUR_EN = re.compile(
    r"^\W*(?:\w+[,.!]\s+)*(?P<be>is|are|was) your (?P<what>(?:[\w'-]+ ){0,2}?[\w'-]+) (?P<rest>(?:a|an|the|in|on|at|called|named|from|still|now|allergic)\b.*)",
    re.I,
)
_ASKS_MORE_EN = re.compile(r"\b(?:what|which|who|where|when|how|or)\b", re.I)
_SO_EN = re.compile(r"^(?:so,? |and )?(?P<said>you(?:'re| are|'ve| have|r)?\b.*)$", re.I)
_TAG_EN = re.compile(
    r",?\s*(?:right|correct|ok|okay|is that (?:right|ok|okay)|don't you|aren't you|yes)?\s*\?+\s*$", re.I
)
_AGREES = re.compile(
    r"那个?就?(?:行|好|可以)|就(?:这样|这么办|它)|请|麻烦|谢谢|(?:please|go ahead|do|do so|do that|that works|thanks|thank you|i do|i am|of course|sounds good)(?: (?:please|do|so))?",
    re.I,
)
_CHOICE_ZH = re.compile(
    r"(?P<stem>[^，,。？?！!]{0,10}?(?:喜欢|爱|要|用|吃|喝|种|养|选|坐|住|偏好|习惯)(?:吃|喝|用|坐)?)(?P<options>[^，,。？?！!]{1,16}还是[^，,。？?]{1,12})"
)
_CHOICE_EN = re.compile(
    r"\b(?:do you|would you) (?P<stem>(?:usually |normally )?(?:prefer|like|drink|eat|use|want|take|have|rather have)) (?P<options>[\w' -]+? or [\w' -]+?)\s*\?",
    re.I,
)


def claimed(reading: Reading) -> str:
    """What a bare yes, or a choice, states together with the one question before it; "" for any other reply."""
    asked = answers.questions(reading.asked) if reading.answers else []
    if len(asked) != 1:
        return ""
    han = has_cjk(asked[0])
    if agreed(reading.text, [clause.text for clause in reading.clauses]):
        return proposed(asked[0], han=han)
    return chosen(asked[0], reading.text, han=han) if len(reading.text) <= LONGEST_CHOICE else ""


def agreed(reply: str, parts: list[str]) -> bool:
    """Whether a reply says yes and nothing else ("Yes, please do"); `parts` are its clauses."""
    return answers.is_yes(reply) and all(answers.is_yes(part) or _AGREES.fullmatch(part.strip()) for part in parts)


def proposed(question: str, *, han: bool) -> str:
    """What saying yes to a question states, in the first person; "" where a yes would state nothing.

    >>> proposed("以后给您的汇报都用表格，可以吗？", han=True), proposed("您在哪个城市？", han=True)
    ('以后给我的汇报都用表格', '')
    >>> proposed("Should I write all your reports as bullet points from now on?", han=False)
    'Write all my reports as bullet points from now on'
    """
    return _proposed_zh(question) if han else _proposed_en(question)


def chosen(question: str, reply: str, *, han: bool) -> str:
    """What naming one of a question's options states; "" where the question gives none, or the reply names none or two.

    >>> chosen("您喜欢美式还是拿铁？", "拿铁吧", han=True), chosen("Do you prefer tea or coffee?", "Coffee please", han=False)
    ('我喜欢拿铁', 'I prefer coffee')
    """
    found = (_CHOICE_ZH if han else _CHOICE_EN).search(question)
    if found is None:
        return ""
    options = [
        one.strip(" 、，,") for one in re.split(r"[、，]|还是|,|\bor\b", found["options"]) if one.strip(" 、，,")
    ]
    named = [one for one in options if one.lower() in reply.lower()]
    if len(named) != 1:
        return ""
    stem = _first_zh(found["stem"]) if han else f"I {found['stem'].strip()} "
    return f"{stem if not han or '我' in stem else '我' + stem}{named[0]}"


def _proposed_zh(question: str) -> str:
    bare = _TAG_ZH.sub("", question.strip().lstrip("，,、 "))
    if not bare or _ASKS_MORE_ZH.search(bare):
        return ""
    stated = _WHETHER_ZH.sub(lambda found: found["verb"] or "", bare)
    return _first_zh(_REMEMBER_ZH.sub("", _OFFER_ZH.sub("", stated))).strip("，, ")


def _first_zh(text: str) -> str:
    for second, first in _FIRST_ZH:
        text = text.replace(second, first)
    return text


def _proposed_en(question: str) -> str:
    bare = _TAG_EN.sub("", question.strip())
    if _ASKS_MORE_EN.search(bare):
        return ""
    if (wish := _WISH_EN.match(bare)) is not None:
        rest = _first_en(bare[wish.end() :])
        return rest[:1].upper() + rest[1:] if _STANDING_EN.search(rest) else ""
    if (likes := _LIKES_EN.match(bare)) is not None:
        return f"I'd {likes['verb'].lower()} {_first_en(bare[likes.end() :])}"
    if (does := _DOES_EN.match(bare)) is not None:
        return f"I {_first_en(bare[does.end() :])}"
    if (be := _IS_EN.match(bare)) is not None:
        return f"I {_I_AM.get(be['be'].lower(), be['be'].lower())} {_first_en(bare[be.end() :])}"
    if (so := _SO_EN.match(bare)) is not None:
        return _first_en(so["said"])
    return _owned_en(bare)


def _owned_en(bare: str) -> str:
    owned = _YOUR_EN.match(bare)
    return f"My {owned['what']} {owned['be'].lower()} {_first_en(owned['rest'])}" if owned else ""


_I_AM = {"are": "am", "were": "was"}
_SECOND_EN = (
    (r"\byou're\b", "I'm"), (r"\byou are\b", "I am"), (r"\byou've\b", "I've"), (r"\byourself\b", "myself"),
    (r"\byours\b", "mine"), (r"\byour\b", "my"), (r"\b(?:to|for|with|from|at|of|tell|give|send|show|call) you\b", None), (r"\byou\b", "I"),
)  # fmt: skip


def _first_en(text: str) -> str:
    for pattern, first in _SECOND_EN:
        text = re.sub(pattern, first if first else lambda m: m.group()[:-3] + "me", text, flags=re.IGNORECASE)
    return text
