"""What workers of the tests do."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from threading import Event


@dataclass(frozen=True)
class Dying:
    """Ends the worker at an item; only the first time if there is a file to say that it did so."""

    at: int
    once: Path | None = None

    def __call__(self, item: int) -> int:
        if item == self.at and not (self.once is not None and self.once.exists()):
            if self.once is not None:
                self.once.touch()
            os._exit(1)
        return item * item


@dataclass(frozen=True)
class OnlyFirst:
    """Returns the first item, and waits with others until it is ended."""

    def __call__(self, item: int) -> int:
        if item:
            Event().wait()
        return item


@dataclass(frozen=True)
class Waiting:
    """Says in a folder that it works, and works until it is ended."""

    folder: Path

    def __call__(self, item: int) -> int:
        (self.folder / f"{item}").touch()
        Event().wait()
        return item
