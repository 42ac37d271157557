"""Pictures: the text in them, and the picture itself."""

from zhiji.ingest import ocr
from zhiji.ingest.blocks import Document, DocumentBuilder, title_from_name
from zhiji.ingest.pictures import add_picture
from zhiji.ingest.report import ParseFailed


class PictureParser:
    """Reads the text in a photo, a screenshot or a scan."""

    suffixes: tuple[str, ...] = (".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff", ".bmp", ".gif")
    binary = True

    def parse(self, data: bytes, source: str) -> Document:
        """One block with the picture's text; each frame of a fax or scan in one file is a page.

        Raises:
            MissingExtra: `zhiji[ocr]` is not installed.
            ParseFailed: the picture is damaged, or no text was recognised in it.
        """
        build = DocumentBuilder()
        frames = ocr.frames(data) if data[:4] in (b"II*\x00", b"MM\x00*") else [data]
        found = [add_picture(build, frame, alt=title_from_name(source), page=page) for page, frame in frames_of(frames)]
        if not any(found):
            ocr.text_in(data)  # says why, if the picture cannot be read at all
            raise ParseFailed("no text was recognised in the picture")
        return build.document(source, pages=len(frames) if len(frames) > 1 else None)


def frames_of(frames: list[bytes]) -> list[tuple[int | None, bytes]]:
    """Frames with their page numbers; a single picture has none."""
    return [(number if len(frames) > 1 else None, frame) for number, frame in enumerate(frames, 1)]
