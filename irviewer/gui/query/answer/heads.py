"""The heads of the answers, and the line of status with the legend."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.query.answer.nuggets import CIRCLE
from irviewer.gui.query.answer.signs import LEFT, RIGHT, draw_label, draw_named
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import ChoiceButton, swatch_icon
from irviewer.gui.widgets.menu_below import open_below
from irviewer.gui.widgets.painting import draw_grade_chip, draw_swatch
from irviewer.gui.widgets.panel import ElidedLabel
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip
from irviewer.hidden_characters import escape_hidden
from irviewer.model.answers.labels import FULL, NONE, PARTIAL, UNJUDGED
from irviewer.rendering.run_label import RunLabel
from irviewer.session.session import Session
from irviewer.session.view_models.answers import AnswerViewModel, sentences_text
from irviewer.translation import tr, trn


@guarded
class AnswerHead(QWidget):
    """Which system's answer is below, how long it is, and what the boxes at the right are."""

    def __init__(self, session: Session, theme: Theme, place: int) -> None:
        super().__init__()
        self._session, self._theme, self._place = session, theme, place
        self._view_model: AnswerViewModel | None = None
        self._menu: QMenu | None = None
        self.system = ChoiceButton(theme, bold=True, most=190)
        self.words = ElidedLabel()
        self.words.setFont(theme.font(9))
        self.note = PlainLabel()
        self.note.setFont(theme.font(9))
        row = QHBoxLayout(self)
        row.setContentsMargins(6, 2, 10, 2)
        row.setSpacing(8)
        row.addWidget(self.system)
        row.addWidget(self.words, 1)
        row.addWidget(self.note)
        self.setFixedHeight(30)
        self.system.clicked.connect(self._on_clicked)
        theme.changed.connect(self._on_colours_changed)
        self._on_colours_changed()

    def show_view_model(self, view_model: AnswerViewModel) -> None:
        """Show the head of the answer at this place."""
        self._view_model = view_model
        if self._place >= len(view_model.shown):
            return
        place = view_model.shown[self._place]
        label = view_model.labels[place]
        star = " ★" if label.baseline else ""
        self.system.show_choice(f"{label.name}{star}", tr("The system whose answer is shown"), self._theme.run(label),
                                tuple(f"{name}{star}" for name in label.shorter_names))  # fmt: skip
        self.words.setText(sentences_text(view_model, place))
        answer = view_model.topic.systems[place]
        self._over = answer.words > view_model.budget
        self.note.setText(tr("cites rank") if view_model.topic.listed else tr("cites reference"))
        set_tooltip(
            self.words,
            trn(
                "The file states {n:,} word",
                "The file states {n:,} words",
                answer.declared,
            )
            if answer.declared >= 0
            else "",
        )
        self._on_colours_changed()

    _over = False

    def _on_colours_changed(self) -> None:
        for label, name in ((self.words, "worse" if self._over else "muted"), (self.note, "muted")):
            label.set_ink(self._theme[name])

    def menu(self) -> QMenu:
        """Return the systems that can be shown first."""
        menu = QMenu(self)
        for place, label in enumerate(() if self._view_model is None else self._view_model.labels):
            action = menu.addAction(label.name.replace("&", "&&") + (" ★" if label.baseline else ""))
            action.setIcon(swatch_icon(self._theme.run(label), True, self._theme["control_border"]))
            action.setData(label.key)
            action.setCheckable(True)
            action.setChecked(self._view_model is not None and self._view_model.lead == place)
        menu.triggered.connect(self._on_chosen)
        return menu

    def _on_clicked(self) -> None:
        self._menu = open_below(self.menu(), self.system, self._menu)

    def _on_chosen(self, action: QAction) -> None:
        self._session.answers.set_lead(action.data())


@guarded
class SystemsLegend(QWidget):
    """Swatches and short names of the systems, in the order of their circles."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._view_model: AnswerViewModel | None = None
        self.setFixedHeight(24)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_view_model(self, view_model: AnswerViewModel | None) -> None:
        former, self._view_model = self._view_model, view_model
        if former is not None and view_model is not None and former.labels == view_model.labels:
            return
        names = [] if view_model is None else [label.name for label in view_model.labels]
        self.setMinimumWidth(CIRCLE * len(names))
        set_tooltip(self, "\n".join(names))
        self.setAccessibleName(", ".join(names))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(150, 24)

    def paintEvent(self, event: QPaintEvent) -> None:
        view_model, theme = self._view_model, self._theme
        if view_model is None or not view_model.labels:
            return
        painter = QPainter(self)
        painter.setFont(theme.font(8.5))
        metrics = QFontMetrics(painter.font())
        names = whole_names(view_model.labels, self.width() - 21 * len(view_model.labels), metrics.horizontalAdvance)
        if not names:  # above the circles
            left = self.width() - CIRCLE * len(view_model.labels) + 7  # the list goes further right than its head
            for place, label in enumerate(view_model.labels):
                box = QRect(left + CIRCLE * place + (CIRCLE - 9) // 2, self.height() // 2 - 5, 9, 9)
                draw_swatch(painter, box, theme.run(label), True)
            return
        x = float(self.width() - sum(metrics.horizontalAdvance(name) + 21 for name in names))
        for label, name in zip(view_model.labels, names, strict=True):
            x = draw_named(painter, max(0.0, x), self.height() / 2, name, theme.run(label), theme) + 8


def whole_names(labels: Sequence[RunLabel], room: int, width: Callable[[str], int]) -> tuple[str, ...]:
    """Return names of runs that have ``room`` for all, the short ones or the shortest; () without: a name is never cut,
    as the part in which it differs would be."""
    shorts = tuple([escape_hidden(label.short) for label in labels])
    shortest = tuple([escape_hidden(min((label.short, *label.shorter_names), key=len)) for label in labels])
    return next((names for names in (shorts, shortest) if sum(map(width, names)) <= room), ())


@guarded
class AnswerStatus(QWidget):
    """Who assigned and graded, what is odd, and the legend of the signs."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._view_model: AnswerViewModel | None = None
        self._text = ""
        self.setFixedHeight(22)
        theme.changed.connect(self.update)

    def show_view_model(self, view_model: AnswerViewModel) -> None:
        """Say who made the labels of a view model."""
        former, self._view_model = self._view_model, view_model
        parts = []
        if view_model.assigners:
            parts.append(tr("assigned in {files}: what an assigner says, not facts",
                            files=", ".join(view_model.assigners)))  # fmt: skip
        parts += view_model.notes
        if view_model.hints and view_model.topic.nuggets:
            parts.append(tr("≈ shares words, a hint only"))
        if view_model.topic.nuggets or not view_model.assigners:
            parts += view_model.missing
        text = " · ".join(parts)
        if former is not None and text == self._text and (former.graded_by, former.max_grade) == (
            view_model.graded_by, view_model.max_grade,
        ):  # fmt: skip
            return
        self._text = text
        self.setAccessibleName(text)
        set_tooltip(self, "\n".join(parts))
        self.update()

    @property
    def text(self) -> str:
        """What is said, in one line."""
        return self._text

    def paintEvent(self, event: QPaintEvent) -> None:
        view_model, theme = self._view_model, self._theme
        if view_model is None:
            return
        painter = QPainter(self)
        painter.setFont(theme.font(8.5))
        metrics = QFontMetrics(painter.font())
        middle, x = self.height() / 2, float(self.width() - 6)
        for label, text in ((UNJUDGED, tr("not judged")), (NONE, tr("not said")), (PARTIAL, tr("in part")),
                            (FULL, tr("said"))):  # fmt: skip
            width = metrics.horizontalAdvance(text)
            painter.setPen(theme["text"])
            painter.drawText(QRectF(x - width, 0, width + 2, self.height()), int(LEFT), text)
            draw_label(painter, QPointF(x - width - 9, middle), label, theme, 4.5)
            x -= width + 27
        if view_model.graded_by:
            text = tr("grade ({judge})", judge=view_model.graded_by)
            text = metrics.elidedText(escape_hidden(text), Qt.TextElideMode.ElideMiddle, 150)
            width = metrics.horizontalAdvance(text)
            painter.setPen(theme["text"])
            painter.drawText(QRectF(x - width, 0, width + 2, self.height()), int(RIGHT), text)
            x -= width + 6
            top = int(view_model.max_grade)
            for grade in range(min(top, 4), -1, -1):
                draw_grade_chip(painter, QRect(round(x) - 18, 3, 16, 15), float(grade), view_model.max_grade, theme)
                x -= 20
        painter.setPen(theme["muted"])
        shown = metrics.elidedText(escape_hidden(self._text), Qt.TextElideMode.ElideMiddle, max(0, round(x) - 18))
        painter.drawText(QRectF(6, 0, x - 12, self.height()), int(LEFT), shown)
