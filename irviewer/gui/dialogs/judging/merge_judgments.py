"""The dialog about judgments of a file that conflict with those made here: which are new, and which of two to keep.

Nothing is changed before the user chooses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from irviewer.gui.dialogs.opening_size import open_within_screen
from irviewer.gui.tables.model import Column, TableModel, TextColumn
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.enter_key import pressed_by_its_own_enter
from irviewer.gui.widgets.painting import grade_text
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip
from irviewer.gui.widgets.table import Table
from irviewer.model.judgments.merging import Conflict, Document
from irviewer.model.judgments.overlay import Judgment
from irviewer.session.judging.authors import whose
from irviewer.session.judging.merging import Choice
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

MARGIN = 18
_ALL: tuple[tuple[str, Choice, str], ...] = (
    (tr("Keep all mine"), "mine", tr("Keep the judgment made here in every row")),
    (tr("Take all theirs"), "theirs", tr("Take the judgment of the file in every row")),
)
_ENDS: tuple[tuple[str, Choice, str], ...] = (
    (tr("Apply"), "each", tr("Add the new judgments, and apply the choice of each row")),
    (tr("Add as judgment set"), "judge", tr("Add the file as a separate judgment set, and change no judgment")),
)
_KEPT = "keep"
MINE, THEIRS = tr("mine"), tr("theirs")
UNJUDGED, UNKNOWN, NO_DATE = tr("unjudged"), tr("unknown"), tr("no date")
NO_DATE_TIP = tr("The file states no date")


class ConflictsDialog(QDialog):
    """The conflicts, with the judgment to keep for each. Both buttons make one undo step; Cancel changes nothing."""

    def __init__(self, session: Session, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._session = session
        self._chosen: Choice | None = None
        self._theirs: set[int] = set()  # rows that take the judgment of the file
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
        self.table = Table(self.model, theme, stretch="title", sortable=False, tightens=True)
        self.table.setAccessibleName(tr("Conflicting judgments"))
        self.table.row_activated.connect(self._on_toggled)
        self.table.row_toggled.connect(self._on_toggled)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.buttons: dict[str, QPushButton] = {}
        rows = QHBoxLayout()
        for text, choice, tip in (*_ALL, *_ENDS):
            button = QPushButton(text)
            set_tooltip(button, tip)
            button.setProperty("choice", choice)
            self.buttons[choice] = button
            if choice in ("mine", "theirs"):
                pressed_by_its_own_enter(button)
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
        open_within_screen(self, QSize(1000, 480))
        self._pull()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _pull(self) -> None:
        import_comparison, assessor = self._session.judging.import_comparison, self._session.judging.assessor
        if import_comparison is None:
            return
        conflicts, name = import_comparison.found.conflicts, import_comparison.incoming.name
        self.setWindowTitle(tr("Conflicting judgments"))
        self.head.setText(
            tr(
                "Import {file} into {qrels}: {changes}",
                file=name,
                qrels=import_comparison.set_name,
                changes=import_comparison.summary(assessor),
            )
        )
        self.below.setText(
            tr(
                "Click the column “keep” to change its row; Space changes the selected rows. Apply adds the new "
                "judgments and applies the choice of each row. Add as judgment set keeps the file as a separate "
                "judgment set beside {qrels}. Each is one undo step. Judges and dates are kept.",
                qrels=import_comparison.set_name,
            )
        )
        self._columns = _columns(conflicts, assessor, self._title)
        self._documents = [(conflict.mine.query_id, conflict.mine.doc_id) for conflict in conflicts]
        self._show()
        if conflicts:
            self.table.selectRow(0)

    def _show(self) -> None:
        """Show which judgment each row keeps."""
        count, theirs = len(self._documents), len(self._theirs)
        words = [THEIRS if row in self._theirs else MINE for row in range(count)]
        kept = TextColumn(_KEPT, tr("keep"), words, tr("The judgment to keep"), link=True)
        kept.longest = THEIRS
        with self.table.keeping():
            self.model.show((kept, *self._columns), list(range(count)))
        self.tally.setText(tr("Mine kept: {mine:,}. Theirs taken: {theirs:,}", mine=count - theirs, theirs=theirs))

    def _title(self, doc_id: str) -> str:
        import_comparison = self._session.judging.import_comparison
        matching = (
            collection
            for collection in self._session.view.workspace.collections
            if import_comparison is not None and collection.identity is import_comparison.incoming.collection
        )
        collection = next(matching, None)
        return "" if collection is None else collection.document_title(doc_id)

    def _on_all_clicked(self) -> None:
        button = self.sender()
        theirs = isinstance(button, QPushButton) and button.property("choice") == "theirs"
        self._theirs = set(range(len(self._documents))) if theirs else set()
        self._show()

    def _on_toggled(self, row: int) -> None:
        """Change the row, and set the selected rows to the same."""
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
    """Return the columns: query and document, both grades beside each other, the document's title, and for both
    judgments the judge (if several), the date and notes. Dates give way before the table scrolls."""
    mine, theirs = [conflict.mine for conflict in conflicts], [conflict.theirs for conflict in conflicts]
    sides = (("mine", tr("here"), mine), ("theirs", tr("in the file"), theirs))
    judges = [sorted({whose(judgment, assessor) for judgment in judgments}) for _, _, judgments in sides]
    heads = [names[0] if len(names) == 1 else words for names, (_, words, _) in zip(judges, sides, strict=True)]
    if all(judgment.who == assessor for judgment in theirs) or heads[0] == heads[1]:
        heads[1] = sides[1][1]  # the user's own, from another file
    grades: list[Column] = []
    more: list[Column] = []
    for (side, _, judgments), head, names in zip(sides, heads, judges, strict=True):
        grade = TextColumn(f"{side} grade", head, [_grade(judgment) for judgment in judgments], bold=True)
        grade.group = tr("grade")
        grades.append(grade)
        own: list[Column] = []
        if len(names) > 1:
            own.append(TextColumn(f"{side} who", tr("judge"), [_judge(judgment, assessor) for judgment in judgments]))
        days, times = [_day(judgment) for judgment in judgments], [_when(judgment) for judgment in judgments]
        own.append(TextColumn(f"{side} when", tr("date"), days, tips=times))
        own[-1].yields = True
        if any(judgment.note for judgment in judgments):
            own.append(TextColumn(f"{side} note", tr("note"), [judgment.note for judgment in judgments]))
        for column in own:
            column.group = head
        more += own
    return (
        TextColumn("query", tr("query"), [conflict.mine.query_id for conflict in conflicts]),
        TextColumn("document", tr("document"), [conflict.mine.doc_id for conflict in conflicts]).say_start_once(),
        *grades,
        TextColumn("title", tr("title"), [title(conflict.mine.doc_id) for conflict in conflicts]),
        *more,
    )


def _grade(judgment: Judgment) -> str:
    return UNJUDGED if judgment.grade is None else grade_text(judgment.grade)


def _judge(judgment: Judgment, assessor: str) -> str:
    if judgment.who and judgment.who == assessor:
        return tr("{judge} (you)", judge=judgment.who)
    return judgment.who or UNKNOWN


def _day(judgment: Judgment) -> str:
    return judgment.when[:16].replace("T", " ") or NO_DATE


def _when(judgment: Judgment) -> str:
    return tr("{time} UTC", time=judgment.when.replace("T", " ").removesuffix("Z")) if judgment.when else NO_DATE_TIP
