"""A change of the style sheet in parts: Qt restyles all widgets at once, of which hardly any are in view.

The widgets in view are restyled at once, the hidden ones some at a time between events, before they are shown."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

PART = 0.008
"""Seconds of hidden widgets between two events."""

POLISHED = Qt.WidgetAttribute.WA_WState_Polished
"""Whether a widget has the style; Qt restyles no others."""

OWN_STYLE = Qt.WidgetAttribute.WA_SetStyle
"""Whether a widget has another style than the application's, of whose changes Qt does not tell it."""


class Restyling(QObject):
    """Restyles what is in view at once, and hidden widgets later. ``restyled`` is sent when some of these have the new
    style, which resets palettes that they set themselves."""

    restyled = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hidden: list[QWidget] = []
        self._untold: list[QWidget] = []
        """Those that have been restyled since ``restyled`` was sent."""
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._restyle_some)

    @property
    def is_done(self) -> bool:
        """Return whether no hidden widget has the former style."""
        return not self._hidden

    def restyle(self, dress: Callable[[], object]) -> None:
        """Set another style sheet by ``dress``. While it runs, hidden widgets look to Qt as if they had no style yet,
        and one of their own later, so that it passes them over."""
        hidden = [each for each in QApplication.allWidgets() if each.testAttribute(POLISHED) and not each.isVisible()]
        untold = [each for each in hidden if not each.testAttribute(OWN_STYLE)]
        for widget in hidden:
            widget.setAttribute(POLISHED, False)
        for widget in untold:
            widget.setAttribute(OWN_STYLE, True)
        try:
            dress()
        finally:
            for widget in untold:
                widget.setAttribute(OWN_STYLE, False)
            for widget in hidden:
                widget.setAttribute(POLISHED, True)
        self._hidden = hidden
        if hidden:
            self._timer.start()

    def restyle_shown(self) -> None:
        """Restyle those that came into view meanwhile, before they are painted."""
        if self._hidden:
            shown = [each for each in self._hidden if isValid(each) and each.isVisible()]
            if shown:
                places = {id(each) for each in shown}
                self._hidden = [each for each in self._hidden if id(each) not in places]
                self._restyle(shown)
        # Those that are still hidden wait until all are done: each time every plot may take new colours.
        if any(isValid(each) and each.isVisible() for each in self._untold):
            self._tell()

    def stop(self) -> None:
        """Restyle no more."""
        self._timer.stop()
        self._hidden = []
        self._untold = []

    def _restyle_some(self) -> None:
        if any(isValid(each) and each.isVisible() for each in self._hidden):
            self.restyle_shown()
        end = time.perf_counter() + PART
        while self._hidden and time.perf_counter() < end:
            self._restyle([self._hidden.pop()])
        if not self._hidden:
            self._timer.stop()
            self._tell()

    def _tell(self) -> None:
        if self._untold:
            self._untold = []
            self.restyled.emit()

    def _restyle(self, widgets: Iterable[QWidget]) -> None:
        for widget in widgets:
            if isValid(widget):
                style = widget.style()
                style.unpolish(widget)
                style.polish(widget)
                self._untold.append(widget)
                if not widget.testAttribute(OWN_STYLE):
                    QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))
