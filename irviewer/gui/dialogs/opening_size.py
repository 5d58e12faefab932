"""The size of a dialog when it is opened: within its screen, also where that is 960 × 540 (1920 × 1080 at 200 %)."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog

FRAME = QSize(4, 40)
"""Width and height in pixels of the frame of a window."""


def open_within_screen(dialog: QDialog, size: QSize) -> None:
    """Give a dialog ``size``, or less where its screen has less room."""
    dialog.resize(size.boundedTo(dialog.screen().availableGeometry().size() - FRAME))
