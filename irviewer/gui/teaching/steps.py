"""A measure rank by rank: the next value is hidden until it is revealed or guessed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt
from PySide6.QtGui import (
    QFontMetrics,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme, aligned
from irviewer.gui.widgets.enter_key import pressed_by_its_own_enter
from irviewer.gui.widgets.painting import (
    CHIP_HEIGHT,
    CHIP_WIDTH,
    delta_colour,
    delta_text,
    draw_grade_chip,
    middle_elide,
)
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip
from irviewer.model.half_up import HalfUp
from irviewer.session.view_models.lesson import LessonViewModel, Step
from irviewer.translation import decimal, tr, trn

if TYPE_CHECKING:
    from irviewer.session.session import Session

ROW = 28
FULL_RECALL = tr("full recall")
GUESS = tr("your guess")
FIELD_MARGIN = 24
"""The pixels of a field beside its text."""
MARGIN, RANK, VALUE, DELTA = 12, 30, 66, 66
LEAST_WITH_DELTA = 330
_LEFT = int(aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter))
_RIGHT = int(aligned(Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter))


@guarded
class StepRows(QAbstractScrollArea):
    """The painted rows, one per rank; the next one has a "?". A click on a row selects its document."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._view_model: LessonViewModel | None = None
        self._revealed = 0
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumHeight(2 * ROW)
        self.viewport().setAutoFillBackground(False)
        theme.changed.connect(self._on_theme_changed)

    def show_view_model(self, view_model: LessonViewModel | None, revealed: int) -> None:
        """Show the values down to a rank; the next one is always visible."""
        self._view_model, self._revealed = view_model, revealed
        self._fit()
        self.setAccessibleName(tr("Values rank by rank"))
        self.setAccessibleDescription("; ".join(self.texts()))
        self.viewport().update()

    def texts(self) -> list[str]:
        view_model = self._view_model
        if view_model is None:
            return []
        return [f"{step.rank} {step.document} {self._value(step)}".rstrip() for step in view_model.steps]

    def _count(self) -> int:
        return 0 if self._view_model is None else len(self._view_model.steps)

    def _value(self, step: Step) -> str:
        if step.rank <= self._revealed:
            return "–" if math.isnan(step.value) else decimal(f"{HalfUp(step.value):.4f}")
        return "?" if step.rank == self._revealed + 1 else ""

    def _fit(self) -> None:
        bar = self.verticalScrollBar()
        bar.setRange(0, max(0, self._count() * ROW - self.viewport().height()))
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(ROW)
        below = (min(self._revealed + 1, self._count()) + 1) * ROW - self.viewport().height()
        bar.setValue(max(0, min(max(bar.value(), below), self._revealed * ROW)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        view_model = self._view_model
        row = int(event.position().y() + self.verticalScrollBar().value()) // ROW
        if view_model is not None and 0 <= row < len(view_model.steps):
            self._session.navigation.set_document(view_model.steps[row].document)

    def paintEvent(self, event: QPaintEvent) -> None:
        view_model = self._view_model
        if view_model is None:
            return
        painter = QPainter(self.viewport())
        top, wide = self.verticalScrollBar().value(), self.viewport().width()
        first = top // ROW
        for row in range(first, min(len(view_model.steps), first + self.viewport().height() // ROW + 2)):
            self._paint_row(painter, QRect(0, row * ROW - top, wide, ROW), view_model, view_model.steps[row])

    def _paint_row(self, painter: QPainter, rect: QRect, view_model: LessonViewModel, step: Step) -> None:
        theme = self._theme
        following = step.rank == self._revealed + 1
        if following:
            painter.fillRect(rect, theme["selection"])
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme["ink"])
        painter.setFont(theme.font(9.5, numbers=True))
        painter.setPen(theme["text"])
        painter.drawText(QRect(rect.left(), rect.top(), MARGIN + RANK - 8, ROW), _RIGHT, str(step.rank))
        left = rect.left() + MARGIN + RANK
        chip = QRect(left, rect.top() + (ROW - CHIP_HEIGHT) // 2, CHIP_WIDTH, CHIP_HEIGHT)
        draw_grade_chip(painter, chip, step.grade, view_model.max_grade, theme)
        left += CHIP_WIDTH + 8
        right = rect.right() - MARGIN
        deltas = rect.width() >= LEAST_WITH_DELTA
        if deltas:
            if step.rank <= self._revealed:
                before = view_model.steps[step.rank - 2].value if step.rank > 1 else 0.0
                change = HalfUp(step.value - before)
                painter.setFont(theme.font(9, numbers=True))
                painter.setPen(delta_colour(change, 4, theme))
                painter.drawText(QRect(right - DELTA, rect.top(), DELTA, ROW), _RIGHT, delta_text(change, 4))
            right -= DELTA + 10
        last = step.rank == self._revealed
        painter.setFont(theme.font(9.5, weight=600 if last or following else 400, numbers=True))
        painter.setPen(theme["ink"])
        painter.drawText(QRect(right - VALUE, rect.top(), VALUE, ROW), _RIGHT, self._value(step))
        right -= VALUE + 8
        full = FULL_RECALL if step.rank == view_model.full_recall else ""
        painter.setFont(theme.font(9))
        metrics = QFontMetrics(painter.font())
        if full and right - left > metrics.horizontalAdvance(full) + 70:
            painter.setPen(theme["muted"])
            painter.drawText(QRect(left, rect.top(), right - left, ROW), _RIGHT, full)
            right -= metrics.horizontalAdvance(full) + 10
        painter.setFont(theme.font(9.5))
        painter.setPen(theme["text"])
        name = middle_elide(step.document, QFontMetricsF(painter.font()), right - left)
        painter.drawText(QRect(left, rect.top(), right - left, ROW), _LEFT, name[0] if name else "")
        painter.setPen(theme["line"])
        painter.drawLine(rect.left() + MARGIN, rect.bottom(), rect.right() - MARGIN, rect.bottom())
        if full:
            painter.setPen(QPen(theme["ink"], 1.5, Qt.PenStyle.DashLine))
            painter.drawLine(rect.left() + MARGIN, rect.bottom(), rect.right() - MARGIN, rect.bottom())

    def _on_theme_changed(self) -> None:
        self.viewport().update()


@guarded
class StepsView(QWidget):
    """The rows above a field: Space or Right reveals a value, a number and Enter guesses it, Left hides it again."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self.rows = StepRows(session, theme)
        self.prompt = PlainLabel()
        self.prompt.setFont(theme.font(9.5, weight=600))
        self.field = QLineEdit()
        self.field.setPlaceholderText(GUESS)
        self.field.setFont(theme.font(9.5, numbers=True))
        self.field.setFixedWidth(max(96, self.field.fontMetrics().horizontalAdvance(GUESS) + FIELD_MARGIN))
        self.field.setAccessibleName(tr("Guess the next value"))
        self.field.installEventFilter(self)
        self.reveal_button = QPushButton(tr("Reveal"))
        set_tooltip(self.reveal_button, tr("Space or →"))
        self.reveal_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        pressed_by_its_own_enter(self.reveal_button)
        self.reveal_button.clicked.connect(self._on_reveal_clicked)
        self.feedback = PlainLabel()
        self.feedback.setFont(theme.font(9.5))
        self.feedback.setWordWrap(True)
        self.feedback.setMinimumHeight(34)
        self.feedback.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        asking = QHBoxLayout()
        asking.setSpacing(8)
        asking.addWidget(self.prompt)
        asking.addStretch(1)
        asking.addWidget(self.field)
        asking.addWidget(self.reveal_button)
        below = QVBoxLayout()
        below.setContentsMargins(MARGIN, 8, MARGIN, 6)
        below.setSpacing(6)
        below.addLayout(asking)
        below.addWidget(self.feedback)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.rows, 1)
        layout.addLayout(below)
        self.setFocusProxy(self.field)
        theme.changed.connect(self._on_theme_changed)

    def sizeHint(self) -> QSize:
        return QSize(340, 280)

    def refresh(self) -> None:
        """Show the values revealed so far."""
        view_model, revealed = self._session.teaching.lesson_view_model(), self._session.teaching.revealed
        self.rows.show_view_model(view_model, revealed)
        lesson = self._session.teaching.lesson
        steps = 0 if view_model is None else len(view_model.steps)
        left = view_model is not None and revealed < steps
        if view_model is None or view_model.explanation:
            self.prompt.setText("")
            self.feedback.setText("" if view_model is None else view_model.explanation)
        else:
            self.prompt.setText(
                tr("Value at rank {rank}?", rank=revealed + 1)
                if left
                else trn("{n} rank, revealed", "All {n} ranks revealed", steps)
            )
            self.feedback.setText(lesson.feedback or self._hint(revealed, left))
        self.field.setVisible(bool(steps))
        self.field.setReadOnly(not left)  # it keeps the focus: Left hides a value again
        self.field.setPlaceholderText(GUESS if left else "")
        if self.reveal_button.hasFocus() and not left:  # else Qt would give the focus to the next widget
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.reveal_button.setVisible(left)
        self._on_theme_changed()

    def _hint(self, revealed: int, left: bool) -> str:
        if not left:
            return tr("Press Left to hide the last value again.")
        if revealed:
            return ""
        return tr("To guess, type a number (or 3/5, 60 %) and press Enter. Press Space to reveal the value.")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or watched is not self.field:
            return False
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if event.type() == QEvent.Type.ShortcutOverride and plain and event.text().isalpha():
            event.ignore()  # letters are no part of a number: they stay shortcuts of the window
            return True
        if event.type() == QEvent.Type.ShortcutOverride and self._has_none_of(event):
            event.ignore()  # nothing was typed here: undo the last step instead
            return True
        return event.type() == QEvent.Type.KeyPress and plain and self._hear(event)

    def _has_none_of(self, event: QKeyEvent) -> bool:
        """Return whether a key is undo or redo, and the field has nothing to undo or redo."""
        if event.matches(QKeySequence.StandardKey.Undo):
            return not self.field.isUndoAvailable()
        return event.matches(QKeySequence.StandardKey.Redo) and not self.field.isRedoAvailable()

    def _empty(self) -> None:
        """Clear the field for the next number, without an undo step."""
        self.field.setText("")

    def _hear(self, event: QKeyEvent) -> bool:
        key, empty = event.key(), not self.field.text().strip()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._guess()
        elif key == Qt.Key.Key_Space or (key == Qt.Key.Key_Right and empty):
            self._on_reveal_clicked()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Backspace) and empty:
            self._session.teaching.reveal(-1)
        else:
            return event.text().isalpha()
        return True

    def _guess(self) -> None:
        text = self.field.text()
        if text.strip():
            before = self._session.teaching.revealed
            self._session.teaching.guess(text)
            if self._session.teaching.revealed == before:  # not a number
                self.field.selectAll()
            else:
                self._empty()

    def _on_reveal_clicked(self) -> None:
        self._empty()
        self._session.teaching.reveal(1)

    def _on_theme_changed(self) -> None:
        lesson = self._session.teaching.lesson
        colours = (
            (self.prompt, "ink"),
            (self.feedback, "muted" if not lesson.feedback else "better" if lesson.right else "worse"),
        )
        for label, name in colours:
            label.set_ink(self._theme[name])
