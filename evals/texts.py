"""Whether one text holds another, as the evaluations count it."""

import math
import unicodedata

SHARE = 0.6
"""How much of a text must be there for it to count as held; DESIGN §8."""


def bare(text: str) -> str:
    r"""A text for comparison: NFKC, without any white space.

    >>> bare("Ａ 1\n b")
    'A1b'
    """
    return "".join(unicodedata.normalize("NFKC", text).split())


def holds(text: str, part: str, share: float = SHARE) -> bool:
    """Whether `text` holds at least `share` of `part` in one piece; both come as `bare` gives them.

    Their longest common substring has that length exactly if one of the windows of that length over `part` stands in
    `text`, and looking for those is many times faster than building the table of all common substrings.

    >>> holds("abcdefxyz", "abcdefghij"), holds("abcdexyz", "abcdefghij")
    (True, False)
    """
    length = max(1, math.ceil(len(part) * share))
    return any(part[start : start + length] in text for start in range(len(part) - length + 1))


def holds_in_order(text: str, part: str, share: float = SHARE) -> bool:
    """Whether `text` holds `part`, or at least `share` of its characters in their order.

    >>> holds_in_order("a-b-c", "abc"), holds_in_order("cba", "abc")
    (True, False)
    """
    return part in text or common_in_order(text, part) >= share * len(part)


def common_in_order(a: str, b: str) -> int:
    """The length of the longest common subsequence.

    >>> common_in_order("abcd", "acbd")
    3
    """
    row = [0] * (len(b) + 1)
    for x in a:
        diagonal = 0
        for place, y in enumerate(b, 1):
            above = row[place]
            row[place] = diagonal + 1 if x == y else max(above, row[place - 1])
            diagonal = above
    return row[-1]
