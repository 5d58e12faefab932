"""A cache of values derived from the current state, kept until their inputs change."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from irviewer.session.state import State

T = TypeVar("T")


class _HasState(Protocol):
    @property
    def state(self) -> State: ...


class Cache:
    """Keeps one value per name, the newest."""

    def __init__(self, holder: _HasState) -> None:
        self._holder = holder
        self._by_inputs: dict[str, tuple[tuple[Hashable, ...], Any]] = {}
        self._by_state: dict[str, tuple[State, Any]] = {}

    def get(self, name: str, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
        """Return the value for the inputs in ``key``, calling ``make`` if they changed."""
        kept = self._by_inputs.get(name)
        if kept is None or kept[0] != key:
            kept = self._by_inputs[name] = (key, make())
        return kept[1]

    def has(self, name: str, key: tuple[Hashable, ...]) -> bool:
        """Return whether the value for these inputs is kept."""
        kept = self._by_inputs.get(name)
        return kept is not None and kept[0] == key

    def last(self, name: str) -> Any:
        """Return the newest value for whatever inputs; None if there is none."""
        kept = self._by_inputs.get(name)
        return None if kept is None else kept[1]

    def once(self, name: str, make: Callable[[], T]) -> T:
        """Return a value that depends on the whole state, calling ``make`` once per state."""
        kept = self._by_state.get(name)
        if kept is None or kept[0] is not self._holder.state:
            kept = self._by_state[name] = (self._holder.state, make())
        return kept[1]

    def clear(self) -> None:
        """Drop all values."""
        self._by_inputs.clear()
        self._by_state.clear()
