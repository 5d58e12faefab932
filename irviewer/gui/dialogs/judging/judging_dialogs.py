"""The dialogs about judgments: notes, name of the judge, import and export, and the table of judgments made here."""

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
from irviewer.gui.dialogs.judging.merge_judgments import ConflictsDialog
from irviewer.gui.dialogs.opening_size import open_within_screen
from irviewer.gui.dialogs.text_prompt import LineDialog
from irviewer.gui.tables.model import Column, DeltaColumn, NumberColumn, TableModel, TextColumn
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.enter_key import pressed_by_its_own_enter
from irviewer.gui.widgets.painting import grade_text
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.table import Table
from irviewer.session.messages import error, info
from irviewer.session.view_models.judges.judging import JudgedRow, WithWithout
from irviewer.translation import decimal, tr, trn, typed_number

if TYPE_CHECKING:
    from irviewer.session.session import Session

PATCHES = ((tr("Judgment patch"), ".tsv"),)
QRELS = ((tr("TREC qrels"), ".qrels"), (tr("Text"), ".txt"), (tr("Tab-separated values"), ".tsv"))
MARGIN = 18


class JudgmentsDialog(QDialog):
    """The judgments made here, the latest first; Enter goes to the document of one.

    Below them are the values of each run with and without these judgments, once they are computed. They are hidden
    while judging blind."""

    def __init__(self, session: Session, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("My judgments"))
        self._session = session
        self.head = PlainLabel()
        self.head.setFont(theme.font(10.5, weight=600))
        self.head.setWordWrap(True)
        self.model = TableModel(self)
        self.table = Table(self.model, theme, stretch="title", sortable=False)
        self.table.setAccessibleName(tr("My judgments"))
        self.table.mark = lambda: session.view.judgment_mark
        self.rows: tuple[JudgedRow, ...] = ()
        self.numbers_head = PlainLabel()
        self.numbers_head.setFont(theme.font(10.5, weight=600))
        self.numbers_model = TableModel(self)
        self.numbers = Table(self.numbers_model, theme, stretch="run", sortable=False)
        self.numbers.setAccessibleName(tr("Values with and without these judgments"))
        self.numbers.mark = lambda: session.view.judgment_mark
        self.gone = False
        self.finished.connect(self._on_finished)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.go_button = QPushButton(tr("Go to document"))
        self.revert_button = QPushButton(tr("Revert"))
        self.revert_all_button = QPushButton(tr("Revert all"))
        self.save_button = QPushButton(tr("Save as new judgment set…"))
        for button in (self.go_button, self.revert_button, self.revert_all_button, self.save_button):
            pressed_by_its_own_enter(button)
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
        open_within_screen(self, QSize(960, 620))
        self._pull()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _pull(self) -> None:
        view_model = self._session.judging.judging_view_model()
        self.rows = () if view_model is None else view_model.rows
        self.head.setText("" if view_model is None else view_model.text)
        rows = self.rows
        columns: tuple[Column, ...] = (
            TextColumn("query", tr("query"), [row.query_id for row in rows]),
            TextColumn("document", tr("document"), [row.doc_id for row in rows]).say_start_once(),
            TextColumn(
                "former",
                tr("before"),
                ["–" if row.former is None else grade_text(row.former) for row in rows],
                tr("Grade in the file, – for unjudged"),
            ),
            TextColumn(
                "grade",
                tr("after"),
                [grade_text(math.nan if row.grade is None else row.grade) for row in rows],
                tr("Grade given here"),
            ),
            TextColumn("who", tr("judge"), [row.who for row in rows]),
            TextColumn("when", tr("date"), [row.when.replace("T", " ").removesuffix("Z") for row in rows], tr("UTC")),
            TextColumn("note", tr("note"), [row.note for row in rows]),
            TextColumn("title", tr("title"), [row.title for row in rows]),
        )
        self.model.show(columns, list(range(len(rows))))
        for button in (self.go_button, self.revert_button, self.revert_all_button, self.save_button):
            button.setEnabled(bool(rows))
        if rows and self.table.current_row() < 0:
            self.table.selectRow(0)
        self._pull_numbers()

    def _pull_numbers(self) -> None:
        """Ask for the values with and without these judgments."""
        session = self._session
        shown = bool(session.view.judgment_mark) and not session.judging.blind and bool(session.view.labels())
        self.numbers_head.setVisible(shown)
        self.numbers.setVisible(shown)
        if shown:
            self.numbers_head.setText(tr("Values {mark}, and without: computing …", mark=session.view.judgment_mark))
            session.judging.find_numbers_without(self._on_numbers_found)

    def _on_numbers_found(self, rows: tuple[WithWithout, ...]) -> None:
        if self.gone or not rows:
            return
        queries = self._session.view.context
        mark = self._session.view.judgment_mark
        self.numbers_head.setText(
            tr("Values {mark}, and without", mark=mark)
            if queries is None
            else trn(
                "Values {mark}, and without, for {n:,} query",
                "Values {mark}, and without, means over {n:,} queries",
                queries.n_queries,
                mark=mark,
            )
        )
        present, without = np.array([(row.present, row.without) for row in rows]).T
        upward = [row.measure.higher_is_better for row in rows]
        columns: tuple[Column, ...] = (
            TextColumn("run", tr("run"), [row.run.name for row in rows], bold=True),
            TextColumn("measure", tr("measure"), [str(row.measure) for row in rows]),
            NumberColumn("with", tr("with"), present),
            NumberColumn("without", tr("without"), without),
            DeltaColumn(
                "moved", "Δ", present - without, tr("Value with these judgments minus value without"), better_up=upward
            ),
        )
        self.numbers_model.show(columns, list(range(len(rows))))

    def _on_finished(self) -> None:
        self.gone = True  # later results are ignored

    def _chosen(self) -> JudgedRow | None:
        row = self.table.current_row()
        return self.rows[row] if 0 <= row < len(self.rows) else None

    def _on_row_activated(self, row: int) -> None:
        judged = self.rows[row]
        self.accept()
        self._session.navigation.set_place("query")
        if self._session.navigation.set_query(judged.query_id):
            self._session.navigation.set_document(judged.doc_id)

    def _on_go_clicked(self) -> None:
        if self._chosen() is not None:
            self._on_row_activated(self.table.current_row())

    def _on_revert_clicked(self) -> None:
        row, judged = self.table.current_row(), self._chosen()
        if judged is not None:
            self._session.judging.revert_judgment(judged.doc_id, query_id=judged.query_id)
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
    """Opens the dialogs about judgments. Made with the window."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host

    def note(self) -> None:
        """Ask for the note of the judgment of the selected document."""
        session, doc_id = self._session, self._session.view.document_id
        if doc_id is None or session.view.judgments is None:
            session.say(info(tr("No document is selected. Select one and judge it to write a note.")))
            return
        if doc_id not in session.view.judgments.qrels.judgments(session.view.query_id):
            session.say(info(tr("{document} is unjudged. Give it a grade before you write a note.", document=doc_id)))
            return
        judgment = session.view.judgments.overlay.judgment(session.view.query_id, doc_id)
        keep = partial(session.judging.write_judgment_note, doc_id)
        text = "" if judgment is None else judgment.note
        self._ask(tr("Judgment note for {document}", document=doc_id), tr("Reason for the grade:"), text, keep)

    def assessor(self) -> None:
        """Ask for the name of the judge."""
        session = self._session
        self._ask(
            tr("Name of the judge"),
            tr("Name stored with each judgment:"),
            session.judging.assessor,
            session.judging.set_assessor,
        )

    def widen_scale(self) -> None:
        """Ask for the highest grade that can be given."""
        judging = self._session.judging
        scale, refused = judging.scale, judging.refused
        top = None if scale is None else scale.grades[-1]
        wanted = refused if refused is not None and (top is None or refused > top) else 3 if top is None else top + 1
        words = (
            tr("Highest grade that can be given:")
            if scale is None
            else tr("Highest grade that can be given (the scale is {scale}):", scale=scale.text)
        )
        self._host.show_dialog(
            LineDialog(self._theme, self._host.window(), tr("Widen the scale"), words, decimal(f"{wanted:g}"),
                       judging.scale_trouble, lambda text: judging.widen_scale(float(typed_number(text))))
        )  # fmt: skip

    def all_made(self) -> None:
        """Show the judgments made here."""
        self._host.show_dialog(JudgmentsDialog(self._session, self._theme, self._host.window()))

    def import_judgments(self) -> None:
        """Ask for the file of judgments to import."""
        folder, title = self._session.saving.file_folder(), tr("Import judgments")
        self._host.show_dialog(OpenFilesDialog(self._host.window(), folder, self._import, title=title, single=True))

    def resolve_conflicts(self) -> None:
        """Show imported judgments that conflict with those made here."""
        if self._session.judging.import_comparison is None:
            self._session.say(
                info(tr("No imported judgments are in conflict. Judge > Import judgments… opens a file of judgments."))
            )
        else:
            self._host.show_dialog(ConflictsDialog(self._session, self._theme, self._host.window()))

    def export_patch(self) -> None:
        """Ask for the file of the judgment patch."""
        self._save(tr("Save judgment patch"), "patch", PATCHES, self._session.judging.export_patch)

    def save_set(self) -> None:
        """Ask for the file of a new judgment set with the current qrels, which is then used."""
        who = self._session.judging.assessor
        self._save(
            tr("Save as new judgment set"),
            tr("by {judge}", judge=who) if who else tr("judged"),
            QRELS,
            self._save_as_set,
        )

    def _save_as_set(self, path: str) -> None:
        try:
            self._session.judging.save_as_set(path)
        except IrviewerError as failure:
            self._session.say(error(str(failure)))

    def export_merged(self) -> None:
        """Ask for the file of the merged qrels."""
        self._save(tr("Save merged qrels"), "merged", QRELS, self._session.judging.export_merged)

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
