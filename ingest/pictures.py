"""Pictures inside documents: kept by their hash, found by the text that is read in them."""

import hashlib

from zhiji.ingest import ocr
from zhiji.ingest.blocks import DocumentBuilder
from zhiji.ingest.extras import MissingExtra
from zhiji.ingest.report import ParseFailed

_KINDS = (
    (b"\x89PNG\r\n\x1a\n", ".png"),
    (b"\xff\xd8\xff", ".jpg"),
    (b"GIF8", ".gif"),
    (b"BM", ".bmp"),
    (b"II*\x00", ".tif"),
    (b"MM\x00*", ".tif"),
)
_MAX_KEPT = 256 * 2**20  # bytes of pictures that one document may keep


def add_picture(build: DocumentBuilder, data: bytes, *, alt: str = "", page: int | None = None) -> str:
    """Adds a picture with the text in it; one that the document has shown already is not added again.

    Returns:
        The text that was read in it.
    """
    name = picture_name(data)
    if not name:
        build.notes.append("a picture of a kind that cannot be read was left out")
    if not name or name in build.pictures:
        return ""
    if sum(map(len, build.pictures.values())) + len(data) > _MAX_KEPT:
        build.notes.append(f"more than {_MAX_KEPT >> 20} MB of pictures; the rest were left out")
        return ""
    words = _words(build, data)
    label = " ".join(alt.split()).replace("[", "").replace("]", "")
    build.pictures[name] = data
    build.add("image", f"![{label}]({name})\n{words}", page=page, picture=name)
    return words


def picture_name(data: bytes) -> str:
    """The name a picture is kept by: its hash and its kind; empty for what is no picture."""
    is_webp = data[:4] == b"RIFF" and data[8:12] == b"WEBP"
    suffix = ".webp" if is_webp else next((suffix for mark, suffix in _KINDS if data.startswith(mark)), "")
    return hashlib.sha256(data).hexdigest()[:32] + suffix if suffix else ""


def _words(build: DocumentBuilder, data: bytes) -> str:
    try:
        return ocr.text_in(data)
    except MissingExtra as missing:
        build.notes.append(f"pictures are kept, but {missing.reason.replace('reading it', 'reading the text in them')}")
    except ParseFailed as unreadable:
        build.notes.append(f"a picture was not read: {unreadable.reason}")
    return ""
