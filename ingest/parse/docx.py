"""Word documents: headings, lists, tables, pictures and notes in the order of the text."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

from zhiji.ingest.archives import opened_zip
from zhiji.ingest.blocks import Document, DocumentBuilder
from zhiji.ingest.extras import needs
from zhiji.ingest.grids import add_grid
from zhiji.ingest.parse.docx_numbering import Numbering
from zhiji.ingest.parse.docx_styles import Styles
from zhiji.ingest.parse.docx_tables import grid_of
from zhiji.ingest.parse.docx_text import local, note_marks, notes_of, outside_fallback, paragraph_text, q
from zhiji.ingest.pictures import add_picture
from zhiji.ingest.report import ParseFailed

_CONTAINERS = ("sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo")


class DocxParser:
    """Reads .docx; deleted text of tracked changes and tables of contents are left out."""

    suffixes: tuple[str, ...] = (".docx",)
    binary = True

    def parse(self, data: bytes, source: str) -> Document:
        """The blocks of the document's body.

        Raises:
            MissingExtra: `zhiji[documents]` is not installed.
            ParseFailed: the file is damaged.
        """
        opened_zip(data).close()
        walk = _Walk(_opened(data))
        for child in walk.document.element.body:
            walk.block(child)
        walk.end_list()
        return walk.build.document(source, walk.title, pages=walk.page)


def _opened(data: bytes) -> Any:
    with needs("documents"):
        import docx
        from docx.opc.exceptions import PackageNotFoundError
        from lxml.etree import XMLSyntaxError
    try:
        return docx.Document(BytesIO(data))
    except (PackageNotFoundError, XMLSyntaxError, KeyError, ValueError, AttributeError) as broken:
        raise ParseFailed("the Word document is damaged or incomplete") from broken


class _Walk:
    """One pass through the body; the items of a list are gathered until something else follows."""

    def __init__(self, document: Any) -> None:
        self.document = document
        self.build = DocumentBuilder()
        self.title = ""
        self._styles = Styles(document)
        self._numbering = Numbering(document)
        self._notes = notes_of(document.part)
        self._items: list[str] = []
        # Word leaves a mark where it last began a page; a file without any says nothing of pages.
        body = document.element.body
        self.page: int | None = 1 if next(body.iter(q("lastRenderedPageBreak")), None) is not None else None

    def block(self, element: Any) -> None:
        """Adds a paragraph, a table, or what a container holds."""
        name = local(element)
        if name == "p":
            self._paragraph(element)
        elif name == "tbl":
            self._table(element)
        elif name in _CONTAINERS and not _is_contents(element):
            for child in element:
                self.block(child)

    def end_list(self) -> None:
        """Adds the items gathered so far."""
        self.build.add("list", "\n".join(self._items), page=self.page)
        self._items = []

    def _paragraph(self, p: Any) -> None:
        text = paragraph_text(p)
        level = self._styles.level(p, text)
        label, depth = self._numbering.label(p, self._styles) if text else ("", 0)
        if level and text:
            self.end_list()
            self.title = self.title or (text if level == 1 else "")
            self.build.heading(f"{label} {text}" if label not in ("", "-") else text, level, page=self.page)
        elif label and text:
            self._items.append(f"{'  ' * depth}{label} {text}")
        elif text and not self._styles.is_contents(p):
            self.end_list()
            self.build.add("paragraph", text, page=self.page)
        self._beside(p)
        self._turn_pages(p)

    def _beside(self, p: Any) -> None:
        """What hangs on a paragraph: pictures, text boxes, footnotes."""
        pictures = list(_pictures(p, self.document.part))
        boxes = [box for box in p.iter(q("txbxContent")) if outside_fallback(box)]
        notes = [(mark, self._notes[mark]) for mark in note_marks(p) if mark in self._notes]
        if pictures or boxes or notes:
            self.end_list()
        for alt, data in pictures:
            add_picture(self.build, data, alt=alt, page=self.page)
        for box in boxes:
            for child in box:
                self.block(child)
        for (_, number), text in notes:
            self.build.add("paragraph", f"[^{number}]: {text}", page=self.page)

    def _table(self, table: Any) -> None:
        self.end_list()
        rows, heads = grid_of(table)
        add_grid(self.build, rows, heads=heads, page=self.page)
        for p in table.iter(q("p")):
            for alt, data in _pictures(p, self.document.part):
                add_picture(self.build, data, alt=alt, page=self.page)
            self._turn_pages(p)

    def _turn_pages(self, p: Any) -> None:
        if self.page is not None:
            self.page += sum(1 for _ in p.iter(q("lastRenderedPageBreak")))


def _is_contents(sdt: Any) -> bool:
    """Whether a content control is a table of contents."""
    return any("Contents" in (one.get(q("val")) or "") for one in sdt.iter(q("docPartGallery")))


def _pictures(p: Any, part: Any) -> Iterator[tuple[str, bytes]]:
    """The pictures of a paragraph with what their author says of them; those of its text boxes come with these."""
    for drawing in p.iter(q("drawing"), q("pict")):
        if not outside_fallback(drawing) or drawing.find(f".//{q('txbxContent')}") is not None:
            continue
        alt = next((one.get("descr") or "" for one in drawing.iter() if local(one) == "docPr"), "")
        for one in drawing.iter():
            rel = one.get(q("embed", "r")) if local(one) == "blip" else None
            rel = rel or (one.get(q("id", "r")) if local(one) == "imagedata" else None)
            if rel and rel in part.related_parts:
                yield alt, part.related_parts[rel].blob
