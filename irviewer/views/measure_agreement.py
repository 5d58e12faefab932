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


def tables(found: Agreement, bound: BoundProtocol | None) -> ViewResult:
    """Return the table ``agreement``, a row and a column for each measure."""
    names = column.text("measure", tr("measure"), found.measures)
    values = [
        column.number(key, measure, found.values[:, place], names="measure", heat=True)
        for place, (key, measure) in enumerate(zip(data_keys(found.measures, [names]), found.measures, strict=True))
    ]
    title = trn("Agreement of measures over {n} run", "Agreement of measures over {n} runs", found.runs)
    text = tr("{correlation}. Measures whose low values are good are reversed.", correlation=CORRELATIONS[found.by])
    remark = Remark("correlation", text, {"by": found.by, "runs": found.runs}, warns=False)
    table = Table("agreement", title, (names, *values), keys=found.measures, notes=(remark,))
    return ViewResult(found, (table,)).with_provenance(provenance("measure-agreement", bound, {"by": found.by}))
