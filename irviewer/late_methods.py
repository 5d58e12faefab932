"""Methods of data classes that are compiled when they are called for the first time.

Python compiles five methods or six for each data class: of several hundred classes a fifth of the window's start, and
most of these methods are never called. For the program itself: other programs keep their interpreter as it is. It
imports no Qt, and nothing that has data classes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

Method = Callable[..., Any]


def compile_late() -> None:
    """Let the data classes that are defined from now on compile their methods late. Does nothing where dataclasses has
    no function of this name that compiles one method, as from Python 3.13 on."""
    create: Callable[..., Method] | None = getattr(dataclasses, "_create_fn", None)
    if create is not None and not hasattr(create, "compiles_late"):
        dataclasses._create_fn = _late(create)  # type: ignore[attr-defined]


def _late(create: Callable[..., Method]) -> Callable[..., Method]:
    """Return a function that takes the arguments of ``create`` and returns a method which calls it once."""

    def create_late(name: str, *source: Any, **names: Any) -> Method:
        compiled: Method | None = None

        def method(self: object, /, *arguments: Any, **named: Any) -> Any:
            nonlocal compiled
            if compiled is None:
                compiled = create(name, *source, **names)
                compiled.__qualname__ = method.__qualname__
                owner = next((owner for owner in type(self).__mro__ if vars(owner).get(name) is method), None)
                if owner is not None:  # that of __repr__ has it within another function
                    setattr(owner, name, compiled)
            return compiled(self, *arguments, **named)

        method.__name__ = name
        return method

    create_late.compiles_late = True  # type: ignore[attr-defined]
    return create_late
