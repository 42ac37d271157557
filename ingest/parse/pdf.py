"""PDF: text with its headings, tables, pictures, and scanned pages by their pictures."""

from collections.abc import Sequence
from typing import Any

from zhiji.ingest.blocks import Document, DocumentBuilder, SkippedPage
from zhiji.ingest.extras import needs
from zhiji.ingest.parse.pdf_outline import Headings
from zhiji.ingest.parse.pdf_page import Page, read_page
from zhiji.ingest.parse.pdf_tables import Tables, continues
from zhiji.ingest.parse.pdf_write import without_running_lines, write_page
from zhiji.ingest.report import ParseFailed

_MAX_PAGES = 20_000


class PdfParser:
    """Reads PDF page by page; a page without a text layer is read as a picture."""

    suffixes: tuple[str, ...] = (".pdf",)
    binary = True

    def parse(self, data: bytes, source: str) -> Document:
        """The blocks of all pages.

        Raises:
            MissingExtra: `zhiji[documents]` is not installed.
            ParseFailed: the file is damaged or encrypted, or none of its pages gave text.
        """
        pdf = _opened(data)
        try:
            pages = _pages(pdf, data)
            title, outline = _title(pdf), [(mark.level + 1, mark.get_title()) for mark in pdf.get_toc(max_depth=6)]
        finally:
            pdf.close()
        skipped = tuple(SkippedPage(page.number, page.skipped) for page in pages if page.skipped)
        build = _written(pages, Headings(pages, outline))
        if not build.blocks:
            raise ParseFailed(_nothing(skipped, len(pages)))
        notes = [f"{len(skipped)} of {len(pages)} pages gave no text"] if skipped else []
        return build.document(source, title, pages=len(pages), skipped=skipped, notes=notes)


def _opened(data: bytes) -> Any:
    with needs("documents"):
        import pypdfium2
    try:
        pdf = pypdfium2.PdfDocument(data)
        pages = len(pdf)
    except pypdfium2.PdfiumError as broken:
        if "password" in str(broken).lower():
            raise ParseFailed("the PDF is encrypted; save it without a password") from broken
        raise ParseFailed("the PDF is damaged or incomplete") from broken
    if not 0 < pages <= _MAX_PAGES:
        raise ParseFailed(
            f"the PDF has {pages} pages" if pages else "the PDF has no pages", "failed" if pages else "empty"
        )
    return pdf


def _pages(pdf: Any, data: bytes) -> list[Page]:
    tables = Tables(data)
    try:
        pages: list[Page] = []
        for index in range(len(pdf)):
            page = read_page(pdf, index, tables)
            if pages and page.tables and continues(pages[-1], page):
                page.tables[0].join(pages[-1].tables[-1])
            pages.append(page)
        return pages
    finally:
        tables.close()


def _written(pages: Sequence[Page], headings: Headings) -> DocumentBuilder:
    build = DocumentBuilder()
    for page in without_running_lines(pages):
        write_page(build, page, headings)
    return build


def _title(pdf: Any) -> str:
    """The title in the file's properties, unless it is only a file's name."""
    title: str = pdf.get_metadata_value("Title").strip()
    looks_like_a_file = title.lower().endswith(
        (".doc", ".docx", ".ppt", ".pptx", ".xls", ".xlsx", ".pdf", ".indd", ".tex")
    )
    return "" if looks_like_a_file or title.lower().startswith(("microsoft ", "untitled", "(anonymous)")) else title


def _nothing(skipped: Sequence[SkippedPage], pages: int) -> str:
    reasons = list(dict.fromkeys(page.reason for page in skipped))
    return f"none of its {pages} pages gave text: {'; '.join(reasons) or 'they are blank'}"
