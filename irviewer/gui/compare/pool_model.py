"""The columns of the Pool table: what each run contributed, what is unjudged, and what judging it could change."""

from __future__ import annotations

from collections.abc import Mapping

from irviewer.gui.compare.span_column import SpanCell, SpanColumn
from irviewer.gui.tables.density import Density
from irviewer.gui.tables.model import CellPainter, Column, NumberColumn, RunColumn, TableModel
from irviewer.gui.tables.number_columns import PercentColumn, SignedColumn, StepColumn
from irviewer.gui.tables.statistics_columns import WordsColumn
from irviewer.gui.theme import Theme
from irviewer.model.number_text import limit
from irviewer.session.view_models.pool import PoolViewModel
from irviewer.translation import decimal, tr


class PoolModel(TableModel):
    """The runs of a :class:`PoolViewModel`. The keys of the rows are those of the runs."""

    def own_painters(self, theme: Theme, density: Density) -> Mapping[type[Column], CellPainter]:
        return {SpanColumn: SpanCell(theme, density)}

    def set_view_model(self, view_model: PoolViewModel) -> None:
        """Show a view model."""
        least, most = (decimal(f"{end:.4g}") for end in view_model.axis)
        bounded = not view_model.words
        title = view_model.measure_label
        if bounded and view_model.axis[1] > view_model.axis[0]:
            title = tr("{title} ({least} … {most})", title=title, least=least, most=most)
        measure = view_model.measure
        tip = tr(
            "The range of possible means of {measure}, over all grades that its unjudged documents could have; "
            "documents that were not retrieved stay as they are. The dot is the current mean, dotted lines are the "
            "range of ★. Where two ranges overlap, † says whether judging could reverse the order of the runs, since "
            "a document that both return has one grade.",
            measure=measure,
        )
        computing = tr("Computing …")
        columns: list[Column] = [
            RunColumn("run", tr("run"), view_model.runs, tr("Runs of this collection")),
            NumberColumn("unique", tr("unique"), view_model.unique,
                         tr("Number of relevant documents that no other run returned"), counts=True),
            PercentColumn("unique_share", tr("% unique"), view_model.unique_share,
                          tr("Unique documents as a share of the relevant documents that the run returned")),
            PercentColumn("opened", f"unj@{view_model.cutoff}", view_model.opened,
                          tr("Share of unjudged documents among the first {cutoff}, mean over queries",
                             cutoff=view_model.cutoff)),
            PercentColumn("opened_all", "unj", view_model.opened_all,
                          tr("Share of unjudged documents in the whole ranking, mean over queries")),
            SignedColumn("change", tr("left out"), view_model.changes,
                         tr("Change of the run's mean {measure} without the judgments that only this run contributed "
                            "to the pool", measure=measure), missing=computing),
            StepColumn("rank", tr("rank"), view_model.rank_changes,
                       tr("Change of the run's rank among the runs without the judgments that only it contributed"),
                       missing=computing),
            NumberColumn("residual", tr("RBP residual"), view_model.residuals,
                         tr("Weight of unjudged documents in rank-biased precision (p = {p}), mean over queries",
                            p=limit(view_model.persistence)), descending_first=False),
        ]  # fmt: skip
        if bounded:
            columns.append(
                NumberColumn(
                    "low", tr("lowest"), view_model.low, tr("The lowest possible mean of {measure}", measure=measure)
                )
            )
        columns.append(SpanColumn(view_model, title, tip))
        if bounded:
            columns.append(
                NumberColumn(
                    "high",
                    tr("highest"),
                    view_model.high,
                    tr("The highest possible mean of {measure}", measure=measure),
                )
            )
            columns.append(WordsColumn("mark", "†", view_model.marks,
                                       tr("Judging could reverse the difference to ★"),
                                       tips=view_model.tips))  # fmt: skip
        shown = frozenset(position for position, label in enumerate(view_model.runs) if label.shown)
        self.show(tuple(columns), [label.key for label in view_model.runs], view_model.sort, shown)
