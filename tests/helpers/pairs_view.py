"""A view of a test: every run that takes part beside the baseline, with each kind of column that a comparison has."""

from __future__ import annotations

from typing import Annotated

from irviewer.analysis.statistics.result_comparison import comparison_options
from irviewer.evaluation.bind import BoundProtocol
from irviewer.views.comparison import Compared, tables
from irviewer.views.inputs import Inputs
from irviewer.views.view import ResultView, option

NAME = "test-pairs"


def compute(
    inputs: Inputs, protocol: BoundProtocol, *, tie: Annotated[float, option("differences up to it are equal")] = 0.0
) -> Compared:
    """Every run beside the baseline, or all pairs, under the whole protocol."""
    part = inputs.one
    options = comparison_options(protocol.protocol.inference, units=protocol.units, looked=protocol.looked, tie=tie)
    pairs = protocol.protocol.inference.family == "pairs"
    baseline = None if protocol.baseline is None else protocol.runs.index(protocol.baseline)
    return Compared((part.values().compare(options, baseline=None if pairs else baseline, pairs=pairs),))


def pairs_view() -> ResultView:
    """The view, made anew."""
    return ResultView(NAME, compute, tables, needs=("judgments", "two runs"))
