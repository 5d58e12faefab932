"""The Queries table's columns: a query, its text, how many documents are relevant, its value in every shown run."""

from __future__ import annotations

from collections.abc import Sequence

from irviewer.gui.systems.statistics_columns import RatioColumn
from irviewer.gui.tables.model import Column, DeltaColumn, NumberColumn, TableModel, TextColumn, label_tooltip
from irviewer.session.view_models.queries import QueriesViewModel, QueryField

WIDEST_REMARK = 110
"""Pixels that notes and tags take at most."""


def remarks_column(signs: Sequence[str], told: Sequence[str]) -> TextColumn:
    """What a person wrote about what rows stand for: signs, in full under the pointer."""
    column = TextColumn("remarks", "✎", signs, "notes and tags", tips=told, widest=WIDEST_REMARK)
    column.longest = max(signs, key=len, default="")  # few rows have one: a sample of rows may lack them all
    column.whole = True
    return column


class QueriesModel(TableModel):
    """Queries x shown runs over a :class:`QueriesViewModel`; the keys of its rows are the queries' ids."""

    def set_view_model(self, view_model: QueriesViewModel) -> None:
        """Show another view model."""
        columns: list[Column] = [
            TextColumn("query", "query", view_model.query_ids, "the query's id", bold=True, tips=view_model.texts),
            *([TextColumn("text", "text", view_model.texts, "the query's text")] if any(view_model.texts) else []),
            *_remarks(view_model),
            NumberColumn("relevant", "relevant", view_model.relevant, "relevant documents in the qrels", counts=True),
        ]
        for place, label in enumerate(view_model.runs):
            column = NumberColumn(
                str(label.key),
                label.name,
                view_model.values[:, place],
                f"{view_model.measure} of {label_tooltip(label)}",
                run=label,
                heat=view_model.heat[:, place],
                missing=f"no value: {label.name} lacks this query, or {view_model.measure} is not defined for it",
                descending_first=view_model.higher_is_better,
            )
            column.chosen = label.focus
            columns.append(column)
        columns.append(
            DeltaColumn(
                "delta",
                "ratio" if view_model.ratio else "Δ",
                view_model.delta,
                view_model.delta_note or f"difference in {view_model.measure}",
                missing="no difference: it takes a baseline and another run, both with a value for this query",
                better_up=view_model.higher_is_better,
                ratios=view_model.ratio,
            )
        )
        spread = RatioColumn if view_model.ratio else NumberColumn
        columns.append(
            spread(
                "spread",
                "spread",
                view_model.spread,
                "best over worst of the shown runs" if view_model.ratio else "best minus worst of the shown runs",
                missing="no spread: it takes two shown runs with a value",
            )
        )
        if view_model.field is not None:
            columns += _field_columns(view_model, view_model.field)
        self.show(tuple(columns), view_model.query_ids, view_model.sort)


def _field_columns(view_model: QueriesViewModel, field: QueryField) -> list[Column]:
    """What all runs say of the queries, the columns that the person wants to see."""
    focus = next((label.name for label in view_model.runs if label.focus), "the shown run")
    made: dict[str, Column] = {
        "median": DeltaColumn(
            "median",
            "÷ median" if view_model.ratio else "Δ median",
            field.median,
            f"{view_model.measure} of {focus} {'over' if view_model.ratio else 'less'} the median of all {field.runs} "
            "runs on the "
            "query, as TREC prints it",
            missing="no difference: a run has no value for this query",
            better_up=view_model.higher_is_better,
            ratios=view_model.ratio,
        ),
        "mean": NumberColumn(
            "mean",
            "all runs",
            field.mean,
            f"the mean of {view_model.measure} over all {field.runs} runs: how hard the query is",
            missing="no run has a value for this query",
            descending_first=not view_model.higher_is_better,
        ),
        "agreement": NumberColumn(
            "agreement",
            "agrees",
            field.agreement,
            f"Kendall's tau of the order of all {field.runs} runs on the query with their order on the other queries: "
            "1 the same, near 0 it says nothing of which run is better, below 0 it turns the order round; bold where "
            "it tells runs apart, which is where half of all pairs of runs differ and tau is above 0",
            best=field.discriminates,
            missing="no order: too few runs have a value for this query",
        ),
    }
    return [made[name] for name in field.columns]


def _remarks(view_model: QueriesViewModel) -> list[Column]:
    """What was written about queries, where anything was."""
    if not any(view_model.remarks):
        return []
    return [remarks_column(view_model.remarks, view_model.remarks_told)]
