"""Extensions by other packages, found by entry points.

Measures and formats have a group of entry points and a registration each."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError
from irviewer.installed.guard import guarded

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


_LOADING = threading.RLock()
"""Held while a group is loaded: all groups change ``sys.path`` meanwhile, and a package may ask for another group."""


class Additions:
    """The entry points of one group, loaded when first needed. One that fails to load does not affect the others.

    group      the group, such as ``irviewer.measures``
    register   loads and registers an entry point; may raise any exception of its package"""

    def __init__(self, group: str, register: Callable[[EntryPoint], None]) -> None:
        self.group = group
        self._register = register
        self._loaded = False
        self._faults: dict[str, str] = {}

    def load(self) -> None:
        """Register the entry points of all packages on the first call; other threads wait."""
        with _LOADING:
            if self._loaded:
                return
            self._loaded = True  # first, as a package being imported may ask for what is registered
            with installed_packages_only() as path:
                for point in _points(path, self.group):
                    self._load(point)

    def _load(self, point: EntryPoint) -> None:
        try:
            with guarded():
                self._register(point)
        except Exception as error:
            # Another package may raise anything: the program continues without it and reports the fault.
            reason = str(error) if isinstance(error, IrviewerError) else repr(error)
            self._faults[point.name] = f"{point.value}: {reason}"

    def fault(self, name: str) -> str | None:
        """Return why the entry point of this name could not be loaded, or None."""
        return self._faults.get(name)

    def faults(self) -> dict[str, str]:
        """Return name -> reason of all entry points that could not be loaded."""
        return dict(self._faults)


def _points(path: list[str], group: str) -> list[EntryPoint]:
    """Return the entry points of a group in the packages on a path; of several with one name the first."""
    from importlib.metadata import distributions

    points: dict[str, EntryPoint] = {}
    for package in distributions(path=path):
        if group not in (package.read_text("entry_points.txt") or ""):
            continue  # a fault in the entry points of another program's package is not ours
        for point in package.entry_points:
            if point.group == group:
                points.setdefault(point.name, point)
    return list(points.values())


@contextmanager
def installed_packages_only() -> Iterator[list[str]]:
    """Replace ``sys.path`` by one without the current folder during the context, and return it.

    ``python -m irviewer`` puts the current folder first; it may hold data, and its modules are not installed
    packages. The list itself loses nothing: other threads may be looking for a module in it, and would pass over a
    folder."""
    current = Path.cwd().resolve()
    before = sys.path
    kept = [folder for folder in before if folder and Path(folder).resolve() != current]
    sys.path = list(kept)
    try:
        yield kept
    finally:
        before.extend(folder for folder in sys.path if folder not in kept)  # a package may add folders
        sys.path = before
