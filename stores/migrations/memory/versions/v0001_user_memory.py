"""The tables of user memory, as of version 1.

Written out rather than taken from `zhiji.stores.memory.tables`, so that this step stays what it was when those change.
"""

import sqlalchemy as sa
from alembic import op

from zhiji.stores.types import Counter, Json, UtcTime

revision = "memory_0001"
down_revision = None
branch_labels = None
depends_on = None

_TENANT = ("tenant", sa.String(32))


def upgrade() -> None:
    """Create the tables."""
    _create_users()
    _create_memories()
    _create_history()
    _create_messages()
    _create_projections()


def downgrade() -> None:
    """Drop the tables."""
    for table in ("profile_fields", "questions", "queue", "processed", "history", "memories", "users"):
        op.drop_table(table)


def _create_users() -> None:
    op.create_table(
        "users",
        sa.Column(*_TENANT, primary_key=True),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("timezone", sa.String(64), nullable=False, server_default=""),
        sa.Column("lang", sa.String(8), nullable=False, server_default=""),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("created_at", UtcTime, nullable=False),
    )


def _create_memories() -> None:
    op.create_table(
        "memories",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column(*_TENANT, nullable=False),
        sa.Column("type", sa.String(16), nullable=False),
        *[sa.Column(name, sa.Text, nullable=False) for name in ("key", "value", "content", "subject")],
        sa.Column("polarity", sa.String(1), nullable=False),
        sa.Column("domain", sa.Text, nullable=False),
        sa.Column("scene", sa.Text),
        sa.Column("project", sa.Text),
        sa.Column("topics", Json, nullable=False),
        sa.Column("importance", sa.Integer, nullable=False),
        sa.Column("confidence", sa.Float, nullable=False),
        sa.Column("source", sa.String(16), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("pinned", sa.Boolean, nullable=False),
        sa.Column("temporary", sa.Boolean, nullable=False),
        *[sa.Column(name, UtcTime) for name in ("valid_from", "valid_to", "expire_at")],
        *[sa.Column(name, UtcTime, nullable=False) for name in ("created_at", "updated_at")],
        sa.Column("confirmed_at", UtcTime),
        sa.Column("supersedes", sa.String(64)),
        sa.Column("evidence", Json, nullable=False),
        sa.Column("embedding", sa.LargeBinary, nullable=False),
        sa.Column("model_id", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
    )
    op.create_index("memories_of_tenant", "memories", ["tenant", "status"])


def _create_history() -> None:
    op.create_table(
        "history",
        sa.Column("seq", Counter, primary_key=True, autoincrement=True),
        sa.Column(*_TENANT, nullable=False),
        sa.Column("memory_id", sa.String(64), nullable=False),
        sa.Column("operation", sa.String(16), nullable=False),
        sa.Column("actor", sa.String(32), nullable=False),
        sa.Column("at", UtcTime, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("before", Json),
        sa.Column("after", Json),
    )
    op.create_index("history_of_memory", "history", ["tenant", "memory_id"])


def _message_key() -> list[sa.Column[str]]:
    names = (("tenant", 32), ("thread", 256), ("message_id", 256))
    return [sa.Column(name, sa.String(length), primary_key=True) for name, length in names]


def _create_messages() -> None:
    op.create_table("processed", *_message_key(), sa.Column("at", UtcTime, nullable=False))
    op.create_table(
        "queue",
        *_message_key(),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", UtcTime, nullable=False),
        sa.Column("window", Json, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("last_error", sa.Text, nullable=False),
    )


def _create_projections() -> None:
    op.create_table(
        "questions",
        sa.Column(*_TENANT, primary_key=True),
        sa.Column("memory_id", sa.String(64), primary_key=True),
        sa.Column("thread", sa.String(256), nullable=False),
        sa.Column("message_id", sa.String(256), nullable=False),
        sa.Column("open", sa.Boolean, nullable=False),
    )
    op.create_table(
        "profile_fields",
        sa.Column(*_TENANT, primary_key=True),
        sa.Column("memory_id", sa.String(64), primary_key=True),
        sa.Column("key", sa.String(128), nullable=False),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_index("profile_by_value", "profile_fields", ["key", "value"])
