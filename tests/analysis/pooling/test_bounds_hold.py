"""Every value lies within its own bounds, and no bound beyond what the measure can have, to the last digit."""

from __future__ import annotations

import random

import numpy as np
import pytest

from irviewer.analysis.pooling.bounds import Bounds, bounds
from irviewer.measures.base import clipped
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Regime

MEASURES = ["infAP", "AP", "AP@5", "nDCG", "nDCG@10", "RR", "P@5", "R@5", "ERR@10", "RBP(p=0.8)", "Rprec", "Compat"]


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
