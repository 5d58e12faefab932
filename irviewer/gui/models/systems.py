"""The Systems table's columns: a run, its measures, its difference from the baseline."""

from __future__ import annotations

from irviewer.gui.models.base import Column, DeltaColumn, NumberColumn, RunColumn, TableModel
from irviewer.session.pages.systems import SystemsPage

RUN = "run"
DELTA_ID = "delta"


class SystemsModel(TableModel):
    """Runs x measures over a :class:`SystemsPage`; the keys of its rows are the runs' keys."""

    def set_page(self, page: SystemsPage) -> None:
        """Show another page."""
        chosen = next((one for one in page.columns if one.chosen), None)
        columns: list[Column] = [RunColumn(RUN, "run", page.runs, "the runs of this collection")]
        for place, one in enumerate(page.columns):
            column = NumberColumn(
                one.measure,
                one.label,
                page.means[:, place],
                one.tooltip,
                heat=page.heat[:, place],
                best=page.best[:, place],
                counts=one.counts,
                missing=f"no value: {one.measure} is defined for none of this run's queries",
                descending_first=one.higher_is_better,
            )
            column.chosen = one.chosen
            columns.append(column)
        baseline = next((place for place, label in enumerate(page.runs) if label.baseline), -1)
        columns.append(
            DeltaColumn(
                DELTA_ID,
                page.delta_label,
                page.delta,
                "difference of the means, the run minus the baseline ★",
                words={} if baseline < 0 else {baseline: "baseline"},
                missing="no difference: " + ("the run has no value" if baseline >= 0 else "no run is the baseline"),
                better_up=chosen is None or chosen.higher_is_better,
                counts=chosen is not None and chosen.counts,
            )
        )
        shown = frozenset(place for place, label in enumerate(page.runs) if label.shown)
        self.show(tuple(columns), [label.key for label in page.runs], page.sort, shown)
