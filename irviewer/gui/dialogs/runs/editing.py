"""What the window asks about edited lists: with which rank to swap, what a value would take, where the run
goes; with the dialog of the cheapest changes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from irviewer.analysis.explain.fewest_swaps import FewestSwaps
from irviewer.errors import MeasureError
from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.text_prompt import LineDialog
from irviewer.gui.tables.model import Column, TableModel, TextColumn
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import command_keys
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.table import Table
from irviewer.session.messages import info

if TYPE_CHECKING:
    from irviewer.session.session import Session

RUNS = (("TREC run", ".run"), ("Text", ".txt"), ("Tab-separated values", ".tsv"))
MARGIN = 18
STEP = 0.05
MOST = 1e6
"""The largest value that may be wished of a measure without a bound."""


class FewestSwapsDialog(QDialog):
    """A value that the list should reach, and the moves that pass the fewest ranks to bring it there.

    They are made, one by one or at once, in an edited copy; where the run is none yet, the first move makes one."""

    def __init__(self, session: Session, theme: Theme, key: int, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("The cheapest changes")
        self._session = session
        self._key = key
        self._gone = False
        self.found: FewestSwaps | None = None
        name = next((label.name for label in session.view.labels() if label.key == key), "")
        question = PlainLabel(f"{session.view.measure} of {name} for query {session.view.query_id} should reach")
        self.target = QDoubleSpinBox()
        self.target.setDecimals(4)
        self.target.setRange(0.0, 1.0 if session.view.measure.bounded else MOST)
        self.target.setSingleStep(STEP)
        self.target.setKeyboardTracking(False)
        self.target.setAccessibleName("Value to reach")
        self.answer = PlainLabel(" ")
        self.answer.setFont(theme.font(9.5, weight=600))
        self.answer.setWordWrap(True)
        self.model = TableModel(self)
        self.table = Table(self.model, theme, stretch="title", sortable=False)
        self.table.setAccessibleName("Moves")
        self.table.mark = lambda: session.view.judgment_mark
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.first_button = QPushButton("Make the first")
        self.all_button = QPushButton("Make all")
        for button in (self.first_button, self.all_button):
            button.setAutoDefault(False)
            buttons.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
        self.first_button.clicked.connect(self._on_first_clicked)
        self.all_button.clicked.connect(self._on_all_clicked)
        buttons.rejected.connect(self.reject)
        self.target.valueChanged.connect(self._on_target_changed)
        self.finished.connect(self._on_finished)
        asking = QHBoxLayout()
        asking.addWidget(question)
        asking.addWidget(self.target)
        asking.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(10)
        layout.addLayout(asking)
        for widget, stretch in ((self.answer, 0), (self.table, 1), (buttons, 0)):
            layout.addWidget(widget, stretch)
        self.resize(QSize(640, 420))
        self.target.setValue(_first_target(session, key))
        self.target.selectAll()
        self._ask()

    def _ask(self) -> None:
        self._session.run_editing.find_fewest_swaps(self._key, self.target.value(), "", self._on_found)

    def _on_found(self, found: FewestSwaps | MeasureError | None) -> None:
        if self._gone:
            return
        self.found = found if isinstance(found, FewestSwaps) else None
        self.answer.setText(str(found) if isinstance(found, MeasureError) else "" if found is None else found.text)
        moves = () if self.found is None else self.found.moves
        collection = self._session.view.collection
        titles = ["" if collection is None else collection.document_title(move.doc_id) for move in moves]
        columns: tuple[Column, ...] = (
            TextColumn("document", "document", [move.doc_id for move in moves]),
            TextColumn("from", "from rank", [f"{move.start:,}" for move in moves]),
            TextColumn("to", "to rank", [f"{move.stop:,}" for move in moves]),
            TextColumn("value", "then", [f"{move.value:.4f}" for move in moves], "the value once it has moved"),
            TextColumn("title", "title", titles),
        )
        self.model.show(columns, list(range(len(moves))))
        for button in (self.first_button, self.all_button):
            button.setEnabled(bool(moves))

    def _on_target_changed(self) -> None:
        self._ask()

    def _on_first_clicked(self) -> None:
        if self.found is not None and self.found.moves and self._copied():
            move = self.found.moves[0]
            self._session.run_editing.move_document(self._key, move.doc_id, move.stop)
            self._ask()

    def _on_all_clicked(self) -> None:
        if self.found is not None and self.found.moves and self._copied():
            self._session.run_editing.set_list(
                self._key, self.found.order, f"{self.found.measure} to {self.found.value:.4f}"
            )
            self._ask()

    def _copied(self) -> bool:
        """Make the run a copy that can be edited, where it is none."""
        collection = self._session.view.collection
        entry = None if collection is None else collection.run(self._key)
        made = (
            None
            if entry is None
            else self._key
            if entry.edited is not None
            else self._session.run_editing.edit_copy(self._key)
        )
        if made is not None:
            self._key = made
        return made is not None

    def _on_finished(self) -> None:
        self._gone = True


class EditingDialogs:
    """Made with the window; each method asks one thing."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host

    def swap(self) -> None:
        """With which rank the selected document changes places."""
        session, key, doc_id = self._session, self._session.run_editing.edited_run, self._session.view.document_id
        context = session.view.context
        entry = None if context is None or key is None else context.collection.run(key)
        if key is None or doc_id is None or entry is None:
            session.say(info(f"Select a document of an edited copy ({command_keys('edit_copy')} makes one)."))
            return
        order = entry.run.ranking(session.view.query_id)
        if doc_id not in order:
            session.run_editing.swap_documents(key, doc_id, doc_id)  # says that the list lacks it
            return
        own = order.index(doc_id) + 1

        def accept(text: str) -> None:
            session.run_editing.swap_ranks(key, own, int(text))

        question = f"Swap rank {own} with rank (1 to {len(order)}):"
        trouble_of = partial(_trouble_of, len(order))
        other = own + 1 if own < len(order) else own - 1
        title = f"Swap {doc_id}"
        self._host.show_dialog(
            LineDialog(self._theme, self._host.window(), title, question, str(other), trouble_of, accept)
        )

    def cheapest(self) -> None:
        """What a value would take."""
        session = self._session
        key = session.run_editing.edited_run if session.run_editing.edited_run is not None else session.view.focus
        key = session.view.baseline if key is None else key
        if key is not None:
            self._host.show_dialog(FewestSwapsDialog(session, self._theme, key, self._host.window()))

    def save(self) -> None:
        """Where the edited run goes."""
        session, key = self._session, self._session.run_editing.edited_run
        if key is None:
            session.say(info(f"No edited copy is shown: {command_keys('edit_copy')} makes one."))
            return
        name = next(label.name for label in session.view.labels() if label.key == key)
        save = partial(session.run_editing.save_run, key)
        self._host.show_dialog(
            SaveDialog(self._host.window(), "Save the edited run", session.saving.file_folder(), name, RUNS, save)
        )


def _first_target(session: Session, key: int) -> float:
    """A step above what the list has."""
    context = session.view.context
    entry = None if context is None else context.collection.run(key)
    place = -1 if context is None else context.query_index.get(session.view.query_id, -1)
    if context is None or entry is None or place < 0:
        return 1.0
    value = float(context.values(entry, context.measure)[place])
    return min(1.0 if context.measure.bounded else MOST, (value if value == value else 0.0) + STEP)


def _trouble_of(ranks: int, text: str) -> str:
    return "" if text.isdecimal() and 1 <= int(text) <= ranks else f"A rank from 1 to {ranks}."
