"""Telling by the first bytes what a file is, whatever its name says."""

import re

from zhiji.ingest.report import ParseFailed

_SIGNATURES = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a ZIP archive or an Office document"),
    (b"PK\x05\x06", "a ZIP archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"RIFF", "a WebP picture, sound or film"),
    (b"II*\x00", "a TIFF picture"),
    (b"MM\x00*", "a TIFF picture"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf'\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"BZh9", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"{\\rtf", "an RTF document"),
    (b"version https://git-lfs.github.com/spec/", "a Git LFS pointer: the file itself was not fetched"),
)
_PAGE = re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*(?:<!doctype\s+html|<html[\s>])", re.IGNORECASE)

# A heading between blank lines, as nobody writes a comment in a script; three of them make a text Markdown.
_HEADING = re.compile(rb"(?:\A|\n[ \t]*\r?\n)#{1,6}[ \t]+\S[^\n]*\n(?=[ \t]*\r?\n)")
_HEADINGS = 3


def content_suffix(data: bytes, suffix: str) -> str:
    """The suffix of the format that the bytes are plainly in, if not that of the name; empty if they may be the latter.

    Raises:
        ParseFailed: the bytes are a binary format.
    """
    for signature, kind in _SIGNATURES:
        if data.startswith(signature):
            raise ParseFailed(f"{kind}, in spite of its name" if suffix else kind)
    if suffix not in (".html", ".htm", ".xhtml") and _PAGE.match(data):
        return ".html"
    return ".md" if suffix in (".txt", ".text", "") and len(_HEADING.findall(data)) >= _HEADINGS else ""
