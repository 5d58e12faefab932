"""Cached layouts of document titles for lists: two lines, elided in the middle, with the id, which stays different from
the other ids of the list. It knows fonts and widths, no view model and no colour."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, islice

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QStaticText, QTransform

from irviewer.gui.theme import make_font
from irviewer.gui.widgets.painting import full_lines
from irviewer.hidden_characters import escape_hidden
from irviewer.rendering.elision import ELLIPSIS, SEPARATORS, distinct_forms

_KEPT = 20_000
_ID_SHARE = 0.45
_ID_GAP = 5.0
_TWO_LINES = 60
"""The greatest number of letters of an id that takes both lines."""
_SAMPLE = 100
"""Ids whose letters are measured."""
_LEAST_LETTERS = 5
_LEAST_ADVANCE = 1.0
"""The least width in pixels that a letter is taken to have."""
_ID_LEAST = 170.0
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
    """A cache of the layouts of titles for one width. ``known`` takes (document, whether it is strong), and returns its
    layout, None until it is put."""

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
        self.known = self._texts.get
        self._lists: tuple[Iterable[str], ...] = ()
        self._start = ""
        self._ids = False
        self._forms: dict[tuple[bool, float], dict[str, str]] = {}
        self._first: dict[tuple[str, ...], str] = {}
        """The first document whose title has these lines, laid out without its id."""
        self._alike: set[tuple[str, ...]] = set()
        """The lines that the titles of several documents have."""

    def set_lists(self, lists: Iterable[Iterable[str]]) -> None:
        """Set the ids of the lists side by side: an id is shortened only as far as it differs from the others."""
        self._lists = tuple(lists)
        if self._forms:  # what was shortened among other ids
            self._forms.clear()
            self._texts.clear()

    def set_start(self, start: str) -> None:
        """Set what all ids begin with, which is said elsewhere: ids are shown without it."""
        start = escape_hidden(start)
        if start != self._start:
            self._start = start
            self._forms.clear()
            self._texts.clear()

    def set_ids(self, shown: bool) -> None:
        """Show the id of each document, also where titles need the room."""
        if shown != self._ids:
            self._ids = shown
            self.clear()

    def _short(self, doc_id: str) -> str:
        """Return an id without what all begin with."""
        doc_id = escape_hidden(doc_id)
        starts = self._start and doc_id.startswith(self._start) and len(doc_id) > len(self._start)
        return f"{ELLIPSIS}{doc_id[len(self._start) :]}" if starts else doc_id

    def set_room(self, width: float, lines: int) -> None:
        """Set the width and the number of lines of titles."""
        if (width, lines) != (self._width, self._lines):
            self._width, self._lines = width, lines
            self.clear()

    def clear(self) -> None:
        """Clear the cache, for another collection."""
        self._texts.clear()
        self._forms.clear()
        self._first.clear()
        self._alike.clear()

    def put(self, doc_id: str, title: str, strong: bool) -> TitleText:
        """Lay out a document: the first lines of the title, then the rest of it and the id. An earlier document that
        would look the same is not known any more: put it again, and it has its id."""
        if len(self._texts) > _KEPT:
            self._texts.clear()
        metrics = self._metrics[strong]
        font = self.strong if strong else self.plain
        title = escape_hidden(title, keep="\t\n")
        if not title:
            layout = self._lay_out_id(self._short(doc_id), metrics, font)
        else:
            layout = self._lay_out(doc_id, title, metrics, font)
        self._texts[doc_id, strong] = layout
        return layout

    def _lay_out_id(self, doc_id: str, metrics: CachedMetrics, font: QFont) -> TitleText:
        """Lay out an id without a title, in as many lines as there are."""
        if metrics.horizontalAdvance(doc_id) <= self._width:
            return TitleText((), static_text(doc_id, font), 0.0, 0)
        # A line of broken words has up to a letter of unused room.
        room = self._width if self._lines == 1 else self._lines * (self._width - metrics.averageCharWidth())
        whole = metrics.horizontalAdvance(doc_id) <= room
        lines: list[str] = []
        rest = doc_id if whole else self._form(doc_id, metrics, room)
        while rest:
            last = len(lines) + 1 == self._lines
            line = metrics.elidedText(rest, Qt.TextElideMode.ElideMiddle, self._width) if last else rest
            while not last and metrics.horizontalAdvance(line) > self._width and len(line) > 1:
                line = line[:-1]
            if len(lines) + 2 == self._lines and len(line) < len(rest):
                line = self._to_separator(line, rest, metrics)
            lines.append(line)
            rest = "" if last else rest[len(line) :]
        if len(lines) == 1:
            return TitleText((), static_text(lines[0], font), 0.0, 0)
        return TitleText(tuple(static_text(line, font) for line in lines), None, 0.0, 0)

    def _to_separator(self, line: str, text: str, metrics: CachedMetrics) -> str:
        """Return the beginning of ``line`` up to its last separator, if the rest of ``text`` fits into the last
        line."""
        places = (place for place in range(len(line) - 1, 0, -1) if line[place - 1] in SEPARATORS)
        place = next(places, None)
        if place is None or metrics.horizontalAdvance(text[place:]) > self._width:
            return line
        return line[:place]

    def _form(self, doc_id: str, metrics: CachedMetrics, room: float) -> str:
        """Return an id, which is without what all begin with, as it is shown in ``room`` pixels, different from the
        others of the lists; whole if it fits."""
        if metrics.horizontalAdvance(doc_id) <= room:
            return doc_id
        key = (metrics is self._small_metrics, room)
        forms = self._forms.get(key)
        if forms is None or doc_id not in forms:
            ids = map(self._short, chain(*self._lists))
            forms = self._forms[key] = _fitting_forms(dict.fromkeys(chain((doc_id,), ids)), metrics, room)
        return forms[doc_id]

    def _lay_out(self, doc_id: str, title: str, metrics: CachedMetrics, font: QFont) -> TitleText:
        short_id = self._short(doc_id)
        shown_id = self._form(short_id, self._small_metrics, self._width * _ID_SHARE)
        id_width = self._small_metrics.horizontalAdvance(shown_id)
        lines, rest = full_lines(title.rstrip(" ."), metrics, self._width, self._lines - 1)
        fits = metrics.horizontalAdvance(rest) + _ID_GAP + id_width <= self._width
        if self._ids and self._lines > 1 and (rest or len(lines) > 1):
            whole = metrics.elidedText(title.rstrip(" ."), Qt.TextElideMode.ElideMiddle, self._width)
            return self._above_id(doc_id, [whole], font)
        if not rest and metrics.horizontalAdvance(lines[-1]) + _ID_GAP + id_width > self._width:
            return self._above_id(doc_id, lines, font)
        if not rest:  # the id stands behind the last line
            id_line, id_x = len(lines) - 1, metrics.horizontalAdvance(lines[-1]) + _ID_GAP
        elif not fits and self._lines > 1 and self._width < _ID_LEAST:
            full = [*lines, metrics.elidedText(rest, Qt.TextElideMode.ElideMiddle, self._width)]
            if not self._looks_like_another(doc_id, tuple(full)):
                return TitleText(tuple(static_text(line, font) for line in full), None, 0.0, 0)
            if shown_id != short_id:
                whole = metrics.elidedText(title.rstrip(" ."), Qt.TextElideMode.ElideMiddle, self._width)
                return self._above_id(doc_id, [whole], font)
            lines, id_line, id_x = self._beside_id(lines, rest, id_width, metrics)
        else:
            lines, id_line, id_x = self._beside_id(lines, rest, id_width, metrics)
        texts = tuple(static_text(line, font) for line in lines)
        return TitleText(texts, static_text(shown_id, self.small), id_x, id_line)

    def _beside_id(
        self, lines: list[str], rest: str, id_width: float, metrics: CachedMetrics
    ) -> tuple[list[str], int, float]:
        """Return the lines with the rest elided, since the id must be visible; line and x of the id behind it."""
        cut = metrics.elidedText(rest, Qt.TextElideMode.ElideMiddle, self._width - _ID_GAP - id_width)
        return [*lines, cut], len(lines), metrics.horizontalAdvance(cut) + _ID_GAP

    def _above_id(self, doc_id: str, lines: list[str], font: QFont) -> TitleText:
        """Lay out a title with the id on a line of its own below."""
        short = self._short(doc_id)
        starts = bool(self._start) and short.startswith(ELLIPSIS)
        if (
            starts
            and self._lines > 1
            and self._small_metrics.horizontalAdvance(short) > self._width
            and len(short) < _TWO_LINES
        ):
            return self._lay_out_id(short, self._metrics[font is self.strong], font)  # what differs is not cut
        shown = self._form(short, self._small_metrics, self._width)
        shown = self._small_metrics.elidedText(shown, Qt.TextElideMode.ElideMiddle, self._width)
        texts = tuple(static_text(line, font) for line in lines)
        return TitleText(texts, static_text(shown, self.small), 0.0, len(lines))

    def _looks_like_another(self, doc_id: str, lines: tuple[str, ...]) -> bool:
        """Return whether several documents show these lines; the layouts without an id of the others are dropped."""
        first = self._first.setdefault(lines, doc_id)
        if first != doc_id and lines not in self._alike:
            self._alike.add(lines)
            for strong in (False, True):
                self._texts.pop((first, strong), None)
        return lines in self._alike


def _fitting_forms(ids: Iterable[str], metrics: CachedMetrics, room: float) -> dict[str, str]:
    """Return different forms of ids that fit into ``room`` pixels; wider ones for those that such ones would not tell
    apart."""
    ids = list(ids)
    sample = list(islice((text for text in ids if text), _SAMPLE))
    # A font may have no width for a letter that has one elsewhere.
    least = min((metrics.horizontalAdvance(text) / len(text) for text in sample), default=0.0)
    letters = int(room / max(least, _LEAST_ADVANCE))
    while True:
        forms = dict(zip(ids, distinct_forms(ids, letters, at_separators=False), strict=True))
        letters -= 1
        wide = any(len(forms[text]) <= letters + 1 and metrics.horizontalAdvance(forms[text]) > room for text in sample)
        if letters < _LEAST_LETTERS or not wide:
            return forms


def static_text(text: str, font: QFont) -> QStaticText:
    """Return the layout of a plain text in ``font``; hidden characters are shown as escapes."""
    layout = QStaticText(escape_hidden(text, keep="\t\n"))
    layout.setTextFormat(Qt.TextFormat.PlainText)
    layout.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
    layout.prepare(QTransform(), font)
    return layout
