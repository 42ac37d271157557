"""A set of questions on documents: its lines, and which chunks hold what they ask for."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from zhiji.core.errors import Misuse
from zhiji.evals.lines import Half, Line, read_lines, reject
from zhiji.evals.rewriting import Spoken
from zhiji.evals.texts import bare, holds

PARTIAL = "partial"
"""Questions half of whose answer is missing: neither answerable nor not, so they are left out."""


class QuestionLine(Line):
    """A question, the words that answer it and the documents these stand in."""

    id: str
    question: str
    history: tuple[Spoken, ...] = ()
    answer: str = ""
    evidence: tuple[str, ...] = ()
    docs: tuple[str, ...] = ()
    answerable: bool = True
    category: str = ""
    pool: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk as the evaluation sees it: where it is from, and its bare text."""

    id: str
    source: str
    text: str

    def holds(self, evidence: str) -> bool:
        """Whether it holds a bare evidence, or enough of it."""
        return holds(self.text, evidence)


def read_questions(folder: Path, half: Half) -> list[QuestionLine]:
    """The questions of a set, checked against its documents; `partial` ones are left out.

    Raises:
        Misuse: The folder lacks its parts, or a line makes no sense.
    """
    docs = documents_of(folder)
    lines = read_lines(folder / "questions.jsonl", QuestionLine, half)
    return [_checked(line, docs) for line in lines if line.category != PARTIAL]


def documents_of(folder: Path) -> set[str]:
    """The paths of a set's documents, relative to its `docs`."""
    docs = folder / "docs"
    if not docs.is_dir():
        raise Misuse(f"{folder} has no folder docs; a knowledge base set is docs/ and questions.jsonl.")
    return {file.relative_to(docs).as_posix() for file in docs.rglob("*") if file.is_file()}


def _checked(line: QuestionLine, docs: set[str]) -> QuestionLine:
    if line.answerable and not line.evidence:
        raise reject(line, "answerable, but without evidence")
    if line.answerable and not line.docs:
        raise reject(line, "evidence without docs")
    unknown = next((name for name in [*line.docs, *(line.pool or ())] if name not in docs), None)
    if unknown is not None:
        raise reject(line, f"docs holds no {unknown}")
    return line


def bare_evidence(line: QuestionLine) -> list[str]:
    """The evidence of a question for comparison, each once."""
    return list(dict.fromkeys(text for text in map(bare, line.evidence) if text))


def held_by(piece: Piece, line: QuestionLine, evidence: Sequence[str]) -> set[str]:
    """Which of the evidence a chunk holds; a chunk of another document holds none, however alike its words are."""
    if piece.source not in line.docs:
        return set()
    return {one for one in evidence if piece.holds(one)}
