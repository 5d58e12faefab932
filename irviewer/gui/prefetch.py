"""Modules that the window needs soon, imported ahead: the first screen while files are read, the rest once its lists
and tables are painted.

To import them when they are needed would hold the window for a quarter of a second. What knows nothing of Qt is
imported on a thread. What makes classes of Qt is imported on the main thread, in short steps between which the window
answers: PySide keeps all its classes in one table, which the main thread reads at every event without asking Python
for its turn, so that a class made on another thread may move the table under it, and the program crashes. The code of
what comes after the first paint is read on the thread."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from importlib import import_module
from typing import Any

from irviewer.gui.read_ahead import ReadAhead

FIRST_SCREEN = "irviewer.gui.query.screen"
VERDICT = "irviewer.gui.verdict.screen"
"""The first screen of runs that a user brings."""
PLOTS = "irviewer.gui.plots.curves.canvas"
SOON = (FIRST_SCREEN,)
"""What is imported at once."""
LATER = (
    PLOTS,
    "irviewer.gui.tables.ledger_panel",
    "irviewer.gui.query.stages",
    "irviewer.gui.query.answer.view",
    "irviewer.gui.teaching.screen",
    "irviewer.gui.teaching.lesson_strip",
    "irviewer.gui.teaching.lecture_table",
    "irviewer.gui.dialogs.window_dialogs",
    VERDICT,
    "irviewer.gui.systems.screen",
    "irviewer.gui.queries.screen",
    "irviewer.gui.failures.screen",
    "irviewer.gui.compare.screen",
    "irviewer.gui.collections.screen",
)
"""What is imported after the first paint, in the order in which it is needed."""
BENEATH: Mapping[str, tuple[str, ...]] = {
    FIRST_SCREEN: ("irviewer.views.query_columns", "irviewer.session.view_models.spoken"),
    PLOTS: (
        "irviewer.figures.overlapping_curves",
        "irviewer.figures.readout",
        "irviewer.figures.described",
        # What the plots' library imports of Python's own.
        "cProfile",
        "multiprocessing.connection",
        "pydoc",
        "subprocess",
        "sysconfig",
        "xml.etree.ElementTree",
    ),
    "irviewer.gui.tables.ledger_panel": ("irviewer.views.explanation",),
    "irviewer.gui.query.answer.view": ("irviewer.analysis.answers.topic_answers",),
    "irviewer.gui.teaching.screen": ("irviewer.figures.venn",),
    "irviewer.gui.teaching.lesson_strip": ("irviewer.rendering.lesson_pictures", "irviewer.session.teaching.points"),
    "irviewer.gui.dialogs.window_dialogs": (
        "irviewer.commands.synonyms",
        "irviewer.commands.keymap",
        "irviewer.views.view",
        "irviewer.model.table_preview",
        "irviewer.session.explaining.measure_card",
        "irviewer.session.teaching.typed_values",
        "irviewer.session.teaching.exchange.printing",
        "irviewer.session.teaching.exchange.web_page",
        "irviewer.analysis.explain.fewest_swaps",
    ),
    VERDICT: (
        "irviewer.analysis.verdict",
        "irviewer.analysis.verdict.deciding",
        "irviewer.analysis.verdict.loss",
        "irviewer.analysis.verdict.headline",
        "irviewer.views.verdict",
    ),
    "irviewer.gui.systems.screen": ("irviewer.session.view_models.systems_table",),
    "irviewer.gui.queries.screen": ("irviewer.session.navigation.empty_tabs", "numpy.ma"),  # np.unique imports it
    "irviewer.gui.failures.screen": ("irviewer.views.failures",),
    "irviewer.gui.compare.screen": (
        "irviewer.analysis.answers",
        "irviewer.analysis.answers.lost",
        "irviewer.analysis.answers.label_pairs",
        "irviewer.views.answer_lost",
        "irviewer.views.answer_means",
        "irviewer.views.answer_pairs",
        "irviewer.views.judge",
    ),
    "irviewer.gui.collections.screen": ("irviewer.formats.registry",),  # plugins that are left out are told of then
}
"""What each imports that knows nothing of Qt: it is imported before, on the thread."""
QT = (
    "PySide6.QtCore",
    "PySide6.QtGui",
    "PySide6.QtWidgets",
    "PySide6.QtOpenGL",
    "PySide6.QtOpenGLWidgets",
    "PySide6.QtSvg",
    "PySide6.QtTest",
)
"""The modules whose classes the plots' library asks for, all of them; PySide makes each when it is asked for."""
LIBRARY = "pyqtgraph"
UNUSED = tuple(
    f"{LIBRARY}.{name}" for name in ("console", "dockarea", "examples", "exporters", "flowchart", "jupyter", "opengl")
)
"""Packages of the plots' library that it does not import itself."""
OURS = "irviewer.gui"
"""The package of whatever else is imported on the main thread."""
AT_ONCE = 32
"""Classes that are made in one step, which takes some 5 ms."""
LONGEST = 2.0
"""Seconds for which what comes later waits at most: files that take longer to read leave it time."""

PATIENCE = 2.0
"""Seconds for which :meth:`Prefetch.close` waits for the module under way."""

_coming: set[str] = set()


def is_coming(module: str) -> bool:
    """Return whether a module is being imported ahead, or will be."""
    return module in _coming


class Prefetch:
    """Imports modules ahead, those of ``later`` once :meth:`go_on` was called: what lies beneath them on a thread, the
    modules themselves on the main thread, by ``post``, those of ``later`` within ``undisturbed``. ``arrived`` is called
    there with the name of each. A module that cannot be imported ends it: who needs the module imports it again, and
    meets the error."""

    def __init__(
        self,
        modules: Sequence[str],
        post: Callable[[Callable[[], None]], None],
        arrived: Callable[[str], None],
        later: Sequence[str] = (),
        undisturbed: Callable[[], AbstractContextManager[object]] = nullcontext,
    ) -> None:
        self._modules = tuple(modules)
        self._later = tuple(later)
        self._post = post
        self._arrived = arrived
        self._undisturbed = undisturbed
        self._ended = threading.Event()
        self._going_on = threading.Event()
        self._done = threading.Event()
        self._read: ReadAhead | None = None
        self._thread = threading.Thread(target=self._work, name="irviewer-imports", daemon=True)
        _coming.update(module for module in (*modules, *later) if module not in sys.modules)
        self._thread.start()

    def go_on(self) -> None:
        """Import what comes later."""
        self._going_on.set()

    def close(self) -> None:
        """Import nothing more, and wait for the module under way: the interpreter must not end within an import."""
        self._end()
        self._going_on.set()
        self._thread.join(PATIENCE)

    def _end(self) -> None:
        self._ended.set()
        self._done.set()

    def _work(self) -> None:
        try:
            for module in self._modules:
                self._bring(module)
            if self._later:
                self._going_on.wait(LONGEST)
            for module in self._later:
                self._bring(module)
                if self._read is None and not self._ended.is_set():  # what the first paint waits for comes before
                    self._read = ReadAhead(OURS)
        except Exception:  # importing runs any code; who needs the module imports it again, and is told
            return
        finally:
            _coming.difference_update(self._modules, self._later)
            if self._read is not None:
                self._read.release()

    def _bring(self, module: str) -> None:
        """Import a module, and wait until the main thread has taken every step."""
        for name in BENEATH.get(module, ()):
            if not self._ended.is_set():
                import_module(name)
        read = ReadAhead(LIBRARY, UNUSED) if module == PLOTS and not self._ended.is_set() else None
        try:
            self._take_steps(module)
        finally:
            if read is not None:
                read.release()
        if not self._ended.is_set():
            _coming.discard(module)
            self._post(lambda: self._arrived(module))

    def _take_steps(self, module: str) -> None:
        for step in _steps(module):
            if self._ended.is_set():
                return
            # What the first paint waits for does not wait for others to rest.
            with self._undisturbed() if module in self._later and step.func is import_module else nullcontext():
                self._done.clear()
                if self._ended.is_set():  # it may have been between the two
                    return
                self._post(partial(self._take, step))
                self._done.wait()

    def _take(self, step: Callable[[], object]) -> None:
        """Take a step, on the main thread."""
        if self._ended.is_set():
            return
        try:
            step()
        except Exception:  # as on the thread
            self._end()
        finally:
            self._done.set()


def _steps(module: str) -> Iterator[partial[Any]]:
    """Yield what the main thread does for a module, each in a few hundredths of a second."""
    if module == PLOTS:
        for qt in QT:
            yield partial(import_module, qt)
            names = dir(sys.modules[qt])
            for first in range(0, len(names), AT_ONCE):
                yield partial(_touch, qt, names[first : first + AT_ONCE])
        yield partial(import_module, LIBRARY)
    yield partial(import_module, module)


def _touch(module: str, names: Sequence[str]) -> None:
    for name in names:
        getattr(sys.modules[module], name, None)
