"""Telling by the first bytes what a file is, whatever its name says."""

import re
from io import BytesIO
from zipfile import BadZipFile, ZipFile

from zhiji.ingest.report import ParseFailed

# What begins so, and the suffix of the parser that reads it; "" where none does.
_SIGNATURES = (
    (b"%PDF-", "a PDF", ".pdf"),
    (b"\x89PNG\r\n\x1a\n", "a PNG picture", ".png"),
    (b"\xff\xd8\xff", "a JPEG picture", ".jpg"),
    (b"GIF8", "a GIF picture", ".gif"),
    (b"II*\x00", "a TIFF picture", ".tif"),
    (b"MM\x00*", "a TIFF picture", ".tif"),
    (b"{\\rtf", "an RTF document", ".rtf"),
    (b"\x1f\x8b", "a gzip archive", ""),
    (b"7z\xbc\xaf'\x1c", "a 7z archive", ""),
    (b"Rar!\x1a\x07", "a RAR archive", ""),
    (b"BZh9", "a bzip2 archive", ""),
    (b"\xfd7zXZ\x00", "an xz archive", ""),
    (b"\x7fELF", "a program", ""),
    (b"SQLite format 3\x00", "an SQLite database", ""),
    (b"version https://git-lfs.github.com/spec/", "a Git LFS pointer: the file itself was not fetched", ""),
)
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# A part that only this kind of archive has.
_IN_ZIP = (
    ("word/document.xml", "a Word document", ".docx"),
    ("xl/workbook.xml", "an Excel workbook", ".xlsx"),
    ("xl/workbook.bin", "a binary Excel workbook", ".xlsb"),
    ("ppt/presentation.xml", "a PowerPoint presentation", ".pptx"),
    ("META-INF/container.xml", "an EPUB book", ".epub"),
)
# A stream that only this kind of old Office file has, as its directory spells it.
_IN_OLE = (
    ("EncryptedPackage", "encrypted", ""),
    ("__properties_version1.0", "an Outlook message", ".msg"),
    ("WordDocument", "an old Word document", ".doc"),
    ("Workbook", "an old Excel workbook", ".xls"),
    ("Book", "an old Excel workbook", ".xls"),
    ("PowerPoint Document", "an old PowerPoint presentation", ".ppt"),
)
_SAME = {
    ".docm": ".docx",
    ".dotx": ".docx",
    ".xlsm": ".xlsx",
    ".xltx": ".xlsx",
    ".pptm": ".pptx",
    ".ppsx": ".pptx",
    ".jpeg": ".jpg",
    ".tiff": ".tif",
}
_TEXTUAL = re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*(?:<!doctype\s+html|<html[\s>])", re.IGNORECASE)

# A heading between blank lines, as nobody writes a comment in a script; three of them make a text Markdown.
_HEADING = re.compile(rb"(?:\A|\n[ \t]*\r?\n)#{1,6}[ \t]+\S[^\n]*\n(?=[ \t]*\r?\n)")
_HEADINGS = 3


def content_kind(data: bytes) -> tuple[str, str]:
    """What the bytes plainly are, in words, and the suffix of that format; both empty for text and the unknown.

    Raises:
        ParseFailed: an Office file that is encrypted.
    """
    if data.startswith(_ZIP):
        return _kind_of_zip(data)
    if data.startswith(_OLE):
        return _kind_of_ole(data)
    if data[:4] == b"RIFF":
        return ("a WebP picture", ".webp") if data[8:12] == b"WEBP" else ("a sound or film", "")
    return next(((kind, suffix) for mark, kind, suffix in _SIGNATURES if data.startswith(mark)), ("", ""))


def text_suffix(data: bytes, suffix: str) -> str:
    """The suffix of the text format that the bytes are plainly in, if not that of the name; empty if they may be that."""
    if suffix not in (".html", ".htm", ".xhtml", ".eml", ".mht") and _TEXTUAL.match(data):
        return ".html"
    return ".md" if suffix in (".txt", ".text", "") and len(_HEADING.findall(data)) >= _HEADINGS else ""


def same_format(one: str, other: str) -> bool:
    """Whether two suffixes name one format."""
    return _SAME.get(one, one) == _SAME.get(other, other)


def _kind_of_zip(data: bytes) -> tuple[str, str]:
    try:
        with ZipFile(BytesIO(data)) as archive:
            names = set(archive.namelist())
            mime = archive.read("mimetype")[:80].decode("ascii", "ignore") if "mimetype" in names else ""
    except (BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError, KeyError):
        return "a damaged ZIP archive or Office document", ""
    if "opendocument" in mime:
        return "an OpenDocument file", {"text": ".odt", "spreadsheet": ".ods", "presentation": ".odp"}.get(
            mime.rsplit(".", 1)[-1].strip(), ""
        )
    return next(((kind, suffix) for part, kind, suffix in _IN_ZIP if part in names), ("a ZIP archive", ".zip"))


def _kind_of_ole(data: bytes) -> tuple[str, str]:
    for stream, kind, suffix in _IN_OLE:
        if (stream + "\0").encode("utf-16-le") in data:
            if kind == "encrypted":
                raise ParseFailed("the document is encrypted; save it without a password")
            return kind, suffix
    return "an old Office document", ""
