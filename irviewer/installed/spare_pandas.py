"""Keeps PyArrow from importing pandas, which few of the program's own uses of Arrow need.

For the program itself: other programs that use irviewer keep their interpreter as it is."""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder

import pyarrow as pa


class _Missing(MetaPathFinder):
    """Finds no pandas, as if it were not installed."""

    def find_spec(self, name: str, path: object, target: object = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name=name)


def spare_pandas() -> None:
    """Keep PyArrow from importing pandas, a third of a second and 45 MB, to ask whether a list is a Series. pandas can
    be imported as before, but a Series is then read like a list, with NaN for what is missing. Does nothing where
    pandas is imported already."""
    if "pandas" in sys.modules:
        return
    missing = _Missing()
    sys.meta_path.insert(0, missing)
    try:
        pa.array([])  # it tries once
    finally:
        sys.meta_path.remove(missing)
