"""Outer bounds of the difference of two runs, and exact ones by trying all ways to judge where few documents are
unjudged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irviewer.analysis.pooling.bound_kinds import Scale
from irviewer.analysis.pooling.run_pair import Both, OpenRun
from irviewer.analysis.pooling.unjudged import tried
from irviewer.measures.base import Measure
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.geometric import logarithms

SAME = frozenset({"NumQ", "NumRel", "IdealDCG"})
"""Families that depend on the qrels only, not on a run."""

MOST_WAYS, MOST_ROWS = 256, 60_000
"""The most ways to judge that are tried for one query, and the most documents read for them."""


def of_logarithms(lows: Sequence[Floats], highs: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Return the bounds of the difference of logarithms, for geometric means."""
    return logarithms(lows[0]) - logarithms(highs[1]), logarithms(highs[0]) - logarithms(lows[1])


def try_all(
    measure: Measure, both: Both, scale: Scale, judged_only: bool, low: Floats, high: Floats, exact: Bools
) -> None:
    """Try all ways to judge the queries that are not exact yet, where there are few ways, and put the bounds in."""
    grades = np.array([0.0, scale.grade])
    level = measure.family.parameter("rel")
    if measure.name != "ERR" and (level is None or not level.level):  # the others depend on one level only
        every = (
            0.0,
            *range(1, int(scale.grade) + 1),
            *(grade for grade in scale.positive if grade <= scale.grade),
            scale.grade,
        )
        grades = np.unique(np.array(every))
    sides = list(zip(both.runs, both.rows, both.ranks, strict=True))
    few = both.counts * np.log(len(grades)) <= np.log(MOST_WAYS) + 1e-9
    for query in np.flatnonzero(~exact & few).tolist():
        span = slice(int(both.offsets[query]), int(both.offsets[query + 1]))
        count = span.stop - span.start
        ways = np.stack(np.meshgrid(*[grades] * count, indexing="ij"), axis=-1).reshape(-1, count)
        lengths = [int(judged.returned[rows[query]]) for judged, rows in zip(both.judged, both.rows, strict=True)]
        if len(ways) * max(lengths) > MOST_ROWS:
            continue
        listed = np.logical_or(*(negative_here(judged, int(rows[query]), ranks[span]) for judged, rows, ranks in sides))
        values = []
        for run, rows, ranks in sides:
            rank = ranks[span]
            order = np.argsort(rank, kind="stable")
            ranked = order[rank[order] > 0]
            judged = tried(
                run.judged, run.unjudged, int(rows[query]), (ways[:, ranked], ways[:, rank == 0]), scale.grade, listed
            )
            values.append(measure.compute(judged.judged_only if judged_only else judged))
        delta = values[0] - values[1]
        low[query], high[query], exact[query] = delta.min(), delta.max(), True


def negative_here(run: OpenRun, query: int, ranks: Ints) -> Bools:
    """bool[u]: the unjudged documents of a query, by their ranks, that have a negative grade in the qrels."""
    judged = run.judged
    span = slice(*np.searchsorted(judged.hit_query, [query, query + 1]).tolist())
    negative = judged.hit_rank[span][judged.hit_grade[span] < 0]
    return np.isin(ranks, negative)
