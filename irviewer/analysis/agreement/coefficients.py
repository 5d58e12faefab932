"""Coefficients of agreement of two judges, from their table of grade by grade, for many tables in one step.

Cohen's kappa (1960; weighted 1968); Krippendorff's alpha (Content Analysis, 2004, chapter 11); Kendall's tau-b (1945);
specific agreement (Spitzer and Fleiss 1974); AC1 (Gwet, British Journal of Mathematical and Statistical Psychology
2008). Undefined values are NaN: kappa and alpha if both judges always give the same grade, tau if one does, specific
agreement if neither judge uses the class."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irviewer.analysis.agreement.draws import product
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.translation import tr

EMPTY = 1e-12
"""A smaller disagreement expected by chance counts as zero, because it comes from rounding."""


@dataclass(frozen=True)
class Coefficient:
    """A statistic of two judges.

    title     its name in tables
    meaning   one sentence
    at_level  True if it is about relevant and non-relevant, not about grades
    """

    title: str
    meaning: str
    at_level: bool = False


COEFFICIENTS: dict[str, Coefficient] = {
    "same_grade": Coefficient(tr("same grade"), tr("Share of pairs that both judges give the same grade.")),
    "kappa": Coefficient(tr("kappa"), tr("Cohen's kappa: agreement beyond chance; all disagreements weigh the same.")),
    "kappa_linear": Coefficient(tr("linear kappa"), tr("Two grades apart weigh twice as much as one.")),
    "kappa_quadratic": Coefficient(tr("quadratic kappa"), tr("Two grades apart weigh four times as much as one.")),
    "alpha_nominal": Coefficient(tr("nominal alpha"), tr("Krippendorff's alpha: all disagreements weigh the same.")),
    "alpha_ordinal": Coefficient(tr("ordinal alpha"), tr("Krippendorff's alpha: 1 is full agreement, 0 is chance.")),
    "alpha_interval": Coefficient(tr("interval alpha"), tr("Krippendorff's alpha of the grades as numbers.")),
    "tau_b": Coefficient(
        tr("Kendall's tau-b"), tr("Whether both judges order the documents alike; equal grades are ties.")
    ),
    "difference": Coefficient(tr("difference in grade"), tr("Mean grade of the second judge minus the first.")),
    "same_side": Coefficient(
        tr("same side of the level"),
        tr("Share of pairs that both judges put on the same side of the relevance level."),
        True,
    ),
    "kappa_level": Coefficient(
        tr("kappa at the level"), tr("Cohen's kappa of the two classes relevant and non-relevant."), True
    ),
    "kappa_level_max": Coefficient(
        tr("largest kappa at the level"),
        tr("The largest kappa at the level that two judges can reach who call as many documents relevant as these do."),
        True,
    ),
    "relevant": Coefficient(
        tr("agreement on relevant"), tr("If one judge says relevant, how often the other does."), True
    ),
    "nonrelevant": Coefficient(
        tr("agreement on non-relevant"), tr("If one judge says non-relevant, how often the other does."), True
    ),
    "ac1": Coefficient(
        tr("Gwet's AC1"),
        tr("Like kappa at the level, with another idea of chance: it stays high where one class is rare."),
        True,
    ),
}
"""Name (the key in JSON) -> coefficient, in display order."""

DIRECTED = "difference"
"""The coefficient whose sign depends on the order of the judges."""


@dataclass(frozen=True, eq=False)
class Grades:
    """The K grades of a table.

    steps      float64[K]: their positions for weighted kappa (0, 1, 2 …: neighbours are one step apart)
    values     float64[K]: the grades themselves, for interval alpha and the difference
    relevant   bool[K]: which are relevant
    """

    steps: Floats
    values: Floats
    relevant: Bools

    @cached_property
    def weights(self) -> Floats:
        """float64[8 + 2K, K²]: the weights of the cells of a table in the table's sums."""
        size, relevant = len(self.steps), self.relevant
        far = np.abs(self.steps[:, None] - self.steps)
        sides = [relevant[:, None] & relevant, relevant[:, None] & ~relevant, ~relevant[:, None] & relevant]
        whole = [np.ones((size, size)), np.eye(size), far, far**2, (self.values[:, None] - self.values) ** 2, *sides]
        margins = np.concatenate([np.repeat(np.eye(size), size, axis=1), np.tile(np.eye(size), size)])
        return np.concatenate([np.stack(whole).reshape(8, -1), margins])


def coefficients(tables: Floats, grades: Grades) -> dict[str, Floats]:
    """Return every coefficient float64[B] of B tables float64[K, K, B], first judge by second."""
    steps, values = grades.steps, grades.values
    size = len(steps)
    cells = tables.reshape(size * size, -1)
    # All sums of cells are one matrix product, as they are computed thousands of times.
    sums = product(grades.weights, cells)
    n, both, linear, square, interval, relevant_both, only_first, only_second = sums[:8]
    first, second = sums[8 : 8 + size], sums[8 + size :]
    margin = first + second
    result = {
        "same_grade": _over(both, n),
        "kappa": _beyond(n * (n - both), n * n - (first * second).sum(axis=0), n * n),
        "kappa_linear": _beyond(n * linear, _expected_linear(first, second, steps, n), n * n),
        "kappa_quadratic": _beyond(n * square, _expected_square(first, second, steps, n), n * n),
        "alpha_nominal": _beyond((2 * n - 1) * 2 * (n - both), 4 * n * n - (margin**2).sum(axis=0), n * n),
        "alpha_ordinal": _ordinal(tables, margin, n),
        "alpha_interval": _beyond((2 * n - 1) * 2 * interval, _spread(margin, values[:, None], 2 * n), n * n),
        "tau_b": _tau_b(tables, first, second, n),
        "difference": _over(values @ (second - first), n),
    }
    split = only_first + only_second
    neither = n - relevant_both - split
    by_first, by_second = relevant_both + only_first, relevant_both + only_second
    share = _over(by_first + by_second, 2 * n)
    chance = 2 * share * (1 - share)
    result |= {
        "same_side": _over(relevant_both + neither, n),
        "kappa_level": _beyond(n * split, n * n - by_first * by_second - (n - by_first) * (n - by_second), n * n),
        "kappa_level_max": _beyond(
            n * np.abs(by_first - by_second),
            n * n - by_first * by_second - (n - by_first) * (n - by_second),
            n * n,
        ),
        "relevant": _over(2 * relevant_both, 2 * relevant_both + split),
        "nonrelevant": _over(2 * neither, 2 * neither + split),
        "ac1": _over(_over(relevant_both + neither, n) - chance, 1 - chance),
    }
    return {name: result[name] for name in COEFFICIENTS}


def alpha_of_coincidences(tables: Floats, values: Floats) -> dict[str, Floats]:
    """Return Krippendorff's alphas float64[B] of any number of judges from tables of coincidences float64[K, K, B]:
    symmetric, where each document with two or more judgments counts as often as it was judged."""
    margin = tables.sum(axis=1)
    n = margin.sum(axis=0)
    square = np.maximum(n * n, 1)
    ranks = running(margin) - margin / 2
    return {
        "alpha_nominal": _beyond(
            (n - 1) * (n - np.einsum("kkb->b", tables)), n * n - (margin**2).sum(axis=0), square
        ),
        "alpha_ordinal": _beyond(
            (n - 1) * 2 * ((margin * ranks**2).sum(axis=0) - np.einsum("ijb,ib,jb->b", tables, ranks, ranks)),
            _spread(margin, ranks, n),
            square * square,
        ),
        "alpha_interval": _beyond(
            (n - 1) * _sum(tables, (values[:, None] - values) ** 2), _spread(margin, values[:, None], n), square
        ),
    }  # fmt: skip


def coincidences(codes: Ints, query: Ints, queries: int, grades: int) -> Floats:
    """Return float64[Q, K, K]: how often two grades are given to the same document, by query. ``codes`` int64[U, J], -1
    for no grade. A document with m judges counts m times in all (each pair of grades 1 / (m - 1))."""
    result = np.zeros((queries, grades, grades))
    if not grades:
        return result
    votes = np.stack([(codes == grade).sum(axis=1) for grade in range(grades)], axis=1).astype(np.float64)
    judges = votes.sum(axis=1)
    kept = np.flatnonzero(judges > 1)
    if not len(kept):
        return result
    votes, weight, query = votes[kept], 1 / (judges[kept] - 1), query[kept]
    for row in range(grades):
        for column in range(grades):
            meets = votes[:, row] * (votes[:, column] - (row == column)) * weight
            result[:, row, column] = np.bincount(query, meets, queries)
    return result


def running(rows: Floats) -> Floats:
    """Return the running sums of float64[K, B] along its K rows, quicker than ``cumsum``."""
    result = rows.copy()
    for position in range(1, len(rows)):
        result[position] += result[position - 1]
    return result


def _sum(tables: Floats, weights: Floats) -> Floats:
    return np.asarray(weights.reshape(-1) @ tables.reshape(weights.size, -1))


def _over(top: Floats, bottom: Floats) -> Floats:
    if bottom.min(initial=1.0) > 0:
        return np.asarray(top / bottom)
    return np.asarray(np.divide(top, bottom, out=np.full(bottom.shape, np.nan), where=bottom > 0))


def _beyond(observed: Floats, expected: Floats, size: Floats) -> Floats:
    """Return 1 - observed / expected disagreement; NaN if none is expected."""
    least = EMPTY * size
    if (expected > least).all():
        return np.asarray(1.0 - observed / expected)
    share = np.divide(observed, expected, out=np.full(expected.shape, np.nan), where=expected > least)
    return np.asarray(1.0 - share)


def _expected_linear(first: Floats, second: Floats, steps: Floats, n: Floats) -> Floats:
    below_first, below_second = running(first)[:-1], running(second)[:-1]
    return np.asarray(np.diff(steps) @ (below_first * (n - below_second) + below_second * (n - below_first)))


def _expected_square(first: Floats, second: Floats, steps: Floats, n: Floats) -> Floats:
    square = steps**2
    return np.asarray(n * (square @ (first + second)) - 2 * (steps @ first) * (steps @ second))


def _spread(margin: Floats, values: Floats, n: Floats) -> Floats:
    """Return Σ margin_i margin_j (values_i - values_j)²."""
    return np.asarray(2 * (n * (margin * values**2).sum(axis=0) - (margin * values).sum(axis=0) ** 2))


def _ordinal(tables: Floats, margin: Floats, n: Floats) -> Floats:
    # The ordinal distance of two grades is that of their mean ranks among all grades given.
    ranks = running(margin) - margin / 2
    cross = np.zeros(len(n))
    for grade in range(len(ranks)):
        cross += ranks[grade] * (tables[grade] * ranks).sum(axis=0)
    observed = (margin * ranks**2).sum(axis=0) - 2 * cross
    return _beyond((2 * n - 1) * 2 * observed, _spread(margin, ranks, 2 * n), np.maximum(n, 1) ** 4)


def _tau_b(tables: Floats, first: Floats, second: Floats, n: Floats) -> Floats:
    total = np.zeros(len(n))
    above = tables[0]  # of each grade of the second judge, with lower grades of the first
    for row in tables[1:]:
        so_far = running(above)
        total += (row * (2 * so_far - above - so_far[-1])).sum(axis=0)
        above = above + row
    free = (n * n - (first**2).sum(axis=0)) * (n * n - (second**2).sum(axis=0))
    bottom = np.sqrt(np.maximum(free, 0.0)) / 2
    return _over(np.where(bottom > EMPTY * np.maximum(n, 1) ** 2, total, np.nan), np.maximum(bottom, 1e-300))
