"""Asking the last question again of something else: "龙眼呢" after "荔枝什么时候修剪", "and in winter?"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zhiji.core.text import has_cjk
from zhiji.core.turn import Turn
from zhiji.models.rewriting.tagging import Token, shape, tag
from zhiji.models.rewriting.talk import said

MOST_WORDS = 5
LONGEST_SLOT = 3
LONGEST_ASKED = 120
"""Characters of a question that may be asked again."""
_CHINESE_TOPIC = re.compile(
    r"^(?P<lead>那么|那要是|那如果|那|还有|以及|要是|如果是|如果|换成|换作|再说)?(?P<topic>[^，,。；;？?！!]+?)"
    r"(?P<tail>呢|的话呢|的话|怎么样)?[？?。！!\s]*$"
)
_ENGLISH_TOPIC = re.compile(
    r"^(?P<lead>(?:(?:and|so|then|but|or|also|ok(?:ay)?|what|how|what if|same)\b[ ,]*)*(?:about\b)?)\s*"
    r"(?:(?P<prep>for|in|on|at|with|without|from|to|by|during|after|before)\s+)?(?P<topic>[^,.;?!]+?)(?P<tail>)[?.!\s]*$",
    re.IGNORECASE,
)
_ENGLISH_MORE = re.compile(
    r"^(?:and|but|so|ok(?:ay)?|then|,|\s)*(?:why(?: not| so| is that)?|how (?:much|many|long|often|far|soon|come|so)|where|when|"
    r"(?:until|since|by|from) when|(?:is|are) there (?:a|an|any) \w+(?: \w+)?|who|which one|what for|by whom|how)[?.!\s]*$",
    re.IGNORECASE,
)
_CHINESE_CONDITION = re.compile(
    r"^(?:那|那么)?(?P<clause>(?:如果|要是|假如|万一).+?|.+?的话|(?:超过|不到|没有|没).+?)(?:呢|怎么办|了呢)?[？?。\s]*$"
)
_ENGLISH_CONDITION = re.compile(
    r"^(?:(?:and|but|so|what|how about|what about)\b[ ,]*)*(?P<clause>(?:if|when|without|unless) .+?)[?.!\s]*$",
    re.IGNORECASE,
)
_NO_TOPIC = frozenset("WYSI.")
_SLOT = frozenset("NPLEMGAVXR")
_COMPOUND = frozenset("NPLEMX")
_SLOT_HEAD = frozenset("NPLEMGX")


@dataclass(frozen=True, slots=True)
class Reframed:
    """An earlier question asked again, and what speaks for it."""

    text: str
    features: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Topic:
    """What a short question puts in place of what the earlier one was about."""

    text: str
    prep: str
    lead: bool
    tail: bool
    tokens: tuple[Token, ...]

    @property
    def marked(self) -> str:
        """How plainly the question shows that it only names another topic."""
        return f"{'lead' if self.lead else ''}{'tail' if self.tail else ''}{'prep' if self.prep else ''}" or "bare"


def reframed(query: str, window: Sequence[Turn]) -> list[Reframed]:
    """The user's last question, asked of what the query names, under its condition, or asked for more."""
    last = next((turn.text for turn in reversed(window) if turn.role == "user"), "")
    asked = "" if said(last) == "told" else _bare(last)
    if not asked or len(asked) > LONGEST_ASKED or has_cjk(asked) != has_cjk(query):
        return []
    topic = topic_of(query)
    found = [*_conditional(asked, query), *_more(asked, query)]
    if topic:
        found += [*_swapped(asked, topic), *_added(asked, topic)]
    end = "" if has_cjk(query) else "?"
    return [Reframed(one.text.rstrip("? ") + end, one.features) for one in found]


def _bare(asked: str) -> str:
    """A question without its mark, and without what more was asked of it, which the next one does not ask again."""
    text = asked.strip().rstrip("？?。.!！ ")
    head, _, more = text.rpartition(", ")
    return head if head and _ENGLISH_MORE.match(more) else text


def _conditional(asked: str, query: str) -> Iterator[Reframed]:
    """The question under a condition that the query names ("如果拆封了呢", "and if it rained?")."""
    pattern = _CHINESE_CONDITION if has_cjk(query) else _ENGLISH_CONDITION
    matched = pattern.match(query.strip())
    if matched:
        clause = matched["clause"].strip()
        yield Reframed(f"{clause}{asked}" if has_cjk(query) else f"{asked} {clause}", ("condition",))


def _more(asked: str, query: str) -> Iterator[Reframed]:
    """The question, and what more is asked of it ("until when?")."""
    if not has_cjk(query) and _ENGLISH_MORE.match(query):
        yield Reframed(f"{asked}, {query.strip()}", ("more",))


def _added(asked: str, topic: Topic) -> Iterator[Reframed]:
    """The question with a circumstance more ("in winter")."""
    if topic.prep:
        features = (
            "add",
            f"add:{topic.prep}",
            f"words={min(len(topic.tokens), 3)}",
            f"held={topic.prep in asked.split()}",
        )
        yield Reframed(f"{asked} {topic.prep} {topic.text}", features)


def topic_of(query: str) -> Topic | None:
    """The other topic a short question names; None where it asks something of its own.

    >>> topic_of("那龙眼呢").text, topic_of("and for longan?").prep, topic_of("那退款怎么办")
    ('龙眼', 'for', None)
    """
    chinese = has_cjk(query)
    matched = (_CHINESE_TOPIC if chinese else _ENGLISH_TOPIC).match(query.strip())
    if not matched:
        return None
    text = matched["topic"].strip()
    tokens = tuple(tag(text))
    kinds = {token.kind for token in tokens}
    if not tokens or len(tokens) > MOST_WORDS or kinds & _NO_TOPIC or not kinds & _SLOT_HEAD | kinds & set("AV"):
        return None
    prep = "" if chinese else (matched["prep"] or "").lower()
    return Topic(text, prep, bool(matched["lead"]), bool(matched["tail"]), tokens)


def _swapped(asked: str, topic: Topic) -> Iterator[Reframed]:
    tokens = tag(asked)
    for begin, first in enumerate(tokens):
        if first.kind not in _SLOT or tokens[begin].kind == "R":
            continue
        for end in range(begin + 1, min(begin + LONGEST_SLOT, len(tokens)) + 1):
            slot = tokens[begin:end]
            if slot[-1].kind not in _SLOT:
                break
            start = _with_article(tokens, begin, topic)
            text = asked[:start] + topic.text + asked[slot[-1].end :]
            if text != asked:
                yield Reframed(text, _features(tokens, begin, end, topic))


def _with_article(tokens: Sequence[Token], begin: int, topic: Topic) -> int:
    """Where the slot starts: a topic with an article of its own takes the old one's place."""
    own = topic.tokens[0].kind == "T" and begin and tokens[begin - 1].kind == "T"
    return tokens[begin - 1 if own else begin].start


def _features(tokens: Sequence[Token], begin: int, end: int, topic: Topic) -> tuple[str, ...]:
    slot, left = tokens[begin:end], tokens[begin - 1] if begin else None
    right = tokens[end] if end < len(tokens) else None
    old, new = "".join(token.text for token in slot), "".join(token.text for token in topic.tokens)
    same = f"{shape(slot) == shape(topic.tokens)}"
    prep = "-" if not topic.prep else str(left is not None and left.text.lower() == topic.prep)
    last = not any(token.kind in "NPLEGX" for token in tokens[end:])
    digits = any(mark.isdigit() for mark in old), any(mark.isdigit() for mark in new)
    return (
        "swap",
        f"marked={topic.marked}",
        f"words={min(len(topic.tokens), 4)}",
        f"slot={shape(slot)}",
        f"same_shape={same}",
        f"first={slot[0].kind}>{topic.tokens[0].kind}",
        f"last={slot[-1].kind}>{topic.tokens[-1].kind}",
        f"same_size={len(old) == len(new)}",
        f"shares_end={old[-1:].lower() == new[-1:].lower()}",
        f"shares_start={old[:1].lower() == new[:1].lower()}",
        f"shares_last_word={slot[-1].text.lower() == topic.tokens[-1].text.lower()}",
        f"digits={digits}",
        f"capital={old[:1].isupper()}{new[:1].isupper()}",
        f"prep={prep}",
        f"prep={prep}:right={right.kind if right else '$'}",
        f"last_noun={last}:{topic.marked}",
        f"left={left.kind if left else '^'}",
        f"right={right.kind if right else '$'}",
        f"around={left.kind if left else '^'}{right.kind if right else '$'}",
        f"of={left is not None and left.kind == 'U'}{right is not None and right.kind == 'U'}",
        f"place={'start' if not begin else 'end' if right is None else 'middle'}",
        f"width={end - begin}",
        f"kept={min(len(tokens) - len(slot), 6)}",
        f"cut={left is not None and left.kind in _COMPOUND}{right is not None and right.kind in _COMPOUND}",
    )
