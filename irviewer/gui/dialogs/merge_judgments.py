"""Judgments of a file that contradict those made here: what would be new, the list of what differs, and what is to
become of it. Nothing is laid over before one says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from irviewer.gui.tables.model import Column, TableModel, TextColumn
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.painting import grade_text
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip
from irviewer.gui.widgets.table import Table
from irviewer.model.judgments.merging import Conflict, Document
from irviewer.model.judgments.overlay import Judgment
from irviewer.session.judging.authors import whose
from irviewer.session.judging.merging import Choice

if TYPE_CHECKING:
    from irviewer.session.session import Session

MARGIN = 18
_ALL: tuple[tuple[str, Choice, str], ...] = (
    ("Keep mine", "mine", "In every row what was judged here stays"),
    ("Take theirs", "theirs", "In every row the file's judgment holds"),
)
_ENDS: tuple[tuple[str, Choice, str], ...] = (
    ("Lay over", "each", "What is new, and in each row what it says is kept"),
    ("Keep as another judge", "judge", "A judgment set of its own, beside these; nothing is laid over"),
)
_KEPT = "keep"


class LayingDialog(QDialog):
    """The conflicts, for each of them which judgment is kept, and two ways out, each one step to undo; Esc and Cancel
    lay nothing over."""

    def __init__(self, session: Session, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._session = session
        self._chosen: Choice | None = None
        self._theirs: set[int] = set()  # rows in which the file holds
        self._columns: tuple[Column, ...] = ()
        self._documents: Sequence[Document] = ()
        self.head = PlainLabel()
        self.head.setFont(theme.font(10.5, weight=600))
        self.head.setWordWrap(True)
        self.below = PlainLabel()
        self.below.setFont(theme.font(9.5))
        self.below.setWordWrap(True)
        self.tally = PlainLabel()
        self.tally.setFont(theme.font(9.5))
        self.model = TableModel(self)
        self.table = Table(self.model, theme, stretch="title", sortable=False)
        self.table.setAccessibleName("Judgments that contradict")
        self.table.row_activated.connect(self._on_toggled)
        self.table.row_toggled.connect(self._on_toggled)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.buttons: dict[str, QPushButton] = {}
        rows = QHBoxLayout()
        for text, choice, told in (*_ALL, *_ENDS):
            button = QPushButton(text)
            set_tooltip(button, told)
            button.setProperty("choice", choice)
            self.buttons[choice] = button
            if choice in ("mine", "theirs"):
                button.setAutoDefault(False)
                button.clicked.connect(self._on_all_clicked)
                rows.addWidget(button)
            else:
                button.clicked.connect(self._on_choice_clicked)
                buttons.addButton(button, QDialogButtonBox.ButtonRole.AcceptRole)
        rows.addWidget(self.tally, 1)
        self.buttons["each"].setDefault(True)
        buttons.rejected.connect(self.reject)
        self.finished.connect(self._on_finished)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.setSpacing(10)
        layout.addWidget(self.head)
        layout.addWidget(self.table, 1)
        layout.addLayout(rows)
        layout.addWidget(self.below)
        layout.addWidget(buttons)
        self.resize(QSize(1000, 480))
        self._pull()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _pull(self) -> None:
        laying, assessor = self._session.judging.laying, self._session.judging.assessor
        if laying is None:
            return
        conflicts, name = laying.found.conflicts, laying.incoming.name
        self.setWindowTitle(f"{name} contradicts what was judged here")
        self.head.setText(f"{name} over {laying.over}: {laying.told(assessor)}")
        self.below.setText(
            f"A click in the column “{_KEPT}” changes its row, Space the rows selected. Lay over adds what is new and "
            f"keeps in each row what stands there; Keep as another judge makes a judgment set of it, beside "
            f"{laying.over}. Each is one step to undo; who judged, and when, stays with every judgment."
        )
        self._columns = _columns(conflicts, assessor, self._title)
        self._documents = [(one.mine.query_id, one.mine.doc_id) for one in conflicts]
        self._show()
        if conflicts:
            self.table.selectRow(0)

    def _show(self) -> None:
        """Which judgment each row keeps."""
        count, theirs = len(self._documents), len(self._theirs)
        words = ["theirs" if row in self._theirs else "mine" for row in range(count)]
        kept = TextColumn(_KEPT, _KEPT, words, "Which of the two is kept", link=True)
        kept.longest = "theirs"
        with self.table.keeping():
            self.model.show((kept, *self._columns), list(range(count)))
        self.tally.setText(f"{count - theirs:,} of mine stay, {theirs:,} of theirs taken")

    def _title(self, doc_id: str) -> str:
        laying = self._session.judging.laying
        found = (
            one
            for one in self._session.view.workspace.collections
            if laying is not None and one.identity is laying.incoming.collection
        )
        collection = next(found, None)
        return "" if collection is None else collection.document_title(doc_id)

    def _on_all_clicked(self) -> None:
        button = self.sender()
        every = isinstance(button, QPushButton) and button.property("choice") == "theirs"
        self._theirs = set(range(len(self._documents))) if every else set()
        self._show()

    def _on_toggled(self, row: int) -> None:
        """The rows selected say what this one did not."""
        rows = {row, *self.table.selected_rows()}
        self._theirs = self._theirs - rows if row in self._theirs else self._theirs | rows
        self._show()

    def _on_choice_clicked(self) -> None:
        button = self.sender()
        if isinstance(button, QPushButton):
            self._chosen = button.property("choice")
        self.accept()

    def _on_finished(self) -> None:
        self._session.judging.settle(self._chosen, frozenset(self._documents[row] for row in self._theirs))


def _columns(conflicts: tuple[Conflict, ...], assessor: str, title: Callable[[str], str]) -> tuple[Column, ...]:
    """Query, document, and both judgments: grade, judge where there are several, date, and notes where there are."""
    found: list[Column] = [
        TextColumn("query", "query", [one.mine.query_id for one in conflicts]),
        TextColumn("document", "document", [one.mine.doc_id for one in conflicts]),
    ]
    mine, theirs = [one.mine for one in conflicts], [one.theirs for one in conflicts]
    for side, words, judgments in (("mine", "here", mine), ("theirs", "in the file", theirs)):
        judges = {whose(one, assessor) for one in judgments}
        head = next(iter(judges)) if len(judges) == 1 else words
        if side == "theirs" and head == "yours":
            head = words  # one's own, from elsewhere
        found.append(TextColumn(f"{side} grade", head, [_grade(one) for one in judgments], bold=True))
        if len(judges) > 1:
            found.append(TextColumn(f"{side} who", "judge", [_judge(one, assessor) for one in judgments]))
        found.append(
            TextColumn(f"{side} when", "when", [_day(one) for one in judgments], tips=[_when(one) for one in judgments])
        )
        if any(one.note for one in judgments):
            found.append(TextColumn(f"{side} note", "note", [one.note for one in judgments]))
    return (*found, TextColumn("title", "title", [title(one.mine.doc_id) for one in conflicts]))


def _grade(one: Judgment) -> str:
    return "unjudged" if one.grade is None else grade_text(one.grade)


def _judge(one: Judgment, assessor: str) -> str:
    return f"{one.who} (you)" if one.who and whose(one, assessor) == "yours" else one.who or "unknown"


def _day(one: Judgment) -> str:
    return one.when[:16].replace("T", " ") or "no date"


def _when(one: Judgment) -> str:
    return f"{one.when.replace('T', ' ').removesuffix('Z')} UTC" if one.when else "The file says no date"
