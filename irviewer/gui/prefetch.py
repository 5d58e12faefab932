"""Modules that the window needs soon, imported on a thread: the first screen while files are read, the rest once its
lists and tables are painted.

To import them when they are needed would hold the window for a quarter of a second. To import all of them at once would
hold up the lists and tables, since Python runs one thread at a time."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from importlib import import_module

FIRST_SCREEN = "irviewer.gui.query.screen"
PLOTS = "irviewer.gui.plots.curves.canvas"
SOON = (FIRST_SCREEN,)
"""What is imported at once."""
LATER = (
    PLOTS,
    "irviewer.gui.tables.ledger_panel",
    "irviewer.gui.query.stages",
    "irviewer.gui.teaching.screen",
    "irviewer.gui.teaching.lesson_strip",
    "irviewer.gui.teaching.lecture_table",
    "irviewer.gui.dialogs.window_dialogs",
    "irviewer.gui.verdict.screen",
    "irviewer.gui.systems.screen",
    "irviewer.gui.queries.screen",
    "irviewer.gui.failures.screen",
    "irviewer.gui.compare.screen",
    "irviewer.gui.collections.screen",
)
"""What is imported after the first paint, in the order in which it is needed."""
LONGEST = 2.0
"""Seconds for which what comes later waits at most: files that take longer to read leave it time."""

PATIENCE = 2.0
"""Seconds for which :meth:`Prefetch.close` waits for the module under way."""

_coming: set[str] = set()


def is_coming(module: str) -> bool:
    """Return whether a module is being imported on a thread, or will be."""
    return module in _coming


class Prefetch:
    """Imports modules on a thread, those of ``later`` once :meth:`go_on` was called. ``arrived`` is called with the
    name of each on the main thread, by ``post``. A module that cannot be imported ends it: who needs the module imports
    it again, and meets the error."""

    def __init__(
        self,
        modules: Sequence[str],
        post: Callable[[Callable[[], None]], None],
        arrived: Callable[[str], None],
        later: Sequence[str] = (),
    ) -> None:
        self._modules = tuple(modules)
        self._later = tuple(later)
        self._post = post
        self._arrived = arrived
        self._ended = threading.Event()
        self._going_on = threading.Event()
        self._thread = threading.Thread(target=self._work, name="irviewer-imports", daemon=True)
        _coming.update(module for module in (*modules, *later) if module not in sys.modules)
        self._thread.start()

    def go_on(self) -> None:
        """Import what comes later."""
        self._going_on.set()

    def close(self) -> None:
        """Import nothing more, and wait for the module under way: the interpreter must not end within an import."""
        self._ended.set()
        self._going_on.set()
        self._thread.join(PATIENCE)

    def _work(self) -> None:
        try:
            for module in self._modules:
                self._import(module)
            if self._later:
                self._going_on.wait(LONGEST)
            for module in self._later:
                self._import(module)
        except Exception:  # importing runs any code; who needs the module imports it again, and is told
            return
        finally:
            _coming.difference_update(self._modules, self._later)

    def _import(self, module: str) -> None:
        if not self._ended.is_set():
            import_module(module)
            _coming.discard(module)
            self._post(lambda: self._arrived(module))
