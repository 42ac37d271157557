"""The parts of the docs that are made from code: `python -m zhiji.cli.docs` writes them."""

from pathlib import Path
from typing import get_args, get_origin

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from zhiji.core.settings import Settings

DOCS = Path(__file__).parent.parent / "docs"


def settings_page() -> str:
    """The page of all settings."""
    lines = [
        "# Settings",
        "",
        "Every setting is an environment variable. Made from `core/settings.py` by `make docs`.",
        "",
        "| variable | default | values | what it does |",
        "|---|---|---|---|",
    ]
    return "\n".join([*lines, *(_row(name, field) for name, field in Settings.model_fields.items())]) + "\n"


def _row(name: str, field: FieldInfo) -> str:
    variable = str(field.validation_alias or f"ZHIJI_{name.upper()}")
    return f"| `{variable}` | {_default(field)} | {_values(field)} | {field.description} |"


def _default(field: FieldInfo) -> str:
    if field.default is PydanticUndefined:
        return "–"
    value = field.default.get_secret_value() if hasattr(field.default, "get_secret_value") else field.default
    return f"`{str(value).lower() if isinstance(value, bool) else value}`" if value != "" else "empty"


def _values(field: FieldInfo) -> str:
    if get_origin(field.annotation) is not None:
        return ", ".join(f"`{value}`" for value in get_args(field.annotation))
    return {"int": "whole number", "float": "number", "bool": "`true`, `false`", "Path": "folder"}.get(
        getattr(field.annotation, "__name__", ""), "text"
    )


def main() -> None:
    """Write the pages."""
    (DOCS / "settings.md").write_text(settings_page(), encoding="utf-8")


if __name__ == "__main__":
    main()
