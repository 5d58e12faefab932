"""A slice of few queries has no interval that is drawn from its queries."""

from __future__ import annotations

import numpy as np
import pytest

from irviewer.analysis.slices.slices import LEAST_QUERIES, compare_slices
from irviewer.analysis.statistics.result_comparison import ComparisonOptions
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.model.attributes.queries import QueryAttribute, slices_of

IDS = tuple(f"q{place:02}" for place in range(40))


@pytest.mark.parametrize("interval", ["bca", "percentile", "t"])
@pytest.mark.parametrize("runs", [2, 3])
def test_only_students_interval_is_given_for_few_queries(interval: str, runs: int) -> None:
    rows = np.random.default_rng(3).uniform(size=(runs, 40))
    values = RunValues(("a", "b", "c")[:runs], IDS, rows, np.zeros(rows.shape, np.bool_), "AP")
    kinds = ["two"] * 2 + ["nine"] * (LEAST_QUERIES - 1) + ["many"] * (40 - 1 - LEAST_QUERIES)
    slicing = slices_of(QueryAttribute("kind", "category", dict(zip(IDS, kinds, strict=True))), IDS)
    options = ComparisonOptions(interval=interval, samples=200)  # type: ignore[arg-type]
    shown = compare_slices(values, [slicing], options, baseline=0, shown=[1]).runs[0]
    for row in shown.attributes[0].rows:
        assert row.pair is not None
        assert np.isnan(row.pair.interval.low) == (interval != "t" and row.n < LEAST_QUERIES), (row.name, row.n)
        assert np.isfinite(row.pair.difference)
