"""Telling a user what is remembered of them."""

from collections.abc import Sequence

from zhiji.core.text import Language, language_of
from zhiji.core.turn import RecalledMemory
from zhiji.models.answering.markers import neutral
from zhiji.models.answering.person import second_person, without_subject
from zhiji.models.answering.phrases import phrase

IN_A_SENTENCE = 4
"""How many memories one sentence holds at most."""


def told(memories: Sequence[RecalledMemory], lang: Language) -> str:
    """Memories as sentences to the user, each with its label, without the last closing mark.

    "用户住在杭州", "用户平时喜欢喝美式" become "您住在杭州 [M1]，平时喜欢喝美式 [M2]".
    """
    own = [one for one in memories if language_of(neutral(one.content), default=lang) == lang]
    foreign = [one for one in memories if one not in own]
    said = [_sentence(own[at : at + IN_A_SENTENCE], lang) for at in range(0, len(own), IN_A_SENTENCE)]
    if foreign:
        said.append(_foreign(foreign, lang))
    return ("。" if lang == "zh" else ". ").join(said)


def _sentence(memories: Sequence[RecalledMemory], lang: Language) -> str:
    parts: list[str] = []
    for memory in memories:
        said = second_person(neutral(memory.content))
        if parts and said.startswith("您") and not said.startswith(("您的", "您家")):
            said = said[1:]
        elif parts and said.startswith(("You ", "Your ")):
            said = f"y{said[1:]}"
        parts.append(f"{said} [{memory.label}]")
    if lang == "zh":
        return "，".join(parts)
    return f"{', '.join(parts[:-1])}, and {parts[-1]}" if len(parts) > 1 else parts[0]


def _foreign(memories: Sequence[RecalledMemory], lang: Language) -> str:
    """Memories in the other language, quoted as they stand."""
    marks = ("“{}” [{}]", "、") if lang == "zh" else ("“{}” [{}]", ", ")
    quoted = marks[1].join(marks[0].format(without_subject(neutral(one.content)), one.label) for one in memories)
    return phrase("foreign_memory", lang).format(quoted)
