"""The order in which the Tab key moves through a window: that of reading.

Qt uses the order in which widgets are made, and skips widgets before a focus proxy. It knows no view."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication, QWidget

from irviewer.gui.widgets.scrolled import bring_into_view


def step_tab(window: QWidget, forward: bool) -> bool:
    """Move the focus to the next or previous widget, and from the last to the first. Return False if there is none."""
    every = list(_all_visible(window))
    focused = QApplication.focusWidget()
    at = every.index(focused) if focused in every else -1 if forward else len(every)
    after, before = every[at + 1 :], every[: max(0, at)]
    rest = (after + before) if forward else (before[::-1] + after[::-1])
    wanted = next((widget for widget in rest if _is_stop(widget)), None)
    if wanted is None:
        return False
    wanted.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
    bring_into_view(wanted)
    return True


def _is_stop(widget: QWidget) -> bool:
    # A widget with a focus proxy passes the focus to a widget that is visited itself.
    takes = widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value
    return bool(takes) and widget.isEnabled() and widget.focusProxy() is None


def _all_visible(widget: QWidget) -> Iterator[QWidget]:
    """Yield the visible widgets inside a widget, each before its children; other windows are left out."""
    children = [
        child
        for child in widget.children()
        if isinstance(child, QWidget) and child.isVisible() and not child.isWindow()
    ]
    for child in _as_read(children):
        yield child
        yield from _all_visible(child)


def _as_read(widgets: list[QWidget]) -> list[QWidget]:
    """Return siblings by rows from the top, each row from the left. A widget is in a row if its middle is above the
    lower edge of the first widget of the row, since widgets of a row differ in height."""
    rows: list[list[QWidget]] = []
    for widget in sorted(widgets, key=_top):
        if rows and _middle(widget.geometry()) < rows[-1][0].geometry().bottom():
            rows[-1].append(widget)
        else:
            rows.append([widget])
    return [widget for row in rows for widget in sorted(row, key=_left)]


def _top(widget: QWidget) -> tuple[int, int]:
    return widget.y(), widget.x()


def _left(widget: QWidget) -> tuple[int, int]:
    return widget.x(), widget.y()


def _middle(box: QRect) -> float:
    return box.top() + box.height() / 2
