"""The overrides of the window: what Qt calls in Python, and a way to let one of them fail."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from shiboken6 import Shiboken

import irviewer.gui
from irviewer.gui.guard import GUARDED

NO_VIRTUALS = frozenset(
    {"setText", "setTextFormat", "setAccessibleName", "setAccessibleDescription", "horizontalAdvance", "setPalette"}
)
"""Methods of Qt that classes of the window replace for Python alone: Qt does not call them."""


def _subclasses(cls: type) -> Iterator[type]:
    for subclass in cls.__subclasses__():
        yield subclass
        yield from _subclasses(subclass)


def all_overrides() -> list[tuple[type, str]]:
    """Every method of a class of the window that replaces one of Qt."""
    for module in pkgutil.walk_packages(irviewer.gui.__path__, "irviewer.gui."):
        importlib.import_module(module.name)
    classes = {cls for cls in _subclasses(Shiboken.Object) if cls.__module__.startswith("irviewer.")}
    overrides = [
        (cls, name)
        for cls in classes
        for name, value in vars(cls).items()
        if inspect.isfunction(value) and not name.startswith("__") and name not in NO_VIRTUALS
        if any(name in vars(base) for base in cls.__mro__ if base.__module__.startswith(("PySide6", "Shiboken")))
    ]
    return sorted(overrides, key=lambda pair: (pair[0].__module__, pair[0].__qualname__, pair[1]))


def is_guarded(cls: type, name: str) -> bool:
    """Whether an override passes through the guard."""
    return name in GUARDED and hasattr(vars(cls)[name], "__wrapped__")


@contextmanager
def broken(cls: type, name: str, fail: Callable[..., Any]) -> Iterator[None]:
    """Let the guard of an override call another function instead."""
    guard = vars(cls)[name]
    cell = next(cell for cell in guard.__closure__ if cell.cell_contents is guard.__wrapped__)
    cell.cell_contents = fail
    try:
        yield
    finally:
        cell.cell_contents = guard.__wrapped__
