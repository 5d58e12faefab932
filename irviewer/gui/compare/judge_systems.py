"""The view Systems by judge: how the order of the runs differs between judges, and whom a judge favours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QWidget

from irviewer.gui.compare.judges import EmptyView, JudgeChooser
from irviewer.gui.screens.screen import Screen, split
from irviewer.gui.tables.result_columns import ColumnLayout
from irviewer.gui.tables.result_panel import ResultPanel
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import Segmented
from irviewer.gui.widgets.panel import Note
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip
from irviewer.gui.widgets.plot_panel import PlotPanel
from irviewer.gui.widgets.scrolled import Scrolled
from irviewer.session.changes import Change
from irviewer.session.view_models.judges.agreement import signed
from irviewer.session.view_models.judges.systems import SystemsByJudgeViewModel
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

SAME, OPPOSITE, BEST = (
    tr("same, significant under"),
    tr("opposite, under"),
    tr("best runs"),
)
SHORTER = {SAME: (tr("same, under"),), BEST: (tr("best ones"),)}
COUNTS = {
    "same_both": (SAME, tr("both")), "same_one": (SAME, tr("one")), "same_neither": (SAME, tr("neither")),
    "opposite_both": (OPPOSITE, tr("both")), "opposite_one": (OPPOSITE, tr("one")),
    "opposite_neither": (OPPOSITE, tr("neither")),
    "top_same": (BEST, tr("same")), "top_opposite": (BEST, tr("opposite")),
}  # fmt: skip
"""The columns of pairs of runs: the head above, and the title below it."""
NAME_WIDEST = 240
"""The greatest natural width of the names of judges in pixels."""
ORDERS = ("judge", "judgments", "tau", "tau_interval", "tau_ap", "split_half_tau", *COUNTS,
          "significant")  # fmt: skip


IN_SIGHT = 6
"""The judges that are in sight whatever the height of the window."""


class SystemsByJudgeView(Screen):
    """A table of orders above, the runs under each judge below, and a plot of two judges."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self._comparison = session.judge_comparison
        self._shown: tuple[SystemsByJudgeViewModel | None, bool] = (None, False)
        self.orders = ResultPanel(session, theme, "judge_orders", sortable=False, tightens=True, frozen=(1, 0))
        self.orders.least_rows = IN_SIGHT  # the best; the table scrolls
        self.orders.table.setAccessibleName(tr("Order of the runs under each judge"))
        self.orders.table.row_entered.connect(self._on_judge_entered)
        self.orders.table.row_activated.connect(self._on_judge_activated)
        self.reference = JudgeChooser(session, theme, tr("reference"), self._comparison.set_reference)
        self.orders.header_layout.insertWidget(1, self.reference)
        self.runs = ResultPanel(session, theme, "systems_by_judge", sortable=False, tightens=True, frozen=(1, 0))
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
        self.stack.addWidget(Scrolled(split(Qt.Orientation.Vertical, (self.orders, below), (2, 5)), (760, 590)))
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
        self.orders.set_title(view_model.title)
        self.orders.set_note(view_model.note)
        layouts = {
            key: ColumnLayout(group=head, group_forms=SHORTER.get(head, ()), titles=(title,))
            for key, (head, title) in COUNTS.items()
        }
        layouts["judge"] = ColumnLayout(widest=NAME_WIDEST)
        layouts["significant"] = ColumnLayout(titles=(tr("significant"),))
        chosen = view_model.columns[view_model.chosen].name
        self.orders.show_table(
            view_model.orders, rows=np.array(view_model.places, dtype=np.int64), current=chosen, keys=ORDERS,
            layouts=layouts, marked=[chosen],
        )  # fmt: skip
        self.orders.fit_height()

    def _fill_runs(self, view_model: SystemsByJudgeViewModel) -> None:
        runs, table = view_model.runs, view_model.by_judge
        self.runs.set_title(tr("{n} systems under each judge", n=len(runs)))
        self.runs.set_note(
            tr("{measure} · ▲▼ ranks against {judge}", measure=view_model.measure, judge=view_model.columns[0].name)
        )
        if table is None:
            return
        known = {column.key for column in table.columns}
        keys, layouts = ["run"], {"run": ColumnLayout(ticks=True)}
        for position, judge in enumerate(view_model.columns):
            keys += [judge.key, f"{judge.key}_rank"]
            layouts[judge.key] = ColumnLayout(
                group=judge.name, titles=(tr("value"),), chosen=position == view_model.chosen
            )
            change = f"{judge.key}_change"
            layouts[f"{judge.key}_rank"] = ColumnLayout(group=judge.name, change=change if change in known else "")
        grades = f"{view_model.columns[view_model.chosen].key}_grade_interval"
        if grades in known:
            keys.append(grades)
            mean = view_model.grade_mean
            title = tr("Δ grade, top {k} (line: {mean})", k=view_model.depth, mean=signed(mean))
            layouts[grades] = ColumnLayout(titles=(title,), guides=(mean,))
        labels = {str(name): label for name, label in zip(table.keys, runs, strict=True)}
        self.runs.show_table(table, keys=keys, layouts=layouts, labels=labels)
        self.runs.show_notice(view_model.warning, "warning")
        lines = [view_model.opposite_title, " · ".join(view_model.opposite)]
        self.opposite.setText("\n".join(filter(None, lines)))
        self.below.setText(" · ".join(filter(None, view_model.below)))
        set_tooltip(self.below, "\n".join(filter(None, view_model.below)))

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


def _put_view_model(canvas: Any, shown: tuple[SystemsByJudgeViewModel, bool]) -> None:
    canvas.show_view_model(*shown)
