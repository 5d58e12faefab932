"""Warnings about a comparison of runs, as sentences."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from irviewer.errors import name_some
from irviewer.evaluation.caveats import missing_text
from irviewer.model.arrays import Floats, Ints
from irviewer.model.geometric import GEOMETRIC_FLOOR
from irviewer.model.number_text import limit, p_value
from irviewer.translation import decimal, tr, trn

if TYPE_CHECKING:
    from irviewer.evaluation.results import ResultTable

MOST_NAMED = 6
"""Runs that a warning names; the others are counted."""
FEW_QUERIES = 25
"""Queries below which a comparison is small (Voorhees and Buckley 2002 ask for 25 at least, better 50)."""
CHOSEN = tr(
    "These queries were chosen after looking at the results, so p-values and intervals are not valid for them: a set "
    "chosen because it shows a difference always shows one. Test on queries that had no part in the choice."
)
WEIGHTED = tr("Tests count every query once; weighted means and their intervals use the weights.")


class SetWarning(str):
    """The warning that a comparison is restricted to a query set."""

    __slots__ = ()


class MissingQueriesWarning(str):
    """The warning that ``run`` lacks queries; ``as_zero`` where they count as 0 instead of being left out."""

    run: str
    as_zero: bool

    def __new__(cls, text: str, run: str = "", as_zero: bool = False) -> MissingQueriesWarning:
        """A warning with this text."""
        warning = super().__new__(cls, text)
        warning.run, warning.as_zero = run, as_zero
        return warning


def lacking_queries(result: ResultTable, queries: Collection[str] | None = None) -> list[str]:
    """Warnings of the runs of a result that lack queries, of ``queries`` (None: all): what they count as in means."""
    known = {each.run for each in result.unmatched}
    warnings: list[str] = []
    for run, missing in result.missing.items():
        lacking = [query for query in missing if queries is None or query in queries]
        if lacking and run not in known:
            text = missing_text(run, lacking, result.options, result.measures)
            warnings.append(MissingQueriesWarning(text, run, as_zero=result.options.missing_policy == "zero"))
    return warnings


def few_queries(n: int) -> str:
    """The warning that there are few queries."""
    return trn(
        "{n:,} query is not enough to compare runs; at least {least} are usual.",
        "{n:,} queries are few: each of them moves the means, and real differences are easily missed. At least "
        "{least} are usual; a plan says how many a difference takes.",
        n,
        least=FEW_QUERIES,
    )


def by_strata(measure: str) -> str:
    """A warning of a measure that estimates from a sample of documents."""
    return tr(
        "The means of {measure} have no interval: it estimates from a sample, and may be off in the same direction in "
        "all queries. Differences keep theirs, in which most of that cancels.", measure=measure,
    )  # fmt: skip


def few_warnings(names: tuple[str, ...], first: Ints, second: Ints, n: Floats, queries: int) -> list[str]:
    """Warnings about pairs (``first``, ``second``) with few queries in common, ``n`` [P], of ``queries`` in all."""
    if not len(n) or not queries:
        return [few_queries(queries)] if queries < FEW_QUERIES else []
    without, most = np.flatnonzero(n == 0), int(n.max())
    warnings = []
    if len(without):
        run, other = names[int(first[without[0]])], names[int(second[without[0]])]
        further = len(without) - 1
        warnings.append(
            trn(
                "{run} and {other} have no query in common, nor has {n:,} more pair: they cannot be compared.",
                "{run} and {other} have no query in common, nor have {n:,} more pairs: they cannot be compared.",
                further, run=run, other=other,
            )
            if further
            else tr("{run} and {other} have no query in common: they cannot be compared.", run=run, other=other)
        )  # fmt: skip
    if 0 < most < FEW_QUERIES:
        return [*warnings, few_queries(most)]
    few = np.flatnonzero((n < FEW_QUERIES) & (n > 0))
    if len(few):
        fewest = int(few[np.argmin(n[few])])
        further = len(few) - 1
        run, other = names[int(first[fewest])], names[int(second[fewest])]
        warning = trn(
            "{run} and {other} have {n:,} query in common: too few for reliable results.",
            "{run} and {other} have {n:,} queries in common: too few for reliable results.",
            int(n[fewest]), run=run, other=other,
        )  # fmt: skip
        if further:
            warning += " " + trn(
                "{n:,} more pair has fewer than {least}.",
                "{n:,} more pairs have fewer than {least}.",
                further,
                least=FEW_QUERIES,
            )
        warnings.append(warning)
    return warnings


def missing_query_warnings(
    names: tuple[str, ...], present: np.ndarray[tuple[int, int], np.dtype[np.bool_]]
) -> tuple[str, ...]:
    """A warning for each run without a value for some queries, which are left out of its pairs; ``present`` bool[R, Q]:
    it lacks them, or the measure has none there."""
    missing = (~present).sum(axis=1)
    return tuple(
        MissingQueriesWarning(
            trn(
                "{run} has no value for {n:,} query: left out wherever it is compared.",
                "{run} has no value for {n:,} queries: left out wherever it is compared.",
                int(missing[run]),
                run=names[run],
            ),
            names[run],
        )
        for run in np.flatnonzero(missing).tolist()
    )


def floor_notes(names: Sequence[str], at_floor: Ints, queries: Ints) -> list[str]:
    """How many queries of each run have a value at the floor of a geometric mean."""
    floor = decimal(f"{GEOMETRIC_FLOOR:.5f}".removeprefix("0"))
    counts = [(name, int(some), int(n)) for name, some, n in zip(names, at_floor, queries, strict=True) if some]
    if not counts:
        return [tr("Geometric means: no value is below the floor of {floor}.", floor=floor)]
    return [
        tr(
            "Geometric means: values below {floor} count as {floor}. Queries at that floor: {counts}.",
            floor=floor,
            counts=_counts_by_run(counts),
        )
    ]


def not_reached(measure: str, names: Sequence[str], reached: Ints, queries: Ints) -> str:
    """The warning that some runs never reach a value, with the number of queries on which each does."""
    counts = [(name, int(some), int(n)) for name, some, n in zip(names, reached, queries, strict=True) if some < n]
    return tr(
        "{measure} is not always reached; queries on which it is: {counts}. Runs are compared by signs, and a query "
        "where it is not reached is the worst case; a run that does not reach it on all queries has no mean.",
        measure=measure or tr("The measure"),
        counts=_counts_by_run(counts),
    )


def _counts_by_run(counts: Sequence[tuple[str, int, int]]) -> str:
    """``a 3 of 30, b 4 of 30, and 2 more runs``."""
    shown = ", ".join(
        tr("{run} {some:,} of {all:,}", run=name, some=some, all=n) for name, some, n in counts[:MOST_NAMED]
    )
    further = len(counts) - MOST_NAMED
    if further <= 0:
        return shown
    return trn("{runs}, and {n:,} more run", "{runs}, and {n:,} more runs", further, runs=shown)


def too_few_samples(title: str, samples: int, least: float, after: str, comparisons: int, alpha: float) -> str:
    """The warning that no difference can become significant with so few samples: ``least`` is the lowest p-value
    that is possible after the correction ``after``."""
    needed = math.ceil(least * (samples + 1) / alpha / 1000) * 1000
    return trn(
        "{title}: with {samples:,} samples the lowest p is 1/{total:,}, which is {p} after {correction} over {n:,} "
        "comparison. A p marked ≤ may be far lower; take {needed:,} samples to see p below {alpha}.",
        "{title}: with {samples:,} samples the lowest p is 1/{total:,}, which is {p} after {correction} over {n:,} "
        "comparisons. A p marked ≤ may be far lower; take {needed:,} samples to see p below {alpha}.",
        comparisons, title=title, samples=samples, total=samples + 1, p=p_value(least), correction=after,
        needed=needed, alpha=limit(alpha),
    )  # fmt: skip


def only_complete(complete: int, queries: int) -> str:
    """The warning that a test of all runs together uses fewer queries than the pairs do."""
    return tr(
        "Tukey's test uses the {complete:,} of {queries:,} queries that every run has.",
        complete=complete,
        queries=queries,
    )


def weight_warnings(queries: int, weighted: int, unknown: Sequence[str]) -> list[str]:
    """Warnings about query weights: queries without a weight, and weights of ``unknown`` queries."""
    warnings = []
    if weighted < queries:
        warnings.append(
            trn(
                "{weighted:,} of {queries:,} queries have a weight; the {n:,} other counts 0.",
                "{weighted:,} of {queries:,} queries have a weight; the {n:,} others count 0.",
                queries - weighted,
                weighted=weighted,
                queries=queries,
            )
        )
    if unknown:
        warnings.append(
            trn(
                "{n:,} weight is of a query that was not evaluated: {names}.",
                "{n:,} weights are of queries that were not evaluated: {names}.",
                len(unknown),
                names=name_some(unknown),
            )
        )
    return warnings


def set_warning(name: str, queries: int, all_queries: int) -> str:
    """The warning that a comparison is restricted to a query set."""
    return SetWarning(
        tr("Only the queries of {name}: {queries:,} of {all:,}.", name=name, queries=queries, all=all_queries)
    )
