"""The view Corrected: scores under a model, corrected by a random sample that a human judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QStackedWidget, QWidget

from irviewer.commands import run_command
from irviewer.gui.compare.judges import EmptyView
from irviewer.gui.screens.screen import Screen, split
from irviewer.gui.tables.result_columns import ColumnLayout
from irviewer.gui.tables.result_panel import ResultPanel
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import Segmented, TextButton
from irviewer.gui.widgets.panel import Panel
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.plot_panel import PlotPanel
from irviewer.session.changes import Change
from irviewer.session.view_models.judges.corrected_scores import CorrectedViewModel
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


class CorrectedView(Screen):
    """A table of the runs; below it the selected run query by query, how its interval would narrow, and the sample."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self._shown: CorrectedViewModel | None = None
        self._of_difference = True
        self.table = ResultPanel(session, theme, "corrected_scores", sortable=False, tightens=True, frozen=(1, 0))
        self.table.table.setAccessibleName(tr("Corrected scores"))
        self.export = TextButton(theme, tr("Export as a task…"), tr("Draw queries at random for a human judge"))
        self.export.clicked.connect(self._on_export_clicked)
        self.table.header_layout.addWidget(self.export)
        self.facts = PlainLabel()
        self.facts.setFont(theme.font(9))
        self.facts.setWordWrap(True)
        self.facts.setContentsMargins(12, 8, 12, 6)
        self.facts.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.table.table.row_activated.connect(self._on_run_activated)
        self.by_query = PlotPanel(theme, self._make_queries, _put_queries)
        self.widths = PlotPanel(theme, self._make_widths, _put_widths)
        self.kind = Segmented(
            theme,
            (
                ("score", tr("Score"), tr("The interval of the run's corrected mean")),
                ("difference", tr("Δ to the baseline"), tr("The interval of the corrected difference")),
            ),
        )
        self.kind.chosen.connect(self._on_kind_chosen)
        self.widths.header_layout.insertWidget(2, self.kind)
        self.plots = (self.by_query, self.widths)
        self.sample = Panel(theme, tr("The sample"))
        facts = QScrollArea()
        facts.setWidgetResizable(True)
        facts.setFrameShape(QScrollArea.Shape.NoFrame)
        facts.setWidget(self.facts)
        for part in (facts.viewport(), self.facts):  # the panel's colour, not the window's
            part.setAutoFillBackground(False)
        self.sample.set_body(facts)
        below = split(Qt.Orientation.Horizontal, (self.by_query, self.widths, self.sample), (5, 5, 4))
        self.content = split(Qt.Orientation.Vertical, (self.table, below), (5, 4))
        self.empty = EmptyView(session, theme, "corrected")
        self.stack = QStackedWidget()
        self.stack.addWidget(self.content)
        self.stack.addWidget(self.empty)
        self.set_content(self.stack)
        self.setFocusProxy(self.table)

    def refresh(self, changes: frozenset[Change]) -> None:
        view_model = self.session.judge_comparison.corrected_view_model()
        if view_model is None or view_model is self._shown:
            return
        self._shown = view_model
        self.empty.show_reason(view_model.explanation)
        self.stack.setCurrentIndex(1 if view_model.explanation else 0)
        self.setFocusProxy(self.empty if view_model.explanation else self.table)
        if view_model.explanation:
            return
        self.table.set_title(view_model.title)
        self.table.set_note(view_model.note)
        self.facts.setText("\n".join(view_model.facts))
        self._show_run(view_model)
        corrected, change = tr("corrected by {judge}", judge=view_model.human), tr("Δ corrected")
        layouts = {key: ColumnLayout(group=corrected) for key in ("value", "worth", "part")}
        layouts |= {
            key: ColumnLayout(group=change)
            for key in ("difference", "difference_interval", "p_corrected", "difference_worth", "difference_part")
        }
        table = view_model.table
        labels = dict(zip(table.keys, view_model.runs, strict=True)) if table is not None else {}
        self.table.show_table(
            table, labels={str(name): label for name, label in labels.items()},
            layouts=layouts | {"run": ColumnLayout(ticks=True),
                               "interval": ColumnLayout(group=corrected, second="model")},
        )  # fmt: skip

    def _show_run(self, view_model: CorrectedViewModel) -> None:
        run = view_model.run
        if run is None:
            return
        self.by_query.set_title(run.title)
        self.by_query.set_note(run.note)
        self.by_query.show_value(view_model)
        self.widths.set_title(tr("Interval by queries judged by {judge}", judge=view_model.human))
        of_difference = self._of_difference and run.difference is not None
        self.kind.buttons["difference"].setEnabled(run.difference is not None)
        self.kind.show_chosen("difference" if of_difference else "score")
        self.widths.show_value((view_model, of_difference))

    def _make_queries(self) -> QWidget:
        from irviewer.gui.plots.judges.corrected_scores import CorrectedQueries

        table = CorrectedQueries(self.session, self.theme)
        table.chosen.connect(self.session.navigation.set_query)
        return table

    def _make_widths(self) -> QWidget:
        from irviewer.gui.plots.judges.corrected_scores import IntervalWidths

        return IntervalWidths(self.session, self.theme)

    def _on_kind_chosen(self, kind: str) -> None:
        self._of_difference = kind == "difference"
        if self._shown is not None:
            self._show_run(self._shown)

    def _on_run_activated(self, row: int) -> None:
        if self._shown is not None and 0 <= row < len(self._shown.runs):
            self.session.runs.set_focus(self._shown.runs[row].key)

    def _on_export_clicked(self) -> None:
        run_command(self.session, "draw_task")


def _put_queries(canvas: Any, view_model: CorrectedViewModel) -> None:
    canvas.show_view_model(view_model)


def _put_widths(canvas: Any, value: tuple[CorrectedViewModel, bool]) -> None:
    canvas.show_view_model(*value)
