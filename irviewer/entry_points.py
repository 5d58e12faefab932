"""What other packages add to the program, found by the entry points that they are installed with.

Knows no kind of addition: measures and formats have a group and a registration each."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class Additions:
    """The entry points of one group: loaded once, when they are first needed. One that cannot be loaded costs itself
    and nothing else, and is told with its reason.

    group      the entry points' group, such as ``irviewer.measures``
    register   takes an entry point and makes use of what it points to; raises whatever its package raises"""

    def __init__(self, group: str, register: Callable[[EntryPoint], None]) -> None:
        self.group = group
        self._register = register
        self._loaded = False
        self._loading = threading.RLock()
        self._faults: dict[str, str] = {}

    def load(self) -> None:
        """Register every package's additions; the first call does it, later ones cost nothing. Other threads wait."""
        with self._loading:
            if self._loaded:
                return
            self._loaded = True  # first: a package may ask for what is registered while it is being imported
            with installed_packages_only() as path:
                for point in _points(path, self.group):
                    self._load(point)

    def _load(self, point: EntryPoint) -> None:
        try:
            self._register(point)
        except (Exception, SystemExit) as error:
            # Whatever another package's code raises: the program goes on without it, and says so.
            reason = str(error) if isinstance(error, IrviewerError) else repr(error)
            self._faults[point.name] = f"{point.value}: {reason}"

    def fault(self, name: str) -> str | None:
        """Why an addition of that name is not there; None where no package has one."""
        return self._faults.get(name)

    def faults(self) -> dict[str, str]:
        """Name -> reason of every addition that could not be loaded."""
        return dict(self._faults)


def _points(path: list[str], group: str) -> list[EntryPoint]:
    """The entry points of a group in the packages on a path, each name once: the first on the path counts."""
    from importlib.metadata import distributions

    found: dict[str, EntryPoint] = {}
    for package in distributions(path=path):
        for point in package.entry_points:
            if point.group == group:
                found.setdefault(point.name, point)
    return list(found.values())


@contextmanager
def installed_packages_only() -> Iterator[list[str]]:
    """The path that packages are looked for on, in force while they are imported: without the folder that the program
    was started in, which ``python -m irviewer`` puts first. It may be a folder of data, and what lies there is no
    package that somebody installed."""
    here = Path.cwd().resolve()
    before = list(sys.path)
    kept = [one for one in before if one and Path(one).resolve() != here]
    sys.path[:] = kept
    try:
        yield kept
    finally:
        added = [one for one in sys.path if one not in kept]  # a package may add a folder of its own
        sys.path[:] = [*before, *added]
