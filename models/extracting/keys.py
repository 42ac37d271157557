"""The canonical key and the value of a clause: patterns for what the profile holds, the classifier's guess for the rest."""

import re
from dataclasses import dataclass

from zhiji.models.extracting.key_patterns import END, TABLE, TOPIC
from zhiji.models.extracting.superiors import superior
from zhiji.models.extracting.wording import simplified
from zhiji.models.statements.passing import in_passing

_NOT_CITY = re.compile(
    r"[海河湖江山路]边|郊区|郊外|市区|市中心|乡下|农村|城里|镇上|村里|楼|层|室|栋|单元|平米|院|隔壁|一起|一块|公司|学校|宿舍|医院|酒店|附近|旁边|对面|里面|家|房|公寓|号|店|厂|\d|电梯|小区|朋友|单位|地方|哪"
)
_NOT_JOB = re.compile(
    r"^(?:bit|little|lot|big|huge|never|older|younger|better|former|mother|father|brother|sister|early|beginner|owner of)\b|(?:bigger|mother|father|brother|sister|daughter|lover|hater|fan|never)$|女主|孩子|[早晚夜白中轮]班$|\b(?:person|people|member|user|customer|subscriber|resident|native)s?\b"
)
_ATTRIBUTE = re.compile(r"^我的(?P<k>[\u4e00-\u9fff]{1,8}?)(?:是|为|有)(?P<v>[^，,。]{1,20}?)" + END)
_CALLING = re.compile(
    r"(?:是|当|做|成)(?:了|着)?(?:一?[名个位])?(?P<v>[\u4e00-\u9fff]{2,8}?)(?:的|了)?$"
    r"|\b(?:i'm|im|i am|i(?:'ve)? (?:just |recently )?bec[ao]me|started (?:out )?as|trained as) (?:now )?an? (?P<e>[\w' -]{3,40}?)"
    r"(?: now| these days| nowadays| by trade)?$",
    re.IGNORECASE,
)
"""What somebody is; it names an occupation only where the classifier takes the clause for talk of work."""
_MEMBERSHIP = re.compile(
    r"我是(?:你们的?)?(?P<v>\w{0,6}(?:用户|会员|客户|贵宾))|\b(?:i'm|im|i am) an? (?P<e>[\w ]{0,16}(?:member|customer|subscriber))\b",
    re.IGNORECASE,
)
_PREFIX_ZH = re.compile(
    r"^(?:我们?家?|俺们?|本人|咱们?|用户|其实|现在|目前|如今|平时|一般|最近|今年|一直|从来|就|只|都|也|还|很|特别|比较|更|最|的|这人|这个人|有|是|喜欢|喜歡|爱|讨厌|最烦|烦|怕|受不了|想|打算|准备|计划|不喜欢|不爱|不吃|不喝|用|吃|喝|要求|以后|请|养了|养|学|玩|去|看|听)+"
)
_PREFIX_EN = re.compile(
    r"^(?:(?:and|but|so|i|we|i'm|im|i am|we're|i've|my|our|the|a|an|am|are|is|have|has|got|do|really|just|always|usually|also|only|currently|now|like|likes|love|hate|prefer|enjoy|want|plan|going|to|on|been|into|can't|stand|don't|in|at|with|for|use|using)\s+)+",
    re.IGNORECASE,
)
_TAIL = re.compile(r"(?:了|啦|的|呢|啊|呀|哈|哦|吧|喔|诶|嘛|滴|[~～。.!！…\s])+$")


# A guess must not name a field that keeps only its latest value: it would drive out what a pattern had found.
_PROFILE_ONLY = frozenset(
    {
        "home",
        "job",
        "job.schedule",
        "age",
        "birthday",
        "hometown",
        "identity.nickname",
        "education",
        "body",
        "plan",
        "schedule",
        "identity",
    }
)


@dataclass(frozen=True, slots=True)
class Named:
    """A key and a value; `old` is the value that the words say is gone, `sure` whether a pattern of the profile fitted."""

    key: str
    value: str
    old: str = ""
    sure: bool = False


def named(clause: str, *, han: bool, own: bool, guess: str, whose: str = "") -> Named:
    """What a clause is about.

    `own` says that it is about the user: only then may a pattern name one of the profile's fields. Of anybody or
    anything else (`whose`, as the user put it) the classifier's guess is the key, and the value is what is left without
    the opening words.
    """
    above = superior(clause)
    if above is not None:
        return Named(*above, sure=True)
    plain = _simplified(clause) if han else clause
    for key, pattern in TABLE[han] if own else ():
        match = pattern.search(plain)
        if match and _fits(key, clause[slice(*match.span("v"))]):
            return _found(key, match, clause)
    if own:
        other = _free(clause, han=han)
        if other:
            return other
    if own and guess == "job" and (calling := _CALLING.search(plain)) and _fits("job.title", calling[0]):
        return Named("job.title", _clean(calling["v"] or calling["e"]), sure=True)
    if guess == "diet.allergy":
        for key, pattern in TABLE[han]:
            match = pattern.search(plain) if key == "diet.allergy" else None
            if match:
                return _found(key, match, clause)
    return Named(
        f"{guess}.other" if own and guess in _PROFILE_ONLY else guess, rest_of(clause.replace(whose, "", 1), han=han)
    )


def _free(clause: str, *, han: bool) -> Named | None:
    dropped = in_passing(clause) if han else None
    if dropped:
        return Named(*dropped, sure=True)
    match = _MEMBERSHIP.search(clause)
    if match:
        return Named("membership", (match["v"] or match["e"] or "").strip(), sure=True)
    match = _ATTRIBUTE.search(clause) if han else None
    return Named(f"attribute.{match['k']}", _clean(match["v"]), sure=True) if match else None


def _fits(key: str, value: str) -> bool:
    if key in ("residence.city", "residence.hometown", "identity.name") and value.isascii() and not value[:1].isupper():
        return False
    if key in ("residence.city", "residence.hometown"):
        return _NOT_CITY.search(value) is None
    if key == "job.title":
        return _NOT_JOB.search(value) is None
    return bool(value.strip())


def _found(key: str, match: re.Match[str], clause: str) -> Named:
    old = clause[slice(*match.span("old"))] if match.groupdict().get("old") else ""
    return Named(key, _clean(clause[slice(*match.span("v"))]), old.strip(), sure=True)


def _simplified(clause: str) -> str:
    """The clause in simplified characters, where that keeps every character's place."""
    plain = simplified(clause)
    return plain if len(plain) == len(clause) else clause


def topic_of(text: str) -> str:
    """The key that a question or a request to forget is about, or ""."""
    plain = _simplified(text)
    return next((key for key, pattern in TOPIC if pattern.search(plain)), "")


def _clean(value: str) -> str:
    return _TAIL.sub("", value.strip().strip("“”\"'：: 、")) or value.strip()


def rest_of(clause: str, *, han: bool) -> str:
    """A clause without its opening subject, adverbs and verb: a fair value where no pattern fits."""
    rest = (_PREFIX_ZH if han else _PREFIX_EN).sub("", clause.strip(), count=1)
    cleaned = _clean(rest)
    return cleaned if any(ch.isalnum() for ch in cleaned) else clause.strip()
