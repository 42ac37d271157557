"""The indexed profile: what of a person's memories questions about all people are asked of."""

from collections import defaultdict

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from zhiji.stores.memory.records import MemoryRecord
from zhiji.stores.memory.tables import profile_fields, profiles
from zhiji.stores.profiles import canonical, field_of
from zhiji.stores.sql import upsert


def is_indexed(key: str) -> bool:
    """Whether the schema lets people be found by a field."""
    field = field_of(key)
    return field is not None and field.indexed


def compared(key: str, value: str) -> tuple[str, ...]:
    """The values of a field as they are compared; none of a free key.

    >>> compared("crops", "荔枝、龍眼"), compared("residence.city", "Paris, Texas")
    (('荔枝', '龙眼'), ('paris, texas',))
    """
    field = field_of(key)
    return field.compared(value) if field is not None else ()


async def project(connection: AsyncConnection, tenant: str, before: MemoryRecord | None, after: MemoryRecord) -> None:
    """Bring a person's profile in line with one changed memory, in the same transaction: there is one truth."""
    old, new = _rows(before) if before else set(), _rows(after)
    if old == new:
        return
    if old:
        its = (profile_fields.c.tenant == tenant) & (profile_fields.c.memory_id == after.id)
        await connection.execute(delete(profile_fields).where(its))
    if new:
        rows = [{"tenant": tenant, "memory_id": after.id, "key": key, "value": value} for key, value in sorted(new)]
        await connection.execute(insert(profile_fields), rows)
    await _sum_up(connection, tenant)


def _rows(record: MemoryRecord) -> set[tuple[str, str]]:
    if record.status != "active" or record.subject != "user" or record.polarity == "-" or not is_indexed(record.key):
        return set()
    return {(canonical(record.key), value) for value in compared(record.key, record.value)}


async def _sum_up(connection: AsyncConnection, tenant: str) -> None:
    """Write the person's one row, all fields in it."""
    statement = select(profile_fields.c.key, profile_fields.c.value).where(profile_fields.c.tenant == tenant)
    fields: dict[str, set[str]] = defaultdict(set)
    for key, value in await connection.execute(statement):
        fields[key].add(value)
    row = {"tenant": tenant, "fields": {key: sorted(values) for key, values in fields.items()}}
    written = upsert(connection, profiles).values(row)
    await connection.execute(
        written.on_conflict_do_update(index_elements=["tenant"], set_={"fields": written.excluded.fields})
    )
