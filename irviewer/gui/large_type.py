"""Large type for a projector: how much larger everything is drawn, and the toolkit begun anew at that size.

Qt knows one scale for the whole program, and reads it when it begins: fonts, rows, paintings, dialogs and menus alike
then keep their proportions, so that nothing is cut. The session knows no toolkit and lives on meanwhile."""

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
"""What the event loop ends with when the toolkit is to begin anew."""


def scale_for(room: QSize, least: QSize) -> float:
    """How much larger everything may be drawn so that a window of the ``least`` size still has room on the screen."""
    fits = min(room.width() / least.width(), room.height() / least.height())
    return max(1.0, min(LARGE, math.floor(fits / STEP + 1e-9) * STEP))


class Scale:
    """The scale of the toolkit beside the one that the person's own environment asks for."""

    def __init__(self) -> None:
        self._former = os.environ.get(VARIABLE)
        self.value = 1.0

    def set(self, value: float) -> None:
        """To be heard by the application that is made next."""
        self.value = value
        if value == 1.0:
            self.release()
            return
        os.environ[VARIABLE] = f"{value * _number(self._former):g}"

    def release(self) -> None:
        """The environment as it was."""
        if self._former is None:
            os.environ.pop(VARIABLE, None)
        else:
            os.environ[VARIABLE] = self._former


def room() -> QSize:
    """The screen's room in pixels, were nothing drawn larger than the environment asks for; needs an application."""
    screen = QApplication.primaryScreen()
    return QSize(0, 0) if screen is None else screen.availableGeometry().size()


def end_application(application: QApplication) -> None:
    """Take the toolkit down whole, with all that the window's caches keep of it."""
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
