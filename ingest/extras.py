"""Packages that only some formats need, and that are installed as extras."""

from collections.abc import Iterator
from contextlib import contextmanager

from zhiji.ingest.report import ParseFailed


class MissingExtra(ParseFailed):
    """The package that reads this is not installed."""

    def __init__(self, extra: str) -> None:
        super().__init__(f"reading it needs an extra: pip install 'zhiji[{extra}]'", "unsupported")
        self.extra = extra


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Wraps an import; a missing package becomes one line that names the extra.

    Raises:
        MissingExtra: The package is not installed.
    """
    try:
        yield
    except ImportError as missing:
        raise MissingExtra(extra) from missing
