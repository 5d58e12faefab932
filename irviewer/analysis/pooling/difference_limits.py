"""Outer bounds of the difference of two runs, and exact ones by trying all ways to judge where few documents are
unjudged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from irviewer.analysis.pooling.bound_kinds import Scale
from irviewer.analysis.pooling.bounds_closed_form import gain_bounds, known_bounds
from irviewer.analysis.pooling.run_pair import Both, OpenRun
from irviewer.analysis.pooling.unjudged import tried
from irviewer.measures.base import Measure
from irviewer.measures.expressions import Expression
from irviewer.model.arrays import Bools, Floats, Ints, offsets_of
from irviewer.model.geometric import logarithms

SAME = frozenset({"NumQ", "NumRel", "IdealDCG"})
"""Families that depend on the qrels only, not on a run."""

ALONE = frozenset(
    {
        "P", "Success", "RR", "RBP", "CG", "DCG", "ERR", "SDCG", "INSQ", "NumRelRet", "NumRet", "num_nonrel_judged_ret",
        "SearchLength", "NERR8", "NERR9", "NERR10", "NERR11", "INST", "BPM", "Accuracy",
    }
)  # fmt: skip
"""Families that do not depend on documents which the list lacks."""

LESS = frozenset({"AP", "gm_map", "IPrec", "nDCG"})
"""Families that can only fall when a document which the list lacks becomes relevant."""

MOST_WAYS, MOST_ROWS = 256, 60_000
"""The most ways to judge that are tried for one query, and the most documents read for them."""


def apart(measure: Measure, both: Both, scale: Scale, lows: Sequence[Floats], highs: Sequence[Floats]) -> tuple[
    tuple[Floats, Floats], tuple[Floats, Floats]
]:  # fmt: skip
    """Return the least and the greatest value of each run if the unjudged documents of the other were judged as well:
    its own bounds where those do not matter or only lower the value, else the ends of the measure's span."""
    parts = measure.parts if isinstance(measure, Expression) else (measure,)
    if all(part.name in ALONE for part in parts):
        return (lows[0], lows[1]), (highs[0], highs[1])
    if measure.name == "nDCG" and measure.parameter("ideal") == "retrieved":
        return (lows[0], lows[1]), (highs[0], highs[1])
    if measure.name in LESS:
        least = [_with_more(measure, both, which, scale) for which in (0, 1)]
        return (least[0], least[1]), (highs[0], highs[1])
    low, high = measure.span
    more = [np.bincount(both.query[ranks == 0], minlength=len(both.rows[0])) > 0 for ranks in both.ranks]
    ends = [np.where(more[n], low, lows[n]) for n in (0, 1)], [np.where(more[n], high, highs[n]) for n in (0, 1)]
    return (ends[0][0], ends[0][1]), (ends[1][0], ends[1][1])


def _with_more(measure: Measure, both: Both, side: int, scale: Scale) -> Floats:
    """The least value of one run if all unjudged documents that only the other has were relevant."""
    run = both.runs[side]
    judged, rows = run.judged, both.rows[side]
    n_more = np.zeros(judged.n_queries, dtype=np.int64)
    n_more[rows] = np.bincount(both.query[both.ranks[side] == 0], minlength=len(rows))
    number = np.concatenate([judged.ideal_query, np.repeat(np.arange(judged.n_queries), n_more)])
    grades = np.concatenate([judged.ideal_grades, np.full(int(n_more.sum()), scale.grade)])
    order = np.lexsort((-grades, number))
    ideal = offsets_of(np.bincount(number, minlength=judged.n_queries))
    fuller = replace(judged, ideal_grades=grades[order], ideal_offsets=ideal)
    if measure.name == "nDCG":
        return gain_bounds(measure, fuller, run.unjudged, scale.grade)[0][rows]
    known = known_bounds(measure, fuller, run.unjudged, scale.grade)
    assert known is not None
    return known[0][rows]


def of_logarithms(
    measure: Measure, both: Both, scale: Scale, lows: Sequence[Floats], highs: Sequence[Floats]
) -> tuple[Floats, Floats]:
    """Return the bounds of the difference of logarithms, for geometric means."""
    (low, low_other), (high, high_other) = apart(measure, both, scale, lows, highs)
    return logarithms(low) - logarithms(high_other), logarithms(high) - logarithms(low_other)


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
