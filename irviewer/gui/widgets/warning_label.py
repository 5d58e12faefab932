"""A line below fields that says what is wrong with what was entered."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import PlainLabel


class WarningLabel(PlainLabel):
    """A small text in the colour of warnings, which wraps. It begins with a space, so that its line has its height."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(" ", parent)
        self.setFont(theme.font(9))
        self.setWordWrap(True)
        self.set_ink(theme["warning"])
