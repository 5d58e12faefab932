"""The funnel of Stages: a bar for each step with what it loses, each part a button; and the ceiling of the measure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QContextMenuEvent,
    QFontMetrics,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QVBoxLayout, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme, aligned
from irviewer.gui.widgets.controls import ThemedButton
from irviewer.gui.widgets.painting import draw_hatch, draw_lost, draw_room
from irviewer.gui.widgets.panel import Panel
from irviewer.gui.widgets.picture import SavePictureMenu, savable_picture
from irviewer.gui.widgets.plain_text import set_tooltip
from irviewer.gui.widgets.savable import Savable, savable_result
from irviewer.gui.widgets.screen_reader import set_role
from irviewer.hidden_characters import escape_hidden
from irviewer.rendering.palette import ink_on
from irviewer.session.view_models.stages import CeilingBar, FunnelBar, StagesViewModel
from irviewer.translation import decimal, tr, trc

if TYPE_CHECKING:
    from irviewer.session.session import Session

ROW = 42
HEAD = 24
FOOT = 28
BAR = 24
TITLES, MOST_TITLES = 172, 280
NUMBERS = 62
UNJUDGED = 132
GAP = 12
_LEFT = aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter)
_RIGHT = aligned(Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter)
_CENTRE = Qt.AlignmentFlag.AlignCenter
_WRAPPED = _LEFT | Qt.TextFlag.TextWordWrap


@guarded
class FunnelPart(ThemedButton):
    """A part of a bar: what is kept, lost, or has no room. A click makes it the filter of the queries."""

    def __init__(self, theme: Theme, kind: str, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self.kind = kind
        self.setCheckable(True)
        self._bar: FunnelBar | None = None
        self._grades: tuple[float, ...] = ()
        self._max_grade = 1.0

    @property
    def name(self) -> str:
        """The name of the filter of this part."""
        return "" if self._bar is None else self._bar.part(self.kind)

    def show_bar(self, bar: FunnelBar, grades: tuple[float, ...], max_grade: float, chosen: bool) -> None:
        """Show the part of a bar; ``chosen`` if it is the filter."""
        self._bar, self._grades, self._max_grade = bar, grades, max_grade
        tip = {"kept": bar.kept_tip, "lost": bar.lost_tip, "room": bar.room_tip}[self.kind]
        self.setAccessibleName(tip)
        set_tooltip(self, "\n".join((tip, tr("A click shows the queries with such documents"))))
        self.setChecked(chosen)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        bar = self._bar
        if bar is None:
            return
        painter = QPainter(self)
        box = QRectF(self.rect())
        if self.kind == "kept":
            x = 0.0
            for grade, count in zip(self._grades, bar.by_grade, strict=True):
                width = box.width() * count / max(1, bar.relevant)
                painter.fillRect(QRectF(x, 0, width, box.height()), self.theme.grade(grade, self._max_grade)[0])
                x += width
        elif self.kind == "lost":
            draw_lost(painter, box, self.theme)
            text = bar.lost_text
            painter.setFont(self.theme.font(9.5))
            if QFontMetricsF(painter.font()).horizontalAdvance(text) + 8 <= box.width():
                painter.setPen(self.theme["worse"])
                painter.drawText(box, int(_CENTRE), text)
        else:
            draw_room(painter, box, self.theme)
        if self.isChecked() or self.hasFocus() or self.underMouse():
            thick = 2 if self.isChecked() else 1
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self.theme["ink"], thick))
            inset = thick / 2
            painter.drawRect(box.adjusted(inset, inset, -inset, -inset))


@guarded
class Funnel(QWidget):
    """The bars below each other on one scale."""

    part_chosen = Signal(str)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._view_model: StagesViewModel | None = None
        self.parts: list[dict[str, FunnelPart]] = []
        theme.changed.connect(self.update)

    def show_view_model(self, view_model: StagesViewModel) -> None:
        """Show the bars of a view model."""
        self._view_model = view_model
        while len(self.parts) < len(view_model.steps):
            parts_by_kind = {kind: FunnelPart(self._theme, kind, self) for kind in ("kept", "lost", "room")}
            for part in parts_by_kind.values():
                part.clicked.connect(self._on_part_clicked)
            self.parts.append(parts_by_kind)
        for number, parts in enumerate(self.parts):
            bar = view_model.steps[number] if number < len(view_model.steps) else None
            sizes = {} if bar is None else {"kept": bar.relevant, "lost": bar.lost, "room": bar.no_room}
            for kind, part in parts.items():
                part.setVisible(bool(sizes.get(kind)))
                if bar is not None:
                    part.show_bar(bar, view_model.grades, view_model.max_grade, view_model.filter == bar.part(kind))
        self.setMinimumHeight(HEAD + ROW * len(view_model.steps) + FOOT)
        self._place_parts()
        self.update()

    def savable(self) -> Savable | None:
        """Return the funnel as a picture; None before there is one."""
        if self._view_model is None or not self._view_model.steps:
            return None
        return savable_picture(self, self._theme, tr("Stages"), self._session.view.judgment_mark)

    def titles_width(self) -> int:
        """Return the pixels of the names of stages: what they need, up to a third of the width."""
        if self._view_model is None:
            return TITLES
        title_metrics, detail_metrics = (
            QFontMetricsF(self._theme.font(9.5, weight=600)),
            QFontMetricsF(self._theme.font(8.5)),
        )
        needed = max(
            (max(title_metrics.horizontalAdvance(bar.title), detail_metrics.horizontalAdvance(bar.detail[:99]))
             for bar in self._view_model.steps),
            default=0.0,
        )  # fmt: skip
        return max(TITLES, min(math.ceil(needed) + 18, self.width() // 3, MOST_TITLES))

    def _bars(self) -> QRect:
        """Return the room of the bars."""
        left = self.titles_width() + NUMBERS + GAP
        return QRect(left, HEAD, max(60, self.width() - left - UNJUDGED - GAP), max(0, self.height() - HEAD - FOOT))

    def _row(self, number: int) -> int:
        """Return the top of a row; spare height is shared, up to half a row each."""
        count = 0 if self._view_model is None else len(self._view_model.steps)
        spare = max(0, self.height() - HEAD - FOOT - ROW * count)
        return HEAD + number * (ROW + min(ROW // 2, spare // max(1, count)))

    def _place_parts(self) -> None:
        view_model = self._view_model
        if view_model is None:
            return
        room = self._bars()
        most = max((bar.relevant + bar.lost + bar.no_room for bar in view_model.steps), default=0)
        scale = room.width() / max(1, most)
        for bar, parts in zip(view_model.steps, self.parts, strict=False):
            x, top = float(room.left()), self._row(bar.number) + (ROW - BAR) // 2
            for kind, count in (("kept", bar.relevant), ("lost", bar.lost), ("room", bar.no_room)):
                width = max(3.0, count * scale) if count else 0.0
                parts[kind].setGeometry(round(x), top, max(1, round(x + width) - round(x)), BAR)
                x += width

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_parts()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        SavePictureMenu(self, self._session, self.savable).popup(event.globalPos())

    def _on_part_clicked(self) -> None:
        part = self.sender()
        if isinstance(part, FunnelPart):
            self.part_chosen.emit(part.name)

    def paintEvent(self, event: QPaintEvent) -> None:
        view_model = self._view_model
        if view_model is None:
            return
        painter, theme, room = QPainter(self), self._theme, self._bars()
        painter.setFont(theme.font(9, weight=600))
        painter.setPen(theme["muted"])
        titles = self.titles_width()
        painter.drawText(QRect(12, 0, titles, HEAD), int(_LEFT), tr("stage"))
        painter.drawText(QRect(titles, 0, NUMBERS, HEAD), int(_RIGHT), trc("so many documents", "relevant"))
        right = room.right() + 1 + GAP
        heads = tr("relevant documents, and what each stage loses of them"), tr("relevant documents, and those lost")
        head = next((head for head in heads if painter.fontMetrics().horizontalAdvance(head) <= room.width()), heads[1])
        painter.drawText(QRect(room.left(), 0, room.width(), HEAD), int(_LEFT), head)
        painter.drawText(QRect(right, 0, UNJUDGED, HEAD), int(_LEFT), tr("unjudged there"))
        painter.fillRect(QRect(0, HEAD - 1, self.width(), 1), theme["line"])
        for bar in view_model.steps:
            self._paint_row(painter, bar, self._row(bar.number), room)
        self._paint_foot(painter, view_model)

    def _paint_row(self, painter: QPainter, bar: FunnelBar, top: int, room: QRect) -> None:
        theme = self._theme
        painter.setPen(theme["ink"])
        painter.setFont(theme.font(9.5, weight=600))
        titles = self.titles_width()
        title = painter.fontMetrics().elidedText(escape_hidden(bar.title), Qt.TextElideMode.ElideMiddle, titles - 14)
        painter.drawText(QRect(12, top + 4, titles - 14, 18), int(_LEFT), title)
        painter.drawText(QRect(titles, top, NUMBERS, ROW), int(_RIGHT), decimal(f"{bar.relevant:,}"))
        painter.setFont(theme.font(8.5))
        painter.setPen(theme["muted"])
        detail = painter.fontMetrics().elidedText(escape_hidden(bar.detail), Qt.TextElideMode.ElideMiddle, titles - 14)
        painter.drawText(QRect(12, top + 21, titles - 14, 16), int(_LEFT), detail)
        self._paint_words(painter, bar, top, room)
        self._paint_unjudged(painter, bar, QRect(room.right() + 1 + GAP, top, UNJUDGED - GAP, ROW))

    def _paint_words(self, painter: QPainter, bar: FunnelBar, top: int, room: QRect) -> None:
        """Write beside the bar what does not fit into the part that is lost."""
        parts = self.parts[bar.number]
        ends = [part.geometry().right() for part in parts.values() if not part.isHidden()]
        left = max(ends, default=room.left()) + 10
        width = room.right() - left
        theme = self._theme
        lost = parts["lost"]
        inside = not lost.isHidden() and (
            QFontMetricsF(theme.font(9.5)).horizontalAdvance(bar.lost_text) + 8 <= lost.width()
        )
        words = [(bar.lost_text, "worse" if bar.lost else "muted")] if bar.lost_text and not inside else []
        words += [(bar.room_text, "muted")] if bar.room_text else []
        height = ROW // max(1, len(words))
        for place, (text, name) in enumerate(words):
            painter.setFont(theme.font(9.5 if len(words) == 1 else 9, weight=600 if name == "worse" else 400))
            painter.setPen(theme[name])
            line = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, max(0, width))
            painter.drawText(QRect(left, top + place * height, max(0, width), height), int(_LEFT), line)

    def _paint_unjudged(self, painter: QPainter, bar: FunnelBar, box: QRect) -> None:
        theme = self._theme
        painter.setFont(theme.font(8.5))
        painter.setPen(theme["muted"])
        if math.isnan(bar.unjudged):
            painter.drawText(box, int(_LEFT), bar.unjudged_text)
            return
        frame = QRectF(box.left(), box.top() + 9, 84, 9)
        draw_hatch(painter, QRectF(frame.left(), frame.top(), frame.width() * bar.unjudged, frame.height()), theme)
        if bar.unjudged > 0:
            pen = QPen(theme["unjudged_ink"], 1)
            pen.setDashPattern([2.5, 2.0])
            painter.setPen(pen)
            painter.drawRect(QRectF(frame.left(), frame.top(), frame.width() * bar.unjudged, frame.height()))
        painter.setPen(QPen(theme["control_border"], 1))
        painter.drawRect(frame)
        painter.setPen(theme["muted"])
        painter.drawText(QRect(box.left(), box.top() + 20, box.width() + GAP, 18), int(_LEFT), bar.unjudged_text)

    def _paint_foot(self, painter: QPainter, view_model: StagesViewModel) -> None:
        theme, top = self._theme, self.height() - FOOT
        painter.fillRect(QRect(0, top, self.width(), 1), theme["line"])
        painter.setFont(theme.font(9))
        metrics = painter.fontMetrics()
        x = 12
        signs = [(tr("grade {grade:g}", grade=grade), grade) for grade in view_model.grades[-5:]]
        for text, sign in (*signs, (tr("lost"), "lost"), (tr("no room in the top"), "room")):
            box = QRectF(x, top + 9, 12, 11)
            if isinstance(sign, float):
                painter.fillRect(box, theme.grade(sign, view_model.max_grade)[0])
            elif sign == "lost":
                draw_lost(painter, box, theme)
            else:
                draw_room(painter, box, theme)
            painter.setPen(theme["text"])
            width = metrics.horizontalAdvance(text)
            painter.drawText(QRect(x + 18, top, width + 4, FOOT), int(_LEFT), text)
            x += 18 + width + 14
        painter.setPen(theme["muted"])
        room = self.width() - x - 12
        text = metrics.elidedText(view_model.foot, Qt.TextElideMode.ElideRight, max(0, room))
        painter.drawText(QRect(x, top, max(0, room), FOOT), int(_RIGHT), text)


@guarded
class _CeilingRow(QWidget):
    """One order of documents: its title, its mean as a bar, and what is lost."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        set_role(self, QAccessible.Role.Chart)
        self._theme = theme
        self._bar: CeilingBar | None = None
        self._most = 1.0
        self._foil = QColor()
        self.setMinimumHeight(40)
        self.setMaximumHeight(58)

    def show_bar(self, bar: CeilingBar, most: float) -> None:
        """Show a bar on an axis that ends at ``most``."""
        self._bar, self._most = bar, most
        text = "" if math.isnan(bar.value) else decimal(f"{bar.value:.4f}")
        self.setAccessibleName(" · ".join(filter(None, (bar.title, text, bar.lost_text))))
        set_tooltip(self, "\n".join(filter(None, (bar.tip, bar.lost_text))))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(240, 44)

    def paintEvent(self, event: QPaintEvent) -> None:
        bar, theme = self._bar, self._theme
        if bar is None:
            return
        painter = QPainter(self)
        room = QRect(12, 0, self.width() - 24, 20)
        painter.setFont(theme.font(9))
        painter.setPen(theme["worse"])
        lost = bar.lost_text
        painter.drawText(room, int(_RIGHT), lost)
        painter.setPen(theme["text"])
        left = room.width() - painter.fontMetrics().horizontalAdvance(lost) - 8
        title = painter.fontMetrics().elidedText(bar.title, Qt.TextElideMode.ElideMiddle, max(0, left))
        painter.drawText(room, int(_LEFT), title)
        if math.isnan(bar.value):
            return
        scale = room.width() / self._most
        box = QRectF(12, 20, max(1.0, bar.value * scale), 17)
        if bar.run is not None:
            painter.fillRect(box, theme.run(bar.run))
        else:
            pen = QPen(theme["unjudged_ink"], 1)
            pen.setDashPattern([3.0, 2.5])
            painter.setPen(pen)
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
        if bar.lost > 0:
            draw_lost(painter, QRectF(box.right(), 20, bar.lost * scale, 17), theme)
        text = decimal(f"{bar.value:.4f}")
        painter.setFont(theme.font(9.5, weight=600, numbers=True))
        width = painter.fontMetrics().horizontalAdvance(text)
        inside = box.width() > width + 12
        ground = theme.run(bar.run) if bar.run is not None else theme["panel"]
        on_run = bar.run is not None and inside
        painter.setPen(QColor(ink_on(ground.name())) if on_run else theme["ink"])
        at = box.right() - width - 7 if inside else box.right() + 6
        painter.drawText(QRectF(at, 20, width + 2, 17), int(_LEFT), text)


class CeilingPanel(Panel):
    """The ceiling: what the stages reach, what the best order of the last stage's documents would, and all judged."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(theme)
        self._session = session
        self._view_model: StagesViewModel | None = None
        body = QWidget()
        self._rows_layout = QVBoxLayout(body)
        self._rows_layout.setContentsMargins(0, 4, 0, 0)
        self._rows_layout.setSpacing(2)
        self.rows: list[_CeilingRow] = []
        self.foot = _CeilingFoot(theme)
        self._rows_layout.addStretch(1)
        self._rows_layout.addWidget(self.foot)
        self.set_body(body)

    def show_view_model(self, view_model: StagesViewModel) -> None:
        """Show the bars of a view model."""
        self._view_model = view_model
        self.set_title(tr("Ceiling of {measure}", measure=view_model.measure))
        self.set_note(tr("mean of the queries"))
        while len(self.rows) < len(view_model.ceiling):
            row = _CeilingRow(self._theme)
            self._rows_layout.insertWidget(len(self.rows), row)
            self.rows.append(row)
        finite = [bar.value for bar in view_model.ceiling if math.isfinite(bar.value)]
        most = max([1e-9, *finite])
        for number, row in enumerate(self.rows):
            row.setVisible(number < len(view_model.ceiling))
            if number < len(view_model.ceiling):
                row.show_bar(view_model.ceiling[number], most)
        self.foot.show_texts(view_model.ceiling_foot, view_model.ceiling_counts)

    def savable(self) -> Savable | None:
        """Return the means as a table; None before there are any."""
        view_model = self._view_model
        if view_model is None or not view_model.ceiling:
            return None
        result, mark = self._session.stages.result(), self._session.view.judgment_mark
        return None if result is None else savable_result(self.title, [result.table("means")], mark)


@guarded
class _CeilingFoot(QWidget):
    """A line with the difference of the last stage and the first at the left, and its queries at the right."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._texts = ("", "")
        self._fit()
        theme.changed.connect(self.update)

    def _left(self) -> int:
        """Return the pixels beside the counts."""
        metrics = QFontMetrics(self._theme.font(9, numbers=True))
        return max(40, self.width() - 24 - metrics.horizontalAdvance(self._texts[1]) - 8)

    def _fit(self) -> None:
        """Be as high as the text needs, up to three lines."""
        metrics = QFontMetrics(self._theme.font(9, numbers=True))
        box = metrics.boundingRect(QRect(0, 0, self._left(), 1000), int(_WRAPPED), self._texts[0])
        lines = max(1, min(3, round(box.height() / metrics.lineSpacing())))
        self.setFixedHeight(FOOT + (lines - 1) * metrics.lineSpacing())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def show_texts(self, text: str, counts: str) -> None:
        """Show both texts."""
        self._texts = (text, counts)
        self.setAccessibleName(f"{text} · {counts}")
        words = tr("queries on which the last stage is better · equal · worse: {counts}", counts=counts)
        set_tooltip(self, f"{text}\n{words}")
        self._fit()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.fillRect(QRect(0, 0, self.width(), 1), theme["line"])
        painter.setFont(theme.font(9, numbers=True))
        painter.setPen(theme["muted"])
        room = self.rect().adjusted(12, 0, -12, 0)
        text, counts = self._texts
        painter.drawText(room, int(_RIGHT), counts)
        name = "better" if "▲" in text else "worse" if "▼" in text else "text"
        painter.setPen(theme[name])
        painter.drawText(QRect(room.left(), 0, self._left(), self.height()), int(_WRAPPED), text)


class FunnelPanel(Panel):
    """The panel around the funnel, with the stages in its title."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(theme)
        self._session = session
        self._view_model: StagesViewModel | None = None
        self.funnel = Funnel(session, theme)

    def show_view_model(self, view_model: StagesViewModel) -> None:
        """Show the bars of a view model."""
        self._view_model = view_model
        self.set_title(view_model.title)
        self.set_note(view_model.note)
        self.funnel.show_view_model(view_model)

    def savable(self) -> Savable | None:
        """Return the stages as tables of every format, with a row for each query; None before there are any."""
        result = self._session.stages.result()
        return None if result is None else savable_result(tr("Stages"), result.tables, self._session.view.judgment_mark)
