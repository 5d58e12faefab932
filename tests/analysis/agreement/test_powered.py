"""The weight of a model: values that other code computed, and how often the intervals hold the mean."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from irviewer.analysis.agreement.corrected import Sample, corrected_means
from irviewer.analysis.agreement.powered import powered_means, simple_variance, slopes, widening

METHODS = {"plain": 0.0, "PPI": 1.0, "PPI++": None}


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_values_of_other_code(data: Path) -> None:
    folder = data / "statistics" / "judge"
    if not folder.is_dir():
        pytest.skip("the values are not here")
    drawn = (folder / "drawn.txt").read_text().split()
    values: dict[str, dict[str, dict[str, float]]] = {}
    for row in rows(folder / "ndcg10.tsv"):
        own = {run: float(value) for run, value in row.items() if run not in ("judge", "query")}
        values.setdefault(row["judge"], {})[row["query"]] = own
    others = [query for query in values["nist"] if query not in drawn]
    compared = 0
    for name in ("expected.tsv", "differences.tsv"):
        for row in rows(folder / name):
            if row["method"] not in METHODS:
                continue  # of variances with n below, as a package has them

            def of(judge: str, queries: list[str], row: dict[str, str] = row) -> np.ndarray:
                own = [values[judge][query] for query in queries]
                if "run" in row:
                    return np.array([[each[row["run"]] for each in own]])
                return np.array([[each[row["run_a"]] - each[row["run_b"]] for each in own]])

            powered = powered_means(
                of("nist", drawn), of(row["judge"], drawn), of(row["judge"], others), METHODS[row["method"]]
            )
            value, error = float(row.get("mean") or row["difference"]), float(row["se"])
            assert powered.values[0] == pytest.approx(value, rel=1e-8)
            assert powered.errors[0] == pytest.approx(error, rel=1e-8)
            assert powered.weights[0] == pytest.approx(float(row["lambda"]), rel=1e-8)
            if row["lambda_before_clipping"]:
                assert powered.unclipped[0] == pytest.approx(float(row["lambda_before_clipping"]), rel=1e-8)
            half = stats.norm.ppf(0.975) * error
            assert (value - half, value + half) == pytest.approx((float(row["lower"]), float(row["upper"])), rel=1e-8)
            compared += 1
    assert compared > 100


def test_the_widened_interval_covers_where_the_published_one_does_not() -> None:
    """Skewed values with many zeros, 20 human queries of 53: of 250 samples the published 95 % interval holds the mean
    in fewer than 92 %, this one in 94 % or more (within chance: docs/judges.md has the large simulation)."""
    random = np.random.default_rng(5)
    rounds, n, others = 250, 20, 33
    shape = stats.beta(0.8, 2)

    def values(normal: np.ndarray) -> np.ndarray:
        share = stats.norm.cdf(normal)
        return np.where(share < 0.4, 0.0, shape.ppf((share - 0.4).clip(0) / 0.6))

    first = random.standard_normal((rounds, n + others))
    second = 0.9 * first + np.sqrt(1 - 0.81) * random.standard_normal(first.shape)
    human, model = values(first)[:, :n], values(second)
    truth = 0.6 * 0.8 / 2.8
    published = powered_means(human, model[:, :n], model[:, n:])
    held = np.abs(published.values - truth) <= 1.96 * published.errors
    assert held.mean() < 0.92
    whole, most = model.var(axis=1, ddof=1), (n + others) / others
    used = np.clip(slopes(human, model[:, :n], whole), 0, most)
    means = human.mean(axis=1) + used * (model.mean(axis=1) - model[:, :n].mean(axis=1))
    assert means == pytest.approx(published.values)
    errors = np.sqrt(simple_variance(human, model[:, :n], whole, others, most))
    wider = widening(human, model[:, :n], whole, others, level=0.95, most=most, seed=1)
    shown = ~np.isnan(wider)
    assert shown.mean() > 0.9
    assert (wider[shown] >= 1).all()
    inside = np.abs(means - truth) <= stats.t.ppf(0.975, n - 1) * errors * wider
    assert inside[shown].mean() >= 0.94


def test_skewed_values_are_covered_with_more_queries_too() -> None:
    """From 50 human queries on nothing was widened: of 2,000 samples of such values 91 % of the intervals held."""
    random = np.random.default_rng(8)
    rounds, n, others = 2000, 50, 200
    shape = stats.gamma(0.4)
    first = random.standard_normal((rounds, n + others))
    second = 0.9 * first + np.sqrt(1 - 0.81) * random.standard_normal(first.shape)
    human, model = (np.minimum(shape.ppf(stats.norm.cdf(each)) / 4, 1) for each in (first, second))
    truth = shape.expect(lambda value: min(value / 4, 1.0), lb=1e-12, ub=60)
    sample = Sample(np.arange(n), np.full(n, n / (n + others)), None, None, n + others)
    means = corrected_means(model, human[:, :n], sample)
    assert np.mean((means.low <= truth) & (truth <= means.high)) >= 0.94
    g = stats.skew(human[0, :n])
    weight = means.weight[0] * (n + others) / others
    residual = stats.skew(human[0, :n] - weight * model[0, :n])
    assert means.widened[0] == pytest.approx(1 + max(abs(g), abs(residual)) / np.sqrt(n))


def test_values_that_are_all_the_same_have_no_interval() -> None:
    """Ten queries without a hit had the interval [0, 0]."""
    random = np.random.default_rng(1)
    for n in (16, 60):
        sample = Sample(np.arange(n), np.full(n, n / 100), None, None, 100)
        means = corrected_means(random.random((2, 100)), np.stack([np.zeros(n), random.random(n)]), sample)
        assert np.isnan([means.low[0], means.high[0], means.widened[0]]).all()
        assert means.values[0] == 0
        assert np.isfinite(means.low[1])
