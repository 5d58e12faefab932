"""The size of a dialog when it is opened: within its screen, also where that is 640 × 400 (1280 × 800 at 200 %)."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog, QWidget

FRAME = QSize(4, 40)
"""Width and height in pixels of the frame of a window."""


def open_within_screen(dialog: QDialog, size: QSize) -> None:
    """Give a dialog ``size``, or less where its screen has less room."""
    dialog.resize(size.boundedTo(room_of(dialog)))


def room_of(widget: QWidget) -> QSize:
    """Return the greatest size of a dialog on the screen of ``widget``."""
    return widget.screen().availableGeometry().size() - FRAME


def least_height(widget: QWidget, wanted: int, rest: int, least: int) -> int:
    """Return the least height of the part of a dialog that scrolls: ``wanted`` pixels, or what the screen leaves beside
    ``rest`` pixels of all else, but no less than ``least``."""
    return max(least, min(wanted, room_of(widget).height() - rest))
