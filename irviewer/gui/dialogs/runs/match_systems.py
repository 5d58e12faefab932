"""The dialog that says which run of each collection is which system: a row a system, a column a collection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from irviewer.gui.dialogs.opening_size import open_within_screen
from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.hidden_characters import escape_hidden
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

MARGIN = 18
NONE = -1


LEAST_NAME, MOST_NAME, BESIDE_NAME, MOST_WIDTH = 150, 320, 46, 1180
"""Pixels of width of a column of names, what it takes beside a name, and the greatest width of the dialog."""


@guarded
class MatchDialog(QDialog):
    """Shows the runs that are each system, found by name or chosen, and takes other choices."""

    def __init__(self, session: Session, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.setWindowTitle(tr("Match systems"))
        self._session = session
        self._found = session.collections.systems
        about = PlainLabel(
            tr("Choose the run that is each system on each collection. Runs of the same name are matched "
               "automatically, capitals or not.")
        )  # fmt: skip
        about.setFont(theme.font(9.5))
        about.setWordWrap(True)
        self.names: list[QLineEdit] = []
        self.fields: list[list[QComboBox]] = []
        inside = QWidget()
        self._grid = QGridLayout(inside)
        self._grid.setContentsMargins(0, 0, 8, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.addWidget(PlainLabel(tr("system")), 0, 0)
        for place, name in enumerate(self._found.collections):
            self._grid.addWidget(PlainLabel(name), 0, place + 1)
        for place in range(1 + len(self._found.collections)):
            self._grid.setColumnStretch(place, 1)
        for name in self._found.names:
            self._add_row(name)
        area = QScrollArea()
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        self.add = QPushButton(tr("Add a system"))
        self.by_name = QPushButton(tr("Match by name only"))
        self.add.clicked.connect(self._on_add_clicked)
        self.by_name.clicked.connect(self._on_by_name_clicked)
        row = QHBoxLayout()
        row.addWidget(self.add)
        row.addWidget(self.by_name)
        row.addStretch(1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, 14)
        layout.setSpacing(10)
        layout.addWidget(about)
        layout.addWidget(area, 1)
        layout.addLayout(row)
        layout.addWidget(buttons)
        names = [*self._found.names, *(e.name for each in session.view.workspace.collections for e in each.runs)]
        widest = max((self.fontMetrics().horizontalAdvance(name) for name in names), default=0)
        column = min(MOST_NAME, max(LEAST_NAME, widest + BESIDE_NAME))
        open_within_screen(self, QSize(min(MOST_WIDTH, 90 + column * (1 + len(self._found.collections))), 420))

    def _add_row(self, name: str) -> None:
        number = len(self.names)
        field = QLineEdit(name)
        field.setMinimumWidth(110)
        field.setCursorPosition(0)  # a long name shows its beginning
        field.setAccessibleName(tr("Name of system {n}", n=number + 1))
        self.names.append(field)
        self._grid.addWidget(field, number + 1, 0)
        fields = []
        for place, collection in enumerate(self._session.view.workspace.collections):
            box = QComboBox()
            box.setMinimumContentsLength(9)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setAccessibleName(tr("Run of {system} on {collection}", system=name or tr("the new system"),
                                     collection=self._found.collections[place]))  # fmt: skip
            box.addItem(tr("no run"), NONE)
            for entry in collection.runs:
                box.addItem(escape_hidden(entry.name), entry.key)
            box.setCurrentIndex(max(0, box.findData(self._found.runs[place].get(name, NONE))))
            self._grid.addWidget(box, number + 1, place + 1)
            fields.append(box)
        self.fields.append(fields)
        self._grid.setRowStretch(number + 1, 0)
        self._grid.setRowStretch(number + 2, 1)

    def chosen(self) -> dict[int, dict[int, str]]:
        """Return what differs from the match by name, and what was chosen before: for each collection the systems of
        runs by their keys."""
        collections = self._session.view.workspace.collections
        chosen: dict[int, dict[int, str]] = {}
        for place, collection in enumerate(collections):
            wanted = {
                int(fields[place].currentData()): field.text().strip()
                for field, fields in zip(self.names, self.fields, strict=True)
                if int(fields[place].currentData()) != NONE and field.text().strip()
            }
            runs = self._found.runs[place]
            left = {key: "" for name, key in runs.items() if name in self._found.names and key not in wanted}
            moved = {key: name for key, name in wanted.items() if runs.get(name) != key}
            chosen[place] = {**collection.systems, **left, **moved}
        return chosen

    def accept(self) -> None:
        self._session.collections.match(self.chosen())
        super().accept()

    def _on_add_clicked(self) -> None:
        self._add_row("")
        self.names[-1].setFocus()

    def _on_by_name_clicked(self) -> None:
        self._session.collections.match({place: {} for place in range(len(self._found.collections))})
        super().accept()
