"""The view Corrected: scores under a model, corrected by a random sample that a human judged."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QStackedWidget, QWidget

from irviewer.commands import run_command
from irviewer.gui.compare.judges import EmptyView
from irviewer.gui.screens.screen import Screen, split
from irviewer.gui.tables.model import Column, DeltaColumn, NumberColumn, RunColumn, TableModel
from irviewer.gui.tables.statistics_columns import IntervalColumn, MeanIntervalColumn, PColumn, axis_of
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import Segmented, TextButton
from irviewer.gui.widgets.panel import Panel
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.plot_panel import PlotPanel
from irviewer.gui.widgets.table import Table
from irviewer.gui.widgets.table_panel import TablePanel
from irviewer.model.arrays import Floats
from irviewer.session.changes import Change
from irviewer.session.view_models.judges.corrected_scores import CorrectedRow, CorrectedViewModel
from irviewer.translation import decimal, interval, tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


class CorrectedView(Screen):
    """A table of the runs; below it the selected run query by query, how its interval would narrow, and the sample."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self._shown: CorrectedViewModel | None = None
        self._of_difference = True
        self.model = TableModel(self)
        self.table = TablePanel(
            session, theme, Table(self.model, theme, sortable=False, tightens=True, frozen=(1, 0)), "corrected_scores"
        )
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
        means, differences = view_model.means, view_model.differences
        model, human, measure = view_model.judge, view_model.human, view_model.measure
        ends = (_numbers(means, "low"), _numbers(means, "value"), _numbers(means, "high"))
        columns: list[Column] = [
            RunColumn("run", tr("run"), view_model.runs),
            NumberColumn("model", model, _numbers(means, "model"),
                         tr("Mean {measure} under {judge}, all queries", measure=measure, judge=model)),
            NumberColumn("human", tr("{judge}, {n}", judge=human, n=view_model.sampled), _numbers(means, "human"),
                         tr("Mean {measure} under {judge} on the sample", measure=measure, judge=human)),
            NumberColumn("corrected", tr("mean"), _numbers(means, "value"),
                         tr("Mean under the model plus the mean of human − model over the sample")),
            MeanIntervalColumn(
                "interval", tr("95 % interval"), ends, axis_of(*ends, _numbers(means, "model")),
                tr("● corrected, with its interval; ○ the model alone: outside the interval it misleads"),
                tips=[_interval(row) for row in means], others=_numbers(means, "model"),
            ),
            NumberColumn("worth", tr("worth"), np.round(_numbers(means, "worth")),
                         tr("Queries that {judge} alone would have to judge for so narrow an interval; below {n} the "
                            "model does harm", judge=human, n=view_model.sampled), counts=True),
        ]  # fmt: skip
        for column in columns[3:]:
            column.group = tr("corrected by {judge}", judge=human)
        if any(row is not None for row in differences):
            values = _numbers(differences, "value")
            low, high = _numbers(differences, "low"), _numbers(differences, "high")
            scale = float(np.nanmax(np.abs(np.stack([low, high])), initial=0.0)) or 1.0
            p = _numbers(differences, "p")
            below = np.nan_to_num(p, nan=1.0) < 0.05
            words = {row: tr("baseline") for row, difference in enumerate(differences) if difference is None}
            columns += [
                DeltaColumn("delta", tr("Δ corrected"), values,
                            "\n".join((tr("Corrected difference to the baseline"),
                                       tr("Filled arrow: the test shows a difference. Hollow and grey: it does not."))),
                            words=words, shown=below),
                IntervalColumn("delta_interval", tr("95 % interval of Δ"), low, values, high, scale,
                               tr("Interval of the corrected difference")),
                PColumn("p", tr("p, Holm"), p, tr("p-value of the corrected difference, corrected by Holm"),
                        below=below),
                NumberColumn("delta_worth", tr("worth"), np.round(_numbers(differences, "worth")),
                             tr("The same for the difference"), counts=True, missing=""),
            ]  # fmt: skip
            for column in columns[6:]:
                column.group = tr("Δ corrected")
        marked = frozenset(row for row, label in enumerate(view_model.runs) if label.shown)
        with self.table.table.keeping():
            self.model.show(tuple(columns), [label.key for label in view_model.runs], marked=marked)

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


def _numbers(rows: tuple[CorrectedRow | None, ...] | tuple[CorrectedRow, ...], name: str) -> Floats:
    return np.array([math.nan if row is None else getattr(row, name) for row in rows], dtype=np.float64)


def _interval(row: CorrectedRow) -> str:
    text = interval(decimal(f"{row.low:.4f}"), decimal(f"{row.high:.4f}"))
    return (
        tr("{interval}: the value of the model alone is outside, so it misleads", interval=text)
        if row.misleads
        else text
    )


def _put_queries(canvas: Any, view_model: CorrectedViewModel) -> None:
    canvas.show_view_model(view_model)


def _put_widths(canvas: Any, value: tuple[CorrectedViewModel, bool]) -> None:
    canvas.show_view_model(*value)
