"""What a paired t test and the t interval of a mean need of the values of many queries: numbers, means and sums of
squares, which are added over the parts of a run. So values need not be brought to one place.

Of two parts with n1 and n2 values, means m1 and m2, and sums of squared deviations s1 and s2, the whole has

    n = n1 + n2,  m = m1 + (m2 - m1) n2 / n,  s = s1 + s2 + (m2 - m1)² n1 n2 / n

(Chan, Golub & LeVeque, "Algorithms for Computing the Sample Variance", The American Statistician 37, 1983, 242-247).
Those of the differences of two runs are kept themselves: made of the sums of two runs that are much alike, they would
lose digits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from irviewer.analysis.statistics.intervals import LEVEL, t_ends
from irviewer.analysis.statistics.significance.paired import t_and_p
from irviewer.analysis.statistics.significance.resampling import differences
from irviewer.errors import OptionError
from irviewer.evaluation.results import ResultTable
from irviewer.measures.base import Measure
from irviewer.model.arrays import Floats, Ints, frozen, restore
from irviewer.model.options import EvaluationOptions
from irviewer.translation import tr


@dataclass(frozen=True)
class MomentTest:
    """A paired t test and the interval of a mean difference, from moments.

    difference  run minus baseline, the mean over n queries
    low, high   Student's t interval of the difference, NaN for fewer than two queries and where all differences are
                equal
    t, p        the statistic and its two-sided p: 0 and 1 for fewer than two queries, infinite and NaN if all
                differences are equal and not zero
    level       the confidence
    """

    measure: str
    run: str
    baseline: str
    n: int
    difference: float
    low: float
    high: float
    t: float
    p: float
    level: float


@dataclass(frozen=True, eq=False)
class Moments:
    """The moments of M measures, R runs, and the R × R differences of two runs, over the queries that both have.

    measures  those whose values are averaged; ``runs`` their names
    n         int64[M, R, R]: the queries of each pair; of each run on the diagonal
    mean      float64[M, R, R]: the mean of run minus other run; of the run itself on the diagonal
    squares   float64[M, R, R]: the sum of squared deviations from that mean
    options   those of the evaluation
    """

    measures: tuple[Measure, ...]
    runs: tuple[str, ...]
    n: Ints
    mean: Floats
    squares: Floats
    options: EvaluationOptions

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Set the fields of a pickled value."""
        restore(self, state)

    @classmethod
    def of(cls, result: ResultTable) -> Moments:
        """Return the moments of a result, without measures that are not averaged over queries. Raises OptionError for a
        query that counts and has no value."""
        chosen = [place for place, measure in enumerate(result.measures) if measure.aggregate == "mean"]
        size = len(result.runs)
        n = np.zeros((len(chosen), size, size), dtype=np.int64)
        mean, squares = np.zeros(n.shape), np.zeros(n.shape)
        for row, place in enumerate(chosen):
            values = result.values[place]
            missing = result.counted & np.isnan(values)
            if missing.any():
                run, query = (int(places[0]) for places in np.nonzero(missing))
                raise OptionError(
                    tr(
                        "{measure} of {run} has no value for query {query}, so it has no moments",
                        measure=result.measures[place].text, run=result.runs[run], query=result.query_ids[query],
                    )
                )  # fmt: skip
            for first in range(size):
                for second in range(size):
                    both = result.counted[first] & result.counted[second]
                    own = values[first][both] - (0.0 if first == second else values[second][both])
                    rounded = own if first == second else differences(values[first][both], values[second][both])
                    if len(own) and np.ptp(rounded) == 0:  # what rounding alone tells apart has no spread
                        own = rounded
                    if len(own):
                        # Equal values have no deviation; their computed mean may differ in the last bit.
                        centre = own[0] if np.ptp(own) == 0 else own.mean()
                        n[row, first, second], mean[row, first, second] = len(own), centre
                        squares[row, first, second] = np.sum((own - centre) ** 2)
        measures = tuple(result.measures[place] for place in chosen)
        return cls(measures, result.runs, frozen(n), frozen(mean), frozen(squares), result.options)

    @classmethod
    def merge(cls, parts: Iterable[Moments]) -> Moments:
        """Return the moments of all parts, which have no query in common: this is not known, and not checked. Raises
        OptionError without parts, and for parts of other runs, measures or rules."""
        whole: Moments | None = None
        for number, part in enumerate(parts, start=1):
            if whole is None:
                whole = part
                continue
            _refuse_other(
                number, (part.runs, _texts(part.measures), part.options),
                (whole.runs, _texts(whole.measures), whole.options),
            )  # fmt: skip
            n = whole.n + part.n
            share = part.n / np.maximum(n, 1)
            apart = part.mean - whole.mean
            whole = cls(
                whole.measures, whole.runs, frozen(n), frozen(whole.mean + apart * share),
                frozen(whole.squares + part.squares + apart**2 * whole.n * share), whole.options,
            )  # fmt: skip
        if whole is None:
            raise OptionError(tr("there are no parts"))
        return whole

    def t_test(self, measure: str | Measure, run: str, baseline: str, *, level: float = LEVEL) -> MomentTest:
        """Return the paired t test of a run against a baseline. Raises KeyError for a name that is not known."""
        text = measure.text if isinstance(measure, Measure) else measure
        names = [each.text for each in self.measures]
        if text not in names:
            others = [place for place, each in enumerate(self.measures) if each.asked == text]
            if len(others) != 1:
                raise KeyError(
                    tr("{measure} has no moments; choose from {known}", measure=text, known=", ".join(names))
                )
            text = names[others[0]]
        for name in (run, baseline):
            if name not in self.runs:
                raise KeyError(tr("unknown run {run}; choose from {known}", run=name, known=", ".join(self.runs)))
        place = names.index(text), self.runs.index(run), self.runs.index(baseline)
        n, mean, squares = int(self.n[place]), float(self.mean[place]), float(self.squares[place])
        if run == baseline:
            mean = squares = 0.0
        if n < 2:
            return MomentTest(text, run, baseline, n, mean if n else np.nan, np.nan, np.nan, 0.0, 1.0, level)
        deviation = float(np.sqrt(squares / (n - 1)))
        t, p = t_and_p(np.array([mean]), np.array([deviation / np.sqrt(n)]), n)
        ends = t_ends(mean, deviation, n, level) if deviation else (np.nan, np.nan)
        return MomentTest(text, run, baseline, n, mean, *ends, float(t[0]), float(p[0]), level)


def _texts(measures: Sequence[Measure]) -> tuple[str, ...]:
    return tuple(measure.text for measure in measures)


def _refuse_other(number: int, own: tuple[object, ...], first: tuple[object, ...]) -> None:
    """Raise OptionError for a part of another evaluation."""
    for what, mine, theirs in zip((tr("other runs"), tr("other measures"), tr("other rules")), own, first, strict=True):
        if mine != theirs:
            raise OptionError(tr("part {n:,} has {what}", n=number, what=what))
