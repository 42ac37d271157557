"""Whether a question is about where the user is, without naming the place."""

import re

from zhiji.core.text import fold

_NEAR = re.compile(
    r"附近|周边|周围|就近|离我|我这边|这一带|本地|当地|同城|家门口|楼下"
    r"|\bnear(?:by|est)?\b|\bclos(?:e to me|e by|est)\b|\baround (?:here|me)\b|\blocal\b|\bin my (?:area|city|town|neighbou?rhood)\b"
)


def asks_nearby(question: str) -> bool:
    """Whether the answer depends on where the user lives: a closed class of words that point at the speaker's place.

    >>> asks_nearby("帮我推荐个附近的咖啡店"), asks_nearby("Any gyms near me?"), asks_nearby("怎么退款")
    (True, True, False)
    """
    return _NEAR.search(fold(question)) is not None
