"""Modules that the window needs soon, imported on a thread while files are read.

To import them when they are needed would hold the window for a quarter of a second."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from importlib import import_module

SCREENS = "irviewer.gui.screens.make_screens"
PLOTS = "irviewer.gui.plots.curves.canvas"
SOON = (SCREENS, PLOTS)
"""What is imported, in the order in which it is needed."""

PATIENCE = 2.0
"""Seconds for which :meth:`Prefetch.close` waits for the module under way."""

_coming: set[str] = set()


def is_coming(module: str) -> bool:
    """Return whether a module is being imported on a thread, or will be."""
    return module in _coming


class Prefetch:
    """Imports modules on a thread. ``arrived`` is called with the name of each on the main thread, by ``post``. A
    module that cannot be imported ends it: who needs the module imports it again, and meets the error."""

    def __init__(
        self, modules: Sequence[str], post: Callable[[Callable[[], None]], None], arrived: Callable[[str], None]
    ) -> None:
        self._modules = tuple(modules)
        self._post = post
        self._arrived = arrived
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._work, name="irviewer-imports", daemon=True)
        _coming.update(module for module in modules if module not in sys.modules)
        self._thread.start()

    def close(self) -> None:
        """Import nothing more, and wait for the module under way: the interpreter must not end within an import."""
        self._ended.set()
        self._thread.join(PATIENCE)

    def _work(self) -> None:
        try:
            for module in self._modules:
                if self._ended.is_set():
                    return
                import_module(module)
                _coming.discard(module)
                self._post(lambda module=module: self._arrived(module))  # type: ignore[misc]
        except Exception:
            return
        finally:
            _coming.difference_update(self._modules)
