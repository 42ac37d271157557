"""A document as sections: what stands under one heading, and the path of headings that leads there."""

from bisect import bisect_right
from dataclasses import dataclass, field

from zhiji.ingest.blocks import Block, Document, heading_text


@dataclass(slots=True)
class Section:
    """The blocks under one heading; `path` holds the headings from the outermost to that one."""

    path: tuple[str, ...]
    blocks: list[Block] = field(default_factory=list)
    paths: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)
    """Where headings lie inside the section, the path from there on: offsets ascend."""

    def path_at(self, offset: int) -> tuple[str, ...]:
        """The headings that what stands at an offset of the document is under."""
        before = bisect_right(self.paths, offset, key=lambda entry: entry[0])
        return self.paths[before - 1][1] if before else self.path


@dataclass(slots=True)
class _Open:
    """A heading whose section is still going on, and whether some body has it in its path."""

    block: Block
    has_body: bool = False


def sections(document: Document) -> list[Section]:
    """The sections that have a body, in order.

    A heading without one is in the path of what stands below it. If nothing does, its line opens the section that
    follows, or closes the last one, so that no word of the document is lost.
    """
    found: list[Section] = []
    path: list[_Open] = []
    stranded: list[Block] = []
    section: Section | None = None
    for block in document.blocks:
        if block.kind == "heading":
            while path and path[-1].block.level >= block.level:
                stranded.extend(_if_bare(path.pop()))
            path.append(_Open(block))
            section = None
            continue
        if section is None:
            section = Section(tuple(heading_text(opened.block) for opened in path), _in_order(stranded))
            found.append(section)
            stranded = []
            for opened in path:
                opened.has_body = True
        section.blocks.append(block)
    for opened in path:
        stranded.extend(_if_bare(opened))
    return _with_rest(found, _in_order(stranded))


def whole(document: Document) -> list[Section]:
    """The document as one section in which headings are lines like others."""
    if not document.blocks:
        return []
    section = Section((), list(document.blocks))
    path: list[Block] = []
    for block in document.blocks:
        if block.kind == "heading":
            path = [*(opened for opened in path if opened.level < block.level), block]
            section.paths.append((block.start, tuple(heading_text(opened) for opened in path)))
    return [section]


def _if_bare(opened: _Open) -> list[Block]:
    return [] if opened.has_body else [opened.block]


def _in_order(blocks: list[Block]) -> list[Block]:
    return sorted(blocks, key=lambda block: block.start)


def _with_rest(found: list[Section], rest: list[Block]) -> list[Section]:
    """Puts headings that nothing follows at the end of the last section, or makes them a section of their own."""
    if rest and found:
        found[-1].blocks.extend(rest)
    elif rest:
        found.append(Section((), rest))
    return found
