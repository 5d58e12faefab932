"""Cached layouts of document titles for lists: two lines, elided in the middle, with the id. It knows fonts and widths,
no view model and no colour."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QStaticText, QTransform

from irviewer.gui.theme import make_font
from irviewer.gui.widgets.painting import full_lines

_KEPT = 20_000
_ID_SHARE = 0.45
_ID_GAP = 5.0
_ID_LEAST = 112.0
"""Below this width, titles of two lines may take the room of the id."""


class CachedMetrics(QFontMetricsF):
    """Font metrics that cache the widths of texts."""

    def __init__(self, font: QFont) -> None:
        super().__init__(font)
        self._widths: dict[str, float] = {}

    def horizontalAdvance(self, text: str) -> float:  # type: ignore[override]
        width = self._widths.get(text)
        if width is None:
            if len(self._widths) > _KEPT:
                self._widths.clear()
            width = self._widths[text] = super().horizontalAdvance(text)
        return width


class TextCache:
    """A cache of the layouts of short texts (ranks, changes, values) in a font."""

    def __init__(self, font: QFont) -> None:
        self.font = font
        self.metrics = CachedMetrics(font)
        self._texts: dict[str, tuple[QStaticText, float]] = {}

    def get(self, text: str) -> tuple[QStaticText, float]:
        """Return the layout of a text and its width."""
        layout = self._texts.get(text)
        if layout is None:
            if len(self._texts) > _KEPT:
                self._texts.clear()
            layout = self._texts[text] = (static_text(text, self.font), self.metrics.horizontalAdvance(text))
        return layout

    def draw(self, painter: QPainter, x: float, y: float, text: str) -> None:
        """Draw a text with its top left corner at (x, y), in the painter's pen."""
        painter.setFont(self.font)
        painter.drawStaticText(QPointF(x, y), self.get(text)[0])

    def draw_right(self, painter: QPainter, right: float, y: float, text: str) -> None:
        """Draw a text that ends at ``right``."""
        layout, width = self._texts.get(text) or self.get(text)
        painter.setFont(self.font)
        painter.drawStaticText(QPointF(right - width, y), layout)


@dataclass(frozen=True, eq=False)
class TitleText:
    """The layout of a document: lines of the title, and the id with its position.

    ``id_line`` is the line of the id; ``lines`` is empty if there is no title; ``id_text`` is None if a narrow list
    needs all its room for the title."""

    lines: tuple[QStaticText, ...]
    id_text: QStaticText | None
    id_x: float
    id_line: int


class TitleCache:
    """A cache of the layouts of titles for one width."""

    def __init__(self) -> None:
        self.plain = make_font(9)
        self.strong = make_font(9, 500)
        self.small = make_font(8, 400, True)
        self.line_height = QFontMetricsF(self.plain).height()
        self._metrics = {False: CachedMetrics(self.plain), True: CachedMetrics(self.strong)}
        self._small_metrics = CachedMetrics(self.small)
        self._width = 0.0
        self._lines = 2
        self._texts: dict[tuple[str, bool], TitleText] = {}

    def set_room(self, width: float, lines: int) -> None:
        """Set the width and the number of lines of titles."""
        if (width, lines) != (self._width, self._lines):
            self._width, self._lines = width, lines
            self._texts.clear()

    def clear(self) -> None:
        """Clear the cache, for another collection."""
        self._texts.clear()

    def known(self, doc_id: str, strong: bool) -> TitleText | None:
        """Return the layout of a document if it is cached."""
        return self._texts.get((doc_id, strong))

    def put(self, doc_id: str, title: str, strong: bool) -> TitleText:
        """Lay out a document: the first lines of the title, then the rest of it and the id."""
        if len(self._texts) > _KEPT:
            self._texts.clear()
        metrics = self._metrics[strong]
        font = self.strong if strong else self.plain
        if not title:
            shown = metrics.elidedText(doc_id, Qt.TextElideMode.ElideMiddle, self._width)
            layout = TitleText((), static_text(shown, font), 0.0, 0)
        else:
            layout = self._lay_out(doc_id, title, metrics, font)
        self._texts[doc_id, strong] = layout
        return layout

    def _lay_out(self, doc_id: str, title: str, metrics: CachedMetrics, font: QFont) -> TitleText:
        shown_id = self._small_metrics.elidedText(doc_id, Qt.TextElideMode.ElideMiddle, self._width * _ID_SHARE)
        id_width = self._small_metrics.horizontalAdvance(shown_id)
        lines, rest = full_lines(title.rstrip(" ."), metrics, self._width, self._lines - 1)
        fits = metrics.horizontalAdvance(rest) + _ID_GAP + id_width <= self._width
        if not rest:
            id_line, id_x = self._after(lines, id_width, metrics)
        elif not fits and self._lines > 1 and self._width < _ID_LEAST:
            lines = [*lines, metrics.elidedText(rest, Qt.TextElideMode.ElideMiddle, self._width)]
            return TitleText(tuple(static_text(line, font) for line in lines), None, 0.0, 0)
        else:  # the last line is elided, since the id must be visible
            cut = metrics.elidedText(rest, Qt.TextElideMode.ElideMiddle, self._width - _ID_GAP - id_width)
            lines = [*lines, cut]
            id_line, id_x = len(lines) - 1, metrics.horizontalAdvance(cut) + _ID_GAP
        texts = tuple(static_text(line, font) for line in lines)
        return TitleText(texts, static_text(shown_id, self.small), id_x, id_line)

    def _after(self, lines: list[str], id_width: float, metrics: CachedMetrics) -> tuple[int, float]:
        """Return line and x of the id if the title leaves a line free: after the last line, or on the next."""
        last = metrics.horizontalAdvance(lines[-1])
        if last + _ID_GAP + id_width <= self._width:
            return len(lines) - 1, last + _ID_GAP
        return len(lines), 0.0


def static_text(text: str, font: QFont) -> QStaticText:
    """Return the layout of a plain text in ``font``."""
    layout = QStaticText(text)
    layout.setTextFormat(Qt.TextFormat.PlainText)
    layout.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
    layout.prepare(QTransform(), font)
    return layout
