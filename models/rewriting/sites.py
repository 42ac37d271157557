"""Where a query can be completed: a pronoun to replace, or a gap to fill."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zhiji.core.text import has_cjk
from zhiji.models.rewriting.tagging import Token, tag

_KIN = {
    **dict.fromkeys("它 它们 其 该 此 it its".split(), "thing"),
    **dict.fromkeys("他 她 他们 她们 he she him her his hers they them their".split(), "person"),
    **dict.fromkeys("这里 那里 这儿 那儿 这边 那边 there here 這裡 那裡".split(), "place"),
}
_NOT_ALONE = frozenset("这么 那么 这样 那样 这次 那次 then here 这种 那种".split())

# "It" and "there" that stand for nothing: of days and hours, of the weather, before a clause, of what there is.
_EXPLETIVE = re.compile(
    r"\b(?:is|are|was|were|will) there (?:be )?(?:a|an|any|no|some|enough)\b|"
    r"\b(?:what|which) (?:day|time|date|month|year|season|weekday)\b.{0,20}\bit\b"
    r"|\b(?:is|was|will|does|did|would|isn't|won't) it\b.{0,14}\b(?:rain|snow|freez|hail|thunder)"
    r"|\b(?:is|was) it (?:\w+ )?(?:sunny|windy|cloudy|foggy|humid|late|early|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b"
    r"|\b(?:is|was) it (?:\w+ )?(?:possible|allowed|okay|ok|necessary|true|true that|better|safe|legal|normal) (?:to|that|if|for)\b"
    r"|\bit(?:'s| is| was) (?:my|our|a) (?:birthday|anniversary|holiday)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Site:
    """A place of the query: the characters `start:end` give way to what is carried over."""

    start: int
    end: int
    kin: str
    """`gap`, or what the pronoun stands for: `thing`, `person`, `place`, `that`."""
    left: str
    """The word before it, or `^`."""
    right: str
    left_kind: str
    right_kind: str
    features: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outline:
    """What the query as a whole shows about whether it stands alone."""

    tokens: tuple[Token, ...]
    features: tuple[str, ...]


def outline(query: str) -> Outline:
    """The query's words and the signs of completeness: nouns, pronouns, length, question words."""
    tokens = tuple(tag(query))
    kinds = "".join(token.kind for token in tokens if token.kind != ".")
    nouns = sum(kind in "NPLE" for kind in kinds)
    content = sum(kind in "NPLEVAG" for kind in kinds)
    features = (
        f"nouns={min(nouns, 3)}",
        f"content={min(content, 4)}",
        f"words={min(len(kinds), 10)}",
        f"chars={min(len(query) // 2, 8)}",
        f"R={min(kinds.count('R'), 2)}",
        f"R.nouns={min(kinds.count('R'), 1)}{min(nouns, 3)}",
        f"I={min(kinds.count('I'), 1)}",
        f"I.nouns={min(kinds.count('I'), 1)}{min(nouns, 2)}",
        f"W={min(kinds.count('W'), 1)}",
        f"W.nouns={min(kinds.count('W'), 1)}{min(nouns, 2)}",
        f"first={kinds[:1]}",
        f"start={kinds[:2]}",
        f"end={kinds[-2:]}",
        f"people={min(sum(kind in 'PL' for kind in kinds), 1)}",
        f"long={len(kinds) > 12}",
    )
    return Outline(tokens, features)


def sites(query: str, shown: Outline) -> list[Site]:
    """Pronouns with and without the noun they point at, and the gaps between words."""
    tokens = shown.tokens
    # English rarely leaves a gap that a piece of the talk could fill as it stands.
    gaps = _gaps(tokens, shown) if has_cjk(query) else ()
    pronouns = () if _EXPLETIVE.search(query) else _pronouns(tokens, shown)
    return [*pronouns, *gaps]


def _pronouns(tokens: Sequence[Token], shown: Outline) -> Iterator[Site]:
    for at, token in enumerate(tokens):
        if token.kind != "R" or token.text.lower() in _NOT_ALONE:
            continue
        end = at + 1
        yield _site(tokens, at, end, shown, token.text)
        while end < len(tokens) and end - at < 3 and tokens[end].kind in "MN" and _points(token):
            end += 1
            yield _site(tokens, at, end, shown, token.text)


def _points(token: Token) -> bool:
    return token.text[0] in "这那該该此這" or token.text.lower() in {"this", "that", "these", "those"}


def _gaps(tokens: Sequence[Token], shown: Outline) -> Iterator[Site]:
    for at in range(len(tokens) + 1):
        if at and tokens[at - 1].kind == ".":
            continue
        yield _site(tokens, at, at, shown, "")


def _site(tokens: Sequence[Token], begin: int, end: int, shown: Outline, pronoun: str) -> Site:
    before = tokens[begin - 1] if begin else None
    after = tokens[end] if end < len(tokens) and tokens[end].kind != "." else None
    left, right = before.kind if before else "^", after.kind if after else "$"
    kin = _KIN.get(pronoun.lower(), "that") if pronoun else "gap"
    start = tokens[begin].start if begin < len(tokens) else (tokens[-1].end if tokens else 0)
    stop = tokens[end - 1].end if end > begin else start
    if end == begin and before:  # a gap stands right after the word before it
        start = stop = before.end
    nouns = shown.features[0]
    features = (
        f"kin={kin}",
        f"pron={pronoun}",
        f"{kin}:left={left}",
        f"{kin}:right={right}",
        f"{kin}:{left}_{right}",
        f"{kin}:{nouns}",
        f"{kin}:nouns.left={nouns}{left}",
        f"{kin}:nouns.right={nouns}{right}",
        f"{kin}:wide={end - begin}",
        f"{kin}:at={'start' if not begin else 'end' if not after else 'mid'}",
        f"{kin}:lword={before.text if before and before.kind in 'DSJWOIV' else '-'}",
        f"{kin}:rword={after.text if after and after.kind in 'DSJWOYU' else '-'}",
        f"{kin}:R={any(token.kind == 'R' for token in tokens)}",
        f"{kin}:words={min(len(tokens), 7)}",
    )
    return Site(start, stop, kin, before.text if before else "^", after.text if after else "$", left, right, features)
