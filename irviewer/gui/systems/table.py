"""The Systems table: runs x measures, the best value of a column in bold, with the difference to the baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QMenu

from irviewer.commands import run_command
from irviewer.errors import IrviewerError
from irviewer.gui.actions import is_key_of
from irviewer.gui.guard import guarded
from irviewer.gui.systems.model import ShownSystems
from irviewer.gui.systems.replicates import DeclaredSystems, folded_rows
from irviewer.gui.tables.model import Column, TableModel
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.cell_table import CellTable
from irviewer.gui.widgets.controls import Segmented
from irviewer.gui.widgets.filter_field import FilterField
from irviewer.gui.widgets.run_menu import run_menu
from irviewer.gui.widgets.savable import Savable, savable_later
from irviewer.gui.widgets.table_panel import ViewModelPanel
from irviewer.session.changes import Change
from irviewer.session.result_views import REPLICATES
from irviewer.session.runs.colours import MANY_SYSTEMS
from irviewer.session.view_models.systems import ATTRIBUTE, STATISTICS, SystemsViewModel
from irviewer.translation import decimal, tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

MANY = 8
"""The filter field is shown from this number of runs on."""


@guarded
class SystemsTable(ViewModelPanel[SystemsViewModel]):
    """The table of runs; shown runs are ticked and their swatches filled."""

    def __init__(self, session: Session, theme: Theme) -> None:
        self.model = TableModel()
        self.systems = ShownSystems(self.model)
        self._stood_on = self._trouble = ""
        table = CellTable(self.model, theme, self._is_measure, rows_too=True, frozen=(1, 0), tightens=True)
        super().__init__(
            session,
            theme,
            table,
            "systems",
            self.model,
            session.view_models.systems_view_model,
            self.systems.show,
        )
        table.cell_entered.connect(self._on_cell_entered)
        table.cell_explained.connect(self._on_cell_explained)
        self.table.setAccessibleName(tr("Systems"))
        self.table.row_toggled.connect(self._on_run_toggled)
        self.table.row_activated.connect(self._on_run_activated)
        self.table.sort_requested.connect(self._on_sort_requested)
        self.table.has_header_menu = True
        self.table.header_menu_requested.connect(self._on_header_menu_requested)
        self.table.installEventFilter(self)
        self.filter = FilterField(
            theme, tr("Filter: name, p < {number}, Δ > 0", number=decimal(".05")), tr("Filter systems")
        )
        self.filter.hide()
        self.header_layout.insertWidget(1, self.filter)
        self.outcomes = Segmented(
            theme,
            (
                ("", tr("all"), tr("All systems")),
                ("better", tr("better"), tr("The test shows them to be better than the baseline")),
                ("same", tr("not shown"), tr("The test shows no difference to the baseline")),
                ("worse", tr("worse"), tr("The test shows them to be worse than the baseline")),
            ),
        )
        self.outcomes.chosen.connect(session.comparison.filter_outcome)
        self.outcomes.hide()
        self.header_layout.insertWidget(self.header_layout.count() - 1, self.outcomes)
        self.filter.used.connect(self._on_filter_used)
        self.filter.left.connect(self._on_filter_left)

    def row_of(self, view_model: SystemsViewModel) -> int:
        stood_on = self.current_run()
        focus = next((position for position, label in enumerate(view_model.runs) if label.focus), 0)
        place = next((position for position, label in enumerate(view_model.runs) if label.key == stood_on), focus)
        folded = folded_rows(view_model.runs, self.systems.declared, self.systems.unfolded)
        if self._stood_on in folded.systems and stood_on is None:
            return folded.rows.tolist().index(-1 - folded.systems.index(self._stood_on))
        return folded.row_of(place) or 0

    def tell(self, view_model: SystemsViewModel, before: SystemsViewModel | None) -> None:
        self._show_filter(view_model)
        if self.systems.folded.systems:
            runs, below = len(view_model.runs), len(self.systems.folded.below)
            systems = runs - below + len(self.systems.folded.systems)
            self.set_title(tr("{systems:,} systems of {runs:,} runs", systems=systems, runs=runs))
        self.table.freeze(2 if view_model.ranks and "rank" not in view_model.hidden else 1, 0)
        many = len(view_model.runs) > MANY_SYSTEMS
        self.table.set_staying(
            [
                row
                for row, place in enumerate(self.systems.folded.rows.tolist())
                if place >= 0 and (view_model.runs[place].baseline or view_model.runs[place].focus)
            ]
            if many
            else []
        )
        self.fit_height()

    def _show_filter(self, view_model: SystemsViewModel) -> None:
        many = len(self.session.view.labels()) >= MANY
        self.filter.setVisible(many or bool(view_model.filter))
        self._show_outcomes(view_model, many=many)
        self.filter.show_filter(view_model.filter, view_model.filter_error, view_model.filter_grammar)
        warnings = view_model.statistics.warnings if view_model.statistics is not None else ()
        if view_model.filter_error:  # beside the field, so that no row moves
            self.set_note(view_model.filter_error, "warning")
        else:
            self.set_note(view_model.note)
        if view_model.filter and not view_model.runs:
            self.show_notice(tr("No run matches the filter. Press Esc in the filter field to clear it."))
        elif view_model.outcome and not view_model.runs:
            self.show_notice(tr("The test shows this of no run."))
        else:
            said = [self._trouble] if self._trouble else list(warnings[:2])
            self.show_notice(view_model.explanation or view_model.no_values or " ".join(said))

    def _show_outcomes(self, view_model: SystemsViewModel, *, many: bool) -> None:
        """Show the switch with the number of systems by what the test shows, where there are many."""
        known = bool(view_model.outcomes) and (many or bool(view_model.outcome))
        self.outcomes.setVisible(known)
        if not known:
            return
        better, same, worse = view_model.outcomes
        texts = {
            "": tr("all {n:,}", n=better + same + worse + 1),
            "better": tr("better {n:,}", n=better),
            "same": tr("not shown {n:,}", n=same),
            "worse": tr("worse {n:,}", n=worse),
        }
        for name, text in texts.items():
            button = self.outcomes.buttons[name]
            if button.text() != text:
                button.setText(text)
                button.updateGeometry()
        self.outcomes.show_chosen(view_model.outcome)

    def savable(self) -> Savable | None:
        """Return the table of all runs as every door saves it, with the measures that are columns here; None if nothing
        is open."""
        view_model, bound = self._view_model, self.session.view.protocol
        if view_model is None or bound is None:
            return None
        tested = str(self.session.view.measure)
        declared = {str(measure) for measure in bound.measures}
        also = [column.measure for column in view_model.columns if column.measure not in {tested, *declared}]
        request = self.session.result_views.request(
            "systems", also=also, tested="" if bound.standing(tested) in ("", "primary") else tested
        )
        return None if request is None else savable_later(self.title, request.tables, self.session.view.judgment_mark)

    def point_at_run(self, key: int | None) -> None:
        """Mark the row of a run that is pointed at elsewhere; None for none."""
        self.table.point_at(self.model.keys.index(key) if key in self.model.keys else -1)

    def run_at(self, row: int) -> int | None:
        """Return the key of the run in a row; None for a row that there is not."""
        return self._key(row)

    def current_run(self) -> int | None:
        """The key of the current run."""
        return self._key(self.table.current_row())

    def row_menu(self, row: int) -> QMenu:
        key = self._key(row)
        return super().row_menu(row) if key is None else run_menu(self.session, key, self)

    def header_menu(self, column_id: str) -> QMenu:
        """Return the context menu of a column: sort by it, select its measure, hide it."""
        menu = QMenu(self)
        column = self.model.columns[self.model.column_of(column_id)]
        sort = menu.addAction(tr("Sort by {column}", column=column.title))
        sort.setData(("sort", column_id))
        if self._is_measure(column) and not column.chosen:
            menu.addAction(tr("Select {measure} in all views", measure=column.id)).setData(("measure", column_id))
        if column_id.startswith(ATTRIBUTE):
            name = column_id.removeprefix(ATTRIBUTE)
            grouped = menu.addAction(tr("Colour and group runs by {attribute}", attribute=name))
            grouped.setCheckable(True)
            grouped.setChecked(self.session.attributes.run_colour == name)
            grouped.setData(("colour", name))
            systems = menu.addAction(tr("Runs of one {attribute} are one system", attribute=name.replace("&", "&&")))
            systems.setCheckable(True)
            systems.setChecked(self.session.result_views.parameters_of(REPLICATES)["system"] == name)
            systems.setData(("system", name))
        if column_id in STATISTICS or column_id in self._measures_shown():
            menu.addAction(tr("Hide {column}", column=column.title)).setData(("hide", column_id))
        if self.model.sorted_by[0]:
            menu.addAction(tr("Do not sort")).setData(("sort", ""))
        menu.addAction(tr("Columns…")).setData(("columns", ""))
        if self.table.order.is_changed:
            menu.addAction(tr("All columns in the usual order")).setData(("order", ""))
        menu.triggered.connect(self._on_header_action)
        return menu

    def _measures_shown(self) -> tuple[str, ...]:
        """The measures that can be hidden: all but the selected one."""
        return (
            ()
            if self._view_model is None
            else tuple(column.measure for column in self._view_model.columns if not column.chosen)
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Elsewhere B asks which run becomes the baseline; here it is the current run.
        if isinstance(event, QKeyEvent) and self._is_baseline_key(event) and self.current_run() is not None:
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                run_command(self.session, f"baseline {self.current_run()}")
                return True
        return super().eventFilter(watched, event)

    @staticmethod
    def _is_baseline_key(event: QKeyEvent) -> bool:
        return is_key_of(event, "choose_baseline")

    def _key(self, row: int) -> int | None:
        key = self.model.keys[row] if 0 <= row < len(self.model.keys) else None
        return key if isinstance(key, int) and key >= 0 else None

    def _is_measure(self, column: Column) -> bool:
        return self._view_model is not None and any(entry.measure == column.id for entry in self._view_model.columns)

    def _on_cell_entered(self, row: int, column_id: str) -> None:
        if self.systems.folded.system_at(row) is None:
            self.session.explaining.follow_cell(self._key(row), column_id)

    def _on_cell_explained(self, row: int, column_id: str) -> None:
        if self.systems.folded.system_at(row) is None:
            self.session.explaining.explain_cell(self._key(row), column_id)

    def _on_run_toggled(self, row: int) -> None:
        view_model = self._view_model
        if view_model is None or self._fold(row):
            return
        # The box of one of several selected rows applies to all of them.
        rows = self.table.selected_rows()
        places = self.systems.folded.rows
        shown = not view_model.runs[int(places[row])].shown
        chosen = [int(places[index]) for index in (rows if row in rows else [row])]
        for label in [view_model.runs[place] for place in chosen if place >= 0]:
            if label.shown != shown:
                self.session.runs.show_run(label.key, shown)

    def _on_run_activated(self, row: int) -> None:
        key = self._key(row)
        if key is not None:
            self.session.runs.set_focus(key)
        else:
            self._fold(row)

    def _fold(self, row: int) -> bool:
        """Fold a system into its heading, or unfold it into its runs; return whether the row is a heading."""
        system = self.systems.folded.system_at(row)
        if system is None:
            return False
        self._stood_on = system
        self.systems.unfolded ^= {system}
        self._show_again()
        return True

    def refresh(self, changes: frozenset[Change]) -> None:
        before, declared = self._trouble, self._declared()
        if declared != self.systems.declared or before != self._trouble:
            self.systems.declared = declared
            self._view_model = None  # it is shown with other rows
        super().refresh(changes)

    def _declared(self) -> DeclaredSystems:
        """Return the systems of several runs that the view of replicates has, as soon as they are computed."""
        self._trouble = ""
        views = self.session.result_views
        if not views.replicates_declared:
            return DeclaredSystems()
        try:
            answer = views.answer(REPLICATES)
        except IrviewerError as error:
            self._trouble = str(error)
            return DeclaredSystems()
        if answer is None:
            return self.systems.declared
        self._trouble = answer.trouble
        return DeclaredSystems() if answer.shown is None else DeclaredSystems.of(answer.shown.value)

    def _show_again(self) -> None:
        self._view_model = None
        super().refresh(frozenset())

    def _on_filter_used(self, text: str) -> None:
        if self._view_model is not None and self._view_model.filter != text:
            self.session.comparison.filter_systems(text)

    def _on_filter_left(self) -> None:
        self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _on_sort_requested(self, column_id: str, descending: bool) -> None:
        self.session.navigation.sort_systems(column_id, descending)

    def _on_header_menu_requested(self, column_id: str, where: QPoint) -> None:
        menu = self.header_menu(column_id)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(where)

    def _on_header_action(self, action: QAction) -> None:
        what, name = action.data()
        if what == "measure":
            self.session.evaluation.set_measure(name)
        elif what == "colour":
            self.session.attributes.colour_runs(name if action.isChecked() else "")
        elif what == "system":
            self.session.result_views.declare_replicates(name if action.isChecked() else "")
        elif what == "hide":
            self.session.comparison.set_column(name, False)
        elif what == "order":
            self.table.order.reset()
        elif what == "columns":
            run_command(self.session, "choose_columns")
        else:
            column = self.model.columns[self.model.column_of(name)] if name else None
            self.session.navigation.sort_systems(name, column is not None and column.descending_first)
