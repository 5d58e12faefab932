"""The window with one override after the other failing, as a program: it prints which of them Qt called, as JSON, and
ends with 0 if it lives. A number as argument is how many classes are tried of each name of an override."""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import Any

from overrides import all_overrides, broken
from PySide6.QtCore import QEvent, QEventLoop, QMimeData, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDropEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QAbstractScrollArea, QApplication, QGraphicsView, QWidget
from shiboken6 import isValid

from irviewer.gui.app import Application
from irviewer.gui.guard import FaultPanel
from irviewer.session.files.samples import find_sample
from irviewer.session.settings import Settings
from irviewer.session.state import PLACES, TABS

MIME = QMimeData()
"""What is dragged; an event does not keep it."""


class BrokenError(Exception):
    """What the overrides raise."""


def events(widget: QWidget) -> list[QEvent]:
    """One event of each kind that widgets handle."""
    at, whole = QPointF(3, 3), QPoint(3, 3)
    none, left, plain = Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    kinds = (QEvent.Type.MouseMove, QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease)
    mouse = [QMouseEvent(kind, at, at, left, left, plain) for kind in (*kinds, QEvent.Type.MouseButtonDblClick)]
    copy = Qt.DropAction.CopyAction
    return [
        *mouse,
        QMouseEvent(QEvent.Type.MouseButtonRelease, at, at, left, none, plain),
        QWheelEvent(at, at, QPoint(0, 8), QPoint(0, 8), none, plain, Qt.ScrollPhase.NoScrollPhase, False),
        QKeyEvent(QEvent.Type.KeyPress, int(Qt.Key.Key_F35), plain),
        QFocusEvent(QEvent.Type.FocusIn),
        QFocusEvent(QEvent.Type.FocusOut),
        QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, whole, whole),
        QDragEnterEvent(whole, copy, MIME, left, plain),
        QDropEvent(at, copy, MIME, left, plain),
        QResizeEvent(widget.size(), widget.size()),
        QEvent(QEvent.Type.Leave),
        QEvent(QEvent.Type.StyleChange),
        QEvent(QEvent.Type.ToolTip),
    ]


def provoke(window: QWidget, widget: QWidget) -> None:
    """Let Qt call what a widget overrides."""
    target = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
    for event in events(widget):
        for receiver in dict.fromkeys((target, widget)):
            if isValid(receiver):
                QApplication.sendEvent(receiver, event)
    if isinstance(widget, QAbstractItemView) and widget.model() is not None:
        widget.setCurrentIndex(widget.model().index(0, 0))
        widget.doItemsLayout()
    if isinstance(widget, QAbstractScrollArea):
        widget.verticalScrollBar().setValue(widget.verticalScrollBar().value() + 3)
    widget.updateGeometry()
    widget.sizeHint()
    widget.minimumSizeHint()
    assert not window.grab().isNull()


def users(cls: type, window: QWidget) -> list[QWidget]:
    """The visible widgets of a class, or those that an object of the class serves."""
    widgets = [widget for widget in window.findChildren(QWidget) if widget.isVisible()]
    own = [widget for widget in widgets if isinstance(widget, cls)]
    for widget in widgets:
        if isinstance(widget, QAbstractItemView) and isinstance(widget.model(), cls):
            own.append(widget)
        if isinstance(widget, QAbstractItemView) and isinstance(widget.itemDelegate(), cls):
            own.append(widget)
        if isinstance(widget, QGraphicsView) and widget.scene() is not None:
            own += [widget] * any(isinstance(item, cls) for item in widget.scene().items())
    if not own and issubclass(cls, QObject):
        own = [
            owner for helper in window.findChildren(QObject) if isinstance(helper, cls) and (owner := _owner(helper))
        ]
    return own[:1]


def _owner(helper: QObject) -> QWidget | None:
    owner = helper.parent()
    return owner if isinstance(owner, QWidget) and owner.isVisible() else None


def main() -> None:
    """Break each override in the first view where Qt calls it."""
    called: set[str] = set()
    tried: Counter[str] = Counter()
    attempts: Counter[str] = Counter()
    panels = 0
    sys.excepthook = lambda kind, value, trace: None if kind is BrokenError else sys.__excepthook__(kind, value, trace)
    application = Application(Settings())
    application.window.resize(1100, 750)
    application.window.show()
    window, session = application.window, application.session
    sample = find_sample("cranfield")
    assert sample is not None
    session.files.open_files([str(file.path) for file in sample.files])
    while session.busy is not None or session.view.collection is None:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    for place in (place for place in PLACES if place != "start"):
        for tab in TABS.get(place, ("",)):
            session.navigation.set_place(place)
            if tab:
                session.navigation.set_tab(place, tab)
            window.flush()
            QApplication.processEvents()
            for cls, name in all_overrides():
                label = f"{cls.__module__}.{cls.__qualname__}.{name}"
                if label in called or tried[name] >= most or name in ("closeEvent", "done", "accept"):
                    continue
                if attempts[label] == 2:
                    continue
                for widget in users(cls, window):
                    attempts[label] += 1

                    def fail(*given: Any, label: str = label) -> None:
                        called.add(label)
                        raise BrokenError(label)

                    before = len(called)

                    with broken(cls, name, fail):
                        provoke(window, widget)
                        QApplication.processEvents()
                    tried[name] += len(called) > before
                    for panel in window.findChildren(FaultPanel):
                        panels += 1
                        panel.again.click()
                    QApplication.processEvents()
                    window.flush()
    json.dump({"called": sorted(called), "panels": panels}, sys.stdout)
    sys.stdout.flush()
    application.close()


if __name__ == "__main__":
    main()
