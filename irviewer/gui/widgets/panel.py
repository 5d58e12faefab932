"""Panels: the rounded boxes with a header that contain the parts of the window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.painting import full_lines
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip, show_tooltip

HEADER_HEIGHT = 34
RADIUS = 6.0
TITLE_LEAST = 260
"""The least width in pixels of a long title."""
SEPARATOR = " · "


@guarded
class ElidedLabel(PlainLabel):
    """A label of one line that is elided in the middle if there is no room, since what tells two texts apart is often
    last. The whole text is then its tooltip, where it has none of its own."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(20)

    def tip(self) -> str:
        """Return the text of the tooltip: the whole text if it is cut."""
        cut = self.fontMetrics().horizontalAdvance(self.text()) > self.contentsRect().width()
        return self.text() if cut else ""

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and not self.toolTip() and isinstance(event, QHelpEvent):
            show_tooltip(event.globalPos(), self.tip(), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, self.contentsRect().width())
        painter.drawText(self.contentsRect(), int(self.alignment()), text)


@guarded
class FoldedLabel(ElidedLabel):
    """A text in one line, or in two where it is too long and there is the height for them."""

    def shown_lines(self) -> list[str]:
        """Return the lines as they are painted; the last is elided where there is no room for all."""
        metrics, width = QFontMetricsF(self.font()), self.width() + 1  # sizeHint is rounded
        lines, rest = full_lines(self.text(), metrics, width, 1 if self.height() >= 2 * metrics.height() else 0)
        return [*lines, metrics.elidedText(rest, Qt.TextElideMode.ElideMiddle, width)] if rest else lines

    def tip(self) -> str:
        shown = self.shown_lines()
        return "" if not shown or self.text().rstrip().endswith(shown[-1]) else self.text()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), int(self.alignment()), "\n".join(self.shown_lines()))


@guarded
class Note(ElidedLabel):
    """A muted line whose parts, separated by " · ", are left out from the end if there is no room. The tooltip is the
    whole text."""

    def fitting(self) -> str:
        """Return the parts that have room."""
        parts = self.text().split(SEPARATOR)
        while parts and self.fontMetrics().horizontalAdvance(SEPARATOR.join(parts)) > self.contentsRect().width():
            parts.pop()
        return SEPARATOR.join(parts)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.contentsRect(), int(self.alignment()), self.fitting())


@guarded
class Title(FoldedLabel):
    """A bold text that keeps some of its width where there is little."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(0)  # minimumSizeHint is the limit

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        return QSize(min(hint.width(), TITLE_LEAST), hint.height())


@guarded
class Panel(QWidget):
    """A box with a bold title at the left, a muted note at the right, and a body below."""

    def __init__(self, theme: Theme, title: str = "", note: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._note_colour = "muted"
        self._title = Title(title)
        self._title.setFont(theme.font(9.5, weight=600))
        self._note = Note(note)
        self._note.setFont(theme.font(9))
        self._note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.header = QWidget()
        self.header.setFixedHeight(HEADER_HEIGHT)
        self.header_layout = QHBoxLayout(self.header)
        self.header_layout.setContentsMargins(12, 0, 12, 0)
        self.header_layout.setSpacing(8)
        self.header_layout.addWidget(self._title)
        self.header_layout.addWidget(self._note, 1)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(1, 1, 1, 1)
        self._layout.setSpacing(0)
        self._layout.addWidget(self.header)
        self._on_theme_changed()
        theme.changed.connect(self._on_theme_changed)

    @property
    def title(self) -> str:
        """The bold text on the left."""
        return self._title.text()

    def set_title(self, title: str) -> None:
        """Set the bold text on the left."""
        if title != self._title.text():
            self._title.setText(title)

    def show_title(self, shown: bool) -> None:
        """Show or hide the title."""
        self._title.setVisible(shown)

    def leave_out_note(self) -> None:
        """Leave the room of the note to what else is in the header."""
        self._note.hide()

    def set_note(self, note: str, colour: str = "muted") -> None:
        """Set the text on the right, in parts by importance, in a colour of the palette; the tooltip is the whole
        text."""
        if note != self._note.text():
            self._note.setText(note)
            set_tooltip(self._note, note)
        if colour != self._note_colour:
            self._note_colour = colour
            self._on_theme_changed()

    def set_body(self, body: QWidget) -> None:
        """Set the widget below the header."""
        self._layout.addWidget(body, 1)

    def _on_theme_changed(self) -> None:
        for label, name in ((self._title, "ink"), (self._note, self._note_colour)):
            label.set_ink(self._theme[name])
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.colours["panel_border"], 1))
        painter.setBrush(self._theme.colours["panel"])
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(self._theme.colours["line"])
        painter.drawLine(1, HEADER_HEIGHT, self.width() - 2, HEADER_HEIGHT)
