"""EPUB books: the chapters in their reading order, with their pictures."""

import posixpath
from collections.abc import Iterator
from urllib.parse import unquote
from zipfile import ZipFile

from bs4 import BeautifulSoup, Tag

from zhiji.ingest.archives import member_bytes, opened_zip
from zhiji.ingest.blocks import Document, DocumentBuilder
from zhiji.ingest.decode import decode
from zhiji.ingest.parse.html_blocks import add_blocks
from zhiji.ingest.parse.html_tree import soup_of, xml_tree
from zhiji.ingest.pictures import add_picture
from zhiji.ingest.report import ParseFailed

_CONTAINER = "META-INF/container.xml"
_LOCK = "META-INF/encryption.xml"
_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")


class EpubParser:
    """Reads books without copy protection; the printed table of contents is left out."""

    suffixes: tuple[str, ...] = (".epub",)
    binary = True

    def parse(self, data: bytes, source: str) -> Document:
        """The blocks of all chapters; a chapter's number is its page.

        Raises:
            ParseFailed: the book is damaged, or locked by copy protection.
        """
        build = DocumentBuilder()
        with opened_zip(data) as archive:
            if _is_locked(archive):
                raise ParseFailed("the book is encrypted by copy protection")
            package, folder = _package(archive)
            chapters = list(_chapters(package, folder))
            for number, name in enumerate(chapters, 1):
                _add_chapter(build, archive, name, number)
        title = package.find("dc:title")
        return build.document(source, title.get_text() if title else "", pages=len(chapters))


def _xml(data: bytes) -> BeautifulSoup:
    return xml_tree(decode(data).text)


def _is_locked(archive: ZipFile) -> bool:
    """Whether anything but fonts is encrypted."""
    if _LOCK not in archive.namelist():
        return False
    methods = [str(one.get("algorithm")) for one in _xml(member_bytes(archive, _LOCK)).find_all(_is_method)]
    return any(not method.startswith(_FONTS) for method in methods)


def _is_method(tag: Tag) -> bool:
    return tag.name.rpartition(":")[2] == "encryptionmethod"


def _package(archive: ZipFile) -> tuple[BeautifulSoup, str]:
    """The book's list of contents, and the folder that its paths start from."""
    root = _xml(member_bytes(archive, _CONTAINER)).find("rootfile")
    path = str(root.get("full-path") or "") if isinstance(root, Tag) else ""
    return _xml(member_bytes(archive, path)), posixpath.dirname(path)


def _chapters(package: BeautifulSoup, folder: str) -> Iterator[str]:
    """The files of the chapters in reading order."""
    items = {str(item.get("id")): item for item in package.find_all("item")}
    for reference in package.find_all("itemref"):
        item = items.get(str(reference.get("idref")))
        if item is not None and "nav" not in str(item.get("properties") or "").split():
            yield _inside(folder, str(item.get("href") or ""))


def _inside(folder: str, address: str) -> str:
    return posixpath.normpath(posixpath.join(folder, unquote(address.partition("#")[0])))


def _add_chapter(build: DocumentBuilder, archive: ZipFile, name: str, number: int) -> None:
    try:
        soup = soup_of(decode(member_bytes(archive, name)).text)
    except ParseFailed as failed:
        build.notes.append(f"{name}: {failed.reason}")
        return
    for tag in soup.find_all(["script", "style", "head"]):
        tag.decompose()
    members = set(archive.namelist())
    for block in add_blocks(soup.body or soup).blocks:
        path = _inside(posixpath.dirname(name), block.text.rpartition("](")[2][:-1]) if block.kind == "image" else ""
        if path in members:
            alt = block.text.removeprefix("![").partition("]")[0]
            add_picture(build, member_bytes(archive, path), alt=alt, page=number)
        else:
            build.add(block.kind, block.text, level=block.level, language=block.language, page=number)
