"""Names told outright: the user's own, and that of whoever the user reports to."""

import re

_ROLE_ZH = r"(?P<role>直属领导|直属上司|领导|上司|主管|经理|老板|导师|班主任)"
_ROLE_EN = r"(?P<role>line manager|manager|boss|supervisor|mentor)"
_ZH = re.compile(
    rf"^(?:我们?的?|俺的?)(?:新)?{_ROLE_ZH}(?:现在|目前|已经)?(?:(?P<changed>换成|换为|变成|改成|换)了?|是|叫)(?P<v>[\u4e00-\u9fff·]{{2,4}}?)(?:了|啦)?$"
)
_EN = re.compile(
    rf"^(?:(?:and|but|so|also)\s+)*(?:my|our) (?:new )?{_ROLE_EN}(?:'s| is) (?:(?P<changed>now|no longer \w+ but) )?(?:called |named )?(?P<v>(?-i:[A-Z])[\w'’-]*(?: (?-i:[A-Z])[\w'’-]*)*)(?: now)?$",
    re.IGNORECASE,
)
_NO_NAME = re.compile(r"[人的个好坏很不吗谁我你他她]|什么|怎么|哪")
_SLOTS = {"导师": "mentor", "班主任": "teacher", "mentor": "mentor"}


_OWN_NAME = re.compile(
    r"^(?i:(?:and|but|so|also|hi|hello|hey)[,\s]+)*(?i:my name)(?:'s|’s| is) [A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2}$"
)


def tells_name(clause: str) -> bool:
    """Whether a clause does nothing but name the user or the user's superior; no classifier is needed for that.

    >>> tells_name("My name is Hugo"), tells_name("my name is mud")
    (True, False)
    """
    return _OWN_NAME.search(clause.strip()) is not None or superior(clause) is not None


def superior(clause: str) -> tuple[str, str] | None:
    """The key and the name where a clause only says who holds such a place for the user.

    >>> superior("我的领导换成周宁了"), superior("My boss is great")
    (('people.manager', '周宁'), None)
    """
    match = _ZH.search(clause.strip()) or _EN.search(clause.strip())
    if match is None or _NO_NAME.search(match["v"]):
        return None
    return f"people.{_SLOTS.get(match['role'].lower(), 'manager')}", match["v"]
