"""Exact questions about people: who grows litchi, who is posted in a town; answered by an index, never by similarity."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Select, exists, func, select, type_coerce
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncConnection

from zhiji.core.errors import Misuse
from zhiji.core.ids import tenant_of
from zhiji.stores.memory.projection import compared, is_indexed
from zhiji.stores.memory.tables import profile_fields, profiles, users
from zhiji.stores.profiles import canonical

MOST = 100
"""People given in one answer; a longer list is asked for page by page."""

COUNTED = 5000
"""Beyond these a value is simply frequent."""
_Pair = tuple[str, str]
_held = profile_fields.alias("held")
_people = select(profiles.c.tenant, profiles.c.fields)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who was found: the user id, and the fields that people are found by."""

    user_id: str
    fields: Mapping[str, Sequence[str]]


async def find_people(
    connection: AsyncConnection, wanted: Mapping[str, Sequence[str]], *, limit: int = MOST, after: str = ""
) -> list[Person]:
    """The people whose profile has all the wanted values, by tenant; `after` is the last user id of the page before.

    Raises:
        Misuse: Nothing is asked for, or a field that people cannot be found by.
    """
    asked = _asked(wanted)
    if connection.dialect.name == "postgresql":
        statement = _people.where(type_coerce(profiles.c.fields, JSONB).contains(asked))
    else:
        statement = _people.where(profiles.c.tenant.in_(_holding(await _rarest_first(connection, asked))))
    if after:
        statement = statement.where(profiles.c.tenant > tenant_of(after))
    page = statement.order_by(profiles.c.tenant).limit(limit).subquery()
    named = select(users.c.user_id, page.c.fields).join(page, page.c.tenant == users.c.tenant).order_by(page.c.tenant)
    return [Person(row.user_id, row.fields) for row in await connection.execute(named)]


def _asked(wanted: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    asked: dict[str, list[str]] = {}
    for key, values in wanted.items():
        if not is_indexed(key):
            raise Misuse(f"People are not found by '{key}': it is no field of the profile, or a sensitive one.")
        asked.setdefault(canonical(key), []).extend(part for value in values for part in compared(key, value))
    if not any(asked.values()):
        raise Misuse("Say what to look for, such as crops=荔枝.")
    return asked


async def _rarest_first(connection: AsyncConnection, asked: Mapping[str, Sequence[str]]) -> list[_Pair]:
    """The wanted values, that of the fewest people first: the index is walked along it, the others are looked up."""
    pairs = [(key, value) for key, values in asked.items() for value in values]
    if len(pairs) == 1:
        return pairs
    counts = []
    for key, value in pairs:
        some = select(_held.c.tenant).where(_held.c.key == key, _held.c.value == value).limit(COUNTED).subquery()
        counts.append((await connection.execute(select(func.count()).select_from(some))).scalar_one())
    return [pair for _, pair in sorted(zip(counts, pairs, strict=True))]


def _holding(pairs: Sequence[_Pair]) -> Select[tuple[str]]:
    """The tenants that have all the values, by the side table's index."""
    (key, value), *others = pairs
    statement = select(_held.c.tenant).where(_held.c.key == key, _held.c.value == value)
    for place, (key, value) in enumerate(others):
        one = profile_fields.alias(f"other_{place}")
        statement = statement.where(
            exists().where(one.c.tenant == _held.c.tenant, one.c.key == key, one.c.value == value)
        )
    return statement
