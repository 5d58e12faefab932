"""Differences of two runs that have limits which the true bounds cannot pass; and those of few open documents, for
which all ways to judge are tried."""

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
"""Families that are the qrels', not a run's."""

ALONE = frozenset(
    {
        "P", "Success", "RR", "RBP", "DCG", "ERR", "SDCG", "INSQ", "NumRelRet", "NumRet", "num_nonrel_judged_ret",
        "SearchLength", "NERR8", "NERR9", "NERR10", "NERR11", "INST", "BPM", "Accuracy",
    }
)  # fmt: skip
"""Families that a document which the list lacks does not touch."""

LESS = frozenset({"AP", "gm_map", "IPrec", "nDCG"})
"""Families that only fall where a document which the list lacks is relevant."""

MOST_WAYS, MOST_ROWS = 256, 60_000
"""Ways to judge that are tried for one query, and documents gone through for them."""


def apart(measure: Measure, both: Both, scale: Scale, lows: Sequence[Floats], highs: Sequence[Floats]) -> tuple[
    tuple[Floats, Floats], tuple[Floats, Floats]
]:  # fmt: skip
    """The least and the greatest value of each run, were what the other leaves open judged as well: its own bounds
    where that does not touch it or only lowers it; else the ends of the measure's span."""
    parts = measure.parts if isinstance(measure, Expression) else (measure,)
    if all(one.name in ALONE for one in parts):
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


def _with_more(measure: Measure, both: Both, which: int, scale: Scale) -> Floats:
    """The least value of one run, were all relevant that the other alone leaves open."""
    one = both.runs[which]
    judged, rows = one.judged, both.rows[which]
    more = np.zeros(judged.n_queries, dtype=np.int64)
    more[rows] = np.bincount(both.query[both.ranks[which] == 0], minlength=len(rows))
    number = np.concatenate([judged.ideal_query, np.repeat(np.arange(judged.n_queries), more)])
    grades = np.concatenate([judged.ideal_grades, np.full(int(more.sum()), scale.grade)])
    order = np.lexsort((-grades, number))
    ideal = offsets_of(np.bincount(number, minlength=judged.n_queries))
    fuller = replace(judged, ideal_grades=grades[order], ideal_offsets=ideal)
    if measure.name == "nDCG":
        return gain_bounds(measure, fuller, one.unjudged, scale.grade)[0][rows]
    found = known_bounds(measure, fuller, one.unjudged, scale.grade)
    assert found is not None
    return found[0][rows]


def of_logarithms(
    measure: Measure, both: Both, scale: Scale, lows: Sequence[Floats], highs: Sequence[Floats]
) -> tuple[Floats, Floats]:
    """The difference of logarithms, of which a geometric mean is made."""
    (low, low_other), (high, high_other) = apart(measure, both, scale, lows, highs)
    return logarithms(low) - logarithms(high_other), logarithms(high) - logarithms(low_other)


def try_all(
    measure: Measure, both: Both, scale: Scale, condensed: bool, low: Floats, high: Floats, exact: Bools
) -> None:
    """Put in, of queries that are not exact, what trying all ways finds, where they are few."""
    grades = np.array([0.0, scale.grade])
    level = measure.family.parameter("rel")
    if measure.name != "ERR" and (level is None or not level.level):  # one level is all that the others ask for
        every = (0.0, *range(1, int(scale.grade) + 1), *(one for one in scale.known if one <= scale.grade), scale.grade)
        grades = np.unique(np.array(every))
    sides = list(zip(both.runs, both.rows, both.ranks, strict=True))
    few = both.counts * np.log(len(grades)) <= np.log(MOST_WAYS) + 1e-9
    for query in np.flatnonzero(~exact & few).tolist():
        here = slice(int(both.offsets[query]), int(both.offsets[query + 1]))
        count = here.stop - here.start
        ways = np.stack(np.meshgrid(*[grades] * count, indexing="ij"), axis=-1).reshape(-1, count)
        lengths = [int(one.returned[rows[query]]) for one, rows in zip(both.judged, both.rows, strict=True)]
        if len(ways) * max(lengths) > MOST_ROWS:
            continue
        listed = np.logical_or(*(negative_here(one, int(rows[query]), ranks[here]) for one, rows, ranks in sides))
        values = []
        for run, rows, ranks in sides:
            rank = ranks[here]
            order = np.argsort(rank, kind="stable")
            own = order[rank[order] > 0]
            found = tried(
                run.judged, run.unjudged, int(rows[query]), (ways[:, own], ways[:, rank == 0]), scale.grade, listed
            )
            values.append(measure.compute(found.condensed if condensed else found))
        delta = values[0] - values[1]
        low[query], high[query], exact[query] = delta.min(), delta.max(), True


def negative_here(run: OpenRun, query: int, ranks: Ints) -> Bools:
    """bool[u]: which of a query's open documents, at these ranks of the list, the qrels list with a negative grade."""
    judged = run.judged
    here = slice(*np.searchsorted(judged.hit_query, [query, query + 1]).tolist())
    negative = judged.hit_rank[here][judged.hit_grade[here] < 0]
    return np.isin(ranks, negative)
