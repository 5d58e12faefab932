"""The value of a choice among settings: settings are chosen on some queries and evaluated on the others, in repeated
random folds. The best mean over all queries, which were also used to choose the setting, is too high.

Sources: Varma and Simon, Bias in error estimation when using cross-validation for model selection, 2006; Fuhr, Some
common mistakes in IR evaluation, SIGIR Forum 2017."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from irviewer.analysis.statistics.significance.resampling import SEED
from irviewer.errors import OptionError
from irviewer.model.arrays import Floats, Ints
from irviewer.translation import tr, trn

FOLDS, REPEATS = 5, 10


@dataclass(frozen=True, eq=False)
class NestedFolds:
    """S settings over Q queries, chosen in F folds, R times.

    fold       int64[R, Q]: the fold in which each query is evaluated
    chosen     int64[R, F]: the setting with the best mean over the other folds, the first of equal ones
    values     float64[R, Q]: each query's value with the setting chosen without it
    means      float64[S]: of each setting over all queries; in-sample, as is ``best``, the setting with the best one
    """

    folds: int
    repeats: int
    seed: int
    higher_is_better: bool
    fold: Ints
    chosen: Ints
    values: Floats
    means: Floats
    best: int

    @property
    def mean(self) -> float:
        """The out-of-fold mean over all queries and repeats."""
        return float(self.values.mean())

    @property
    def by_query(self) -> Floats:
        """float64[Q]: the out-of-fold value of each query, the mean of the repeats."""
        return np.asarray(self.values.mean(axis=0))

    @property
    def deviation(self) -> float:
        """The standard deviation of the out-of-fold means over the repeats, that is over random folds."""
        return float(self.values.mean(axis=1).std(ddof=1)) if self.repeats > 1 else math.nan

    @property
    def in_sample(self) -> float:
        """The mean of the best setting over the queries it was chosen on."""
        return float(self.means[self.best])

    @property
    def optimism(self) -> float:
        """The in-sample mean minus the out-of-fold mean, positive if the first is better."""
        difference = round(self.in_sample - self.mean, 12) + 0.0  # sums in another order may differ by rounding
        return difference if self.higher_is_better else -difference

    @property
    def counts(self) -> Ints:
        """int64[S]: the number of folds in which each setting was chosen."""
        return np.bincount(self.chosen.ravel(), minlength=len(self.means)).astype(np.int64)


def nested_folds(
    values: Floats,
    *,
    folds: int = FOLDS,
    repeats: int = REPEATS,
    seed: int = SEED,
    higher_is_better: bool = True,
) -> NestedFolds:
    """Choose among settings float64[S, Q] in folds. Raises OptionError for values that are missing, fewer queries than
    folds, or fewer than two folds."""
    settings, queries = values.shape
    if folds < 2 or repeats < 1 or seed < 0:
        raise OptionError(tr("Use 2 folds or more, 1 repeat or more, and a seed of 0 or more."))
    if queries < folds:
        raise OptionError(
            trn(
                "{n} query is too few for {folds} folds; give fewer folds.",
                "{n} queries are too few for {folds} folds; give fewer folds.",
                queries,
                folds=folds,
            )
        )
    if not settings or not np.isfinite(values).all():
        raise OptionError(tr("Every setting needs a value for every query."))
    sign = 1 if higher_is_better else -1
    random = np.random.default_rng(seed)
    fold = np.empty((repeats, queries), dtype=np.int64)
    chosen = np.empty((repeats, folds), dtype=np.int64)
    out = np.empty((repeats, queries))
    total = values.sum(axis=1)
    for repeat in range(repeats):
        fold[repeat] = random.permutation(np.arange(queries) % folds)
        for number in range(folds):
            inside = np.flatnonzero(fold[repeat] == number)
            rest = (total - values[:, inside].sum(axis=1)) / (queries - len(inside))
            chosen[repeat, number] = _first_best(sign * rest)
            out[repeat, inside] = values[chosen[repeat, number], inside]
    means = values.mean(axis=1)
    return NestedFolds(folds, repeats, seed, higher_is_better, fold, chosen, out, means, _first_best(sign * means))


def _first_best(means: Floats) -> int:
    """Return the first of the best values, ignoring rounding errors."""
    top = float(means.max())
    return int(np.flatnonzero(means >= top - 1e-12 * max(1.0, abs(top)))[0])
