"""The means and standard deviations that Z-scores are made with as a table."""

from __future__ import annotations

from irviewer.evaluation.bind import BoundProtocol
from irviewer.model.zscores import ZScores
from irviewer.tables import column
from irviewer.tables.table import Table
from irviewer.translation import tr
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult


def tables(zscores: ZScores, bound: BoundProtocol | None) -> ViewResult:
    """Return the table ``references``: a row for each query and measure."""
    keys, pairs = list(zscores.values), list(zscores.values.values())
    table = Table("references", tr("Means and deviations for Z-scores"), (
        column.identifier("query", tr("query"), [query for query, _ in keys]),
        column.measures("measure", tr("measure"), [measure for _, measure in keys]),
        column.number("mean", tr("mean"), [mean for mean, _ in pairs]),
        column.number("deviation", tr("standard deviation"), [deviation for _, deviation in pairs]),
    ), keys=keys, opens="query")  # fmt: skip
    return ViewResult(zscores, (table,)).with_provenance(provenance("zscores", bound))
