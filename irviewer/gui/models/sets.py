"""The columns of the query sets: a set, how many queries it has, the measure of every shown run on it."""

from __future__ import annotations

from irviewer.gui.models.base import Column, DeltaColumn, NumberColumn, TableModel, TextColumn, label_tooltip
from irviewer.session.pages.sets import SetsPage


class SetsModel(TableModel):
    """Sets x shown runs over a :class:`SetsPage`; the keys of its rows are (kind, the set's name)."""

    def set_page(self, page: SetsPage) -> None:
        """Show another page."""
        titles = [f"{row.title} *" if row.looked else row.title for row in page.rows]
        columns: list[Column] = [
            TextColumn("set", "queries", titles, "the query sets", bold=True, tips=[row.tip for row in page.rows]),
            NumberColumn("n", "n", page.counts, "how many queries", counts=True),
        ]
        for place, label in enumerate(page.runs):
            column = NumberColumn(
                str(label.key),
                label.name,
                page.values[:, place],
                f"mean {page.measure} of {label_tooltip(label)}",
                run=label,
                best=page.best[:, place],
                missing="no value: no query of the set counts",
            )
            column.chosen = label.focus
            columns.append(column)
        columns.append(
            DeltaColumn(
                "delta",
                f"{'ratio' if page.ratio else 'Δ'} {page.measure}",
                page.delta,
                page.delta_note or f"difference in {page.measure}",
                missing="no difference: it takes a baseline and another run, both shown",
                better_up=page.higher_is_better,
                ratios=page.ratio,
            )
        )
        chosen = frozenset(place for place, row in enumerate(page.rows) if row.chosen)
        self.show(tuple(columns), [(row.kind, row.key) for row in page.rows], marked=chosen)
