"""Reading the lines of an evaluation set, with the file and line of the first that cannot be used."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, PrivateAttr, ValidationError

from zhiji.core.errors import Misuse

Half = Literal["all", "even", "odd"]


class Line(BaseModel):
    """One object of a set; fields that no suite reads are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    _place: str = PrivateAttr("")
    _odd: bool = PrivateAttr(False)

    @property
    def place(self) -> str:
        """Where the line stands: `file:line`."""
        return self._place

    @property
    def file(self) -> str:
        """The name of the file the line stands in, without its ending."""
        return Path(self._place.rpartition(":")[0]).stem


L = TypeVar("L", bound=Line)


def read_lines(path: Path, form: type[L], half: Half = "all") -> list[L]:
    """Every line of a file, or of all `.jsonl` files of a folder, in order.

    Args:
        path: The file or folder.
        form: What a line must look like.
        half: Only the lines whose id, or text where they have none, has an even or odd SHA-256: a set of which one half
            was fitted on is reported on the other.

    Raises:
        Misuse: There is nothing to read, or a line is not of this form; the message names file and line.
    """
    lines = [_parsed(text, place, form) for file in _files(path) for place, text in _texts(file)]
    if not lines:
        raise Misuse(f"{path} holds no line to measure on.")
    return lines if half == "all" else [line for line in lines if line._odd is (half == "odd")]


def reject(line: Line, why: str) -> Misuse:
    """The error for a line that has the form but makes no sense."""
    return Misuse(f"{line.place}: {why}.")


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        found = sorted(path.glob("*.jsonl"))
        if not found:
            raise Misuse(f"{path} holds no .jsonl file.")
        return found
    if not path.is_file():
        raise Misuse(f"{path} is no file or folder.")
    return [path]


def _texts(file: Path) -> Iterator[tuple[str, str]]:
    try:
        texts = file.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError as wrong:
        raise Misuse(f"{file}: not UTF-8 text (byte {wrong.start}).") from None
    return ((f"{file}:{number}", text.strip()) for number, text in enumerate(texts, 1) if text.strip())


def _parsed(text: str, place: str, form: type[L]) -> L:
    try:
        held = json.loads(text)
    except json.JSONDecodeError as wrong:
        raise Misuse(f"{place}: no JSON ({wrong.msg} at column {wrong.colno}).") from None
    try:
        line = form.model_validate(held)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or "the line"
        raise Misuse(f"{place}: {field}: {first['msg']}.") from None
    line._place = place
    line._odd = _is_odd(held, text)
    return line


def _is_odd(held: dict[str, Any], text: str) -> bool:
    name = str(held["id"]) if "id" in held else text
    return bool(hashlib.sha256(name.encode()).digest()[-1] & 1)
