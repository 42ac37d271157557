"""One page of a PDF: its lines with their place and type size, its tables and its pictures."""

import ctypes
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from zhiji.ingest import ocr
from zhiji.ingest.extras import MissingExtra
from zhiji.ingest.layout import Line, in_rows
from zhiji.ingest.parse.pdf_tables import PageTable, Tables

_FEW = 20  # characters: with fewer, and pictures on the page, the words are in the pictures
_FULL_PAGE = 0.5  # share of the page that a scan's picture covers
_SOME = 0.15
_UNREADABLE = 0.3  # share of characters for which a font says no letter; such a page is read as a picture
_BOLD = re.compile(r"bold|black|heavy|simhei|heiti|黑体", re.IGNORECASE)
_DPI = 200
_MIN_SIDE = 48  # pixels and points; smaller pictures are icons and rules
_MIN_AREA = 0.01  # of the page
_MAX_PICTURES = 20  # on one page; more are the strips or tiles of one


@dataclass(slots=True)
class Picture:
    """A picture on a page, and where its upper edge is."""

    data: bytes
    top: float


@dataclass(slots=True)
class Page:
    """What a page holds; `skipped` says why it gave no text, and `scanned` that its text was read from a picture."""

    number: int
    height: float
    lines: list[Line] = field(default_factory=list)
    tables: list[PageTable] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    scanned: bool = False
    skipped: str = ""


def read_page(pdf: Any, index: int, tables: Tables) -> Page:
    """Reads one page; a page that cannot be read is skipped with the reason."""
    import pypdfium2

    try:
        page = pdf[index]
    except pypdfium2.PdfiumError:
        return Page(index + 1, 0, skipped="damaged")
    try:
        return _read(page, index, tables)
    finally:
        page.close()


def _read(page: Any, index: int, tables: Tables) -> Page:
    width, height = page.get_size()
    made = Page(index + 1, height)
    made.lines = _lines(page, height)
    images, paths = _objects(page)
    covered = sum(_area(image) for image in images) / max(width * height, 1)
    if _is_picture(made.lines, covered, paths, bool(images)):
        return _scanned(page, made)
    made.tables = tables.on_page(index, paths) if paths else []
    if covered < _FULL_PAGE or not made.lines:  # a larger one lies behind the text, which says what it shows
        made.pictures = list(_pictures(images, width * height, height))
    if not (made.lines or made.tables or made.pictures):
        made.skipped = "blank"
    return made


def _is_picture(lines: list[Line], covered: float, paths: int, images: bool) -> bool:
    text = "".join(line.text for line in lines)
    letters = [char for char in text if not char.isspace()]
    if len(letters) < _FEW:
        return covered > _SOME or (not letters and (images or paths > 1))
    unreadable = sum(char in "\x00\ufffd" or "\ue000" <= char <= "\uf8ff" for char in letters)
    return unreadable > _UNREADABLE * len(letters)


def _scanned(page: Any, made: Page) -> Page:
    """The page with the text that is seen on it."""
    had, made.lines = made.lines, []
    width, height = page.get_size()
    scale = min(_DPI / 72, ocr.LONGEST_SIDE / max(width, height, 1))
    try:
        bitmap = page.render(scale=scale)
        try:
            found = in_rows(ocr.lines_in(bitmap.to_pil().convert("RGB")))
        finally:
            bitmap.close()
    except MissingExtra as missing:
        made.lines, made.skipped = had, f"no text layer; {missing.reason}"
        return made
    made.lines, made.scanned = found or had, bool(found)
    made.skipped = "" if made.lines else "no text was recognised in its picture"
    return made


def _lines(page: Any, height: float) -> list[Line]:
    """The lines of the text layer, in the order of the file."""
    text_page = page.get_textpage()
    try:
        return list(_text_lines(text_page, text_page.get_text_range(), height))
    finally:
        text_page.close()


def _text_lines(text_page: Any, text: str, height: float) -> Iterator[Line]:
    at = 0
    for line in text.split("\n"):
        words = line.strip()
        if words:
            first = at + len(line) - len(line.lstrip())
            yield _placed(text_page, words, first, first + len(words) - 1, height)
        at += len(line) + 1


def _placed(text_page: Any, words: str, first: int, last: int, height: float) -> Line:
    import pypdfium2.raw as pdfium

    begin = pdfium.FPDFText_GetCharIndexFromTextIndex(text_page, first)
    end = pdfium.FPDFText_GetCharIndexFromTextIndex(text_page, last)
    left, bottom, _, top = _box(text_page, begin)
    _, end_bottom, right, end_top = _box(text_page, end)
    size = _size(text_page, begin) or (top - bottom) or 10.0
    upper, lower = height - max(top, end_top), height - min(bottom, end_bottom)
    return Line(words, left, right, upper, lower, round(size, 1), _is_bold(text_page, begin))


def _is_bold(text_page: Any, index: int) -> bool:
    """Whether the font is heavy, by its weight or, where the file does not say that, by its name."""
    import pypdfium2.raw as pdfium

    if pdfium.FPDFText_GetFontWeight(text_page, index) >= 600:
        return True
    name = ctypes.create_string_buffer(128)
    pdfium.FPDFText_GetFontInfo(text_page, index, name, len(name), None)
    return _BOLD.search(name.value.decode("utf-8", "ignore")) is not None


def _box(text_page: Any, index: int) -> tuple[float, float, float, float]:
    import pypdfium2.raw as pdfium

    rect = pdfium.FS_RECTF()
    if not pdfium.FPDFText_GetLooseCharBox(text_page, index, rect):
        return 0.0, 0.0, 0.0, 0.0
    return rect.left, rect.bottom, rect.right, rect.top


def _size(text_page: Any, index: int) -> float:
    """The size of the type as it is seen: what the font is set to, times the scale of the text."""
    import pypdfium2.raw as pdfium

    matrix = pdfium.FS_MATRIX()
    size = float(pdfium.FPDFText_GetFontSize(text_page, index))
    if pdfium.FPDFText_GetMatrix(text_page, index, ctypes.byref(matrix)):
        return size * float((matrix.c**2 + matrix.d**2) ** 0.5)
    return size


def _objects(page: Any) -> tuple[list[Any], int]:
    """The pictures on a page, and how many lines and boxes are drawn on it."""
    import pypdfium2.raw as pdfium

    images, paths = [], 0
    for found in page.get_objects(filter=(pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_PATH), max_depth=4):
        if found.type == pdfium.FPDF_PAGEOBJ_IMAGE:
            images.append(found)
        else:
            paths += 1
    return images, paths


def _area(image: Any) -> float:
    left, bottom, right, top = image.get_bounds()
    return float(abs(right - left) * abs(top - bottom))


def _pictures(images: list[Any], area: float, height: float) -> Iterator[Picture]:
    wanted = [image for image in images if _area(image) >= _MIN_AREA * area and min(image.get_px_size()) >= _MIN_SIDE]
    for image in wanted if len(wanted) <= _MAX_PICTURES else ():
        data = _bytes_of(image)
        if data:
            yield Picture(data, height - image.get_bounds()[3])


def _bytes_of(image: Any) -> bytes:
    """The picture as PNG or JPEG; empty if it cannot be decoded."""
    import pypdfium2

    if image.get_px_size()[0] * image.get_px_size()[1] > ocr.MAX_PIXELS:
        return b""
    try:
        if image.get_filters(skip_simple=True) == ["DCTDecode"]:
            return bytes(image.get_data(decode_simple=True))
        bitmap = image.get_bitmap()
        into = BytesIO()
        bitmap.to_pil().convert("RGB").save(into, "PNG")
        bitmap.close()
        return into.getvalue()
    except (pypdfium2.PdfiumError, OSError, ValueError, ImportError):
        return b""
