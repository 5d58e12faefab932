"""The guard around everything that Qt calls in Python: no fault in it ends the program or reaches another view.

Qt calls overrides (``paintEvent``, ``event``, ``data`` …) from C++, where a Python exception has nowhere to go: on
Python 3.11 one that passes two of them ends the process. So every class that overrides some has the decorator
:func:`guarded`, and a test checks it. A fault is given to ``sys.excepthook`` once, the view gets a
:class:`FaultPanel`, and Qt gets a value that does nothing. Knows no session and no view."""

from __future__ import annotations

import contextlib
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, QRectF, QSize, QSysInfo, Qt, QTimer, qVersion
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QBoxLayout,
    QFrame,
    QGraphicsItem,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QStyleOption,
    QWidget,
)

from irviewer.formats.reading.no_collection import NO_COLLECTION
from irviewer.gui.widgets.plain_text import KeptColours, PlainLabel, set_tooltip
from irviewer.translation import tr
from irviewer.version import VERSION

T = TypeVar("T", bound=type)


def _nothing() -> None:
    return None


def _no() -> bool:
    return False


def _zero() -> int:
    return 0


def _no_flags() -> Qt.ItemFlag:
    return Qt.ItemFlag.NoItemFlags


_PAINTING: Mapping[str, Callable[[], object]] = {
    **dict.fromkeys(("paintEvent", "paint", "drawBackground", "drawForeground", "initStyleOption"), _nothing),
    **dict.fromkeys(("data", "headerData"), _nothing),
    **dict.fromkeys(("rowCount", "columnCount"), _zero),
    "flags": _no_flags,
    "boundingRect": QRectF,
}
"""The overrides without which a view cannot be painted, and what they return instead."""
GUARDED: Mapping[str, Callable[[], object]] = {
    **_PAINTING,
    **dict.fromkeys(
        ("event", "eventFilter", "viewportEvent", "focusNextPrevChild", "hasHeightForWidth", "isEmpty"), _no
    ),
    "heightForWidth": _zero,
    **dict.fromkeys(("sizeHint", "minimumSizeHint"), QSize),
    **dict.fromkeys(("indexAt", "moveCursor"), QModelIndex),
    "visualRect": QRect,
    "state": QAccessible.State,
    "actionNames": list,
    **dict.fromkeys(
        (
            "changeEvent", "closeEvent", "contextMenuEvent", "dragEnterEvent", "dropEvent", "focusInEvent",
            "focusOutEvent", "hideEvent", "keyPressEvent", "leaveEvent", "mouseDoubleClickEvent", "mouseMoveEvent",
            "mousePressEvent", "mouseReleaseEvent", "resizeEvent", "showEvent", "wheelEvent",
        ),
        _nothing,
    ),
    **dict.fromkeys(
        (
            "accept", "currentChanged", "dataChanged", "doAction", "done", "keyboardSearch", "scrollContentsBy",
            "scrollTo", "selectionChanged", "setVisible", "translate",
        ),
        _nothing,
    ),
}  # fmt: skip
"""The overrides that Qt calls, by name, and what they return to it where they fail."""

LEAST = QSize(120, 100)
"""The size in pixels from which a widget has room for a panel that covers it."""
STRIP = QSize(320, 34)
"""The least width in pixels and the height of the panel of a view that can still be painted."""
_KNOWN = "_guard_fault"


def guarded(cls: T) -> T:
    """Guard the overrides of a class: a decorator."""
    for name in GUARDED.keys() & vars(cls).keys():
        setattr(cls, name, _guard(name, vars(cls)[name]))
    return cls


def _guard(name: str, override: Callable[..., Any]) -> Callable[..., Any]:
    if override.__code__.co_argcount == 2 and not override.__defaults__:

        def guard_of_event(self: Any, event: Any) -> Any:
            # Most overrides take one: without a tuple the call costs a third.
            try:
                return override(self, event)
            except BaseException as error:  # also SystemExit: Qt would end the process
                _on_fault(self, name, (event,), error)
                return GUARDED[name]()

        return wraps(override)(guard_of_event)

    def guard(self: Any, *given: Any) -> Any:
        try:
            return override(self, *given)
        except BaseException as error:
            _on_fault(self, name, given, error)
            return GUARDED[name]()

    return wraps(override)(guard)


@dataclass(frozen=True)
class Fault:
    """An exception in an override: where it was raised, its first line and the whole report."""

    place: tuple[str, str, int]
    text: str
    report: str

    @classmethod
    def of(cls, source: object, name: str, error: BaseException) -> Fault:
        """Return the fault of an exception in ``source.name``; those of one line of code have one place."""
        last = traceback.extract_tb(error.__traceback__, limit=-1)
        place = (last[0].filename, last[0].lineno or 0) if last else ("", 0)
        text = tr("Error in irviewer: {kind}: {message}", kind=type(error).__name__, message=_words(error))
        where = f"{type(source).__module__}.{type(source).__qualname__}.{name}"
        python, system = sys.version.partition(" ")[0], QSysInfo.prettyProductName()
        system = f"irviewer {VERSION}, Python {python}, Qt {qVersion()}, {system}"
        lines = "".join(traceback.format_exception(type(error), error, error.__traceback__))
        return cls((name, *place), text, f"{system}\n{where}\n{lines}")


def _words(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # its own __str__ failed
        return "?"


def _on_fault(source: Any, name: str, given: tuple[Any, ...], error: BaseException) -> None:
    """Report a fault, unless that object had it before, and show it in its view once Qt has painted."""
    with contextlib.suppress(Exception):  # whatever is left of the program goes on
        fault = Fault.of(source, name, error)
        former = vars(source).get(_KNOWN)
        if former is None or former.place != fault.place:
            vars(source)[_KNOWN] = fault
            sys.excepthook(type(error), error, error.__traceback__)
            view = _view_of(source, given)
            paints = name in _PAINTING or (name.endswith(("event", "Event")) and _is_paint(given))
            if view is not None:
                QTimer.singleShot(0, view, lambda: show_fault(view, source, fault, paints))
    with contextlib.suppress(Exception):
        # The frames hold painters, which must have ended before Qt shows what was painted.
        later: BaseException | None = error
        while later is not None:
            traceback.clear_frames(later.__traceback__)
            later = later.__context__


def _is_paint(given: tuple[Any, ...]) -> bool:
    return any(isinstance(event, QEvent) and event.type() == QEvent.Type.Paint for event in given)


def _view_of(source: Any, given: tuple[Any, ...]) -> QWidget | None:
    """Return the widget that shows an object: itself, that of a delegate, a model or an item, or what it belongs to."""
    if isinstance(source, QWidget):
        return source
    for value in given:
        if isinstance(value, QStyleOption) and isinstance(getattr(value, "widget", None), QWidget):
            return value.widget  # type: ignore[attr-defined]
    if isinstance(source, QGraphicsItem) and source.scene() is not None:
        return next(iter(source.scene().views()), None)
    with NO_COLLECTION:  # a widget that ended while Qt's list becomes Python's would be read
        widgets = QApplication.allWidgets()
    for widget in widgets:
        if isinstance(widget, QAbstractItemView) and widget.model() is source:
            return widget
    owner = source.parent() if isinstance(source, QObject) else None
    while owner is not None and not isinstance(owner, QWidget):
        owner = owner.parent()
    return owner


def show_fault(view: QWidget, source: object, fault: Fault, paints: bool) -> None:
    """Put a panel over a view that cannot be painted, a strip at its top if it can; where a widget is too small, the
    strip is in what it lies in."""
    covers = paints and _has_room(view, LEAST)
    inside: QWidget | None = view
    while inside is not None and not covers and not inside.isWindow() and not _has_room(inside, STRIP):
        inside = inside.parentWidget()
    if inside is None or isinstance(inside, FaultPanel):
        return
    host = inside.viewport() if isinstance(inside, QAbstractScrollArea) else inside
    for panel in host.findChildren(FaultPanel, options=Qt.FindChildOption.FindDirectChildrenOnly):
        if panel.covers or not covers:
            return  # one says enough
        panel.hide()
        panel.deleteLater()
    FaultPanel(host, source, fault, covers).show()


def _has_room(widget: QWidget, least: QSize) -> bool:
    """Return whether a panel can lie in a widget; it would become a part of a splitter."""
    large = widget.width() >= least.width() and widget.height() >= least.height()
    return large and not isinstance(widget, QSplitter)


@guarded
class FaultPanel(QFrame):
    """What a view with a fault shows: the fault, a button that copies the report, and one that tries again. It
    ``covers`` a view that cannot be painted; else it is a strip at the top."""

    def __init__(self, host: QWidget, source: object, fault: Fault, covers: bool) -> None:
        super().__init__(host)
        self.covers = covers
        self.fault = fault
        self._source = source
        self._host = host
        self.setFrameShape(QFrame.Shape.Box)
        self.setAutoFillBackground(True)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.words = PlainLabel(fault.text.partition("\n")[0])
        self.words.setWordWrap(covers)
        self.copy = QPushButton(tr("Copy report"))
        self.again = QPushButton(tr("Try again"))
        for button in (self.copy, self.again):
            button.setAutoDefault(True)  # Enter presses it outside of dialogs, too
        self.copy.clicked.connect(self._on_copy_clicked)
        self.again.clicked.connect(self._on_again_clicked)
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        set_tooltip(self.words, fault.text)
        row = QBoxLayout(QBoxLayout.Direction.TopToBottom if covers else QBoxLayout.Direction.LeftToRight, self)
        row.setContentsMargins(10, 2, 10, 2)
        if covers:
            row.addStretch(1)
            row.addWidget(self.words)
            row.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignLeft)
            row.addWidget(self.again, 0, Qt.AlignmentFlag.AlignLeft)
            row.addStretch(1)
        else:
            row.addWidget(self.words, 1)
            row.addWidget(self.copy)
            row.addWidget(self.again)
        host.installEventFilter(self)
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self._host:
            self._place()
        return False

    def _place(self) -> None:
        room = self._host.rect()
        self.setGeometry(room if self.covers else QRect(room.left(), room.top(), room.width(), STRIP.height()))
        self.raise_()

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self.fault.report)

    def _on_again_clicked(self) -> None:
        with contextlib.suppress(RuntimeError):  # the object may be gone
            vars(self._source).pop(_KNOWN, None)
        self.hide()
        self.setParent(None)  # another fault has another panel
        self.deleteLater()
        self._host.update()


guarded(KeptColours)  # this module imports it
