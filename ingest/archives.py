"""ZIP archives, and the formats that are such: opened only if what they hold is of a sane size."""

from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from zhiji.ingest.report import ParseFailed

MAX_MEMBERS = 20_000
MAX_UNPACKED = 2**30  # bytes of all members together
_MAX_RATIO = 200  # times the packed size; text is packed to a tenth, a bomb to a thousandth
_FREE = 16 * 2**20  # bytes that any member may have, however well it was packed


def opened_zip(data: bytes | Path) -> ZipFile:
    """The archive in some bytes or in a file; nothing is unpacked yet.

    Raises:
        ParseFailed: it is damaged, encrypted, or would unpack to more than memory should hold.
    """
    try:
        archive = ZipFile(data if isinstance(data, Path) else BytesIO(data))
    except (BadZipFile, OSError, ValueError, NotImplementedError) as broken:
        raise ParseFailed("the file is damaged or incomplete") from broken
    members = archive.infolist()
    unpacked = sum(member.file_size for member in members)
    bomb = any(m.file_size > _FREE and m.file_size > _MAX_RATIO * max(m.compress_size, 1) for m in members)
    if bomb or unpacked > MAX_UNPACKED or len(members) > MAX_MEMBERS:
        archive.close()
        raise ParseFailed(f"refused: it would unpack to {unpacked / 1e6:.0f} MB in {len(members)} files")
    return archive


def member_bytes(archive: ZipFile, name: str) -> bytes:
    """The bytes of a member.

    Raises:
        ParseFailed: it is not there, damaged, encrypted, or longer than its entry says.
    """
    try:
        with archive.open(name) as member:
            limit = archive.getinfo(name).file_size
            data = member.read(limit + 1)
    except KeyError as missing:
        raise ParseFailed(f"the file is incomplete: it lacks {name}") from missing
    except RuntimeError as locked:
        raise ParseFailed("encrypted with a password") from locked
    except (BadZipFile, OSError, EOFError, ValueError, NotImplementedError) as broken:
        raise ParseFailed("damaged inside the archive") from broken
    if len(data) > limit:
        raise ParseFailed("refused: it is longer than the archive says")
    return data
