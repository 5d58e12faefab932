"""A run's relevance map: a column a query in the table's order, rank downward. Draws nothing, knows no colour."""

from __future__ import annotations

from collections.abc import Sequence

from irviewer.figures.axes import rank_ticks
from irviewer.figures.figure import Axis, Cells, Figure
from irviewer.model.arrays import Floats


def relevance_map_figure(
    grades: Floats, query_ids: Sequence[str], max_grade: float, selected: int, label: str
) -> Figure:
    """``grades`` float64[depth, N] (see Cells) of the run called ``label``; the y axis counts ranks from the top."""
    depth, n = grades.shape
    if n != len(query_ids):
        raise ValueError(f"{n} columns for {len(query_ids)} queries")
    return Figure(
        title=f"Relevance map · {label}",
        x=Axis("Query, in the table's order", 0.0, float(max(1, n)), (), integer=True),
        y=Axis("Rank", 0.5, max(1, depth) + 0.5, rank_ticks(depth), integer=True),
        cells=Cells(grades, tuple(query_ids), max_grade, selected if 0 <= selected < n else -1),
        note="a column a query in the table's order · rank downward",
        reading="query {key}",
        y_reading="rank {y:.0f}",
        quantity="grade",
    )
