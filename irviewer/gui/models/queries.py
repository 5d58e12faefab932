"""The Queries table's columns: a query, its text, how many documents are relevant, its value in every shown run."""

from __future__ import annotations

from irviewer.gui.models.base import Column, DeltaColumn, NumberColumn, TableModel, TextColumn, label_tooltip
from irviewer.session.pages.queries import QueriesPage


class QueriesModel(TableModel):
    """Queries x shown runs over a :class:`QueriesPage`; the keys of its rows are the queries' ids."""

    def set_page(self, page: QueriesPage) -> None:
        """Show another page."""
        columns: list[Column] = [
            TextColumn("query", "query", page.query_ids, "the query's id", bold=True, tips=page.texts),
            *([TextColumn("text", "text", page.texts, "the query's text")] if any(page.texts) else []),
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
                "Δ",
                page.delta,
                page.delta_note or f"difference in {page.measure}",
                missing="no difference: it takes a baseline and another run, both with a value for this query",
                better_up=page.higher_is_better,
            )
        )
        columns.append(
            NumberColumn(
                "spread",
                "spread",
                page.spread,
                "best minus worst of the shown runs",
                missing="no spread: it takes two shown runs with a value",
            )
        )
        self.show(tuple(columns), page.query_ids, page.sort)
