"""Document titles laid out for a list's rows, kept so that painting only copies: two lines, cut in the middle, the id
beside them. Knows fonts and widths, no view model, no colour (the painter's pen gives it)."""

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
"""Narrower titles of two lines take the id's room too where they need it."""


class CachedMetrics(QFontMetricsF):
    """Font metrics that remember the width of what they measured: the words of titles come again and again."""

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
    """Short strings (ranks, changes, values) as laid-out texts in one font, with their widths."""

    def __init__(self, font: QFont) -> None:
        self.font = font
        self.metrics = CachedMetrics(font)
        self._texts: dict[str, QStaticText] = {}

    def get(self, text: str) -> QStaticText:
        """The laid-out text."""
        found = self._texts.get(text)
        if found is None:
            if len(self._texts) > _KEPT:
                self._texts.clear()
            found = self._texts[text] = static_text(text, self.font)
        return found

    def draw(self, painter: QPainter, x: float, y: float, text: str) -> None:
        """``text`` with its top left corner at (x, y), in the painter's pen."""
        painter.setFont(self.font)
        painter.drawStaticText(QPointF(x, y), self.get(text))

    def draw_right(self, painter: QPainter, right: float, y: float, text: str) -> None:
        """``text`` ending at ``right``."""
        painter.setFont(self.font)
        painter.drawStaticText(QPointF(right - self.metrics.horizontalAdvance(text), y), self.get(text))


@dataclass(frozen=True, eq=False)
class TitleText:
    """One document as a row writes it: its lines, and its id with the place where it starts.

    ``id_line`` is the line that the id stands in; ``lines`` is empty where there is no title, then the id is all;
    ``id_text`` is None where a narrow list needs all its room for the title."""

    lines: tuple[QStaticText, ...]
    id_text: QStaticText | None
    id_x: float
    id_line: int


class TitleCache:
    """Titles laid out for one width; another width begins anew."""

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
        """How wide and how many lines a title may be."""
        if (width, lines) != (self._width, self._lines):
            self._width, self._lines = width, lines
            self._texts.clear()

    def clear(self) -> None:
        """Forget all: the titles are another collection's."""
        self._texts.clear()

    def known(self, doc_id: str, strong: bool) -> TitleText | None:
        """The document's text if it is laid out already."""
        return self._texts.get((doc_id, strong))

    def put(self, doc_id: str, title: str, strong: bool) -> TitleText:
        """The document's text, laid out now: the title's first lines, then what is left of it beside the id."""
        if len(self._texts) > _KEPT:
            self._texts.clear()
        metrics = self._metrics[strong]
        font = self.strong if strong else self.plain
        if not title:
            shown = metrics.elidedText(doc_id, Qt.TextElideMode.ElideMiddle, self._width)
            made = TitleText((), static_text(shown, font), 0.0, 0)
        else:
            made = self._lay_out(doc_id, title, metrics, font)
        self._texts[doc_id, strong] = made
        return made

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
        else:  # the last line gives way: of two titles that are alike in all that is left, the id tells which
            cut = metrics.elidedText(rest, Qt.TextElideMode.ElideMiddle, self._width - _ID_GAP - id_width)
            lines = [*lines, cut]
            id_line, id_x = len(lines) - 1, metrics.horizontalAdvance(cut) + _ID_GAP
        texts = tuple(static_text(line, font) for line in lines)
        return TitleText(texts, static_text(shown_id, self.small), id_x, id_line)

    def _after(self, lines: list[str], id_width: float, metrics: CachedMetrics) -> tuple[int, float]:
        """Where an id stands when the title leaves a line free: behind the last line, or on the next."""
        last = metrics.horizontalAdvance(lines[-1])
        if last + _ID_GAP + id_width <= self._width:
            return len(lines) - 1, last + _ID_GAP
        return len(lines), 0.0


def static_text(text: str, font: QFont) -> QStaticText:
    """A plain text laid out once in ``font``."""
    made = QStaticText(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
    made.prepare(QTransform(), font)
    return made
