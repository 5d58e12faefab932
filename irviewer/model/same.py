"""Cache keys by identity, for large immutable values: arrays, runs, texts."""

from __future__ import annotations

import threading
from weakref import WeakValueDictionary


class Same:
    """Wraps a value; for one object there is one wrapper, so that wrappers are equal if they hold the same object.
    Comparing the contents of arrays would cost as much as the cached computation; the wrapper keeps its object alive,
    so its identity stays unique."""

    __slots__ = ("__weakref__", "_value")
    _value: object

    def __new__(cls, value: object) -> Same:
        with _lock:
            wrapper = _wrappers.get(id(value))
            if wrapper is None:
                wrapper = _wrappers[id(value)] = object.__new__(cls)
                wrapper._value = value
        return wrapper

    def __reduce__(self) -> tuple[type[Same], tuple[object]]:
        return Same, (self._value,)


_lock = threading.RLock()
_wrappers: WeakValueDictionary[int, Same] = WeakValueDictionary()
"""The wrappers that are in use, by the address of their object."""
