"""The Queries table: queries x shown runs for one measure, with a filter above; its selection is the session's query.

Pulls the queries page; order and filter are the session's, so that map and bars follow the same rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from irviewer.gui.models.queries import QueriesModel
from irviewer.gui.table import Table
from irviewer.gui.table_panel import TablePanel
from irviewer.gui.theme import Theme
from irviewer.session.pages.queries import QueriesPage

if TYPE_CHECKING:
    from irviewer.session.session import Session

FILTER_WIDTH = 230
TYPING_PAUSE = 120
"""Milliseconds after the last letter until the filter is used: words come faster than rows can be looked at."""


class QueriesTable(TablePanel):
    """ "225 queries · nDCG@10": a row a query; Enter opens it in the Query place."""

    def __init__(self, session: Session, theme: Theme) -> None:
        self.model = QueriesModel()
        table = Table(self.model, theme, stretch="text", frozen=(2, 2), tightens=True)
        super().__init__(session, theme, table, "queries")
        self.model.setParent(self)
        self._page: QueriesPage | None = None
        self.table.setAccessibleName("Queries")
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(TYPING_PAUSE)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter: text, id, Δ > 0.1")
        self.filter.setAccessibleName("Filter queries")
        self.filter.setClearButtonEnabled(True)
        self.filter.setFixedWidth(FILTER_WIDTH)
        self.filter.setFont(theme.font(9))
        self.filter.installEventFilter(self)
        self.header_layout.insertWidget(1, self.filter)
        self.filter.textEdited.connect(self._on_filter_edited)
        self._pause.timeout.connect(self._on_typing_paused)
        self.table.row_entered.connect(self._on_row_entered)
        self.table.row_activated.connect(self._on_row_activated)
        self.table.sort_requested.connect(self._on_sort_requested)

    def refresh(self, aspects: frozenset[str]) -> None:
        """Show the session's queries."""
        page = self.session.queries_page()
        if page is self._page:
            return
        before, self._page = self._page, page
        if page is None:
            self.model.clear()
            return
        with self.table.keeping(page.selected):
            self.model.set_page(page)
        if before is not None and before.filter != page.filter:
            self.table.verticalScrollBar().setValue(0)
        self.set_title(page.title)
        self.set_note(page.note)
        self._show_filter(page)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.filter and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape and self.filter.text():
                self.filter.clear()
                self._on_typing_paused()
                return True
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
                self._on_typing_paused()
                self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)
                return True
        return super().eventFilter(watched, event)

    def _show_filter(self, page: QueriesPage) -> None:
        if not self._pause.isActive() and self.filter.text() != page.filter:
            self.filter.setText(page.filter)
        if page.filter_error:
            self.show_notice(page.filter_error, "warning")
        elif page.filter and not page.query_ids:
            self.show_notice("No query matches the filter; Esc in it clears it.")
        else:
            self.show_notice(page.explanation)

    def _on_filter_edited(self, text: str) -> None:
        if text:
            self._pause.start()
        else:
            self._on_typing_paused()

    def _on_typing_paused(self) -> None:
        self._pause.stop()
        if self._page is not None and self._page.filter != self.filter.text():
            self.session.filter_queries(self.filter.text())

    def _on_row_entered(self, row: int) -> None:
        self._choose(row)

    def _on_row_activated(self, row: int) -> None:
        self._choose(row)
        self.session.set_place("query")

    def _choose(self, row: int) -> None:
        query = self.model.keys[row]
        if isinstance(query, str) and query != self.session.query_id:
            self.session.set_query(query)

    def _on_sort_requested(self, column_id: str, descending: bool) -> None:
        self.session.sort_queries(column_id, descending)
