"""What became of each file that ingest met."""

from dataclasses import dataclass
from typing import Literal

from zhiji.core.errors import ZhijiError
from zhiji.ingest.blocks import SkippedPage

FileStatus = Literal["loaded", "unchanged", "empty", "unsupported", "skipped", "failed"]


@dataclass(frozen=True, slots=True)
class FileReport:
    """One line of the ingest report: the file, what happened, and why if it was not loaded whole."""

    path: str
    status: FileStatus
    reason: str = ""
    blocks: int = 0
    chunks: int = 0
    tables: int = 0
    images: int = 0
    pages: int | None = None
    pages_skipped: tuple[SkippedPage, ...] = ()


class ParseFailed(ZhijiError):
    """A file that gives no document; the message says why, and `status` what to report."""

    def __init__(self, reason: str, status: FileStatus = "failed") -> None:
        super().__init__(reason)
        self.reason = reason
        self.status: FileStatus = status

    def report(self, source: str) -> FileReport:
        """The report's line on the file."""
        return FileReport(source, self.status, self.reason)
