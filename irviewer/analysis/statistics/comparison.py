"""The result of comparing runs for one measure: a record of each pair, and all pairs as columns and matrices."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from irviewer.analysis.statistics.bayes import Posteriors
from irviewer.analysis.statistics.compact_letters import compact_letters
from irviewer.analysis.statistics.effects import Effects
from irviewer.analysis.statistics.intervals import FEWEST_DRAWN, INTERVALS, Interval, IntervalMethod
from irviewer.analysis.statistics.log_ratios import ratios
from irviewer.analysis.statistics.run_comparison import ALPHA, RunComparison, relative_change
from irviewer.analysis.statistics.significance.corrections import CORRECTIONS
from irviewer.analysis.statistics.significance.resampling import GROUPS, are_grouped
from irviewer.analysis.statistics.significance.test_results import LEAST, TESTS, Column
from irviewer.analysis.statistics.warnings import CHOSEN
from irviewer.errors import OptionError
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.exported import Exported
from irviewer.model.number_text import alpha_text, level_text, pairs_text
from irviewer.model.run_names import run_place
from irviewer.translation import tr, trn

MatrixOf = Literal["difference", "relative", "p", "corrected", "d", "superiority"]


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Exported):
    """A comparison of R runs over Q queries for one measure, P pairs: each run with the baseline, or all pairs.

    names, query_ids        of the runs and of the queries
    baseline                its index; None if all pairs were compared
    first, second           int64[P] indices of the runs of each pair; ``second`` is the baseline where there is one
    n                       int64[P] queries that both have
    means                   float64[R] over each run's own queries; ``low``, ``high`` their intervals
    first_mean, second_mean, difference, difference_low, difference_high, deviation    float64[P]
    wins, ties, losses      int64[P]
    tests                   name -> column of P results
    weights                 float64[Q] or None; with them ``weighted_means`` float64[R] and ``weighted`` float64[3, P],
                            the weighted difference and its interval's two ends; ``weighted_n`` int64[P] are the
                            queries of each pair, or units, with a weight above 0
    warnings                sentences for the user
    own                     int64[R] queries that each run has; None if all have all
    looked_at               every test and interval that was computed, as exports list them
    declared                the test that decides letters, marks and conclusions
    differing               int64[P] queries on which the two are not equal
    geometric               ``means``, ``first_mean``, ``second_mean``, ``weighted_means`` and ``low``, ``high`` are
                            geometric means; differences and their intervals are of the values' logarithms
    at_floor                int64[R] with ``geometric``: queries whose value is at the floor of the logarithm; else None
    unit                    the attribute of queries whose values are the independent units, "" where each query is one;
                            with it ``units`` int64[P] is how many each pair has, ``differing`` how many of them differ,
                            and ``deviation`` the standard error times the root of n
    reached                 int64[R] queries of ``own`` on which a value is reached, where some are not: runs are then
                            compared by signs, and a run that does not reach all has no mean; else None
    """

    names: tuple[str, ...]
    query_ids: tuple[str, ...]
    measure: str
    higher_is_better: bool
    baseline: int | None
    first: Ints
    second: Ints
    n: Ints
    means: Floats
    low: Floats
    high: Floats
    first_mean: Floats
    second_mean: Floats
    difference: Floats
    difference_low: Floats
    difference_high: Floats
    deviation: Floats
    wins: Ints
    ties: Ints
    losses: Ints
    tests: Mapping[str, Column]
    d: Floats
    g: Floats
    superiority: Floats
    posteriors: Posteriors
    interval: IntervalMethod
    confidence: float
    correction: str
    samples: int
    seed: int
    tie: float
    weights: Floats | None = None
    weighted_means: Floats | None = None
    weighted: Floats | None = None
    alpha: float = ALPHA
    warnings: tuple[str, ...] = ()
    own: Ints | None = None
    declared: str = "t"
    differing: Ints | None = None
    geometric: bool = False
    at_floor: Ints | None = None
    reached: Ints | None = None
    unit: str = ""
    units: Ints | None = None
    weighted_n: Ints | None = None
    weighted_flat: Bools | None = None

    def __len__(self) -> int:
        return len(self.first)

    @property
    def ragged(self) -> bool:
        """True if runs lack queries, so that a run's mean and its differences are over different queries."""
        return self.own is not None and bool((self.own < len(self.query_ids)).any())

    @cached_property
    def pairs(self) -> tuple[RunComparison, ...]:
        """The records of all pairs, in the order of the columns."""
        return tuple(self.pair(index) for index in range(len(self.first)))

    def pair(self, index: int) -> RunComparison:
        """Return the record of a pair by its index."""
        first, second, n = int(self.first[index]), int(self.second[index]), int(self.n[index])
        dropped = len(self.query_ids) - n
        weighted = self.weighted
        return RunComparison(
            first, second, self.names[first], self.names[second], self.measure, self.higher_is_better, n, dropped,
            float(self.first_mean[index]), float(self.second_mean[index]), float(self.difference[index]),
            float(self.deviation[index]),
            int(self.wins[index]), int(self.ties[index]), int(self.losses[index]),
            self._interval(self.difference_low[index], self.difference_high[index], self.interval,
                           flat=n > 1 and bool(self.deviation[index] == 0)),
            tuple(column.result(index, len(self.query_ids) - int(column.n[index])) for column in self.tests.values()),
            Effects(float(self.d[index]), float(self.g[index]), float(self.superiority[index])),
            self.posteriors.posterior(index),
            None if weighted is None else float(weighted[0, index]),
            None if weighted is None else self._weighted_interval(index, weighted),
            self.baseline is not None,
            self.alpha,
            CHOSEN in self.warnings,
            self.declared,
            n - int(self.ties[index]) if self.differing is None else int(self.differing[index]),
            self.geometric,
            self.reached is not None,
            self.share_reached(first),
            self.share_reached(second),
            self.unit,
            0 if self.units is None else int(self.units[index]),
        )  # fmt: skip

    def share_reached(self, run: int) -> float:
        """Return the share of a run's queries on which it reaches a value; NaN where all runs always do."""
        if self.reached is None or self.own is None or not self.own[run]:
            return math.nan
        return float(self.reached[run] / self.own[run])

    @property
    def standing(self) -> Floats:
        """float64[R]: the values that order the runs, higher is better: means or, by signs, queries won less lost."""
        if self.reached is None:
            return self.means if self.higher_is_better else -self.means
        standing = np.zeros(len(self.names))
        np.add.at(standing, self.first, self.wins - self.losses)
        np.add.at(standing, self.second, self.losses - self.wins)
        return standing

    def find(self, run: int | str, other: int | str | None = None) -> RunComparison:
        """Return the pair of two runs, given by index or name, as seen from the first; ``other`` is the baseline by
        default. Raises OptionError where the two were not compared."""
        index = self.place(run)
        other_index = self.baseline if other is None else self.place(other)
        for first, second, flip in ((self.first, self.second, False), (self.second, self.first, True)):
            matches = np.flatnonzero((first == index) & (second == other_index))
            if len(matches):
                pair = self.pair(int(matches[0]))
                return pair.flipped if flip else pair
        if other_index is None:
            raise OptionError(tr("this comparison is of all pairs: name the other run too"))
        raise OptionError(
            tr("{run} and {other} were not compared", run=self.names[index], other=self.names[other_index])
        )

    def place(self, run: int | str) -> int:
        """Return a run's index from its index or name. Raises OptionError."""
        if isinstance(run, str):
            return self.names.index(run) if run in self.names else run_place(run, self.names)
        if not -len(self.names) <= run < len(self.names):
            raise OptionError(
                tr("there is no run number {number}; number of runs: {runs}", number=run, runs=len(self.names))
            )
        return int(run) % len(self.names)

    def matrix(self, what: MatrixOf, test: str | None = None) -> Floats:
        """Return a matrix of all pairs, float64[R, R], row compared with column, NaN where there is no pair:
        "difference" and "relative" of the row from the column, "p" and "corrected" of a test (None: the declared one),
        "d", "superiority"."""
        matrix = np.full((len(self.names), len(self.names)), np.nan)
        if what in ("p", "corrected"):
            column = self.column(test)
            values = reverse = column.p if what == "p" else column.corrected
        elif what == "relative" and self.geometric:
            values, reverse = ratios(self.difference) - 1, ratios(-self.difference) - 1
        elif what == "relative":
            values = np.array([relative_change(*pair) for pair in zip(self.difference, self.second_mean, strict=True)])
            reverse = np.array([relative_change(-d, m) for d, m in zip(self.difference, self.first_mean, strict=True)])
        elif what == "superiority":
            values, reverse = self.superiority, 1 - self.superiority
        else:
            values = self.difference if what == "difference" else self.d
            reverse = -values
        matrix[self.first, self.second] = values
        matrix[self.second, self.first] = reverse
        return matrix

    def column(self, test: str | None = None) -> Column:
        """Return the results of a test, by default the declared one. Raises OptionError where it was not run."""
        column = self.tests.get(test or self.declared)
        if column is None:
            raise OptionError(
                tr("the test {test!r} was not run; choose one of {tests}", test=test, tests=", ".join(self.tests))
            )
        return column

    def shown(self, test: str | None = None) -> Bools:
        """bool[P]: pairs for which the test (None: the declared one) shows a difference after correction. Never with
        fewer than LEAST queries that differ, nor for differences without spread: p is NaN, or cannot be small; nor on
        queries that were chosen after looking at the results."""
        if CHOSEN in self.warnings:
            return np.zeros(len(self), np.bool_)
        enough = np.ones(len(self), np.bool_) if self.differing is None else self.differing >= LEAST
        return np.asarray((self.column(test).corrected < self.alpha) & enough)  # NaN is not less

    def in_family_of(self, every: Comparison) -> Comparison:
        """Return this comparison with a baseline with the p of the family that was declared, all pairs of its runs:
        those of ``every``, whose names are the same."""
        columns = {
            frozenset(runs): column
            for column, runs in enumerate(zip(every.first.tolist(), every.second.tolist(), strict=True))
        }
        of = [columns[frozenset(runs)] for runs in zip(self.first.tolist(), self.second.tolist(), strict=True)]
        tests = {
            name: replace(
                column, corrected=every.tests[name].corrected[of], correction=every.tests[name].correction,
                comparisons=every.tests[name].comparisons,
            )
            for name, column in self.tests.items()
        }  # fmt: skip
        return replace(self, tests=tests)

    def marks(self) -> Ints:
        """int64[R]: 1 for a run that the declared test shows to be better than the baseline, -1 for a worse one, else
        0. Raises OptionError where all pairs were compared."""
        if self.baseline is None:
            raise OptionError(tr("marks need a baseline; this comparison is of all pairs"))
        marks = np.zeros(len(self.names), np.int64)
        toward = self.column().toward * (1 if self.higher_is_better else -1)
        marks[self.first] = np.where(self.shown(), toward, 0)
        return marks

    def differ(self, test: str | None = None) -> Bools:
        """bool[R, R]: whether the test shows a difference between two runs; False where there is no pair."""
        matrix = np.zeros((len(self.names), len(self.names)), np.bool_)
        matrix[self.first, self.second] = matrix[self.second, self.first] = self.shown(test)
        return matrix

    def letters(self, test: str | None = None) -> tuple[str, ...]:
        """Return the compact letter display: runs share a letter where the test (None: the declared one) shows no
        difference between them; "" for all where it could show none (:attr:`undecided`). Raises OptionError where runs
        were compared with a baseline only."""
        if self.baseline is not None:
            raise OptionError(tr("letters need all pairs; this comparison has a baseline"))
        if test is None and self.undecided:
            return ("",) * len(self.names)
        return compact_letters(self.standing, self.differ(test))

    def decided_by(self) -> str:
        """Return the deciding test with its correction and the number of comparisons: ``paired t-test, Holm over 4
        comparisons``."""
        return describe_test(self.column(), CORRECTIONS[self.correction])

    @cached_property
    def undecided(self) -> str:
        """Why no pair could be shown to differ, where that is so of all that differ at all; "" else."""
        reasons: dict[str, None] = {}
        for place in range(len(self)):
            pair = self.pair(place)
            if pair.undecided:
                reasons[pair.undecided] = None
            elif pair.differing:
                return ""
        return "; ".join(reasons)

    @property
    def grouping(self) -> str:
        """The meaning of letters, as a sentence."""
        if self.undecided:
            return tr("No test could show a difference: {reason} ({test}).",
                      reason=self.undecided, test=self.decided_by())  # fmt: skip
        return tr(
            "Between runs that share a letter the test shows no difference ({test}, p < {alpha}).",
            test=self.decided_by(),
            alpha=alpha_text(self.alpha),
        )

    @cached_property
    def looked_at(self) -> tuple[str, ...]:
        """All tests, intervals and posteriors that were computed, each with what is needed to reproduce it."""
        drawn = tr("{samples:,} samples, seed {seed}", samples=self.samples, seed=self.seed)
        if are_grouped(int(self.n.max(initial=0))):
            drawn = tr(
                "{samples:,} samples of {groups:,} random groups of queries, seed {seed}",
                samples=self.samples, groups=GROUPS, seed=self.seed,
            )  # fmt: skip
        texts = [tr("compared: natural logarithms of the values")] if self.geometric else []
        for name, column in self.tests.items():
            computed = _computation(column, drawn) if TESTS[name].seeded else ""
            if self.unit and name == "t" and len(column.df):
                free = float(np.nanmin(column.df))
                computed = tr("standard error CR2, {df:.1f} degrees of freedom", df=free) if free else tr(
                    "no p: all queries are of one unit"
                )  # fmt: skip
            texts.append(describe_test(column, CORRECTIONS[self.correction], computed))
        if self.reached is not None:
            return (tr("compared: signs; a value that is not reached is the worst"), *texts)
        level, method = level_text(self.confidence), self._of_intervals(self.interval, drawn)
        posterior, region = self.posteriors.method, self.posteriors.region
        posterior_text = [
            tr("posterior of the ratio ({method}), {region}", method=posterior, region=region)
            if self.geometric
            else tr("posterior of the mean difference ({method}), {region}", method=posterior, region=region)
        ]
        posterior_text = [] if self.unit else posterior_text
        if self.geometric:
            texts += [
                tr("{level} intervals of geometric means and their ratios: {method}", level=level, method=method),
                *self._of_weighted(level, drawn),
                tr(
                    "effect sizes of the logarithms: Cohen's d for paired samples, Hedges' g, probability of "
                    "superiority"
                ),
                *posterior_text,
            ]
        else:
            texts += [
                tr("{level} intervals: {method}", level=level, method=method),
                *self._of_weighted(level, drawn),
                tr("effect sizes: Cohen's d for paired samples, Hedges' g, probability of superiority"),
                *posterior_text,
            ]
        return tuple(texts)

    def _of_intervals(self, name: IntervalMethod, drawn: str) -> str:
        """The method of intervals with what is needed to reproduce it."""
        method = INTERVALS[name]
        if name != "t":
            method = f"{method} ({drawn})"
            if self.unit:
                method = tr("{method} by {unit}", method=method, unit=self.unit)
            counted = self.n if self.units is None else self.units
            if len(counted) and counted.min() < FEWEST_DRAWN:
                method = tr(
                    "{method}; none of fewer than {n} queries, from which it would be far too narrow",
                    method=method, n=FEWEST_DRAWN,
                ) if not self.unit else tr(
                    "{method}; none of fewer than {n} units, from which it would be far too narrow",
                    method=method, n=FEWEST_DRAWN,
                )  # fmt: skip
        elif self.unit:
            method = tr("{method} by {unit}", method=method, unit=self.unit)
        return method

    def _of_weighted(self, level: str, drawn: str) -> list[str]:
        """The method of weighted intervals, where it is another one: Student's t takes no weights."""
        if self.weighted_means is None or self._drawn == self.interval:
            return []
        return [tr("weighted {level} intervals: {method}, as Student's t takes no weights",
                   level=level, method=self._of_intervals(self._drawn, drawn))]  # fmt: skip

    @property
    def _drawn(self) -> IntervalMethod:
        return "bca" if self.interval == "t" else self.interval

    def _weighted_interval(self, index: int, weighted: Floats) -> Interval:
        flat = self.weighted_flat is not None and bool(self.weighted_flat[index])
        own = self._interval(weighted[1, index], weighted[2, index], self._drawn, flat=flat)
        return own if self.weighted_n is None else replace(own, weighted=int(self.weighted_n[index]))

    def _interval(self, low: float, high: float, method: IntervalMethod, *, flat: bool = False) -> Interval:
        drawn = method != "t"
        return Interval(
            float(low),
            float(high),
            self.confidence,
            method,
            self.seed if drawn else None,
            self.samples if drawn else None,
            unit=self.unit,
            flat=flat,
        )


def _computation(column: Column, drawn: str) -> str:
    """A text about the computation of p-values of a test that draws samples, with the number of pairs if there are
    several ways."""
    ways = {drawn: column.drawn, tr("exact"): column.exact, tr("upper bounds from a grid of sums"): column.grid}
    counts = {way: int(np.count_nonzero(used)) for way, used in ways.items() if used.any()}
    if len(counts) < 2:
        return next(iter(counts), drawn)
    return "; ".join(f"{way}: {pairs_text(count)}" for way, count in counts.items())


def describe_test(column: Column, correction: str, computed: str = "") -> str:
    """Return a test with its correction and the number of comparisons: ``paired t-test, Holm over 4 comparisons``;
    ``computed`` says how and follows the title."""
    kind = TESTS[column.test]
    title = f"{column.title} ({computed})" if computed else column.title
    if kind.family:
        return trn(
            "{test}, {n:,} pair, assuming {assumption}",
            "{test}, {n:,} pairs together, assuming {assumption}",
            column.comparisons,
            test=title,
            assumption=kind.supposes,
        )
    size = column.comparisons
    if size < 2:
        return tr("{test}, one comparison", test=title)
    if not correction:
        return tr("{test}, not corrected", test=title)
    return tr("{test}, {correction} over {n:,} comparisons", test=title, correction=correction, n=size)
