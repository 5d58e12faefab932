"""A change of the style sheet in parts: Qt restyles all widgets at once, of which hardly any are in view.

The hidden widgets are put to sleep some at a time between events; Qt passes over those that sleep. Then the widgets in
view are restyled, all at once, and the hidden ones some at a time between events, before they are shown."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from irviewer.formats.reading.no_collection import NO_COLLECTION
from irviewer.gui.stylesheet import stylesheet
from irviewer.gui.theme import Theme

PART = 0.008
"""Seconds of hidden widgets that are restyled between two events."""

AT_ONCE = 500
"""Widgets that are put to sleep between two events."""

POLISHED = Qt.WidgetAttribute.WA_WState_Polished
"""Whether a widget has the style; Qt restyles no others."""

OWN_STYLE = Qt.WidgetAttribute.WA_SetStyle
"""Whether a widget has another style than the application's, of whose changes Qt does not tell it."""


def dress_application(application: QApplication, theme: Theme) -> None:
    """Give all widgets the colours of a theme at once."""
    with NO_COLLECTION:  # a widget that ended while Qt goes through all of them would be read
        # Where one style sheet takes the place of another, Qt restyles each widget once for every parent it has: a
        # second. Taken off and put on, once each.
        application.setStyleSheet("")
        application.setPalette(theme.qt_palette())
        application.setStyleSheet(stylesheet(theme.palette))


class Restyling(QObject):
    """Restyles what is in view at once, and hidden widgets later. ``restyled`` is sent when some of these have the new
    style, which resets palettes that they set themselves."""

    restyled = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._dress: Callable[[], object] | None = None
        """The change that waits until all hidden widgets sleep."""
        self._awake: list[QWidget] = []
        """Those not yet examined for it."""
        self._asleep: list[QWidget] = []
        """Hidden widgets that look to Qt as if they had no style yet, and one of their own later. After a change they
        have the former style."""
        self._untold: list[QWidget] = []
        """Those that have been restyled since ``restyled`` was sent."""
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)

    @property
    def is_done(self) -> bool:
        """Return whether all widgets have the style."""
        return self._dress is None and not self._asleep

    def restyle(self, dress: Callable[[], object]) -> None:
        """Set another style sheet by ``dress``, which is called at once where there are few widgets, and after some
        events where there are many; not if another change comes before."""
        self._dress = dress
        with NO_COLLECTION:  # a widget that ended while Qt's list becomes Python's would be read
            self._awake = QApplication.allWidgets()
        self._timer.start()
        self._put_to_sleep()

    def restyle_shown(self) -> None:
        """Restyle those that came into view meanwhile, before they are painted."""
        self._restyle(self._wake_shown())
        # Those that are still hidden wait until all are done: each time every plot may take new colours.
        if any(isValid(each) and each.isVisible() for each in self._untold):
            self._tell()

    def stop(self) -> None:
        """Restyle no more."""
        self._timer.stop()
        self._dress = None
        self._awake = []
        for widget in self._asleep:
            if isValid(widget):
                _wake(widget)
        self._asleep = []
        self._untold = []

    def _go_on(self) -> None:
        if self._dress is not None:
            self._put_to_sleep()
        else:
            self._restyle_some()

    def _put_to_sleep(self) -> None:
        usual = QApplication.style()
        for widget in self._awake[-AT_ONCE:]:
            if (
                isValid(widget)
                and not widget.isVisible()
                and widget.testAttribute(POLISHED)
                and not widget.testAttribute(OWN_STYLE)
                and (widget.style() is usual or not _is_within_own_style(widget))
            ):
                widget.setAttribute(POLISHED, False)
                widget.setAttribute(OWN_STYLE, True)
                self._asleep.append(widget)
        del self._awake[-AT_ONCE:]
        dress = self._dress
        if dress is not None and not self._awake:
            self._dress = None
            self._wake_shown()
            with NO_COLLECTION:  # nor may one end while Qt goes through all of them
                dress()

    def _wake_shown(self) -> list[QWidget]:
        """Wake those that are in view by now, and return them."""
        shown, asleep = list[QWidget](), list[QWidget]()
        for widget in self._asleep:
            if isValid(widget):
                (shown if widget.isVisible() else asleep).append(widget)
        for widget in shown:
            _wake(widget)
        self._asleep = asleep
        return shown

    def _restyle_some(self) -> None:
        if any(isValid(each) and each.isVisible() for each in self._asleep):
            self.restyle_shown()
        end = time.perf_counter() + PART
        while self._asleep and time.perf_counter() < end:
            widget = self._asleep.pop()
            if isValid(widget):
                _wake(widget)
                self._restyle([widget])
        if not self._asleep:
            self._timer.stop()
            self._tell()

    def _tell(self) -> None:
        if self._untold:
            self._untold = []
            self.restyled.emit()

    def _restyle(self, widgets: Iterable[QWidget]) -> None:
        for widget in widgets:
            style = widget.style()
            style.unpolish(widget)
            style.polish(widget)
            self._untold.append(widget)
            QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))


def _wake(widget: QWidget) -> None:
    widget.setAttribute(POLISHED, True)
    widget.setAttribute(OWN_STYLE, False)


def _is_within_own_style(widget: QWidget) -> bool:
    """Return whether a widget shares the style of one that it is in. If it were asleep it would take that for its own
    where it gets another parent, and Qt would go on using it when the other widget is gone."""
    parent = widget.parentWidget()
    while parent is not None:
        if parent.testAttribute(OWN_STYLE) and parent.testAttribute(POLISHED):  # those that sleep are not polished
            return True
        parent = parent.parentWidget()
    return False
