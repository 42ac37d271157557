"""When extraction from a queued message was last tried, so that a failure is not retried at once."""

import sqlalchemy as sa
from alembic import op

from zhiji.stores.types import UtcTime

revision = "memory_0002"
down_revision = "memory_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    with op.batch_alter_table("queue") as table:
        table.add_column(sa.Column("tried_at", UtcTime))


def downgrade() -> None:
    """Drop the column."""
    with op.batch_alter_table("queue") as table:
        table.drop_column("tried_at")
