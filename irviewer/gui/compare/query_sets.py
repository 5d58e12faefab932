"""The table of query sets, with the selected measure of every shown run on each set; Enter selects a set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from irviewer.commands import find, run_command
from irviewer.gui.tables.model import Column, DeltaColumn, NumberColumn, TableModel, TextColumn, label_tooltip
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import TextButton
from irviewer.gui.widgets.savable import Savable, savable_later
from irviewer.gui.widgets.table import Table
from irviewer.gui.widgets.table_panel import ViewModelPanel
from irviewer.session.changes import Change
from irviewer.session.view_models.sets import SetRow, SetsViewModel
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


class SetsModel(TableModel):
    """Query sets x shown runs of a :class:`SetsViewModel`. The keys of the rows are (kind, name of the set)."""

    def set_view_model(self, view_model: SetsViewModel) -> None:
        """Show a view model."""
        titles = [f"{row.title} *" if row.looked else row.title for row in view_model.rows]
        columns: list[Column] = [
            TextColumn(
                "set", tr("queries"), titles, tr("Query sets"), bold=True, tips=[row.tip for row in view_model.rows]
            ),
            NumberColumn("n", "n", view_model.counts, tr("Number of queries"), counts=True),
        ]
        for position, label in enumerate(view_model.runs):
            column = NumberColumn(
                str(label.key),
                label.name,
                view_model.values[:, position],
                tr("Mean {measure} of {run}", measure=view_model.measure, run=label_tooltip(label)),
                run=label,
                best=view_model.best[:, position],
                missing=tr("No value: no query of the set is evaluated."),
            )
            column.chosen = label.focus
            columns.append(column)
        columns.append(
            DeltaColumn(
                "delta",
                tr("ratio {measure}", measure=view_model.measure) if view_model.ratio else f"Δ {view_model.measure}",
                view_model.delta,
                "\n".join(
                    line
                    for line in (
                        view_model.delta_note or tr("Difference in {measure}", measure=view_model.measure),
                        tr("Filled arrow: the test shows a difference ({test}).", test=view_model.tested)
                        if view_model.tested
                        else "",
                        tr(
                            "Grey: it does not, or the row is not tested. Compare > Slices tests differences of slices."
                        ),
                    )
                    if line
                ),
                missing=tr("No difference: show the baseline and another run."),
                better_up=view_model.higher_is_better,
                ratios=view_model.ratio,
                notes=view_model.in_common,
                shown=view_model.shown,
            )
        )
        chosen = frozenset(position for position, row in enumerate(view_model.rows) if row.chosen)
        self.show(tuple(columns), [(row.kind, row.key) for row in view_model.rows], marked=chosen)


BUTTONS = {
    "sets_by": tr("By attribute…"),
    "keep_filtered": tr("From filter…"),
    "keep_brushed": tr("From brush…"),
    "open_query_sets": tr("Open…"),
    "weight_queries": tr("Weights…"),
}
"""The buttons of the header: command -> text; shown while the command is enabled."""


class SetsTable(ViewModelPanel[SetsViewModel]):
    """The table of query sets; the selected set is highlighted."""

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
        super().refresh(changes)

    def savable(self) -> Savable | None:
        """Return the table of ``irviewer query-sets``, computed when it is written; this one where values are those of
        one set, weighted or Z-scores."""
        find_means = self.session.query_sets.means_later()
        if find_means is None:
            return super().savable()
        return savable_later(self.title, find_means, self.session.view.judgment_mark)

    def row_of(self, view_model: SetsViewModel) -> int:
        row = self.table.current_row()
        chosen = next((position for position, entry in enumerate(view_model.rows) if entry.chosen), 0)
        return row if 0 <= row < len(view_model.rows) else chosen

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
