"""A label for a formula, rendered in the text colour; its LaTeX if it cannot be rendered. Wide formulas are drawn
smaller, then in several lines, and then scroll.

It is drawn when it is shown for the first time, since matplotlib takes half a second to import."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QPixmap, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import PlainLabel

SIZE = 12.5
"""Font size of the formula in points."""
LEAST = 0.72
"""The smallest share of the size for a wide formula."""
STEP = 0.25
"""Sizes are multiples of this many points, so that few are drawn while the user resizes."""


class FormulaLabel(QScrollArea):
    """Shows a formula."""

    def __init__(self, theme: Theme, size: float = SIZE, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._size = size
        self._formula = ""
        self._drawn = 0.0
        self._ends = 0.0
        self.label = PlainLabel()
        self.setWidget(self.label)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setStyleSheet("background: transparent")
        self.hide()
        theme.changed.connect(self._on_theme_changed)

    def show_formula(self, formula: str) -> None:
        """Show a formula: LaTeX without dollar signs; "" for none."""
        if formula != self._formula:
            self._formula = formula
            self._draw()

    def _draw(self) -> None:
        self.setVisible(bool(self._formula))
        self.setAccessibleName(self._formula)
        if not self._formula:
            return
        from irviewer.rendering.formula import formula_png

        screen = QGuiApplication.primaryScreen().devicePixelRatio()
        self._drawn, self._ends = self._fitting(), self._room()
        data = formula_png(self._formula, self._theme.palette.ink, self._drawn, screen * 96 / 72, self._ends)
        if data is None:
            self.label.setPixmap(QPixmap())
            self.label.setText(self._formula)
            self.label.adjustSize()
        else:
            picture = QPixmap()
            picture.loadFromData(data, "PNG")
            picture.setDevicePixelRatio(screen)
            self.label.setPixmap(picture)
            self.label.resize(picture.deviceIndependentSize().toSize())
        self.setFixedHeight(self.label.height() + 14)  # room for the scroll bar of a long formula

    def _fitting(self) -> float:
        """Return the size in points at which the formula fits, at least the smallest one."""
        from irviewer.rendering.formula import outline

        drawn, room = outline(self._formula, self._size), self.viewport().width()
        if drawn is None or room <= 0:
            return self._size
        wanted = self._size * min(1.0, room / (drawn.width * 96 / 72))
        return max(self._size * LEAST, wanted // STEP * STEP) if wanted < self._size else self._size

    def _room(self) -> float:
        """Return the width of a line in points; infinite before the layout."""
        width = self.viewport().width()
        return width * 72 / 96 if width > 0 else math.inf

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._formula or not self._drawn:
            return
        size = self._fitting()  # at the smallest size it is broken into lines of this width
        if size != self._drawn or (size == self._size * LEAST and self._room() != self._ends):
            self._draw()

    def _on_theme_changed(self) -> None:
        if self._formula:
            self._draw()
