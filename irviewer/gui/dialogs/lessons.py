"""The dialog that lists the lessons of all courses: title, source, what each shows, and what is done of it.

It knows courses and progress, no session: a callback opens the chosen lesson."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QListView,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme, aligned
from irviewer.gui.widgets.enter_key import pressed_by_its_own_enter
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.model.lessons.course import Course, CourseEntry
from irviewer.model.lessons.lesson import Lesson
from irviewer.model.lessons.progress import LessonProgress
from irviewer.rendering.lesson_text import first_paragraph
from irviewer.translation import tr, trn

ROW, HEAD_ROW = 48, 34
WIDTH, HEIGHT = 760, 520
NOTE_GAP = 12
"""The least space between a title and its note, in pixels."""
DONE = "✓"
_ROLE = int(Qt.ItemDataRole.UserRole)
_LEFT = int(aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter))
_RIGHT = int(aligned(Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter))


class Chapter(NamedTuple):
    """The head of a chapter."""

    title: str
    lessons: tuple[Lesson, ...]


Row = Course | Chapter | CourseEntry
"""A row: the head of a course or a chapter, or a lesson."""


@guarded
class _Lessons(QAbstractListModel):
    """The lessons of courses. Each course has a head where there are several; it cannot be selected, nor can a lesson
    that cannot be read."""

    def __init__(
        self, courses: Sequence[Course], progress: Callable[[Lesson], LessonProgress], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.progress = progress
        self._courses = courses
        self._rows: list[Row] = _rows(courses, "")

    def filter(self, text: str) -> None:
        """List the lessons whose title, text, source or chapter has all words of a text."""
        self.beginResetModel()
        self._rows = _rows(self._courses, text)
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        return Qt.ItemFlag.NoItemFlags if self.lesson(index.row()) is None else super().flags(index)

    def lesson(self, row: int) -> Lesson | None:
        """Return the lesson of a row; None if it has none."""
        entry = self._rows[row] if 0 <= row < len(self._rows) else None
        return entry.lesson if isinstance(entry, CourseEntry) else None

    def row_of(self, lesson: Lesson | None) -> int:
        """Return the row of a lesson, or of the first one if it is not listed."""
        rows = [row for row in range(len(self._rows)) if self.lesson(row) is not None]
        return next((row for row in rows if self.lesson(row) == lesson), rows[0] if rows else -1)

    def tell(self) -> None:
        """Say that the progress has changed."""
        self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, 0))

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        if not 0 <= index.row() < len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == _ROLE:
            return row
        if role not in (int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.AccessibleTextRole)):
            return None
        if isinstance(row, Course | Chapter):
            return f"{row.title}. {done_text(row.lessons, self.progress)}"
        if row.lesson is None:
            return f"{Path(row.path).name}. {_fault_text(row)}"
        progress = self.progress(row.lesson)
        notes = [f"{note}." for note in (progress_text(progress), missed_note(progress)) if note]
        return " ".join(filter(None, (f"{row.lesson.title}.", *notes, _shows(row.lesson))))


@guarded
class _Painter(QStyledItemDelegate):
    def __init__(self, theme: Theme, model: _Lessons, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        row = index.data(_ROLE)
        return QSize(200, ROW if isinstance(row, CourseEntry) else HEAD_ROW)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row, theme, rect = index.data(_ROLE), self._theme, QRect(option.rect)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme["selection"])
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme["ink"])
        room = rect.adjusted(14, 5, -14, -5)
        if isinstance(row, Course):
            self._line(painter, room, row.title, done_text(row.lessons, self._model.progress), 10, 700, "ink")
        elif isinstance(row, Chapter):
            self._line(painter, room, row.title, done_text(row.lessons, self._model.progress), 9.5, 600, "muted")
        elif isinstance(row, CourseEntry):
            upper, lower = QRect(room), QRect(room)
            upper.setHeight(room.height() // 2)
            lower.setTop(upper.bottom() + 1)
            lesson, left = row.lesson, QFontMetrics(theme.font(9.5, weight=600)).horizontalAdvance(f"{DONE} ")
            if lesson is None:
                upper.setLeft(upper.left() + left)
                lower.setLeft(lower.left() + left)
                self._line(painter, upper, Path(row.path).name, "", 9.5, 600, "muted")
                self._line(painter, lower, _fault_text(row), "", 9, 400, "warning")
                return
            progress = self._model.progress(lesson)
            if progress.is_done:
                self._line(painter, upper, DONE, "", 9.5, 600, "ink")
            upper.setLeft(upper.left() + left)
            lower.setLeft(lower.left() + left)
            notes = ("" if progress.is_done else progress_text(progress), missed_note(progress), lesson.source)
            note = " · ".join(filter(None, notes))
            self._line(painter, upper, lesson.title, note, 9.5, 600, "ink")
            self._line(painter, lower, _shows(lesson), "", 9, 400, "text")

    def _line(self, painter: QPainter, box: QRect, text: str, note: str, size: float, weight: int, ink: str) -> None:
        """Paint a text, and a note at the right."""
        theme, font = self._theme, self._theme.font(size, weight=weight)
        room, cut = QRect(box), Qt.TextElideMode.ElideMiddle
        if note:  # the title has the room before its note has it
            painter.setFont(theme.font(9))
            painter.setPen(theme["muted"])
            left = max(box.width() // 5, box.width() - QFontMetrics(font).horizontalAdvance(text) - NOTE_GAP - 4)
            shown = QFontMetrics(painter.font()).elidedText(note, cut, left)
            painter.drawText(box, _RIGHT, shown)
            room.setRight(room.right() - QFontMetrics(painter.font()).horizontalAdvance(shown) - NOTE_GAP)
        painter.setFont(font)
        painter.setPen(theme[ink])
        painter.drawText(room, _LEFT, QFontMetrics(font).elidedText(text, cut, room.width()))


def progress_text(progress: LessonProgress) -> str:
    """Return what is done of a lesson: "" if it was not begun."""
    if progress.is_done:
        return tr("done")
    if not progress.is_begun:
        return ""
    return trn("{done} of {n} question", "{done} of {n} questions", progress.questions, done=progress.answered)


def missed_note(progress: LessonProgress) -> str:
    """Return how many questions of a lesson there are to come back to; "" for none."""
    n = len(progress.missed)
    return trn("{n} to come back to", "{n} to come back to", n) if n else ""


def done_text(lessons: Sequence[Lesson], progress: Callable[[Lesson], LessonProgress]) -> str:
    """Return how many lessons of a course are done."""
    done = sum(progress(lesson).is_done for lesson in lessons)
    return trn("{done} of {n} lesson done", "{done} of {n} lessons done", len(lessons), done=done)


def _rows(courses: Sequence[Course], text: str) -> list[Row]:
    """Return the rows of courses: a head for each where there are several, one for each chapter, and the lessons that
    have all words of a text."""
    words = text.casefold().split()
    rows: list[Row] = []
    for course in courses:
        matching = [entry for entry in course.entries if all(word in _searched(entry) for word in words)]
        rows += [course] if len(courses) > 1 and matching else []
        chapter = ""
        for entry in matching:
            if entry.chapter and entry.chapter != chapter:
                of_chapter = [each.lesson for each in course.entries if each.chapter == entry.chapter]
                rows.append(Chapter(entry.chapter, tuple(each for each in of_chapter if each is not None)))
            chapter = entry.chapter
            rows.append(entry)
    return rows


def _searched(entry: CourseEntry) -> str:
    lesson = entry.lesson
    about = () if lesson is None else (lesson.title, lesson.id, lesson.source, lesson.text)
    return " ".join((Path(entry.path).name, entry.chapter, *about)).casefold()


def _fault_text(entry: CourseEntry) -> str:
    """Return why a lesson cannot be read, with its line."""
    fault = entry.fault
    if fault is None or not fault.line:
        return "" if fault is None else fault.reason
    return tr("line {line}: {reason}", line=fault.line, reason=fault.reason)


def _shows(lesson: Lesson) -> str:
    return first_paragraph(lesson.text)


class LessonsDialog(QDialog):
    """A list of lessons. Enter, a double click or the button opens the selected one."""

    def __init__(
        self, theme: Theme, window: QWidget, courses: Sequence[Course], current: Lesson | None, *,
        progress: Callable[[Lesson], LessonProgress],
        reset: Callable[[Sequence[Lesson]], Callable[[], object]],
        open_lesson: Callable[[Lesson], object],
    ) -> None:  # fmt: skip
        """``courses`` in the order of the list; ``current`` is selected first. ``reset`` forgets the progress in some
        lessons and returns what undoes that."""
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Open lesson"))
        self._courses = courses
        self._progress = progress
        self._reset = reset
        self._undo: Callable[[], object] | None = None
        self._open_lesson = open_lesson
        self.head = PlainLabel("")
        self.head.setFont(theme.font(9.5))
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(tr("Filter lessons"))
        self.filter.setAccessibleName(tr("Filter lessons"))
        self.filter.setClearButtonEnabled(True)
        self.list = QListView()
        self.model = _Lessons(courses, progress, self.list)
        self.list.setModel(self.model)
        self.list.setItemDelegate(_Painter(theme, self.model, self.list))
        self.list.setAccessibleName(tr("Lessons"))
        self.list.setStyleSheet(
            f"QListView {{ border: 1px solid {theme.palette.control_border}; border-radius: 5px; }}"
        )
        self.list.doubleClicked.connect(self._on_double_clicked)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.open_button = QPushButton(tr("Open"))
        self.open_button.setDefault(True)
        self.reset_button = QPushButton()
        pressed_by_its_own_enter(self.reset_button)
        buttons.addButton(self.open_button, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(self.reset_button, QDialogButtonBox.ButtonRole.ResetRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.reset_button.clicked.connect(self._on_reset_clicked)
        self.accepted.connect(self._on_accepted)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 18, 18, 14)
        layout.addWidget(self.head)
        layout.addWidget(self.filter)
        layout.addWidget(self.list, 1)
        layout.addWidget(buttons)
        # With large type the window may be smaller than the dialog.
        self.resize(min(WIDTH, max(200, window.width() - 40)), min(HEIGHT, max(200, window.height() - 60)))
        self.filter.textChanged.connect(self._on_filtered)
        self.list.selectionModel().currentChanged.connect(self._on_current_changed)
        self.list.setCurrentIndex(self.model.index(self.model.row_of(current), 0))
        self.list.scrollTo(self.list.currentIndex(), QListView.ScrollHint.PositionAtCenter)
        self._refresh()
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def course(self) -> Course | None:
        """The course of the selected lesson."""
        lesson = self.model.lesson(self.list.currentIndex().row())
        return next((course for course in self._courses if lesson in course.lessons), None)

    def _refresh(self) -> None:
        course, text = self.course, tr("Small textbook collections. Each has a text, steps and questions.")
        if len(self._courses) == 1:
            text = f"{text} {done_text(self._courses[0].lessons, self._progress)}."
        self.head.setText(text)
        begun = course is not None and any(self._progress(lesson).is_begun for lesson in course.lessons)
        self.reset_button.setText(tr("Reset progress") if self._undo is None else tr("Undo reset"))
        self.reset_button.setEnabled(begun or self._undo is not None)
        self.model.tell()

    def _on_reset_clicked(self) -> None:
        """Forget the progress in the course of the selected lesson, or undo that."""
        if self._undo is not None:
            self._undo()
            self._undo = None
        elif (course := self.course) is not None:
            self._undo = self._reset(course.lessons)
        self._refresh()

    def _on_filtered(self, text: str) -> None:
        current = self.model.lesson(self.list.currentIndex().row())
        self.model.filter(text)
        self.list.setCurrentIndex(self.model.index(self.model.row_of(current), 0))
        self.open_button.setEnabled(self.model.lesson(self.list.currentIndex().row()) is not None)
        self._refresh()

    def _on_current_changed(self) -> None:
        self._undo = None
        self._refresh()

    def _on_double_clicked(self, index: QModelIndex) -> None:
        if self.model.lesson(index.row()) is not None:
            self.accept()

    def _on_accepted(self) -> None:
        lesson = self.model.lesson(self.list.currentIndex().row())
        if lesson is not None:
            self._open_lesson(lesson)
