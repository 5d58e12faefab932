"""The agreement of measures as a table: how similarly each two rank the runs."""

from __future__ import annotations

from typing import Annotated

from irviewer.analysis.similarity.measure_agreement import (
    CORRELATIONS,
    LEAST_RUNS,
    Agreement,
    Correlation,
    agreement,
)
from irviewer.errors import OptionError
from irviewer.evaluation.bind import BoundProtocol
from irviewer.tables import column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr, trn
from irviewer.views.inputs import Inputs
from irviewer.views.keys import data_keys
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult
from irviewer.views.selection import note_remarks
from irviewer.views.view import ResultView, option

MEASURES = ("AP", "nDCG@10", "P@10", "RR")
"""The measures where nobody declares any."""


def tables(correlations: Agreement, bound: BoundProtocol | None) -> ViewResult:
    """Return the table ``agreement``, a row and a column for each measure."""
    names = column.measures("measure", tr("measure"), correlations.measures)
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
    remarks = (remark, *note_remarks("missing", correlations.notes))
    table = Table("agreement", title, (names, *values), keys=correlations.measures, notes=remarks)
    return ViewResult(correlations, (table,)).with_provenance(
        provenance("measure-agreement", bound, {"by": correlations.by})
    )


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    by: Annotated[
        Correlation,
        option(tr("Kendall's tau-b, Pearson's r or tau-AP of the means"), title=tr("by"),
               words={"kendall": tr("Kendall's τ"), "pearson": tr("Pearson's r"), "tau-ap": "τ-AP"}),
    ] = "kendall",
) -> Agreement:  # fmt: skip
    """How similarly measures rank the runs: for each pair of measures the correlation of the means of the runs."""
    part = inputs.one
    part.refuse(tr("Agreement of measures"), "weights")
    if len(protocol.runs) < LEAST_RUNS:
        raise OptionError(tr("give at least three runs to rank"))
    result = part.results(protocol.declared_measures or MEASURES)
    return agreement(result if protocol.selected is None else result.over(protocol.selected), by)


VIEW = ResultView(
    "measure-agreement", compute, tables, title=tr("Agreement of measures"), uses=("rules", "scope"),
    needs=("judgments", "two runs"),
)  # fmt: skip
