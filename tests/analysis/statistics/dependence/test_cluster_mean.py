"""Standard errors, bootstrap and signs of clusters: against values computed by other code, plain loops, and textbook
identities; and how often they are wrong, by simulation."""

from __future__ import annotations

import csv
import itertools
import math
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from irviewer.analysis.statistics.dependence.cluster_mean import (
    ClusterMean,
    cluster_mean,
    cr2_errors,
    cr2_interval,
    satterthwaite_df,
    t_of_errors,
)
from irviewer.analysis.statistics.dependence.clusters import Clusters
from irviewer.analysis.statistics.dependence.resampling import (
    cluster_bootstrap_interval,
    cluster_bootstrap_means,
    cluster_flip_column,
)
from irviewer.errors import OptionError

DATA = Path(os.environ.get("IRVIEWER_DATA", Path(__file__).parents[4].parent / "shared" / "data"))
FOLDER = DATA / "statistics" / "dependence"
here = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the reference values are not here ({FOLDER})")
NAMES = {
    "naive": "naive", "CR0": "cr0", "CR1": "cr1", "CR2": "cr2", "CR3_jackknife": "cr3",
    "cluster_means": "cluster_means",
}  # fmt: skip


def rows_of(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def holds(estimated: ClusterMean, row: dict[str, str]) -> None:
    """Compare everything with a row of the reference."""
    assert (estimated.n, estimated.clusters) == (int(row["N"]), int(row["G"]))
    for theirs, ours in NAMES.items():
        estimate = getattr(estimated, ours)
        for column, name in zip(
            ("se", "df", "t", "p", "lo", "hi"), ("error", "df", "t", "p", "low", "high"), strict=True
        ):
            if f"{theirs}_{column}" in row:
                assert getattr(estimate, name) == pytest.approx(float(row[f"{theirs}_{column}"]), rel=1e-8), (
                    theirs,
                    name,
                )
    wanted = {
        "mean": estimated.mean, "mean_of_cluster_means": estimated.mean_of_cluster_means, "icc": estimated.icc,
        "n0": estimated.n0, "design_effect_CR2": estimated.design_effect,
    }  # fmt: skip
    for column, value in wanted.items():
        assert value == pytest.approx(float(row[column]), rel=1e-8, nan_ok=True), column


@here
def test_forty_conversations() -> None:
    scores = sorted(rows_of("clustered_scores.tsv"), key=lambda row: row["conversation"])  # as the reference draws them
    clusters = Clusters.of([row["conversation"] for row in scores])
    for row in rows_of("expected.tsv"):
        d = np.array([float(each[row["run_a"]]) - float(each[row["run_b"]]) for each in scores])
        holds(cluster_mean(d, clusters), row)
        error, df = cr2_errors(d[None], clusters)
        assert (error[0], df) == pytest.approx((float(row["CR2_se"]), float(row["CR2_df"])), rel=1e-8)
        seed, samples = int(row["boot_seed"]), int(row["boot_B"])
        drawn = cluster_bootstrap_means(d[None], clusters, samples, seed)
        assert drawn.std(ddof=1) == pytest.approx(float(row["boot_se"]), rel=1e-8)
        low, high = cluster_bootstrap_interval(d[None], clusters, samples=samples, seed=seed)
        assert (low[0], high[0]) == pytest.approx((float(row["boot_lo"]), float(row["boot_hi"])), rel=1e-8)
        p = float(row["flip_p_exact"])
        exact = cluster_flip_column(d[None], clusters, exact=40)
        assert exact.exact[0]
        assert exact.p[0] == pytest.approx(p, rel=1e-8)
        monte_carlo = cluster_flip_column(d[None], clusters)
        assert not monte_carlo.exact[0]
        assert abs(monte_carlo.p[0] - p) < 4 * math.sqrt(p * (1 - p) / 10_000)


@here
def test_hand_sized_cases() -> None:
    data = rows_of("edge_cases_data.tsv")
    for row in rows_of("edge_cases.tsv"):
        mine = [each for each in data if each["case"] == row["case"]]
        d, clusters = np.array([float(each["difference"]) for each in mine]), Clusters.of([e["cluster"] for e in mine])
        holds(cluster_mean(d, clusters), row)
        assert cluster_flip_column(d[None], clusters).p[0] == pytest.approx(float(row["flip_p_exact"]), rel=1e-8)


def by_matrices(d: list[float], labels: list[str]) -> tuple[float, float, float]:
    """CR2, its degrees of freedom, and the jackknife, from the definitions, with matrices and leaving clusters out."""
    n, names = len(d), sorted(set(labels))
    member = np.array([[label == name for label in labels] for name in names], float)
    residual, hat = np.array(d) - np.mean(d), np.eye(n) - 1 / n
    squares, effects = 0.0, []
    for row in member:
        places = np.flatnonzero(row)
        inside = hat[np.ix_(places, places)]
        values, vectors = np.linalg.eigh(inside)
        adjust = vectors @ np.diag([value**-0.5 if value > 1e-9 else 0 for value in values]) @ vectors.T
        own = np.ones(len(places)) @ adjust / n
        squares += float(own @ residual[places]) ** 2
        effects.append(own @ hat[places])
    m = np.array(effects) @ np.array(effects).T
    without = [np.mean([x for x, label in zip(d, labels, strict=True) if label != name]) for name in names]
    jackknife = math.sqrt((len(names) - 1) / len(names) * sum((x - np.mean(d)) ** 2 for x in without))
    return math.sqrt(squares), np.trace(m) ** 2 / (m**2).sum(), jackknife


@pytest.mark.parametrize("labels", ["aabbbbccc", "abbbbbbbb", "aaabbbccc", "abcdefghi"])
def test_from_the_definitions(labels: str) -> None:
    d = [0.1, -0.05, 0.2, 0, 0.15, 0.3, -0.1, 0.05, 0.02]
    estimated = cluster_mean(d, Clusters.of(list(labels)))
    error, df, jackknife = by_matrices(d, list(labels))
    assert (estimated.cr2.error, estimated.cr2.df, estimated.cr3.error) == pytest.approx(
        (error, df, jackknife), rel=1e-9
    )
    sums = [sum(x for x, label in zip(d, labels, strict=True) if label == name) for name in sorted(set(labels))]
    reached = [
        abs(sum(sign * s for sign, s in zip(signs, sums, strict=True))) >= abs(sum(sums)) - 1e-9
        for signs in itertools.product((1, -1), repeat=len(sums))
    ]
    assert cluster_flip_column(np.array([d]), Clusters.of(list(labels))).p[0] == pytest.approx(np.mean(reached))


def test_one_query_a_cluster_is_the_paired_t_and_equal_sizes_the_t_of_cluster_means() -> None:
    d = np.array([0.1, -0.05, 0.2, 0, 0.15, 0.3])
    single = cluster_mean(d, Clusters.of(range(6)))
    assert (single.cr2.error, single.cr2.df) == pytest.approx((single.naive.error, 5))
    equal = cluster_mean(d, Clusters.of("aabbcc"))
    assert (equal.cr2.error, equal.cr2.df) == pytest.approx((equal.cluster_means.error, 2))
    assert equal.cr1.error == pytest.approx(equal.cr2.error)


def test_one_cluster_has_no_error_and_clusters_without_spread_no_p() -> None:
    d = np.array([0.1, 0.3, 0.2])
    alone = cluster_mean(d, Clusters.of("aaa"))
    assert math.isnan(alone.cr2.error)
    assert math.isnan(alone.cr2.p)
    assert np.isnan(cr2_interval(d[None], Clusters.of("aaa"), 0.95)).all()
    assert math.isnan(satterthwaite_df(Clusters.of("aaa")))
    t, p = t_of_errors(np.array([0.2]), np.array([np.nan]), np.nan)
    assert (t[0], p[0]) == (0, 1)
    same = cluster_mean([0.1, 0.3, 0.3, 0.1], Clusters.of("aabb"))
    assert same.cr2.error == 0
    assert math.isinf(same.cr2.t)
    assert math.isnan(same.cr2.p)
    rows, units = np.tile([0.1, 0.3], 12)[None], Clusters.of([place // 2 for place in range(24)])
    for low, high in (
        (same.cr2.low, same.cr2.high), (same.cluster_means.low, same.cluster_means.high),
        *(cluster_bootstrap_interval(rows, units, method, samples=50) for method in ("percentile", "bca")),
        cr2_interval(rows, units, 0.95),
    ):  # fmt: skip
        assert np.isnan(low) and np.isnan(high)  # an interval of no width would say that nothing can differ
    assert np.isnan(cluster_mean(np.full(12, 0.1), Clusters.of("aabbccddeeff")).naive.low)
    with pytest.raises(OptionError):
        cluster_mean([0.1], Clusters.of("ab"))


def test_names_of_clusters_and_the_order_of_queries_move_no_number() -> None:
    random = np.random.default_rng(1)
    d, labels = random.normal(size=30), random.integers(0, 12, 30).tolist()
    order = random.permutation(30)
    first = cluster_mean(d, Clusters.of(labels))
    other = cluster_mean(d[order], Clusters.of([f"x{99 - labels[place]}" for place in order]))
    assert (other.cr2.error, other.cr2.df, other.icc) == pytest.approx((first.cr2.error, first.cr2.df, first.icc))
    assert Clusters.of(labels).at(np.arange(5)).sizes.sum() == 5


def test_how_often_a_true_null_is_rejected(record_property: Callable[[str, object], None]) -> None:
    """1,500 data sets of 20 conversations of 2 to 12 queries, intra-cluster correlation .3: the naive test is wrong far
    too often, CR2 nearly as often as it says (and its intervals cover)."""
    random = np.random.default_rng(11)
    sizes = random.integers(2, 13, 20)
    clusters = Clusters.of(np.repeat(np.arange(20), sizes).tolist())
    shared = random.normal(0, math.sqrt(0.3), (1500, 20))[:, np.repeat(np.arange(20), sizes)]
    d = shared + random.normal(0, math.sqrt(0.7), (1500, int(sizes.sum())))
    error, df = cr2_errors(d, clusters)
    _, p = t_of_errors(d.mean(axis=1), error, df)
    naive = t_of_errors(d.mean(axis=1), d.std(axis=1, ddof=1) / math.sqrt(d.shape[1]), d.shape[1] - 1)[1]
    assert 0.035 < (p < 0.05).mean() < 0.075
    assert (naive < 0.05).mean() > 0.2
    low, high = cr2_interval(d, clusters, 0.95)
    held = ((low <= 0) & (high >= 0)).mean()
    assert held == pytest.approx(1 - (p < 0.05).mean(), abs=0.002)
    record_property("coverage of CR2 intervals, queries in conversations", f"{held:.1%} of 1,500, asked 95%")
