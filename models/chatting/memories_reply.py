"""The memories in a model's reply: their JSON schema, and each one checked against what the user said."""

from collections.abc import Sequence
from datetime import date, datetime, tzinfo
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from zhiji.core.text import clean, fold, language_of
from zhiji.core.turn import MemoryType, Turn
from zhiji.models.extract import Candidate, CandidateOp
from zhiji.models.extracting import dates, kinds
from zhiji.models.extracting.keys import Named
from zhiji.models.extracting.people import CODES, Subject

KEYS = (
    "identity.name identity.age identity.birthday residence.city residence.district origin job employer family.status"
    " diet.allergy diet.restriction health.condition health.medication preference.drink preference.food hobby"
    " reply.length reply.language reply.format schedule.unavailable goal"
).split()
"""Keys that the prompt names, spelled as the profile does."""
NOBODY = "other"
MOST = 12
"""Memories in one reply."""


class Told(BaseModel):
    """One memory as the model writes it down."""

    model_config = ConfigDict(extra="ignore")

    turn: int = -1
    quote: str = Field(min_length=1)
    about: str = "user"
    type: MemoryType = "fact"
    key: str = "other"
    value: str = ""
    content: str = ""
    op: CandidateOp = "add"
    replaces: str = ""
    negative: bool = False
    temporary: bool = False
    until: str = ""
    rule: bool = False


def schema() -> dict[str, Any]:
    """The reply's JSON schema, every field required: strict modes take no other."""
    one = Told.model_json_schema()
    one |= {"required": list(one["properties"]), "additionalProperties": False}
    one["properties"]["about"] = {"type": "string", "enum": ["user", *CODES, NOBODY]}
    for shown in one["properties"].values():
        shown.pop("default", None)
    return {
        "type": "object",
        "properties": {"memories": {"type": "array", "items": one, "maxItems": MOST}},
        "required": ["memories"],
        "additionalProperties": False,
    }


def candidates(
    reply: dict[str, Any], turns: Sequence[Turn], new: Sequence[int], zone: tzinfo | None
) -> list[Candidate]:
    """The candidates of a reply; an entry that is malformed, or quotes no new turn of the user, is left out."""
    entries = reply.get("memories")
    told = [_told(entry) for entry in entries] if isinstance(entries, list) else []
    found = [_candidate(one, turns, new, zone) for one in told if one is not None]
    return [one for one in found if one is not None]


def _told(entry: object) -> Told | None:
    try:
        return Told.model_validate(entry)
    except ValidationError:
        return None


def _candidate(told: Told, turns: Sequence[Turn], new: Sequence[int], zone: tzinfo | None) -> Candidate | None:
    at = _quoted_in(told, turns, new)
    if at is None or told.about not in ("user", *CODES):
        return None
    said = turns[at].at
    local = said.astimezone(zone) if said else None
    whose = Subject(told.about)
    temporary = told.temporary and told.op != "retract"
    key = fold(told.key).strip(". ") or "other"
    return Candidate(
        op=told.op,
        type=told.type,
        key=kinds.full_key(key, whose),
        value=clean(told.value).strip(),
        content=dates.resolve(_content(told), local)[0],
        quote=told.quote,
        turn=at,
        subject=told.about,
        polarity="-" if told.negative and key != "diet.allergy" else "+",
        temporary=temporary,
        rule=told.rule,
        pinned=kinds.pinned(Named(key, told.value), told.quote, told.op, whose, temporary=temporary),
        replaces=clean(told.replaces).strip(),
        scene=kinds.scene_of(told.quote),
        expire_at=_expiry(told, local) if temporary else None,
    )


def _quoted_in(told: Told, turns: Sequence[Turn], new: Sequence[int]) -> int | None:
    """The new turn of the user that holds the quote; a model often miscounts, so the words decide."""
    bare = _bare(told.quote)
    holding = [at for at in new if turns[at].role == "user" and bare and bare in _bare(turns[at].text)]
    return told.turn if told.turn in holding else next(iter(holding), None)


def _content(told: Told) -> str:
    """The model's sentence, or the user's own words where it is missing or in another language."""
    content = clean(told.content).strip()
    lang: Literal["zh", "en"] = language_of(told.quote)
    if content and language_of(content) == lang:
        return content
    return f"用户说：{told.quote}" if lang == "zh" else f"The user said: {told.quote}"


def _expiry(told: Told, said: datetime | None) -> datetime | None:
    """When it is over: by the quote's own date, else by the one the model gives."""
    if said is None:
        return None
    found = dates.find(told.quote, said.date())
    if found:
        return dates.end_of(found[-1].last, said.tzinfo)
    try:
        until = date.fromisoformat(told.until.strip())
    except ValueError:
        return None
    return dates.end_of(until, said.tzinfo) if until >= said.date() else None


def _bare(text: str) -> str:
    return "".join(fold(clean(text)).split())
