"""Reading files: the format is told by the name and checked against the content."""

from functools import cache
from pathlib import Path, PurePosixPath

from zhiji.ingest.blocks import Document, Parser
from zhiji.ingest.files import SourceFile, read_file
from zhiji.ingest.parse.sniff import content_suffix
from zhiji.ingest.report import ParseFailed


@cache
def parsers() -> dict[str, Parser]:
    """The parser of each suffix, in lower case with its dot."""
    from zhiji.ingest.parse.html import HtmlParser  # beautifulsoup4 and markdown-it load only when files are read
    from zhiji.ingest.parse.markdown import MarkdownParser
    from zhiji.ingest.parse.text import TextParser

    all_parsers: tuple[Parser, ...] = (MarkdownParser(), TextParser(), HtmlParser())
    return {suffix: parser for parser in all_parsers for suffix in parser.suffixes}


def parse(file: bytes | Path, source: str) -> Document:
    """The document in a file, or in its bytes.

    Args:
        file: What to read.
        source: The path relative to its root; its suffix says which format to expect.

    Raises:
        ParseFailed: the format is unknown, the content is of another kind, cannot be read, or is empty.
    """
    suffix = PurePosixPath(source).suffix.lower()
    parser = parsers().get(suffix or ".txt")
    if parser is None:
        raise ParseFailed(f"no parser for {suffix} files; known are {', '.join(parsers())}", "unsupported")
    data = read_file(SourceFile(file, source)) if isinstance(file, Path) else file
    if not data.strip():
        raise ParseFailed("the file is empty", "empty")
    told = content_suffix(data, suffix)
    document = _read(parsers()[told] if told else parser, data, source)
    if not document.blocks:
        raise ParseFailed("nothing to read in it", "empty")
    return document


def _read(parser: Parser, data: bytes, source: str) -> Document:
    try:
        return parser.parse(data, source)
    except RecursionError as deep:
        raise ParseFailed("nested too deeply to be read") from deep


__all__ = ["ParseFailed", "parse", "parsers"]
