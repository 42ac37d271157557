"""Reading profile schemas: YAML files, those that ship with the package and one's own."""

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from zhiji.core.errors import Misuse
from zhiji.core.schema import Attribute, Schema, spelling
from zhiji.core.settings import load_settings

LARGEST = 1_000_000
"""Bytes of a schema file; a larger one is no schema."""
_active: list[Schema] = []


_Safe: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Safe):  # type: ignore[misc]
    """YAML that refuses a key written twice: the first one would be lost silently."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for name, _ in node.value:
            if str(name.value) in seen:
                raise yaml.constructor.ConstructorError(None, None, f"'{name.value}' is written twice", name.start_mark)
            seen.add(str(name.value))
        found: dict[Any, Any] = super().construct_mapping(node, deep)
        return found


def shipped() -> tuple[str, ...]:
    """The names of the schemas that come with the package."""
    return tuple(sorted(entry.name.removesuffix(".yaml") for entry in _folder().iterdir() if _is_yaml(entry.name)))


@lru_cache(maxsize=8)
def load_schema(name: str) -> Schema:
    """The schema of that name, or of the YAML file at that path.

    Raises:
        Misuse: There is none, or it cannot be used; the line says where and why.
    """
    fields = [_field(name, key, spec) for key, spec in _merged(name, ()).items()]
    try:
        return Schema(name=Path(name).stem, fields=tuple(fields))
    except ValidationError as wrong:
        raise Misuse(f"Profile schema {name}: {_says(wrong)}.") from None


def active() -> Schema:
    """The schema of this process: the one `use_schema` set, else the one the environment's settings name."""
    return _active[0] if _active else load_schema(load_settings().profile_schema)


def use_schema(name: str) -> Schema:
    """Make a schema the one of this process; every store and graph in it shares it.

    Raises:
        Misuse: There is none of that name, or its file cannot be used.
    """
    _active[:] = [load_schema(name)]
    return _active[0]


def _merged(name: str, through: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """The specifications of all fields, those of the schema it extends before and below its own."""
    if name in through:
        raise Misuse(f"Profile schema {name} extends itself: {' → '.join((*through, name))}.")
    document = _document(name)
    own = _specs(name, document)
    parent = document.get("extends")
    if parent is None:
        return own
    if not isinstance(parent, str):
        raise Misuse(f"Profile schema {name}: extends must name a schema, or the path of a file.")
    beside = Path(name).parent / parent
    below = _merged(str(beside) if _is_yaml(parent) and not Path(parent).is_absolute() else parent, (*through, name))
    return _overridden(below, own)


def _overridden(below: dict[str, dict[str, Any]], own: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """One's own fields first; what they are called no longer names a field below."""
    taken = {spelling(str(name)) for key, spec in own.items() for name in (key, *_names(spec))}
    kept = {
        key: {**spec, "aliases": [name for name in _names(spec) if spelling(str(name)) not in taken]}
        for key, spec in below.items()
    }
    merged = {key: {**below.get(key, {}), **spec} for key, spec in own.items()}
    return merged | {key: spec for key, spec in kept.items() if key not in merged}


def _names(spec: Mapping[str, Any]) -> list[Any]:
    names = spec.get("aliases") or []
    return list(names) if isinstance(names, list) else []


def _specs(name: str, document: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    fields = document.get("fields")
    unknown = set(document) - {"fields", "extends"}
    if unknown:
        raise Misuse(f"Profile schema {name}: unknown {sorted(map(str, unknown))[0]}; a schema has extends and fields.")
    if not isinstance(fields, dict) or not fields:
        raise Misuse(f"Profile schema {name}: fields must map each key to what it is; see docs/profile.md.")
    for key, spec in fields.items():
        if not isinstance(key, str) or not isinstance(spec, dict):
            raise Misuse(f"Profile schema {name}: fields.{key} must be a mapping with zh, en and type.")
    return fields


def _document(name: str) -> Mapping[str, Any]:
    text = _text(name)
    try:
        document = yaml.load(text, _Loader)
    except yaml.YAMLError as wrong:
        mark = getattr(wrong, "problem_mark", None)
        where = f" line {mark.line + 1}" if mark else ""
        raise Misuse(f"Profile schema {name}{where}: {getattr(wrong, 'problem', None) or 'no YAML'}.") from None
    if not isinstance(document, dict):
        raise Misuse(f"Profile schema {name}: it must be a mapping with fields; see docs/profile.md.")
    return document


def _text(name: str) -> str:
    if not _is_yaml(name):
        file = _folder() / f"{name}.yaml"
        if not file.is_file():
            raise Misuse(
                f"There is no profile schema '{name}'; use {', '.join(shipped())}, or the path of a .yaml file."
            )
        return str(file.read_text(encoding="utf-8"))
    path = Path(name).expanduser()
    try:
        if path.stat().st_size > LARGEST:
            raise Misuse(f"Profile schema {name}: a file of more than {LARGEST // 1_000_000} MB is no schema.")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as failed:
        raise Misuse(f"Profile schema {name}: {getattr(failed, 'strerror', None) or 'not UTF-8'}.") from None


def _field(name: str, key: str, spec: Mapping[str, Any]) -> Attribute:
    try:
        return Attribute.model_validate({**spec, "key": key})
    except ValidationError as wrong:
        raise Misuse(f"Profile schema {name}: fields.{key}{_says(wrong)}.") from None


def _says(wrong: ValidationError) -> str:
    first = wrong.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{f'.{place}' if place else ''}: {first['msg'].removeprefix('Value error, ')}"


def _is_yaml(name: str) -> bool:
    return name.endswith((".yaml", ".yml"))


def _folder() -> Any:
    return resources.files("zhiji.core").joinpath("schemas")
