"""The header of tables: titles, swatches of runs, and the arrow of the sorted column.

It knows the columns, the theme, and which sections do not scroll."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter

from PySide6.QtCore import QEvent, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.tables.cells import KEPT, LEFT_PAD, TEXTS, metrics_of, text_width
from irviewer.gui.tables.density import ROOMY, Density
from irviewer.gui.tables.model import Column, TableModel
from irviewer.gui.theme import Theme, aligned, make_font
from irviewer.gui.widgets.painting import SWATCH, draw_swatch, fitting_form
from irviewer.gui.widgets.plain_text import show_tooltip
from irviewer.gui.widgets.run_names import broken, broken_width, fitting_name, name_lines

HEIGHT = 26
LINE = 13
"""What a second line of a title adds."""
SIZE = 9.0
SWATCH_ROOM = SWATCH + 4
ARROW_ROOM = 10
TURNED_FROM = 5
"""From so many columns of runs their names turn, where they have no room in two lines."""
LEAST_SECTION = 16
"""The least width in pixels of a column that is not left out."""
LEAST_LETTERS = 8
"""A form of a name with fewer letters says too little: the names of a few runs turn then."""
TURNED_MOST = 150
"""The greatest length of a turned name in pixels."""
LEAST_TURNED = 56
"""Fewer pixels than this are no room for a name that is written upwards."""
TURNED_GAP = 5
_LETTERS = 100
LEAST_BETWEEN = 80

_RIGHT = int(aligned(Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter))
_LEFT = int(aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter))


@guarded
class TableHeader(QHeaderView):
    """The header of a :class:`irviewer.gui.widgets.table.Table`. ``frozen`` is the number of sections at the left and
    right that do not scroll. ``menu_requested`` carries the index of a column and a position on screen."""

    menu_requested = Signal(int, QPointF)
    height_changed = Signal()

    def __init__(
        self, model: TableModel, theme: Theme, frozen: tuple[int, int], sortable: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.sortable = sortable
        self.density = ROOMY
        self.turned = False
        """Whether the names of runs are written upwards."""
        self.most_height = 0
        """The most pixels that names written upwards take, so that rows are in view; 0 for all that they need."""
        self._columns = model
        self._theme = theme
        self.frozen = frozen
        self._pointed = -1
        self.setFixedHeight(HEIGHT)
        self.setMinimumSectionSize(LEAST_SECTION)
        self.setSectionsClickable(sortable)
        self.setHighlightSections(False)
        self.setStretchLastSection(False)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)

    def fixed_left(self) -> int:
        """Return the width in pixels of the fixed sections at the left; 0 while nothing is scrolled."""
        if self.offset() == 0:
            return 0
        return sum(self.sectionSize(section) for section in range(min(self.frozen[0], self.count())))

    def fixed_right(self) -> int:
        """Return the width in pixels of the fixed sections at the right; 0 while nothing is hidden, or if they would
        leave no room to scroll."""
        width = self.viewport().width()
        if self.length() - self.offset() <= width:
            return 0
        count = self.count()
        right = sum(self.sectionSize(section) for section in range(max(0, count - self.frozen[1]), count))
        left = sum(self.sectionSize(section) for section in range(min(self.frozen[0], count)))
        return right if left + right + LEAST_BETWEEN <= width else 0

    def is_fixed(self, section: int) -> bool:
        """Return whether a column is drawn fixed, since its position is scrolled away."""
        if section < self.frozen[0]:
            return self.fixed_left() > 0
        return section >= self.count() - self.frozen[1] and self.fixed_right() > 0

    def edge_of(self, section: int) -> int:
        """Return the room that a column of numbers has at the right edge of the table beside its padding."""
        if not self.density.edge or not self._columns.columns[section].right:
            return 0
        behind = range(self.visualIndex(section) + 1, self.count())
        return self.density.edge if all(self.isSectionHidden(self.logicalIndex(place)) for place in behind) else 0

    def left_of(self, section: int) -> int:
        """Return the left edge of a column in the viewport."""
        left = self.sectionViewportPosition(section)
        if self.is_fixed(section):
            left += self.offset() if section < self.frozen[0] else -self._beyond()
        return left

    def section_at(self, x: int) -> int:
        """Return the column at ``x`` of the viewport, frozen ones first; -1 for none."""
        return self.logicalIndexAt(self.unfrozen(x))

    def unfrozen(self, x: int) -> int:
        """Return ``x`` as if the frozen columns scrolled."""
        if x < self.fixed_left():
            return x - self.offset()
        right = self.fixed_right()
        return x + self._beyond() if right and x >= self.viewport().width() - right else x

    def _beyond(self) -> int:
        """Return the width in pixels that is hidden at the right."""
        return self.length() - self.offset() - self.viewport().width()

    def wanted_width(self, column: Column, title: str, density: Density = ROOMY) -> int:
        """Return the width in pixels of a title with its sort arrow."""
        swatch = SWATCH_ROOM if column.run is not None else 0
        advance = text_width(title, 600, min(SIZE, density.size))
        return math.ceil(advance) + swatch + (ARROW_ROOM if self.sortable else 0) + _pads(column, density)

    def broken_width(self, column: Column, name: str, density: Density = ROOMY, arrow: bool = True) -> int:
        """Return the width in pixels of a form of a run's name in two lines, the swatch before the first, with room
        for the ``arrow`` of the sorted column."""
        before = SWATCH_ROOM + (ARROW_ROOM if arrow and self.sortable else 0)
        return math.ceil(least_width(name, min(SIZE, density.size), before)) + _pads(column, density)

    def broken_title_width(self, column: Column, density: Density) -> int:
        """Return the width in pixels of the shortest title in two lines, with room for the arrow in the first."""
        before = ARROW_ROOM if self.sortable else 0
        least = least_width(column.titles[-1], min(SIZE, density.size), before, words=True)
        return math.ceil(least) + _pads(column, density)

    def titles(self) -> tuple[object, ...]:
        """Return what :meth:`fit_lines` depends on besides the widths of the sections: the texts of titles, which has
        the arrow, and the font."""
        columns = [(column.titles, column.under, column.group, column.run, column.right)
                   for column in self._columns.columns]  # fmt: skip
        return columns, self._columns.sorted_by, make_font(min(SIZE, self.density.size), 600).key()

    def fit_lines(self, scrolls: bool = False) -> None:
        """Make room for two lines if a title needs them, or turn the names of runs if two lines cut some, of
        many runs or to a few letters, or if many make the table scroll, so that more of them are in sight."""
        sections = range(min(self.count(), len(self._columns.columns)))
        shown = [section for section in sections if not self.isSectionHidden(section)]
        self.turned = False
        runs = [section for section in shown if self._turns(section)]
        least = SWATCH + 3 * TURNED_GAP + LEAST_TURNED
        has_room = not self._has_groups() and (not self.most_height or self.most_height >= least)
        if has_room and (self._cuts(runs) or (scrolls and len(runs) >= TURNED_FROM)):
            self.turned = True
            metrics = QFontMetricsF(make_font(min(SIZE, self.density.size), 600))
            names = [self._columns.columns[section].run.name[:_LETTERS] for section in runs]  # type: ignore[union-attr]
            beside = SWATCH + 3 * TURNED_GAP
            most = min(TURNED_MOST, self.most_height - beside) if self.most_height else TURNED_MOST
            longest = max(map(metrics.horizontalAdvance, names))
            if longest > most and all(map(self._turns_in_two, runs)):
                longest = max(broken_width(name, metrics, 0) for name in names)
            height = math.ceil(min(most, longest)) + beside
        elif self._has_groups() or any(len(self._lines(section)) > 1 for section in shown):
            height = HEIGHT + LINE
        else:
            height = HEIGHT
        if height != self.height():
            self.setFixedHeight(height)
            self.height_changed.emit()

    def _cuts(self, runs: Sequence[int]) -> bool:
        """Return whether two lines cut the name of one of many runs, or that of one of a few to a few letters. Of
        hundreds no more are tried than up to the first that is cut."""
        forms = ("".join(self._lines(section)) for section in runs)
        cut = (form for form in forms if "…" in form)
        return len(runs) > 1 and any(len(runs) >= TURNED_FROM or len(form) < LEAST_LETTERS for form in cut)

    def _turns(self, section: int) -> bool:
        column = self._columns.columns[section]
        return column.run is not None and not column.under

    def _turns_in_two(self, section: int) -> bool:
        """Return whether a column is wide enough for a name in two lines that is written upwards."""
        return self.sectionSize(section) - self.edge_of(section) >= 2 * LINE + TURNED_GAP

    def turned_lines(self, section: int) -> tuple[str, ...]:
        """Return the name of a run as it is written upwards: its longest form that has room, in two lines where the
        column is wide enough for them."""
        label = self._columns.columns[section].run
        assert label is not None
        metrics = QFontMetricsF(make_font(min(SIZE, self.density.size), 600))
        room = self.height() - SWATCH - 3 * TURNED_GAP
        if self._turns_in_two(section):
            return name_lines(label, metrics, room, room)
        return (fitting_name(label, metrics, room),)

    def _draw_turned(self, painter: QPainter, box: QRect, section: int, arrow: str) -> None:
        """Draw the name of a run from the bottom up above its swatch, at the edge of its numbers."""
        column = self._columns.columns[section]
        assert column.run is not None
        right = box.right() + 1 - self.density.pad - self.edge_of(section)
        left = right - SWATCH if column.right else box.left() + LEFT_PAD
        square = QRect(left, box.bottom() - SWATCH - TURNED_GAP, SWATCH, SWATCH)
        border = self._theme.colours["control_border"]
        draw_swatch(painter, square, self._theme.run(column.run), column.run.shown, border)
        if arrow:
            painter.drawText(QRect(left - ARROW_ROOM - 2, square.top(), ARROW_ROOM, SWATCH), _RIGHT, arrow)
        painter.save()
        painter.translate(left, square.top() - TURNED_GAP)
        painter.rotate(-90)
        lines = self.turned_lines(section)
        for line, text in enumerate(lines, 1 - len(lines) if column.right else 0):
            painter.drawText(QRect(0, LINE * line - 3, self.height(), SWATCH + 6), _LEFT, text)
        painter.restore()

    def _has_groups(self) -> bool:
        return any(map(attrgetter("group"), self._columns.columns))

    def group_words(self, group: str, room: float, metrics: QFontMetricsF) -> str:
        """Return the head of a group, its shorter form where it has no room, elided where that has none either."""
        columns = self._columns.columns
        forms = (group, *next((column.group_forms for column in columns if column.group == group), ()))
        return fitting_form(forms, metrics, room)

    def group_spans(self) -> list[tuple[str, int, int]]:
        """Return the heads above several columns, each with its left edge and width in the viewport; what is under
        fixed columns is cut."""
        spans: list[tuple[str, int, int]] = []
        least = self.fixed_left()
        most = self.viewport().width() - self.fixed_right()
        open_group, left, right = "", 0, 0
        for section in range(min(self.count(), len(self._columns.columns))):
            if self.isSectionHidden(section):
                continue
            group, at = self._columns.columns[section].group, self.sectionViewportPosition(section)
            if group != open_group:
                spans.append((open_group, left, right))
                open_group, left = group, at
            right = at + self.sectionSize(section)
        spans.append((open_group, left, right))
        cut = [(group, max(left, least), min(right, most)) for group, left, right in spans if group]
        return [(group, left, right - left) for group, left, right in cut if right - left > 2 * LEFT_PAD]

    def _draw_groups(self, painter: QPainter) -> None:
        painter.setFont(make_font(min(SIZE, self.density.size), 600))
        metrics = QFontMetricsF(painter.font())
        for group, left, width in self.group_spans():
            line = QRect(left + self.density.pad, 0, width - self.density.pad - 2, LINE + 5)
            painter.setPen(self._theme.colours["text"])
            text = self.group_words(group, line.width(), metrics)
            painter.drawText(line, int(Qt.AlignmentFlag.AlignCenter), text)
            painter.fillRect(QRect(line.left(), line.bottom(), line.width(), 1), self._theme.colours["frame"])

    def _lines(self, section: int) -> tuple[str, ...]:
        """Return the title of a column in one line, in two where that has no room, and the name of a run in up to
        two."""
        column = self._columns.columns[section]
        metrics = QFontMetricsF(make_font(min(SIZE, self.density.size), 600))
        arrow = ARROW_ROOM if self._columns.sorted_by[0] == column.id else 0
        room = self.sectionSize(section) - self.edge_of(section) - _pads(column, self.density) - arrow
        if column.under:
            title = metrics.elidedText(column.title, Qt.TextElideMode.ElideMiddle, max(0, room))
            below = max(0, room + arrow + 2)
            return title, metrics.elidedText(column.under, Qt.TextElideMode.ElideRight, below)
        if column.run is not None:
            return name_lines(column.run, metrics, room - SWATCH_ROOM, room)
        fitting = next((title for title in column.titles if metrics.horizontalAdvance(title) <= room + 1), "")
        if not fitting:
            lines = broken(column.titles[-1], metrics, room, room + arrow, words=True)
            if lines is not None:
                return lines
        return (fitting or metrics.elidedText(column.titles[-1], Qt.TextElideMode.ElideMiddle, max(0, room)),)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        area = self.viewport().rect()
        painter.fillRect(area, self._theme.colours["panel"])
        fixed = []
        for section in range(min(self.count(), len(self._columns.columns))):
            if self.is_fixed(section):
                fixed.append(section)
                continue
            left, width = self.sectionViewportPosition(section), self.sectionSize(section)
            if width and left + width > 0 and left < area.width():
                self._draw(painter, QRect(left, 0, width, area.height()), section)
        for section in fixed:
            box = QRect(self.left_of(section), 0, self.sectionSize(section), area.height())
            painter.fillRect(box, self._theme.colours["panel"])
            self._draw(painter, box, section)
        self._draw_groups(painter)
        self.draw_edges(painter, 0, area.height())
        painter.fillRect(QRect(0, area.height() - 1, area.width(), 1), self._theme.colours["line"])

    def draw_edges(self, painter: QPainter, top: int, height: int) -> None:
        """Draw the borders of the fixed columns."""
        left, right = self.fixed_left(), self.fixed_right()
        if left:
            painter.fillRect(QRect(left - 1, top, 1, height), self._theme.colours["frame"])
        if right:
            edge = QRect(self.viewport().width() - right, top, 1, height)
            painter.fillRect(edge, self._theme.colours["frame"])

    def _draw(self, painter: QPainter, box: QRect, section: int) -> None:
        column = self._columns.columns[section]
        sorted_by, descending = self._columns.sorted_by
        arrow = "" if sorted_by != column.id else "▾" if descending else "▴"
        marked = column.chosen or (section == self._pointed and self.sortable)
        painter.setFont(make_font(min(SIZE, self.density.size), 600))
        painter.setPen(self._theme.colours["ink" if marked else "muted"])
        if self.turned and self._turns(section):
            self._draw_turned(painter, box, section, arrow)
            return
        swatch = SWATCH_ROOM if column.run is not None else 0
        metrics = QFontMetricsF(painter.font())
        title, *more = self._lines(section)
        if self._has_groups():
            box = box.adjusted(0, LINE + 1, 0, 0)
        advance = math.ceil(metrics.horizontalAdvance(title))
        whole = advance + swatch + (ARROW_ROOM if arrow else 0)
        right = box.right() + 1 - self.density.pad - self.edge_of(section)
        left = right - whole if column.right else box.left() + LEFT_PAD
        if more:
            spare = box.height() - HEIGHT - LINE  # below names that are turned
            box = box.adjusted(0, spare - spare // 2, 0, -(spare // 2)) if spare > 0 else box
            below = math.ceil(metrics.horizontalAdvance(more[0]))
            second = QRect(right - below if column.right else left, box.bottom() - LINE - 5, below + 4, LINE + 2)
            painter.drawText(second, _LEFT, more[0])
            box = box.adjusted(0, 4, 0, -LINE - 4)
        if column.run is not None:
            square = QRect(left, box.top() + (box.height() - SWATCH) // 2, SWATCH, SWATCH)
            border = self._theme.colours["control_border"]
            draw_swatch(painter, square, self._theme.run(column.run), column.run.shown, border)
        painter.drawText(QRect(left + swatch, box.top(), advance + 4, box.height()), _LEFT, title)
        if arrow:
            place_of_arrow = QRect(left + whole - ARROW_ROOM, box.top(), ARROW_ROOM, box.height())
            painter.drawText(place_of_arrow, _RIGHT, arrow)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(self._moved(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(self._moved(event))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(self._moved(event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_at(self.section_at(event.position().toPoint().x()))
        super().mouseMoveEvent(self._moved(event))

    def leaveEvent(self, event: QEvent) -> None:
        self._point_at(-1)
        super().leaveEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        section = self.section_at(event.pos().x())
        if section >= 0:
            self.menu_requested.emit(section, QPointF(event.globalPos()))

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            section = self.section_at(event.pos().x())
            known = 0 <= section < len(self._columns.columns)
            show_tooltip(event.globalPos(), self._columns.columns[section].tooltip if known else "", self)
            return True
        return super().viewportEvent(event)

    def _point_at(self, section: int) -> None:
        if section != self._pointed:
            self._pointed = section
            self.viewport().update()

    def _moved(self, event: QMouseEvent) -> QMouseEvent:
        """The event as it would be if the frozen sections scrolled with the rest: Qt knows nothing of them."""
        x = int(event.position().x())
        if self.unfrozen(x) == x:
            return event
        position = QPointF(self.unfrozen(x), event.position().y())
        return QMouseEvent(
            event.type(), position, event.globalPosition(), event.button(), event.buttons(), event.modifiers()
        )


def least_width(name: str, size: float, before: int, words: bool = False) -> float:
    """Return the width of a name, or of a title broken between its ``words``, in two lines, of which ``before`` pixels
    of the first are taken. It is kept unless the title is long."""
    return (_least_width if len(name) <= KEPT else _least_width.__wrapped__)(name, size, before, words)


@lru_cache(maxsize=TEXTS)
def _least_width(name: str, size: float, before: int, words: bool) -> float:
    return broken_width(name, metrics_of(600, size), before, words)


def _pads(column: Column, density: Density) -> int:
    """The room at both sides of a title; what is on the right of its column may come nearer to its neighbour."""
    return density.pad + (min(6, density.pad) if column.right else LEFT_PAD)
