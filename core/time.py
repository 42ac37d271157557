"""Reading and writing times: kept in UTC, read in the user's zone."""

from datetime import UTC, datetime, tzinfo

from zhiji.core.errors import InvalidInput


def now() -> datetime:
    """The present moment in UTC."""
    return datetime.now(UTC)


def parse_time(text: str, zone: tzinfo | None = None) -> datetime:
    """An ISO 8601 time in UTC; one without a zone is read in `zone` (None: the machine's).

    >>> parse_time("2026-05-01T09:00:00+08:00").isoformat()
    '2026-05-01T01:00:00+00:00'

    Raises:
        InvalidInput: The text is no ISO 8601 time.
    """
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(f"'{text[:40]}' is no ISO 8601 time; write it like 2026-05-01T09:00:00+08:00.") from None
    try:
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=zone) if zone else moment.astimezone()
        return moment.astimezone(UTC)
    except (OverflowError, ValueError, OSError):
        raise InvalidInput(f"'{text[:40]}' lies outside the years that can be reckoned with.") from None


def iso(moment: datetime) -> str:
    """A moment as ISO 8601 in UTC, to the second."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")
