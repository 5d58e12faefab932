"""Tables of collections and sweeps for data frames: the results' own numbers."""

from __future__ import annotations

import irviewer
from tests.analysis.tuning.test_fusion_sweep import JUDGMENTS, RUNS

PAIR = {run.name: run for run in RUNS[:2]}


def test_costs() -> None:
    costs = irviewer.cost_effectiveness(JUDGMENTS, PAIR, "ms", run_attributes={"a": {"ms": 2}})
    assert costs.to_arrow().to_pydict()["ms"] == [2.0, None]
    assert costs.to_arrow().to_pydict()["efficient"] == [True, False]
