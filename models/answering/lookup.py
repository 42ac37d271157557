"""Which given source a sentence stands in."""

import unicodedata

from zhiji.core.turn import Passage
from zhiji.models.answer import AnswerRequest


def sources_of(request: AnswerRequest) -> list[Passage]:
    """Passages and the digests of the user's documents, as one list."""
    digests = [Passage(one.id, one.source, "", one.text, one.score, 0, label=one.label) for one in request.documents]
    return [*request.passages, *digests]


def attributed(sentence: str, request: AnswerRequest) -> str:
    """The sentence with the label of the source that holds it, where one does."""
    core = _bare(sentence)
    for source in sources_of(request):
        if core and core in _bare(source.text):
            text = sentence.rstrip()
            mark = text[-1] if text[-1] in "。！？!?." else ""
            return f"{text.removesuffix(mark)} [{source.label}]{mark}{sentence[len(text) :]}"
    return sentence


def _bare(text: str) -> str:
    return "".join(mark for mark in unicodedata.normalize("NFKC", text) if mark.isalnum())
