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


def test_costs() -> None:
    costs = irviewer.cost_effectiveness(JUDGMENTS, PAIR, "ms", run_attributes={"a": {"ms": 2}})
    assert costs.to_arrow().to_pydict()["ms"] == [2.0, None]
    assert costs.to_arrow().to_pydict()["efficient"] == [True, False]
