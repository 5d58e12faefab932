"""Code of a package that is read from the disk on a thread, for an import on another.

Half of an import is to find its files and to read their code. On the main thread that would be done beside files that
are being read, and each time it asks the disk the reading thread takes the interpreter, and gives it back later."""

from __future__ import annotations

import pkgutil
import sys
from collections.abc import Collection, Iterator
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any


class _Read(SourceFileLoader):
    """A loader that has the code, until it has given it."""

    code: CodeType | None

    def get_code(self, fullname: str) -> CodeType | None:
        code, self.code = self.code, None
        return super().get_code(fullname) if code is None else code


class ReadAhead:
    """Finds the modules of a package, whose code it has, until :meth:`release`. Modules that were imported, those of
    the packages ``without``, and those whose code cannot be read are found as ever. The package above it, if there is
    one, has been imported."""

    def __init__(self, package: str, without: Collection[str] = ()) -> None:
        above = package.rpartition(".")[0]
        path = sys.modules[above].__path__ if above else None
        self._specs = {spec.name: spec for spec in _specs(package, path, without)}
        # Before the search of the disk, after the finders that others placed before it.
        finders = sys.meta_path
        finders.insert(finders.index(PathFinder) if PathFinder in finders else len(finders), self)

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return what was read of a module, once; None for others."""
        return self._specs.pop(name, None)

    def release(self) -> None:
        """Find no more. May be called twice."""
        self._specs.clear()
        if self in sys.meta_path:
            sys.meta_path.remove(self)


def _specs(name: str, path: Any, without: Collection[str]) -> Iterator[ModuleSpec]:
    spec = None if name in without else PathFinder.find_spec(name, path)
    if spec is None or type(spec.loader) is not SourceFileLoader:
        return
    if name not in sys.modules:
        try:
            code = spec.loader.get_code(name)
        except (OSError, ImportError, SyntaxError):
            code = None
        if code is not None:
            read = _Read(spec.loader.name, spec.loader.path)
            read.code = code
            spec.loader = read
            yield spec
    for _, inner, _ in pkgutil.iter_modules(spec.submodule_search_locations or (), f"{name}."):
        yield from _specs(inner, spec.submodule_search_locations, without)
