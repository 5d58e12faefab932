"""Cache keys by identity, for large immutable values: arrays, runs, texts."""

from __future__ import annotations


class Same:
    """Wraps a value so that two wrappers are equal if they hold the same object. Comparing the contents of arrays would
    cost as much as the cached computation; the wrapper keeps its object alive, so its identity stays unique."""

    __slots__ = ("_value",)

    def __init__(self, value: object) -> None:
        self._value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other._value is self._value

    def __hash__(self) -> int:
        return hash(id(self._value))
