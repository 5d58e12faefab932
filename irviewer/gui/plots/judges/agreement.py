"""The agreement of judges, a row each: matrix, numbers, intervals and shares of grades, painted as one.

A click or the arrow keys choose a pair; Enter opens its confusion table. The tooltip has every
statistic."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from irviewer.figures.figure import Figure
from irviewer.gui.guard import guarded
from irviewer.gui.plots.painted_plot import ARROWS, PaintedFigure
from irviewer.gui.theme import Theme, aligned
from irviewer.gui.widgets.painting import fitting_form
from irviewer.gui.widgets.plain_text import show_tooltip
from irviewer.model.number_text import limit
from irviewer.rendering.palette import ink_on
from irviewer.session.session import Session
from irviewer.session.view_models.judges.agreement import (
    AgreementViewModel,
    grouped_text,
    signed,
    statistic_text,
)
from irviewer.translation import decimal, tr

MARGIN, KEY, HEAD, GAP = 12.0, 24.0, 22.0, 8.0
HIGHEST, LEAST, NUMBERS = 96.0, 12.0, 16.4
"""Heights of rows in pixels: the greatest, the least, and the least in which numbers are written."""
WIDEST = 84.0
LONGEST_NAME = 150.0
NAMES_BELOW = 104.0
PAIR_HEIGHT = 92.0
STEEP = 2.4
"""The power by which the grey of a cell grows: steepest near 1."""
COLUMNS = (("first", 52.0), ("dots", 0.0), ("second", 58.0), ("third", 58.0), ("fourth", 60.0), ("fifth", 54.0),
           ("shares", 0.0))  # fmt: skip
"""Columns beside the matrix and their widths in pixels; 0 shares what is left. Those with numbers have the statistics
of the view model in its order."""
NUMBERED = ("first", "second", "third", "fourth", "fifth")
LEAST_DOTS, LEAST_SHARES = 160.0, 125.0
LEAVES = ("fifth", "fourth", "third", "second")
"""Columns that are left out where the width is too small, in this order: the line of the chosen pair has them too."""
NARROW = 780
"""Below this width in pixels the statistics of the chosen pair stand in two lines."""
STATISTIC_HEIGHT = 52.0
_CENTRE = Qt.AlignmentFlag.AlignCenter
_RIGHT = aligned(Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter)
_LEFT = aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter)


@guarded
class JudgeAgreementPlot(PaintedFigure):
    """An :class:`AgreementViewModel`; ``chosen`` carries row and column of a pair, ``opened`` is Enter on it."""

    chosen = Signal(int, int)
    opened = Signal()

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._view_model: AgreementViewModel | None = None
        self._hovered = (-1, -1)
        self._cells = QRectF()
        self._kept = dict(COLUMNS)
        self._measured: QSize | None = None
        self.setMinimumSize(560, 260)

    @property
    def figure(self) -> Figure | None:
        return None if self._view_model is None else self._view_model.figure

    @property
    def view_model(self) -> AgreementViewModel | None:
        """The view model shown."""
        return self._view_model

    def show_view_model(self, view_model: AgreementViewModel) -> None:
        """Show the judges with the chosen statistic."""
        self._view_model = view_model
        self._hovered = (-1, -1)
        self._measured = None
        self.setAccessibleName(view_model.title)
        self.setAccessibleDescription(view_model.tip(*view_model.pair) if view_model.names else view_model.explanation)
        self.update()

    # --- geometry ---

    def row_height(self) -> float:
        """Return the height of a row in pixels."""
        count = max(1, len(self._names()))
        pair = PAIR_HEIGHT + (self._pair_lines() - 1) * STATISTIC_HEIGHT
        room = self.height() - MARGIN - KEY - HEAD - max(NAMES_BELOW, pair) - GAP
        return max(LEAST, min(HIGHEST, room / count))

    def _pair_lines(self) -> int:
        """Return the number of lines of the chosen pair's statistics."""
        return 2 if self.width() < NARROW else 1

    def names_width(self) -> float:
        """Return the width of the names left of the matrix."""
        metrics = QFontMetricsF(self._name_font())
        longest = max((metrics.horizontalAdvance(name) for name in self._names()), default=0.0)
        return min(LONGEST_NAME, longest) + 2 * GAP

    def cells(self) -> QRectF:
        """Return the area of the matrix, which is measured once for each painting, view model and size."""
        if self._measured != self.size():
            self._measured, self._cells = self.size(), self._measured_cells()
        return self._cells

    def _measured_cells(self) -> QRectF:
        count, names = max(1, len(self._names())), self.names_width()
        self._kept = self._kept_columns(names + count * LEAST)
        fixed = sum(self._kept.values()) + LEAST_DOTS + LEAST_SHARES + 3 * MARGIN
        room = self.width() - MARGIN - names - fixed
        wide = max(LEAST, min(WIDEST, 2.4 * self.row_height(), room / count))
        return QRectF(MARGIN + names, KEY + HEAD, wide * count, self.row_height() * count)

    def _kept_columns(self, matrix: float) -> dict[str, float]:
        """Return the columns for which there is room beside names and matrix of this least width, with their widths."""
        room = self.width() - 4 * MARGIN - matrix - LEAST_DOTS - LEAST_SHARES
        kept = dict(COLUMNS)
        for name in LEAVES:
            if sum(kept.values()) > room:
                del kept[name]
        return kept

    def columns(self) -> dict[str, QRectF]:
        """Return the areas of the columns beside the matrix; without those that have no room."""
        cells = self.cells()
        left, right = cells.right() + 2 * MARGIN, self.width() - MARGIN
        fixed = sum(self._kept.values())
        free = max(0.0, right - left - fixed)
        areas, x = {}, left
        for name, width in self._kept.items():
            width = width or free * (0.58 if name == "dots" else 0.42)
            areas[name] = QRectF(x, cells.top(), width, cells.height())
            x += width
        return areas

    def cell_at(self, where: QPointF) -> tuple[int, int]:
        """Return row and column at a pixel; -1 for a column outside of the matrix, (-1, -1) for no row."""
        cells, count = self.cells(), len(self._names())
        if not count or not cells.top() <= where.y() < cells.bottom():
            return -1, -1
        row = min(count - 1, int((where.y() - cells.top()) // self.row_height()))
        if not cells.left() <= where.x() < cells.right():
            return row, -1
        return row, min(count - 1, int((where.x() - cells.left()) / cells.width() * count))

    def _names(self) -> tuple[str, ...]:
        return () if self._view_model is None else self._view_model.names

    def _name_font(self) -> QFont:
        return self._theme.font(8.5 if self.row_height() >= NUMBERS else 7.5)

    def _row(self, row: int) -> QRectF:
        cells = self.cells()
        high = cells.height() / max(1, len(self._names()))
        return QRectF(0, cells.top() + row * high, self.width(), high)

    def _box(self, row: int, column: int) -> QRectF:
        cells, count = self.cells(), max(1, len(self._names()))
        wide, high = cells.width() / count, cells.height() / count
        return QRectF(cells.left() + column * wide, cells.top() + row * high, wide, high)

    # --- paint ---

    def paintEvent(self, event: QPaintEvent) -> None:
        view_model = self._view_model
        if view_model is None or not view_model.names:
            return
        self._measured = None  # the type may have changed
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self._paint_chosen_row(painter, view_model)
        self._paint_key(painter, view_model)
        self._paint_matrix(painter, view_model)
        self._paint_names(painter, view_model)
        self._paint_columns(painter, view_model)
        self._paint_pair(painter, view_model)
        self.paint_focus(painter)

    def _shade(self, value: float) -> QColor:
        """Return the grey of a value, steepest near 1; the panel's colour for 0 and below."""
        share = max(0.0, min(1.0, 0.0 if math.isnan(value) else value)) ** STEEP
        ground, dark = self._theme["panel"], self._theme["muted"]
        share = 0.06 + 0.94 * share if not math.isnan(value) else 0.0
        first, second = (ground.red(), ground.green(), ground.blue()), (dark.red(), dark.green(), dark.blue())
        mixed = [round(low + (high - low) * share) for low, high in zip(first, second, strict=True)]
        return QColor(*mixed)

    def _other_row(self, view_model: AgreementViewModel) -> int:
        first, second = view_model.pair
        return second if first == 0 else first

    def _paint_chosen_row(self, painter: QPainter, view_model: AgreementViewModel) -> None:
        row = self._other_row(view_model)
        if row < 0:
            return
        box = self._row(row)
        painter.fillRect(box.adjusted(1, 0, -1, 0), self._theme["selection"])
        painter.fillRect(QRectF(0, box.top(), 3, box.height()), self._theme["ink"])

    def _paint_key(self, painter: QPainter, view_model: AgreementViewModel) -> None:
        painter.setFont(self._theme.font(8.5, numbers=True))
        metrics, x, middle = QFontMetricsF(painter.font()), MARGIN, KEY / 2
        entries = [
            (self._shade(value), text) for value, text in ((0.0, "0"), (0.5, decimal(".50")), (1.0, decimal("1.00")))
        ]
        main = next(iter(view_model.beside or {}), "")
        boxed = tr("boxed: {alike}", alike=grouped_text(main))
        clones = tr("≡ nearly the same, 99 % of grades equal or more")
        room = self.columns()["first"].left() + 200
        for colour, text in (*entries, (None, boxed), ("", clones)):
            wide = metrics.horizontalAdvance(text) + (0 if colour == "" else 22)
            if x + wide > room:
                break
            if colour != "":
                box = QRectF(x, middle - 5, 16, 10)
                painter.setPen(QPen(self._theme["text" if colour is None else "line"], 1))
                painter.setBrush(Qt.BrushStyle.NoBrush if colour is None else colour)
                painter.drawRect(box)
            painter.setPen(self._theme["muted"])
            painter.drawText(QRectF(x + (0 if colour == "" else 22), 0, wide, KEY), int(_LEFT), text)
            x += wide + 14

    def _paint_matrix(self, painter: QPainter, view_model: AgreementViewModel) -> None:
        count = len(view_model.names)
        written = self.row_height() >= NUMBERS and self._box(0, 0).width() >= 21
        painter.setFont(self._theme.font(8, numbers=True))
        for row in range(count):
            for column in range(count):
                box = self._box(row, column)
                if row == column:
                    painter.fillRect(box, self._theme["panel"])
                    continue
                colour = self._shade(float(view_model.values[row, column]))
                painter.fillRect(box.adjusted(0, 0, -1, -1), colour)
                if written:
                    painter.setPen(QColor(ink_on(colour.name())))
                    painter.drawText(box, int(_CENTRE), view_model.texts[row][column])
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._theme["text"], 1))
        for first, last in view_model.groups:
            painter.drawRect(self._box(first, first).united(self._box(last, last)).adjusted(0, 0, -1, -1))
        painter.setPen(QPen(self._theme["control_border"], 1))
        line = self._row(1).top() - 1
        painter.drawLine(QPointF(MARGIN, line), QPointF(self.width() - MARGIN, line))
        row, column = view_model.pair
        if row >= 0:
            painter.setPen(QPen(self._theme["ink"], 2))
            for box in (self._box(row, column), self._box(column, row)):
                painter.drawRect(box.adjusted(1, 1, -1, -1))
        if self._hovered[1] >= 0:
            painter.setPen(QPen(self._theme["muted"], 1))
            painter.drawRect(self._box(*self._hovered).adjusted(0, 0, -1, -1))

    def _paint_names(self, painter: QPainter, view_model: AgreementViewModel) -> None:
        cells, wide, cut = self.cells(), self.names_width(), Qt.TextElideMode.ElideMiddle
        chosen = {*view_model.pair, *self._hovered}
        for position, name in enumerate(view_model.names):
            known = position in chosen
            font = self._theme.font(self._name_font().pointSizeF(), weight=600 if known else 400)
            painter.setFont(font)
            metrics = QFontMetricsF(font)
            painter.setPen(self._theme["ink" if known else "muted"])
            row = self._row(position)
            text = metrics.elidedText(name, cut, wide - GAP)
            painter.drawText(QRectF(0, row.top(), cells.left() - GAP, row.height()), int(_RIGHT), text)
            box = self._box(position, position)
            if box.width() < metrics.height() - 3 and not known and position % 2:
                continue
            painter.save()
            painter.translate(box.center().x(), cells.bottom() + 6)
            painter.rotate(90)
            room = self.height() - cells.bottom() - 12
            text = metrics.elidedText(name, cut, min(room, LONGEST_NAME))
            painter.drawText(QRectF(0, -metrics.height() / 2, room, metrics.height()), int(_LEFT), text)
            painter.restore()

    def _paint_columns(self, painter: QPainter, view_model: AgreementViewModel) -> None:
        areas, beside = self.columns(), view_model.beside or {}
        names: dict[str, tuple[str, ...]] = {
            "kappa_quadratic": (tr("kappa"),),
            "same_grade": (tr("per cent"), "%"),
            "kappa_level": (tr("κ ≥{level}", level=limit(view_model.level)),),
            "kappa_level_max": (tr("largest"),),
            "alpha_ordinal": (tr("ordinal α"),),
            "difference": (tr("Δ grade"),),
        }
        titles: dict[str, tuple[str, ...]] = {
            "dots": (tr("95 % interval, with {judge}", judge=view_model.names[0]), tr("95 % interval")),
            "shares": (tr("share of grades, %"), tr("grades, %")),
        }
        numbered = {place: name for place, name in zip(NUMBERED, beside, strict=True) if place in areas}
        titles |= {place: names[name] for place, name in numbered.items()}
        painter.setFont(self._theme.font(8.5, weight=600))
        metrics = QFontMetricsF(painter.font())
        painter.setPen(self._theme["muted"])
        for name, area in areas.items():
            side = _LEFT if name in ("dots", "shares") else _RIGHT
            box = QRectF(area.left() + (GAP if side == _LEFT else 0), area.top() - HEAD, area.width() - GAP, HEAD)
            painter.drawText(box, int(side), fitting_form(titles[name], metrics, box.width()))
        small = self._theme.font(9 if self.row_height() >= NUMBERS else 7.5, numbers=True)
        bold = self._theme.font(small.pointSizeF(), weight=600, numbers=True)
        for row in range(1, len(view_model.names)):
            painter.setFont(bold if row == self._other_row(view_model) else small)
            painter.setPen(self._theme["text"])
            for place, name in numbered.items():
                value = float(beside[name][row])
                text = signed(value) if name == "difference" and not math.isnan(value) else statistic_text(name, value)
                area = areas[place]
                line = self._row(row)
                painter.drawText(
                    QRectF(area.left(), line.top(), area.width() - GAP, line.height()), int(_RIGHT), text
                )  # fmt: skip
        self._paint_dots(painter, view_model, areas["dots"].adjusted(GAP, 0, -GAP, 0))
        self._paint_shares(painter, view_model, areas["shares"].adjusted(GAP, 0, 0, 0))

    def _paint_dots(self, painter: QPainter, view_model: AgreementViewModel, area: QRectF) -> None:
        beside = view_model.beside or {}
        values = next(iter(beside.values()))
        ends = [float(end) for end in (*view_model.low, *view_model.high, *values) if not math.isnan(float(end))]
        low = min(0.0, math.floor(min(ends, default=0.0) * 5) / 5)
        high = max(low + 0.2, math.ceil(max(ends, default=1.0) * 5) / 5)
        step = 0.2 if area.width() >= 150 or high - low < 0.7 else 0.5

        def x(value: float) -> float:
            return area.left() + (value - low) / (high - low) * area.width()

        painter.setFont(self._theme.font(8, numbers=True))
        ticks = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
        for tick in ticks:
            at = x(tick * step)
            painter.setPen(self._theme["faint" if tick == 0 else "line"])
            painter.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()))
            painter.setPen(self._theme["muted"])
            text = "0" if tick == 0 else decimal(f"{tick * step:.1f}".replace("0.", ".").replace("-", "−"))
            painter.drawText(QRectF(at - 20, area.bottom() + 2, 40, 14), int(_CENTRE), text)
        painter.setPen(self._theme["muted"])
        painter.drawText(
            QRectF(area.left() + GAP, self._row(0).top(), area.width(), self.row_height()),
            int(_LEFT), tr("the reference"),
        )  # fmt: skip
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for row in range(1, len(view_model.names)):
            middle = self._row(row).center().y()
            value, ends_of = float(values[row]), (float(view_model.low[row]), float(view_model.high[row]))
            if not any(map(math.isnan, ends_of)):
                painter.setPen(QPen(self._theme["text"], 1.4))
                painter.drawLine(QPointF(x(ends_of[0]), middle), QPointF(x(ends_of[1]), middle))
            if not math.isnan(value):
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(self._theme["ink"])
                painter.drawEllipse(QPointF(x(value), middle), 3, 3)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_shares(self, painter: QPainter, view_model: AgreementViewModel, area: QRectF) -> None:
        top = view_model.top_grade
        painter.setFont(self._theme.font(8, numbers=True))
        metrics = QFontMetricsF(painter.font())
        for row, shares in enumerate(view_model.shares.tolist()):
            line = self._row(row)
            x = area.left()
            for grade, share in zip(view_model.scale.tolist(), shares, strict=True):
                if math.isnan(share) or share <= 0:
                    continue
                ground, ink = self._theme.grade(grade, top)
                box = QRectF(x, line.top() + 3, share * area.width(), line.height() - 6)
                painter.fillRect(box.adjusted(0, 0, -1 if box.width() > 3 else 0, 0), ground)
                text = f"{100 * share:.0f}"
                if box.width() > metrics.horizontalAdvance(text) + 5 and self.row_height() >= NUMBERS:
                    painter.setPen(ink)
                    painter.drawText(box, int(_CENTRE), text)
                x += box.width()

    def _paint_pair(self, painter: QPainter, view_model: AgreementViewModel) -> None:
        columns = self.columns()
        left, right = columns["first"].left(), self.width() - MARGIN
        top = self.cells().bottom() + 22
        painter.setPen(self._theme["line"])
        painter.drawLine(QPointF(left, top), QPointF(right, top))
        painter.setFont(self._theme.font(9, weight=600))
        metrics = QFontMetricsF(painter.font())
        painter.setPen(self._theme["ink"])
        title = metrics.elidedText(view_model.pair_title, Qt.TextElideMode.ElideMiddle, (right - left) * 0.55)
        painter.drawText(QRectF(left, top + 4, right - left, 18), int(_LEFT), title)
        painter.setFont(self._theme.font(8.5))
        painter.setPen(self._theme["muted"])
        room = right - left - metrics.horizontalAdvance(title) - MARGIN
        note = QFontMetricsF(painter.font()).elidedText(view_model.pair_note, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRectF(right - room, top + 4, room, 18), int(_RIGHT), note)
        in_line = max(1, math.ceil(len(view_model.pair_statistics) / self._pair_lines()))
        wide = (right - left) / in_line
        for position, statistic in enumerate(view_model.pair_statistics):
            x, y = left + position % in_line * wide, top + 24 + position // in_line * STATISTIC_HEIGHT
            for line, (text, weight, colour) in enumerate(
                (
                    (statistic.title, 600, "muted"),
                    (statistic.value, 600, "ink"),
                    (statistic.interval, 400, "muted"),
                )
            ):
                painter.setFont(self._theme.font(8 if line != 1 else 9.5, weight=weight, numbers=True))
                painter.setPen(self._theme[colour])
                text = QFontMetricsF(painter.font()).elidedText(text, Qt.TextElideMode.ElideRight, wide - 3)
                painter.drawText(QRectF(x, y + 16 * line, wide, 16), int(_LEFT), text)

    # --- pointer and keys ---

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and self._view_model is not None:
            show_tooltip(event.globalPos(), self.tip_at(QPointF(event.pos())), self)
            return True
        return super().event(event)

    def tip_at(self, where: QPointF) -> str:
        """Return the tooltip at a pixel: of a cell, of a row, or of a statistic of the pair."""
        view_model = self._view_model
        if view_model is None or not view_model.names:
            return ""
        row, column = self.cell_at(where)
        if column >= 0:
            return view_model.tip(row, column)
        if row > 0:
            return view_model.tip(0, row)
        left, wide = self.columns()["first"].left(), self.width() - MARGIN
        if where.y() > self.cells().bottom() + 40 and where.x() > left and view_model.pair_statistics:
            count = len(view_model.pair_statistics)
            place = min(count - 1, int((where.x() - left) / max(1.0, wide - left) * count))
            statistic = view_model.pair_statistics[place]
            return f"{statistic.title}: {statistic.meaning}"
        return ""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        hovered = self.cell_at(event.position())
        if hovered != self._hovered:
            self._hovered = hovered
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row, column = self.cell_at(event.position())
        if event.button() != Qt.MouseButton.LeftButton or row < 0:
            super().mousePressEvent(event)
            return
        if column < 0 and row > 0:
            self.chosen.emit(0, row)
        elif column >= 0 and row != column:
            self.chosen.emit(row, column)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        row, column = self.cell_at(event.position())
        if row >= 0 and row != column:
            self.opened.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        view_model = self._view_model
        step = ARROWS.get(Qt.Key(event.key()))
        if view_model is None or not view_model.names:
            super().keyPressEvent(event)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
        elif step is None:
            super().keyPressEvent(event)
        else:
            last = len(view_model.names) - 1
            row, column = view_model.pair
            moved = row + step[0], column + step[1]
            if moved[0] == moved[1]:  # over the diagonal
                moved = moved[0] + step[0], moved[1] + step[1]
            if 0 <= moved[0] <= last and 0 <= moved[1] <= last:
                self.chosen.emit(*moved)

    def _point_nowhere(self) -> None:
        self._hovered = (-1, -1)
