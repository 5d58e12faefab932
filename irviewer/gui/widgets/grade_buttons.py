"""Buttons and menu entries for grades, for judging with the mouse.

The buttons know no session; the menu entries judge through it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import LinkButton, ThemedButton, command_keys
from irviewer.gui.widgets.menu_below import open_below
from irviewer.gui.widgets.painting import CHIP_HEIGHT, CHIP_WIDTH, draw_grade_chip, grade_text
from irviewer.gui.widgets.plain_text import set_tooltip
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

PADDING = 8
"""Pixels on either side of a chip."""
UNJUDGED = tr("unjudged")


@guarded
class GradeButton(ThemedButton):
    """A button that gives a grade. It shows the chip of the grade, framed if the document has it."""

    def __init__(self, theme: Theme, grade: float | None, max_grade: float, padding: int = PADDING) -> None:
        super().__init__(theme)
        self._padding = padding
        self.grade = grade
        self._max_grade = max_grade
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # grades have keys
        words = UNJUDGED if grade is None else tr("grade {grade:g}", grade=grade)
        key = command_keys("unjudge") if grade is None else command_keys(f"grade_{grade:g}") or f"{grade:g}"
        self.setAccessibleName(words)
        set_tooltip(
            self,
            tr(
                "{grade} ({key} in judging mode, {mode_keys})",
                grade=words,
                key=key,
                mode_keys=command_keys("judging_mode"),
            ),
        )
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(CHIP_WIDTH + 2 * self._padding, CHIP_HEIGHT + min(12, 2 * self._padding))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_box(painter, framed=self.isChecked())
        chip = QRect((self.width() - CHIP_WIDTH) // 2, (self.height() - CHIP_HEIGHT) // 2, CHIP_WIDTH, CHIP_HEIGHT)
        grade = math.nan if self.grade is None else self.grade
        draw_grade_chip(painter, chip, grade, self._max_grade, self.theme, yours=self.isChecked())


@guarded
class GradeButtons(QWidget):
    """A row of grade buttons, "unjudged" last; a button with a menu if there is no room. ``given`` carries the clicked
    grade, None for unjudged. ``padding``: pixels around each chip."""

    given = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, padding: int = PADDING) -> None:
        super().__init__(parent)
        self._padding = padding
        self._sharing = False
        self._theme = theme
        self._made: tuple[tuple[float, ...], float] = ((), 0.0)
        self.buttons: list[GradeButton] = []
        self.more = LinkButton(theme, tr("judge…"))
        set_tooltip(
            self.more,
            tr("Give a grade. In judging mode ({keys}), digit keys give it.", keys=command_keys("judging_mode")),
        )
        self.more.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.more.clicked.connect(self._on_more_clicked)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(2)
        self._row.addWidget(self.more)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def show_grades(self, grades: tuple[float, ...], max_grade: float, now: float | None, *, judged: bool) -> None:
        """Show these grades, with ``now`` marked (None for unjudged); ``judged`` is False if there is no document."""
        if (grades, max_grade) != self._made:
            self._made = grades, max_grade
            for button in self.buttons:
                self._row.removeWidget(button)
                button.hide()
                button.deleteLater()
            self.buttons = [GradeButton(self._theme, grade, max_grade, self._padding) for grade in (*grades, None)]
            for index, button in enumerate(self.buttons):
                button.clicked.connect(self._on_clicked)
                self._row.insertWidget(index, button)
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
        # Showing buttons may change the layout of the header, and so resize this widget before it returns.
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
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for button in self.buttons:
            action = menu.addAction(button.accessibleName())
            action.setCheckable(True)
            action.setChecked(button.isChecked())
            action.setEnabled(button.isEnabled())
            action.setData(button.grade)
        menu.triggered.connect(self._on_chosen)
        return menu

    def _on_chosen(self, action: QAction) -> None:
        self.given.emit(action.data())

    def _on_more_clicked(self) -> None:
        open_below(self.menu(), self.more)


def add_judging(menu: QMenu, session: Session, query_id: str, doc_id: str) -> None:
    """Add the submenu "Judge" for a document of a query: all grades, unjudged, and as in the file; the current one is
    ticked. Nothing is added without a query or document."""
    if not query_id or not doc_id or session.view.collection is None:
        return
    judgments = session.view.judgments
    now = None if judgments is None else judgments.qrels.judgments(query_id).get(doc_id)
    judgment = None if judgments is None else judgments.overlay.judgment(query_id, doc_id)
    title = tr("Judge (unjudged)") if now is None else tr("Judge (grade {grade})", grade=grade_text(now))
    menu.addMenu(JudgeMenu(menu, title, session, (query_id, doc_id), now, in_file=judgment is None))


class JudgeMenu(QMenu):
    """A menu of grades for a document. ``document`` is (query, document), ``now`` its grade, None for unjudged;
    ``in_file`` is True if the judgment is that of the file."""

    def __init__(
        self,
        parent: QWidget,
        title: str,
        session: Session,
        document: tuple[str, str],
        now: float | None,
        *,
        in_file: bool,
    ) -> None:
        super().__init__(title, parent)
        self._session = session
        self._document = document
        known = session.judging.grades
        for grade in (*(known if now is None or now in known else sorted((*known, now))), None):
            action = self.addAction(UNJUDGED if grade is None else tr("grade {grade}", grade=grade_text(grade)))
            action.setCheckable(True)
            action.setChecked(grade == now)
            action.setData(grade)
        self.addSeparator()
        self._as_read = self.addAction(tr("as in the file"))
        self._as_read.setEnabled(not in_file)
        self.triggered.connect(self._on_chosen)

    def _on_chosen(self, action: QAction) -> None:
        if action is self._as_read:
            self._session.list_judging.revert_document(*self._document)
        else:
            self._session.list_judging.judge_document(*self._document, action.data())
