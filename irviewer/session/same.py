"""Keys of what is shared and never changed: arrays, runs, texts."""

from __future__ import annotations


class Same:
    """Equal to another where both hold the very same thing. To be part of a key: comparing what arrays hold would cost
    as much as what the key is to save, and while a key is kept, what it holds is kept with it."""

    __slots__ = ("_thing",)

    def __init__(self, thing: object) -> None:
        self._thing = thing

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other._thing is self._thing

    def __hash__(self) -> int:
        return hash(id(self._thing))
