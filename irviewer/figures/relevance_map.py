"""The relevance map of a run: a column for each query, rank downward."""

from __future__ import annotations

from collections.abc import Sequence

from irviewer.figures.axes import rank_ticks
from irviewer.figures.figure import Axis, Cells, Figure
from irviewer.model.arrays import Floats
from irviewer.translation import tr


def relevance_map_figure(
    grades: Floats, query_ids: Sequence[str], max_grade: float, selected: int, label: str
) -> Figure:
    """Return the relevance map of a run: ``grades`` float64[depth, N] (see Cells), ``label`` the name of the run."""
    depth, n = grades.shape
    if n != len(query_ids):
        raise ValueError(f"{n} columns for {len(query_ids)} queries")
    return Figure(
        title=tr("Relevance map · {run}", run=label),
        x=Axis(tr("Query, in the order of the table"), 0.0, float(max(1, n)), (), integer=True),
        y=Axis(tr("Rank"), 0.5, max(1, depth) + 0.5, rank_ticks(depth), integer=True),
        cells=Cells(grades, tuple(query_ids), max_grade, selected if 0 <= selected < n else -1),
        note=tr("one column for each query in the order of the table · rank downward"),
        reading=tr("query {key}"),
        y_reading=tr("rank {y:.0f}"),
        quantity=tr("grade"),
    )
