"""The presenter's view: a window of its own for the lecturer, with the text, the answer and what comes next, while the
main window shows the ranks to the class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QCloseEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from irviewer.commands import find, run_command
from irviewer.gui.dialogs.opening_size import room_of
from irviewer.gui.guard import guarded
from irviewer.gui.teaching.lesson_html import LessonHtml
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.enter_key import pressed_by_its_own_enter
from irviewer.gui.widgets.plain_text import HtmlLabel, PlainLabel
from irviewer.model.lessons.lesson import Item, Lesson, Question, Step
from irviewer.rendering.lesson_text import plain_of
from irviewer.session.teaching.answers import right_inside
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

SIZE = (560, 640)
LEAST_POINTS, MOST_POINTS, PIXELS_A_POINT = 11, 20, 64
"""The size of the text, which grows with the width of the window: it is read from some way off."""
COMMANDS = ("lesson_back", "do_it", "lesson_next")
"""The commands that the lecturer has here, with their shortcuts."""


@guarded
class PresenterView(QWidget):
    """Title and place; the text, also of a step that is not done yet; the answer to a question; the next item; buttons.
    It closes with the lesson's presentation, and closing it ends that."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._points = LEAST_POINTS
        self._html = LessonHtml(session, theme, self._points, self.refresh)
        self.setWindowTitle(tr("Presenter’s view – irviewer"))
        self.resize(QSize(*SIZE).boundedTo(room_of(self)))
        self.title, self.place, self.next = PlainLabel(), PlainLabel(), PlainLabel()
        self.text, self.answer = HtmlLabel(), HtmlLabel()
        self._set_fonts()
        for label in (self.text, self.answer):
            label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
            label.setWordWrap(True)
        for plain in (self.title, self.next):
            plain.setWordWrap(True)
        inside = QWidget()
        page = QVBoxLayout(inside)
        page.addWidget(self.text)
        page.addWidget(self.answer)
        page.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidget(inside)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setAccessibleName(tr("Text and answer"))
        self.buttons: dict[str, QPushButton] = {}
        row = QHBoxLayout()
        slots = dict(zip(COMMANDS, (self._on_back_asked, self._on_do_asked, self._on_next_asked), strict=True))
        for name in COMMANDS:
            command = find(session, name)
            button = self.buttons[name] = QPushButton(command.title)
            button.clicked.connect(slots[name])
            pressed_by_its_own_enter(button)
            row.addWidget(button)
            for keys in command.shortcuts:
                shortcut = QShortcut(QKeySequence(keys), self)
                shortcut.activated.connect(slots[name])
        layout = QVBoxLayout(self)
        for widget in (self.title, self.place):
            layout.addWidget(widget)
        layout.addWidget(scroll, 1)
        layout.addWidget(self.next)
        layout.addLayout(row)
        theme.changed.connect(self.refresh)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        points = min(MOST_POINTS, max(LEAST_POINTS, self.width() // PIXELS_A_POINT))
        if points != self._points:
            self._points = points
            self._html = LessonHtml(self._session, self._theme, points, self.refresh)
            self._set_fonts()
            self.refresh()

    def _set_fonts(self) -> None:
        theme, points = self._theme, self._points
        self.title.setFont(theme.font(points + 1, weight=600))
        self.place.setFont(theme.font(points - 1, numbers=True))
        for label in (self.text, self.answer, self.next):
            label.setFont(theme.font(points))

    def refresh(self) -> None:
        """Show the place of the lesson in view."""
        teaching, lesson = self._session.teaching, self._session.lessons.lesson
        if lesson is None:
            return
        place, item = teaching.lesson.place, teaching.item
        self.title.setText(lesson.title)
        self.place.setText(tr("{place} of {count}", place=place + 1, count=len(lesson.items) + 1))
        text = _text(lesson, item)
        self.text.setText(self._html.text(text))
        self.text.setAccessibleName(plain_of(text))
        answer = _answer(item, None if not isinstance(item, Question) else teaching.computed(item))
        self.answer.setText(self._html.text(answer))
        self.answer.setAccessibleName(plain_of(answer))
        self.answer.setVisible(bool(answer))
        following = lesson.item_at(place + 1) if place < len(lesson.items) else None
        title = tr("The end of the lesson.") if following is None else _next(following)
        self.next.setText(title)
        for name, button in self.buttons.items():
            button.setEnabled(find(self._session, name).enabled(self._session))

    def _on_back_asked(self) -> None:
        run_command(self._session, "lesson_back")

    def _on_do_asked(self) -> None:
        run_command(self._session, "do_it")

    def _on_next_asked(self) -> None:
        run_command(self._session, "lesson_next")

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self._session.teaching.set_presented(False)


def _text(lesson: Lesson, item: Item | None) -> str:
    if item is None:
        return lesson.text
    parts = [f"**{item.title}**", item.text]
    if isinstance(item, Question):
        parts += [tr("Hint: {hint}", hint=item.hint)] if item.hint else []
        marks = ("✓" if choice.right else "✗" for choice in item.choices)
        parts += [f"{mark} {choice.text}" for mark, choice in zip(marks, item.choices, strict=True)]
    return "\n\n".join(filter(None, parts))


def _answer(item: Item | None, computed: float | None) -> str:
    """Return the answer to a question with its reason, and the wrong answers that are expected; "" without one. Choices
    have marks already."""
    if not isinstance(item, Question):
        return ""
    parts = [] if item.choices else [tr("The answer is: {answer}.", answer=right_inside(item, computed))]
    parts.append(item.because)
    parts += [choice.reason for choice in item.choices if choice.right]
    parts += [tr("{answer} is wrong: {reason}", answer=wrong.answer, reason=wrong.reason) for wrong in item.wrong]
    return "\n\n".join(filter(None, parts))


def _next(item: Item) -> str:
    if isinstance(item, Step):
        return tr("Next step: {title}", title=plain_of(item.title))
    return tr("Next question: {title}", title=plain_of(item.title))
