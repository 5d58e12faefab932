"""Queries by an attribute, and runs by a cost: points, with the line of a figure in steps."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QContextMenuEvent,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QMenu

from irviewer.gui.guard import guarded
from irviewer.gui.plots.axes_frame import SIZE, Frame
from irviewer.gui.plots.scatter import Scatter
from irviewer.gui.widgets.painting import draw_group_mark
from irviewer.gui.widgets.picture import savable_picture
from irviewer.gui.widgets.plain_text import set_tooltip
from irviewer.gui.widgets.savable import Savable
from irviewer.session.view_models.attribute_plots import ParameterGridViewModel
from irviewer.tables.judgment_mark import marked_tables
from irviewer.tables.writers.registry import written
from irviewer.translation import decimal, tr

MOST_LEGEND = 140.0
"""The largest width of the names in the legend, in pixels."""


@guarded
class AttributePoints(Scatter):
    """Queries as points over an attribute; they are selected and brushed as in every scatter plot."""

    def frame(self) -> Frame:
        return Frame(self.seen_figure, self._theme, QRectF(self.rect()).adjusted(0, 0, -self.legend_width(), 0))

    def legend_width(self) -> float:
        """Return the width of the legend of groups in pixels; 0 without groups."""
        points = self.points
        if points is None or points.groups is None:
            return 0.0
        metrics = QFontMetricsF(self._theme.font(SIZE))
        longest = max(map(metrics.horizontalAdvance, points.group_names), default=0.0)
        return math.ceil(min(longest, MOST_LEGEND, self.width() / 3)) + 26.0

    def _paint_legend(self, painter: QPainter) -> None:
        """Paint the name of each group beside its sign, right of the points."""
        points = self.points
        if points is None or points.groups is None:
            return
        painter.setFont(self._theme.font(SIZE))
        metrics, left = QFontMetricsF(painter.font()), self.width() - self.legend_width() + 8
        step = min(18.0, (self.height() - 12) / max(1, len(points.group_names)))
        for group, name in enumerate(points.group_names):
            middle = 14 + group * step
            draw_group_mark(painter, QPointF(left, middle), 4.0, group, self._theme)
            painter.setPen(self._theme["text"])
            box = QRectF(left + 9, middle - step / 2, self.width() - left - 11, step)
            text = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, box.width())
            painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter), text)

    def mark_label(self, place: int) -> str:
        figure, points = self._figure, self.points
        if figure is None or points is None or not 0 <= place < len(points.keys):
            return ""
        y = float(points.y[place])
        if math.isnan(y):
            return tr("query {query}: no value", query=points.keys[place])
        label = tr("query {query}: {value:.4f}", query=points.keys[place], value=y)
        if points.groups is not None:
            label = f"{label} · {points.group_names[int(points.groups[place])]}"
        text = self._texts[place] if place < len(self._texts) else ""
        return f"{label} · {text}" if text else label

    def paintEvent(self, event: QPaintEvent) -> None:
        figure, points = self._figure, self.points
        if figure is None or points is None:
            return
        painter = QPainter(self)
        frame = self.frame()
        frame.paint(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.seen.is_zoomed:
            painter.setClipRect(frame.area)
        if self.seen.y.low < 0 < self.seen.y.high:
            painter.setPen(QPen(self._theme["faint"], 1.4))
            painter.drawLine(QPointF(frame.area.left(), frame.y(0.0)), QPointF(frame.area.right(), frame.y(0.0)))
        painter.setPen(QPen(self._theme["muted"], 1.3))
        for curve in figure.curves:
            steps = zip(curve.x.tolist(), curve.y.tolist(), strict=True)
            painter.drawPolyline(QPolygonF([QPointF(frame.x(x), frame.y(y)) for x, y in steps]))
        self._paint_points(painter, frame, points)
        self._paint_rings(painter, points)
        painter.setClipping(False)
        self.paint_names(painter, frame)
        self._paint_legend(painter)
        self.seen.paint(painter, self._theme, frame.area)
        self._paint_marks(painter)

    def paint_names(self, painter: QPainter, frame: Frame) -> None:
        """Paint names beside points; queries have none."""


@guarded
class RunPoints(AttributePoints):
    """Runs as points over a cost, with their names, or by two parameters as a heat map; a click selects the run whose
    differences are shown."""

    _grid: ParameterGridViewModel | None = None
    _cell = (0, 0)

    def show_grid(self, grid: ParameterGridViewModel | None) -> None:
        """Show a heat map instead of points; None shows points."""
        self._grid = grid
        if grid is not None:
            self._figure = None
            self.setAccessibleName(grid.title)
            focused = self._session.view.context
            name = "" if focused is None or focused.focus is None else focused.labels[focused.focus].name
            places = [(row, runs.index(name)) for row, runs in enumerate(grid.runs) if name and name in runs]
            self._go_to(*(places[0] if places else grid.best))
        self.update()

    def _go_to(self, row: int, column: int) -> None:
        """Put the keyboard's place on a cell and name it to screen readers."""
        grid = self._grid
        assert grid is not None
        self._cell = (row, column)
        empty = tr(
            "no run at {first} {x}, {second} {y}",
            first=grid.column_title, x=grid.columns[column], second=grid.row_title, y=grid.rows[row],
        )  # fmt: skip
        self.setAccessibleDescription(self._cell_label(row, column) or empty)
        self.update()

    def savable(self) -> Savable | None:
        if self._grid is None:
            return super().savable()
        grid = self._grid
        return savable_picture(
            self, self._theme, grid.title, self._session.view.judgment_mark, head=(grid.title, grid.note)
        )

    def copy_data(self) -> None:
        if self._grid is None:
            super().copy_data()
            return
        tables = marked_tables([self._grid.table()], self._session.view.judgment_mark)
        QGuiApplication.clipboard().setText(written(tables, "tsv").decode("utf-8", "replace"))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self._grid is None:
            super().contextMenuEvent(event)
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([self.save_action, self.copy_action])
        menu.popup(event.globalPos())

    def cell_box(self, row: int, column: int) -> QRectF:
        """Return the box of a cell of the heat map, row 0 at the bottom."""
        assert self._grid is not None
        left, bottom = 64.0, 40.0
        width = (self.width() - left - 12) / len(self._grid.columns)
        height = (self.height() - bottom - 10) / len(self._grid.rows)
        return QRectF(left + column * width, self.height() - bottom - (row + 1) * height, width, height)

    def _cell_label(self, row: int, column: int) -> str:
        grid = self._grid
        if grid is None or not grid.runs[row][column]:
            return ""
        return tr(
            "{run}: {value:.4f} at {first} {x}, {second} {y}",
            run=grid.runs[row][column], value=float(grid.means[row, column]), first=grid.column_title,
            x=grid.columns[column], second=grid.row_title, y=grid.rows[row],
        )  # fmt: skip

    def paintEvent(self, event: QPaintEvent) -> None:
        grid = self._grid
        if grid is None:
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setFont(self._theme.font(SIZE, numbers=True))
        centre = int(Qt.AlignmentFlag.AlignCenter)
        for row, down in enumerate(grid.rows):
            for column in range(len(grid.columns)):
                box = self.cell_box(row, column).adjusted(1, 1, -1, -1)
                value = float(grid.means[row, column])
                if math.isnan(value):
                    painter.fillRect(box, QBrush(self._theme["line"], Qt.BrushStyle.BDiagPattern))
                    continue
                shade = QColor(self._theme.palette.heat)
                shade.setAlphaF(0.12 + 0.5 * float(grid.shades[row, column]))
                painter.fillRect(box, shade)
                painter.setPen(self._theme["ink"])
                if box.width() > 40 and box.height() > 14:
                    painter.drawText(box, centre, decimal(f"{value:.4f}"))
                if (row, column) == grid.best:
                    painter.setPen(QPen(self._theme["ink"], 2))
                    painter.drawRect(box)
            painter.setPen(self._theme["muted"])
            box = self.cell_box(row, 0)
            painter.drawText(
                QRectF(18, box.top(), 40, box.height()),
                int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter),
                down,
            )
        painter.setPen(self._theme["muted"])
        for column, across in enumerate(grid.columns):
            box = self.cell_box(0, column)
            painter.drawText(QRectF(box.left(), box.bottom() + 2, box.width(), 16), centre, across)
        painter.drawText(QRectF(60, self.height() - 20, self.width() - 70, 18), centre, grid.column_title)
        painter.save()
        painter.translate(10, self.height() / 2 - 14)
        painter.rotate(-90)
        painter.drawText(QRectF(-100, -8, 200, 16), centre, grid.row_title)
        painter.restore()
        if self.hasFocus():
            painter.setPen(QPen(self._theme["ink"], 1.6, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.cell_box(*self._cell).adjusted(4, 4, -4, -4))
        self.paint_focus(painter)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grid is None:
            super().mouseMoveEvent(event)
        else:
            set_tooltip(self, self._cell_label(*self._cell_at(event.position())))

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # runs are few, and their names stand beside them

    def _cell_at(self, where: QPointF) -> tuple[int, int]:
        """The cell at a pixel; the best one outside all."""
        grid = self._grid
        assert grid is not None
        for row in range(len(grid.rows)):
            for column in range(len(grid.columns)):
                if self.cell_box(row, column).contains(where):
                    return row, column
        return grid.best

    def _choose_named(self, name: str) -> None:
        for label in self._session.view.labels():
            if label.name == name:
                self._session.runs.set_focus(label.key)

    def mark_label(self, place: int) -> str:
        points = self.points
        if points is None or not 0 <= place < len(points.keys):
            return ""
        x, y = float(points.x[place]), float(points.y[place])
        if math.isnan(x) or math.isnan(y):
            return tr("{run}: no value", run=points.keys[place])
        return tr("{run}: {value:.4f} at {cost:g}", run=points.keys[place], value=y, cost=x)

    def paint_names(self, painter: QPainter, frame: Frame) -> None:
        points = self.points
        if points is None:
            return
        painter.setFont(self._theme.font(SIZE))
        painter.setPen(self._theme["text"])
        taken: list[QRectF] = []
        metrics = painter.fontMetrics()
        for position, name in enumerate(points.keys):
            if math.isnan(float(points.x[position])):
                continue
            at, width = self.place_of(position), metrics.horizontalAdvance(name)
            left = at.x() + 8 if at.x() + 8 + width <= frame.area.right() + 10 else at.x() - 8 - width
            box = QRectF(left, at.y() - metrics.height() / 2 - 7, width, metrics.height())
            if not any(box.intersects(other) for other in taken):
                taken.append(box)
                painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), name)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._lasso = []
        if self._grid is not None:
            row, column = self._cell_at(event.position())
            self._choose_named(self._grid.runs[row][column])
            return
        place = self.point_at(event.position())
        if place >= 0:
            self._choose(place)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._grid is not None:
            self._press_in_grid(self._grid, event)
            return
        points, step = self.points, {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if points is None or step is None:
            event.ignore()
            return
        order = [position for position in np.argsort(points.x).tolist() if not math.isnan(float(points.x[position]))]
        at = order.index(points.selected) if points.selected in order else -1
        if order:
            self._choose(order[max(0, min(len(order) - 1, at + step))])

    def _press_in_grid(self, grid: ParameterGridViewModel, event: QKeyEvent) -> None:
        """Arrows go from cell to cell, Home and End to the ends of a row, Enter or Space chooses the cell's run."""
        row, column = self._cell
        last_row, last = len(grid.rows) - 1, len(grid.columns) - 1
        places = {
            Qt.Key.Key_Left: (row, max(0, column - 1)),
            Qt.Key.Key_Right: (row, min(last, column + 1)),
            Qt.Key.Key_Up: (min(last_row, row + 1), column),
            Qt.Key.Key_Down: (max(0, row - 1), column),
            Qt.Key.Key_Home: (row, 0),
            Qt.Key.Key_End: (row, last),
        }
        key = Qt.Key(event.key())
        if key in places:
            self._go_to(*places[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._choose_named(grid.runs[row][column])
        else:
            event.ignore()

    def _choose(self, place: int) -> None:
        points = self.points
        if points is not None:
            self._choose_named(points.keys[place])
