"""The table of query sets, with the selected measure of every shown run on each set; Enter selects a set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from irviewer.commands import find, run_command
from irviewer.gui.tables.column_widths import ID_WANTED
from irviewer.gui.tables.result_columns import ColumnLayout
from irviewer.gui.tables.result_panel import ResultPanel
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import TextButton
from irviewer.gui.widgets.savable import Savable, savable_later
from irviewer.session.changes import Change
from irviewer.session.view_models.sets import SetRow, SetsViewModel
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


BUTTONS = {
    "sets_by": tr("By attribute…"),
    "keep_filtered": tr("From filter…"),
    "keep_brushed": tr("From brush…"),
    "open_query_sets": tr("Open…"),
    "weight_queries": tr("Weights…"),
}
"""The buttons of the header: command -> text; shown while the command is enabled."""


class SetsTable(ResultPanel):
    """The table of query sets; the selected set is highlighted."""

    rename_asked = Signal(str)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme, "query_sets", frozen=(1, 1))
        self._view_model: SetsViewModel | None = None
        self.table.setAccessibleName(tr("Query sets"))
        self.table.row_activated.connect(self._on_row_activated)
        self.buttons: dict[str, TextButton] = {}
        for name, text in BUTTONS.items():
            button = TextButton(theme, text, find(session, name).help)
            button.setProperty("command", name)
            button.clicked.connect(self._on_button_clicked)
            self.header_layout.addWidget(button)
            self.buttons[name] = button

    def refresh(self, changes: frozenset[Change]) -> None:
        """Show the query sets of the session."""
        for name, button in self.buttons.items():
            button.setVisible(find(self.session, name).enabled(self.session))
        view_model = self.session.query_sets.sets_view_model()
        if view_model is self._view_model:
            return
        self._view_model = view_model
        if view_model is None:
            self.show_table(None)
            return
        table, former = view_model.table, self.key_of(self.table.current_row())
        chosen = [(row.kind, row.key) for row in view_model.rows if row.chosen]
        runs = dict(zip((column.key for column in table.columns if column.names), view_model.runs, strict=True))
        layouts = {key: ColumnLayout(chosen=label.focus) for key, label in runs.items()}
        self.show_table(
            table, current=former if former in table.keys else next(iter(chosen), None), marked=chosen, runs=runs,
            layouts={"set": ColumnLayout(widest=ID_WANTED), **layouts},
        )  # fmt: skip
        self.set_title(view_model.title)
        self.set_note(view_model.note)
        self.show_notice(view_model.explanation)

    def savable(self) -> Savable | None:
        """Return the table of ``irviewer query-sets``, computed when it is written; this one where values are those of
        one set, weighted or Z-scores."""
        find_means = self.session.query_sets.means_later()
        if find_means is None:
            return super().savable()
        return savable_later(self.title, find_means, self.session.view.judgment_mark)

    def row_menu(self, row: int) -> QMenu:
        menu = super().row_menu(row)
        entry = self._row(row)
        if entry is None:
            return menu
        if entry.kind in ("all", "set") and not entry.chosen:
            text = tr("Evaluate {name} only", name=entry.title) if entry.kind == "set" else tr("Evaluate all queries")
            menu.addAction(text.replace("&", "&&")).setData(("choose", entry.key))
        if entry.kind == "set":
            menu.addAction(tr("Rename…")).setData(("rename", entry.key))
            menu.addAction(tr("Remove")).setData(("remove", entry.key))
        menu.triggered.connect(self._on_menu_triggered)
        return menu

    def _on_button_clicked(self) -> None:
        button = self.sender()
        if isinstance(button, TextButton):
            run_command(self.session, str(button.property("command")))

    def _row(self, row: int) -> SetRow | None:
        return (
            self._view_model.rows[row]
            if self._view_model is not None and 0 <= row < len(self._view_model.rows)
            else None
        )

    def _on_row_activated(self, row: int) -> None:
        entry = self._row(row)
        if entry is not None and entry.kind in ("all", "set"):
            self.session.query_sets.set_query_set("" if entry.chosen else entry.key)

    def _on_menu_triggered(self, action: QAction) -> None:
        data = action.data()
        if not isinstance(data, tuple):
            return
        what, name = data
        if what == "choose":
            self.session.query_sets.set_query_set(name)
        elif what == "rename":
            self.rename_asked.emit(name)
        elif what == "remove":
            self.session.query_sets.remove_query_set(name)
