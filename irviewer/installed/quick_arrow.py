"""Keeps PyArrow from importing pandas and dateutil and from writing the documentation of its functions, which few of
the program's own uses of Arrow need.

For the program itself, before it has threads, which would see what is replaced meanwhile: other programs that use
irviewer keep their interpreter as it is."""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import pyarrow as pa

_DESCRIBED_BY = "pyarrow.vendored.docscrape"


def quicken_arrow() -> None:
    """Spare what PyArrow imports and writes in vain. Does nothing a second time."""
    _spare_pandas()
    _spare_documentation()


class _Missing:
    """Finds no pandas and no dateutil, as if they were not installed."""

    def find_spec(self, name: str, path: object, target: object = None) -> None:
        if name in ("pandas", "dateutil"):
            raise ModuleNotFoundError(name=name)


def _spare_pandas() -> None:
    """Keep PyArrow from importing pandas, a third of a second and 45 MB, to ask whether a list is a Series. pandas can
    be imported as before, but a Series is then read like a list, with NaN for what is missing. Its differences of dates
    are asked for in the same way, of dateutil. Does nothing where pandas is imported already."""
    if "pandas" in sys.modules:
        return
    missing = _Missing()
    sys.meta_path.insert(0, missing)
    try:
        pa.array([])  # it tries once
    finally:
        sys.meta_path.remove(missing)


class _NoDescription:
    """What is read of a docstring: nothing."""

    def __init__(self, text: str) -> None:
        """Ignore the text."""

    def __getitem__(self, part: str) -> tuple[()]:
        return ()


def _spare_documentation() -> None:
    """Import ``pyarrow.compute`` without what it does for ``help``: it parses the docstrings of all options and writes
    a docstring and a signature for each of 300 functions, four fifths of its time. The functions are the same. Does
    nothing where it is imported already."""
    if "pyarrow.compute" in sys.modules:
        return
    stand_in: Any = ModuleType(_DESCRIBED_BY)
    stand_in.NumpyDocString = _NoDescription
    nothing = inspect.Signature()
    known = sys.modules.get(_DESCRIBED_BY)
    sys.modules[_DESCRIBED_BY] = stand_in
    try:
        with _replaced(textwrap, "dedent", str), _replaced(inspect, "signature", lambda described: nothing):
            import pyarrow.compute  # noqa: F401
    finally:
        del sys.modules[_DESCRIBED_BY]
        if known is not None:
            sys.modules[_DESCRIBED_BY] = known


@contextmanager
def _replaced(module: ModuleType, name: str, value: object) -> Iterator[None]:
    former = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, former)
