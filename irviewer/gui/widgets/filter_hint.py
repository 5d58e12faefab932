"""What a filter can be, or what was not understood, in a box below a filter field. It lies over the window, so that
nothing moves."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QGridLayout, QLineEdit, QWidget
from shiboken6 import isValid

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip
from irviewer.translation import decimal

RADIUS = 6.0
WIDEST = 460
"""The greatest width of the box in pixels."""

_NUMBER = re.compile(r"(?<![\w.,])\d*\.\d+(?![\w.,])")


def _as_here(number: re.Match[str]) -> str:
    return decimal(number[0])


@guarded
class FilterHint(QWidget):
    """The box of a field. While the field has the focus and is empty it shows the grammar; while its filter is not
    understood, the fault. A screen reader reads both as the field's description."""

    def __init__(self, theme: Theme, field: QLineEdit) -> None:
        super().__init__(field)
        self._theme = theme
        self._field = field
        self._grammar: tuple[tuple[str, str], ...] = ()
        self._fault = ""
        self._shown: object = None
        self._labels: list[tuple[PlainLabel, str]] = []
        self._layout = QGridLayout(self)
        self._layout.setContentsMargins(12, 8, 12, 8)
        self._layout.setHorizontalSpacing(14)
        self._layout.setVerticalSpacing(3)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()
        field.installEventFilter(self)
        field.textChanged.connect(self._on_text_changed)
        theme.changed.connect(self._on_theme_changed)

    @property
    def fault(self) -> str:
        """What was not understood, "" if nothing."""
        return self._fault

    def show_state(self, fault: str, grammar: tuple[tuple[str, str], ...]) -> None:
        """Set what was not understood ("" for nothing) and the grammar: (example, meaning) of each row, whose numbers
        are shown as the window writes them."""
        grammar = tuple((_NUMBER.sub(_as_here, example), meaning) for example, meaning in grammar)
        if (fault, grammar) == (self._fault, self._grammar):
            return
        self._fault, self._grammar = fault, grammar
        words = fault or "; ".join(f"{example}: {meaning}" for example, meaning in grammar)
        self._field.setAccessibleDescription(words)
        set_tooltip(self._field, fault)  # the box is shown only while the field has the focus
        self.update_hint()

    def update_hint(self) -> None:
        """Show or hide the box as the field's focus, text and fault require."""
        rows: tuple[tuple[str, str], ...] = ()
        if self._field.hasFocus() and self._field.isVisible():
            if self._fault and self._field.text():
                rows = ((self._fault, ""),)
            elif not self._field.text():
                rows = self._grammar
        if not rows:
            self.hide()
            return
        if rows != self._shown:
            self._fill(rows)
        window = self._field.window()
        if self.parentWidget() is not window:
            self.setParent(window)
        self.setMaximumWidth(min(WIDEST, window.width() - 16))
        self.adjustSize()
        place = self._field.mapTo(window, QPoint(0, self._field.height() + 4))
        self.move(max(8, min(place.x(), window.width() - self.width() - 8)), place.y())
        self.show()
        self.raise_()

    def _fill(self, rows: tuple[tuple[str, str], ...]) -> None:
        for label, _ in self._labels:
            label.hide()
            label.deleteLater()
        self._labels = []
        for position, (example, meaning) in enumerate(rows):
            first = PlainLabel(example)
            first.setFont(self._theme.font(9, weight=600 if meaning else 400))
            self._layout.addWidget(first, position, 0, 1, 1 if meaning else 2)
            self._labels.append((first, "ink" if meaning else "warning"))
            if meaning:
                second = PlainLabel(meaning)
                second.setFont(self._theme.font(9))
                self._layout.addWidget(second, position, 1)
                self._labels.append((second, "muted"))
            else:
                first.setWordWrap(True)
                first.setMinimumWidth(min(WIDEST - 30, first.fontMetrics().horizontalAdvance(example) + 4))
        self._shown = rows
        self._colour()

    def _colour(self) -> None:
        for label, colour in self._labels:
            palette = label.palette()
            palette.setColor(QPalette.ColorRole.WindowText, self._theme[colour])
            label.setPalette(palette)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (
            QEvent.Type.FocusIn, QEvent.Type.FocusOut, QEvent.Type.Hide, QEvent.Type.Move, QEvent.Type.Resize
        ) and isValid(self._field):  # fmt: skip
            self.update_hint()  # at the end of the program the field may be gone first
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme["control_border"], 1))
        painter.setBrush(self._theme["panel"])
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)

    def _on_text_changed(self) -> None:
        self.update_hint()

    def _on_theme_changed(self) -> None:
        self._colour()
        self.update()
