"""Two judges grade by grade, painted: the table with margins and the line of the level, and relevant against not.

A click chooses a cell, with Ctrl further ones; the line of the level can be dragged."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from irviewer.figures.figure import Figure
from irviewer.gui.guard import guarded
from irviewer.gui.plots.painted_plot import ARROWS, PaintedFigure
from irviewer.gui.theme import Theme, aligned
from irviewer.gui.widgets.painting import CHIP_HEIGHT, CHIP_WIDTH, draw_grade_chip
from irviewer.gui.widgets.screen_reader import set_role
from irviewer.model.number_text import limit
from irviewer.rendering.palette import ink_on
from irviewer.session.session import Session
from irviewer.session.view_models.judges.confusion import ConfusionViewModel
from irviewer.translation import decimal, tr

LEFT, TOP, MARGINS, BELOW = 62.0, 46.0, 96.0, 62.0
WIDEST, HIGHEST = 92.0, 58.0
NEAR = 7.0
"""The distance from the line of the level within which it is dragged, in pixels."""
_CENTRE = Qt.AlignmentFlag.AlignCenter
_LEFT = aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter)


@guarded
class ConfusionTable(PaintedFigure):
    """The table of a :class:`ConfusionViewModel`; ``chosen`` carries cells as (row, column) grades, ``level_moved`` the
    grade from which documents are relevant."""

    chosen = Signal(object)
    level_moved = Signal(float)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._view_model: ConfusionViewModel | None = None
        self._dragged = -1
        self._across = True  # whether the vertical part of the line is dragged
        self.setMinimumSize(300, 250)

    @property
    def figure(self) -> Figure | None:
        return None

    @property
    def picture_title(self) -> str:
        """The two judges; "" before there are any."""
        return "" if self._view_model is None else self.accessibleName()

    def show_view_model(self, view_model: ConfusionViewModel) -> None:
        """Show the counts of two judges, and name them to a screen reader."""
        self._view_model = view_model
        self.setAccessibleName(
            tr("{first} by {second}", first=view_model.shown_names[0], second=view_model.shown_names[1])
        )
        self.setAccessibleDescription(view_model.list_title)
        self.update()

    # --- geometry ---

    def _size(self) -> tuple[float, float]:
        count = 1 if self._view_model is None else max(1, len(self._view_model.grades))
        wide = min(WIDEST, (self.width() - LEFT - MARGINS) / count)
        return wide, min(HIGHEST, (self.height() - TOP - BELOW) / count)

    def box(self, row: int, column: int) -> QRectF:
        """Return the rectangle of a cell."""
        wide, high = self._size()
        return QRectF(LEFT + column * wide, TOP + row * high, wide, high)

    def _cell_at(self, where: QPointF) -> tuple[int, int] | None:
        count = 0 if self._view_model is None else len(self._view_model.grades)
        wide, high = self._size()
        row, column = int((where.y() - TOP) // high), int((where.x() - LEFT) // wide)
        return (row, column) if 0 <= row < count and 0 <= column < count else None

    def _line(self) -> int:
        """Return the number of grades below the level."""
        view_model = self._view_model
        assert view_model is not None
        return sum(grade < view_model.level for grade in view_model.grades)

    # --- paint ---

    def paintEvent(self, event: QPaintEvent) -> None:
        view_model = self._view_model
        if view_model is None or view_model.counts is None or view_model.shares is None:
            return
        painter = QPainter(self)
        theme, count = self._theme, len(view_model.grades)
        self._paint_heads(painter, view_model)
        for row in range(count):
            for column in range(count):
                box = self.box(row, column)
                share = view_model.shares.item(row, column)
                colour = _shaded(theme, 0.0 if share != share else share)
                painter.fillRect(box.adjusted(0, 0, -1, -1), colour)
                painter.setPen(QColor(ink_on(colour.name())))
                number = decimal(f"{view_model.counts.item(row, column):,}")
                painter.setFont(theme.font(9.5, numbers=True))
                if box.height() >= 34:
                    painter.drawText(box.adjusted(0, 0, 0, -box.height() / 2 + 3), int(_bottom()), number)
                    painter.setFont(theme.font(8, numbers=True))
                    text = "" if share != share else decimal(f"{100 * share:.1f} %")
                    painter.drawText(box.adjusted(0, box.height() / 2 + 2, 0, 0), int(_top()), text)
                else:
                    painter.drawText(box, int(_CENTRE), number)
        self._paint_margins(painter, view_model)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme["muted"], 1))
        for position in range(count):
            painter.drawRect(self.box(position, position).adjusted(0, 0, -1, -1))
        self._paint_level(painter, count)
        painter.setPen(QPen(theme["ink"], 2.4))
        for cell in view_model.cells:
            painter.drawRect(self.box(*cell).adjusted(1, 1, -1, -1))
        self.paint_focus(painter)

    def _paint_heads(self, painter: QPainter, view_model: ConfusionViewModel) -> None:
        wide, high = self._size()
        count = len(view_model.grades)
        painter.setFont(self._theme.font(9, weight=600))
        painter.setPen(self._theme["muted"])
        metrics = painter.fontMetrics()
        cut = Qt.TextElideMode.ElideMiddle
        across = QRectF(LEFT, 0, count * wide, 20)
        second = metrics.elidedText(view_model.shown_names[1], cut, int(across.width()))
        painter.drawText(across, int(_CENTRE), second)
        painter.save()
        painter.translate(12, TOP + count * high / 2)
        painter.rotate(-90)
        first = metrics.elidedText(view_model.shown_names[0], cut, int(count * high))
        painter.drawText(QRectF(-count * high / 2, -10, count * high, 20), int(_CENTRE), first)
        painter.restore()
        for position, grade in enumerate(view_model.grades):
            box = self.box(position, 0)
            chip = QRect(int(LEFT) - CHIP_WIDTH - 8, int(box.center().y()) - CHIP_HEIGHT // 2, CHIP_WIDTH, CHIP_HEIGHT)
            draw_grade_chip(painter, chip, grade, view_model.top_grade, self._theme)
            box = self.box(0, position)
            chip = QRect(int(box.center().x()) - CHIP_WIDTH // 2, int(TOP) - CHIP_HEIGHT - 5, CHIP_WIDTH, CHIP_HEIGHT)
            draw_grade_chip(painter, chip, grade, view_model.top_grade, self._theme)

    def _paint_margins(self, painter: QPainter, view_model: ConfusionViewModel) -> None:
        assert view_model.counts is not None
        rows, columns = view_model.counts.sum(axis=1), view_model.counts.sum(axis=0)
        total, most = max(1, int(view_model.counts.sum())), max(1, int(max(rows.max(), columns.max())))
        painter.setFont(self._theme.font(8, numbers=True))
        count = len(view_model.grades)
        for position, grade in enumerate(view_model.grades):
            colour = self._theme.grade(grade, view_model.top_grade)[0]
            box = self.box(position, count - 1)
            n = int(rows[position])
            bar = QRectF(box.right() + 10, box.center().y() - 13, (MARGINS - 16) * n / most, 10)
            painter.fillRect(bar, colour)
            painter.setPen(self._theme["muted"])
            text = decimal(f"{n:,} · {100 * n / total:.0f} %")
            painter.drawText(QRectF(bar.left(), bar.bottom() + 2, MARGINS, 14), int(_LEFT), text)
            box = self.box(count - 1, position)
            n = int(columns[position])
            bar = QRectF(box.left() + 4, box.bottom() + 8, (box.width() - 8) * n / most, 10)
            painter.fillRect(bar, colour)
            painter.drawText(QRectF(bar.left(), bar.bottom() + 2, box.width(), 14), int(_LEFT), decimal(f"{n:,}"))
            painter.drawText(
                QRectF(bar.left(), bar.bottom() + 15, box.width(), 14), int(_LEFT), decimal(f"{100 * n / total:.0f} %")
            )

    def _paint_level(self, painter: QPainter, count: int) -> None:
        place = self._line() if self._dragged < 0 else self._dragged
        wide, high = self._size()
        pen = QPen(self._theme["ink"], 1.6)
        pen.setStyle(Qt.PenStyle.DotLine)
        painter.setPen(pen)
        x, y = LEFT + place * wide - 0.5, TOP + place * high - 0.5
        painter.drawLine(QPointF(x, TOP - 24), QPointF(x, TOP + count * high + 24))
        painter.drawLine(QPointF(LEFT - 30, y), QPointF(LEFT + count * wide + 60, y))

    # --- pointer and keys ---

    def _on_line(self, where: QPointF) -> bool:
        wide, high = self._size()
        place = self._line()
        return abs(where.x() - LEFT - place * wide) < NEAR or abs(where.y() - TOP - place * high) < NEAR

    def mousePressEvent(self, event: QMouseEvent) -> None:
        view_model = self._view_model
        if view_model is None or event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        if self._on_line(event.position()):
            self._dragged = self._line()
            wide, high = self._size()
            left, top = LEFT + self._dragged * wide, TOP + self._dragged * high
            self._across = abs(event.position().x() - left) <= abs(event.position().y() - top)
            return
        cell = self._cell_at(event.position())
        if cell is None:
            self.chosen.emit([])
            return
        cells = list(view_model.cells) if event.modifiers() & Qt.KeyboardModifier.ControlModifier else []
        self._choose([*[other for other in cells if other != cell], *([] if cell in cells else [cell])])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._view_model is None:
            return
        if self._dragged < 0:
            near = self._on_line(event.position())
            self.setCursor(Qt.CursorShape.SizeAllCursor if near else Qt.CursorShape.ArrowCursor)
            return
        wide, high = self._size()
        across, down = (event.position().x() - LEFT) / wide, (event.position().y() - TOP) / high
        moved = across if self._across else down
        self._dragged = max(1, min(len(self._view_model.grades) - 1, round(moved)))
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._dragged < 0 or self._view_model is None:
            return
        place, self._dragged = self._dragged, -1
        if place != self._line():
            self.level_moved.emit(self._view_model.grades[place])
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        view_model = self._view_model
        step = ARROWS.get(Qt.Key(event.key()))
        if view_model is None or step is None or not view_model.grades:
            super().keyPressEvent(event)
            return
        row, column = view_model.cells[-1] if view_model.cells else (0, 0)
        last = len(view_model.grades) - 1
        self._choose([(max(0, min(last, row + step[0])), max(0, min(last, column + step[1])))])

    def _choose(self, cells: list[tuple[int, int]]) -> None:
        assert self._view_model is not None
        grades = self._view_model.grades
        self.chosen.emit([(grades[row], grades[column]) for row, column in cells])


@guarded
class LevelTable(QWidget):
    """Relevant against non-relevant under two judges, and how many each calls relevant; a click chooses the cells."""

    chosen = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        set_role(self, QAccessible.Role.Chart)
        self._theme = theme
        self._view_model: ConfusionViewModel | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(216, 240)

    def show_view_model(self, view_model: ConfusionViewModel) -> None:
        """Show which judge takes how many documents for relevant, of four kinds, also to a screen reader."""
        self._view_model = view_model
        neither, second, first, both = view_model.two_by_two
        self.setAccessibleName(
            tr(
                "Relevant from grade {level}: both {both:,}, only {first} {n_first:,}, only {second} {n_second:,}, "
                "neither {neither:,}",
                level=limit(view_model.level), both=both, first=view_model.shown_names[0], n_first=first,
                second=view_model.shown_names[1], n_second=second, neither=neither,
            )
        )  # fmt: skip
        self.update()

    def _box(self, row: int, column: int) -> QRectF:
        return QRectF(34 + column * 86, 44 + row * 44, 86, 44)

    def paintEvent(self, event: QPaintEvent) -> None:
        view_model = self._view_model
        if view_model is None or not view_model.grades:
            return
        painter, theme, level = QPainter(self), self._theme, limit(view_model.level)
        painter.setPen(theme["panel_border"])
        painter.setBrush(theme["panel"])
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.setFont(theme.font(8.5, weight=600))
        painter.setPen(theme["muted"])
        painter.drawText(QRectF(0, 4, self.width(), 18), int(_CENTRE), tr("relevant from grade {level}", level=level))
        neither, second, first, both = view_model.two_by_two
        counts = ((neither, second), (first, both))
        signs = (f"<{level}", f"≥{level}")
        painter.setFont(theme.font(8, numbers=True))
        cut = Qt.TextElideMode.ElideMiddle
        painter.setPen(theme["muted"])
        first_name, second_name = view_model.shown_names
        across, up = QRectF(34, 19, 172, 14), QRectF(-44, -7, 88, 14)
        fitting = painter.fontMetrics().elidedText
        painter.drawText(across, int(_CENTRE), fitting(second_name, cut, int(across.width())))
        painter.save()
        painter.translate(11, 88)
        painter.rotate(-90)
        painter.drawText(up, int(_CENTRE), fitting(first_name, cut, int(up.width())))
        painter.restore()
        for position, sign in enumerate(signs):
            painter.drawText(QRectF(34 + position * 86, 31, 86, 14), int(_CENTRE), sign)
            painter.save()
            painter.translate(26, 44 + position * 44 + 22)
            painter.rotate(-90)
            painter.drawText(QRectF(-22, -7, 44, 14), int(_CENTRE), sign)
            painter.restore()
        for row in range(2):
            total = max(1, sum(counts[row]))
            for column in range(2):
                box, number = self._box(row, column), counts[row][column]
                colour = _shaded(theme, number / total)
                painter.fillRect(box.adjusted(0, 0, -1, -1), colour)
                painter.setPen(QColor(ink_on(colour.name())))
                painter.setFont(theme.font(9.5, numbers=True))
                painter.drawText(box.adjusted(0, 0, 0, -18), int(_bottom()), decimal(f"{number:,}"))
                painter.setFont(theme.font(8, numbers=True))
                painter.drawText(box.adjusted(0, 25, 0, 0), int(_top()), decimal(f"{100 * number / total:.1f} %"))
        pairs = max(1, sum(view_model.two_by_two))
        painter.setFont(theme.font(8.5, weight=600))
        painter.setPen(theme["muted"])
        y = 146.0
        painter.drawText(QRectF(8, y, self.width(), 16), int(_LEFT), tr("prevalence, ≥{level}", level=level))
        painter.setFont(theme.font(8.5, numbers=True))
        for position, (name, number) in enumerate(
            zip(view_model.shown_names, (first + both, second + both), strict=True)
        ):
            line = y + 18 + 20 * position
            painter.setPen(theme["text"])
            text = painter.fontMetrics().elidedText(name, cut, 76)
            painter.drawText(QRectF(8, line, 80, 18), int(_LEFT), text)
            painter.fillRect(QRectF(90, line + 5, 70, 8), theme["recess"])
            colour = theme.grade(view_model.top_grade, view_model.top_grade)[0]
            painter.fillRect(QRectF(90, line + 5, 70 * number / pairs, 8), colour)
            painter.drawText(QRectF(164, line, 50, 18), int(_LEFT), decimal(f"{100 * number / pairs:.1f} %"))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        view_model = self._view_model
        if view_model is None:
            return
        for row in range(2):
            for column in range(2):
                if self._box(row, column).contains(event.position()):
                    level = view_model.level
                    cells = [
                        (first, second)
                        for first in view_model.grades
                        for second in view_model.grades
                        if (first >= level) == bool(row) and (second >= level) == bool(column)
                    ]
                    self.chosen.emit(cells)


def _bottom() -> Qt.AlignmentFlag:
    return aligned(Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignBottom)


def _top() -> Qt.AlignmentFlag:
    return aligned(Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignTop)


def _shaded(theme: Theme, share: float) -> QColor:
    """Return the grey of a share of a row."""
    ground, dark = theme["panel"], theme["heat"]
    share = min(1.0, 0.05 + 0.6 * share)
    first, second = (ground.red(), ground.green(), ground.blue()), (dark.red(), dark.green(), dark.blue())
    return QColor(*[round(low + (high - low) * share) for low, high in zip(first, second, strict=True)])
