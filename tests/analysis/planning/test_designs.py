"""Queries that designs need, against values of other code, published figures, and sampling."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from irviewer.analysis.planning.designs import Design, DesignName, Spread, kurtosis_of, plan_of, pooled
from irviewer.analysis.planning.detectable import detectable_d, needed_queries
from irviewer.analysis.planning.powers import anova_power, equivalence_power, t_power, t_power_one_sided
from irviewer.errors import OptionError

DATA = Path(__file__).parents[2] / "data" / "planning"
NAMES: dict[str, DesignName] = {
    "paired_t": "difference", "paired_t_one_sided": "one-sided", "noninferiority": "non-inferiority",
    "equivalence_tost": "equivalence", "sakai_anova": "systems", "sakai_paired_t": "difference",
    "sakai_unpaired_t": "unpaired", "sakai_ci_paired": "width", "sakai_ci_unpaired": "unpaired-width",
}  # fmt: skip


def rows(name: str) -> Iterator[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t")


def test_the_queries_that_designs_need() -> None:
    """193 rows of other code: the number is exact, the value with it and with one query less within 1e-8."""
    count = 0
    for row in rows("expected.tsv"):
        name, target = NAMES[row["method"]], float(row["target"] or 0)
        size = float(row["margin"] or row["smallest_difference"] or target)
        power = target if "ci" not in row["method"] else 0.8
        true = float(row["true_difference"] or 0) if name in ("non-inferiority", "equivalence") else 0.0
        spread = float(row["spread"])
        sd = math.sqrt(spread) if row["spread_is"].startswith("variance") else spread
        if name == "width":
            size = target
        if name == "unpaired-width":
            size = target
        design = Design(name, size, true, float(row["alpha"]), power, int(row["m"]))
        n = int(row["n"])
        assert design.needed(sd) == n, row
        assert design.value(n, sd) == pytest.approx(float(row["value_at_n"]), rel=1e-8), row
        if row["value_at_n_minus_1"]:
            assert design.value(n - 1, sd) == pytest.approx(float(row["value_at_n_minus_1"]), rel=1e-8), row
        count += 1
    assert count > 150


def test_the_difference_that_queries_can_show() -> None:
    for row in rows("detectable.tsv"):
        n, alpha, power = int(row["n"]), float(row["alpha"]), float(row["power"])
        shown = detectable_d(n, alpha, power) * float(row["sd_of_differences"])
        assert shown == pytest.approx(float(row["detectable_difference"]), rel=1e-8)


def test_published_figures() -> None:
    by_n = {3: 0.0, 8: 0.0, 15: 0.0, 30: 0.0}
    for row in rows("published.tsv"):
        published, own = float(row["published"]), float(row["own"])
        if row["method"].startswith("equivalence"):
            n = int(row["input"].rpartition("n ")[2])
            value = by_n[n] = equivalence_power(19.2, -4, 18, n, samples=2)
        elif row["method"].startswith("one-way"):
            value = anova_power(2 * 0.2, 2, 100)  # f of two groups is half of d
        elif row["quantity"] == "n":
            value = needed_queries(0.3) or 0
        else:
            value = t_power(1 / 3 if "1/3" in row["input"] else 0.3, 25 if "1/3" in row["input"] else 100)
        assert value == pytest.approx(own, rel=1e-8), row
        assert value == pytest.approx(published, abs=0.005), row
    assert all(by_n.values())


def test_far_out_the_power_is_a_number() -> None:
    """Where scipy's noncentral t is NaN, or its series does not end."""
    assert t_power(40.0, 10_000) == pytest.approx(1, abs=1e-12)
    assert t_power(1e-6, 10**9) == pytest.approx(0.0501, abs=1e-3)
    assert t_power(0, 20) == pytest.approx(0.05, abs=1e-12)
    assert t_power_one_sided(-5.0, 1000) == pytest.approx(0, abs=1e-12)
    for d, n, alpha in ((0.1, 5, 0.05), (0.5, 30, 0.01), (1.2, 2, 1e-5), (3.0, 2, 0.05), (0.02, 5000, 0.05)):
        critical, law = stats.t.isf(alpha / 2, n - 1), stats.nct(n - 1, d * np.sqrt(n))
        assert t_power(d, n, alpha) == pytest.approx(law.sf(critical) + law.cdf(-critical), rel=1e-7)


def test_limits_of_the_spread_of_a_pilot() -> None:
    """Quantiles of chi-square, and the limits of n follow from them; two pilots count by their degrees of freedom."""
    plan = plan_of(Design("difference", 0.05), Spread(0.2, 19))
    low, high = (math.sqrt(19 * 0.04 / stats.chi2.ppf(share, 19)) for share in (0.975, 0.025))
    assert plan.spread.limits() == pytest.approx((low, high))
    assert (plan.needed, plan.low, plan.high) == (128, *(needed_queries(0.05 / sd) for sd in (low, high)))
    assert plan.wider == needed_queries(0.05 / 0.3)
    both = pooled([Spread(0.1, 10), Spread(0.3, 30)])
    assert (both.sd, both.df) == (pytest.approx(math.sqrt((10 * 0.01 + 30 * 0.09) / 40)), 40)


def test_the_limits_hold_sigma_as_often_as_they_say() -> None:
    random = np.random.default_rng(7)
    s = random.normal(0, 0.2, (20_000, 20)).std(axis=1, ddof=1)
    low, high = Spread(1.0, 19).limits()
    assert ((s * low <= 0.2) & (s * high >= 0.2)).mean() == pytest.approx(0.95, abs=0.006)


def test_kurtosis_of_several_systems_counts_a_query_once() -> None:
    """By loops: of one row as Bonett writes it, and the same row twice has the same, as it adds no query."""
    random = np.random.default_rng(3)
    rows = random.exponential(size=(3, 12)) - 1
    rows[1, 4] = np.nan
    means = [np.nanmean(row) for row in rows]
    cuts = [stats.trim_mean(row[~np.isnan(row)], 1 / (2 * math.sqrt(np.isfinite(row).sum() - 4))) for row in rows]
    every = range(12)
    about = [
        sum((row[q] - cut) ** 2 for row, cut in zip(rows, cuts, strict=True) if np.isfinite(row[q])) for q in every
    ]
    whole = [sum((row[q] - mean) ** 2 for row, mean in zip(rows, means, strict=True) if np.isfinite(row[q]))
             for q in every]  # fmt: skip
    assert kurtosis_of(rows) == pytest.approx(12 * sum(each**2 for each in about) / sum(whole) ** 2)
    assert kurtosis_of(rows[[0, 0, 0]]) == pytest.approx(kurtosis_of(rows[:1]))
    assert math.isnan(kurtosis_of(rows[:, :4])) and math.isnan(kurtosis_of(np.ones((2, 9))))


def held(systems: int, queries: int, cases: int = 1000) -> tuple[float, float]:
    """How often the limits from the kurtosis hold sigma, and those of chi-square: of values half are 0, the others with
    long tails, as differences of measures are; systems on one query have these in common."""
    random = np.random.default_rng(20)
    shape = (cases, queries)
    same = np.where(random.random(shape) < 0.5, 0, random.laplace(size=shape))
    values = math.sqrt(0.7) * same[:, None, :] + math.sqrt(0.3) * random.normal(size=(cases, systems, queries))
    values = same[:, None, :] if systems == 1 else values
    sigma = 1.0  # the variance of a Laplace value is 2, half of which are 0
    counts = np.zeros(2)
    for case in values:
        df = systems * (queries - 1)
        sd = math.sqrt(float(((case - case.mean(axis=1, keepdims=True)) ** 2).sum()) / df)
        for place, spread in enumerate((Spread(sd, df, queries, kurtosis_of(case)), Spread(sd, df))):
            low, high = spread.limits()
            counts[place] += low <= sigma <= high
    return float(counts[0] / cases), float(counts[1] / cases)


@pytest.mark.slow
@pytest.mark.parametrize(("systems", "queries"), [(1, 20), (1, 50), (6, 20), (6, 50)])
def test_limits_of_values_with_long_tails(systems: int, queries: int) -> None:
    by_kurtosis, by_chi_square = held(systems, queries, 4000)
    assert by_kurtosis >= 0.85
    assert by_chi_square <= 0.75


def test_what_cannot_be_planned() -> None:
    assert Design("equivalence", 0.02, 0.02).needed(0.1) is None
    assert Design("non-inferiority", 0.02, -0.03).needed(0.1) is None
    assert Design("difference", 1e-9).needed(1.0) is None
    for wrong in ({"size": 0}, {"size": math.nan}, {"size": 1, "alpha": 0.9}, {"size": 1, "systems": 1}):
        with pytest.raises(OptionError):
            Design("difference", **wrong)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="above 0"):
        Design("difference", 0.1).needed(0.0)


def test_limits_at_a_confidence_that_few_queries_cannot_have() -> None:
    """Bonett's limits divide by n - z, and z is 5.3 here."""
    pilot = np.array([[0.1, -0.2, 0.3, 0.0, 0.2]])
    low, high = Spread(0.2, 4, 5, kurtosis_of(pilot)).limits(0.9999999)
    assert (low, high) == Spread(0.2, 4).limits(0.9999999)
