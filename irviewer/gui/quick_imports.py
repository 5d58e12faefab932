"""Importing what the window is made of without what takes a third of the time and serves no one here.

For the program itself: other programs that show parts of the window keep their interpreter as it is."""

from __future__ import annotations

import builtins
import sys
from importlib.abc import MetaPathFinder

import pyarrow as pa
import PySide6.QtCore  # noqa: F401 - its search begins here


def import_plainly() -> None:
    """Turn off the search of PySide6 for its name in the source of each imported module, which takes a quarter of the
    time of all imports. It prepares for ``from __feature__ import snake_case``, which nothing here uses. Does
    nothing where PySide6 has no such search."""
    plain = getattr(builtins, "__orig_import__", None)
    if plain is not None and builtins.__import__ is getattr(builtins, "__feature_import__", None):
        builtins.__import__ = plain


class _Missing(MetaPathFinder):
    """Finds no pandas, as if it were not installed."""

    def find_spec(self, name: str, path: object, target: object = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name=name)


def spare_pandas() -> None:
    """Keep PyArrow from importing pandas, half a second, to ask whether a list is a Series. pandas can be imported as
    before, but a Series is then read like a list, with NaN for what is missing. Does nothing where pandas is imported
    already."""
    if "pandas" in sys.modules:
        return
    missing = _Missing()
    sys.meta_path.insert(0, missing)
    try:
        pa.array([])  # it tries once
    finally:
        sys.meta_path.remove(missing)
