"""The view Corrected: scores under a model, corrected by a random sample that a human judged."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QStackedWidget

from irviewer.commands import run_command
from irviewer.gui.compare.judges import explanation_label
from irviewer.gui.screens.screen import Screen
from irviewer.gui.systems.statistics_columns import IntervalColumn, PColumn, WordsColumn
from irviewer.gui.tables.model import Column, DeltaColumn, NumberColumn, RunColumn, TableModel
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import TextButton
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.table import Table
from irviewer.gui.widgets.table_panel import TablePanel
from irviewer.model.arrays import Floats
from irviewer.session.changes import Change
from irviewer.session.view_models.corrected_scores import CorrectedRow, CorrectedViewModel
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


class CorrectedView(Screen):
    """A table of the runs, with what is known of the sample below it."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self._shown: CorrectedViewModel | None = None
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
        self.facts.setContentsMargins(12, 4, 12, 6)
        self.table.body_layout.addWidget(self.facts)
        self.empty = explanation_label(theme)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.table)
        self.stack.addWidget(self.empty)
        self.set_content(self.stack)
        self.setFocusProxy(self.table)

    def refresh(self, changes: frozenset[Change]) -> None:
        view_model = self.session.judge_comparison.corrected_view_model()
        if view_model is None or view_model is self._shown:
            return
        self._shown = view_model
        self.empty.setText(view_model.explanation)
        self.stack.setCurrentIndex(1 if view_model.explanation else 0)
        self.setFocusProxy(self.empty if view_model.explanation else self.table)
        if view_model.explanation:
            return
        self.table.set_title(view_model.title)
        self.table.set_note(view_model.note)
        self.facts.setText(" · ".join(view_model.facts))
        means, differences = view_model.means, view_model.differences
        model, human, measure = view_model.judge, view_model.human, view_model.measure
        columns: list[Column] = [
            RunColumn("run", tr("run"), view_model.runs),
            NumberColumn("model", model, _numbers(means, "model"),
                         tr("Mean {measure} under {judge}, all queries", measure=measure, judge=model)),
            NumberColumn("human", tr("{judge}, {n}", judge=human, n=view_model.sampled), _numbers(means, "human"),
                         tr("Mean {measure} under {judge} on the sample", measure=measure, judge=human)),
            NumberColumn("corrected", tr("corrected"), _numbers(means, "value"),
                         tr("Mean under the model plus the mean of human − model over the sample")),
            WordsColumn("interval", tr("95 % interval"), [_interval(row) for row in means],
                        tr("“!” where the model alone lies outside: it misleads")),
            NumberColumn("worth", tr("worth"), np.round(_numbers(means, "worth")),
                         tr("Queries that {judge} alone would have to judge for so narrow an interval; below {n} the "
                            "model does harm", judge=human, n=view_model.sampled), counts=True),
        ]  # fmt: skip
        if any(row is not None for row in differences):
            values = _numbers(differences, "value")
            low, high = _numbers(differences, "low"), _numbers(differences, "high")
            scale = float(np.nanmax(np.abs(np.stack([low, high])), initial=0.0)) or 1.0
            p = _numbers(differences, "p")
            words = {row: tr("baseline") for row, difference in enumerate(differences) if difference is None}
            columns += [
                DeltaColumn("delta", tr("Δ corrected"), values, tr("Corrected difference to the baseline"),
                            words=words),
                IntervalColumn("delta_interval", tr("95 % interval of Δ"), low, values, high, scale,
                               tr("Interval of the corrected difference")),
                PColumn("p", tr("p, Holm"), p, tr("p-value of the corrected difference, corrected by Holm"),
                        below=np.nan_to_num(p, nan=1.0) < 0.05),
                NumberColumn("delta_worth", tr("worth"), np.round(_numbers(differences, "worth")),
                             tr("The same for the difference"), counts=True, missing=""),
            ]  # fmt: skip
        marked = frozenset(row for row, label in enumerate(view_model.runs) if label.shown)
        with self.table.table.keeping():
            self.model.show(tuple(columns), [label.key for label in view_model.runs], marked=marked)

    def _on_export_clicked(self) -> None:
        run_command(self.session, "draw_task")


def _numbers(rows: tuple[CorrectedRow | None, ...] | tuple[CorrectedRow, ...], name: str) -> Floats:
    return np.array([math.nan if row is None else getattr(row, name) for row in rows], dtype=np.float64)


def _interval(row: CorrectedRow) -> str:
    text = f"[{row.low:.4f}, {row.high:.4f}]"
    return f"! {text}" if row.misleads else text
