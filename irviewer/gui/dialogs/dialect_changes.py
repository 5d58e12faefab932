"""Which numbers in view other tools' rules would change, from what to what, and which rule did it: a table to read.

Knows the rows and the theme, no view. What it shows is computed in the background and comes when it is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPushButton, QVBoxLayout, QWidget

from irviewer.gui.models.base import Column, TableModel, TextColumn
from irviewer.gui.table import Table
from irviewer.gui.theme import Theme
from irviewer.session.dialect_table import DialectTable

if TYPE_CHECKING:
    from irviewer.session.session import Session

MARGIN = 18


class DialectChangesDialog(QDialog):
    """Opens empty and fills itself; one row a number that changes."""

    def __init__(self, session: Session, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Rules of other tools")
        self.head = QLabel("What the rules of other tools would change: comparing …")
        self.head.setFont(theme.font(10.5, weight=600))
        self.head.setWordWrap(True)
        self.note = QLabel()
        self.note.setFont(theme.font(9))
        self.note.setWordWrap(True)
        self.model = TableModel(self)
        self.table = Table(self.model, theme, stretch="rule", sortable=False)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy_button = QPushButton("Copy")
        buttons.addButton(self.copy_button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        self.copy_button.clicked.connect(self._on_copy_clicked)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(10)
        layout.addWidget(self.head)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.note)
        layout.addWidget(buttons)
        self.resize(QSize(960, 520))
        self._gone = False
        self.finished.connect(self._on_finished)
        session.find_dialect_changes(self._on_found)

    def _on_finished(self) -> None:
        self._gone = True

    def _on_found(self, found: DialectTable) -> None:
        if self._gone:
            return
        rows = found.rows
        columns: tuple[Column, ...] = (
            TextColumn("dialect", "rules of", [row.dialect for row in rows]),
            TextColumn("run", "run", [row.run for row in rows]),
            TextColumn("query", "query", [row.query for row in rows]),
            TextColumn("measure", "measure", [row.measure for row in rows]),
            TextColumn("here", found.here, [row.here for row in rows], "the number in view"),
            TextColumn("there", "there", [row.there for row in rows], "the number that those rules make"),
            TextColumn("rule", "because", [row.rule for row in rows]),
        )
        self.model.show(columns, list(range(len(rows))))
        numbers = f"{len(rows):,} number{'' if len(rows) == 1 else 's'}"
        self.head.setText(f"What the rules of other tools would change of what {found.here} shows: {numbers}")
        lines = [f"Nothing would change under {', '.join(found.same)}."] if found.same else []
        if found.beyond:
            more = "1 more differs" if found.beyond == 1 else f"{found.beyond:,} more differ"
            lines.append(f"{more} only behind the digits shown.")
        self.note.setText(" ".join(lines))

    def _on_copy_clicked(self) -> None:
        self.table.selectAll()
        self.table.copy_selection()
