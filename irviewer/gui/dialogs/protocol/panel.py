"""The panel of the protocol: every field with the command that changes it, the runs that take part, and the line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QScrollArea,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from irviewer.commands import run_command
from irviewer.commands.actions.protocol import FIELDS, UNJUDGED
from irviewer.errors import IrviewerError
from irviewer.gui.dialogs.opening_size import least_height, open_within_screen, room_of
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.enter_key import pressed_by_its_own_enter
from irviewer.gui.widgets.menu_below import open_below
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.regime_menu import RegimeMenu
from irviewer.gui.widgets.run_choices import run_texts
from irviewer.model.protocol_line import LinePart, Origin
from irviewer.session.messages import error
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.evaluation.bind import BoundProtocol
    from irviewer.session.session import Session

ORIGINS: dict[Origin, str] = {
    "declared": tr("declared"), "default": tr("not declared"), "name": tr("by its name"), "view": tr("by this view"),
}  # fmt: skip
NOT_HERE = ("scope.weights", "rules.zscores")
"""Fields that are data of the collection: they are declared by being there."""
WIDTH = 620
SIDES = 36
"""Pixels of the margins at the left and the right."""
BESIDE_FIELDS, BESIDE_RUNS = 250, 310
"""Pixels of height of all but the fields, and of all but the runs, where both are low."""
BELOW_RUNS = 8
"""Pixels below the last of the runs."""


class _Button(QPushButton):
    """A button of the row of a field."""

    def __init__(self, title: str, part: LinePart) -> None:
        super().__init__(title)
        self.place = part.place
        pressed_by_its_own_enter(self)
        self.setAccessibleName(f"{title} {part.text}")


class ProtocolPanel(QDialog):
    """It follows the session while it is open: its rows are the parts of the whole line."""

    def __init__(self, session: Session, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Protocol"))
        self._session = session
        self._theme = theme
        self._shown: tuple[object, ...] = ()
        self._menu: RegimeMenu | None = None
        head = PlainLabel(
            tr("All numbers in view depend on this. Each change can be undone, and is kept with the project.")
        )
        head.setWordWrap(True)
        self.line = PlainLabel()
        self.line.setWordWrap(True)  # it is read whole before it is copied
        self.line.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.line.setAccessibleDescription(tr("The line of the protocol"))  # its name is its text
        self.copy_line = QPushButton(tr("Copy the line"))
        self.copy_line.clicked.connect(self._on_copy_clicked)
        top = QHBoxLayout()
        top.addWidget(self.line, 1)
        top.addWidget(self.copy_line, 0, Qt.AlignmentFlag.AlignTop)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        width = min(WIDTH, room_of(window).width() - SIDES)
        self._scroll.setMinimumSize(width, least_height(window, 260, BESIDE_FIELDS, 90))
        self.runs = QTreeWidget()
        self.runs.setColumnCount(2)
        self.runs.setHeaderHidden(True)
        self.runs.setRootIsDecorated(False)
        self.runs.setUniformRowHeights(True)
        self.runs.header().setStretchLastSection(False)
        self.runs.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.runs.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.runs.setAccessibleName(tr("Runs that take part in comparisons"))
        self.runs.setMinimumHeight(least_height(window, 90, BESIDE_RUNS, 50))
        self.runs.itemChanged.connect(self._on_run_changed)
        title = PlainLabel(tr("Runs that take part in comparisons; showing or hiding a run does not change this"))
        title.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.open_file, self.save_file = QPushButton(tr("Open…")), QPushButton(tr("Save…"))
        for button, slot in ((self.open_file, self._on_open_clicked), (self.save_file, self._on_save_clicked)):
            buttons.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
            button.clicked.connect(slot)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 18, 18, 14)
        layout.addWidget(head)
        layout.addLayout(top)
        layout.addWidget(self._scroll, 3)
        layout.addWidget(title)
        layout.addWidget(self.runs, 2)
        layout.addWidget(buttons)
        self.buttons: list[_Button] = []
        session.changed.connect(self._on_session_changed)
        self.finished.connect(self._on_finished)
        self._refresh()
        open_within_screen(self, self.sizeHint())

    def _on_session_changed(self, changes: frozenset[object]) -> None:
        self._refresh()

    def _on_finished(self, result: int) -> None:
        self._session.changed.disconnect(self._on_session_changed)

    def _refresh(self) -> None:
        bound, context = self._session.view.protocol, self._session.view.context
        if bound is None or context is None:
            self.reject()
            return
        parts = bound.all_parts()
        taking_part = frozenset(entry.key for entry in context.taking_part)
        runs = self._session.view.best_first(context.system_labels)
        shown = (parts, taking_part, tuple((label, run_texts(label, mean)) for label, mean in runs))
        if shown == self._shown:
            return
        if not self._shown or self._shown[0] != parts:
            self._show_fields(bound)
        self._shown = shown
        self.runs.blockSignals(True)
        # Items stay: the one that was ticked tells of it before it has ended what it does.
        while self.runs.topLevelItemCount() > len(runs):
            self.runs.takeTopLevelItem(len(runs))
        for _ in range(len(runs) - self.runs.topLevelItemCount()):
            self.runs.addTopLevelItem(QTreeWidgetItem())
        for row, (label, texts) in enumerate(shown[2]):
            item = self.runs.topLevelItem(row)
            assert item is not None
            for column, text in enumerate(texts):
                item.setText(column, text)
            item.setData(0, Qt.ItemDataRole.UserRole, label.key)
            item.setCheckState(0, Qt.CheckState.Checked if label.key in taking_part else Qt.CheckState.Unchecked)
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            can_tick = Qt.ItemFlag.ItemIsUserCheckable
            item.setFlags(item.flags() & ~can_tick if label.baseline else item.flags() | can_tick)
        self.runs.blockSignals(False)
        rows = len(runs) * self.runs.sizeHintForRow(0) + 2 * self.runs.frameWidth() + BELOW_RUNS
        self.runs.setMaximumHeight(max(self.runs.minimumHeight(), rows))  # the fields have the rest

    def _show_fields(self, bound: BoundProtocol) -> None:
        self.line.setText(bound.line())
        at = self.focusWidget()
        place = at.place if isinstance(at, _Button) else ""
        body = QWidget()
        grid = QGridLayout(body)
        grid.setColumnStretch(0, 1)
        self.buttons = []
        for row, part in enumerate(bound.all_parts()):
            value, origin = PlainLabel(part.text), PlainLabel(ORIGINS[part.origin])
            origin.setFont(self._theme.font(9))
            grid.addWidget(value, row, 0)
            grid.addWidget(origin, row, 1)
            if part.place in FIELDS or part.place == UNJUDGED:
                self._add_button(grid, row, 2, _Button(tr("Change…"), part), self._on_change_clicked)
            if part.place in NOT_HERE:
                continue
            if part.origin == "declared":
                self._add_button(grid, row, 3, _Button(tr("Do not declare"), part), self._on_undeclare_clicked)
            else:
                self._add_button(grid, row, 3, _Button(tr("Declare"), part), self._on_declare_clicked)
        grid.setRowStretch(len(bound.all_parts()), 1)
        self._scroll.setWidget(body)
        again = next((button for button in self.buttons if button.place == place), None)
        if again is not None:
            again.setFocus()

    def _add_button(self, grid: QGridLayout, row: int, column: int, button: _Button, slot: object) -> None:
        button.clicked.connect(slot)
        grid.addWidget(button, row, column)
        self.buttons.append(button)

    def _on_change_clicked(self) -> None:
        button = self.sender()
        if not isinstance(button, _Button):
            return
        if button.place == UNJUDGED:
            self._menu = open_below(RegimeMenu(self._session, self), button)
        else:
            run_command(self._session, FIELDS[button.place])

    def _on_declare_clicked(self) -> None:
        button = self.sender()
        if isinstance(button, _Button):
            self._session.protocol.declare_as_is(button.place.rpartition(".")[2])

    def _on_undeclare_clicked(self) -> None:
        button = self.sender()
        if isinstance(button, _Button):
            self._session.protocol.undeclare(button.place.rpartition(".")[2])

    def _on_run_changed(self, item: QTreeWidgetItem) -> None:
        takes_part = item.checkState(0) is Qt.CheckState.Checked
        try:
            self._session.protocol.set_taking_part(int(item.data(0, Qt.ItemDataRole.UserRole)), takes_part)
        except IrviewerError as failure:
            self._session.say(error(str(failure)))

    def _on_copy_clicked(self) -> None:
        run_command(self._session, "copy_protocol")

    def _on_open_clicked(self) -> None:
        run_command(self._session, "open_protocol")

    def _on_save_clicked(self) -> None:
        run_command(self._session, "save_protocol")
