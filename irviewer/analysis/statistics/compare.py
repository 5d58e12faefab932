"""Query-by-query comparison of runs for one measure: each run with the baseline, or all pairs.

Draws are shared by all pairs that have the same queries, and pairs are computed in blocks, so that memory stays
small."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from irviewer.analysis.statistics.bayes import ROPE, BayesMethod, Posteriors, posteriors
from irviewer.analysis.statistics.comparison import Comparison
from irviewer.analysis.statistics.dependence.cluster_mean import cr2_errors, cr2_interval, residuals
from irviewer.analysis.statistics.dependence.clusters import Clusters
from irviewer.analysis.statistics.dependence.resampling import (
    cluster_bootstrap_interval,
    cluster_bootstrap_means,
    cluster_flip_column,
    cluster_means_and_weights,
)
from irviewer.analysis.statistics.dependence.tests_by_unit import cluster_t_column, few_units, refuse_tests
from irviewer.analysis.statistics.effects import effect_columns
from irviewer.analysis.statistics.intervals import (
    FEWEST_DRAWN,
    LEVEL,
    ROWS,
    IntervalMethod,
    average,
    bootstrap_interval,
    check_interval,
    few_weighted,
    t_interval,
)
from irviewer.analysis.statistics.log_ratios import ratios
from irviewer.analysis.statistics.run_comparison import ALPHA
from irviewer.analysis.statistics.significance.by_signs import TEST, no_posteriors, signs_of
from irviewer.analysis.statistics.significance.corrections import corrected, correction_title
from irviewer.analysis.statistics.significance.paired import sign_column, standard_error, t_column
from irviewer.analysis.statistics.significance.randomisation import EXACT, randomisation_column
from irviewer.analysis.statistics.significance.resampling import (
    SAMPLES,
    SEED,
    DrawnDifferences,
    DrawnRows,
    SharedMeans,
    bootstrap_means,
    differences,
    patterns,
    signed_sums,
)
from irviewer.analysis.statistics.significance.test_results import LEAST, TESTS, Column, Step, kind_of, put_together
from irviewer.analysis.statistics.significance.tukey import randomised_tukey_column, tukey_column
from irviewer.analysis.statistics.significance.wilcoxon import wilcoxon_column
from irviewer.analysis.statistics.skewness import skewed_look, skewed_units, skewness
from irviewer.analysis.statistics.warnings import (
    CHOSEN,
    WEIGHTED,
    by_strata,
    few_warnings,
    floor_notes,
    missing_query_warnings,
    not_reached,
    only_complete,
    too_few_samples,
)
from irviewer.errors import OptionError
from irviewer.evaluation.sampled_cautions import is_by_strata
from irviewer.model.arrays import Bools, Floats, Ints, as_tuple, frozen
from irviewer.model.geometric import at_floor, logarithms
from irviewer.model.query_units import QueryUnits, units_hint
from irviewer.translation import tr, trn

TUKEYS = {"tukey", "tukey-randomised"}
AT_ONCE = 1 << 21
"""Values of pairs by query that are compared together."""


class ComparisonCancelled(Exception):  # noqa: N818 - no error: the user asked for it
    """Raised when ``cancelled`` returns True."""


def compare(
    values: npt.ArrayLike,
    names: Sequence[str],
    query_ids: Sequence[str],
    *,
    baseline: int | None = None,
    pairs: bool = False,
    tests: Sequence[str] = ("t",),
    correction: str = "holm",
    samples: int = SAMPLES,
    seed: int = SEED,
    interval: IntervalMethod = "percentile",
    confidence: float = LEVEL,
    alpha: float = ALPHA,
    rope: float = ROPE,
    bayes: BayesMethod = "t",
    tie: float = 0.0,
    weights: npt.ArrayLike | None = None,
    measure: str = "",
    higher_is_better: bool = True,
    geometric: bool = False,
    unreached: npt.ArrayLike | None = None,
    units: QueryUnits | None = None,
    at_looks: bool = False,
    chosen_after_looking: bool = False,
    notes: Sequence[str] = (),
    shared: SharedMeans | None = None,
    progress: Step | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Comparison:
    """Compare each run with the baseline (by default the first run), or all pairs of runs.

    values      float64[R, Q]; NaN where a run lacks a query, which is then left out wherever that run is compared
    tests       names of TESTS; the first is the declared test, which decides letters, marks and conclusions. The
                paired t-test is always computed
    correction  a name of CORRECTIONS, over the pairs compared; Tukey's tests correct themselves, over all pairs
    samples, seed    of bootstrap and randomisation; the same seed gives the same numbers
    interval    "bca", "percentile" or "t", of means and differences, at the level ``confidence``
    rope, bayes      half the region of practical equivalence and the posterior: "t", "bootstrap"
    tie         differences up to that size count as ties among wins and losses; tests use the values as they are.
                Less than 1e-12 of the largest value is rounding and never a difference
    weights     float64[Q] >= 0 of the queries: weighted means and intervals are added
    geometric   means are geometric: logarithms are compared, of values of GEOMETRIC_FLOOR at the least, and ``rope`` is
                how much more than 1 a ratio may be
    unreached   bool[R, Q]: the run has the query but never reaches the value, which is NaN. Where there is any, runs
                are compared by signs, an unreached value being the worst, and a run with one has no mean
    units       the queries that count together: t has the standard error CR2, whole units are drawn and change their
                signs; other tests and posteriors have no such form and are refused
    at_looks    the pair is tested at a declared look: it is said where its differences are skewed
    notes       further warnings
    shared      drawn means that others need, too
    progress    called with the share done, 0..1; may raise to stop. ``cancelled`` is called as often

    Raises OptionError, and ComparisonCancelled where ``cancelled`` returns True."""
    runs = np.asarray(values, np.float64)
    _check(runs, names, query_ids, baseline, interval, confidence, tests, samples, tie, alpha)
    if units is not None:
        refuse_tests(tests, units.attribute)
    clusters = None if units is None else Clusters.of(units.of(query_ids))
    title = correction_title(correction)
    test_names = list(dict.fromkeys(kind_of(name).name for name in ("t", *tests)))
    weighted = None if weights is None else _weights(weights, runs.shape[1])
    first, second = _run_pairs(len(names), None if pairs else baseline or 0)
    present = ~np.isnan(runs)
    if shared is None or not present.all():
        shared = SharedMeans()
    request = _Request(
        tuple(test_names), samples, seed, interval, confidence, rope, bayes, tie, weighted, higher_is_better, geometric,
        shared, clusters,
    )  # fmt: skip
    report = _Progress(progress, cancelled, 0.6 if "tukey-randomised" in test_names else 0.95)
    floor = None
    if geometric:
        floor = at_floor(runs)
        runs = logarithms(runs)
    unreached_cells = (
        np.zeros(runs.shape, np.bool_) if unreached is None else np.asarray(unreached, np.bool_) & ~present
    )
    if unreached_cells.any():
        if units is not None:
            raise OptionError(tr(
                "{measure} is compared by signs, since some runs never reach a value, and the sign test has no form "
                "for a unit of several queries; leave unit ({unit}) out, or choose another measure",
                measure=measure, unit=units.attribute,
            ))  # fmt: skip
        description = (tuple(names), as_tuple(query_ids), measure, None if pairs else baseline or 0, first, second)
        further = (*notes, *([CHOSEN] if chosen_after_looking else ()))
        return _by_signs(runs, unreached_cells, description, request, correction, alpha, further)
    results = _PairColumns.of(runs, present, first, second, request, report)
    columns = {name: results.tests[name] for name in test_names if name in results.tests}
    columns.update(_tukey(runs, present, first, second, request, report))
    differing = results.numbers["differing"].astype(np.int64)
    few = (differing > 0) & (differing < LEAST)
    columns = {name: columns[name].withholding(few) for name in test_names}
    columns = {
        name: column if TESTS[name].family else column.with_correction(title, corrected(column.p, correction))
        for name, column in columns.items()
    }
    means, low, high = _run_intervals(runs, present, request, results.means)
    if is_by_strata(measure):
        low, high = np.full_like(low, np.nan), np.full_like(high, np.nan)
        notes = [*notes, by_strata(measure)]
    report(1.0)
    warnings = [*missing_query_warnings(tuple(names), present), *notes]
    warnings += [] if floor is None else floor_notes(names, floor, present.sum(axis=1))
    if TUKEYS & columns.keys() and not present.all():
        warnings.append(only_complete(int(present.all(axis=0).sum()), runs.shape[1]))
    warnings += few_warnings(tuple(names), first, second, results.numbers["n"], runs.shape[1])
    warnings += _coarse(columns, title, samples, alpha)
    if units is not None:
        n_units = np.nan_to_num(results.numbers["units"]).astype(np.int64)
        columns = {name: replace(column, unit=units.attribute, units=n_units) for name, column in columns.items()}
        warnings += few_units(units.attribute, results.numbers["units"], columns["t"].df, interval)
        if interval == "t":
            warnings += skewed_units(units.attribute, results.numbers["units"], results.numbers["skewness"])
    elif hint := units_hint(query_ids):
        warnings.append(hint)
    if at_looks:
        warnings += _of_looks(results.numbers, results.tests["t"])
    warnings += [CHOSEN] if chosen_after_looking else []
    numbers = results.numbers
    if weighted is not None:
        warnings += [WEIGHTED, *_few_weighted(numbers["weighted_n"], "" if units is None else units.attribute)]
    to_shown = ratios if geometric else np.asarray
    weighted_means = None if weighted is None else _weighted_means(runs, present, weighted)
    return Comparison(
        tuple(names), as_tuple(query_ids), measure, higher_is_better, None if pairs else baseline or 0, first, second,
        numbers["n"].astype(np.int64), to_shown(means), to_shown(low), to_shown(high), to_shown(numbers["mean"]),
        to_shown(numbers["other"]),
        numbers["difference"], numbers["low"], numbers["high"],
        numbers["deviation"],
        numbers["wins"].astype(np.int64), numbers["ties"].astype(np.int64), numbers["losses"].astype(np.int64),
        columns, numbers["d"],
        numbers["g"], numbers["superiority"], results.posteriors, interval, confidence, correction, samples, seed, tie,
        weighted,
        None if weighted_means is None else to_shown(weighted_means),
        None if weighted is None else np.stack([numbers["weighted"], numbers["weighted_low"],
        numbers["weighted_high"]]),
        alpha, tuple(warnings), present.sum(axis=1).astype(np.int64), tests[0] if tests else "t", differing, geometric,
        floor, unit="" if units is None else units.attribute,
        units=None if units is None else numbers["units"].astype(np.int64),
        weighted_n=None if weighted is None else np.nan_to_num(numbers["weighted_n"]).astype(np.int64),
        weighted_flat=None if weighted is None else numbers["weighted_flat"] == 1,
    )  # fmt: skip


def _few_weighted(weighted: Floats, unit: str) -> list[str]:
    """Why some pair has no weighted interval: the fewest queries, or units, of a pair that have a weight."""
    some = weighted[weighted > 0]
    fewest = int(some.min(initial=FEWEST_DRAWN))
    return [few_weighted(fewest, unit)] if fewest < FEWEST_DRAWN else []


def _of_looks(numbers: Mapping[str, Floats], tested: Column) -> list[str]:
    """What is said of skewed differences that are tested at a look, of one pair."""
    if len(numbers["n"]) != 1:
        return []
    units = float(numbers["units"][0])
    df = units - 1 if tested.df is None else float(np.ravel(tested.df)[0])
    return skewed_look(float(numbers["skewness"][0]), int(units), float(tested.statistic[0]), df)


def _by_signs(
    runs: Floats,
    unreached_cells: Bools,
    description: tuple[tuple[str, ...], tuple[str, ...], str, int | None, Ints, Ints],
    request: _Request,
    correction: str,
    alpha: float,
    notes: tuple[str, ...],
) -> Comparison:
    """The comparison by signs, where some runs never reach a value; ``given`` are names, queries, measure, baseline
    and the runs of the pairs."""
    names, _, measure, _, first, second = description
    signs = signs_of(runs, unreached_cells, first, second, request.tie, request.higher_is_better)
    present = unreached_cells | ~np.isnan(runs)
    own_queries, reached = (
        present.sum(axis=1).astype(np.int64),
        (present & ~unreached_cells).sum(axis=1).astype(np.int64),
    )
    whole = np.flatnonzero(~unreached_cells.any(axis=1))
    means = np.full((3, len(names)), np.nan)
    if len(whole):
        drawn = replace(request, weights=None)
        means[:, whole] = np.stack(_run_intervals(runs[whole], ~np.isnan(runs[whole]), drawn, None))
    size = len(first)
    nan = np.full(size, np.nan)
    weighted_means = None
    if request.weights is not None:
        weighted_means = _weighted_means(runs, present & ~unreached_cells, request.weights)
        weighted_means[(unreached_cells & (request.weights > 0)).any(axis=1)] = np.nan
    title = correction_title(correction)
    column = signs.column.with_correction(title, corrected(signs.column.p, correction))
    warnings = [*missing_query_warnings(names, present), *notes, not_reached(measure, names, reached, own_queries)]
    warnings += few_warnings(names, first, second, signs.n.astype(np.float64), runs.shape[1])
    warnings += [WEIGHTED] if request.weights is not None else []
    return Comparison(
        description[0], description[1], measure, request.higher_is_better, description[3], first, second, signs.n,
        means[0], means[1],
        means[2], signs.first_mean, signs.second_mean, signs.difference, nan, nan, nan, signs.wins, signs.ties,
        signs.losses, {TEST: column}, nan, nan, signs.superiority,
        no_posteriors(size, request.bayes, request.confidence, request.rope), request.interval, request.confidence,
        correction, request.samples,
        request.seed, request.tie, request.weights, weighted_means,
        None if request.weights is None else np.full((3, size), np.nan), alpha, tuple(warnings), own_queries, TEST,
        signs.column.n_used, False, None, reached,
    )  # fmt: skip


def _coarse(columns: Mapping[str, Column], title: str, samples: int, alpha: float) -> list[str]:
    """A warning for each test with too few samples for its correction."""
    warnings = []
    for column in columns.values():
        least = float(column.corrected[column.floor].max(initial=0.0))
        if title and not TESTS[column.test].family and least >= alpha:
            warnings.append(too_few_samples(column.title, samples, least, title, len(column.p), alpha))
    return warnings


@dataclass(frozen=True, eq=False)
class _Request:
    tests: tuple[str, ...]
    samples: int
    seed: int
    interval: IntervalMethod
    confidence: float
    rope: float
    bayes: BayesMethod
    tie: float
    weights: Floats | None
    higher_is_better: bool
    geometric: bool
    shared: SharedMeans
    clusters: Clusters | None = None


class _Progress:
    """Reports progress and checks for cancellation."""

    def __init__(self, progress: Step | None, cancelled: Callable[[], bool] | None, share: float) -> None:
        self._progress, self._cancelled, self.share = progress, cancelled, share
        self._last = 0.0

    def __call__(self, fraction: float) -> None:
        self._last = fraction
        self.check_cancelled()

    def check_cancelled(self) -> None:
        """Check for cancellation without further progress."""
        if self._cancelled is not None and self._cancelled():
            raise ComparisonCancelled
        if self._progress is not None:
            self._progress(self._last)


_NUMBERS = (
    "n", "mean", "other", "difference", "wins", "ties", "losses", "low", "high", "deviation", "d", "g", "superiority",
    "weighted", "weighted_low", "weighted_high", "weighted_n", "weighted_flat", "differing", "units", "skewness",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class _PairColumns:
    numbers: dict[str, Floats]
    tests: dict[str, Column]
    posteriors: Posteriors
    means: Floats | None = None  # drawn for all runs, where all have all queries

    @classmethod
    def of(
        cls, runs: Floats, present: Bools, first: Ints, second: Ints, request: _Request, report: _Progress
    ) -> _PairColumns:
        """Compute all pairs in blocks, those with the same queries together."""
        size = len(first)
        numbers = {name: np.full(size, np.nan) for name in _NUMBERS}
        parts: dict[str, list[tuple[Ints, Column]]] = {name: [] for name in request.tests if not TESTS[name].family}
        posterior_parts: list[tuple[Ints, Posteriors]] = []
        done, means = 0, None
        for pattern in patterns(present[first] & present[second]) if size else ():
            drawn = _Drawn(runs, first[pattern.pairs], second[pattern.pairs], pattern.queries, request, report)
            if present.all():
                means = drawn.means
            step = max(1, min(ROWS, AT_ONCE // max(1, len(pattern.queries))))
            for start in range(0, len(pattern.pairs), step):
                report(report.share * done / size)
                pairs = pattern.pairs[start : start + step]
                block = drawn.block(slice(start, start + step))
                for name, column in block.tests.items():
                    parts[name].append((pairs, column))
                for name, part in block.numbers.items():
                    numbers[name][pairs] = part
                posterior_parts.append((pairs, block.posteriors))
                done += len(pairs)
        if not size:
            empty = np.empty((0, runs.shape[1]))
            return cls(numbers, _columns(empty, request, None, 1.0, None), _posteriors(empty, request))
        tests = {name: put_together(part, size) for name, part in parts.items()}
        return cls(numbers, tests, _put_together(posterior_parts, size), means)


class _Drawn:
    """Pairs that have the same queries, with the draws for each of their runs."""

    def __init__(
        self,
        runs: Floats,
        first: Ints,
        second: Ints,
        queries: Ints,
        request: _Request,
        report: _Progress,
    ) -> None:
        used, positions = np.unique(np.concatenate([first, second]), return_inverse=True)
        self.values = np.ascontiguousarray(runs[np.ix_(used, queries)])
        self.first, self.second = np.split(positions.reshape(-1), 2)
        self.request = request
        self.scale = float(np.max(np.abs(self.values), initial=1.0))
        self.weights = None if request.weights is None else request.weights[queries]
        n = len(queries)
        self.clusters = None if request.clusters is None else request.clusters.at(queries)
        self.means = None
        if n and request.interval != "t" and self.clusters is not None:
            self.means = cluster_bootstrap_means(self.values, self.clusters, request.samples, request.seed)
        elif n and request.interval != "t":
            self.means = request.shared.means(self.values, request.samples, request.seed, report.check_cancelled)
        self.weighted = None
        if n and self.weights is not None and self.clusters is not None:
            self.weighted = cluster_bootstrap_means(
                self.values, self.clusters, request.samples, request.seed, self.weights
            )
        elif n and self.weights is not None:
            self.weighted = bootstrap_means(
                self.values, request.samples, request.seed, self.weights, report.check_cancelled
            )
        self.sums = None
        of_units = self.values if self.clusters is None else self.clusters.sums(self.values)
        if of_units.shape[1] > EXACT and "randomisation" in request.tests:
            self.sums = signed_sums(of_units, request.samples, request.seed, report.check_cancelled)

    def block(self, part: slice) -> _PairColumns:
        """Compute some of the pairs."""
        first, second, request = self.first[part], self.second[part], self.request
        first_values, second_values = self.values[first], self.values[second]
        difference = differences(first_values, second_values)
        sums = None if self.sums is None else self.sums[first] - self.sums[second]
        tests = _columns(difference, request, sums, self.scale, self.clusters)
        up, down = (difference > request.tie).sum(axis=1), (difference < -request.tie).sum(axis=1)
        wins, losses = (up, down) if request.higher_is_better else (down, up)
        drawn = None if self.means is None else DrawnDifferences(self.means, first, second)
        low, high = _interval(difference, request, drawn, None, self.clusters)
        d, g, superiority = effect_columns(difference if request.higher_is_better else -difference)
        n = difference.shape[1]
        deviation = standard_error(difference) * np.sqrt(n) if n > 1 else np.full(len(first), np.nan)
        differing, units = (difference != 0).sum(axis=1), n
        if self.clusters is not None:
            deviation = cr2_errors(difference, self.clusters)[0] * np.sqrt(n)
            differing, units = (_sums(difference, self.clusters) != 0).sum(axis=1), len(self.clusters)
            if units < 2:  # one unit is no sample: its queries have a spread, but not that of units
                d, g = np.full(len(first), np.nan), np.full(len(first), np.nan)
        numbers = {
            "n": np.full(len(first), n), "mean": average(first_values), "other": average(second_values),
            "difference": average(difference),
            "deviation": deviation, "wins": wins, "ties": n - wins - losses, "losses": losses, "low": low,
            "high": high, "d": d, "g": g, "superiority": superiority, "differing": differing,
            "units": np.full(len(first), units),
            "skewness": skewness(difference if self.clusters is None else residuals(difference, self.clusters)),
        }  # fmt: skip
        if self.weights is not None:
            numbers["weighted"] = average(difference, self.weights)
            drawn = None if self.weighted is None else DrawnDifferences(self.weighted, first, second)
            numbers["weighted_low"], numbers["weighted_high"] = _interval(
                difference, request, drawn, self.weights, self.clusters
            )
            values, sizes = difference, self.weights
            if self.clusters is not None:
                values, sizes = cluster_means_and_weights(difference, self.clusters, self.weights)
            own = values[:, sizes > 0]
            numbers["weighted_n"] = np.full(len(first), own.shape[1])
            numbers["weighted_flat"] = np.ptp(own, axis=1) == 0 if own.shape[1] > 1 else np.zeros(len(first))
        return _PairColumns(numbers, tests, _posteriors(difference, request))


def _columns(
    difference: Floats, request: _Request, sums: Floats | None, scale: float, clusters: Clusters | None
) -> dict[str, Column]:
    columns: dict[str, Column] = {}
    for name in request.tests:
        if name == "t" and clusters is not None:
            columns[name] = cluster_t_column(difference, clusters)
        elif name == "randomisation" and clusters is not None:
            columns[name] = cluster_flip_column(
                difference, clusters, samples=request.samples, seed=request.seed, scale=scale, drawn=sums
            )
        elif name == "t":
            columns[name] = t_column(difference)
        elif name == "sign":
            columns[name] = sign_column(difference, request.higher_is_better)
        elif name == "wilcoxon":
            columns[name] = wilcoxon_column(difference, "wilcox")
        elif name == "wilcoxon-pratt":
            columns[name] = wilcoxon_column(difference, "pratt")
        elif name == "randomisation":
            columns[name] = randomisation_column(
                difference, samples=request.samples, seed=request.seed, scale=scale, drawn=sums
            )
    return columns


def _interval(
    difference: Floats, request: _Request, drawn: DrawnRows | None, weights: Floats | None, clusters: Clusters | None
) -> tuple[Floats, Floats]:
    """Return the ends of the intervals of means; NaN where there is none, also where it would have no width."""
    if request.interval == "t" and weights is None:
        if clusters is not None:
            return cr2_interval(difference, clusters, request.confidence)
        return t_interval(difference, request.confidence)
    method: Literal["bca", "percentile"] = "percentile" if request.interval == "percentile" else "bca"
    if clusters is not None:
        return cluster_bootstrap_interval(
            difference, clusters, method, request.confidence, samples=request.samples, seed=request.seed,
            weights=weights, drawn=drawn,
        )  # fmt: skip
    return bootstrap_interval(
        difference, method, request.confidence, samples=request.samples, seed=request.seed, weights=weights, drawn=drawn
    )


def _sums(difference: Floats, clusters: Clusters) -> Floats:
    """The sums of clusters, rounded as differences are, so that what cancels is 0."""
    sums = clusters.sums(difference)
    return np.where(np.abs(sums) <= 1e-12 * max(1, difference.shape[1]), 0.0, sums)


def _posteriors(difference: Floats, request: _Request) -> Posteriors:
    if request.clusters is not None:
        return no_posteriors(len(difference), request.bayes, request.confidence, request.rope)
    return posteriors(
        difference, rope=request.rope, level=request.confidence, method=request.bayes,
        higher_is_better=request.higher_is_better,
        samples=request.samples, seed=request.seed, geometric=request.geometric,
    )  # fmt: skip


def _put_together(parts: list[tuple[Ints, Posteriors]], size: int) -> Posteriors:
    columns = {name: np.empty(size) for name in ("mean", "low", "high", "df", "better", "equal", "worse")}
    for pairs, part in parts:
        for name, whole in columns.items():
            whole[pairs] = getattr(part, name)
    return replace(parts[0][1], **columns)  # type: ignore[arg-type]


def _tukey(
    runs: Floats, present: Bools, first: Ints, second: Ints, request: _Request, report: _Progress
) -> dict[str, Column]:
    """Tukey's tests over the queries that every run has; the family is all pairs of runs, compared or not."""
    columns: dict[str, Column] = {}
    family = len(runs) * (len(runs) - 1) // 2
    complete = runs[:, present.all(axis=0)]
    if "tukey" in request.tests:
        columns["tukey"] = tukey_column(complete, first, second)
    if "tukey-randomised" in request.tests:
        columns["tukey-randomised"] = randomised_tukey_column(
            complete, first, second, samples=request.samples, seed=request.seed,
            step=lambda share: report(report.share + (0.95 - report.share) * share),
        )  # fmt: skip
    return {name: replace(column, comparisons=family) for name, column in columns.items()}


def _run_intervals(
    runs: Floats, present: Bools, request: _Request, means: Floats | None
) -> tuple[Floats, Floats, Floats]:
    """Means of the runs over their own queries, with intervals, float64[R] each."""
    results = np.full((3, len(runs)), np.nan)
    for pattern in patterns(present):
        values = runs[np.ix_(pattern.pairs, pattern.queries)]
        results[0, pattern.pairs] = average(values)
        clusters = None if request.clusters is None else request.clusters.at(pattern.queries)
        results[1:, pattern.pairs] = _interval(values, request, means, None, clusters)
    mean, low, high = results
    return mean, low, high


def _weighted_means(runs: Floats, present: Bools, weights: Floats) -> Floats:
    total = present @ weights
    return np.asarray(
        np.divide(np.where(present, runs, 0) @ weights, total, out=np.full(len(runs), np.nan), where=total > 0)
    )


def _run_pairs(size: int, baseline: int | None) -> tuple[Ints, Ints]:
    if baseline is None:
        first, second = np.triu_indices(size, 1)
        return first.astype(np.int64), second.astype(np.int64)
    others = np.setdiff1d(np.arange(size), [baseline % size]).astype(np.int64)
    return others, np.full(len(others), baseline % size, np.int64)


def _weights(weights: npt.ArrayLike, queries: int) -> Floats:
    array = np.array(weights, np.float64)
    if array.shape != (queries,) or not np.isfinite(array).all() or (array < 0).any() or not array.any():
        raise OptionError(
            trn(
                "weights: give {n} number, above 0",
                "weights: give {n} numbers, one for each query, none below 0 and not all 0",
                queries,
            )
        )
    frozen(array)
    return array


def _check(
    runs: Floats, names: Sequence[str], query_ids: Sequence[str], baseline: int | None, interval: str,
    confidence: float, tests: Sequence[str], samples: int, tie: float, alpha: float,
) -> None:  # fmt: skip
    if runs.ndim != 2 or runs.shape != (len(names), len(query_ids)):
        raise OptionError(
            tr(
                "the values have the shape {shape}, but there are {runs} run names and {queries} query ids",
                shape=runs.shape,
                runs=len(names),
                queries=len(query_ids),
            )
        )
    if not len(names):
        raise OptionError(tr("no runs to compare"))
    if np.isinf(runs).any():
        raise OptionError(tr("infinite values cannot be compared: they have no mean"))
    if baseline is not None and not 0 <= baseline < len(names):
        raise OptionError(
            tr("no run number {number} for the baseline; number of runs: {runs}", number=baseline, runs=len(names))
        )
    if samples < 100:
        raise OptionError(
            trn(
                "{n} sample is too few for p-values and intervals; use at least 100",
                "{n} samples are too few for p-values and intervals; use at least 100",
                samples,
            )
        )
    if not tie >= 0:
        raise OptionError(tr("the largest difference that counts as a tie is {tie}; it must be 0 or more", tie=tie))
    if not 0 < alpha < 1:
        raise OptionError(tr("the significance level is {alpha}; it must be between 0 and 1", alpha=alpha))
    if isinstance(tests, str):
        raise OptionError(tr("tests: give a list of names"))
    check_interval(interval, confidence)
