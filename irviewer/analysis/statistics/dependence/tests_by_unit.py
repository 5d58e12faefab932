"""The tests of pairs that count by a unit of several queries, and the refusal of those that have no such form."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irviewer.analysis.statistics.dependence.cluster_mean import cr2_errors, t_of_errors
from irviewer.analysis.statistics.dependence.clusters import Clusters
from irviewer.analysis.statistics.intervals import average
from irviewer.analysis.statistics.significance.test_results import TESTS, Column, column
from irviewer.errors import OptionError
from irviewer.model.arrays import Floats
from irviewer.translation import tr, trn

BY_UNIT = ("t", "randomisation")
"""The tests that count by a unit."""
ROUGH = 10
"""Units below which intervals and p are rough, however they are computed."""
NARROW = 40
"""Units below which intervals that are drawn are too narrow (docs/dependence.md)."""


def refuse_tests(tests: Sequence[str], unit: str) -> None:
    """Raise OptionError, with the reason, for tests that cannot count by a unit of several queries: ranks, signs and
    exchanges of single queries suppose that each query is independent."""
    refused = [name for name in tests if name in TESTS and name not in BY_UNIT]
    if refused:
        titles = ", ".join(TESTS[name].title for name in refused)
        raise OptionError(
            tr(
                "unit is {unit}, and {tests} supposes independent queries: it has no form here that counts by units; "
                "choose one of {known}, or leave unit out",
                unit=unit, tests=titles, known=", ".join(BY_UNIT),
            )
        )  # fmt: skip


def cluster_t_column(difference: Floats, clusters: Clusters) -> Column:
    """Return t = mean / CR2 of P pairs, differences float64[P, n] without NaN, with Satterthwaite's degrees of freedom.
    With fewer than two clusters t is 0 and p 1."""
    size, n = difference.shape
    if n < 2 or len(clusters) < 2:
        return column("t", n, n, np.zeros(size), np.ones(size), average(difference), df=0)
    mean = difference.mean(axis=1)
    error, df = cr2_errors(difference, clusters)
    t, p = t_of_errors(mean, error, df)
    return column("t", n, np.where(np.any(difference != 0, axis=1), n, 0), t, p, mean, df=df)


def few_units(unit: str, units: Floats, df: Floats, interval: str) -> list[str]:
    """Return the warning that there are few units, or that a few of them have most queries, so that p and intervals are
    rough, and for intervals that are drawn also from how many units they are too narrow; [] where there are enough."""
    known = ~np.isnan(units)
    if not known.any():
        return []
    least = int(np.min(units[known]))
    if least < 2:
        return [
            tr(
                "All queries are of one {unit}: nothing shows how much units vary, so there is no p, no interval.",
                unit=unit,
            )
        ]
    freedom = float(np.min(df[known]))
    said = []
    if interval != "t" and ROUGH <= least < NARROW:
        said.append(tr(
            "Intervals that are drawn from fewer than {most} units are too narrow: in simulations 95 % intervals of 10 "
            "to 20 units held the mean in 88 to 93 % of samples. Intervals by Student’s t hold it more often.",
            most=NARROW,
        ))  # fmt: skip
    if least >= ROUGH and freedom >= ROUGH - 1:
        return said
    return [
        *said,
        trn(
            "{n:,} unit ({unit}) is few, {df:.1f} degrees of freedom: p and intervals are rough.",
            "{n:,} units ({unit}) are few, or a few of them have most queries ({df:.1f} degrees of freedom): p and "
            "intervals are rough.",
            least, unit=unit, df=freedom,
        ),
    ]  # fmt: skip
