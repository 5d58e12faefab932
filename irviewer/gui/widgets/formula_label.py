"""A label for a formula, rendered in the text colour; its LaTeX if it cannot be rendered. Wide formulas are drawn
smaller, then in several lines, and then scroll.

It is drawn in the background, since matplotlib takes half a second to import."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QPixmap, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget
from shiboken6 import isValid

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.session.explaining.formulas import FormulaDrawings, FormulaRequest, drawn

if TYPE_CHECKING:
    from irviewer.rendering.formula import FormulaPicture

SIZE = 12.5
"""Font size of the formula in points."""
LEAST = 0.72
"""The smallest share of the size for a wide formula."""
SCROLL_BAR = 14
"""Room for the scroll bar of a long formula."""

_numbers = itertools.count()


@guarded
class FormulaLabel(QScrollArea):
    """Shows a formula, drawn at once without ``formulas``. ``failed`` is sent where its LaTeX is shown instead."""

    failed = Signal()

    def __init__(
        self,
        theme: Theme,
        size: float = SIZE,
        parent: QWidget | None = None,
        *,
        formulas: FormulaDrawings | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._size = size
        self._formulas = formulas
        self._name = str(next(_numbers))
        self._formula = ""
        self._asked: FormulaRequest | None = None
        self._picture: FormulaPicture | None = None
        self.label = PlainLabel()
        self.setWidget(self.label)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setStyleSheet("background: transparent")
        self.hide()
        theme.changed.connect(self._on_theme_changed)

    @property
    def formula(self) -> str:
        """The LaTeX of the formula shown, "" for none."""
        return self._formula

    def show_formula(self, formula: str, words: str) -> None:
        """Show a formula: LaTeX without dollar signs, "" for none; screen readers read ``words``."""
        self.setAccessibleName(words if formula else "")
        if formula != self._formula:
            self._formula = formula
            self._picture = None
            # Numbers that were true before must not be seen until the new ones are drawn; the room is kept.
            self.label.setPixmap(QPixmap())
            self._draw()

    def _draw(self) -> None:
        self.setVisible(bool(self._formula))
        if not self._formula:
            self._asked = None
            return
        asked = FormulaRequest(
            self._formula, self._theme.palette.ink, self._size, self._size * LEAST, self._ratio() * 96 / 72,
            self._room(),
        )  # fmt: skip
        if asked == self._asked:
            return
        self._asked = asked
        if self._formulas is None:
            self._show(asked, drawn(asked))
        else:
            self._formulas.draw(self._name, asked, lambda picture: self._show(asked, picture))

    def _show(self, asked: FormulaRequest, picture: FormulaPicture) -> None:
        if not isValid(self) or asked != self._asked:
            return
        self._picture = picture
        if picture.png is None:
            self.label.setPixmap(QPixmap())
            self.label.setText(self._formula)
            self.label.adjustSize()
            self.failed.emit()
        else:
            pixmap = QPixmap()
            pixmap.loadFromData(picture.png, "PNG")
            pixmap.setDevicePixelRatio(self._ratio())
            self.label.setPixmap(pixmap)
            self.label.resize(pixmap.deviceIndependentSize().toSize())
        self.setFixedHeight(self.label.height() + SCROLL_BAR)

    def _ratio(self) -> float:
        return QGuiApplication.primaryScreen().devicePixelRatio()

    def _room(self) -> float:
        """Return the width of a line in points; infinite before the layout."""
        width = self.viewport().width()
        return width * 72 / 96 if width > 0 else math.inf

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._formula and self._asked is not None and self._is_other():
            self._draw()

    def _is_other(self) -> bool:
        """Return whether the formula has to be drawn again for its room; True until it is drawn."""
        picture, asked = self._picture, self._asked
        if picture is None or asked is None:
            return True
        if picture.png is None:
            return False
        from irviewer.rendering.formula import fitting_size

        size = fitting_size(picture.width, asked.size, asked.least, self._room())
        # At the smallest size it is broken into lines of this width.
        return size != picture.size or (size == asked.least and self._room() != asked.room)

    def _on_theme_changed(self) -> None:
        if self._formula:
            self._draw()
