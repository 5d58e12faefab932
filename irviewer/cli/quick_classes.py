"""Building the methods of data classes when they are first used.

Each data class gets up to six methods, each compiled from a text while its module is imported. Four fifths of them are
never called, and together they take a quarter of the time in which the window opens. For the program itself, and for
its own classes only: other programs that import irviewer keep their interpreter as it is."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from typing import Any

WHEN_USED = frozenset({"__init__", "__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__"})
"""The methods that wait; those that order values do not, there are hardly any."""
OWN = __name__.partition(".")[0]

Method = Callable[..., Any]


def build_when_used() -> None:
    """Let the data classes of modules that are imported from now on compile their methods when they are first called.
    Does nothing where Python compiles them all at once (from 3.13), and a second time."""
    build = getattr(dataclasses, "_create_fn", None)
    if build is None or sys.version_info >= (3, 13) or getattr(build, "__module__", "") == __name__:
        return

    def build_or_wait(name: str, args: Any, body: Any, *, globals: Any = None, **more: Any) -> Method:  # noqa: A002
        def make() -> Method:
            method: Method = build(name, args, body, globals=globals, **more)
            return method

        module = str((globals or {}).get("__name__", ""))
        return waiting(name, make) if name in WHEN_USED and module.partition(".")[0] == OWN else make()

    dataclasses._create_fn = build_or_wait  # type: ignore[attr-defined]


def waiting(name: str, make: Callable[[], Method]) -> Method:
    """Return a method that is made when it is first called, and then takes its own place in the class."""
    known: list[Method] = []

    def method(self: Any, *given: Any, **named: Any) -> Any:
        if not known:
            built = make()  # twice, if two threads come at once: the first is used
            built.__qualname__ = method.__qualname__
            known.append(built)
            for each in type(self).__mro__:
                if each.__dict__.get(name) is method:
                    setattr(each, name, built)
        return known[0](self, *given, **named)

    method.__name__ = name
    return method
