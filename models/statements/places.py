"""Which places lie in which: the provinces of China with their cities, and what lies abroad."""

import json
import re
from functools import cache
from importlib.resources import files

ABROAD = "海外"
"""What every place outside China lies in."""


@cache
def provinces() -> dict[str, str]:
    """The province of every known place; a province lies in itself."""
    held: dict[str, list[str]] = json.loads(
        (files("zhiji.models") / "data" / "places.json").read_text(encoding="utf-8")
    )
    return {name: whole for whole, parts in held.items() for name in (whole, *parts)}


def province_of(place: str) -> str:
    """The province that a place lies in, ABROAD for what is in none, "" for what nobody listed.

    >>> province_of("深圳"), province_of("东京"), province_of("某村")
    ('广东', '海外', '')
    """
    return provinces().get(place, "")


@cache
def known() -> re.Pattern[str]:
    """Any known place, the longest name first."""
    return re.compile("|".join(sorted(map(re.escape, provinces()), key=len, reverse=True)))
