"""Documents inside documents: a page in an e-mail, a chapter in a book, a file that is attached."""

from contextvars import ContextVar

from zhiji.ingest.blocks import Document, DocumentBuilder
from zhiji.ingest.report import ParseFailed

_DEEPEST = 3  # attachments of attachments
_depth: ContextVar[int] = ContextVar("depth", default=0)


def add_html(build: DocumentBuilder, html: str, *, page: int | None = None) -> None:
    """Adds the content of a web page."""
    from zhiji.ingest.parse.html_blocks import add_blocks
    from zhiji.ingest.parse.html_content import content_of
    from zhiji.ingest.parse.html_tree import soup_of

    for block in add_blocks(content_of(soup_of(html))).blocks:
        build.add(block.kind, block.text, level=block.level, language=block.language, page=page)


def add_text(build: DocumentBuilder, text: str) -> None:
    """Adds plain text as paragraphs."""
    paragraph: list[str] = []
    for line in [*text.replace("\r\n", "\n").split("\n"), ""]:
        if line.strip():
            paragraph.append(line.rstrip())
        else:
            build.add("paragraph", "\n".join(paragraph))
            paragraph = []


def add_file(build: DocumentBuilder, data: bytes, name: str, *, level: int) -> None:
    """Adds a file under its name as heading; one that cannot be read gives a note with the reason."""
    if not data:
        return
    try:
        document = _parsed(data, name)
    except ParseFailed as failed:
        build.notes.append(f"{name}: {failed.reason}")
        return
    build.heading(name, level)
    add_document(build, document, level)
    build.notes.extend(f"{name}: {note}" for note in document.notes)


def _parsed(data: bytes, name: str) -> Document:
    from zhiji.ingest.parse import parse

    depth = _depth.get()
    if depth >= _DEEPEST:
        raise ParseFailed("left out, too many files inside each other")
    before = _depth.set(depth + 1)
    try:
        return parse(data, name)
    finally:
        _depth.reset(before)


def add_document(build: DocumentBuilder, document: Document, level: int) -> None:
    """Adds the blocks and pictures of a document; its headings stand below `level`."""
    for block in document.blocks:
        if block.kind == "heading":
            words = block.text.lstrip("#").strip()
            build.heading(words, level + block.level, page=block.page)
        elif not block.picture or block.picture not in build.pictures:
            build.add(block.kind, block.text, language=block.language, page=block.page, picture=block.picture)
        if block.picture:
            build.pictures[block.picture] = document.pictures[block.picture]
