"""The verdict on two runs in words, and every test behind it in a table. Pulls the pair's page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from irviewer.gui.models.pair import PairModel
from irviewer.gui.table import Table
from irviewer.gui.table_panel import TablePanel
from irviewer.gui.theme import Theme
from irviewer.session.pages.pair import PairPage

if TYPE_CHECKING:
    from irviewer.session.session import Session


TOLD = 58
"""Pixels for the sentence below the table: three lines at the narrowest."""


class PairTests(TablePanel):
    """ "english_bm25 is better on 107 queries …" over what was looked at."""

    def __init__(self, session: Session, theme: Theme) -> None:
        self.model = PairModel()
        table = Table(self.model, theme, stretch="meaning", frozen=(1, 0), sortable=False, tightens=True)
        super().__init__(session, theme, table, "tests")
        self.model.setParent(self)
        self._page: PairPage | None = None
        self.table.setAccessibleName("Tests")
        self.told = QLabel()
        self.told.setContentsMargins(12, 6, 12, 6)
        self.told.setFont(theme.font(9))
        self.told.setWordWrap(True)
        self.told.setMinimumHeight(TOLD)
        self.told.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.body_layout.addWidget(self.told)
        self.table.row_entered.connect(self._on_row_entered)

    def refresh(self, aspects: frozenset[str]) -> None:
        """Show the session's pair."""
        page = self.session.pair_page()
        if page is self._page:
            return
        self._page = page
        if page is None:
            self.model.clear()
            return
        with self.table.keeping():
            self.model.set_page(page)
        self._tell(max(0, self.table.current_row()))
        self.set_title(page.title)
        self.set_note(page.note)
        lines = [page.explanation or page.verdict or "Comparing …", *page.warnings[:2]]
        self.show_notice("\n".join(line for line in lines if line), "ink" if page.verdict else "muted")

    def _tell(self, row: int) -> None:
        """What the test stood on means, in full."""
        tests = () if self._page is None else self._page.tests
        self.told.setText(f"{tests[row].name}: {tests[row].sentence}" if row < len(tests) else "")

    def _on_row_entered(self, row: int) -> None:
        self._tell(row)
