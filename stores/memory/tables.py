"""The tables of user memory; every one carries the tenant, and so does every query on it."""

from sqlalchemy import Boolean, Column, Float, Index, Integer, LargeBinary, MetaData, String, Table, Text

from zhiji.stores.types import Counter, Json, UtcTime

metadata = MetaData()


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
    Column("tenant", String(32), primary_key=True),
    Column("id", String(64), primary_key=True),
    Column("type", String(16), nullable=False),
    Column("key", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("polarity", String(1), nullable=False),
    Column("domain", Text, nullable=False),
    Column("scene", Text),
    Column("project", Text),
    Column("topics", Json, nullable=False),
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
    Column("evidence", Json, nullable=False),
    Column("embedding", LargeBinary, nullable=False),
    Column("model_id", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Index("memories_of_tenant", "tenant", "status"),
    Index("memories_by_model", "model_id"),
)

history = Table(
    "history",
    metadata,
    Column("seq", Counter, primary_key=True, autoincrement=True),
    Column("tenant", String(32), nullable=False),
    Column("memory_id", String(64), nullable=False),
    Column("operation", String(16), nullable=False),
    Column("actor", String(32), nullable=False),
    Column("at", UtcTime, nullable=False),
    Column("reason", Text, nullable=False),
    Column("before", Json),
    Column("after", Json),
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
    Column("window", Json, nullable=False),
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
    Column("key", String(128), primary_key=True),
    Column("value", Text, primary_key=True),  # as it is compared, not as it was said
    Index("profile_by_value", "key", "value", "tenant").ddl_if(dialect="sqlite"),
)

profiles = Table(
    "profiles",
    metadata,
    Column("tenant", String(32), primary_key=True),
    Column("fields", Json, nullable=False),  # {key: [values]}
    Index("profiles_by_field", "fields", postgresql_using="gin", postgresql_ops={"fields": "jsonb_path_ops"}).ddl_if(
        dialect="postgresql"
    ),
)

OF_A_USER = (profiles, profile_fields, questions, queue, processed, history, memories, users)
"""Every table with a user's rows: what erasing empties."""
