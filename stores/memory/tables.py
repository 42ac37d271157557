"""The tables of user memory; every one carries the tenant, and so does every query on it."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Dialect,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
)

metadata = MetaData()


class UtcTime(TypeDecorator[datetime]):
    """A moment kept as ISO 8601 in UTC: SQLite has no type that remembers a zone."""

    impl = String(32)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> str | None:
        """Write a moment; fractions of a second keep the order of two messages in one second."""
        return value.astimezone(UTC).isoformat(timespec="microseconds") if value else None

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Read a moment, aware and in UTC."""
        return datetime.fromisoformat(value) if value else None


users = Table(
    "users",
    metadata,
    Column("tenant", String(32), primary_key=True),
    Column("user_id", Text, nullable=False),
    Column("timezone", String(64), nullable=False, server_default=""),
    Column("lang", String(8), nullable=False, server_default=""),
    Column("revision", Integer, nullable=False),
    Column("created_at", UtcTime, nullable=False),
)

memories = Table(
    "memories",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("tenant", String(32), nullable=False),
    Column("type", String(16), nullable=False),
    Column("key", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("polarity", String(1), nullable=False),
    Column("domain", Text, nullable=False),
    Column("scene", Text),
    Column("project", Text),
    Column("topics", JSON, nullable=False),
    Column("importance", Integer, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("source", String(16), nullable=False),
    Column("status", String(16), nullable=False),
    Column("pinned", Boolean, nullable=False),
    Column("temporary", Boolean, nullable=False),
    Column("valid_from", UtcTime),
    Column("valid_to", UtcTime),
    Column("expire_at", UtcTime),
    Column("created_at", UtcTime, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
    Column("confirmed_at", UtcTime),
    Column("supersedes", String(64)),
    Column("evidence", JSON, nullable=False),
    Column("embedding", LargeBinary, nullable=False),
    Column("model_id", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Index("memories_of_tenant", "tenant", "status"),
)

history = Table(
    "history",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("tenant", String(32), nullable=False),
    Column("memory_id", String(64), nullable=False),
    Column("operation", String(16), nullable=False),
    Column("actor", String(32), nullable=False),
    Column("at", UtcTime, nullable=False),
    Column("reason", Text, nullable=False),
    Column("before", JSON),
    Column("after", JSON),
    Index("history_of_memory", "tenant", "memory_id"),
)

processed = Table(
    "processed",
    metadata,
    Column("tenant", String(32), primary_key=True),
    Column("thread", String(256), primary_key=True),
    Column("message_id", String(256), primary_key=True),
    Column("at", UtcTime, nullable=False),
)

queue = Table(
    "queue",
    metadata,
    Column("tenant", String(32), primary_key=True),
    Column("thread", String(256), primary_key=True),
    Column("message_id", String(256), primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", UtcTime, nullable=False),
    Column("window", JSON, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("last_error", Text, nullable=False),
    Column("tried_at", UtcTime),
)

questions = Table(
    "questions",
    metadata,
    Column("tenant", String(32), primary_key=True),
    Column("memory_id", String(64), primary_key=True),
    Column("thread", String(256), nullable=False),
    Column("message_id", String(256), nullable=False),
    Column("open", Boolean, nullable=False),
)

profile_fields = Table(
    "profile_fields",
    metadata,
    Column("tenant", String(32), primary_key=True),
    Column("memory_id", String(64), primary_key=True),
    Column("key", String(128), nullable=False),
    Column("value", Text, nullable=False),
    Index("profile_by_value", "key", "value"),
)

OF_A_USER = (profile_fields, questions, queue, processed, history, memories, users)
"""Every table with a user's rows: what erasing empties."""
