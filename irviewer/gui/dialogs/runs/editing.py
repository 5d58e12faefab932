"""The dialogs about edited runs: swap ranks, fewest swaps, save."""

from __future__ import annotations

from collections.abc import Callable
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
from irviewer.gui.dialogs.opening_size import open_within_screen
from irviewer.gui.dialogs.text_prompt import LineDialog
from irviewer.gui.tables.model import Column, TableModel, TextColumn
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import command_keys
from irviewer.gui.widgets.enter_key import pressed_by_its_own_enter
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.table import Table
from irviewer.session.messages import info
from irviewer.translation import decimal, tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

RUNS = ((tr("TREC run"), ".run"), (tr("Text"), ".txt"), (tr("Tab-separated values"), ".tsv"))
MARGIN = 18
STEP = 0.05
MOST = 1e6
"""The largest target value for a measure without an upper bound."""


class FewestSwapsDialog(QDialog):
    """Finds the moves with the fewest swaps by which a ranking reaches a value.

    They can be made one by one or together, in an edited copy; if the run is not an edited copy, one is made first."""

    def __init__(self, session: Session, theme: Theme, key: int, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Fewest swaps"))
        self._session = session
        self._key = key
        self._gone = False
        self.found: FewestSwaps | None = None
        name = next((label.name for label in session.view.labels() if label.key == key), "")
        question = PlainLabel(
            tr(
                "Target for {measure} of {run}, query {query}:",
                measure=session.view.measure,
                run=name,
                query=session.view.query_id,
            )
        )
        self.target = QDoubleSpinBox()
        self.target.setDecimals(4)
        self.target.setRange(0.0, 1.0 if session.view.measure.bounded else MOST)
        self.target.setSingleStep(STEP)
        self.target.setKeyboardTracking(False)
        self.target.setAccessibleName(tr("Target value"))
        self.answer = PlainLabel(" ")
        self.answer.setFont(theme.font(9.5, weight=600))
        self.answer.setWordWrap(True)
        self.model = TableModel(self)
        self.table = Table(self.model, theme, stretch="title", sortable=False)
        self.table.setAccessibleName(tr("Moves"))
        self.table.mark = lambda: session.view.judgment_mark
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.first_button = QPushButton(tr("Make first move"))
        self.all_button = QPushButton(tr("Make all moves"))
        for button in (self.first_button, self.all_button):
            pressed_by_its_own_enter(button)
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
        open_within_screen(self, QSize(640, 420))
        self.target.setValue(_first_target(session, key))
        self.target.selectAll()
        self._ask()

    def _ask(self) -> None:
        self._session.run_editing.find_fewest_swaps(self._key, self.target.value(), "", self._on_found)

    def _on_found(self, result: FewestSwaps | MeasureError | None) -> None:
        if self._gone:
            return
        self.found = result if isinstance(result, FewestSwaps) else None
        self.answer.setText(str(result) if isinstance(result, MeasureError) else "" if result is None else result.text)
        moves = () if self.found is None else self.found.moves
        collection = self._session.view.collection
        titles = ["" if collection is None else collection.document_title(move.doc_id) for move in moves]
        columns: tuple[Column, ...] = (
            TextColumn("document", tr("document"), [move.doc_id for move in moves]).say_start_once(),
            TextColumn("from", tr("from rank"), [decimal(f"{move.start:,}") for move in moves]),
            TextColumn("to", tr("to rank"), [decimal(f"{move.stop:,}") for move in moves]),
            TextColumn(
                "value",
                tr("value"),
                [decimal(f"{move.value:.4f}") for move in moves],
                tr("Value of the measure after the move"),
            ),
            TextColumn("title", tr("title"), titles),
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
                self._key,
                self.found.order,
                tr("{measure} to {value:.4f}", measure=self.found.measure, value=self.found.value),
            )
            self._ask()

    def _copied(self) -> bool:
        """Make an edited copy if the run is not one. Return whether there is one."""
        collection = self._session.view.collection
        entry = None if collection is None else collection.run(self._key)
        key = (
            None
            if entry is None
            else self._key
            if entry.edited is not None
            else self._session.run_editing.edit_copy(self._key)
        )
        if key is not None:
            self._key = key
        return key is not None

    def _on_finished(self) -> None:
        self._gone = True


class EditingDialogs:
    """Opens the dialogs about edited runs. Made with the window."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host

    def swap(self) -> None:
        """Ask for the rank to swap the selected document with."""

        def question(own: int, last: int) -> str:
            return tr("Swap rank {own} with rank (1 to {last}):", own=own, last=last)

        session = self._session
        self._ask_rank(
            lambda doc_id: tr("Swap {document}", document=doc_id), question,
            session.run_editing.swap_ranks,
            lambda own, last: own + 1 if own < last else own - 1,
        )  # fmt: skip

    def move_to_rank(self) -> None:
        """Ask for the rank to move the selected document to."""

        def question(own: int, last: int) -> str:
            return tr("Move from rank {own} to rank (1 to {last}):", own=own, last=last)

        def move(key: int, own: int, rank: int) -> None:
            doc_id = self._session.view.document_id
            if doc_id is not None:
                self._session.run_editing.move_document(key, doc_id, rank)

        self._ask_rank(
            lambda doc_id: tr("Move {document}", document=doc_id), question, move,
            lambda own, last: 1 if own > 1 else min(2, last),
        )  # fmt: skip

    def _ask_rank(
        self,
        title: Callable[[str], str],
        question: Callable[[int, int], str],
        act: Callable[[int, int, int], object],
        first: Callable[[int, int], int],
    ) -> None:
        """Ask for a rank of the list of the edited run that the selected document is in: ``act`` hears the run, the
        document's rank and the one typed; ``question`` and the rank offered ``first`` are of its rank and the last."""
        session, key, doc_id = self._session, self._session.run_editing.edited_run, self._session.view.document_id
        context = session.view.context
        entry = None if context is None or key is None else context.collection.run(key)
        if key is None or doc_id is None or entry is None:
            session.say(
                info(
                    tr(
                        "Select a document of an edited run first. {keys} makes an edited copy of the run.",
                        keys=command_keys("edit_copy"),
                    )
                )
            )
            return
        order = entry.run.ranking(session.view.query_id)
        if doc_id not in order:
            session.run_editing.swap_documents(key, doc_id, doc_id)  # reports that the document is not in the ranking
            return
        own = order.index(doc_id) + 1

        def accept(text: str) -> None:
            act(key, own, int(text))

        trouble_of = partial(_trouble_of, len(order))
        asked, offered = question(own, len(order)), str(first(own, len(order)))
        self._host.show_dialog(
            LineDialog(self._theme, self._host.window(), title(doc_id), asked, offered, trouble_of, accept)
        )

    def cheapest(self) -> None:
        """Ask for a target value, and find the fewest swaps that reach it."""
        session = self._session
        key = session.run_editing.edited_run if session.run_editing.edited_run is not None else session.view.focus
        key = session.view.baseline if key is None else key
        if key is not None:
            self._host.show_dialog(FewestSwapsDialog(session, self._theme, key, self._host.window()))

    def save(self) -> None:
        """Ask for the file of the edited run."""
        session, key = self._session, self._session.run_editing.edited_run
        if key is None:
            session.say(
                info(
                    tr(
                        "No edited run is shown. {keys} makes an edited copy of the run.",
                        keys=command_keys("edit_copy"),
                    )
                )
            )
            return
        name = next(label.name for label in session.view.labels() if label.key == key)
        save = partial(session.run_editing.save_run, key)
        self._host.show_dialog(
            SaveDialog(self._host.window(), tr("Save edited run"), session.saving.file_folder(), name, RUNS, save)
        )


def _first_target(session: Session, key: int) -> float:
    """Return the value of the ranking plus a step."""
    context = session.view.context
    entry = None if context is None else context.collection.run(key)
    row = -1 if context is None else context.query_index.get(session.view.query_id, -1)
    if context is None or entry is None or row < 0:
        return 1.0
    value = float(context.values(entry, context.measure)[row])
    return min(1.0 if context.measure.bounded else MOST, (value if value == value else 0.0) + STEP)


def _trouble_of(ranks: int, text: str) -> str:
    return "" if text.isdecimal() and 1 <= int(text) <= ranks else tr("Type a rank from 1 to {last}.", last=ranks)
