"""The query sets in a table: the chosen measure of every shown run on each; Enter has all numbers be of one.

Pulls the sets' view model; what a person does with a set it asks of the session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from irviewer.commands import find, run_command
from irviewer.gui.tables.model import Column, DeltaColumn, NumberColumn, TableModel, TextColumn, label_tooltip
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import TextButton
from irviewer.gui.widgets.table import Table
from irviewer.gui.widgets.table_panel import ViewModelPanel
from irviewer.session.changes import Change
from irviewer.session.view_models.sets import SetRow, SetsViewModel

if TYPE_CHECKING:
    from irviewer.session.session import Session


# The columns of the query sets: a set, how many queries it has, the measure of every shown run on it.


class SetsModel(TableModel):
    """Sets x shown runs over a :class:`SetsViewModel`; the keys of its rows are (kind, the set's name)."""

    def set_view_model(self, view_model: SetsViewModel) -> None:
        """Show another view model."""
        titles = [f"{row.title} *" if row.looked else row.title for row in view_model.rows]
        columns: list[Column] = [
            TextColumn(
                "set", "queries", titles, "the query sets", bold=True, tips=[row.tip for row in view_model.rows]
            ),
            NumberColumn("n", "n", view_model.counts, "how many queries", counts=True),
        ]
        for place, label in enumerate(view_model.runs):
            column = NumberColumn(
                str(label.key),
                label.name,
                view_model.values[:, place],
                f"mean {view_model.measure} of {label_tooltip(label)}",
                run=label,
                best=view_model.best[:, place],
                missing="no value: no query of the set counts",
            )
            column.chosen = label.focus
            columns.append(column)
        columns.append(
            DeltaColumn(
                "delta",
                f"{'ratio' if view_model.ratio else 'Δ'} {view_model.measure}",
                view_model.delta,
                view_model.delta_note or f"difference in {view_model.measure}",
                missing="no difference: it takes a baseline and another run, both shown",
                better_up=view_model.higher_is_better,
                ratios=view_model.ratio,
            )
        )
        chosen = frozenset(place for place, row in enumerate(view_model.rows) if row.chosen)
        self.show(tuple(columns), [(row.kind, row.key) for row in view_model.rows], marked=chosen)


BUTTONS = {
    "sets_by": "By column…",
    "keep_filtered": "Keep the filter…",
    "keep_brushed": "Keep the brush…",
    "open_query_sets": "Open…",
    "weight_queries": "Weights…",
}
"""What the header offers to the mouse: a command and its words here; shown where it can be done."""


class SetsTable(ViewModelPanel[SetsViewModel]):
    """ "3 query sets · nDCG@10": the set in force stands on the selection's ground."""

    rename_asked = Signal(str)

    def __init__(self, session: Session, theme: Theme) -> None:
        self.model = SetsModel()
        table = Table(self.model, theme, frozen=(1, 1))
        super().__init__(
            session,
            theme,
            table,
            "query_sets",
            self.model,
            session.query_sets.sets_view_model,
            self.model.set_view_model,
        )
        self.table.setAccessibleName("Query sets")
        self.table.row_activated.connect(self._on_row_activated)
        self.buttons: dict[str, TextButton] = {}
        for name, text in BUTTONS.items():
            button = TextButton(theme, text, find(session, name).help)
            button.setProperty("command", name)
            button.clicked.connect(self._on_button_clicked)
            self.header_layout.addWidget(button)
            self.buttons[name] = button

    def refresh(self, changes: frozenset[Change]) -> None:
        """Show the session's sets."""
        for name, button in self.buttons.items():
            button.setVisible(find(self.session, name).enabled(self.session))
        super().refresh(changes)

    def row_of(self, view_model: SetsViewModel) -> int:
        row = self.table.current_row()
        chosen = next((place for place, one in enumerate(view_model.rows) if one.chosen), 0)
        return row if 0 <= row < len(view_model.rows) else chosen

    def row_menu(self, row: int) -> QMenu:
        menu = super().row_menu(row)
        one = self._row(row)
        if one is None:
            return menu
        if one.kind in ("all", "set") and not one.chosen:
            text = f"Numbers of {one.title} only" if one.kind == "set" else "Numbers of all queries"
            menu.addAction(text.replace("&", "&&")).setData(("choose", one.key))
        if one.kind == "set":
            menu.addAction("Rename…").setData(("rename", one.key))
            menu.addAction("Remove").setData(("remove", one.key))
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
        one = self._row(row)
        if one is not None and one.kind in ("all", "set"):
            self.session.query_sets.set_query_set("" if one.chosen else one.key)

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
