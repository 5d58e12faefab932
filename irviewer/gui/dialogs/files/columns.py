"""The dialog that asks what the columns of a table hold whose header has unknown names.

It shows the first rows, with a choice of role above each column."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from irviewer.gui.dialogs.opening_size import open_within_screen
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.hidden_characters import escape_hidden
from irviewer.model.table_preview import ROLES, TablePreview, kind_of
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

TITLES = {
    "": tr("– not used –"),
    "query": tr("query id"),
    "document": tr("document id"),
    "score": tr("score"),
    "rank": tr("rank"),
    "grade": tr("relevance"),
    "text": tr("text"),
    "title": tr("title"),
    "tag": tr("name of the run"),
    "subtopic": tr("subtopic"),
    "answer": tr("answer"),
    "references": tr("references"),
    "question": tr("question"),
    "sentence": tr("sentence"),
    "cited": tr("cited documents"),
    "support": tr("support"),
    "nugget": tr("nugget"),
    "importance": tr("importance"),
    "assignment": tr("assignment"),
}
"""The roles as the user reads them."""
WIDEST, NARROWEST = 260, 120
"""Widths of columns in pixels."""


class ColumnsDialog(QDialog):
    """Asks for the role of each column. The contents follow from the roles: with a score or rank a run, with relevance
    alone qrels, with a text queries or documents, with an answer or a sentence answers, with a nugget nuggets or their
    labels."""

    def __init__(self, session: Session, theme: Theme, path: str, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Columns of {file}", file=escape_hidden(Path(path).name)))
        self._session = session
        self._path = path
        self._preview: TablePreview | None = None
        self.roles: list[QComboBox] = []
        head = PlainLabel(
            tr("The names of the columns of {file} are unknown. What does each column hold?", file=Path(path).name)
        )
        head.setWordWrap(True)
        head.setFont(theme.font(10.5, weight=600))
        self.table = QTableWidget()
        self.table.setAccessibleName(tr("First rows of the file"))
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.table.setWordWrap(False)
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.result_text = PlainLabel(tr("Reading the first rows …"))
        self.result_text.setWordWrap(True)
        help_text = PlainLabel(tr("These choices are used for all files with the same header."))
        help_text.setFont(theme.font(9))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.ok.setText(tr("Read"))
        self.ok.setEnabled(False)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.accepted.connect(self._on_accepted)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 18, 18, 14)
        layout.setSpacing(12)
        layout.addWidget(head)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.result_text)
        layout.addWidget(help_text)
        layout.addWidget(buttons)
        open_within_screen(self, QSize(820, 460))
        session.files.preview(path, self._show)

    @property
    def chosen(self) -> dict[str, str]:
        """Role -> column, of the columns that have a role."""
        names = () if self._preview is None else self._preview.names
        return {box.currentData(): name for box, name in zip(self.roles, names, strict=False) if box.currentData()}

    def _show(self, preview: TablePreview) -> None:
        self._preview = preview
        by_column = {column: role for role, column in preview.suggestion.items()}
        self.table.setColumnCount(len(preview.names))
        self.table.setRowCount(len(preview.rows) + 1)
        self.table.setHorizontalHeaderLabels(list(preview.names))
        for number, name in enumerate(preview.names):
            box = QComboBox()
            box.setAccessibleName(tr("Contents of column {column}", column=name))
            for role in ("", *ROLES):
                box.addItem(TITLES[role], role)
            box.setCurrentIndex(max(0, box.findData(by_column.get(name, ""))))
            box.currentIndexChanged.connect(self._on_role_changed)
            self.roles.append(box)
            self.table.setCellWidget(0, number, box)
            for row, cells in enumerate(preview.rows, start=1):
                self.table.setItem(row, number, QTableWidgetItem(escape_hidden(cells[number])))
        self.table.resizeColumnsToContents()
        for number in range(len(preview.names)):
            self.table.setColumnWidth(number, max(NARROWEST, min(WIDEST, self.table.columnWidth(number) + 8)))
        self._on_role_changed()
        if self.roles:
            self.roles[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_role_changed(self) -> None:
        used = [box.currentData() for box in self.roles if box.currentData()]
        double = next((role for role in used if used.count(role) > 1), None)
        chosen = self.chosen
        kind = kind_of(chosen)
        self.ok.setEnabled(bool(kind) and double is None)
        if double is not None:
            text = tr("Two columns hold the {role}. Choose one.", role=TITLES[double])
        elif kind == "run" and "answer" in chosen:
            text = tr("The file is read as answers, one in each row.")
        elif kind and "sentence" in chosen:
            text = (
                tr("The file is read as support of citations, a sentence in each row.") if "support" in chosen
                else tr("The file is read as answers, a sentence in each row.")
            )  # fmt: skip
        elif kind and "nugget" in chosen:
            text = (
                tr("The file is read as labels of nuggets, one in each row.") if kind == "run"
                else tr("The file is read as nuggets, one in each row.")
            )  # fmt: skip
        elif kind == "run":
            text = tr("The file is read as a run.")
        elif kind == "qrels":
            text = tr("The file is read as qrels.")
        elif kind == "queries":
            text = tr("The file is read as queries.")
        elif kind == "documents" and chosen.keys() == {"document"}:
            text = tr("The file is read as documents, and its other columns as their fields.")
        elif kind == "documents":
            text = tr("The file is read as documents.")
        else:
            text = tr(
                "Choose the query id, the document id, and a score, a rank or the relevance; or one of the ids and "
                "the text or the title; or the document id alone, where the other columns are fields of documents; or "
                "the answer, and the query id or the question; or a sentence or a nugget, and the query id."
            )
        self.result_text.setText(text)

    def _on_accepted(self) -> None:
        if self._preview is not None:
            chosen = self.chosen
            self._session.files.name_columns(self._path, self._preview.names, kind_of(chosen), chosen)
