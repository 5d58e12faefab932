"""What the window asks about judgments: why one is so, who judges, what was judged, to which file it goes; with the
table of judgments made here."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton, QVBoxLayout, QWidget

from irviewer.commands import run_command
from irviewer.errors import IrviewerError
from irviewer.gui.dialogs.files.chooser import OpenFilesDialog, SaveDialog
from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.merge_judgments import LayingDialog
from irviewer.gui.dialogs.text_prompt import LineDialog
from irviewer.gui.tables.model import Column, DeltaColumn, NumberColumn, TableModel, TextColumn
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.painting import grade_text
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.table import Table
from irviewer.model.number_text import counted
from irviewer.session.messages import error, info
from irviewer.session.view_models.judging import JudgedRow, WithWithout

if TYPE_CHECKING:
    from irviewer.session.session import Session

PATCHES = (("Patch of judgments", ".tsv"),)
QRELS = (("TREC qrels", ".qrels"), ("Text", ".txt"), ("Tab-separated values", ".tsv"))
MARGIN = 18


class JudgmentsDialog(QDialog):
    """Every judgment made here, the last first; Enter goes to its document. Below, each run's numbers with and without
    what is other than the file's, filled in when they are computed; not while one judges blind."""

    def __init__(self, session: Session, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Judgments made here")
        self._session = session
        self.head = PlainLabel()
        self.head.setFont(theme.font(10.5, weight=600))
        self.head.setWordWrap(True)
        self.model = TableModel(self)
        self.table = Table(self.model, theme, stretch="title", sortable=False)
        self.table.setAccessibleName("Judgments made here")
        self.table.mark = lambda: session.view.judgment_mark
        self.rows: tuple[JudgedRow, ...] = ()
        self.numbers_head = PlainLabel()
        self.numbers_head.setFont(theme.font(10.5, weight=600))
        self.numbers_model = TableModel(self)
        self.numbers = Table(self.numbers_model, theme, stretch="run", sortable=False)
        self.numbers.setAccessibleName("Numbers with and without these judgments")
        self.numbers.mark = lambda: session.view.judgment_mark
        self.gone = False
        self.finished.connect(self._on_finished)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.go_button = QPushButton("Go to the document")
        self.revert_button = QPushButton("As in the file")
        self.revert_all_button = QPushButton("All as in the file")
        self.save_button = QPushButton("Save as a judgment set…")
        for button in (self.go_button, self.revert_button, self.revert_all_button, self.save_button):
            button.setAutoDefault(False)
            buttons.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
        self.go_button.clicked.connect(self._on_go_clicked)
        self.revert_button.clicked.connect(self._on_revert_clicked)
        self.revert_all_button.clicked.connect(self._on_revert_all_clicked)
        self.save_button.clicked.connect(self._on_save_clicked)
        self.table.row_activated.connect(self._on_row_activated)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(10)
        parts = ((self.head, 0), (self.table, 3), (self.numbers_head, 0), (self.numbers, 2), (buttons, 0))
        for widget, stretch in parts:
            layout.addWidget(widget, stretch)
        self.resize(QSize(960, 620))
        self._pull()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _pull(self) -> None:
        view_model = self._session.judging.judging_view_model()
        self.rows = () if view_model is None else view_model.rows
        self.head.setText("" if view_model is None else view_model.text)
        rows = self.rows
        columns: tuple[Column, ...] = (
            TextColumn("query", "query", [row.query_id for row in rows]),
            TextColumn("document", "document", [row.doc_id for row in rows]),
            TextColumn(
                "former",
                "before",
                ["–" if row.former is None else grade_text(row.former) for row in rows],
                "the file's grade, – where it has none",
            ),
            TextColumn(
                "grade",
                "after",
                [grade_text(math.nan if row.grade is None else row.grade) for row in rows],
                "what was judged here",
            ),
            TextColumn("who", "who", [row.who for row in rows]),
            TextColumn("when", "when", [row.when.replace("T", " ").removesuffix("Z") for row in rows], "UTC"),
            TextColumn("note", "note", [row.note for row in rows]),
            TextColumn("title", "title", [row.title for row in rows]),
        )
        self.model.show(columns, list(range(len(rows))))
        for button in (self.go_button, self.revert_button, self.revert_all_button, self.save_button):
            button.setEnabled(bool(rows))
        if rows and self.table.current_row() < 0:
            self.table.selectRow(0)
        self._pull_numbers()

    def _pull_numbers(self) -> None:
        """What was judged here moves, run by run."""
        session = self._session
        shown = bool(session.view.judgment_mark) and not session.judging.blind and bool(session.view.labels())
        self.numbers_head.setVisible(shown)
        self.numbers.setVisible(shown)
        if shown:
            self.numbers_head.setText(f"Numbers {session.view.judgment_mark}, and without: computing …")
            session.judging.find_numbers_without(self._on_numbers_found)

    def _on_numbers_found(self, found: tuple[WithWithout, ...]) -> None:
        if self.gone or not found:
            return
        queries = self._session.view.context
        over = "" if queries is None else f", means over {counted(queries.n_queries, 'query', 'queries')}"
        self.numbers_head.setText(f"Numbers {self._session.view.judgment_mark}, and without{over}")
        present, without = np.array([(one.present, one.without) for one in found]).T
        upward = [one.measure.higher_is_better for one in found]
        columns: tuple[Column, ...] = (
            TextColumn("run", "run", [one.run.name for one in found], bold=True),
            TextColumn("measure", "measure", [str(one.measure) for one in found]),
            NumberColumn("with", "with", present),
            NumberColumn("without", "without", without),
            DeltaColumn("moved", "Δ", present - without, "with minus without", better_up=upward),
        )
        self.numbers_model.show(columns, list(range(len(found))))

    def _on_finished(self) -> None:
        self.gone = True  # what is found from now on is nobody's

    def _chosen(self) -> JudgedRow | None:
        row = self.table.current_row()
        return self.rows[row] if 0 <= row < len(self.rows) else None

    def _on_row_activated(self, row: int) -> None:
        one = self.rows[row]
        self.accept()
        self._session.navigation.set_place("query")
        if self._session.navigation.set_query(one.query_id):
            self._session.navigation.set_document(one.doc_id)

    def _on_go_clicked(self) -> None:
        if self._chosen() is not None:
            self._on_row_activated(self.table.current_row())

    def _on_revert_clicked(self) -> None:
        row, one = self.table.current_row(), self._chosen()
        if one is not None:
            self._session.judging.revert_judgment(one.doc_id, query_id=one.query_id)
            self._pull()
            if self.rows:
                self.table.selectRow(min(row, len(self.rows) - 1))

    def _on_revert_all_clicked(self) -> None:
        if self._session.judging.revert_all():
            self._pull()

    def _on_save_clicked(self) -> None:
        self.accept()
        run_command(self._session, "save_judgment_set")


class JudgingDialogs:
    """Made with the window; each method asks one thing."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host

    def note(self) -> None:
        """Why the selected document has its grade."""
        session, doc_id = self._session, self._session.view.document_id
        if doc_id is None or session.view.judgments is None:
            session.say(info("No document is selected: select one, judge it, then write why."))
            return
        if doc_id not in session.view.judgments.qrels.judgments(session.view.query_id):
            session.say(info(f"{doc_id} is unjudged: give it a grade first, then a note."))
            return
        said = session.view.judgments.overlay.judgment(session.view.query_id, doc_id)
        keep = partial(session.judging.write_judgment_note, doc_id)
        text = "" if said is None else said.note
        self._ask(f"Note of the judgment of {doc_id}", "Why it has its grade:", text, keep)

    def assessor(self) -> None:
        """Who judges."""
        session = self._session
        self._ask(
            "Who judges", "The name that each judgment bears:", session.judging.assessor, session.judging.set_assessor
        )

    def all_made(self) -> None:
        """What was judged here."""
        self._host.show_dialog(JudgmentsDialog(self._session, self._theme, self._host.window()))

    def import_judgments(self) -> None:
        """Which file to lay over the judgments."""
        folder, title = self._session.saving.file_folder(), "Lay other judgments over these"
        self._host.show_dialog(OpenFilesDialog(self._host.window(), folder, self._import, title=title, single=True))

    def lay_over(self) -> None:
        """What becomes of judgments that contradict those made here."""
        if self._session.judging.laying is None:
            self._session.say(info("No judgments wait to be laid over these."))
        else:
            self._host.show_dialog(LayingDialog(self._session, self._theme, self._host.window()))

    def export_patch(self) -> None:
        """Where what was judged here goes."""
        self._save("Save judgments as a patch", "patch", PATCHES, self._session.judging.export_patch)

    def save_set(self) -> None:
        """Where the qrels in force go, to be judged by from then on."""
        who = self._session.judging.assessor
        self._save("Save as a judgment set", f"by {who}" if who else "judged", QRELS, self._save_as_set)

    def _save_as_set(self, path: str) -> None:
        try:
            self._session.judging.save_as_set(path)
        except IrviewerError as failure:
            self._session.say(error(str(failure)))

    def export_merged(self) -> None:
        """Where the qrels in force go."""
        self._save("Save merged qrels", "merged", QRELS, self._session.judging.export_merged)

    def _ask(self, title: str, question: str, text: str, accept: object) -> None:
        assert callable(accept)
        self._host.show_dialog(LineDialog(self._theme, self._host.window(), title, question, text, _any_text, accept))

    def _save(self, title: str, suffix: str, kinds: tuple[tuple[str, str], ...], save: object) -> None:
        assert callable(save)
        judgments = self._session.view.judgments
        name = f"{'qrels' if judgments is None else judgments.name} {suffix}"
        self._host.show_dialog(
            SaveDialog(self._host.window(), title, self._session.saving.file_folder(), name, kinds, save)
        )

    def _import(self, paths: list[str]) -> None:
        for path in paths[:1]:
            self._session.judging.import_judgments(path)


def _any_text(text: str) -> str:
    return ""
