"""The view of values: what runs reach by each measure."""

from __future__ import annotations

from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.results import ResultTable
from irviewer.evaluation.usual_measures import OFFICIAL, usual_measures
from irviewer.translation import tr
from irviewer.views.inputs import Inputs
from irviewer.views.values import tables
from irviewer.views.view import ResultView


def compute(inputs: Inputs, protocol: BoundProtocol) -> ResultTable:
    """The means of runs and their values by query."""
    part = inputs.one
    part.refuse(tr("Evaluation"), "weights")
    result = part.results(protocol.declared_measures or usual_measures(OFFICIAL, part.qrels))
    return result if protocol.selected is None else result.over(protocol.selected)


VIEW = ResultView("evaluation", compute, tables, title=tr("Evaluation"), uses=("rules", "scope"))
