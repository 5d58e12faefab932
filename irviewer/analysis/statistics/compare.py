"""Compares runs query by query: baseline or all pairs, one measure, all that was asked at once.

Draws are shared by all pairs that have the same queries, and pairs are worked on some at a time, so that memory stays
small. Knows arrays and names, no files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from irviewer.analysis.statistics.bayes import ROPE, BayesMethod, Posteriors, posteriors
from irviewer.analysis.statistics.by_signs import TEST, no_posteriors, signs_of
from irviewer.analysis.statistics.comparison import Comparison
from irviewer.analysis.statistics.corrections import corrected, correction_title
from irviewer.analysis.statistics.effects import effect_columns
from irviewer.analysis.statistics.intervals import (
    LEVEL,
    ROWS,
    IntervalMethod,
    average,
    bootstrap_interval,
    check_interval,
    t_interval,
)
from irviewer.analysis.statistics.log_ratios import ratios
from irviewer.analysis.statistics.pair import ALPHA
from irviewer.analysis.statistics.paired import sign_column, standard_error, t_column
from irviewer.analysis.statistics.randomisation import EXACT, randomisation_column
from irviewer.analysis.statistics.resampling import (
    AT_ONCE,
    SAMPLES,
    SEED,
    bootstrap_means,
    decimals_of,
    differences,
    patterns,
    signed_sums,
)
from irviewer.analysis.statistics.test_results import LEAST, TESTS, Column, Step, kind_of, put_together
from irviewer.analysis.statistics.tukey import randomised_tukey_column, tukey_column
from irviewer.analysis.statistics.verdicts import (
    CHOSEN,
    WEIGHTED,
    few_warnings,
    floor_notes,
    lacking,
    not_reached,
    only_complete,
    too_few_samples,
)
from irviewer.analysis.statistics.wilcoxon import wilcoxon_column
from irviewer.errors import OptionError
from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.model.geometric import at_floor, logarithms

TUKEYS = {"tukey", "tukey-randomised"}


class ComparisonCancelled(Exception):  # noqa: N818 - no error: the person asked for it
    """Raised where ``cancelled`` said so."""


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
    level: float = LEVEL,
    alpha: float = ALPHA,
    rope: float = ROPE,
    bayes: BayesMethod = "t",
    tie: float = 0.0,
    weights: npt.ArrayLike | None = None,
    measure: str = "",
    higher_is_better: bool = True,
    geometric: bool = False,
    unreached: npt.ArrayLike | None = None,
    chosen_after_looking: bool = False,
    notes: Sequence[str] = (),
    progress: Step | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Comparison:
    """Each run beside the baseline (the first, where none is said), or all pairs of them.

    values      float64[R, Q]; NaN where a run lacks a query, which is then left out wherever that run is compared
    tests       names of TESTS; the first is the declared one, which letters, marks and verdicts are of. The paired
                t-test is always looked at
    correction  a name of CORRECTIONS, over the pairs compared; Tukey's tests correct themselves, over all pairs
    samples, seed    of all that is drawn: bootstrap, randomisation; the same seed gives the same numbers
    interval, level  of means and differences: "bca", "percentile", "t"
    rope, bayes      half the region of practical equivalence and the posterior: "t", "bootstrap"
    tie         differences up to that size count as ties among wins and losses; the tests are told the values as
                they are. What is less than 1e-12 of the largest value is rounding and never a difference
    weights     float64[Q] >= 0 of the queries: weighted means and intervals beside the plain ones
    geometric   means are geometric: logarithms are compared, of values of GEOMETRIC_FLOOR at the least, and ``rope`` is
                how much more than 1 a ratio may be
    unreached   bool[R, Q]: a run has the query and never gets so far that there would be a value, which is NaN. Where
                there is any, runs are compared by signs, what is not reached being the worst, and a run that does not
                reach all has no mean
    notes       sentences to warn with beside the comparison's own
    progress    told the share done, 0..1; may raise to end the work. ``cancelled`` is asked as often

    Raises OptionError, and ComparisonCancelled where ``cancelled`` says True."""
    runs = np.asarray(values, np.float64)
    _check(runs, names, query_ids, baseline, interval, level, tests, samples, tie, alpha)
    title = correction_title(correction)
    wanted = list(dict.fromkeys(kind_of(name).name for name in ("t", *tests)))
    weighted = None if weights is None else _weights(weights, runs.shape[1])
    first, second = _places(len(names), None if pairs else baseline or 0)
    ask = _Asked(tuple(wanted), samples, seed, interval, level, rope, bayes, tie, weighted, higher_is_better, geometric)
    told = _Told(progress, cancelled, 0.6 if "tukey-randomised" in wanted else 0.95)
    present = ~np.isnan(runs)
    floor = None
    if geometric:
        floor = at_floor(runs)
        runs = logarithms(runs)
    never = np.zeros(runs.shape, np.bool_) if unreached is None else np.asarray(unreached, np.bool_) & ~present
    if never.any():
        given = (tuple(names), tuple(query_ids), measure, None if pairs else baseline or 0, first, second)
        said = (*notes, *([CHOSEN] if chosen_after_looking else ()))
        return _by_signs(runs, never, given, ask, correction, alpha, said)
    found = _Pairs.of(runs, present, first, second, ask, told)
    columns = {name: found.tests[name] for name in wanted if name in found.tests}
    columns.update(_tukey(runs, present, first, second, ask, told))
    differing = found.numbers["differing"].astype(np.int64)
    few = (differing > 0) & (differing < LEAST)
    columns = {name: columns[name].withholding(few) for name in wanted}
    columns = {
        name: one if TESTS[name].family else one.with_correction(title, corrected(one.p, correction))
        for name, one in columns.items()
    }
    means, low, high = _run_intervals(runs, present, ask, found.means)
    told(1.0)
    warnings = [*lacking(tuple(names), present), *notes]
    warnings += [] if floor is None else floor_notes(names, floor, present.sum(axis=1))
    if TUKEYS & columns.keys() and not present.all():
        warnings.append(only_complete(int(present.all(axis=0).sum()), runs.shape[1]))
    warnings += few_warnings(tuple(names), first, second, found.numbers["n"], runs.shape[1])
    warnings += _coarse(columns, title, samples, alpha)
    warnings += [CHOSEN] if chosen_after_looking else []
    warnings += [WEIGHTED] if weighted is not None else []
    of = found.numbers
    shown = ratios if geometric else np.asarray
    weighted_means = None if weighted is None else _weighted_means(runs, present, weighted)
    return Comparison(
        tuple(names), tuple(query_ids), measure, higher_is_better, None if pairs else baseline or 0, first, second,
        of["n"].astype(np.int64), shown(means), shown(low), shown(high), shown(of["mean"]), shown(of["other"]),
        of["difference"], of["low"], of["high"],
        of["deviation"],
        of["wins"].astype(np.int64), of["ties"].astype(np.int64), of["losses"].astype(np.int64), columns, of["d"],
        of["g"], of["superiority"], found.posteriors, interval, level, correction, samples, seed, tie, weighted,
        None if weighted_means is None else shown(weighted_means),
        None if weighted is None else np.stack([of["weighted"], of["weighted_low"], of["weighted_high"]]),
        alpha, tuple(warnings), present.sum(axis=1).astype(np.int64), tests[0] if tests else "t", differing, geometric,
        floor,
    )  # fmt: skip


def _by_signs(
    runs: Floats,
    never: Bools,
    given: tuple[tuple[str, ...], tuple[str, ...], str, int | None, Ints, Ints],
    ask: _Asked,
    correction: str,
    alpha: float,
    notes: tuple[str, ...],
) -> Comparison:
    """The comparison where some runs never reach a value: ``given`` are names, queries, measure, baseline and pairs."""
    names, _, measure, _, first, second = given
    found = signs_of(runs, never, first, second, ask.tie, ask.higher_is_better)
    present = never | ~np.isnan(runs)
    own, reached = present.sum(axis=1).astype(np.int64), (present & ~never).sum(axis=1).astype(np.int64)
    whole = np.flatnonzero(~never.any(axis=1))
    means = np.full((3, len(names)), np.nan)
    if len(whole):
        drawn = replace(ask, weights=None)
        means[:, whole] = np.stack(_run_intervals(runs[whole], ~np.isnan(runs[whole]), drawn, None))
    size = len(first)
    none = np.full(size, np.nan)
    weighted_means = None
    if ask.weights is not None:
        weighted_means = _weighted_means(runs, present & ~never, ask.weights)
        weighted_means[(never & (ask.weights > 0)).any(axis=1)] = np.nan
    title = correction_title(correction)
    column = found.column.with_correction(title, corrected(found.column.p, correction))
    warnings = [*lacking(names, present), *notes, not_reached(measure, names, reached, own)]
    warnings += few_warnings(names, first, second, found.n.astype(np.float64), runs.shape[1])
    warnings += [WEIGHTED] if ask.weights is not None else []
    return Comparison(
        given[0], given[1], measure, ask.higher_is_better, given[3], first, second, found.n, means[0], means[1],
        means[2], found.first_mean, found.second_mean, found.difference, none, none, none, found.wins, found.ties,
        found.losses, {TEST: column}, none, none, found.superiority,
        no_posteriors(size, ask.bayes, ask.level, ask.rope), ask.interval, ask.level, correction, ask.samples,
        ask.seed, ask.tie, ask.weights, weighted_means,
        None if ask.weights is None else np.full((3, size), np.nan), alpha, tuple(warnings), own, TEST,
        found.column.n_used, False, None, reached,
    )  # fmt: skip


def _coarse(columns: Mapping[str, Column], title: str, samples: int, alpha: float) -> list[str]:
    """A warning for each test whose samples are too few for its correction."""
    found = []
    for column in columns.values():
        least = float(column.corrected[column.floor].max(initial=0.0))
        if title and not TESTS[column.test].family and least >= alpha:
            found.append(too_few_samples(column.title, samples, least, title, len(column.p), alpha))
    return found


@dataclass(frozen=True, eq=False)
class _Asked:
    tests: tuple[str, ...]
    samples: int
    seed: int
    interval: IntervalMethod
    level: float
    rope: float
    bayes: BayesMethod
    tie: float
    weights: Floats | None
    higher_is_better: bool
    geometric: bool = False


class _Told:
    """Progress out, cancel in."""

    def __init__(self, progress: Step | None, cancelled: Callable[[], bool] | None, share: float) -> None:
        self._progress, self._cancelled, self.share = progress, cancelled, share
        self._last = 0.0

    def __call__(self, fraction: float) -> None:
        self._last = fraction
        self.again()

    def again(self) -> None:
        """No further yet, but a chance to end."""
        if self._cancelled is not None and self._cancelled():
            raise ComparisonCancelled
        if self._progress is not None:
            self._progress(self._last)


_NUMBERS = (
    "n", "mean", "other", "difference", "wins", "ties", "losses", "low", "high", "deviation", "d", "g", "superiority",
    "weighted", "weighted_low", "weighted_high", "differing",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Pairs:
    numbers: dict[str, Floats]
    tests: dict[str, Column]
    posteriors: Posteriors
    means: Floats | None = None  # drawn for all runs, where all have all queries

    @classmethod
    def of(cls, runs: Floats, present: Bools, first: Ints, second: Ints, ask: _Asked, told: _Told) -> _Pairs:
        """All pairs, those with the same queries together, so many at a time as memory wants."""
        size = len(first)
        numbers = {name: np.full(size, np.nan) for name in _NUMBERS}
        parts: dict[str, list[tuple[Ints, Column]]] = {name: [] for name in ask.tests if not TESTS[name].family}
        after: list[tuple[Ints, Posteriors]] = []
        decimals = decimals_of(runs)
        done, means = 0, None
        for pattern in patterns(present[first] & present[second]) if size else ():
            drawn = _Drawn(runs, first[pattern.pairs], second[pattern.pairs], pattern.queries, ask, decimals, told)
            if present.all():
                means = drawn.means
            step = max(1, min(ROWS, AT_ONCE // max(1, len(pattern.queries))))
            for start in range(0, len(pattern.pairs), step):
                told(told.share * done / size)
                places = pattern.pairs[start : start + step]
                block = drawn.block(slice(start, start + step))
                for name, column in block.tests.items():
                    parts[name].append((places, column))
                for name, part in block.numbers.items():
                    numbers[name][places] = part
                after.append((places, block.posteriors))
                done += len(places)
        if not size:
            none = np.empty((0, runs.shape[1]))
            return cls(numbers, _columns(none, ask, None, 1.0), _posteriors(none, ask))
        tests = {name: put_together(part, size) for name, part in parts.items()}
        return cls(numbers, tests, _put_together(after, size), means)


class _Drawn:
    """Pairs that share their queries, with the draws for each of their runs."""

    def __init__(
        self, runs: Floats, first: Ints, second: Ints, queries: Ints, ask: _Asked, decimals: int, told: _Told
    ) -> None:
        used, places = np.unique(np.concatenate([first, second]), return_inverse=True)
        self.values = np.ascontiguousarray(runs[np.ix_(used, queries)])
        self.first, self.second = np.split(places.reshape(-1), 2)
        self.ask, self.decimals = ask, decimals
        self.scale = float(np.max(np.abs(self.values), initial=1.0))
        self.weights = None if ask.weights is None else ask.weights[queries]
        n = len(queries)
        self.means = None
        if n and ask.interval != "t":
            self.means = bootstrap_means(self.values, ask.samples, ask.seed, step=told.again)
        self.weighted = None
        if n and self.weights is not None:
            self.weighted = bootstrap_means(self.values, ask.samples, ask.seed, self.weights, told.again)
        self.sums = None
        if n > EXACT and "randomisation" in ask.tests:
            self.sums = signed_sums(self.values, ask.samples, ask.seed, told.again)

    def block(self, part: slice) -> _Pairs:
        """Some of the pairs."""
        one, two, ask = self.first[part], self.second[part], self.ask
        mine, its = self.values[one], self.values[two]
        difference = differences(mine, its, self.decimals)
        sums = None if self.sums is None else self.sums[one] - self.sums[two]
        tests = _columns(difference, ask, sums, self.scale)
        up, down = (difference > ask.tie).sum(axis=1), (difference < -ask.tie).sum(axis=1)
        wins, losses = (up, down) if ask.higher_is_better else (down, up)
        drawn = None if self.means is None else self.means[one] - self.means[two]
        low, high = _interval(difference, ask, drawn, None)
        d, g, superiority = effect_columns(difference if ask.higher_is_better else -difference)
        n = difference.shape[1]
        deviation = standard_error(difference) * np.sqrt(n) if n > 1 else np.full(len(one), np.nan)
        numbers = {
            "n": np.full(len(one), n), "mean": average(mine), "other": average(its), "difference": average(difference),
            "deviation": deviation, "wins": wins, "ties": n - wins - losses, "losses": losses, "low": low,
            "high": high, "d": d, "g": g, "superiority": superiority, "differing": (difference != 0).sum(axis=1),
        }  # fmt: skip
        if self.weights is not None:
            numbers["weighted"] = average(difference, self.weights)
            drawn = None if self.weighted is None else self.weighted[one] - self.weighted[two]
            numbers["weighted_low"], numbers["weighted_high"] = _interval(difference, ask, drawn, self.weights)
        return _Pairs(numbers, tests, _posteriors(difference, ask))


def _columns(difference: Floats, ask: _Asked, sums: Floats | None, scale: float) -> dict[str, Column]:
    found: dict[str, Column] = {}
    for name in ask.tests:
        if name == "t":
            found[name] = t_column(difference)
        elif name == "sign":
            found[name] = sign_column(difference, ask.higher_is_better)
        elif name == "wilcoxon":
            found[name] = wilcoxon_column(difference, "wilcox")
        elif name == "wilcoxon-pratt":
            found[name] = wilcoxon_column(difference, "pratt")
        elif name == "randomisation":
            found[name] = randomisation_column(difference, samples=ask.samples, seed=ask.seed, scale=scale, drawn=sums)
    return found


def _interval(difference: Floats, ask: _Asked, drawn: Floats | None, weights: Floats | None) -> tuple[Floats, Floats]:
    if ask.interval == "t" and weights is None:
        return t_interval(difference, ask.level)
    method: Literal["bca", "percentile"] = "percentile" if ask.interval == "percentile" else "bca"
    return bootstrap_interval(
        difference, method, ask.level, samples=ask.samples, seed=ask.seed, weights=weights, drawn=drawn
    )


def _posteriors(difference: Floats, ask: _Asked) -> Posteriors:
    return posteriors(
        difference, rope=ask.rope, level=ask.level, method=ask.bayes, higher_is_better=ask.higher_is_better,
        samples=ask.samples, seed=ask.seed, geometric=ask.geometric,
    )  # fmt: skip


def _put_together(parts: list[tuple[Ints, Posteriors]], size: int) -> Posteriors:
    columns = {name: np.empty(size) for name in ("mean", "low", "high", "df", "better", "equal", "worse")}
    for places, part in parts:
        for name, whole in columns.items():
            whole[places] = getattr(part, name)
    return replace(parts[0][1], **columns)  # type: ignore[arg-type]


def _tukey(runs: Floats, present: Bools, first: Ints, second: Ints, ask: _Asked, told: _Told) -> dict[str, Column]:
    """Over the queries that every run has. The family is all pairs of runs, whichever of them are compared."""
    found: dict[str, Column] = {}
    family = len(runs) * (len(runs) - 1) // 2
    complete = runs[:, present.all(axis=0)]
    if "tukey" in ask.tests:
        found["tukey"] = tukey_column(complete, first, second)
    if "tukey-randomised" in ask.tests:
        found["tukey-randomised"] = randomised_tukey_column(
            complete, first, second, samples=ask.samples, seed=ask.seed,
            step=lambda share: told(told.share + (0.95 - told.share) * share),
        )  # fmt: skip
    return {name: replace(one, comparisons=family) for name, one in found.items()}


def _run_intervals(runs: Floats, present: Bools, ask: _Asked, means: Floats | None) -> tuple[Floats, Floats, Floats]:
    """Means of the runs over their own queries, with intervals, float64[R] each."""
    found = np.full((3, len(runs)), np.nan)
    for pattern in patterns(present):
        values = runs[np.ix_(pattern.pairs, pattern.queries)]
        found[0, pattern.pairs] = average(values)
        found[1:, pattern.pairs] = _interval(values, ask, means, None)
    mean, low, high = found
    return mean, low, high


def _weighted_means(runs: Floats, present: Bools, weights: Floats) -> Floats:
    total = present @ weights
    return np.asarray(
        np.divide(np.where(present, runs, 0) @ weights, total, out=np.full(len(runs), np.nan), where=total > 0)
    )


def _places(size: int, baseline: int | None) -> tuple[Ints, Ints]:
    if baseline is None:
        one, two = np.triu_indices(size, 1)
        return one.astype(np.int64), two.astype(np.int64)
    others = np.setdiff1d(np.arange(size), [baseline % size]).astype(np.int64)
    return others, np.full(len(others), baseline % size, np.int64)


def _weights(weights: npt.ArrayLike, queries: int) -> Floats:
    found = np.array(weights, np.float64)
    if found.shape != (queries,) or not np.isfinite(found).all() or (found < 0).any() or not found.any():
        raise OptionError(f"weights: {queries} numbers are wanted, one a query, none below 0 and not all of them 0")
    frozen(found)
    return found


def _check(
    runs: Floats, names: Sequence[str], query_ids: Sequence[str], baseline: int | None, interval: str, level: float,
    tests: Sequence[str], samples: int, tie: float, alpha: float,
) -> None:  # fmt: skip
    if runs.ndim != 2 or runs.shape != (len(names), len(query_ids)):
        raise OptionError(f"{len(names)} runs and {len(query_ids)} queries are named, but the values are {runs.shape}")
    if not len(names):
        raise OptionError("there is no run to compare")
    if np.isinf(runs).any():
        raise OptionError("infinite values have no mean to compare")
    if baseline is not None and not 0 <= baseline < len(names):
        raise OptionError(f"there is no run number {baseline} to be the baseline; there are {len(names)}")
    if samples < 100:
        raise OptionError(f"{samples} samples are too few to read a p-value or an interval from; 100 is the least")
    if tie < 0:
        raise OptionError(f"the difference that counts as a tie is {tie}; it must be 0 or more")
    if not 0 < alpha < 1:
        raise OptionError(f"the p-value that counts as significant is {alpha}; it must lie between 0 and 1")
    if isinstance(tests, str):
        raise OptionError("tests: a list of names is wanted")
    check_interval(interval, level)
