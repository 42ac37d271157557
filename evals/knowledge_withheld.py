"""A set with every third of its documents taken out: what only those would answer must be refused."""

import shutil
from collections.abc import Collection, Sequence, Set
from pathlib import Path

from zhiji.evals.knowledge_lines import QuestionLine, documents_of

EVERY = 3


def withheld(documents: Collection[str]) -> frozenset[str]:
    """Every third document by name.

    >>> sorted(withheld(["a", "b", "c", "d", "e", "f"]))
    ['c', 'f']
    """
    return frozenset(sorted(documents)[EVERY - 1 :: EVERY])


def copy_without(folder: Path, gone: Collection[str], into: Path) -> Path:
    """A set's documents less some of them, as a folder to ingest."""
    for name in sorted(documents_of(folder) - set(gone)):
        (into / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(folder / "docs" / name, into / name)
    return into


def without(lines: Sequence[QuestionLine], gone: Set[str]) -> list[QuestionLine]:
    """The questions as they stand to what is left: those whose documents are all gone have no answer any more.

    Left out are questions that lost one document of several, which are half answered, and those that were never
    answerable: these ask for what a document on the subject lacks, which is another figure.
    """
    return [
        _beside(line, gone)
        for line in lines
        if line.answerable and (gone >= set(line.docs) or set(line.docs).isdisjoint(gone))
    ]


def _beside(line: QuestionLine, gone: Set[str]) -> QuestionLine:
    left = {"pool": tuple(name for name in line.pool if name not in gone)} if line.pool is not None else {}
    if set(line.docs).isdisjoint(gone):
        return line.model_copy(update=left)
    return line.model_copy(update={**left, "answerable": False, "evidence": (), "docs": ()})
