"""A question of a lesson: a field or choices for the answer, and what is said of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from irviewer.gui.guard import guarded
from irviewer.gui.teaching.lesson_html import LessonHtml
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import LinkButton
from irviewer.gui.widgets.enter_key import on_enter, pressed_by_its_own_enter
from irviewer.gui.widgets.painting import full_lines
from irviewer.gui.widgets.plain_text import HtmlLabel
from irviewer.rendering.lesson_text import inline_html_of, plain_of
from irviewer.session.teaching.answers import number_in, right_inside, right_text
from irviewer.session.teaching.points import hint_text, points_text
from irviewer.translation import tr, trc

if TYPE_CHECKING:
    from irviewer.model.lessons.lesson import Question
    from irviewer.session.session import Session


CHOICE_GAP = 22
CHOICE_MARK, LEAST_CHOICE, MOST_LINES = 40, 200, 99
"""The pixels beside the text of a choice, the least for it, and its most lines."""
"""The space between choices beside each other, in pixels."""


@guarded
class QuestionBox(QWidget):
    """The question in view. Enter or the button answers it; a wrong answer can be tried again."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._html = LessonHtml(session, theme, 9.5, self._on_formula_drawn)
        self._asked: tuple[str, int, Question] | None = None
        self.title = HtmlLabel()
        self.title.setFont(theme.font(10.5, weight=600))
        self.title.setWordWrap(True)
        self.feedback = HtmlLabel()
        self.feedback.setFont(theme.font(9.5))
        self.feedback.setWordWrap(True)
        self.field = QLineEdit()
        self.field.setFont(theme.font(10.5, numbers=True))
        self.field.setMaximumWidth(180)
        self.answer_button = QPushButton(trc("of a question, verb", "Answer"))
        self.answer_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        pressed_by_its_own_enter(self.answer_button)
        self.show_button = LinkButton(theme, tr("Show answer"))
        self.hint_button = LinkButton(theme, tr("Hint"))
        self.hint = HtmlLabel()
        self.hint.setFont(theme.font(9.5))
        self.hint.setWordWrap(True)
        self.choices: list[QAbstractButton] = []
        self._compact = False
        self._choices = QGridLayout()
        self._choices.setHorizontalSpacing(CHOICE_GAP)
        self._choices.setVerticalSpacing(2)
        self._above, self._below = QHBoxLayout(), QHBoxLayout()
        self._above.addWidget(self.title, 20)
        for widget in (self.field, self.answer_button, self.show_button, self.hint_button):
            self._below.addWidget(widget)
        self._below.addWidget(self.feedback, 20)
        self._below.addStretch(1)
        layout = self._rows = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(5)
        layout.addLayout(self._above)
        layout.addLayout(self._choices)
        layout.addLayout(self._below)
        layout.addWidget(self.hint)
        for row in (self._above, self._below):
            row.setSpacing(12)
        self.field.returnPressed.connect(self._on_answered)
        self.answer_button.clicked.connect(self._on_answered)
        self.show_button.clicked.connect(self._on_show_clicked)
        self.hint_button.clicked.connect(self._on_hint_clicked)
        theme.changed.connect(self._on_theme_changed)

    def set_compact(self, compact: bool) -> None:
        """Put the field and the buttons beside the question, and choices beside each other, for a class that sees the
        ranks large."""
        if compact == self._compact:
            return
        self._compact = compact
        former, row = (self._below, self._above) if compact else (self._above, self._below)
        for place, widget in enumerate((self.field, self.answer_button, self.show_button, self.hint_button)):
            former.removeWidget(widget)
            row.insertWidget(place + compact, widget, 0, Qt.AlignmentFlag.AlignVCenter)
        self._rows.setSpacing(1 if compact else 5)
        self._place_choices()

    @property
    def inputs(self) -> tuple[QWidget, ...]:
        """Where the question in view is answered; disabled or hidden where it is not asked here."""
        return () if self._asked is None else (*self.choices[:1], self.field)

    def refresh(self) -> None:
        """Show the question in view, and what is said of the last answer; hide without a question."""
        teaching = self._session.teaching
        question, lesson = teaching.question, self._session.lessons.lesson
        self.setVisible(question is not None)
        if question is None or lesson is None:
            self._asked = None
            return
        asked = (lesson.id, teaching.lesson.place, question)
        if asked != self._asked:
            self._asked = asked
            self._ask(question)
        given = teaching.given
        for number, button in enumerate(self.choices):
            button.setEnabled(teaching.is_asking)
            if given is not None and not teaching.is_asking:
                button.setChecked(question.choices[number].right)
            # In class only the right ones stay, and leave the room to the reason.
            button.setVisible(not self._compact or teaching.is_asking or question.choices[number].right)
        in_table = self._session.lecture_table.asks
        self.field.setVisible(not question.choices and not in_table)
        self.field.setEnabled(teaching.is_asking)
        self.answer_button.setVisible(teaching.is_asking and not in_table)
        self.show_button.setVisible(teaching.is_asking and not in_table)
        self.hint_button.setVisible(teaching.is_asking and bool(question.hint) and not teaching.hint)
        self.hint.setText(self._html.text(teaching.hint))
        self.hint.setVisible(bool(teaching.hint))
        self._place_feedback(beside=self._compact and in_table)
        self.feedback.setText("" if in_table and teaching.is_asking else self._feedback(question))
        self.feedback.setVisible(bool(self.feedback.text()))

    def _ask(self, question: Question) -> None:
        self._show_title(question)
        self.hint_button.setText(hint_text(question))
        self.field.clear()
        self.field.setVisible(not question.choices)
        self.field.setEnabled(True)  # it was disabled if the question before was answered
        self.field.setAccessibleName(plain_of(question.title))
        is_number = not question.answer or number_in(right_text(question, None)) is not None
        self.field.setPlaceholderText(tr("a number, or 3/4") if is_number else tr("a word"))
        for button in self.choices:
            self._choices.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.choices = []
        for choice in question.choices:
            button = QCheckBox() if question.several else QRadioButton()
            button.setFont(self._theme.font(9.5))
            button.setAccessibleName(plain_of(choice.text))
            button.setMinimumWidth(CHOICE_MARK)  # its lines follow the width of the window
            button.setParent(self)
            on_enter(button, self._on_answered)
            button.setAutoExclusive(not question.several)
            self.choices.append(button)
        self._place_choices()
        if self.window().isActiveWindow() and not self._session.lecture_table.asks:
            (self.choices[0] if self.choices else self.field).setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_title(self, question: Question) -> None:
        points = points_text(question)
        worth = f" <span style='font-weight:400'>({points})</span>" if points else ""
        self.title.setText(self._html.line(question.title) + worth)
        self.title.setAccessibleName(plain_of(question.title))

    def _place_feedback(self, *, beside: bool) -> None:
        """Put the feedback beside the question, where the answer is given in the table and the ranks need the room, or
        below it."""
        former, row = (self._below, self._above) if beside else (self._above, self._below)
        if former.indexOf(self.feedback) >= 0:
            former.removeWidget(self.feedback)
            row.insertWidget(row.count() if beside else row.count() - 1, self.feedback, 20)

    def _place_choices(self) -> None:
        """Put the choices below each other, or in class in as many columns as have room, row by row; one that is wider
        than the window is broken into lines, as Qt does not."""
        for button in self.choices:
            metrics, width = QFontMetricsF(button.font()), max(LEAST_CHOICE, self.width() - CHOICE_MARK)
            lines, _ = full_lines(button.accessibleName(), metrics, width, MOST_LINES)
            button.setText("\n".join(lines).replace("&", "&&"))
        columns = self._fitting_columns() if self._compact else 1
        for button in self.choices:
            self._choices.removeWidget(button)
        for number, button in enumerate(self.choices):
            self._choices.addWidget(button, number // columns, number % columns)
        for column in range(len(self.choices) + 1):
            self._choices.setColumnStretch(column, int(column == columns))

    def _fitting_columns(self) -> int:
        wide = [button.sizeHint().width() for button in self.choices]
        for columns in range(len(wide), 1, -1):
            if sum(max(wide[column::columns]) + CHOICE_GAP for column in range(columns)) <= self.width():
                return columns
        return 1

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._place_choices()

    def _feedback(self, question: Question) -> str:
        given = self._session.teaching.given
        if given is None:
            return ""
        palette = self._theme.palette
        if given.shown:
            answer = right_inside(question, self._session.teaching.computed(question))
            mark, colour = tr("The answer is: {answer}.", answer=plain_of(answer)), palette.ink
        elif given.right:
            mark, colour = tr("✓ Right."), palette.better
        elif given.rounded:
            mark, colour = tr("≈ {answer} is right, but rounded too far.", answer=given.text), palette.ink
        else:
            text = "" if question.choices else given.text
            mark = tr("✗ {answer} is not right.", answer=text) if text else tr("✗ Not right.")
            colour = palette.worse
        mark_html = f"<span style='color:{colour}'><b>{inline_html_of(_as_text(mark))}</b></span>"
        if self._compact:  # in one paragraph
            return " ".join((mark_html, *(self._html.line(part) for part in given.reason.split("\n\n") if part)))
        return f"<p>{mark_html}</p>{self._html.text(given.reason)}"

    def _on_answered(self) -> None:
        question = self._session.teaching.question
        if question is None or not self._session.teaching.is_asking:
            return
        if question.choices:
            self._session.teaching.choose([n for n, button in enumerate(self.choices) if button.isChecked()])
        else:
            self._session.teaching.answer(self.field.text())
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)
            self.field.selectAll()

    def _on_show_clicked(self) -> None:
        self._session.teaching.show_answer()

    def _on_hint_clicked(self) -> None:
        self._session.teaching.show_hint()

    def _on_formula_drawn(self) -> None:
        asked = self._session.teaching.question
        if self._asked is not None and asked == self._asked[2]:
            self._show_title(asked)
            self.refresh()

    def _on_theme_changed(self) -> None:
        self._on_formula_drawn()  # formulas are pictures in the colour of the text


def _as_text(text: str) -> str:
    """Return a text in which no character is a mark of Markdown."""
    return "".join(f"\\{character}" if character in "\\`*_{}[]<>&#+-.!|~" else character for character in text)
