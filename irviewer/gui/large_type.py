"""Large type for projectors: the scale, and restarting Qt with it.

Qt has one scale for the whole program, which it reads at its start. All parts then keep their proportions, so that
nothing is cut. The session continues meanwhile."""

from __future__ import annotations

import gc
import math
import os
import sys

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication

VARIABLE = "QT_SCALE_FACTOR"
LARGE = 1.5
STEP = 0.1
AGAIN = 75
"""The result of the event loop when Qt must restart."""


def scale_for(room: QSize, least: QSize) -> float:
    """Return the largest scale at which a window of the ``least`` size fits on the screen."""
    fits = min(room.width() / least.width(), room.height() / least.height())
    return max(1.0, min(LARGE, math.floor(fits / STEP + 1e-9) * STEP))


class Scale:
    """The scale of Qt, in addition to that of the user's environment."""

    def __init__(self) -> None:
        self._former = os.environ.get(VARIABLE)
        self.value = 1.0

    def set(self, value: float) -> None:
        """Set the scale for the next application."""
        self.value = value
        if value == 1.0:
            self.release()
            return
        os.environ[VARIABLE] = f"{value * _number(self._former):g}"

    def release(self) -> None:
        """Restore the environment."""
        if self._former is None:
            os.environ.pop(VARIABLE, None)
        else:
            os.environ[VARIABLE] = self._former


def room() -> QSize:
    """Return the size of the screen in pixels without this scale; needs an application."""
    screen = QApplication.primaryScreen()
    return QSize(0, 0) if screen is None else screen.availableGeometry().size()


def end_application(application: QApplication) -> None:
    """Delete the application, with the Qt objects in caches."""
    for name, module in tuple(sys.modules.items()):
        if name.startswith("irviewer.gui"):
            for value in tuple(vars(module).values()):
                clear = getattr(value, "cache_clear", None)
                if clear is not None:
                    clear()
    gc.collect()
    application.shutdown()


def _number(text: str | None) -> float:
    try:
        return float(text or 1.0)
    except ValueError:
        return 1.0
