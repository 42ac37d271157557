"""What can be carried over from the conversation: pieces of the last turns, with what tells good ones."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zhiji.core.text import has_cjk
from zhiji.core.turn import Turn
from zhiji.models.answering.markers import without_labels
from zhiji.models.rewriting.tagging import Token, shape, tag

MAX_WORDS = 7
TURNS = 4
USER_CHARS = 120
# A short reply names things of its own; a long answer only elaborates on what the user asked for.
LONGEST_REPLY = 32
_NEVER_FIRST = frozenset("YU.")
_NEVER_LAST = frozenset("UJ.")
_CONTENT = frozenset("NPLEVAGMIX")
_NOMINAL = frozenset("NPLE")
_COMPOUND = frozenset("NPLEMX")


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of an earlier turn that may complete the query."""

    text: str
    first: str
    """Class of its first word."""
    last: str
    before: str
    """The word before it there, or `^`."""
    after: str
    features: tuple[str, ...]


def spans(window: Sequence[Turn], query: str) -> list[Span]:
    """Candidate pieces of the last turns, the newest first; a text that comes twice is one candidate."""
    turns = [turn for turn in window if turn.text.strip()][-TURNS:][::-1]
    texts = [_searched(turn) for turn in turns]
    found: dict[str, Span] = {}
    for age, (turn, text) in enumerate(zip(turns, texts, strict=True)):
        tokens = tag(text)
        everywhere = "\n".join(texts)
        for begin, end in _bounds(tokens):
            piece = text[tokens[begin].start : tokens[end - 1].end]
            if piece not in found and piece not in query:
                found[piece] = _span(piece, tokens, begin, end, (_where(turn, age), everywhere.count(piece), query))
    return list(found.values())


def _where(turn: Turn, age: int) -> str:
    """Whose turn it is and how far back; an answer from a source names things in the source's words."""
    cited = turn.role == "assistant" and without_labels(turn.text) != turn.text
    return f"{'source' if cited else turn.role}{age}"


def _searched(turn: Turn) -> str:
    if turn.role == "user":
        return turn.text[:USER_CHARS]
    text = without_labels(turn.text)
    return text if len(text) <= LONGEST_REPLY * (1 if has_cjk(text) else 3) else ""


def _bounds(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    for begin, first in enumerate(tokens):
        if first.kind in _NEVER_FIRST:
            continue
        for end in range(begin + 1, min(begin + MAX_WORDS, len(tokens)) + 1):
            last = tokens[end - 1]
            if last.kind == ".":
                break
            if last.kind not in _NEVER_LAST and any(token.kind in _CONTENT for token in tokens[begin:end]):
                yield begin, end


def _cut(before: Token | None, inside: Sequence[Token]) -> bool:
    """Whether a piece begins in the middle of a name or compound ("蛀虫" of "荔枝蒂蛀虫")."""
    if before is None or before.end != inside[0].start:
        return False
    return before.kind in _COMPOUND and inside[0].kind in _COMPOUND


def _span(text: str, tokens: Sequence[Token], begin: int, end: int, context: tuple[str, int, str]) -> Span:
    where, times, query = context
    inside = tokens[begin:end]
    before = tokens[begin - 1] if begin else None
    after = tokens[end] if end < len(tokens) else None
    kinds = {token.kind for token in inside}
    left, right = before.kind if before else "^", after.kind if after else "$"
    shared = sum(mark in query for mark in text if not mark.isspace()) / len(text)
    features = (
        f"where={where}",
        f"shape={shape(inside)}",
        f"first={inside[0].kind}",
        f"last={inside[-1].kind}",
        f"words={min(len(inside), 5)}",
        f"chars={min(len(text), 9)}",
        f"left={left}",
        f"right={right}",
        f"around={left}{right}",
        f"left+first={left}{inside[0].kind}",
        f"last+right={inside[-1].kind}{right}",
        f"after={after.text if after and after.kind in 'YSUJ' else '-'}",
        f"before={before.text if before and before.kind in 'DSOJI' else '-'}",
        f"open={(left in _NOMINAL and inside[0].kind in _NOMINAL) + (right in _NOMINAL and inside[-1].kind in _NOMINAL)}",
        f"times={min(times, 3)}",
        f"shared={int(shared * 4)}",
        *(f"has={kind}" for kind in sorted(kinds & set("RIWYDJSVUMTO"))),
        f"nominal={kinds <= _NOMINAL}",
        f"cut={_cut(before, inside)}{_cut(inside[-1], [after]) if after else False}",
        f"cut={_cut(before, inside)}{_cut(inside[-1], [after]) if after else False}:{where[:-1]}",
        f"whole={left in '^.' and right in '$.Y'}",
    )
    return Span(
        text, inside[0].kind, inside[-1].kind, before.text if before else "^", after.text if after else "$", features
    )
