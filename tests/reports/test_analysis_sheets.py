"""Tables of collections and sweeps for data frames: the results' own numbers."""

from __future__ import annotations

import pytest

import irviewer
from tests.analysis.tuning.test_fusion_sweep import JUDGMENTS, RUNS

PAIR = {run.name: run for run in RUNS[:2]}


def test_collections() -> None:
    every = {"one": (JUDGMENTS, PAIR), "two": (JUDGMENTS, {"a": RUNS[0]})}
    evaluation = irviewer.evaluate_collections(every, ["AP", "RR"], baseline="a")
    assert evaluation.tables == ("AP", "RR")
    table = evaluation.to_arrow("AP").to_pydict()
    assert table["system"] == ["a", "b"]
    assert table["two"] == [pytest.approx(evaluation["AP"].means[0, 1]), None]
    assert table["macro"] == pytest.approx(evaluation["AP"].macro.tolist())
    forest = evaluation.forest("b").to_arrow().to_pydict()
    assert forest["collection"] == ["one", "two"]
    assert forest["excluded"] == [None, "no run of b"]


def test_sweeps_and_costs() -> None:
    sweep = irviewer.sweep_fusion(JUDGMENTS, PAIR, step=0.5, folds=2)
    assert sweep.to_arrow()["in-sample mean"].to_pylist() == sweep.nested.means.tolist()
    assert sweep.to_arrow("out_of_fold")["out of fold"].to_pylist() == sweep.nested.by_query.tolist()
    costs = irviewer.cost_effectiveness(JUDGMENTS, PAIR, "ms", run_attributes={"a": {"ms": 2}})
    assert costs.to_arrow().to_pydict()["ms"] == [2.0, None]
    assert costs.to_arrow().to_pydict()["efficient"] == [True, False]
