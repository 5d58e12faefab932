"""The size of type: the scale of everything, and restarting Qt with it.

Qt has one scale for the whole program, which it reads at its start. All parts then keep their proportions, so that
nothing is cut. The session continues meanwhile."""

from __future__ import annotations

import gc
import math
import os
import sys

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QApplication

from irviewer.session.settings import TYPE_SIZES, Settings

VARIABLE = "QT_SCALE_FACTOR"
PROPERTY = "irviewer_scale"
"""The property of the application that holds its scale."""
LARGE = 1.5
STEP = 0.1
AGAIN = 75
"""The result of the event loop when Qt must restart."""


NORMAL_POINTS = {"windows": 9.0, "cocoa": 13.0, "xcb": 11.0, "wayland": 11.0}
"""The size of the system's font by platform, where the user has not made it larger. On X11 and macOS most desktops
enlarge the whole window, which Qt does too."""
MOST_SYSTEM = 2.0


CLASS = (900, 560)
"""The least room in pixels that a window with large type has: a class reads lists and measures side by side."""


def least_room(settings: Settings, least: QSize) -> QSize:
    """Return the room that a window needs: its ``least`` size, with large type that of a class."""
    return QSize(*CLASS).expandedTo(least) if settings["large_type"] else least


def scale_for(room: QSize, least: QSize, wanted: float = LARGE) -> float:
    """Return the wanted scale, or the largest one at which a window of the ``least`` size fits on the screen."""
    fits = min(room.width() / least.width(), room.height() / least.height())
    return min(wanted, max(1.0, math.floor(fits / STEP + 1e-9) * STEP))


def system_scale(platform: str, points: float) -> float:
    """Return how much larger than normal the type of the system is: its font has ``points`` on a Qt platform. 1 where
    this is not known, and for smaller fonts, since themes differ."""
    normal = NORMAL_POINTS.get(platform)
    if normal is None or points <= normal:
        return 1.0
    return min(MOST_SYSTEM, round(points / normal / STEP) * STEP)


def system_scale_here() -> float:
    """Return how much larger than normal the type of this system is; needs an application."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    return system_scale(QGuiApplication.platformName(), font.pointSizeF())


def wanted_scale(settings: Settings, system: float) -> float:
    """Return the scale of the settings: the type size, or that of the system, and large type for a projector."""
    percent = settings["type_size"]
    return (percent / 100 if percent else system) * (LARGE if settings["large_type"] else 1.0)


def next_size(settings: Settings, system: float, step: int) -> int:
    """Return the next larger type size in percent (``step`` 1) or the next smaller one (-1); the present one at the
    end."""
    present = settings["type_size"] or round(100 * system)
    others = [size for size in TYPE_SIZES if (size - present) * step > 0]
    if not others:
        return int(present)
    return min(others) if step > 0 else max(others)


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
    """Return the size of the screen in pixels of the present scale; needs an application."""
    screen = QApplication.primaryScreen()
    return QSize(0, 0) if screen is None else screen.availableGeometry().size()


def whole_room() -> QSize:
    """Return the size of the screen in pixels without this scale; needs an application."""
    application = QApplication.instance()
    scale = None if application is None else application.property(PROPERTY)
    return room() * float(scale or 1.0)


def kept_inside(size: QSize, scale: float, room: QSize) -> QSize:
    """Return the size of a window that is wanted in pixels of the screen, in pixels of a scale: no larger than the
    ``room`` of the screen, in pixels of that scale too."""
    inside = size / scale
    return inside.boundedTo(room) if room.isValid() and not room.isEmpty() else inside


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
