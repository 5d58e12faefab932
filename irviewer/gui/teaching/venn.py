"""Retrieved and relevant documents as two circles with areas by number, in the frame of the collection: four sets. A
click on one lists its documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QBoxLayout, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from irviewer.figures.venn import Circles, circles
from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip
from irviewer.gui.widgets.screen_reader import set_role
from irviewer.gui.widgets.scrolled import SCROLL_BAR, Scrolled
from irviewer.hidden_characters import escape_hidden
from irviewer.model.half_up import HalfUp
from irviewer.session.view_models.lesson import LessonViewModel, Sets
from irviewer.translation import decimal, tr, trc, trn

if TYPE_CHECKING:
    from irviewer.session.session import Session

AREAS = ("retrieved_only", "both", "relevant_only", "neither")
LISTS = {
    "retrieved_only": tr("Documents retrieved, not relevant"),
    "both": tr("Documents retrieved and relevant"),
    "relevant_only": tr("Documents relevant, not retrieved"),
    "neither": tr("Documents neither retrieved nor relevant, as far as they are known"),
}
"""Area -> accessible name of the list of its documents."""
NAMES = {
    "retrieved_only": tr("false positives"),
    "both": tr("true positives"),
    "relevant_only": tr("false negatives"),
    "neither": tr("true negatives"),
}
LETTERS = {
    "retrieved_only": trc("false positives", "FP"),
    "both": trc("true positives", "TP"),
    "relevant_only": trc("false negatives", "FN"),
    "neither": trc("true negatives", "TN"),
}
"""Area -> its name in the picture."""
MARGIN = 12.0
FRAME = 5.0
"""Between the widget's edge and the frame of the collection."""
LIST_WIDTH = 196
BESIDE = 170 + LIST_WIDTH + 14 + SCROLL_BAR
"""The least width in pixels for the lists beside the circles."""
UNBOUNDED = 16_777_215
"""The greatest width that Qt knows."""
DOCUMENTS_LEAST = 56
"""The least height in pixels of the list of documents: two of them."""


def number_of(area: str, sets: Sets) -> int | None:
    """Return how many documents an area has; None for the true negatives of a collection whose documents are not
    open."""
    if area == "neither":
        return sets.others
    documents: tuple[str, ...] = getattr(sets, area)
    return len(documents)


def counted(area: str, sets: Sets) -> str:
    """Return the number of documents in an area, as text."""
    count = number_of(area, sets)
    if count is None:
        return tr("all other documents of the collection, neither retrieved nor relevant")
    match area:
        case "both":
            return trn("{n:,} retrieved and relevant", "{n:,} retrieved and relevant", count)
        case "retrieved_only":
            return trn("{n:,} retrieved, not relevant", "{n:,} retrieved, not relevant", count)
        case "relevant_only":
            return trn("{n:,} relevant, not retrieved", "{n:,} relevant, not retrieved", count)
        case _:
            return trn("{n:,} neither retrieved nor relevant", "{n:,} neither retrieved nor relevant", count)


def named(area: str, sets: Sets) -> str:
    """Return the name of an area with its number: ``TP · true positives: 2``."""
    count = number_of(area, sets)
    number = "…" if count is None else decimal(f"{count:,}")
    return f"{LETTERS[area]} · {NAMES[area]}: {number}"


@guarded
class VennPicture(QWidget):
    """The circles; ``chosen`` carries the area that was selected by mouse or key."""

    chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        set_role(self, QAccessible.Role.Chart)
        self._theme = theme
        self._view_model: LessonViewModel | None = None
        self.area = "both"
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(170, 120)  # see BESIDE
        theme.changed.connect(self._on_theme_changed)

    def show_view_model(self, view_model: LessonViewModel | None, area: str) -> None:
        """Show the sets of a view model, with an area selected."""
        self._view_model, self.area = view_model, area
        sets = None if view_model is None else view_model.sets
        words = [f"{NAMES[name]}: {counted(name, sets)}" for name in AREAS] if sets is not None else []
        self.setAccessibleName("; ".join(words))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(300, 200)

    # --- geometry ---

    def _placed(self, sets: Sets) -> tuple[Circles, QPointF, float, float]:
        """Return the circles, the middle of the left one, the pixels per unit, and the height of a line of text."""
        both = len(sets.both)
        drawn = circles(both + len(sets.retrieved_only), both + len(sets.relevant_only), both)
        line = QFontMetricsF(self._theme.font(9)).height()
        start, end, high = drawn.box
        wide, tall = self.width() - 2 * MARGIN, self.height() - 2 * MARGIN - 2 * line - 12
        scale = min(wide / max(1e-9, end - start), max(20.0, tall) / max(1e-9, 2 * high))
        left = MARGIN + (wide - (end - start) * scale) / 2 - start * scale
        return drawn, QPointF(left, MARGIN + line + 4 + tall / 2), scale, line

    @property
    def frame(self) -> QRectF:
        """The frame of the collection, above the line of text."""
        line = QFontMetricsF(self._theme.font(9)).height()
        return QRectF(FRAME, 1, self.width() - 2 * FRAME, self.height() - line - 8)

    def area_at(self, where: QPointF) -> str:
        """Return the area at a point, "" outside the frame of the collection."""
        if self._view_model is None or not self.frame.contains(where):
            return ""
        drawn, middle, scale, _ = self._placed(self._view_model.sets)
        left, right = drawn.areas_at((where.x() - middle.x()) / scale, (where.y() - middle.y()) / scale)
        return "both" if left and right else "retrieved_only" if left else "relevant_only" if right else "neither"

    def middle_of(self, area: str) -> QPointF:
        """Return a point in the middle of an area, on the line through both middles; of the fourth, in the lower right
        corner of the frame."""
        assert self._view_model is not None
        if area == "neither":
            return self.frame.bottomRight() - QPointF(22, 22)
        drawn, middle, scale, _ = self._placed(self._view_model.sets)
        start, end = -drawn.left, drawn.left
        lens_left, lens_right = max(start, drawn.distance - drawn.right), min(end, drawn.distance + drawn.right)
        spans = {
            "retrieved_only": (start, max(start, min(end, lens_left))),
            "both": (lens_left, lens_right),
            "relevant_only": (max(end, drawn.distance - drawn.right), drawn.distance + drawn.right),
        }
        if drawn.distance < drawn.left - drawn.right:  # the right circle is inside the left one
            spans["retrieved_only"] = max(((start, lens_left), (lens_right, end)), key=lambda span: span[1] - span[0])
        start, end = spans[area]
        return QPointF(middle.x() + (start + end) / 2 * scale, middle.y())

    # --- input ---

    def mousePressEvent(self, event: QMouseEvent) -> None:
        area = self.area_at(event.position())
        if area:
            self.chosen.emit(area)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if not step:
            super().keyPressEvent(event)
            return
        self.chosen.emit(AREAS[max(0, min(len(AREAS) - 1, AREAS.index(self.area) + step))])

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        view_model = self._view_model
        if view_model is None:
            return
        theme, sets = self._theme, view_model.sets
        drawn, middle, scale, line = self._placed(sets)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, right = QPainterPath(), QPainterPath()
        left.addEllipse(middle, drawn.left * scale, drawn.left * scale)
        other = QPointF(middle.x() + drawn.distance * scale, middle.y())
        right.addEllipse(other, drawn.right * scale, drawn.right * scale)
        whole = QPainterPath()
        whole.addRoundedRect(self.frame, 4, 4)
        paths = {
            "retrieved_only": left.subtracted(right),
            "both": left.intersected(right),
            "relevant_only": right.subtracted(left),
            "neither": whole.subtracted(left.united(right)),
        }
        strong, ink_on_strong = theme.grade(4, 5)
        grounds = {
            "retrieved_only": (theme["nonrelevant"], theme["nonrelevant_ink"]),
            "both": (strong, ink_on_strong),
            "relevant_only": theme.grade(1, 5),
            "neither": (theme["panel"], theme["text"]),
        }
        for area, path in paths.items():
            painter.fillPath(path, grounds[area][0])
        painter.setPen(QPen(theme.run(view_model.run), 2))
        painter.drawPath(left)
        painter.setPen(QPen(theme["muted"], 1))
        painter.drawPath(right)
        painter.drawPath(whole)
        if not paths[self.area].isEmpty():
            painter.setPen(QPen(theme["ink"], 2.4 if self.hasFocus() else 1.6, Qt.PenStyle.DotLine))
            painter.drawPath(paths[self.area])
        painter.setFont(theme.font(11, weight=600, numbers=True))
        metrics = QFontMetricsF(painter.font())
        for area, path in paths.items():
            count = number_of(area, sets)
            if count == 0 or path.isEmpty():
                continue
            at, text = self.middle_of(area), LETTERS[area] if count is None else decimal(f"{count:,}")
            wide = metrics.horizontalAdvance(text)
            if area == "neither":
                at -= QPointF(max(0.0, wide / 2 - 12), 0)
            inside = (
                path.contains(at)
                and path.contains(at + QPointF(wide / 2, 0))
                and path.contains(at - QPointF(wide / 2, 0))
            )
            if inside:
                painter.setPen(grounds[area][1])
                painter.drawText(
                    QRectF(at.x() - wide, at.y() - line, 2 * wide, 2 * line), Qt.AlignmentFlag.AlignCenter, text
                )
                self._paint_letters(painter, area, path, at + QPointF(0, 0.95 * line), count)
            else:  # no room inside: beside it
                box = path.boundingRect()
                painter.setPen(theme["ink"])
                painter.drawText(
                    QRectF(box.center().x() - 40, box.bottom() - 2, 80, 2 * line), Qt.AlignmentFlag.AlignCenter, text
                )
        self._paint_names(painter, view_model, line)

    def _paint_letters(self, painter: QPainter, area: str, path: QPainterPath, at: QPointF, count: int | None) -> None:
        """Write the letters of an area below its number, where there is room."""
        font = painter.font()
        painter.setFont(self._theme.font(8))
        wide = QFontMetricsF(painter.font()).horizontalAdvance(LETTERS[area]) / 2 + 1
        if count is not None and path.contains(at + QPointF(wide, 5)) and path.contains(at + QPointF(-wide, 5)):
            where = QRectF(at.x() - 20, at.y() - 8, 40, 16)
            painter.drawText(where, Qt.AlignmentFlag.AlignCenter, LETTERS[area])
        painter.setFont(font)

    def _paint_names(self, painter: QPainter, view_model: LessonViewModel, line: float) -> None:
        theme, sets = self._theme, view_model.sets
        painter.setFont(theme.font(9))
        metrics = QFontMetricsF(painter.font())
        retrieved = len(sets.both) + len(sets.retrieved_only)
        relevant = len(sets.both) + len(sets.relevant_only)
        room = (self.width() - 2 * MARGIN - 12) / 2
        for text, flag, x in (
            (tr("retrieved: {count:,}", count=retrieved), Qt.AlignmentFlag.AlignLeft, MARGIN),
            (tr("relevant: {count:,}", count=relevant), Qt.AlignmentFlag.AlignRight, self.width() - MARGIN - room),
        ):
            painter.setPen(theme["text"])
            shown = metrics.elidedText(escape_hidden(text), Qt.TextElideMode.ElideRight, room)
            painter.drawText(QRectF(x, 4, room, line), flag, shown)
        words = f"{NAMES[self.area]}: {counted(self.area, sets)}"
        painter.setPen(theme["muted"])
        below = QRectF(MARGIN, self.height() - line - 4, self.width() - 2 * MARGIN, line)
        painter.drawText(
            below, Qt.AlignmentFlag.AlignCenter, metrics.elidedText(words, Qt.TextElideMode.ElideRight, below.width())
        )

    def _on_theme_changed(self) -> None:
        self.update()


@guarded
class VennView(QWidget):
    """The circles beside the documents of the selected area, above precision and recall as fractions; in a narrow one
    the documents are below the circles, and in a low one both scroll."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._area = "both"
        self._shown: tuple[str, ...] | None = None
        self.picture = VennPicture(theme)
        self.names, self.documents = QListWidget(), QListWidget()
        self.names.setFont(theme.font(9.5, numbers=True))
        self.names.setFrameShape(QListWidget.Shape.NoFrame)
        self.names.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.names.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.names.setAccessibleName(tr("The four sets"))
        self.names.addItems([""] * len(AREAS))
        self.documents.setFont(theme.font(9.5))
        self.documents.setMinimumHeight(DOCUMENTS_LEAST)
        self.documents.setFrameShape(QListWidget.Shape.NoFrame)
        self.documents.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.fractions = PlainLabel()
        self.fractions.setFont(theme.font(9.5, numbers=True))
        self.fractions.setWordWrap(True)
        self.fractions.setContentsMargins(12, 4, 12, 8)
        self._across = across = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        across.setContentsMargins(4, 4, 4, 0)
        across.addWidget(self.picture, 1)
        self.lists = QWidget()
        beside = QVBoxLayout(self.lists)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(2)
        beside.addWidget(self.names)
        beside.addWidget(self.documents, 1)
        self.lists.setFixedWidth(LIST_WIDTH)
        across.addWidget(self.lists)
        content = QWidget()
        content.setLayout(across)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(Scrolled(content), 1)
        layout.addWidget(self.fractions)
        self.setFocusProxy(self.picture)
        self.picture.chosen.connect(self._on_area_chosen)
        self.names.currentRowChanged.connect(self._on_name_chosen)
        self.documents.itemClicked.connect(self._on_document_clicked)
        self.documents.itemActivated.connect(self._on_document_clicked)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = event.size().width() >= BESIDE
        self._across.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)
        self.lists.setMinimumWidth(LIST_WIDTH if beside else 0)
        self.lists.setMaximumWidth(LIST_WIDTH if beside else UNBOUNDED)

    def refresh(self) -> None:
        """Show the sets of the lesson."""
        view_model = self._session.teaching.lesson_view_model()
        self.picture.show_view_model(view_model, self._area)
        if view_model is None:
            return
        sets = view_model.sets
        both, retrieved = len(sets.both), len(sets.both) + len(sets.retrieved_only)
        relevant = both + len(sets.relevant_only)
        parts = [tr("Top {depth}", depth=sets.depth)]
        parts += [f"P = {both}/{retrieved} = {decimal(f'{HalfUp(sets.precision):.4f}')}"] if retrieved else []
        parts += [f"R = {both}/{relevant} = {decimal(f'{HalfUp(sets.recall):.4f}')}"] if relevant else []
        self.fractions.setText("   ".join(parts))
        self.names.blockSignals(True)
        for row, area in enumerate(AREAS):
            item = self.names.item(row)
            item.setText(named(area, sets))
            set_tooltip(item, counted(area, sets))
        self.names.setCurrentRow(AREAS.index(self._area))
        self.names.setFixedHeight(sum(self.names.sizeHintForRow(row) for row in range(len(AREAS))) + 4)
        self.names.blockSignals(False)
        wanted: tuple[str, ...] = getattr(sets, self._area)
        if wanted != self._shown:
            self._shown = wanted
            self.documents.clear()
            self.documents.addItems(list(map(escape_hidden, wanted)))
            self.documents.setAccessibleName(LISTS[self._area])
        selected = self._session.view.document_id
        self.documents.setCurrentRow(wanted.index(selected) if selected in wanted else -1)

    def _on_area_chosen(self, area: str) -> None:
        self._area = area
        self.refresh()

    def _on_name_chosen(self, row: int) -> None:
        if row >= 0:
            self._on_area_chosen(AREAS[row])

    def _on_document_clicked(self, item: QListWidgetItem) -> None:
        self._session.navigation.set_document(item.text())

    def _on_theme_changed(self) -> None:
        palette = self._theme.palette
        for entries in (self.names, self.documents):
            entries.setStyleSheet(
                f"QListWidget {{ background: transparent; color: {palette.text}; border: none; }}"
                f"QListWidget::item {{ padding: 2px 4px; }}"
                f"QListWidget::item:selected {{ background: {palette.selection}; color: {palette.ink}; }}"
            )
