"""The words of a Word paragraph: with its line breaks, formulas and marks of footnotes, without what was deleted."""

from collections.abc import Iterator
from typing import Any

_SPACES = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
}
_SAID = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "softHyphen": ""}
_UNSAID = frozenset({"del", "moveFrom", "Fallback", "instrText", "delText", "drawing", "pict", "pPr", "rPr", "object"})
_NOTES = {"footnoteReference": "footnotes", "endnoteReference": "endnotes"}

_UNSEEN = dict.fromkeys((0x2061, 0x2062, 0x2063, 0x2064))  # operators that formulas imply

Mark = tuple[str, str]
"""The kind of a note and its number."""


def q(name: str, space: str = "w") -> str:
    """A qualified name, as lxml spells it."""
    return f"{{{_SPACES[space]}}}{name}"


def local(element: Any) -> str:
    """The name of a tag without its namespace; comments have none."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def paragraph_text(p: Any) -> str:
    """What a paragraph says."""
    lines = "".join(_said(p)).split("\n")
    return "\n".join(line for raw in lines if (line := " ".join(raw.split())))


def note_marks(p: Any) -> list[Mark]:
    """The footnotes and endnotes that a paragraph names."""
    return [(_NOTES[local(one)], one.get(q("id"))) for one in p.iter() if local(one) in _NOTES]


def notes_of(part: Any) -> dict[Mark, str]:
    """The text of all footnotes and endnotes of a document."""
    from lxml import etree

    notes: dict[Mark, str] = {}
    for relation in part.rels.values():
        kind = relation.reltype.rpartition("/")[2]
        if kind not in _NOTES.values() or relation.is_external:
            continue
        root = etree.fromstring(relation.target_part.blob, etree.XMLParser(resolve_entities=False, no_network=True))
        for note in root:
            text = " ".join(filter(None, (paragraph_text(p) for p in note.iter(q("p")))))
            if text and note.get(q("type")) is None:
                notes[kind, note.get(q("id"))] = text
    return notes


def outside_fallback(element: Any) -> bool:
    """Whether an element is no second version for old programs of what stands beside it."""
    return all(local(parent) != "Fallback" for parent in element.iterancestors())


def _said(element: Any) -> Iterator[str]:
    for child in element:
        name = local(child)
        if name in _UNSAID:
            continue
        if name == "t":
            yield child.text or ""
        elif name in _SAID:
            yield _SAID[name] if child.get(q("type")) != "page" else ""
        elif name in _NOTES:
            yield f"[^{child.get(q('id'))}]"
        elif name == "oMath":
            yield f"${formula(child)}$"
        elif name == "ruby":
            yield "".join(_said(next(child.iter(q("rubyBase")), child)))
        else:
            yield from _said(child)


def formula(element: Any) -> str:
    """A formula in one line, in the notation of TeX as far as it is simple."""
    parts = {local(child): child for child in element}
    inside = {name: formula(child) for name, child in parts.items() if name in ("e", "num", "den", "sub", "sup", "deg")}
    match local(element):
        case "f":
            return f"\\frac{{{inside.get('num', '')}}}{{{inside.get('den', '')}}}"
        case "rad":
            degree = f"[{inside['deg']}]" if inside.get("deg") else ""
            return f"\\sqrt{degree}{{{inside.get('e', '')}}}"
        case "sSup" | "sSub" | "sSubSup" | "nary":
            sign = _sign(element) if local(element) == "nary" else inside.get("e", "")
            low = f"_{{{inside['sub']}}}" if inside.get("sub") else ""
            high = f"^{{{inside['sup']}}}" if inside.get("sup") else ""
            return f"{sign}{low}{high}" + (inside.get("e", "") if local(element) == "nary" else "")
        case "d":
            return f"({', '.join(formula(child) for child in element if local(child) == 'e')})"
        case "mr":
            return " & ".join(formula(child) for child in element if local(child) == "e") + " \\\\ "
        case "t":
            return (element.text or "").translate(_UNSEEN)
        case name if name.endswith("Pr"):
            return ""
    return "".join(formula(child) for child in element)


def _sign(nary: Any) -> str:
    found = next((value for one in nary.iter() if local(one) == "chr" for value in one.attrib.values()), "∫")
    return str(found)
