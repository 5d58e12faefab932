"""The tie inspector: the least, the most and the expected value over all orders of tied documents, and the value under
each tool's rule. Opens empty and fills itself.

Knows the rows and the theme, no view."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPushButton, QVBoxLayout, QWidget

from irviewer.gui.models.base import Column, NumberColumn, TableModel, TextColumn
from irviewer.gui.table import Table
from irviewer.gui.theme import Theme
from irviewer.session.pages.ties import TiesTable

if TYPE_CHECKING:
    from irviewer.session.session import Session

MARGIN = 18
TITLES = (
    ("id ↓", "by document id, descending as bytes: trec_eval's rule"),
    ("id ↑", "by document id, ascending as bytes"),
    ("file", "in the order of the file"),
    ("best", "relevant documents first"),
    ("worst", "relevant documents last"),
)


class TiesDialog(QDialog):
    """Two rows a measure: the query's value, and the mean."""

    def __init__(self, session: Session, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Ties")
        self.head = QLabel("What the order of tied documents could change: looking …")
        self.head.setFont(theme.font(10.5, weight=600))
        self.head.setWordWrap(True)
        self.note = QLabel()
        self.note.setFont(theme.font(9))
        self.note.setWordWrap(True)
        self.note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.model = TableModel(self)
        self.table = Table(self.model, theme, stretch="told", sortable=False)
        self.table.setAccessibleName("Ties")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy_button = QPushButton("Copy")
        buttons.addButton(self.copy_button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        self.copy_button.clicked.connect(self._on_copy_clicked)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(10)
        for widget in (self.head, self.table, self.note, buttons):
            layout.addWidget(widget, 1 if widget is self.table else 0)
        self.resize(QSize(1060, 560))
        self._gone = False
        self.finished.connect(self._on_finished)
        session.find_ties(self._on_found)

    def _on_finished(self) -> None:
        self._gone = True

    def _on_found(self, found: TiesTable) -> None:
        if self._gone:
            return
        rows = found.rows

        def numbers(name: str, title: str, values: list[float], tip: str = "") -> NumberColumn:
            return NumberColumn(name, title, np.array(values, dtype=np.float64), tip or title, missing="")

        columns: tuple[Column, ...] = (
            TextColumn("measure", "measure", [row.measure for row in rows], bold=True),
            TextColumn("what", "of", [row.what for row in rows]),
            numbers("value", "value", [row.value for row in rows], "as it is"),
            numbers(
                "lowest", "lowest", [row.lowest for row in rows], "over all orders of the ties; of means: the rules"
            ),
            numbers("expected", "expected", [row.expected for row in rows], "the mean over all orders of the ties"),
            numbers("highest", "highest", [row.highest for row in rows], "over all orders of the ties"),
            *(
                numbers(f"policy {place}", title, [row.policies[place] for row in rows], tip)
                for place, (title, tip) in enumerate(TITLES)
            ),
            TextColumn("told", "how", [row.told for row in rows]),
        )
        self.model.show(columns, list(range(len(rows))))
        self.head.setText(
            f"What the order of tied documents makes of {found.run}, query {found.query}. {found.changing}"
        )
        tied = "; ".join(found.groups)
        self.note.setText(f"Tied in this list: {tied}." if tied else "No documents of this list are tied.")

    def _on_copy_clicked(self) -> None:
        self.table.selectAll()
        self.table.copy_selection()
