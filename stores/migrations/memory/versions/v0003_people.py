"""Ids are a person's own, people can be found by their profile, and PostgreSQL fences each person's rows."""

from collections import defaultdict

import sqlalchemy as sa
from alembic import op

from zhiji.core.text import fold
from zhiji.stores.types import Json

revision = "memory_0003"
down_revision = "memory_0002"
branch_labels = None
depends_on = None

FENCED = ("users", "memories", "history", "processed", "queue", "questions")
"""Profiles are left out: they are what questions about all people are asked of, through their index."""


def upgrade() -> None:
    """Give each person ids of their own, index the profiles, raise the fence."""
    _key_memories(["tenant", "id"])
    op.create_index("memories_by_model", "memories", ["model_id"])
    rows = _fields()
    op.drop_table("profile_fields")
    _create_profiles()
    _fill({(*row[:3], fold(row[3])[:200]) for row in rows})
    if _postgres():
        op.create_index(
            "profiles_by_field",
            "profiles",
            ["fields"],
            postgresql_using="gin",
            postgresql_ops={"fields": "jsonb_path_ops"},
        )
        # Vectors are random numbers: not worth compressing, and read with their row.
        op.execute("ALTER TABLE memories ALTER COLUMN embedding SET STORAGE EXTERNAL")
        op.execute("ALTER TABLE memories SET (toast_tuple_target = 8160)")
        for table in FENCED:
            _fence(table)
    else:
        op.create_index("profile_by_value", "profile_fields", ["key", "value", "tenant"])


def downgrade() -> None:
    """Take it all back; of ids that two people share, the first person's stay."""
    if _postgres():
        for table in FENCED:
            op.execute(f"DROP POLICY own_rows ON {table}")
            op.execute(f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY, DISABLE ROW LEVEL SECURITY")
    rows = _fields()
    op.drop_table("profiles")
    op.drop_table("profile_fields")
    _create_fields_of_version_1()
    op.drop_index("memories_by_model", "memories")
    op.execute(
        "DELETE FROM memories WHERE EXISTS "
        "(SELECT 1 FROM memories AS one WHERE one.id = memories.id AND one.tenant < memories.tenant)"
    )
    _key_memories(["id"])
    _insert("profile_fields", [dict(zip(_COLUMNS, row, strict=True)) for row in _one_each(rows)])


_COLUMNS = ("tenant", "memory_id", "key", "value")
_Row = tuple[str, str, str, str]


def _postgres() -> bool:
    return op.get_bind().dialect.name == "postgresql"


def _key_memories(columns: list[str]) -> None:
    if _postgres():
        op.drop_constraint("memories_pkey", "memories", type_="primary")
        op.create_primary_key("memories_pkey", "memories", columns)
        return
    old = sa.Table("memories", sa.MetaData(), autoload_with=op.get_bind())
    moved = [sa.Column(c.name, c.type, nullable=c.nullable, primary_key=c.name in columns) for c in old.columns]
    op.create_table("memories_moved", *moved)
    names = ", ".join(f'"{column.name}"' for column in moved)
    op.execute(f"INSERT INTO memories_moved ({names}) SELECT {names} FROM memories")
    op.drop_table("memories")
    op.rename_table("memories_moved", "memories")
    op.create_index("memories_of_tenant", "memories", ["tenant", "status"])


def _fields() -> list[_Row]:
    found = op.get_bind().execute(sa.text("SELECT tenant, memory_id, key, value FROM profile_fields"))
    return [(row[0], row[1], row[2], row[3]) for row in found]


def _one_each(rows: list[_Row]) -> list[_Row]:
    return list({row[:2]: row for row in rows}.values())


def _create_profiles() -> None:
    op.create_table(
        "profile_fields",
        sa.Column("tenant", sa.String(32), primary_key=True),
        sa.Column("memory_id", sa.String(64), primary_key=True),
        sa.Column("key", sa.String(128), primary_key=True),
        sa.Column("value", sa.Text, primary_key=True),
    )
    op.create_table(
        "profiles",
        sa.Column("tenant", sa.String(32), primary_key=True),
        sa.Column("fields", Json, nullable=False),
    )


def _create_fields_of_version_1() -> None:
    op.create_table(
        "profile_fields",
        sa.Column("tenant", sa.String(32), primary_key=True),
        sa.Column("memory_id", sa.String(64), primary_key=True),
        sa.Column("key", sa.String(128), nullable=False),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_index("profile_by_value", "profile_fields", ["key", "value"])


def _fill(rows: set[_Row]) -> None:
    profiles: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for tenant, _, key, value in rows:
        profiles[tenant][key].add(value)
    _insert("profile_fields", [dict(zip(_COLUMNS, row, strict=True)) for row in sorted(rows)])
    _insert(
        "profiles",
        [
            {"tenant": tenant, "fields": {key: sorted(values) for key, values in fields.items()}}
            for tenant, fields in profiles.items()
        ],
    )


def _insert(table: str, rows: list[dict[str, object]]) -> None:
    if rows:
        columns = [sa.column(name, Json if name == "fields" else sa.Text) for name in rows[0]]
        op.bulk_insert(sa.table(table, *columns), rows)


def _fence(table: str) -> None:
    mine = "current_setting('zhiji.tenant', true)"
    op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY own_rows ON {table} USING (tenant = {mine} OR {mine} = '*')")
