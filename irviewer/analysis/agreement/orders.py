"""Agreement of two judges on the order of systems: Kendall's tau-b with an interval from the pairs, and tau-AP.

The interval of tau-b is of the systems' means over all queries of which these are a sample. Percentiles of queries
drawn anew do not hold it: chance turns close systems in the sample, and again in the draws. Here a pair counts as
ordered alike where both judges' paired t-tests show the same direction, with the larger of both p-values (an
intersection-union test, Berger, Technometrics 1982), and closed testing says how many pairs at the least are ordered
alike, and how many otherwise (:func:`irviewer.analysis.statistics.significance.discoveries.least_false`); all other
pairs may be either.

tau-AP (Yilmaz, Aslam and Robertson, SIGIR 2008) takes the judge's order as the list and the reference's as the truth;
it is the mean over all orders of runs with equal means, so that it does not depend on the order of the files."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.analysis.agreement.judge_agreement import Estimate, estimate
from irviewer.analysis.agreement.run_pairs import RunPairs
from irviewer.analysis.similarity.rank_correlation import tau_ap_with_ties_of_rows, tau_b_of_rows
from irviewer.analysis.statistics.significance.discoveries import least_false
from irviewer.model.arrays import Floats, Ints

FEWEST_RUNS = 6
"""With fewer runs tau-b has no interval: it takes few values."""
HALVES = 1000
"""The number of random halves of the queries for the split-half tau."""
AT_ONCE = 1 << 18
"""The number of elements of matrices of ranks in one step."""


@dataclass(frozen=True)
class OrderAgreement:
    """The order of systems under a judge against that under the reference.

    tau         Kendall's tau-b, with its interval for the means over all queries; without where no pair is shown
    tau_ap      the judge's order as the list, the reference's as the truth; without an interval: the weight of a pair
                depends on places that the queries do not show
    alike, turned   of so many ``pairs`` of runs, those that are shown to be ordered alike, and otherwise, at the least
    split_half  tau-b of the judge with itself, on random halves of the queries: the mean; halves are noisier than the
                whole, so it is a guide and no bound
    """

    tau: Estimate
    tau_ap: Estimate
    split_half: float | None
    alike: int
    turned: int
    pairs: int


def order_agreement(
    reference: Floats, judge: Floats, pairs: RunPairs, *, seed: int, level: float
) -> OrderAgreement:  # fmt: skip
    """Return the agreement of two judges' values float64[N, Q] of the same runs on the same queries, high values
    best, and of the pairs of these; ``level`` of the interval of tau-b, ``seed`` of the random halves."""
    tau, tau_ap = correlations(reference.mean(axis=1)[None], judge.mean(axis=1)[None])
    alike, turned = _shown(pairs, (1 - level) / 2)
    ends = _ends(pairs, alike, turned) if alike + turned and len(judge) >= FEWEST_RUNS else (np.nan, np.nan)
    return OrderAgreement(
        estimate(float(tau[0]), *ends), estimate(float(tau_ap[0]), np.nan, np.nan), split_half(judge, seed=seed),
        alike, turned, len(pairs.first),
    )  # fmt: skip


def _shown(pairs: RunPairs, alpha: float) -> tuple[int, int]:
    """Return how many pairs are ordered alike and how many otherwise, at the least; each bound fails with probability
    ``alpha``."""
    direction = np.sign(pairs.by_reference) * np.sign(pairs.by_judge)
    p = np.maximum(pairs.p_by_reference, pairs.p_by_judge)
    alike, turned = (least_false(np.where(direction == side, p, 1.0), alpha) for side in (1, -1))
    return alike, turned


def _ends(pairs: RunPairs, alike: int, turned: int) -> tuple[float, float]:
    """Return tau-b with all other pairs ordered otherwise, and alike. Runs that have the same values in all queries
    are tied in truth; others are not."""
    open_or_shown = int((pairs.differ_by_reference & pairs.differ_by_judge).sum())
    below = np.sqrt(float(pairs.differ_by_reference.sum()) * float(pairs.differ_by_judge.sum()))
    return float((2 * alike - open_or_shown) / below), float((open_or_shown - 2 * turned) / below)


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
