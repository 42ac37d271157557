"""Records (.jsonl, .json): a table where all are short and alike, else a section each."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from zhiji.ingest.blocks import Document, DocumentBuilder
from zhiji.ingest.decode import decode
from zhiji.ingest.grids import add_grid
from zhiji.ingest.report import ParseFailed

_TITLES = ("title", "name", "question", "subject", "heading", "标题", "名称", "问题")
_TEXTS = ("text", "content", "page_content", "body", "answer", "正文", "内容", "答案")
_SHORT = 80  # characters a cell of a table may have
_MAX_COLUMNS = 12
_DEEPEST = 20


class JsonLinesParser:
    """Reads one JSON value a line, or one JSON document."""

    suffixes: tuple[str, ...] = (".jsonl", ".ndjson", ".json")
    binary = False

    def parse(self, data: bytes, source: str) -> Document:
        """The records in order; a line that is no JSON is left out and said.

        Raises:
            ParseFailed: nothing in it is JSON.
        """
        decoded = decode(data)
        build = DocumentBuilder()
        records = _whole(decoded.text) if source.lower().endswith(".json") else None
        records = list(_lines(decoded.text, build)) if records is None else records
        if not records and build.notes:
            raise ParseFailed("no line of it is JSON")
        if _is_table(records):
            columns = list(dict.fromkeys(key for record in records for key in record))
            add_grid(build, [columns, *([_plain(record.get(key)) for key in columns] for record in records)])
        else:
            for record in records:
                _add(build, record)
        return build.document(source, encoding=decoded.encoding, notes=[decoded.note])


def _whole(text: str) -> list[Any] | None:
    """The records of one JSON document; None if it is not one."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, list) else [value]


def _lines(text: str, build: DocumentBuilder) -> Iterator[Any]:
    broken = []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            if line.strip():
                yield json.loads(line)
        except ValueError:
            broken.append(number)
    if broken:
        shown = ", ".join(map(str, broken[:5])) + (" …" if len(broken) > 5 else "")
        build.notes.append(f"{len(broken)} lines are no JSON and were left out: {shown}")


def _is_table(records: Sequence[Any]) -> bool:
    """Whether all records have the same few short values."""
    if len(records) < 2 or not all(isinstance(one, dict) and one for one in records):
        return False
    keys = records[0].keys()
    return 1 < len(keys) <= _MAX_COLUMNS and all(
        one.keys() == keys and all(not isinstance(v, dict | list) and len(str(v)) <= _SHORT for v in one.values())
        for one in records
    )


def _add(build: DocumentBuilder, record: Any) -> None:
    """A record: its title as heading, its text as paragraphs, all else as lines of key and value."""
    if not isinstance(record, dict):
        build.add("paragraph", "\n".join(_flat(record)))
        return
    title = next((key for key in _TITLES if isinstance(record.get(key), str) and len(record[key]) <= _SHORT), "")
    texts = [key for key in _TEXTS if isinstance(record.get(key), str)]
    build.heading(record[title] if title else "", 2)
    rest = {key: value for key, value in record.items() if key != title and key not in texts}
    build.add("list", "\n".join(f"- {line}" for line in _flat(rest)))
    for key in texts:
        for paragraph in record[key].split("\n\n"):
            build.add("paragraph", paragraph)


def _flat(value: Any, path: str = "", depth: int = 0) -> Iterator[str]:
    """The values inside one, each with the path of keys that leads there."""
    if isinstance(value, dict) and depth < _DEEPEST:
        for key, inner in value.items():
            yield from _flat(inner, f"{path}.{key}" if path else str(key), depth + 1)
    elif isinstance(value, list) and depth < _DEEPEST and any(isinstance(one, dict | list) for one in value):
        for number, inner in enumerate(value, 1):
            yield from _flat(inner, f"{path}[{number}]", depth + 1)
    elif text := _plain(value):
        yield f"{path}: {text}" if path else text


def _plain(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(_plain(one) for one in value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
