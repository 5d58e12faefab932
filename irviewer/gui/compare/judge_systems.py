"""The view Systems by judge: how the order of the runs differs between judges, and whom a judge favours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QWidget

from irviewer.gui.compare.judges import EmptyView, JudgeChooser
from irviewer.gui.screens.screen import Screen, split
from irviewer.gui.tables.model import Column, NumberColumn, RunColumn, TableModel, TextColumn
from irviewer.gui.tables.statistics_columns import IntervalColumn, MeanIntervalColumn, WordsColumn, axis_of
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import Segmented
from irviewer.gui.widgets.panel import Note
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip
from irviewer.gui.widgets.plot_panel import PlotPanel
from irviewer.gui.widgets.table import Table
from irviewer.gui.widgets.table_panel import TablePanel
from irviewer.session.changes import Change
from irviewer.session.view_models.judges.agreement import signed
from irviewer.session.view_models.judges.systems import SystemsByJudgeViewModel
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

SAME, OPPOSITE, BEST = (
    tr("same, significant under"),
    tr("opposite, under"),
    tr("pairs of the best runs"),
)
COUNTS = (
    ("same_both", SAME, tr("both"), tr("same, both"),
     tr("Pairs of runs in the same direction, significant under both judges")),
    ("same_one", SAME, tr("one"), tr("same, one"),
     tr("Pairs of runs in the same direction, significant under one judge")),
    ("same_neither", SAME, tr("neither"), tr("same, neither"),
     tr("Pairs of runs in the same direction, significant under no judge")),
    ("opposite", OPPOSITE, tr("one or none"), tr("opposite"),
     tr("Pairs of runs in opposite directions, significant under one judge or none")),
    ("opposite_both", OPPOSITE, tr("both"), tr("opposite, both"),
     tr("Pairs of runs in opposite directions, significant under both judges")),
    ("top_same", BEST, tr("same"), tr("best: same"),
     tr("Pairs of the best runs of the reference in the same direction")),
    ("top_opposite", BEST, tr("opposite"), tr("best: opposite"),
     tr("Pairs of the best runs of the reference in opposite directions")),
)  # fmt: skip
"""The columns of pairs of runs: id, head above, title below it, title in saved tables, tooltip."""


class SystemsByJudgeView(Screen):
    """A table of orders above, the runs under each judge below, and a plot of two judges."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self._comparison = session.judge_comparison
        self._shown: tuple[SystemsByJudgeViewModel | None, bool] = (None, False)
        self.orders_model, self.runs_model = TableModel(self), TableModel(self)
        self.orders = TablePanel(
            session, theme, Table(self.orders_model, theme, sortable=False, tightens=True, frozen=(1, 0)),
            "judge_orders",
        )  # fmt: skip
        self.orders.table.setAccessibleName(tr("Order of the runs under each judge"))
        self.orders.table.row_entered.connect(self._on_judge_entered)
        self.orders.table.row_activated.connect(self._on_judge_activated)
        self.reference = JudgeChooser(session, theme, tr("reference"), self._comparison.set_reference)
        self.orders.header_layout.insertWidget(1, self.reference)
        self.runs = TablePanel(
            session, theme, Table(self.runs_model, theme, sortable=False, tightens=True, frozen=(1, 0)),
            "systems_by_judge",
        )  # fmt: skip
        self.runs.table.setAccessibleName(tr("Runs under each judge"))
        self.runs.table.row_toggled.connect(self._on_run_toggled)
        self.runs.table.row_activated.connect(self._on_run_activated)
        self.opposite = PlainLabel()
        self.opposite.setFont(theme.font(9))
        self.opposite.setWordWrap(True)
        self.opposite.setContentsMargins(12, 4, 12, 2)
        self.runs.body_layout.addWidget(self.opposite)
        self.below = Note()
        self.below.setFont(theme.font(9))
        self.below.setContentsMargins(12, 0, 12, 2)
        self.runs.body_layout.addWidget(self.below)
        self.plot = PlotPanel(theme, self._make_plot, _put_view_model)
        self.plots = (self.plot,)
        self.strip = Segmented(
            theme,
            (
                ("scatter", tr("Scatter"), tr("Both values of each run, with intervals")),
                ("slopes", tr("Slopes"), tr("A line for each run between two axes")),
            ),
        )
        self.strip.chosen.connect(self._on_kind_chosen)
        self.plot.header_layout.insertWidget(2, self.strip)
        below = split(Qt.Orientation.Horizontal, (self.runs, self.plot), (8, 5))
        self.stack = QStackedWidget()
        self.stack.addWidget(split(Qt.Orientation.Vertical, (self.orders, below), (2, 5)))
        self.empty = EmptyView(session, theme, "judges")
        self.stack.addWidget(self.empty)
        self.set_content(self.stack)
        self.setFocusProxy(self.orders)

    def refresh(self, changes: frozenset[Change]) -> None:
        view_model = self._comparison.systems_view_model()
        if view_model is None:
            return
        self.empty.show_reason(view_model.explanation)
        self.stack.setCurrentIndex(1 if view_model.explanation else 0)
        self.setFocusProxy(self.empty if view_model.explanation else self.orders)
        slopes = self.session.state.slopes and view_model.slopes
        self.reference.show_judge(self._comparison.reference)
        self.strip.show_chosen("slopes" if slopes else "scatter")
        self.strip.setVisible(view_model.slopes)
        if view_model.explanation or (view_model, slopes) == self._shown:
            return
        self._shown = view_model, slopes
        self._fill_orders(view_model)
        self._fill_runs(view_model)
        self.plot.set_title(
            tr("{first} and {second}", first=view_model.columns[0].name,
               second=view_model.columns[view_model.chosen].name)
        )  # fmt: skip
        self.plot.set_note("" if slopes else tr("lines: 95 % intervals of both means"))
        self.plot.show_value((view_model, slopes))

    def _fill_orders(self, view_model: SystemsByJudgeViewModel) -> None:
        rows = view_model.orders
        self.orders.set_title(view_model.title)
        self.orders.set_note(view_model.note)
        tips = [row.tip for row in rows]
        columns: list[Column] = [
            TextColumn("judge", tr("judge"), [row.name for row in rows], bold=True),
            NumberColumn("judgments", tr("judgments"), np.array([row.judgments for row in rows]), counts=True),
            WordsColumn("tau", tr("Kendall's τ"), [row.tau for row in rows], tips=tips),
            self._tau_column(view_model),
            WordsColumn("tau_ap", tr("τ-AP"), [row.tau_ap for row in rows], tips=tips),
            WordsColumn("tau_ap_interval", tr("its interval"), [row.tau_ap_interval for row in rows], tips=tips),
            WordsColumn("split_half", tr("split-half τ"), [row.split_half for row in rows], tips=tips),
        ]
        for position, (name, head, short, title, tip) in enumerate(COUNTS):
            cells = np.array([np.nan if row.counts is None else row.counts[position] for row in rows], dtype=np.float64)
            best = cells > 0 if name == "opposite_both" else None
            column = NumberColumn(name, title, cells, tip, counts=True, best=best, missing="")
            column.group, column.titles = head, (short, short.partition(" ")[0])
            columns.append(column)
        apart = np.array([np.nan if row.significant is None else row.significant for row in rows], dtype=np.float64)
        columns.append(
            NumberColumn("significant", tr("significant"), apart, tr("Pairs of runs that the judge finds significant"),
                         counts=True, missing="")
        )  # fmt: skip
        with self.orders.table.keeping(view_model.chosen):
            self.orders_model.show(tuple(columns), list(view_model.places), marked=frozenset({view_model.chosen}))
        self.orders.fit_height()

    @staticmethod
    def _tau_column(view_model: SystemsByJudgeViewModel) -> Column:
        """Return the intervals of Kendall's tau as lines with dots."""
        rows = view_model.orders
        low, middle, high = np.array([row.ends for row in rows], dtype=np.float64).T
        tips = [" · ".join(filter(None, (row.tau_interval, row.tip))) for row in rows]
        least = min(axis_of(low, middle)[0], 0.9)
        return MeanIntervalColumn(
            "tau_interval", tr("95 % interval"), (low, middle, high), (least, 1.0),
            tr("Interval of Kendall's tau, from the same resampled queries under both judges"), tips=tips,
        )  # fmt: skip

    def _fill_runs(self, view_model: SystemsByJudgeViewModel) -> None:
        runs = view_model.runs
        self.runs.set_title(tr("{n} systems under each judge", n=len(runs)))
        self.runs.set_note(
            tr("{measure} · ▲▼ ranks against {judge}", measure=view_model.measure, judge=view_model.columns[0].name)
        )
        columns: list[Column] = [RunColumn("run", tr("run"), runs)]
        for position, judge in enumerate(view_model.columns):
            value = NumberColumn(
                f"value{position}", judge.name, judge.values, tr("Mean under {judge}", judge=judge.name)
            )
            value.chosen = position == view_model.chosen
            changes = None if judge.is_reference else judge.changes
            ranks = [
                _rank_text(int(rank), None if changes is None else int(changes[row]))
                for row, rank in enumerate(judge.ranks)
            ]
            tip = tr("Rank under {judge}, and ranks gained ▲ or lost ▼ against the reference", judge=judge.name)
            rank = WordsColumn(f"rank{position}", tr("rank"), ranks, tip)
            value.group = rank.group = judge.name
            value.saved_as, rank.saved_as = f"{judge.name} value", f"{judge.name} rank"
            value.titles = (tr("value"),)
            columns += [value, rank]
        if view_model.grades is not None:
            columns.append(self._grade_column(view_model))
        marked = frozenset(row for row, label in enumerate(runs) if label.shown)
        with self.runs.table.keeping():
            self.runs_model.show(tuple(columns), [label.key for label in runs], marked=marked)
        self.runs.show_notice(view_model.warning, "warning")
        lines = [view_model.opposite_title, " · ".join(view_model.opposite)]
        self.opposite.setText("\n".join(filter(None, lines)))
        self.below.setText(" · ".join(filter(None, view_model.below)))
        set_tooltip(self.below, "\n".join(filter(None, view_model.below)))

    @staticmethod
    def _grade_column(view_model: SystemsByJudgeViewModel) -> IntervalColumn:
        assert view_model.grades is not None
        low, middle, high = view_model.grades
        mean, judge = view_model.grade_mean, view_model.columns[view_model.chosen].name
        from_mean = view_model.grades - mean
        largest = float(np.nanmax(np.abs(from_mean), initial=0.0)) or 1.0
        tips = [
            tr("{judge} − {reference} on the first {k} documents: {value} [{low}, {high}]; mean of all runs {mean}",
               judge=judge, reference=view_model.columns[0].name, k=view_model.depth, value=signed(float(middle[row])),
               low=signed(float(low[row])), high=signed(float(high[row])), mean=signed(mean))
            for row in range(len(middle))
        ]  # fmt: skip
        return IntervalColumn(
            "grades", tr("Δ grade, top {k} (line: {mean})", k=view_model.depth, mean=signed(mean)),
            from_mean[0], from_mean[1], from_mean[2], largest,
            tr("Grade of {judge} minus that of {reference} on each run's first documents, compared with "
               "the mean of all runs: a run whose interval does not contain the line is favoured or "
               "disadvantaged",
               judge=judge, reference=view_model.columns[0].name),
            tips=tips,
        )  # fmt: skip

    def _make_plot(self) -> QWidget:
        from irviewer.gui.plots.judges.systems import JudgeScatter

        plot = JudgeScatter(self.session, self.theme)
        plot.chosen.connect(self._on_run_activated)
        return plot

    def _on_kind_chosen(self, kind: str) -> None:
        self._comparison.set_slopes(kind == "slopes")

    def _on_judge_entered(self, row: int) -> None:
        view_model = self._shown[0]
        if view_model is not None and 0 < row < len(view_model.places):
            self._comparison.set_pair(view_model.places[0], view_model.places[row])

    def _on_judge_activated(self, row: int) -> None:
        self._on_judge_entered(row)
        self._comparison.go_to("confusion")

    def _on_run_toggled(self, row: int) -> None:
        view_model = self._shown[0]
        if view_model is not None and 0 <= row < len(view_model.runs):
            label = view_model.runs[row]
            self.session.runs.show_run(label.key, not label.shown)

    def _on_run_activated(self, row: int) -> None:
        view_model = self._shown[0]
        if view_model is not None and 0 <= row < len(view_model.runs):
            self.session.runs.set_focus(view_model.runs[row].key)


def _rank_text(rank: int, change: int | None) -> str:
    """Return ``3``, or ``3 ▼1``, ``3 ▲2``, ``3 =`` beside a reference."""
    if change is None:
        return str(rank)
    return f"{rank} =" if not change else f"{rank} {'▲' if change > 0 else '▼'}{abs(change)}"


def _put_view_model(canvas: Any, shown: tuple[SystemsByJudgeViewModel, bool]) -> None:
    canvas.show_view_model(*shown)
