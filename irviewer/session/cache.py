"""What is made of the present state and kept until what it was made of changes."""

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
    """One value per name, the newest: made again when its inputs are others."""

    def __init__(self, holder: _HasState) -> None:
        self._holder = holder
        self._by_inputs: dict[str, tuple[tuple[Hashable, ...], Any]] = {}
        self._by_state: dict[str, tuple[State, Any]] = {}

    def get(self, name: str, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
        """What was made of the inputs in ``key``, or is made of them now."""
        kept = self._by_inputs.get(name)
        if kept is None or kept[0] != key:
            kept = self._by_inputs[name] = (key, make())
        return kept[1]

    def once(self, name: str, make: Callable[[], T]) -> T:
        """What the present state alone decides: views ask for it several times a refresh, and it is looked up once."""
        kept = self._by_state.get(name)
        if kept is None or kept[0] is not self._holder.state:
            kept = self._by_state[name] = (self._holder.state, make())
        return kept[1]
