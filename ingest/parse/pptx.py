"""PowerPoint presentations: titles, texts in the order of the slide, tables, charts, pictures and speaker notes."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

from zhiji.ingest.archives import opened_zip
from zhiji.ingest.blocks import Document, DocumentBuilder
from zhiji.ingest.extras import needs
from zhiji.ingest.grids import add_grid
from zhiji.ingest.pictures import add_picture
from zhiji.ingest.report import ParseFailed

_FURNITURE = ("DATE", "FOOTER", "SLIDE_NUMBER", "HEADER")
_ROW = 0.02  # of the slide's height: shapes whose tops differ by less stand in one row


class PptxParser:
    """Reads slide by slide; what stands on the master of all slides is left out."""

    suffixes: tuple[str, ...] = (".pptx", ".pptm", ".ppsx")
    binary = True

    def parse(self, data: bytes, source: str) -> Document:
        """The blocks of all slides; a slide's number is its page.

        Raises:
            MissingExtra: `zhiji[documents]` is not installed.
            ParseFailed: the file is damaged.
        """
        opened_zip(data).close()
        show = _opened(data)
        build = DocumentBuilder()
        slides = list(show.slides)
        for number, slide in enumerate(slides, 1):
            _Slide(build, number, show.slide_height or 1).add(slide)
        return build.document(source, show.core_properties.title or "", pages=len(slides))


def _opened(data: bytes) -> Any:
    with needs("documents"):
        import pptx
        from lxml.etree import XMLSyntaxError
        from pptx.exc import PackageNotFoundError
    try:
        return pptx.Presentation(BytesIO(data))
    except (PackageNotFoundError, XMLSyntaxError, KeyError, ValueError, AttributeError) as broken:
        raise ParseFailed("the presentation is damaged or incomplete") from broken


class _Slide:
    """The work on one slide."""

    def __init__(self, build: DocumentBuilder, number: int, height: int) -> None:
        self._build = build
        self._page = number
        self._row = max(1, int(height * _ROW))

    def add(self, slide: Any) -> None:
        """Adds the title as heading, then the shapes from top to bottom, then the notes."""
        title = slide.shapes.title
        self._build.heading(title.text_frame.text if title is not None else "", 2, page=self._page)
        for shape in self._in_order(slide.shapes):
            if title is None or shape.shape_id != title.shape_id:
                self._shape(shape)
        notes = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
        if notes is not None:
            lines = (line.strip() for line in notes.text.splitlines())
            self._build.add("quote", "\n".join(f"> {line}" for line in lines if line), page=self._page)

    def _in_order(self, shapes: Any) -> list[Any]:
        return sorted(shapes, key=lambda one: ((one.top or 0) // self._row, one.left or 0))

    def _shape(self, shape: Any) -> None:
        from pptx.shapes.group import GroupShape

        if isinstance(shape, GroupShape):
            for inner in self._in_order(shape.shapes):
                self._shape(inner)
        elif shape.is_placeholder and any(name in str(shape.placeholder_format.type) for name in _FURNITURE):
            return
        elif getattr(shape, "has_table", False) and shape.has_table:
            add_grid(self._build, _grid(shape.table), page=self._page)
        elif getattr(shape, "has_chart", False) and shape.has_chart:
            self._chart(shape.chart)
        elif data := _picture(shape):
            add_picture(self._build, data, alt=_description(shape), page=self._page)
        elif shape.has_text_frame:
            self._text(shape.text_frame)
        else:
            for text in _diagram(shape):
                self._build.add("paragraph", text, page=self._page)

    def _text(self, frame: Any) -> None:
        lines = [(one.level, text) for one in frame.paragraphs if (text := " ".join(one.text.split()))]
        if len(lines) > 1:
            items = "\n".join(f"{'  ' * level}- {text}" for level, text in lines)
            self._build.add("list", items, page=self._page)
        elif lines:
            self._build.add("paragraph", lines[0][1], page=self._page)

    def _chart(self, chart: Any) -> None:
        if chart.has_title and chart.chart_title.has_text_frame:
            self._build.add("paragraph", chart.chart_title.text_frame.text, page=self._page)
        for plot in chart.plots:
            names = [str(name) for name in plot.categories]
            series = [[one.name or "", *("" if v is None else f"{v:g}" for v in one.values)] for one in plot.series]
            rows = [["", *names], *series]
            add_grid(self._build, [list(row) for row in zip(*_even(rows), strict=True)], page=self._page)


def _grid(table: Any) -> list[list[str]]:
    """The texts of a table, merged cells repeated."""
    texts = [[" ".join(cell.text.split()) for cell in row.cells] for row in table.rows]
    for top, row in enumerate(table.rows):
        for left, cell in enumerate(row.cells):
            if cell.is_merge_origin:
                for y in range(top, top + cell.span_height):
                    texts[y][left : left + cell.span_width] = [texts[top][left]] * cell.span_width
    return texts


def _even(rows: list[list[str]]) -> list[list[str]]:
    width = max(map(len, rows))
    return [[*row, *[""] * (width - len(row))] for row in rows]


def _picture(shape: Any) -> bytes:
    """The bytes of a picture; empty for another shape, or where the picture lies outside the file."""
    try:
        return bytes(shape.image.blob)
    except (AttributeError, KeyError, ValueError):
        return b""


def _description(shape: Any) -> str:
    properties = next((one for one in shape._element.iter() if str(one.tag).endswith("}cNvPr")), None)
    return (properties.get("descr") or "") if properties is not None else ""


def _diagram(shape: Any) -> Iterator[str]:
    """The texts of a SmartArt drawing, which lie in a part of their own."""
    from lxml import etree

    for one in shape._element.iter():
        if str(one.tag).endswith("}relIds"):
            rel = next((value for name, value in one.attrib.items() if name.endswith("}dm")), "")
            part = shape.part.related_part(rel) if rel else None
            if part is not None:
                safe = etree.XMLParser(resolve_entities=False, no_network=True)
                for paragraph in etree.fromstring(part.blob, safe).iter():
                    if str(paragraph.tag).endswith("}p"):
                        yield "".join(t.text or "" for t in paragraph.iter() if str(t.tag).endswith("}t"))
