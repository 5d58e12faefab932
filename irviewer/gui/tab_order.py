"""Where the Tab key goes in a window: through everything that takes the keys, in the order that one reads.

Qt's own order is that of making, and going forward it begins at the last widget that a focus proxy stands for, so that
what lies before is passed over. Here the order is that of the screen. Knows no view."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication, QWidget


def step_tab(window: QWidget, forward: bool) -> bool:
    """Give the keys to the next stop, or to the one before; from the last to the first. False where there is none."""
    every = list(_all_visible(window))
    focused = QApplication.focusWidget()
    at = every.index(focused) if focused in every else -1 if forward else len(every)
    after, before = every[at + 1 :], every[: max(0, at)]
    rest = (after + before) if forward else (before[::-1] + after[::-1])
    wanted = next((widget for widget in rest if _is_stop(widget)), None)
    if wanted is None:
        return False
    wanted.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
    return True


def _is_stop(widget: QWidget) -> bool:
    # What has a proxy hands the keys on to a widget that is a stop itself.
    takes = widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value
    return bool(takes) and widget.isEnabled() and widget.focusProxy() is None


def _all_visible(widget: QWidget) -> Iterator[QWidget]:
    """What is inside a widget, each before what is inside of it; other windows are left out."""
    children = [one for one in widget.children() if isinstance(one, QWidget) and one.isVisible() and not one.isWindow()]
    for child in _as_read(children):
        yield child
        yield from _all_visible(child)


def _as_read(widgets: list[QWidget]) -> list[QWidget]:
    """Siblings in rows from the top, each row from the left. A widget whose middle lies above the end of a row's first
    is in that row: what stands side by side need not be of one height."""
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
