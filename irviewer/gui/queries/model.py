"""The Queries table's columns: a query, its text, how many documents are relevant, its value in every shown run."""

from __future__ import annotations

from collections.abc import Sequence

from irviewer.gui.systems.statistics_columns import RatioColumn
from irviewer.gui.tables.model import Column, DeltaColumn, NumberColumn, TableModel, TextColumn, label_tooltip
from irviewer.session.view_models.queries import QueriesPage, QueryField

WIDEST_REMARK = 110
"""Pixels that notes and tags take at most."""


def remarks_column(signs: Sequence[str], told: Sequence[str]) -> TextColumn:
    """What a person wrote about what rows stand for: signs, in full under the pointer."""
    column = TextColumn("remarks", "✎", signs, "notes and tags", tips=told, widest=WIDEST_REMARK)
    column.longest = max(signs, key=len, default="")  # few rows have one: a sample of rows may lack them all
    column.whole = True
    return column


class QueriesModel(TableModel):
    """Queries x shown runs over a :class:`QueriesPage`; the keys of its rows are the queries' ids."""

    def set_page(self, page: QueriesPage) -> None:
        """Show another page."""
        columns: list[Column] = [
            TextColumn("query", "query", page.query_ids, "the query's id", bold=True, tips=page.texts),
            *([TextColumn("text", "text", page.texts, "the query's text")] if any(page.texts) else []),
            *_remarks(page),
            NumberColumn("relevant", "relevant", page.relevant, "relevant documents in the qrels", counts=True),
        ]
        for place, label in enumerate(page.runs):
            column = NumberColumn(
                str(label.key),
                label.name,
                page.values[:, place],
                f"{page.measure} of {label_tooltip(label)}",
                run=label,
                heat=page.heat[:, place],
                missing=f"no value: {label.name} lacks this query, or {page.measure} is not defined for it",
                descending_first=page.higher_is_better,
            )
            column.chosen = label.focus
            columns.append(column)
        columns.append(
            DeltaColumn(
                "delta",
                "ratio" if page.ratio else "Δ",
                page.delta,
                page.delta_note or f"difference in {page.measure}",
                missing="no difference: it takes a baseline and another run, both with a value for this query",
                better_up=page.higher_is_better,
                ratios=page.ratio,
            )
        )
        spread = RatioColumn if page.ratio else NumberColumn
        columns.append(
            spread(
                "spread",
                "spread",
                page.spread,
                "best over worst of the shown runs" if page.ratio else "best minus worst of the shown runs",
                missing="no spread: it takes two shown runs with a value",
            )
        )
        if page.field is not None:
            columns += _field_columns(page, page.field)
        self.show(tuple(columns), page.query_ids, page.sort)


def _field_columns(page: QueriesPage, field: QueryField) -> list[Column]:
    """What all runs say of the queries, the columns that the person wants to see."""
    focus = next((label.name for label in page.runs if label.focus), "the shown run")
    made: dict[str, Column] = {
        "median": DeltaColumn(
            "median",
            "÷ median" if page.ratio else "Δ median",
            field.median,
            f"{page.measure} of {focus} {'over' if page.ratio else 'less'} the median of all {field.runs} runs on the "
            "query, as TREC prints it",
            missing="no difference: a run has no value for this query",
            better_up=page.higher_is_better,
            ratios=page.ratio,
        ),
        "mean": NumberColumn(
            "mean",
            "all runs",
            field.mean,
            f"the mean of {page.measure} over all {field.runs} runs: how hard the query is",
            missing="no run has a value for this query",
            descending_first=not page.higher_is_better,
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


def _remarks(page: QueriesPage) -> list[Column]:
    """What was written about queries, where anything was."""
    if not any(page.remarks):
        return []
    return [remarks_column(page.remarks, page.remarks_told)]
