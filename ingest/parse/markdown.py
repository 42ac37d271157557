"""Markdown, by CommonMark's rules and with tables; the blocks are slices of the source."""

import re
from types import MappingProxyType

from zhiji.ingest.blocks import Block, Document, DocumentBuilder, heading_text, title_from_name
from zhiji.ingest.decode import decode
from zhiji.ingest.parse.front_matter import split_front_matter
from zhiji.ingest.parse.markdown_blocks import Piece, pieces
from zhiji.ingest.parse.markdown_html import blocks_of_html, without_html_noise

_DATA_IMAGE = re.compile(r"\(data:(image/[\w.+-]+)[^)\s]*\)|data:(image/[\w.+-]+);base64,[A-Za-z0-9+/=]{40,}")
_IMAGES_ONLY = re.compile(r"(?:\[?!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])(?:\]\([^)]*\))?\s*)+")
_TIGHT_HEADING = re.compile(r"^(#{1,6})([^#\s!][^#\n]{0,59})$")
_CJK = re.compile(r"[\u3400-\u9fff]")
_CONTENTS_LINE = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+\[[^\]]*\]\(#[^)]*\)\s*$")
_PUNCTUATION_END = re.compile(r"[。！？；，：,;:]$")


class MarkdownParser:
    """Reads Markdown; front matter gives a title and a summary, comments are left out."""

    suffixes: tuple[str, ...] = (".md", ".markdown", ".mdown", ".mkd")
    binary = False

    def parse(self, data: bytes, source: str) -> Document:
        """The blocks of the file, in order."""
        decoded = decode(data)
        meta, body = split_front_matter(_DATA_IMAGE.sub(r"(\1\2)", decoded.text))
        build = DocumentBuilder()
        summary = next((meta[key] for key in ("description", "desc", "summary", "excerpt") if meta.get(key)), "")
        build.add("paragraph", summary)
        for piece in pieces(body):
            _add(build, piece)
        first = next((block for block in build.blocks if block.kind == "heading" and block.level == 1), None)
        title = heading_text(first) if first else meta.get("title", "")
        return Document(
            source=source,
            title=title or title_from_name(source),
            text=build.text,
            blocks=build.blocks,
            encoding=decoded.encoding,
            notes=(decoded.note,) if decoded.note else (),
            meta=MappingProxyType(meta),
        )


def _add(build: DocumentBuilder, piece: Piece) -> None:
    """Adds a piece of the source under the kind that it has for a reader."""
    text = piece.text
    match piece.kind:
        case "html":
            for block in blocks_of_html(text):
                _add_block(build, block)
        case "code":
            build.add("code", text, language=piece.language, tight=piece.tight)
        case "heading":
            build.add("heading", without_html_noise(text), level=piece.level)
        case "table":
            build.add("table", without_html_noise(text))
        case "list" | "quote":
            if not _is_contents(text):
                build.add(piece.kind, without_html_noise(text), tight=piece.tight)
        case _:
            _add_paragraph(build, without_html_noise(text).strip("\n"), tight=piece.tight)


def _add_paragraph(build: DocumentBuilder, text: str, *, tight: bool) -> None:
    tight_heading = _TIGHT_HEADING.match(text.strip())
    if tight_heading and _CJK.search(text) and not _PUNCTUATION_END.search(text.strip()):
        build.add("heading", text, level=len(tight_heading[1]))  # "##标题", which CommonMark does not know
    elif text.strip().upper() != "[TOC]":
        is_image = _IMAGES_ONLY.fullmatch(text.strip())
        build.add("image" if is_image else "paragraph", text, tight=tight)


def _add_block(build: DocumentBuilder, block: Block) -> None:
    build.add(block.kind, block.text, level=block.level, language=block.language)


def _is_contents(text: str) -> bool:
    """Whether a list is a table of contents: nothing but links into the same page."""
    lines = [line for line in text.split("\n") if line.strip()]
    return len(lines) >= 3 and all(_CONTENTS_LINE.match(line) for line in lines)
