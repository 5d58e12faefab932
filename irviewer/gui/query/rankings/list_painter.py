"""Painting of ranked lists: headers, rows, lines between lists, the cutoff."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter

from irviewer.gui.query.rankings.links import Gap, Side, Window, draw_links, link_colour
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.painting import (
    CHIP_HEIGHT,
    CHIP_WIDTH,
    SWATCH,
    change_colour,
    change_text,
    draw_swatch,
    grade_chip,
)
from irviewer.gui.widgets.run_names import fitting_name
from irviewer.gui.widgets.titles import TextCache, TitleCache
from irviewer.model.arrays import Floats
from irviewer.model.notes import Note
from irviewer.model.workspace import Collection, Regime
from irviewer.session.notes.changes import note_line, notes_of
from irviewer.session.view_models.query import QueryViewModel, RankedColumn
from irviewer.translation import decimal, tr

HEADER = 34
ROW = 32
COMPACT_ROW = 24
MINIMUM = 148  # narrower lists are unreadable: the lists scroll sideways instead
MARGIN = 6
ASPECTS = 58  # the greatest width of the subtopics of a document
_NARROW = 212
NOTHING_RETRIEVED = tr("This run retrieves no documents for the query.")
ONLY_VALUES = tr("Only values are known.")


class ListPainter:
    """Paints the lists of a query view model for one width; the layout of texts is cached."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._titles = TitleCache()
        self._heads = {size: _HeaderTexts(theme, size) for size in (9.0, 9.5)}
        self._rank = TextCache(theme.font(9.5, numbers=True))
        self._small = TextCache(theme.font(8.5, numbers=True))
        self._view_model: QueryViewModel | None = None
        self._collection: Collection | None = None
        self._values: tuple[tuple[str, bool], ...] = ()
        self._room = 0
        self._stacked = False
        self._rank_right = self._text_x = self._more_digits = 0
        self._covered: dict[str, str] = {}
        self._differing: frozenset[str] = frozenset()
        self._notes: Mapping[str, Note] = {}
        self._covered_width = 0
        self.sides: list[Side] = []
        self._gaps: dict[int, Gap] = {}  # by the index of the list to the left, once they are visible
        self.width = MINIMUM
        self.gap = 24
        self.row_height = ROW
        self.low = False  # whether narrow lists without titles have low rows too
        self._titled = False

    def set_collection(self, collection: Collection | None) -> None:
        """Set the collection that titles and notes are read from."""
        documents = None if self._collection is None else self._collection.documents
        notes, self._notes = self._notes, notes_of(collection).documents
        self._collection = collection
        if collection is None or collection.documents is not documents or notes is not self._notes:
            self._titles.clear()

    def set_view_model(self, view_model: QueryViewModel | None) -> None:
        self._view_model = view_model
        columns = () if view_model is None else view_model.columns
        self.sides = [Side(column.doc_ids) for column in columns]
        self._gaps.clear()
        self._titles.set_lists(column.doc_ids for column in columns)
        self._values = () if view_model is None else _header_values(view_model)
        self._differing = frozenset() if view_model is None else view_model.differing
        metrics = QFontMetrics(self._small.font)
        aspects = {} if view_model is None else view_model.aspects
        self._covered = {
            doc: metrics.elidedText(text, Qt.TextElideMode.ElideRight, ASPECTS - 6) for doc, text in aspects.items()
        }
        widths = (metrics.horizontalAdvance(text) for text in self._covered.values())
        self._covered_width = min(ASPECTS, max(widths, default=0) + 10) if aspects else 0
        self._titled = self._collection is not None and self._collection.documents is not None

    def title(self, doc_id: str) -> str:
        """Return the title of a document, "" if it is unknown."""
        return "" if self._collection is None else self._collection.document_title(doc_id)

    def noted_title(self, doc_id: str) -> str:
        """Return the title of a document, after a sign if there is a note on it."""
        title = "" if self._collection is None else self._collection.document_title(doc_id)
        return f"✎ {title}".rstrip() if doc_id in self._notes else title

    def note_words(self, doc_id: str) -> str:
        """Return the note on a document, "" if there is none."""
        return note_line(self._notes.get(doc_id, Note()))

    # geometry

    def lay_out(self, width: int) -> int:
        """Divide ``width`` pixels among the lists; return their total width.

        ``_stacked`` is whether the rank change is below the rank; ``_more_digits`` is the width of the digits, beyond
        two, that ranks and their changes may have."""
        count = max(1, len(self.sides))
        self.gap = max(22, min(64, round(width * 0.034)))
        self.width = max(MINIMUM, (width - 2 * MARGIN - (count - 1) * self.gap) // count)
        # Without titles rows are low, except in narrow lists, which put the rank change below the rank.
        self.row_height = ROW if self._titled or (self.width < _NARROW and not self.low) else COMPACT_ROW
        # Narrow lists keep their width for titles.
        stacked = self._stacked = self.width < _NARROW and self.row_height == ROW
        depth = 0 if self._view_model is None else self._view_model.depth
        digits = self._more_digits = 0 if depth <= 100 else 7 if depth < 1000 else 14
        self._rank_right = (28 if stacked else 26) + digits
        self._text_x = self._rank_right + CHIP_WIDTH + (9 if stacked else 15)
        change = 3 if stacked else 42 + digits + self._covered_width
        self._room = self.width - self._text_x - change
        self._titles.set_room(float(self._room), 2 if self.row_height == ROW else 1)
        return 2 * MARGIN + count * self.width + (count - 1) * self.gap

    def left(self, place: int) -> int:
        """Return the left edge of a list in the content."""
        return MARGIN + place * (self.width + self.gap)

    def content_height(self) -> int:
        """Return the height of all rows, and of the line at the end of a list."""
        longest = max([len(side.doc_ids) for side in self.sides], default=0)
        return (longest + 1) * self.row_height if longest else 0

    # painting

    def paint(
        self, painter: QPainter, size: QSize, scroll: QPoint, *, hovered: str, selected: str, cursor: int
    ) -> None:
        """Paint everything visible in a viewport scrolled to ``scroll``. ``cursor`` is the current list."""
        if self._view_model is None or not self.sides:
            return
        height = self.row_height
        first = scroll.y() // height
        stop = -(-(scroll.y() + size.height() - HEADER) // height)
        window = Window(first, stop, height, HEADER - scroll.y(), HEADER, size.height())
        painter.setClipRect(QRect(0, HEADER, size.width(), size.height() - HEADER))
        if hovered and not any(hovered in side.rows for side in self.sides):
            hovered = ""  # the hovered document may be another query's
        marked = [doc for doc in (selected, hovered) if doc]
        lefts = [self.left(place) - scroll.x() for place in range(len(self.sides))]
        places = [place for place, left in enumerate(lefts) if left < size.width() and left + self.width + self.gap > 0]
        self._lay_titles_out(places, window)
        for place in places:
            left = lefts[place]
            self._paint_rows(painter, place, left, window, hovered, selected, cursor == place)
        self._paint_links(painter, places, scroll.x(), window, marked)
        painter.setClipping(False)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for place in places:
            self._paint_header(painter, place, lefts[place], self._whereabouts(place, window, *marked[:1]))

    def _lay_titles_out(self, places: list[int], window: Window) -> None:
        """Lay out the visible titles before any is painted: titles that look the same take their ids."""
        assert self._view_model is not None
        titles = self._titles
        for place in places:
            column = self._view_model.columns[place]
            grades = shown_grades(column.grades[window.first : window.stop], self._view_model.regime)
            for doc_id, grade in zip(column.doc_ids[window.first : window.stop], grades, strict=True):
                if titles.known((doc_id, grade > 0)) is None:
                    titles.put(doc_id, self.noted_title(doc_id), grade > 0)

    def _paint_header(self, painter: QPainter, place: int, left: int, whereabouts: str) -> None:
        """Paint the name of a run, below it the position of a document that is not visible, and the value."""
        assert self._view_model is not None
        run = self._view_model.columns[place].run
        value, best = self._values[place]
        head = self._heads[9.0 if self._stacked else 9.5]
        line = head.name.metrics.height()
        top = (HEADER - line) / 2
        margin = 4 if self._stacked else 8
        right = left + self.width - margin
        texts = head.best if best else head.value
        x = left + margin + SWATCH + 5
        star = " ★" if run.baseline else ""
        room = right - x - head.name.metrics.horizontalAdvance(star)
        shift = (HEADER - 4 - line) / 2
        painter.setPen(self._theme.colours["ink" if best else "text"])
        texts.draw_right(painter, right, top + shift, value)
        middle = round(HEADER / 2 - shift)
        draw_swatch(
            painter, QRect(left + margin, middle - SWATCH // 2, SWATCH, SWATCH), self._theme.run(run), run.shown
        )
        painter.setPen(self._theme.colours["ink"])
        head.name.draw(painter, x, top - shift, fitting_name(run, head.name.metrics, room) + star)
        if whereabouts:
            start = left + margin
            metrics = self._small.metrics
            room = math.floor(right - texts.metrics.horizontalAdvance(value) - 6 - start)
            shown = metrics.elidedText(whereabouts, Qt.TextElideMode.ElideRight, room)
            self._small.draw(painter, start, HEADER / 2 + shift - metrics.height() / 2, shown)
        painter.setPen(self._theme.colours["panel_border"])
        painter.drawLine(left, HEADER - 1, left + self.width - 1, HEADER - 1)

    def _paint_rows(
        self, painter: QPainter, place: int, left: int, window: Window, hovered: str, selected: str, cursor: bool
    ) -> None:
        assert self._view_model is not None
        column = self._view_model.columns[place]
        count = len(column.doc_ids)
        documents = column.doc_ids[window.first : window.stop]
        height = self.row_height
        colours = self._theme.colours
        origin = int(window.origin)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for row, doc_id in enumerate(documents, window.first):
            top = origin + row * height
            if doc_id == selected:
                painter.fillRect(left, top, self.width, height - 1, colours["selection"])
                painter.fillRect(left, top, 3, height - 1, colours["ink"])
                if cursor:
                    painter.setPen(colours["ink"])
                    painter.drawRect(left, top, self.width - 1, height - 2)
            elif doc_id == hovered:
                painter.fillRect(left, top, self.width, height - 1, colours["hover"])
                painter.fillRect(left, top, 3, height - 1, colours["faint"])
        painter.setPen(colours["line"])
        edge = left + self.width - 1
        for bottom in range(origin + window.first * height, origin + (window.first + len(documents)) * height, height):
            painter.drawLine(left, bottom + height - 1, edge, bottom + height - 1)
        self._paint_cells(painter, column, documents, left, window)
        self._paint_ties(painter, column, left, window)
        if window.first <= count < window.stop:
            self._paint_end(painter, left, origin + count * height, count, stored=column.stored)
        cutoff = origin + self._view_model.cutoff * height
        if self._view_model.cutoff and count and window.top < cutoff <= window.bottom:
            painter.fillRect(left, cutoff - 2, self.width, 2, colours["ink"])

    def _paint_cells(
        self, painter: QPainter, column: RankedColumn, documents: Sequence[str], left: int, window: Window
    ) -> None:
        """Paint what the visible rows of a list say: column by column, since fonts and pens change less often so."""
        assert self._view_model is not None
        view_model, theme, stacked, height = self._view_model, self._theme, self._stacked, self.row_height
        colours, draw, get, small = theme.colours, painter.drawStaticText, self._rank.get, self._small
        first = int(window.origin) + window.first * height  # the top of the first visible row
        middle = first + (height - 1) / 2
        grades = shown_grades(column.grades[window.first : window.stop], view_model.regime)
        changes = [] if column.change is None else column.change[window.first : window.stop].tolist()
        texts = [change_text(change) for change in changes]
        right = left + self._rank_right
        painter.setPen(colours["muted"])
        painter.setFont(self._rank.font)
        y = middle - self._rank.metrics.height() / 2 - (small.metrics.height() / 2 if stacked and texts else 0)
        for rank in range(window.first + 1, window.first + 1 + len(documents)):
            layout, width = get(str(rank))
            draw(QPointF(right - width, y), layout)
            y += height
        x = right + (5 if stacked else 6)
        y = middle - CHIP_HEIGHT / 2
        size, highest, differing = QSize(CHIP_WIDTH, CHIP_HEIGHT), view_model.max_grade, self._differing
        chips: dict[tuple[float | None, bool], QImage] = {}
        for doc_id, grade in zip(documents, grades, strict=True):
            yours = doc_id in differing
            key = None if math.isnan(grade) else grade, yours
            chip = chips.get(key)
            if chip is None:
                chip = chips[key] = grade_chip(painter, size, grade, highest, theme, yours=yours)
            painter.drawImage(QPoint(x, round(y)), chip)
            y += height
        for row, (doc_id, grade) in enumerate(zip(documents, grades, strict=True)):
            self._paint_title(painter, doc_id, grade > 0, left + self._text_x, first + row * height)
        y = middle - small.metrics.height() / 2
        if self._covered and not stacked:
            painter.setPen(colours["muted"])
            end = left + self.width - 42 - self._more_digits
            for row, doc_id in enumerate(documents):
                covered = self._covered.get(doc_id)
                if covered:
                    small.draw_right(painter, end, y + row * height, covered)
        right, y = (right + 1, middle + 1) if stacked else (left + self.width - 8, y)
        painter.setFont(small.font)
        for change, text, grade in zip(changes, texts, grades[: len(changes)], strict=True):
            painter.setPen(change_colour(change, grade > 0, theme))
            layout, width = small.get(text)
            draw(QPointF(right - width, y), layout)
            y += height

    def _paint_ties(self, painter: QPainter, column: RankedColumn, left: int, window: Window) -> None:
        """Paint brackets at ranks with the same score; a group that continues outside the viewport is not closed."""
        if not len(column.tied):
            return
        height, reach = self.row_height, 4
        x = left + self._rank_right + 3
        painter.setPen(self._theme.colours["muted"])
        start = int(np.searchsorted(column.tied[:, 1], window.first, side="right"))
        stop = int(np.searchsorted(column.tied[:, 0], window.stop, side="right"))
        for first, last in column.tied[start:stop].tolist():
            top = int(window.origin) + (first - 1) * height + reach
            bottom = int(window.origin) + last * height - 2 - reach
            painter.drawLine(x, max(top, -reach), x, min(bottom, int(window.bottom) + reach))
            for y in (top, bottom):
                painter.drawLine(x - 3, y, x, y)

    def _paint_title(self, painter: QPainter, doc_id: str, relevant: bool, x: int, top: int) -> None:
        titles = self._titles
        text = titles.known((doc_id, relevant)) or titles.put(doc_id, self.noted_title(doc_id), relevant)
        ink = self._theme.colours["ink" if relevant else "muted"]
        step = titles.line_height
        count = max(len(text.lines), text.id_line + 1)
        y = top + (self.row_height - 1 - count * step) / 2
        painter.setPen(ink)
        painter.setFont(titles.strong if relevant else titles.plain)
        for number, line in enumerate(text.lines):
            painter.drawStaticText(QPointF(x, y + number * step), line)
        if text.id_text is None:
            return
        if text.lines:
            painter.setPen(self._theme.colours["muted"])
            painter.setFont(titles.small)
            painter.drawStaticText(QPointF(x + text.id_x, y + text.id_line * step + 1.5), text.id_text)
        else:
            painter.drawStaticText(QPointF(x, y), text.id_text)

    def _paint_end(self, painter: QPainter, left: int, top: int, count: int, *, stored: bool) -> None:
        if count:
            words = tr("The list ends at rank {rank:,}.", rank=count)
        else:
            words = ONLY_VALUES if stored else NOTHING_RETRIEVED
        painter.setPen(self._theme.colours["muted"])
        self._small.draw(painter, left + 10, top + (self.row_height - self._small.metrics.height()) / 2, words)

    def _paint_links(
        self, painter: QPainter, places: list[int], scroll: int, window: Window, marked: list[str]
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place in places:
            if place + 1 >= len(self.sides):
                continue
            gap = self._gaps.get(place)
            if gap is None:
                gap = self._gaps[place] = Gap(self.sides[place], self.sides[place + 1])
            x = float(self.left(place) + self.width - scroll)
            ends = (x, x + self.gap)
            rows = self.sides[place].rows if marked else {}
            marks = {rows[doc_id]: self._theme.colours["ink"] for doc_id in marked if doc_id in rows}
            draw_links(painter, gap, ends, window, self._ink(place), self._theme.colours["frame"], marks)

    def _ink(self, place: int) -> LinkInk:
        assert self._view_model is not None
        return LinkInk(self._theme, self._view_model, self._view_model.columns[place])

    def _whereabouts(self, place: int, window: Window, doc_id: str = "") -> str:
        """Return where a document is that is not visible in a list: above, below, or not retrieved; "" if it is
        visible."""
        side = self.sides[place]
        if not doc_id or not side.doc_ids:
            return ""
        row = side.rows.get(doc_id)
        if row is None:
            return tr("not in top {depth:,}", depth=len(side.doc_ids))
        middle = window.origin + (row + 0.5) * self.row_height
        if middle >= window.bottom:
            return tr("▼ at rank {rank:,}", rank=row + 1)
        return tr("▲ at rank {rank:,}", rank=row + 1) if middle <= window.top else ""


class _HeaderTexts:
    """The fonts of the lists' headers: smaller in narrow lists."""

    def __init__(self, theme: Theme, size: float) -> None:
        self.name = TextCache(theme.font(size, weight=600))
        self.value = TextCache(theme.font(size, numbers=True))
        self.best = TextCache(theme.font(size, weight=600, numbers=True))


class LinkInk:
    """Gives the colours of documents' lines by their rows in one list, None for those that are not relevant."""

    def __init__(self, theme: Theme, view_model: QueryViewModel, column: RankedColumn) -> None:
        self._theme = theme
        self._view_model = view_model
        self._column = column

    def __call__(self, rows: Sequence[int]) -> list[QColor | None]:
        highest = self._view_model.max_grade
        grades = self._column.grades[list(rows)].tolist()
        return [link_colour(self._theme, grade, highest) if grade > 0 else None for grade in grades]


def shown_grades(grades: Floats, regime: Regime) -> list[float]:
    """Return the grades to draw: with complete judgments, documents outside the qrels are non-relevant."""
    drawn: list[float] = (np.nan_to_num(grades) if regime is Regime.COMPLETE else grades).tolist()
    return drawn


def _header_values(view_model: QueryViewModel) -> tuple[tuple[str, bool], ...]:
    """Return (text, best) of the value of each list in the selected measure."""
    chosen = next((row for row in view_model.metrics if row.chosen), None)
    best = () if chosen is None else chosen.best
    counts = chosen is not None and chosen.counts
    texts = (
        "–" if math.isnan(c.value) else decimal(f"{c.value:,.0f}" if counts else f"{c.value:.4f}")
        for c in view_model.columns
    )
    return tuple((text, place in best) for place, text in enumerate(texts))
