"""The panel of relevant documents outside the cutoff of a shown run, with their rank in each run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QResizeEvent
from PySide6.QtWidgets import QMenu, QWidget

from irviewer.commands import run_command
from irviewer.gui.query.missed_table import MissedTable
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.grade_buttons import add_judging
from irviewer.gui.widgets.panel import Panel
from irviewer.gui.widgets.savable import Savable, ask_and_save, savable_table
from irviewer.session.changes import Change
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

CHANGES = frozenset(
    {Change.WORKSPACE, Change.COLLECTION, Change.RUNS, Change.MEASURE, Change.QUERY, Change.DOCUMENT, Change.MODE}
)

_NOTE_LEAST = 430
RANKS = tr("rank in each run")


class Missed(Panel):
    """The panel: "Relevant, outside the top 10 of a shown run: 4"."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, tr("Relevant, outside the cutoff"), RANKS, parent)
        self._session = session
        self.table = MissedTable(session, theme)
        self.set_body(self.table)
        self.setMinimumHeight(100)
        self.setFocusProxy(self.table)

    def refresh(self, changes: frozenset[Change]) -> None:
        """Show the view model if it may have changed."""
        if not changes & CHANGES:
            return
        view_model = self._session.view_models.query_view_model()
        self.table.set_view_model(view_model)
        if view_model is not None:
            self.set_title(
                tr(
                    "Relevant, outside the top {cutoff} of a shown run: {count:,}",
                    cutoff=view_model.cutoff,
                    count=len(view_model.missed),
                )
            )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.set_note(RANKS if self.width() >= _NOTE_LEAST else "")

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_at(self.table.viewport().mapFromGlobal(event.globalPos())).popup(event.globalPos())

    def menu_at(self, position: QPoint) -> QMenu:
        """Return the menu at a point of the table; the document of the row is selected."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        row = self.table.row_at(position)
        if row >= 0:
            self._session.navigation.set_document(self.table.rows[row].doc_id)
            menu.addAction(tr("Documents ranked above…")).triggered.connect(self._on_why_asked)
            add_judging(menu, self._session, self._session.view.query_id, self.table.rows[row].doc_id)
            menu.addSeparator()
        menu.addAction(tr("Copy table")).triggered.connect(self.table.copy)
        menu.addAction(tr("Save table as CSV…")).triggered.connect(self._on_save_asked)
        return menu

    def _on_why_asked(self) -> None:
        run_command(self._session, "why_not")

    def _on_save_asked(self) -> None:
        ask_and_save(self._session, self.window(), self.savable(), "missed")

    def savable(self) -> Savable:
        """Return the whole table, with the rank of each document in each run."""
        return savable_table(self.title, self.table.table(), self._session.view.judgment_mark)
