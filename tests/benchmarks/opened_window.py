"""The window of a process that measures it, opened as the program opens it."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from irviewer.gui.app import Application
    from irviewer.session.session import Session


def opened_window() -> Application:
    """Return the program with a small window in view, in which nothing is open."""
    gc.disable()  # as the program does, which collects between events
    from irviewer.gui.quick_imports import import_plainly
    from irviewer.installed.quick_arrow import quicken_arrow

    quicken_arrow()
    import_plainly()
    from irviewer.gui.app import Application
    from irviewer.session.settings import Settings
    from tests.benchmarks.showing import SMALL_WINDOW

    application = Application(Settings())
    application.window.restore(SMALL_WINDOW)
    application.window.show()
    application.prepare()
    return application


def has_statistics(session: Session) -> bool:
    """Return whether all statistics of Systems are there."""
    return all(session.comparison.known_comparison(kind) is not None for kind in ("baseline", "pairs"))
