"""The dialog with the documents ranked above a document: a summary, then the ranking with grades, scores and terms.

It knows the view model and the theme. Enter on a row selects its document."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPushButton, QVBoxLayout, QWidget

from irviewer.gui.dialogs.opening_size import open_within_screen
from irviewer.gui.tables.model import TableModel, TextColumn
from irviewer.gui.tables.result_columns import result_columns
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.enter_key import pressed_by_its_own_enter
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.table import Table
from irviewer.session.view_models.documents_above import DocumentsAboveViewModel, StandingRow, ranks_text
from irviewer.translation import tr
from irviewer.views.explanation import above_tables

if TYPE_CHECKING:
    from irviewer.session.session import Session

MARGIN = 18
NO_TEXT = tr("text not available")
NO_TERMS = tr("none")
TERMS = tr("{n} of {count}: {terms}")


class DocumentsAboveDialog(QDialog):
    """Shows a document and those ranked above it. Enter or a double click selects the document of a row and closes."""

    def __init__(self, session: Session, theme: Theme, window: QWidget, view_model: DocumentsAboveViewModel) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Documents ranked above"))
        self._session = session
        self._view_model = view_model
        where, *rest = view_model.sentences
        elsewhere = ranks_text([(label.name, rank) for label, rank in view_model.others])
        self.head = _label(theme, 10.5, f"{view_model.title}\n{where}" if view_model.title else where, weight=600)
        self.summary = _label(theme, 9.5, " ".join(filter(None, (*rest, elsewhere))))
        self.terms = _label(
            theme, 9, tr("Query terms: {terms}", terms=" · ".join(term.text for term in view_model.terms))
        )
        self.terms.setVisible(bool(view_model.terms))
        self.model = TableModel(self)
        self.table = Table(self.model, theme, stretch="title", sortable=False)
        self.table.setAccessibleName(tr("Documents ranked above"))
        self.table.mark = lambda: session.view.judgment_mark
        self.table.row_activated.connect(self._on_row_activated)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        pressed_by_its_own_enter(buttons.button(QDialogButtonBox.StandardButton.Close))
        self.copy_button = QPushButton(tr("Copy"))
        pressed_by_its_own_enter(self.copy_button)
        buttons.addButton(self.copy_button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        self.copy_button.clicked.connect(self._on_copy_clicked)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(8)
        for widget in (self.head, self.summary, self.terms, self.table, buttons):
            layout.addWidget(widget, 1 if widget is self.table else 0)
        open_within_screen(self, QSize(940, 600))
        self._show_rows()
        self.table.setFocus()

    def _show_rows(self) -> None:
        rows, view_model = self._view_model.rows, self._view_model
        ids = tuple(row.doc_id for row in rows)
        table = above_tables(view_model.found, None).table("above")
        places = np.arange(table.n_rows, dtype=np.int64)
        rank, _, grade, *scores = result_columns(table, places, max_grade=view_model.max_grade)
        self.model.show((
            rank, grade,
            TextColumn("document", tr("document"), ids, bold=True).say_start_once(),
            TextColumn("title", tr("title"), [row.title for row in rows]),
            *scores,
            TextColumn("terms", tr("query terms in it"), [_terms(row, len(view_model.terms)) for row in rows],
                       widest=320),
        ), ids, marked=frozenset({len(rows) - 1}))  # fmt: skip
        self.table.show_row(0)

    def _on_row_activated(self, row: int) -> None:
        self._session.navigation.set_document(self._view_model.rows[row].doc_id)
        self.accept()

    def _on_copy_clicked(self) -> None:
        self.table.selectAll()
        self.table.copy_selection()


def _label(theme: Theme, size: float, text: str, weight: int = 400) -> QLabel:
    label = PlainLabel(text)
    label.setFont(theme.font(size, weight=weight))
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _terms(row: StandingRow, count: int) -> str:
    if row.terms is None:
        return NO_TEXT
    return TERMS.format(n=len(row.terms), count=count, terms=", ".join(row.terms)) if row.terms else NO_TERMS
