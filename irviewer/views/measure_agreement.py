"""The agreement of measures as a table: how similarly each two rank the runs."""

from __future__ import annotations

from irviewer.analysis.similarity.measure_agreement import CORRELATIONS, Agreement
from irviewer.evaluation.bind import BoundProtocol
from irviewer.tables import column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr, trn
from irviewer.views.keys import data_keys
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult

LEAST_RUNS = 3
"""Of fewer runs there is no order that measures could agree on."""


def tables(correlations: Agreement, bound: BoundProtocol | None) -> ViewResult:
    """Return the table ``agreement``, a row and a column for each measure."""
    names = column.text("measure", tr("measure"), correlations.measures)
    values = [
        column.number(key, measure, correlations.values[:, place], names="measure", heat=True)
        for place, (key, measure) in enumerate(
            zip(data_keys(correlations.measures, [names]), correlations.measures, strict=True)
        )
    ]
    title = trn("Agreement of measures over {n} run", "Agreement of measures over {n} runs", correlations.runs)
    text = tr(
        "{correlation}. Measures whose low values are good are reversed.", correlation=CORRELATIONS[correlations.by]
    )
    remark = Remark("correlation", text, {"by": correlations.by, "runs": correlations.runs}, warns=False)
    table = Table("agreement", title, (names, *values), keys=correlations.measures, notes=(remark,))
    return ViewResult(correlations, (table,)).with_provenance(
        provenance("measure-agreement", bound, {"by": correlations.by})
    )
