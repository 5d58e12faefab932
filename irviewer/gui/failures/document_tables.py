"""Three tables of documents: relevant documents by runs, misleading documents, and the worklist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from irviewer.commands import run_command
from irviewer.gui.failures.model import hubs_columns, relevant_columns, worklist_columns
from irviewer.gui.tables.model import Column, TableModel
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import LinkButton
from irviewer.gui.widgets.grade_buttons import add_judging
from irviewer.gui.widgets.plain_text import set_tooltip
from irviewer.gui.widgets.savable import Savable, savable_result, savable_view
from irviewer.gui.widgets.table import Table
from irviewer.gui.widgets.table_panel import ViewModelPanel
from irviewer.session.view_models.failures import (
    HubsViewModel,
    RelevantViewModel,
    WorklistViewModel,
    relevant_table_of,
)
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

ROWS_IN_VIEW = 3
"""The least number of rows that names of runs written upwards leave room for."""


class RelevantTable(ViewModelPanel[RelevantViewModel]):
    """The relevant documents of the selected query, with their ranks in all runs; Enter opens the query with the
    document."""

    def __init__(self, session: Session, theme: Theme) -> None:
        self.model = TableModel()
        self._made: tuple[RelevantViewModel | None, tuple[Column, ...]] = (None, ())
        table = Table(self.model, theme, stretch="title", frozen=(2, 0), tightens=True, rows_in_view=ROWS_IN_VIEW)
        super().__init__(
            session, theme, table, "relevant_documents", self.model, session.list_judging.relevant_view_model,
            self._show_rows,
        )  # fmt: skip
        self.table.setAccessibleName(tr("Relevant documents by runs"))
        self.table.row_entered.connect(self._on_row_entered)
        self.table.row_activated.connect(self._on_row_activated)
        self.table.sort_requested.connect(self._on_sort_requested)

    def make_columns(self) -> None:
        """Make the columns that :meth:`refresh` shows next, so that it takes less: there is one for every run."""
        view_model = self._pull()
        if view_model is None or view_model is self._view_model:
            self._made = None, ()
        elif view_model is not self._made[0]:
            self._made = view_model, relevant_columns(view_model)

    def measure_columns(self) -> None:
        """Measure those columns."""
        view_model, columns = self._made
        if view_model is not None:
            self.table.measure(columns, len(view_model.doc_ids))

    def _show_rows(self, view_model: RelevantViewModel) -> None:
        of, columns = self._made
        self._made = None, ()
        columns = columns if of is view_model else relevant_columns(view_model)
        self.model.show(columns, view_model.doc_ids, view_model.sort)

    def savable(self) -> Savable | None:
        """Return the table as the views describe it; None without a query."""
        if self._view_model is None:
            return None
        return savable_result(self.title, (relevant_table_of(self._view_model),), self.session.view.judgment_mark)

    def row_of(self, view_model: RelevantViewModel) -> int:
        return view_model.selected

    def row_menu(self, row: int) -> QMenu:
        menu = super().row_menu(row)
        if self._view_model is not None and 0 <= row < len(self._view_model.doc_ids):
            add_judging(menu, self.session, self._view_model.query_id, self._view_model.doc_ids[row])
        return menu

    def _on_row_entered(self, row: int) -> None:
        if self._view_model is not None and row < len(self._view_model.doc_ids):
            self.session.navigation.set_document(self._view_model.doc_ids[row])

    def _on_row_activated(self, row: int) -> None:
        if self._view_model is not None and row < len(self._view_model.doc_ids):
            self.session.failures.go_to_failure(self._view_model.query_id, document=self._view_model.doc_ids[row])

    def _on_sort_requested(self, column_id: str, descending: bool) -> None:
        self.session.failures.sort_findings("relevant", column_id, descending)


class HubsTable(ViewModelPanel[HubsViewModel]):
    """The misleading documents; Enter opens the first query that one misleads."""

    def __init__(self, session: Session, theme: Theme) -> None:
        self.model = TableModel()
        table = Table(self.model, theme, stretch="title", frozen=(1, 0), tightens=True)
        super().__init__(
            session, theme, table, "hubs", self.model, session.list_judging.hubs_view_model, self._show_rows
        )
        self.table.setAccessibleName(tr("Misleading documents"))
        self.table.row_entered.connect(self._on_row_entered)
        self.table.row_activated.connect(self._on_row_activated)
        self.table.sort_requested.connect(self._on_sort_requested)

    def _show_rows(self, view_model: HubsViewModel) -> None:
        self.model.show(hubs_columns(view_model), view_model.doc_ids, view_model.sort)

    def savable(self) -> Savable | None:
        """Return the table as every door has it."""
        return savable_view(self.title, self.session.failures.tables("hubs"), self.session.view.judgment_mark)

    def row_of(self, view_model: HubsViewModel) -> int | None:
        return view_model.selected if view_model.selected >= 0 else None

    def row_menu(self, row: int) -> QMenu:
        menu = super().row_menu(row)
        if self._view_model is not None and 0 <= row < len(self._view_model.doc_ids):
            add_judging(menu, self.session, self._view_model.first[row], self._view_model.doc_ids[row])
        return menu

    def _on_row_entered(self, row: int) -> None:
        if self._view_model is not None and row < len(self._view_model.doc_ids):
            self.session.navigation.set_document(self._view_model.doc_ids[row])

    def _on_row_activated(self, row: int) -> None:
        if self._view_model is not None and row < len(self._view_model.doc_ids):
            self.session.failures.go_to_failure(self._view_model.first[row], document=self._view_model.doc_ids[row])

    def _on_sort_requested(self, column_id: str, descending: bool) -> None:
        self.session.failures.sort_findings("hubs", column_id, descending)


class WorklistTable(ViewModelPanel[WorklistViewModel]):
    """The unjudged documents that would change the measure most, first ones first; in judging mode the digit keys
    judge, Enter opens the document."""

    def __init__(self, session: Session, theme: Theme) -> None:
        self.model = TableModel()
        table = Table(self.model, theme, stretch="text", frozen=(2, 0), sortable=False, tightens=True)
        super().__init__(
            session, theme, table, "worklist", self.model, session.list_judging.worklist_view_model, self._show_rows
        )
        self.table.setAccessibleName(tr("Unjudged documents, the most useful to judge first"))
        self.save = LinkButton(theme, tr("Save as pool…"))
        set_tooltip(self.save, tr("Save a file for judges, with one query and document per line"))
        self.save.clicked.connect(self._on_save_clicked)
        self.header_layout.addWidget(self.save)
        self.table.row_entered.connect(self._on_row_entered)
        self.table.row_activated.connect(self._on_row_activated)

    def savable(self) -> Savable | None:
        """Return the table as every door has it."""
        return savable_view(self.title, self.session.failures.tables("worklist"), self.session.view.judgment_mark)

    def _show_rows(self, view_model: WorklistViewModel) -> None:
        keys = list(zip(view_model.query_ids, view_model.doc_ids, strict=True))
        self.model.show(worklist_columns(view_model), keys)

    def row_of(self, view_model: WorklistViewModel) -> int | None:
        return view_model.selected if view_model.selected >= 0 else None

    def tell(self, view_model: WorklistViewModel, before: WorklistViewModel | None) -> None:
        super().tell(view_model, before)
        self.save.setVisible(bool(view_model.doc_ids))

    def row_menu(self, row: int) -> QMenu:
        menu = super().row_menu(row)
        if self._view_model is not None and 0 <= row < len(self._view_model.doc_ids):
            add_judging(menu, self.session, self._view_model.query_ids[row], self._view_model.doc_ids[row])
        return menu

    def _on_row_entered(self, row: int) -> None:
        if self._view_model is not None and row < len(self._view_model.doc_ids):
            self.session.list_judging.choose_pair(self._view_model.query_ids[row], self._view_model.doc_ids[row])

    def _on_row_activated(self, row: int) -> None:
        if self._view_model is not None and row < len(self._view_model.doc_ids):
            view_model = self._view_model
            self.session.failures.go_to_failure(
                view_model.query_ids[row], view_model.run[row].key, view_model.doc_ids[row]
            )

    def _on_save_clicked(self) -> None:
        run_command(self.session, "save_worklist")
