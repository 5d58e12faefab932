"""Menus that open below a button."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu, QWidget

GAP = 3
"""Pixels between the button and its menu."""


def open_below(menu: QMenu, button: QWidget, former: QMenu | None = None) -> QMenu:
    """Open a menu below a button and return it; the ``former`` one, which nobody needs any more, is deleted."""
    if former is not None:
        former.deleteLater()
    menu.popup(button.mapToGlobal(QPoint(0, button.height() + GAP)))
    return menu
