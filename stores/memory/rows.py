"""Turning a memory into its row and back."""

from dataclasses import asdict, fields, replace
from datetime import datetime
from typing import Any

import numpy as np
from sqlalchemy import RowMapping

from zhiji.core.text import fold
from zhiji.core.time import iso
from zhiji.models.embed import Vector
from zhiji.stores.memory.guards import person
from zhiji.stores.memory.policy import is_kin, over_at
from zhiji.stores.memory.records import Evidence, HistoryEntry, MemoryRecord

_FIELDS = tuple(field.name for field in fields(MemoryRecord))


def to_row(record: MemoryRecord, tenant: str, vector: Vector, model_id: str) -> dict[str, Any]:
    """The row of a memory, its vector and the model that made it in the same row."""
    row = {name: getattr(record, name) for name in _FIELDS}
    row |= {"topics": list(record.topics), "evidence": [asdict(one) for one in record.evidence]}
    return row | {"tenant": tenant, "embedding": vector.astype(np.float32).tobytes(), "model_id": model_id}


def to_record(row: RowMapping) -> MemoryRecord:
    """The memory of a row."""
    held = {name: row[name] for name in _FIELDS}
    held["topics"] = tuple(held["topics"])
    held["evidence"] = tuple(Evidence(**one) for one in held["evidence"])
    return MemoryRecord(**held)


def to_vector(row: RowMapping) -> Vector:
    """The vector of a row, shape `(dim,)`."""
    return np.frombuffer(row["embedding"], dtype=np.float32)


def to_json(record: MemoryRecord) -> dict[str, Any]:
    """A memory as plain JSON, times as ISO 8601."""
    held = asdict(record)
    held["topics"] = list(record.topics)
    held["evidence"] = [asdict(one) for one in record.evidence]
    return {name: iso(value) if isinstance(value, datetime) else value for name, value in held.items()}


def changed(before: MemoryRecord, after: MemoryRecord) -> tuple[dict[str, Any], dict[str, Any]]:
    """The fields in which two versions of a memory differ, before and after."""
    old, new = to_json(before), to_json(after)
    names = [name for name in old if old[name] != new[name]]
    return {name: old[name] for name in names}, {name: new[name] for name in names}


def to_history(row: RowMapping) -> HistoryEntry:
    """The history entry of a row."""
    return HistoryEntry(**{field.name: row[field.name] for field in fields(HistoryEntry)})


def searchable(record: MemoryRecord) -> str:
    """The text that search compares: the sentence, with the speaker's name where another than the user spoke."""
    subject = record.subject
    if person(subject) == "user" or is_kin(subject) or fold(subject) in fold(record.content):
        return record.content
    return f"{subject}: {record.content}"


def expired(record: MemoryRecord, at: datetime) -> bool:
    """Whether a memory's time is over at a moment."""
    over = over_at(record)
    return over is not None and over <= at


def seen_at(record: MemoryRecord, at: datetime) -> MemoryRecord:
    """The memory as it stands at a moment: active ones whose time is over count as expired."""
    return replace(record, status="expired") if record.status == "active" and expired(record, at) else record
