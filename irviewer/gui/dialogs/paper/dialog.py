"""The dialog Export for paper: a table, or a figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from irviewer.gui.dialogs.opening_size import open_within_screen
from irviewer.gui.dialogs.paper.figure_page import FigurePage, ShownFigure
from irviewer.gui.dialogs.paper.table_page import TablePage
from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import Segmented, menu_keys
from irviewer.gui.widgets.enter_key import pressed_by_its_own_enter
from irviewer.gui.widgets.panel import Note
from irviewer.gui.widgets.plain_text import set_tooltip
from irviewer.session.comparison.paper import PaperPreset
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

MARGIN = 14
PAGES = (
    ("table", tr("Table"), tr("One table of runs and measures")),
    ("figure", tr("Figure"), tr("A plot that is on screen, or of the verdict")),
)


BESIDE_FROM = 760
"""In a dialog of fewer pixels of width what is printed stands above the choices, where else it would be cut."""


@guarded
class PaperDialog(QDialog):
    """Shows the pages; below them what they say, and the buttons."""

    def __init__(
        self, session: Session, theme: Theme, window: QWidget, preset: PaperPreset,
        figures: Sequence[ShownFigure] = (), *, painted: bool = False,
    ) -> None:  # fmt: skip
        """With ``painted``, a plot is on screen that can be saved as it is shown, but not drawn for print."""
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Export for paper"))
        self._session = session
        self._theme = theme
        self._begun = False
        self._painted = painted
        self.tables = TablePage(session, theme, preset)
        self.figures = FigurePage(session, theme, figures) if figures else None
        self.pages = Segmented(theme, PAGES, tabs=True)
        self.stack, self.formats = QStackedWidget(), QStackedWidget()
        self.copy_button, self.save_button = QPushButton(tr("Copy")), QPushButton(tr("Save…"))
        self.close_button = QPushButton(tr("Close"))
        self.note = Note()
        self.note.setFont(theme.font(9))
        self._lay_out(window)
        for page in self._all():
            page.said.connect(self._say)
            page.complete.connect(self._show_buttons)
        self.pages.chosen.connect(self.show_page)
        self.close_button.clicked.connect(self.reject)
        self.copy_button.clicked.connect(self._on_copy_clicked)
        self.save_button.clicked.connect(self._on_save_clicked)
        self.save_button.setShortcut(QKeySequence.StandardKey.Save)
        set_tooltip(self.save_button, menu_keys(self.save_button.shortcut().toString()))
        self.finished.connect(self._on_finished)
        self.pages.show_chosen("table")
        self.tables.begin()

    def _all(self) -> list[TablePage | FigurePage]:
        return [self.tables, *([] if self.figures is None else [self.figures])]

    @property
    def page(self) -> TablePage | FigurePage:
        """The page that is shown."""
        return self._all()[self.stack.currentIndex()]

    def show_page(self, name: str) -> None:
        """Show the table or the figure."""
        if name == "figure" and self.figures is None:
            self.pages.show_chosen("table")
            self._say(
                tr("The plot on screen cannot be set for print. Save it as it is shown: Export › Save plot….")
                if self._painted
                else tr("There is no plot on screen. Choose a view with a plot first."),
                "warning",
            )
            return
        self.pages.show_chosen(name)
        place = 1 if name == "figure" else 0
        self.stack.setCurrentIndex(place)
        self.formats.setCurrentIndex(place)
        if self.figures is not None and name == "figure" and not self._begun:
            self._begun = True
            self.figures.begin()
        self._show_buttons()

    def _lay_out(self, window: QWidget) -> None:
        for page in self._all():
            self.stack.addWidget(page)
            holder = QWidget()
            row = QHBoxLayout(holder)
            row.setContentsMargins(0, 0, 0, 0)
            row.addStretch(1)
            row.addWidget(page.formats)
            self.formats.addWidget(holder)
        head = QHBoxLayout()
        head.addWidget(self.pages)
        head.addWidget(self.formats, 1)
        self.formats.setFixedHeight(self.pages.sizeHint().height())
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.note, 1)
        for button in (self.close_button, self.copy_button, self.save_button):
            pressed_by_its_own_enter(button)  # Enter adds a measure
            foot.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, 10, MARGIN, 10)
        layout.setSpacing(8)
        layout.addLayout(head)
        area = QScrollArea()  # a low screen has no room for all fields at once
        area.setWidget(self.stack)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        layout.addWidget(area, 1)
        layout.addLayout(foot)
        room = window.size()
        size = QSize(min(1240, max(820, room.width() - 60)), min(820, max(560, room.height() - 70)))
        open_within_screen(self, size)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for page in self._all():
            page.sides.show_beside(event.size().width() >= BESIDE_FROM)

    def _say(self, text: str, colour: str) -> None:
        self.note.set_ink(self._theme[colour])
        self.note.setText(text)
        self.note.setAccessibleName(text)

    def _show_buttons(self) -> None:
        for button in (self.copy_button, self.save_button):
            button.setEnabled(self.page.is_complete)

    def _on_copy_clicked(self) -> None:
        self.page.copy()

    def _on_save_clicked(self) -> None:
        self.page.save()

    def _on_finished(self) -> None:
        for page in self._all():
            page.end()
        self._session.paper.stop()
