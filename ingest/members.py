"""What lies in a ZIP archive, as files below it; nothing is unpacked to disk."""

import stat
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path, PurePosixPath
from zipfile import ZipFile, ZipInfo

from zhiji.ingest.archives import member_bytes, opened_zip
from zhiji.ingest.decode import decode
from zhiji.ingest.report import FileReport, ParseFailed

SUFFIX = ".zip"
_UTF8 = 0x800  # the flag of a name that is written in UTF-8


def members(path: Path, source: str) -> Iterator[tuple[str, str] | FileReport]:
    """The name that each member goes by and its name in the archive; or the report on what is not read."""
    try:
        with opened_zip(path) as archive:
            for info in archive.infolist():
                yield from _member(info, source)
    except ParseFailed as failed:
        yield failed.report(source)


def read_member(path: Path, member: str, most: int) -> bytes:
    """The bytes of one member.

    Raises:
        ParseFailed: it is damaged or encrypted, or has more than `most` bytes.
    """
    archive = _opened(path, path.stat().st_mtime_ns)
    size = archive.getinfo(member).file_size
    if size > most:
        raise ParseFailed(f"{size / 1e6:.0f} MB, more than the {most // 2**20} MB a file may have")
    return member_bytes(archive, member)


@lru_cache(maxsize=1)  # the members of one archive are read one after the other
def _opened(path: Path, _changed: int) -> ZipFile:
    return opened_zip(path)


def _member(info: ZipInfo, source: str) -> Iterator[tuple[str, str] | FileReport]:
    name = _readable(info)
    parts = PurePosixPath(name).parts
    if info.is_dir() or any((part.startswith((".", "~$")) and part != "..") or part == "__MACOSX" for part in parts):
        return
    place = f"{source}/{name}"
    if ".." in parts or name.startswith("/") or ":" in (parts[0] if parts else ""):
        yield FileReport(place, "failed", "refused: its path leads out of the archive")
    elif stat.S_ISLNK(info.external_attr >> 16):
        yield FileReport(place, "skipped", "a link inside an archive")
    elif name.lower().endswith(SUFFIX):
        yield FileReport(place, "skipped", "an archive inside an archive; unpack it first")
    else:
        yield place, info.filename


def _readable(info: ZipInfo) -> str:
    """The member's name; old archives write it in the encoding of the machine that made them."""
    name = info.filename.replace("\\", "/")
    if info.flag_bits & _UTF8 or name.isascii():
        return name
    try:
        return decode(name.encode("cp437")).text
    except (ParseFailed, UnicodeEncodeError):
        return name
