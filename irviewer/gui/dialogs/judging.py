"""What the window asks about judgments: why one is so, who judges, what was judged, to which file it goes. A part of
the desk, with the table of judgments made here."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPushButton, QVBoxLayout, QWidget

from irviewer.gui.dialogs.files import OpenFilesDialog, SaveDialog
from irviewer.gui.dialogs.naming import LineDialog
from irviewer.gui.models.base import Column, TableModel, TextColumn
from irviewer.gui.painting import grade_text
from irviewer.gui.table import Table
from irviewer.gui.theme import Theme
from irviewer.session.messages import info
from irviewer.session.pages.judging import JudgedRow

if TYPE_CHECKING:
    from irviewer.gui.dialogs.desk import Desk
    from irviewer.gui.window import MainWindow
    from irviewer.session.session import Session

PATCHES = (("Patch of judgments", ".tsv"),)
QRELS = (("TREC qrels", ".qrels"), ("Text", ".txt"), ("Tab-separated values", ".tsv"))
MARGIN = 18


class JudgmentsDialog(QDialog):
    """Every judgment made here, the last first; Enter goes to its document."""

    def __init__(self, session: Session, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Judgments made here")
        self._session = session
        self.head = QLabel()
        self.head.setFont(theme.font(10.5, weight=600))
        self.head.setWordWrap(True)
        self.model = TableModel(self)
        self.table = Table(self.model, theme, stretch="title", sortable=False)
        self.table.setAccessibleName("Judgments made here")
        self.rows: tuple[JudgedRow, ...] = ()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.go_button = QPushButton("Go to the document")
        self.revert_button = QPushButton("As in the file")
        for button in (self.go_button, self.revert_button):
            button.setAutoDefault(False)
            buttons.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
        self.go_button.clicked.connect(self._on_go_clicked)
        self.revert_button.clicked.connect(self._on_revert_clicked)
        self.table.row_activated.connect(self._on_row_activated)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(10)
        for widget, stretch in ((self.head, 0), (self.table, 1), (buttons, 0)):
            layout.addWidget(widget, stretch)
        self.resize(QSize(960, 520))
        self._pull()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _pull(self) -> None:
        page = self._session.judging_page()
        self.rows = () if page is None else page.rows
        self.head.setText("" if page is None else page.text)
        rows = self.rows
        columns: tuple[Column, ...] = (
            TextColumn("query", "query", [row.query_id for row in rows]),
            TextColumn("document", "document", [row.doc_id for row in rows]),
            TextColumn("grade", "yours", [grade_text(math.nan if row.grade is None else row.grade) for row in rows]),
            TextColumn("former", "file", ["–" if row.former is None else grade_text(row.former) for row in rows]),
            TextColumn("who", "who", [row.who for row in rows]),
            TextColumn("when", "when", [row.when.replace("T", " ").removesuffix("Z") for row in rows], "UTC"),
            TextColumn("note", "note", [row.note for row in rows]),
            TextColumn("title", "title", [row.title for row in rows]),
        )
        self.model.show(columns, list(range(len(rows))))
        for button in (self.go_button, self.revert_button):
            button.setEnabled(bool(rows))
        if rows and self.table.current_row() < 0:
            self.table.selectRow(0)

    def _chosen(self) -> JudgedRow | None:
        row = self.table.current_row()
        return self.rows[row] if 0 <= row < len(self.rows) else None

    def _on_row_activated(self, row: int) -> None:
        one = self.rows[row]
        self.accept()
        self._session.set_place("query")
        if self._session.set_query(one.query_id):
            self._session.set_document(one.doc_id)

    def _on_go_clicked(self) -> None:
        if self._chosen() is not None:
            self._on_row_activated(self.table.current_row())

    def _on_revert_clicked(self) -> None:
        row, one = self.table.current_row(), self._chosen()
        if one is not None:
            self._session.revert_judgment(one.doc_id, query_id=one.query_id)
            self._pull()
            if self.rows:
                self.table.selectRow(min(row, len(self.rows) - 1))


class JudgingQuestions:
    """Made with the desk; each method asks one thing."""

    def __init__(self, session: Session, theme: Theme, window: MainWindow, desk: Desk) -> None:
        self._session = session
        self._theme = theme
        self._window = window
        self._desk = desk

    def note(self) -> None:
        """Why the selected document has its grade."""
        session, doc_id = self._session, self._session.document_id
        if doc_id is None or session.judgments is None:
            session.say(info("No document is selected: select one, judge it, then write why."))
            return
        if doc_id not in session.judgments.qrels.judgments(session.query_id):
            session.say(info(f"{doc_id} is unjudged: give it a grade first, then a note."))
            return
        said = session.judgments.overlay.judgment(session.query_id, doc_id)
        keep = partial(session.write_judgment_note, doc_id)
        text = "" if said is None else said.note
        self._ask(f"Note of the judgment of {doc_id}", "Why it has its grade:", text, keep)

    def assessor(self) -> None:
        """Who judges."""
        session = self._session
        self._ask("Who judges", "The name that each judgment bears:", session.assessor, session.set_assessor)

    def all_made(self) -> None:
        """What was judged here."""
        self._desk.show(JudgmentsDialog(self._session, self._theme, self._window))

    def import_patch(self) -> None:
        """Which patch to lay over the judgments."""
        folder = self._session.file_folder()
        self._desk.show(OpenFilesDialog(self._window, folder, self._lay_over, title="Lay a patch over", single=True))

    def export_patch(self) -> None:
        """Where what was judged here goes."""
        self._save("Save judgments as a patch", "patch", PATCHES, self._session.export_patch)

    def export_merged(self) -> None:
        """Where the qrels in force go."""
        self._save("Save merged qrels", "merged", QRELS, self._session.export_merged)

    def _ask(self, title: str, question: str, text: str, accept: object) -> None:
        assert callable(accept)
        self._desk.show(LineDialog(self._theme, self._window, title, question, text, _any_text, accept))

    def _save(self, title: str, suffix: str, kinds: tuple[tuple[str, str], ...], save: object) -> None:
        assert callable(save)
        judgments = self._session.judgments
        name = f"{'qrels' if judgments is None else judgments.name} {suffix}"
        self._desk.show(SaveDialog(self._window, title, self._session.file_folder(), name, kinds, save))

    def _lay_over(self, paths: list[str]) -> None:
        for path in paths[:1]:
            self._session.import_patch(path)


def _any_text(text: str) -> str:
    return ""
