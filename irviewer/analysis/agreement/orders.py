"""Agreement of two judges on the order of systems: Kendall's tau-b and tau-AP, with the queries resampled under both.

tau-AP (Yilmaz, Aslam and Robertson, SIGIR 2008) takes the judge's order as the list and the reference's as the truth;
it is the mean over all orders of runs with equal means, so that it does not depend on the order of the files."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.analysis.agreement.draws import percentiles
from irviewer.analysis.agreement.judge_agreement import Estimate, estimate
from irviewer.analysis.similarity.rank_correlation import tau_ap_with_ties_of_rows, tau_b_of_rows
from irviewer.analysis.statistics.significance.resampling import bootstrap_means
from irviewer.model.arrays import Floats, Ints

FEWEST_RUNS = 6
"""With fewer runs the correlations have no interval."""
HALVES = 1000
"""The number of random halves of the queries for the split-half tau."""
AT_ONCE = 1 << 18
"""The number of elements of matrices of ranks in one step."""


@dataclass(frozen=True)
class OrderAgreement:
    """The order of systems under a judge against that under the reference.

    tau         Kendall's tau-b
    tau_ap      the judge's order as the list, the reference's as the truth
    split_half  tau-b of the judge with itself, on random halves of the queries: the mean; halves are noisier than the
                whole, so it is a guide and no bound
    """

    tau: Estimate
    tau_ap: Estimate
    split_half: float | None


def order_agreement(reference: Floats, judge: Floats, *, samples: int, seed: int, level: float) -> OrderAgreement:
    """Return the agreement of two judges' values float64[N, Q] of the same runs on the same queries, high values
    best."""
    tau, tau_ap = correlations(reference.mean(axis=1)[None], judge.mean(axis=1)[None])
    ends = np.full((2, 2), np.nan)
    if samples and len(judge) >= FEWEST_RUNS and judge.shape[1] > 1:
        drawn_reference, drawn_judge = (bootstrap_means(values, samples, seed).T for values in (reference, judge))
        ends = np.stack(percentiles(np.stack(correlations(drawn_reference, drawn_judge)), level), axis=1)
    return OrderAgreement(
        estimate(float(tau[0]), *ends[0]), estimate(float(tau_ap[0]), *ends[1]), split_half(judge, seed=seed)
    )


def correlations(reference: Floats, judge: Floats) -> tuple[Floats, Floats]:
    """tau-b and tau-AP float64[B] of B pairs of means float64[B, N]; NaN for fewer than two runs, or where one
    of both gives all runs the same mean: that is no order."""
    size = max(1, AT_ONCE // max(1, judge.shape[1]))
    parts = [
        _correlations(reference[start : start + size], judge[start : start + size])
        for start in range(0, len(judge), size)
    ]
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])


def split_half(values: Floats, *, halves: int = HALVES, seed: int) -> float | None:
    """Return the mean tau-b of a judge with itself, values float64[N, Q] of one random half of the queries against the
    other; None for fewer than two runs or queries, or where no half tells runs apart."""
    runs, n = values.shape
    if n < 2 or runs < 2:
        return None
    random = np.random.default_rng(seed)
    inside = np.zeros((halves, n))
    order = np.argsort(random.random((halves, n)), axis=1)
    np.put_along_axis(inside, order[:, : n // 2], 1.0, axis=1)
    half, other_half = inside @ values.T / (n // 2), (1 - inside) @ values.T / (n - n // 2)
    taus = correlations(half, other_half)[0]
    taus = taus[~np.isnan(taus)]
    return float(taus.mean()) if len(taus) else None


def ranks_of(means: Floats) -> Ints:
    """Return int64[N]: 1 for the highest mean; equal means share the better rank."""
    clean = _rounded(means[None])[0]
    return np.asarray((clean[None, :] > clean[:, None]).sum(axis=1) + 1, dtype=np.int64)


def _correlations(reference: Floats, judge: Floats) -> tuple[Floats, Floats]:
    rows, runs = judge.shape
    if runs < 2:
        return np.full(rows, np.nan), np.full(rows, np.nan)
    first, second = _dense(_rounded(reference)), _dense(_rounded(judge))
    width = runs + 1
    keys = np.sort(first * width + second, axis=1)
    tau = tau_b_of_rows(keys, width, np.full(rows, runs, dtype=np.int64))
    return tau, tau_ap_with_ties_of_rows(first, second)


def _rounded(means: Floats) -> Floats:
    """Return means without rounding errors, so that ties are ties."""
    scale = max(1.0, float(np.abs(means).max(initial=0.0)))
    return np.asarray(np.round(means / scale, 12))


def _dense(means: Floats) -> Ints:
    """Return int64[B, N]: ranks from 0, the highest first, equal means sharing one."""
    order = np.argsort(-means, axis=1, kind="stable")
    ordered = np.take_along_axis(means, order, axis=1)
    steps = np.zeros(means.shape, dtype=np.int64)
    np.cumsum(ordered[:, 1:] != ordered[:, :-1], axis=1, out=steps[:, 1:])
    ranks = np.empty(means.shape, dtype=np.int64)
    np.put_along_axis(ranks, order, steps, axis=1)
    return ranks
