"""Curves of runs as a table of their points, beside the figure that draws them."""

from __future__ import annotations

from irviewer.evaluation.bind import BoundProtocol
from irviewer.figures.curve_sets import CurveSet
from irviewer.tables import column
from irviewer.tables.column import Column
from irviewer.tables.table import Table
from irviewer.translation import tr
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult

X_TITLES = {"recall": tr("recall"), "rank": tr("rank"), "cutoff": tr("cutoff")}


def tables(curves: CurveSet, bound: BoundProtocol | None) -> ViewResult:
    """Return the table ``points``: a row for each point of each curve, with the ends of its band where there are
    bands."""
    header, rows = curves.table
    values = list(zip(*rows, strict=True)) if rows else [()] * len(header)
    x, y = header[1:3]
    x_column = column.number(x, X_TITLES[x], values[1]) if x == "recall" else column.count(x, X_TITLES[x], values[1])
    columns: list[Column] = [
        column.text("run", tr("run"), values[0]), x_column, column.number(y, y, values[2], names="measure"),
    ]  # fmt: skip
    if len(header) > 3:
        columns.append(column.interval("band", tr("band"), values[3], values[4], of=y))
    source = provenance("curves", bound, {"kind": curves.kind, "query": curves.query, "depth": curves.depth})
    table = Table("points", curves.figure.title, tuple(columns))
    return ViewResult(curves, (table,), (curves.figure,)).with_provenance(source)
