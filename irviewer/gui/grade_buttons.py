"""The grades as buttons and as entries of a menu: judging by mouse, the same wherever a document stands.

The buttons know grades and nothing of the session; the menu's entries judge through it."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QWidget

from irviewer.gui.controls import LinkButton, ThemedButton, command_keys
from irviewer.gui.painting import CHIP_HEIGHT, CHIP_WIDTH, draw_grade_chip, grade_text
from irviewer.gui.plain_text import set_tooltip
from irviewer.gui.theme import Theme

if TYPE_CHECKING:
    from irviewer.session.session import Session

PADDING = 8
"""Pixels on either side of a chip."""


class GradeButton(ThemedButton):
    """A grade that can be given by a click: its chip, framed where the document has it."""

    def __init__(self, theme: Theme, grade: float | None, max_grade: float, padding: int = PADDING) -> None:
        super().__init__(theme)
        self._padding = padding
        self.grade = grade
        self._max_grade = max_grade
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its key is at hand wherever the keys are
        words = "unjudged" if grade is None else f"grade {grade:g}"
        key = command_keys("unjudge") if grade is None else f"{grade:g}"
        self.setAccessibleName(words)
        set_tooltip(self, f"{words} ({key} in judging mode, {command_keys('judging_mode')})")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(CHIP_WIDTH + 2 * self._padding, CHIP_HEIGHT + min(12, 2 * self._padding))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_box(painter, framed=self.isChecked())
        chip = QRect((self.width() - CHIP_WIDTH) // 2, (self.height() - CHIP_HEIGHT) // 2, CHIP_WIDTH, CHIP_HEIGHT)
        grade = math.nan if self.grade is None else self.grade
        draw_grade_chip(painter, chip, grade, self._max_grade, self.theme, yours=self.isChecked())


class GradeButtons(QWidget):
    """A row of grades, "unjudged" last; a menu of them where they have no room. ``given`` carries the grade that was
    clicked, None for unjudged. ``padding``: pixels around each chip."""

    given = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, padding: int = PADDING) -> None:
        super().__init__(parent)
        self._padding = padding
        self._sharing = False
        self._theme = theme
        self._made: tuple[tuple[float, ...], float] = ((), 0.0)
        self.buttons: list[GradeButton] = []
        self.more = LinkButton(theme, "judge…")
        set_tooltip(self.more, f"Give a grade; by digits in judging mode, {command_keys('judging_mode')}")
        self.more.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.more.clicked.connect(self._on_more_clicked)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(2)
        self._row.addWidget(self.more)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def show_grades(self, grades: tuple[float, ...], max_grade: float, now: float | None, *, judged: bool) -> None:
        """These grades to give, with ``now``, None for unjudged, marked; ``judged`` False: there is no document."""
        if (grades, max_grade) != self._made:
            self._made = grades, max_grade
            for button in self.buttons:
                self._row.removeWidget(button)
                button.hide()
                button.deleteLater()
            self.buttons = [GradeButton(self._theme, grade, max_grade, self._padding) for grade in (*grades, None)]
            for place, button in enumerate(self.buttons):
                button.clicked.connect(self._on_clicked)
                self._row.insertWidget(place, button)
            self.updateGeometry()
        for button in self.buttons:
            button.setChecked(judged and button.grade == now)
            button.setEnabled(judged)
        self._share_room()

    def sizeHint(self) -> QSize:
        wide = sum(button.sizeHint().width() + self._row.spacing() for button in self.buttons)
        return QSize(max(0, wide - self._row.spacing()), CHIP_HEIGHT + min(12, 2 * self._padding))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.more.sizeHint().width(), CHIP_HEIGHT + min(12, 2 * self._padding))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def _share_room(self) -> None:
        # What is shown may have the header share its room anew, and this be resized, before the last one is.
        if self._sharing:
            return
        self._sharing, tried = True, -1
        try:
            while tried != self.width():
                tried = self.width()
                whole = self.sizeHint().width() <= tried
                for button in self.buttons:
                    button.setVisible(whole)
                self.more.setVisible(not whole)
        finally:
            self._sharing = False

    def _on_clicked(self) -> None:
        button = self.sender()
        if isinstance(button, GradeButton):
            self.given.emit(button.grade)

    def menu(self) -> QMenu:
        """The same as a menu."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for button in self.buttons:
            action = menu.addAction(button.accessibleName())
            action.setCheckable(True)
            action.setChecked(button.isChecked())
            action.setEnabled(button.isEnabled())
            action.triggered.connect(partial(self.given.emit, button.grade))
        return menu

    def _on_more_clicked(self) -> None:
        self.menu().popup(self.more.mapToGlobal(QPoint(0, self.more.height())))


def add_judging(menu: QMenu, session: Session, query_id: str, doc_id: str) -> None:
    """The submenu "Judge" of a document for a query: every grade, unjudged, and as in the file, the present one ticked;
    nothing where there is no such query, or where one judges blind and the list names runs."""
    if not query_id or not doc_id or session.collection is None:
        return
    judgments = session.judgments
    now = None if judgments is None else judgments.qrels.judgments(query_id).get(doc_id)
    said = None if judgments is None else judgments.overlay.judgment(query_id, doc_id)
    inner = menu.addMenu(f"Judge, now {'unjudged' if now is None else f'grade {grade_text(now)}'}")
    grades = session.grades if now is None or now in session.grades else tuple(sorted((*session.grades, now)))
    for grade in (*grades, None):
        action = inner.addAction("unjudged" if grade is None else f"grade {grade_text(grade)}")
        action.setCheckable(True)
        action.setChecked(grade == now)
        action.setData(grade)
        action.triggered.connect(partial(_judge, session, query_id, doc_id, grade))
    inner.addSeparator()
    as_read = inner.addAction("as in the file")
    as_read.setEnabled(said is not None)
    as_read.triggered.connect(partial(_revert, session, query_id, doc_id))


def _judge(session: Session, query_id: str, doc_id: str, grade: float | None, _checked: bool = False) -> None:
    session.judge_document(query_id, doc_id, grade)


def _revert(session: Session, query_id: str, doc_id: str, _checked: bool = False) -> None:
    session.revert_document(query_id, doc_id)
