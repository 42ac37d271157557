"""Which everyday things are kinds of which: who gives up coffee gives up his latte."""

import json
from functools import cache
from importlib.resources import files

from zhiji.core.text import fold
from zhiji.core.tokens import stem


def is_kind_of(thing: str, kind: str) -> bool:
    """Whether a thing belongs to a kind; what nobody listed belongs to none.

    >>> is_kind_of("冰美式", "咖啡"), is_kind_of("lattes", "coffee"), is_kind_of("牛奶", "咖啡")
    (True, True, False)
    """
    members = _kinds().get(_plain(kind), frozenset())
    named = _plain(thing)
    return any(member == named or (len(member) > 1 and member in named) for member in members)


@cache
def _kinds() -> dict[str, frozenset[str]]:
    held = json.loads((files("zhiji.models") / "data" / "kinds.json").read_text(encoding="utf-8"))
    return {_plain(kind): frozenset(map(_plain, members)) for kind, members in held.items()}


def _plain(name: str) -> str:
    return " ".join(stem(word) for word in fold(name).split())
