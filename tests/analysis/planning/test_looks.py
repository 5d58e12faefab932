"""Bounds of repeated looks: published tables, and a simulated process."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from irviewer.analysis.planning.looks import SpendingName, looks_at
from irviewer.errors import OptionError

# Lan and DeMets bounds, two-sided .05, equal looks (Reboussin et al. 2000; the R package ldbounds).
PUBLISHED: dict[SpendingName, list[list[float]]] = {
    "obrien-fleming": [
        [2.9626, 1.9686], [3.7103, 2.5114, 1.9930], [4.3326, 2.9631, 2.3590, 2.0141],
        [4.8769, 3.3569, 2.6803, 2.2898, 2.0310],
    ],
    "pocock": [
        [2.1570, 2.2010], [2.2790, 2.2950, 2.2960], [2.3680, 2.3680, 2.3580, 2.3500],
        [2.4380, 2.4270, 2.4100, 2.3970, 2.3860],
    ],
}  # fmt: skip


@pytest.mark.parametrize("spending", ["obrien-fleming", "pocock"])
def test_published_bounds(spending: SpendingName) -> None:
    for bounds in PUBLISHED[spending]:
        looks = looks_at([100 * k for k in range(1, len(bounds) + 1)], 0.05, spending)
        assert [look.bound for look in looks] == pytest.approx(bounds, abs=2e-3)
        assert looks[-1].spent == 0.05


def test_together_they_err_as_often_as_one_test() -> None:
    """t-tests after 20, 35 and 60 queries without a difference, against their p; each at .05 errs far more often."""
    random, counts = np.random.default_rng(5), [20, 35, 60]
    values = random.normal(0, 1, (20_000, 60))
    p = np.stack([2 * stats.t.sf(np.abs(part.mean(1) / part.std(1, ddof=1) * np.sqrt(part.shape[1])), part.shape[1] - 1)
                  for part in (values[:, :n] for n in counts)])  # fmt: skip
    for spending in ("obrien-fleming", "pocock"):
        wanted = np.array([look.p for look in looks_at(counts, 0.05, spending)])
        assert (p < wanted[:, None]).any(axis=0).mean() == pytest.approx(0.05, abs=0.006)
    assert (p < 0.05).any(axis=0).mean() > 0.09


def test_edges() -> None:
    (only,) = looks_at([50])
    assert (only.p, only.fraction) == (pytest.approx(0.05), 1)
    assert looks_at([2, 1000])[1].p == pytest.approx(0.05, abs=1e-6)
    for wrong in ([], [1, 5], [10, 10], [20, 10], list(range(2, 200))):
        with pytest.raises(OptionError):
            looks_at(wrong)
