"""Every value lies within its own bounds, and no bound beyond what the measure can have, to the last digit."""

from __future__ import annotations

import random

import numpy as np
import pytest

from irviewer.analysis.pooling.bounds import Bounds, bounds
from irviewer.measures.base import clipped
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Regime

MEASURES = ["infAP", "AP", "AP@5", "nDCG", "nDCG@10", "RR", "P@5", "R@5", "ERR@10", "RBP(p=0.8)", "Rprec", "Compat"]


LEAVING_OUT = ["bpref", "infAP", "AP", "nDCG@5", "P@5"]


def some_bounds(seed: int) -> Bounds:
    draw = random.Random(seed)
    documents = [f"d{number}" for number in range(25)]
    queries = [str(number) for number in range(5)]
    grades = {q: {d: draw.choice([-1, 0, 0, 1, 2, 3]) for d in documents if draw.random() < 0.7} for q in queries}
    scores = {
        name: {q: {d: draw.random() for d in documents if draw.random() < 0.8} | {"u": 9.0} for q in queries}
        for name in "ab"
    }
    # The best order of what is judged, with unjudged documents at its end: sums of many parts that are 1 together.
    scores["best"] = {
        q: {d: 10.0 * grade - int(d[1:]) for d, grade in row.items()} | {"u": -99.0} for q, row in grades.items()
    }
    runs = [Run.from_dict(nested, name=name) for name, nested in scores.items()]
    return bounds(Qrels.from_dict(grades), runs, MEASURES, regime=Regime.POOLED)


@pytest.mark.parametrize("seed", range(12))
def test_values_lie_within_their_bounds_and_bounds_within_the_span(seed: int) -> None:
    limits = some_bounds(seed)
    for low, value, high in (
        (limits.low, limits.values, limits.high), (limits.mean_low, limits.mean_values, limits.mean_high),
    ):  # fmt: skip
        computed = ~np.isnan(low)
        assert computed[: len(MEASURES) - 1].all()  # compatibility has no bounds
        assert (low[computed] <= value[computed]).all()
        assert (value[computed] <= high[computed]).all()
    for part in (limits.low, limits.high, limits.none, limits.all, limits.mean_low, limits.mean_high):
        assert np.nanmin(part) >= 0
        assert np.nanmax(part) <= 1
    differences = limits.differences
    for part in (*limits.mean_differences, differences.low, differences.high):
        assert np.nanmax(np.abs(part)) <= 1


def test_only_rounding_is_taken_away() -> None:
    values = np.array([1.0000000000000004, -2e-16, 0.5, 1.1, -0.1, np.nan, np.inf])
    np.testing.assert_array_equal(clipped(values, 0.0, 1.0), [1.0, 0.0, 0.5, 1.1, -0.1, np.nan, np.inf])
    np.testing.assert_array_equal(clipped(values, -np.inf, np.inf), values)


@pytest.mark.parametrize("judged_only", [False, True])
def test_values_that_leave_unjudged_documents_out_lie_within_too(judged_only: bool) -> None:
    """Of the lists that are tried, bpref of some, and other measures of judged documents only, lay outside."""
    draw = random.Random(3)
    for _ in range(60):
        documents = [f"d{number}" for number in range(7)]
        grades = {"1": {"z": 1} | {d: draw.choice([0, 1]) for d in documents if draw.random() < 0.6}}
        run = Run.from_dict({"1": {d: draw.random() for d in documents[:6]}}, name="a")
        options = EvaluationOptions(judged_only=judged_only)
        limits = bounds(Qrels.from_dict(grades), [run], LEAVING_OUT, options, Regime.POOLED)
        assert (limits.low <= limits.values + 1e-12).all()
        assert (limits.values <= limits.high + 1e-12).all()


def test_equal_runs_have_no_order_to_reverse() -> None:
    first, second = Run.from_dict({"1": {"a": 1.0}}, name="a"), Run.from_dict({"1": {"b": 1.0}}, name="b")
    limits = bounds(Qrels.from_dict({"1": {"z": 1}}), [first, second], ["P@1"], regime=Regime.POOLED)
    assert limits.tied[0].tolist() == [[False, True], [False, False]]
    assert not limits.overturned.any()
    judged = bounds(Qrels.from_dict({"1": {"a": 1, "b": 1}}), [first, second], ["P@1"], regime=Regime.POOLED)
    assert not judged.tied.any()
