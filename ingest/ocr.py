"""Reading the text in pictures, with models that lie in the package: nothing is fetched."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from itertools import islice
from typing import Any

from zhiji.ingest.extras import needs
from zhiji.ingest.layout import Line, page_text
from zhiji.ingest.report import ParseFailed

EXTRA = "ocr"
MAX_PIXELS = 64_000_000  # a larger picture is a poster, or an attack on memory
LONGEST_SIDE = 2000  # pixels; the models look at no more
_UPRIGHT = 1.5  # a line this many times as high as wide, with several characters, lies on its side
_SURE = 0.5


def is_installed() -> bool:
    """Whether pictures can be read."""
    try:
        return find_spec("rapidocr") is not None and find_spec("onnxruntime") is not None
    except ValueError:
        return False


def lines_in(image: Any) -> list[Line]:
    """The lines of text in a PIL image, from top to bottom; a page that lies on its side is turned.

    Raises:
        MissingExtra: `zhiji[ocr]` is not installed.
    """
    found, score = _read(image)
    if _lies_on_its_side(found):
        for angle in (90, 270):
            turned, better = _read(image.rotate(angle, expand=True))
            if better > score:
                found, score = turned, better
    return found


def text_in(data: bytes) -> str:
    """The text in a picture's bytes, its lines joined to paragraphs; empty if there is none.

    Raises:
        MissingExtra: `zhiji[ocr]` is not installed.
        ParseFailed: the bytes are no picture that can be read.
    """
    _engine()
    return page_text(lines_in(opened(data)))


def frames(data: bytes, most: int = 500) -> list[bytes]:
    """The pages of a scan that holds several in one file, each as a PNG; more than `most` are left out.

    Raises:
        MissingExtra: `zhiji[ocr]` is not installed.
        ParseFailed: it is damaged, or too large.
    """
    found = []
    with _decoding(data) as image:
        from PIL import ImageSequence

        for frame in islice(ImageSequence.Iterator(image), most):
            into = BytesIO()
            _plain(frame).save(into, "PNG")
            found.append(into.getvalue())
    return found


def opened(data: bytes) -> Any:
    """The picture as a PIL image, upright and in plain colours.

    Raises:
        MissingExtra: `zhiji[ocr]` is not installed.
        ParseFailed: it is damaged, or too large.
    """
    with _decoding(data) as image:
        from PIL import ImageOps

        return _plain(ImageOps.exif_transpose(image))


@contextmanager
def _decoding(data: bytes) -> Iterator[Any]:
    """The undecoded picture; what goes wrong while it is decoded is said in one line."""
    with needs(EXTRA):
        from PIL import Image
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # the check below is stricter
            image = Image.open(BytesIO(data))
        if image.width * image.height > MAX_PIXELS:
            raise ParseFailed(f"a picture of {image.width} x {image.height} pixels, which is too large to read")
        yield image
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as broken:
        raise ParseFailed("the picture is damaged, or of a kind that cannot be read") from broken


def _plain(image: Any) -> Any:
    """What is seen on white paper, no larger than needed."""
    from PIL import Image

    if image.mode in ("RGBA", "LA", "PA", "P"):
        image = image.convert("RGBA")
        image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image)
    image = image.convert("RGB")
    image.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    return image


@cache
def _engine() -> Any:
    with needs(EXTRA):
        from rapidocr import RapidOCR
    return RapidOCR(params={"Global.log_level": "critical"})


def _read(image: Any) -> tuple[list[Line], float]:
    """The lines, and how much was read with what certainty."""
    import numpy as np

    result = _engine()(np.asarray(image))
    if not result.txts:
        return [], 0.0
    lines = [_line(text, box) for text, box in zip(result.txts, result.boxes.tolist(), strict=True)]
    certain = sum(len(text) * score for text, score in zip(result.txts, result.scores, strict=True))
    return lines, certain


def _line(text: str, box: Sequence[Sequence[float]]) -> Line:
    xs, ys = [x for x, _ in box], [y for _, y in box]
    return Line(text.strip(), min(xs), max(xs), min(ys), max(ys), size=min(max(ys) - min(ys), max(xs) - min(xs)))


def _lies_on_its_side(lines: Sequence[Line]) -> bool:
    """Whether most of what was found stands in boxes that are high and narrow."""
    several = [line for line in lines if len(line.text) > 1]
    tall = sum(line.bottom - line.top > _UPRIGHT * (line.right - line.left) for line in several)
    return len(several) > 0 and tall > _SURE * len(several)
