"""The base class of ranked lists and strips: view model, hovered document, keys, tooltips, menus, copying.

The layout is in the subclasses, which implement the hooks."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from irviewer.commands import Command, find, run_command
from irviewer.gui.guard import guarded
from irviewer.gui.query.rankings.document_area import DocumentArea
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import menu_keys
from irviewer.gui.widgets.grade_buttons import add_judging
from irviewer.rendering.run_label import RunLabel
from irviewer.session.changes import Change
from irviewer.session.view_models.judges.judging import own_words
from irviewer.session.view_models.query import QueryViewModel
from irviewer.session.view_models.spoken import SpokenTable
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

CHANGES = frozenset(
    {
        Change.WORKSPACE, Change.COLLECTION, Change.RUNS, Change.MEASURE, Change.QUERY, Change.DOCUMENT, Change.MODE,
        Change.LESSON,
    }
)  # fmt: skip

EDITS = ("document_up", "document_down", "document_top", "document_to_rank", "swap_documents", "remove_document")
"""The commands of a document in an edited list."""

_UNMODIFIED = Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier


@guarded
class Rankings(DocumentArea):
    """The painted rankings of one query. Subclasses implement the hooks at the end of this class."""

    def __init__(self, session: Session, theme: Theme, name: str, least: QSize, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, name, parent)
        self._view_model: QueryViewModel | None = None
        self._followed = ""  # the document that was scrolled to, until the user scrolls
        self.setMinimumSize(least)
        for bar in (self.verticalScrollBar(), self.horizontalScrollBar()):
            bar.actionTriggered.connect(self._on_scrolled_by_hand)

    @property
    def view_model(self) -> QueryViewModel | None:
        """The view model shown."""
        return self._view_model

    @property
    def selected(self) -> str:
        """The selected document, "" if there is none."""
        return self._session.view.document_id or ""

    def refresh(self, changes: frozenset[Change]) -> None:
        """Show the view model if it may have changed."""
        if not changes & CHANGES:
            return
        view_model, old = self._session.view_models.query_view_model(), self._view_model
        if view_model is not old:
            self._view_model = view_model
            self._set_view_model(view_model, old)
            self.spoken.spoken.show_table(None if view_model is None else self._spoken_table(view_model))
        new_query = view_model is not None and (
            old is None or old.query_id != view_model.query_id
        )  # also when a project was opened
        if changes & {Change.DOCUMENT, Change.QUERY} or new_query:
            self._followed = self.selected
            self._bring_into_sight()
        cell = self._spoken_cell()
        if cell is not None:
            self.spoken.go_to(*cell)
        self.viewport().update()

    def own_words(self, doc_id: str) -> str:
        """Return the user's judgment of a document beside that of the file; "" if there is none."""
        row = None if self._view_model is None else self._view_model.own.get(doc_id)
        return "" if row is None else own_words(row, self._session.judging.assessor)

    # geometry and painting

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.spoken.cover()
        self._lay_out()
        # Selecting a document changes the size: a document that was scrolled to stays visible.
        if self._followed and self._followed == self.selected:
            self._bring_into_sight()

    def _on_scrolled_by_hand(self, action: int) -> None:
        self._followed = ""

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()  # headers and axes stay and lines cross rows: nothing can be scrolled as pixels

    def scrolled(self) -> QPoint:
        """Return how far the content is scrolled."""
        return QPoint(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._theme["panel"])
        self._paint(painter)

    # pointing

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self._menu(None if event.reason() == QContextMenuEvent.Reason.Keyboard else event.pos())
        if menu is not None:
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(event.globalPos())

    def document_menu(self, run: RunLabel | None = None) -> QMenu:
        """Return the menu of the selected document in the list of a run: in an edited copy it can be moved and
        removed."""
        menu = QMenu(self)
        if run is not None and run.is_copy:
            for command in EDITS:
                action = menu.addAction(_titled(find(self._session, command)))
                action.setData((command, run.key))
                action.triggered.connect(self._on_edit_asked)
            menu.addSeparator()
        menu.addAction(tr("Read document")).triggered.connect(self._on_reading_asked)
        pin = tr("Pin document") if self._session.documents.pinned_document is None else tr("Unpin document")
        for title, command in ((pin, "pin_document"), (tr("Documents ranked above…"), "why_not")):
            action = menu.addAction(title)
            action.setData(command)
            action.triggered.connect(self._on_command_asked)
        menu.addAction(tr("Copy document id")).triggered.connect(self.copy)
        menu.addSeparator()
        add_judging(menu, self._session, self._session.view.query_id, self.selected)
        return menu

    def _on_reading_asked(self) -> None:
        self.document_asked.emit()

    def _on_command_asked(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            run_command(self._session, str(action.data()))

    def _on_edit_asked(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            command, key = action.data()
            if key != self._session.run_editing.edited_run:
                self._session.runs.set_focus(key)  # commands edit this copy from now on
            run_command(self._session, command)

    def copy(self) -> bool:
        """Copy the id of the selected document to the clipboard; return False if none is selected."""
        if not self.selected:
            return False
        QApplication.clipboard().setText(self.selected)
        return True

    # the keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            return
        plain = not event.modifiers() & ~_UNMODIFIED
        if not plain or not self._can_walk() or not (self._walk(Qt.Key(event.key())) or self._leave(event.key())):
            super().keyPressEvent(event)

    def _leave(self, key: int) -> bool:
        """Deselect the document with Escape, then unpin the pinned one; return whether there was one."""
        return key == Qt.Key.Key_Escape and self._session.documents.leave_document()

    # hooks

    @abstractmethod
    def _set_view_model(self, view_model: QueryViewModel | None, old: QueryViewModel | None) -> None:
        """Take a new view model."""

    @abstractmethod
    def _spoken_table(self, view_model: QueryViewModel) -> SpokenTable:
        """Return the contents as texts for screen readers."""

    @abstractmethod
    def _spoken_cell(self) -> tuple[int, int] | None:
        """Return row and column of the selected document in the texts for screen readers; None for none."""

    @abstractmethod
    def _lay_out(self) -> None:
        """Lay out the contents for the view model and the size, and set the scroll bars."""

    @abstractmethod
    def _paint(self, painter: QPainter) -> None:
        """Paint everything visible; the background is already painted."""

    def _bring_into_sight(self) -> None:
        """Scroll to the selected document."""

    @abstractmethod
    def _menu(self, position: QPoint | None) -> QMenu | None:
        """Return the menu at a point; None: at the keyboard cursor."""

    @abstractmethod
    def _can_walk(self) -> bool:
        """Return whether there is anything for the keys."""

    @abstractmethod
    def _walk(self, key: Qt.Key) -> bool:
        """Handle a key; return False if the view has no use for it."""


def _titled(command: Command) -> str:
    """Return the title of a command with its key, as a menu shows it."""
    keys = next(iter(command.keys), "")
    return f"{command.title}\t{menu_keys(keys)}".rstrip("\t")
