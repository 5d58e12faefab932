"""Painting of ranked lists: headers, rows, lines between lists, the cutoff."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter, QPen, QPolygonF

from irviewer.gui.query.rankings.field_lines import FieldLines
from irviewer.gui.query.rankings.links import Gap, Side, Window, draw_links, link_colour
from irviewer.gui.tables.number_columns import short_number
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
from irviewer.rendering.run_label import NEW
from irviewer.session.notes.changes import note_line, notes_of
from irviewer.session.view_models.query import QueryViewModel, RankedColumn
from irviewer.translation import decimal, tr

BOX = 23
"""The height of the chooser of a run, in which its name is."""
HEADER = 44
ROW = 32
COMPACT_ROW = 24
MINIMUM = 144  # narrower lists are unreadable: the lists scroll sideways instead
MARGIN = 6
LEAST_GAP = 14  # links between two lists still have a slope
ASPECTS = 58  # the greatest width of the subtopics of a document
_NARROW = 212
ARROW = 7
ROUND = 5.0
"""The width of the arrow of a chooser, and the radius of its corners."""
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
        self._mark = TextCache(theme.font(7.5))
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
        self._gaps: dict[tuple[int, int], Gap] = {}  # by the indices of both lists, once they are visible
        self._fits = True  # whether all lists have room side by side
        self.width = MINIMUM
        self.gap = 24
        self.row_height = ROW
        self.low = False  # whether narrow lists without titles have low rows too
        self._titled = False
        self._ids = False  # whether each document shows its id
        self.fields = FieldLines()

    def set_ids(self, shown: bool) -> bool:
        """Show the id of each document beside its title; return whether that is new."""
        changed, self._ids = shown != self._ids, shown
        self._titles.set_ids(shown)
        return changed

    def set_fields(self, names: tuple[str, ...]) -> bool:
        """Show these fields of each document below its title; return whether that is new."""
        return self.fields.set_names(names)

    def set_collection(self, collection: Collection | None) -> None:
        """Set the collection that titles, fields and notes are read from."""
        self.fields.set_documents(None if collection is None else collection.documents)
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
        self._titles.set_start("" if view_model is None else view_model.id_start)
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

    def note_words(self, doc_id: str) -> str:
        """Return the note on a document, "" if there is none."""
        return note_line(self._notes.get(doc_id, Note()))

    # geometry

    def lay_out(self, width: int) -> int:
        """Divide ``width`` pixels among the lists; return their total width.

        ``_stacked`` is whether the rank change is below the rank; ``_more_digits`` is the width of the digits, beyond
        two, that ranks and their changes may have."""
        count = max(1, len(self.sides))
        self.gap = self._gap(width, count)
        self.width = max(MINIMUM, (width - 2 * MARGIN - (count - 1) * self.gap) // count)
        # Without titles rows are low, except in narrow lists, which put the rank change below the rank.
        high = self._titled or (self.width < _NARROW and not self.low)
        # Fields have a line of their own, so that titles keep theirs.
        self.row_height = (ROW + self.fields.height) if high else COMPACT_ROW
        # Narrow lists keep their width for titles.
        stacked = self._stacked = self.width < _NARROW and high
        depth = 0 if self._view_model is None else self._view_model.depth
        digits = self._more_digits = 0 if depth <= 100 else 7 if depth < 1000 else 14
        self._rank_right = (28 if stacked else 26) + digits
        if stacked:  # "new" is longer in other languages, and stays within its list
            self._rank_right = max(self._rank_right, math.ceil(self._small.get(change_text(NEW))[1]))
        self._text_x = self._rank_right + CHIP_WIDTH + (9 if stacked else 15)
        change = 3 if stacked else 42 + digits + self._covered_width
        self._room = self.width - self._text_x - change
        self._titles.set_room(float(self._room), 2 if high else 1)
        self.fields.set_room(float(self._room))
        content = 2 * MARGIN + count * self.width + (count - 1) * self.gap
        # The first list stays where it is, if there is room for another one beside it.
        self._fits = content <= width or width < 2 * MARGIN + 2 * self.width + self.gap
        return content

    @staticmethod
    def _gap(width: int, count: int) -> int:
        """Return the room for links between two lists, which narrows where this spares scrolling sideways."""
        gap = max(22, min(64, round(width * 0.034)))
        most = (width - 2 * MARGIN - count * MINIMUM) // max(1, count - 1)
        return min(gap, most) if most >= LEAST_GAP else gap

    def left(self, place: int) -> int:
        """Return the left edge of a list in the content."""
        return MARGIN + place * (self.width + self.gap)

    def left_in_view(self, place: int, scroll: int) -> int:
        """Return the left edge of a list in a viewport that is scrolled sideways; the first list stays."""
        return self.left(place) if place == 0 and not self._fits else self.left(place) - scroll

    @property
    def free_from(self) -> int:
        """The left edge in the viewport of what scrolls: behind the first list where that stays."""
        return 0 if self._fits else MARGIN + self.width + self.gap

    def content_height(self) -> int:
        """Return the height of all rows, and of the line at the end of a list."""
        longest = max([len(side.doc_ids) for side in self.sides], default=0)
        return (longest + 1) * self.row_height if longest else 0

    # painting

    def paint(
        self,
        painter: QPainter,
        size: QSize,
        scroll: QPoint,
        *,
        hovered: str,
        selected: str,
        cursor: int,
        pointed: int = -1,
    ) -> None:
        """Paint everything visible in a viewport scrolled to ``scroll``. ``cursor`` is the current list, ``pointed``
        the one whose header is under the pointer."""
        if self._view_model is None or not self.sides:
            return
        height = self.row_height
        first = scroll.y() // height
        stop = -(-(scroll.y() + size.height() - HEADER) // height)
        window = Window(first, stop, height, HEADER - scroll.y(), HEADER, size.height())
        if hovered and not any(hovered in side.rows for side in self.sides):
            hovered = ""  # the hovered document may be another query's
        marked = [doc for doc in (selected, hovered) if doc]
        lefts = [self.left_in_view(place, scroll.x()) for place in range(len(self.sides))]
        free = self.free_from if scroll.x() else 0
        places = [
            place
            for place, left in enumerate(lefts)
            if left < size.width() and (left + self.width + self.gap > free or place == 0)
        ]
        places = places if free or lefts[0] + self.width + self.gap > 0 else places[1:]
        self._lay_titles_out(places, window)
        body = QRect(0, HEADER, size.width(), size.height() - HEADER)
        for place in places:
            painter.setClipRect(body if place == 0 else body.adjusted(max(0, free - self.gap), 0, 0, 0))
            self._paint_rows(painter, place, lefts[place], window, hovered, selected, cursor == place)
        painter.setClipRect(body)
        self._paint_links(painter, places, lefts, free, window, marked)
        for place in places:
            painter.setClipping(False)
            if place and free:
                painter.setClipRect(QRect(free - self.gap, 0, size.width(), HEADER))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            self._paint_header(
                painter, place, lefts[place], self._whereabouts(place, window, *marked[:1]), place == pointed
            )
        painter.setClipping(False)
        if free:  # the edge of the list that stays
            painter.fillRect(QRect(free - self.gap + 2, 0, 1, size.height()), self._theme.colours["frame"])

    def _lay_titles_out(self, places: list[int], window: Window) -> None:
        """Lay out the visible titles before any is painted: titles that look the same take their ids."""
        assert self._view_model is not None
        titles = self._titles
        for place in places:
            column = self._view_model.columns[place]
            grades = shown_grades(column.grades[window.first : window.stop], self._view_model.regime)
            for doc_id, grade in zip(column.doc_ids[window.first : window.stop], grades, strict=True):
                relevant = self._view_model.is_relevant(grade)
                if titles.known((doc_id, relevant)) is None:
                    titles.put(doc_id, self.title(doc_id), relevant)

    def _paint_header(self, painter: QPainter, place: int, left: int, whereabouts: str, pointed: bool) -> None:
        """Paint the chooser of a run with its name, below it the measure, or the position of a document that is not
        visible, and the value."""
        assert self._view_model is not None
        run = self._view_model.columns[place].run
        value, best = self._values[place]
        colours = self._theme.colours
        head = self._heads[9.0 if self._stacked else 9.5]
        box = QRectF(left + 0.5, 0.5, self.width - 1, BOX - 1)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colours["control_border"], 1))
        painter.setBrush(colours["hover" if pointed else "control"])
        painter.drawRoundedRect(box, ROUND, ROUND)
        x, y = box.right() - 7 - ARROW, BOX / 2 - 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colours["text"])
        painter.drawPolygon(QPolygonF([QPointF(x, y), QPointF(x + ARROW, y), QPointF(x + ARROW / 2, y + 5)]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        margin = 5 if self._stacked else 8
        draw_swatch(
            painter,
            QRect(left + margin, (BOX - SWATCH) // 2, SWATCH, SWATCH),
            self._theme.run(run),
            run.shown,
        )
        start = left + margin + SWATCH + 5
        star = " ★" if run.baseline else ""
        room = x - 5 - start - head.name.metrics.horizontalAdvance(star)
        painter.setPen(colours["ink"])
        name = fitting_name(run, head.name.metrics, room) + star
        head.name.draw(painter, start, (BOX - head.name.metrics.height()) / 2, name)
        texts = head.best if best else head.value
        right = left + self.width - margin
        below = BOX + (HEADER - 1 - BOX - texts.metrics.height()) / 2
        painter.setPen(colours["ink" if best else "text"])
        texts.draw_right(painter, right, below, value)
        metrics = self._small.metrics
        room = math.floor(right - texts.metrics.horizontalAdvance(value) - 6 - left - margin)
        words = whereabouts or ("" if value == "–" else self._view_model.measure)
        painter.setPen(colours["ink" if whereabouts else "muted"])
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, room)
        self._small.draw(painter, left + margin, BOX + (HEADER - 1 - BOX - metrics.height()) / 2, shown)
        painter.setPen(colours["panel_border"])
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
        if 0 < self._view_model.cutoff <= count and window.top < cutoff <= window.bottom:
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
            self._paint_title(painter, doc_id, view_model.is_relevant(grade), left + self._text_x, first + row * height)
        if self._notes:
            self._paint_notes(painter, documents, x + CHIP_WIDTH - 2, first)
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
            painter.setPen(change_colour(change, view_model.is_relevant(grade), theme))
            layout, width = small.get(text)
            draw(QPointF(right - width, y), layout)
            y += height

    def _paint_notes(self, painter: QPainter, documents: Sequence[str], x: float, first: int) -> None:
        """Paint the mark of a note at the corner of the grade, where no text is."""
        painter.setPen(self._theme.colours["ink"])
        for row, doc_id in enumerate(documents):
            if doc_id in self._notes:
                self._mark.draw(painter, x, first + row * self.row_height - 1, "✎")

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
        text = titles.known((doc_id, relevant)) or titles.put(doc_id, self.title(doc_id), relevant)
        ink = self._theme.colours["ink" if relevant else "muted"]
        step = titles.line_height
        count = max(len(text.lines), text.id_line + 1)
        y = top + (self.row_height - 1 - count * step) / 2
        if self.fields.names:
            y = self._paint_fields(painter, doc_id, x, y, count * step)
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

    def _paint_fields(self, painter: QPainter, doc_id: str, x: float, y: float, height: float) -> float:
        """Paint the fields of a document, if it has any, below its title of ``height`` pixels; return where the title
        begins so that both are in the middle of the row."""
        line = self.fields.line(doc_id)
        if line is None:
            return y
        y -= self.fields.height / 2
        painter.setPen(self._theme.colours["muted"])
        painter.setFont(self.fields.font)
        painter.drawStaticText(QPointF(x, y + height), line)
        return y

    def _paint_end(self, painter: QPainter, left: int, top: int, count: int, *, stored: bool) -> None:
        words = self.end_words(count, stored=stored)
        painter.setPen(self._theme.colours["muted"])
        self._small.draw(painter, left + 10, top + (self.row_height - self._small.metrics.height()) / 2, words)

    def end_words(self, count: int, *, stored: bool) -> str:
        """Return what is said below a list of so many ranks, within the width of the list."""
        forms = [ONLY_VALUES if stored else NOTHING_RETRIEVED]
        if count:
            forms = [tr("The list ends at rank {rank:,}.", rank=count), tr("ends at {rank:,}", rank=count)]
        room, metrics = self.width - 10, self._small.metrics
        words = next((form for form in forms if metrics.horizontalAdvance(form) <= room), forms[-1])
        return metrics.elidedText(words, Qt.TextElideMode.ElideRight, room)

    def _paint_links(
        self, painter: QPainter, places: list[int], lefts: list[int], free: int, window: Window, marked: list[str]
    ) -> None:
        """Paint the lines between lists that are side by side. Where the first list stays, it is beside the first one
        that is whole."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        beside = next((place for place in places if place and lefts[place] >= free), None) if free else 1
        for place in places:
            other = beside if place == 0 else place + 1
            if other is None or other >= len(self.sides) or (free and place and lefts[place] < free):
                continue
            gap = self._gaps.get((place, other))
            if gap is None:
                gap = self._gaps[place, other] = Gap(self.sides[place], self.sides[other])
            x = float(lefts[place] + self.width)
            ends = (x, float(lefts[other]) if place == 0 and free else x + self.gap)
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
        highest, is_relevant = self._view_model.max_grade, self._view_model.is_relevant
        grades = self._column.grades[list(rows)].tolist()
        return [link_colour(self._theme, grade, highest) if is_relevant(grade) else None for grade in grades]


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
        "–"
        if math.isnan(c.value)
        else decimal(f"{c.value:,.0f}")
        if counts
        else short_number(decimal(f"{c.value:.4f}"))
        for c in view_model.columns
    )
    return tuple((text, place in best) for place, text in enumerate(texts))
