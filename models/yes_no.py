"""Whether a short reply says yes or no."""

import re

from zhiji.core.text import fold

_YES = re.compile(
    r"(对|是|嗯|好|可以|行|没错|确认|记吧|记住|记下|当然|要"
    r"|yes|yeah|yep|yup|sure|ok|okay|correct|right|please do|go ahead|confirm)"
)
_NO = re.compile(r"(不|别|没有|算了|否|取消|no\b|nope|nah|don'?t|do not|never mind|cancel|wrong|incorrect)")
_LONGEST = 24
"""Characters of a bare yes or no; a longer reply says something of its own."""


def yes_or_no(text: str) -> bool | None:
    """True for yes, False for no, None for anything else.

    >>> yes_or_no("对，记下吧"), yes_or_no("不用了"), yes_or_no("怎么退款")
    (True, False, None)
    """
    reply = fold(text).strip(" ,.!?，。！？~")
    if len(reply) > _LONGEST:
        return None
    if _NO.match(reply):
        return False
    return True if _YES.match(reply) else None
