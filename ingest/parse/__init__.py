"""Reading files: the format is told by the name and checked against the content."""

from dataclasses import replace
from functools import cache
from pathlib import Path, PurePosixPath

from zhiji.ingest.blocks import Document, Parser
from zhiji.ingest.files import MAX_BYTES, MAX_BYTES_BINARY, SourceFile, read_file
from zhiji.ingest.parse.sniff import content_kind, same_format, text_suffix
from zhiji.ingest.report import ParseFailed


@cache
def parsers() -> dict[str, Parser]:
    """The parser of each suffix, in lower case with its dot."""
    from zhiji.ingest.parse.docx import DocxParser  # beautifulsoup4 and markdown-it load only when files are read
    from zhiji.ingest.parse.epub import EpubParser
    from zhiji.ingest.parse.html import HtmlParser
    from zhiji.ingest.parse.json_lines import JsonLinesParser
    from zhiji.ingest.parse.mail import EmlParser, MsgParser
    from zhiji.ingest.parse.markdown import MarkdownParser
    from zhiji.ingest.parse.pdf import PdfParser
    from zhiji.ingest.parse.picture import PictureParser
    from zhiji.ingest.parse.pptx import PptxParser
    from zhiji.ingest.parse.separated import CsvParser
    from zhiji.ingest.parse.subtitles import SubtitleParser
    from zhiji.ingest.parse.text import TextParser
    from zhiji.ingest.parse.xls import XlsParser
    from zhiji.ingest.parse.xlsx import XlsxParser
    from zhiji.ingest.parse.xml import XmlParser

    texts: tuple[Parser, ...] = (MarkdownParser(), TextParser(), HtmlParser(), CsvParser(), JsonLinesParser())
    others: tuple[Parser, ...] = (XmlParser(), SubtitleParser(), EmlParser(), MsgParser(), EpubParser())
    office: tuple[Parser, ...] = (PdfParser(), DocxParser(), XlsxParser(), XlsParser(), PptxParser())
    all_parsers = (*texts, *others, *office, PictureParser())
    return {suffix: parser for parser in all_parsers for suffix in parser.suffixes}


def parse(file: bytes | Path, source: str) -> Document:
    """The document in a file, or in its bytes.

    Args:
        file: What to read.
        source: The path relative to its root; its suffix says which format to expect.

    Raises:
        ParseFailed: the format is unknown, the content is of another kind, cannot be read, or is empty.
    """
    suffix = suffix_of(source)
    expected = parser_for(source)
    data = read_file(SourceFile(file, source), most_bytes(source)) if isinstance(file, Path) else file
    if not data.strip():
        raise ParseFailed("the file is empty", "empty")
    parser, note = _by_content(data, suffix, expected)
    document = _read(parser, data, source)
    if not any(block.kind != "image" or _has_words(block.text) for block in document.blocks):
        raise ParseFailed(
            *(("no text was found in its pictures",) if document.blocks else ("nothing to read in it", "empty"))
        )
    return replace(document, notes=(note, *document.notes)) if note else document


def parser_for(source: str) -> Parser:
    """The parser that a file's name asks for.

    Raises:
        ParseFailed: No parser has this suffix.
    """
    parser = parsers().get(suffix_of(source) or ".txt")
    if parser is None:
        raise ParseFailed(f"no parser for {suffix_of(source)} files; known are {', '.join(parsers())}", "unsupported")
    return parser


def most_bytes(source: str) -> int:
    """How large a file of this name may be."""
    return MAX_BYTES_BINARY if parser_for(source).binary else MAX_BYTES


def suffix_of(source: str) -> str:
    """The suffix of a path in lower case, with its dot."""
    return PurePosixPath(source).suffix.lower()


def _by_content(data: bytes, suffix: str, expected: Parser) -> tuple[Parser, str]:
    """The parser for what the bytes are, and a remark if the name says something else."""
    kind, told = content_kind(data)
    if kind and same_format(told, suffix):
        return expected, ""
    if kind and told in parsers():
        return parsers()[told], f"{kind}, in spite of its name" if suffix else ""
    if kind:
        raise ParseFailed(f"{kind}, in spite of its name" if suffix else kind)
    told = text_suffix(data, suffix)
    if expected.binary and not told:
        raise ParseFailed(f"not a {suffix} file, in spite of its name")
    note = "a web page, in spite of its name" if expected.binary else ""
    return (parsers()[told], note) if told else (expected, "")


def _has_words(text: str) -> bool:
    """Whether a picture's block has more than the name of the picture."""
    label, _, words = text.partition("](")
    return any(char.isalnum() for char in label + words.partition(")")[2])


def _read(parser: Parser, data: bytes, source: str) -> Document:
    try:
        return parser.parse(data, source)
    except RecursionError as deep:
        raise ParseFailed("nested too deeply to be read") from deep


__all__ = ["ParseFailed", "most_bytes", "parse", "parser_for", "parsers"]
