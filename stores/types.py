"""Column types that each engine keeps in its own best way."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Dialect, Integer, String, TypeDecorator
from sqlalchemy.dialects.postgresql import JSONB, TIMESTAMP
from sqlalchemy.types import TypeEngine


class UtcTime(TypeDecorator[datetime]):
    """A moment in UTC: a timestamp with zone, or ISO 8601 where the engine has no type that remembers a zone."""

    impl = String(32)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """PostgreSQL has a type for it."""
        native = TIMESTAMP(timezone=True) if dialect.name == "postgresql" else String(32)
        return dialect.type_descriptor(native)

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        """Write a moment; fractions of a second keep the order of two messages in one second."""
        if value is None or dialect.name == "postgresql":
            return value and value.astimezone(UTC)
        return value.astimezone(UTC).isoformat(timespec="microseconds")

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Read a moment, aware and in UTC."""
        if value is None:
            return None
        return (datetime.fromisoformat(value) if isinstance(value, str) else value).astimezone(UTC)


Json = JSON().with_variant(JSONB(), "postgresql")
"""A document; indexable where the engine can."""
Counter = BigInteger().with_variant(Integer, "sqlite")
"""A number that counts up by itself; SQLite does so only for an INTEGER."""
