"""The tables of the knowledge base, as of version 1.

Written out rather than taken from `zhiji.stores.knowledge.tables`, so that this step stays what it was when those
change.
"""

import sqlalchemy as sa
from alembic import op

revision = "knowledge_0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables."""
    _create_bases()
    _create_releases()
    _create_documents()
    _create_chunks()


def downgrade() -> None:
    """Drop the tables."""
    for table in ("chunks", "documents", "releases", "bases"):
        op.drop_table(table)


def _create_bases() -> None:
    op.create_table(
        "bases",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("dim", sa.Integer, nullable=False),
        sa.Column("terms_version", sa.Text, nullable=False),
        sa.Column("generation", sa.Integer, nullable=False),
        sa.Column("current", sa.Integer, nullable=False),
        sa.Column("newest", sa.Integer, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
    )


def _create_releases() -> None:
    op.create_table(
        "releases",
        sa.Column("base", sa.Text, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("created_at", sa.Text, nullable=False),
        *[sa.Column(name, sa.Integer, nullable=False) for name in ("added", "changed", "removed", "files", "chunks")],
        sa.Column("frequencies", sa.LargeBinary, nullable=False),
    )


def _create_documents() -> None:
    op.create_table(
        "documents",
        sa.Column("id", sa.Integer, primary_key=True),
        *[
            sa.Column(name, sa.Text, nullable=False)
            for name in (
                "base",
                "root",
                "source",
                "category",
                "title",
                "file_hash",
                "pipeline",
                "identity",
                "updated_at",
            )
        ],
        *[sa.Column(name, sa.Integer, nullable=False) for name in ("blocks", "chunks", "tables", "images")],
        sa.Column("layout", sa.LargeBinary, nullable=False),
        sa.Column("from_release", sa.Integer, nullable=False),
        sa.Column("to_release", sa.Integer, nullable=False),
    )
    op.create_index("documents_by_source", "documents", ["base", "source", "from_release"])


def _create_chunks() -> None:
    op.create_table(
        "chunks",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("base", sa.Text, nullable=False),
        sa.Column("key", sa.String(36), nullable=False),
        sa.Column("embed_hash", sa.String(32), nullable=False),
        sa.Column("from_release", sa.Integer, nullable=False),
        sa.Column("to_release", sa.Integer, nullable=False),
    )
    op.create_index("chunks_by_key", "chunks", ["base", "key", "from_release"])
