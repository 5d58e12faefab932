"""Importing what the window is made of without what takes a third of the time and serves no one here.

For the program itself: other programs that show parts of the window keep their interpreter as it is."""

from __future__ import annotations

import builtins

import PySide6.QtCore  # noqa: F401 - its search begins here


def import_plainly() -> None:
    """Turn off the search of PySide6 for its name in the source of each imported module, which takes a quarter of the
    time of all imports. It prepares for ``from __feature__ import snake_case``, which nothing here uses. Does
    nothing where PySide6 has no such search."""
    plain = getattr(builtins, "__orig_import__", None)
    if plain is not None and builtins.__import__ is getattr(builtins, "__feature_import__", None):
        builtins.__import__ = plain
