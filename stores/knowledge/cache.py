"""The most recent values of a kind, kept in the process and nowhere else."""

import time
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """At most `size` values, the least recently used going first; each for at most `keep_s` seconds.

    >>> recent = Recent[str, int](1)
    >>> recent.put("a", 1), recent.put("b", 2), recent.get("a")
    (1, 2, None)
    """

    def __init__(self, size: int, keep_s: float = float("inf")) -> None:
        self._size = size
        self._keep_s = keep_s
        self._items: OrderedDict[K, tuple[float, V]] = OrderedDict()

    def get(self, key: K) -> V | None:
        """The value, or None if it is unknown or too old."""
        found = self._items.get(key)
        if found is None:
            return None
        if time.monotonic() - found[0] > self._keep_s:
            del self._items[key]
            return None
        self._items.move_to_end(key)
        return found[1]

    def put(self, key: K, value: V) -> V:
        """Keep a value, and return it."""
        self._items[key] = (time.monotonic(), value)
        self._items.move_to_end(key)
        while len(self._items) > self._size:
            self._items.popitem(last=False)
        return value

    def clear(self) -> None:
        """Forget everything."""
        self._items.clear()
