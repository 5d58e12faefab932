"""What no label may lie over: legends, and places whose values an act changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar
from weakref import WeakKeyDictionary

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

W = TypeVar("W", bound=QWidget)
_kept: WeakKeyDictionary[QWidget, Callable[[QWidget], QRect]] = WeakKeyDictionary()


def keep_clear(widget: W, part: Callable[[W], QRect] = QWidget.rect) -> None:
    """Keep a widget clear, or the ``part`` of it that the function returns. The function must not hold the widget."""
    _kept[widget] = part  # type: ignore[assignment]


def kept_clear(window: QWidget) -> list[QRect]:
    """Return what is kept clear of the widgets in sight, in a window."""
    rects = []
    for widget, part in list(_kept.items()):
        if isValid(widget) and widget.isVisible() and window.isAncestorOf(widget):
            rect = part(widget).intersected(widget.visibleRegion().boundingRect())
            rects.append(QRect(widget.mapTo(window, rect.topLeft()), rect.size()))
    return [rect for rect in rects if not rect.isEmpty()]


def clear_place(wanted: QRect, room: QRect, kept: list[QRect]) -> QPoint:
    """Return the place nearest to a wanted one, within the room, where a label lies over nothing that is kept clear;
    the wanted place, moved into the room, if there is none."""
    size = wanted.size()
    last = QPoint(max(room.left(), room.right() + 1 - size.width()), max(room.top(), room.bottom() + 1 - size.height()))
    inside = QPoint(max(room.left(), min(wanted.left(), last.x())), max(room.top(), min(wanted.top(), last.y())))
    lefts, tops = {inside.x(), room.left(), last.x()}, {inside.y(), room.top(), last.y()}
    for rect in kept:
        lefts |= {rect.left() - size.width() - 2, rect.right() + 3}
        tops |= {rect.top() - size.height() - 2, rect.bottom() + 3}
    places = sorted(
        (QPoint(left, top) for left in lefts for top in tops),
        key=lambda place: (2 * abs(place.x() - wanted.left()) + abs(place.y() - wanted.top()), place.x(), place.y()),
    )
    for place in places:
        label = QRect(place, size)
        if room.contains(label) and not any(label.intersects(rect) for rect in kept):
            return place
    return inside
