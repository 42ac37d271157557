"""Reading the JSON in a model's reply, however it is wrapped."""

import re
from typing import Any

from zhiji.core.errors import NotInstalled


def read_object(reply: str, key: str) -> dict[str, Any] | None:
    r"""The JSON object with `key` that a reply holds, or None where it holds none.

    Fences, prose before and after it (with braces of its own), bad escapes and a missing end are forgiven; a bare list
    is taken for the key's value.

    >>> read_object('Sure: {ok} ```json\n{"memories": []}\n```', "memories")
    {'memories': []}
    """
    try:
        import json_repair
    except ImportError:
        raise NotInstalled('Reading a chat model\'s JSON needs json-repair. Run `pip install "zhiji[chat]"`.') from None
    start = re.search(rf'\{{\s*"{re.escape(key)}"', reply) or re.search(r"\[\s*(?:\{|\])", reply)
    if start is None:
        return None
    found = json_repair.loads(reply[start.start() :])
    if isinstance(found, list):  # prose after the object makes it the first of a list
        whole = next((one for one in found if isinstance(one, dict) and key in one), None)
        return whole or {key: found}
    return found if isinstance(found, dict) and key in found else None
