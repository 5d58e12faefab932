"""What stands above a document: sentences, then the list down to it with grades, scores and the query's terms.

Knows the view model and the theme; Enter on a row selects its document."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPushButton, QVBoxLayout, QWidget

from irviewer.gui.query.ledger_model import GradeColumn, LedgerNumbers
from irviewer.gui.tables.model import Column, TableModel, TextColumn
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.table import Table
from irviewer.model.arrays import Floats
from irviewer.session.view_models.documents_above import DocumentsAboveViewModel, StandingRow, ranks_told
from irviewer.session.view_models.ledger import LedgerColumn

if TYPE_CHECKING:
    from irviewer.session.session import Session

MARGIN = 18


class DocumentsAboveDialog(QDialog):
    """One document and those above it. Enter or a double click selects a row's document and closes."""

    def __init__(self, session: Session, theme: Theme, window: QWidget, view_model: DocumentsAboveViewModel) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("What stands above it")
        self._session = session
        self._view_model = view_model
        where, *rest = view_model.told
        elsewhere = ranks_told([(label.name, rank) for label, rank in view_model.others])
        self.head = _label(theme, 10.5, f"{view_model.title}\n{where}" if view_model.title else where, weight=600)
        self.told = _label(theme, 9.5, " ".join(filter(None, (*rest, elsewhere))))
        self.terms = _label(theme, 9, "query terms: " + " · ".join(one.text for one in view_model.terms))
        self.terms.setVisible(bool(view_model.terms))
        self.model = TableModel(self)
        self.table = Table(self.model, theme, stretch="title", sortable=False)
        self.table.setAccessibleName("Documents above it")
        self.table.mark = lambda: session.view.judgment_mark
        self.table.row_activated.connect(self._on_row_activated)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        self.copy_button = QPushButton("Copy")
        self.copy_button.setAutoDefault(False)
        buttons.addButton(self.copy_button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        self.copy_button.clicked.connect(self._on_copy_clicked)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(8)
        for widget in (self.head, self.told, self.terms, self.table, buttons):
            layout.addWidget(widget, 1 if widget is self.table else 0)
        self.resize(QSize(940, 600))
        self._show_rows()
        self.table.setFocus()

    def _show_rows(self) -> None:
        rows, view_model = self._view_model.rows, self._view_model
        ids = tuple(row.doc_id for row in rows)
        scores = _floats([row.score for row in rows])
        digits = _decimals(scores)
        said = (
            LedgerColumn("rank", "rank", "rank in the run", "rank", 0),
            LedgerColumn("score", "score", "the run's score", "float", digits),
            LedgerColumn("above", "above it by", "how much higher than the document's score", "float", digits),
        )
        columns: list[Column] = [
            LedgerNumbers(said[0], _floats([row.rank or math.nan for row in rows])),
            GradeColumn("grade", "grade", _floats([row.grade for row in rows]), ids, view_model.max_grade, "as judged"),
            TextColumn("document", "document", ids, bold=True),
            TextColumn("title", "title", [row.title for row in rows]),
            LedgerNumbers(said[1], scores),
            LedgerNumbers(said[2], np.where(np.arange(len(rows)) < len(rows) - 1, scores - scores[-1], np.nan)),
            TextColumn("terms", "query terms it has", [_terms(row, len(view_model.terms)) for row in rows], widest=320),
        ]  # fmt: skip
        if not view_model.found.rank:
            del columns[-2]
        self.model.show(tuple(columns), ids, marked=frozenset({len(rows) - 1}))
        self.table.show_row(0)

    def _on_row_activated(self, row: int) -> None:
        self._session.navigation.set_document(self._view_model.rows[row].doc_id)
        self.accept()

    def _on_copy_clicked(self) -> None:
        self.table.selectAll()
        self.table.copy_selection()


def _label(theme: Theme, size: float, text: str, weight: int = 400) -> QLabel:
    made = PlainLabel(text)
    made.setFont(theme.font(size, weight=weight))
    made.setWordWrap(True)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


def _floats(values: list[float]) -> Floats:
    return np.array(values, dtype=np.float64)


def _decimals(scores: Floats) -> int:
    """As many decimals as leave six digits of the largest score; none where all are whole."""
    known = np.abs(scores[np.isfinite(scores)])
    if not len(known) or bool(np.all(known == np.floor(known))):
        return 0
    return int(np.clip(5 - np.floor(np.log10(known.max())), 0, 6))


def _terms(row: StandingRow, count: int) -> str:
    if row.terms is None:
        return "text unknown"
    return f"{len(row.terms)} of {count}: {', '.join(row.terms)}" if row.terms else "none"
