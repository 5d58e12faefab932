"""The kinds of failure of a run on a query, computed causes of its loss, detected for all queries and
runs together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from irviewer.errors import OptionError
from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.model.judgments.judged import Judged
from irviewer.model.number_text import limit, percent
from irviewer.translation import tr

EQUAL = 1e-12


@dataclass(frozen=True)
class Kind:
    """A kind of failure: its name in files and on the command line, a sign and a word for table rows, a title, and its
    meaning, with the names of thresholds in braces."""

    name: str
    sign: str
    word: str
    title: str
    meaning: str


KINDS = (
    Kind("nothing", "∅", tr("nothing"), tr("nothing found"), tr("the run returned no relevant document")),
    Kind(
        "below",
        "↧",
        tr("below"),
        tr("below the cutoff"),
        tr("relevant documents were returned, but none within the top {cutoff}"),
    ),
    Kind(
        "above",
        "↥",
        tr("late"),
        tr("non-relevant first"),
        tr("at least {above} non-relevant documents are above the first relevant one"),
    ),
    Kind(
        "unjudged",
        "?",
        tr("unjudged"),
        tr("unjudged on top"),
        tr("at least {unjudged} of the top {cutoff} is unjudged"),
    ),
    Kind("baseline", "▼★", tr("baseline"), tr("worse than ★"), tr("worse than the baseline by more than {worse}")),
    Kind(
        "median",
        "▼~",
        tr("median"),
        tr("worse than the median"),
        tr("worse than the median of the runs by more than {worse}"),
    ),
    Kind("hard", "●", tr("hard"), tr("hard for all"), tr("no run reaches {hard}")),
    Kind(
        "duplicates",
        "≈",
        tr("repeated"),
        tr("near-duplicates"),
        tr("at least {duplicates} of the top {cutoff} repeat the text of one above"),
    ),
)
_HARD_FOR_A_COST = tr("no run gets down to {hard}")
NAMES = tuple(kind.name for kind in KINDS)


@dataclass(frozen=True)
class Limits:
    """The thresholds that define a failure.

    cutoff    the ranks that count as the top
    unjudged  the share of the top, 0..1, from which too much is unjudged
    worse     the difference to the baseline or the median beyond which a run is worse, in the measure's unit
    hard      the value that at least one run should reach
    above     the non-relevant documents above the first relevant one from which it comes too late
    duplicates  the documents of the top that repeat one above from which these are too many
    Raises OptionError for a value that is out of range."""

    cutoff: int = 10
    unjudged: float = 0.5
    worse: float = 0.1
    hard: float = 0.1
    above: int = 3
    duplicates: int = 2

    def __post_init__(self) -> None:
        """Check the ranges."""
        if self.cutoff < 1:
            raise OptionError(tr("the cutoff is {cutoff}; it must be 1 or more", cutoff=self.cutoff))
        if not 0 < self.unjudged <= 1:
            raise OptionError(
                tr("the unjudged share is {share:g}; it must be above 0 and at most 1", share=self.unjudged)
            )
        if not self.worse >= 0:
            raise OptionError(
                tr("the difference that counts as worse is {value:g}; it must be 0 or more", value=self.worse)
            )
        if not np.isfinite(self.hard):
            raise OptionError(tr("the value of a hard query is {value:g}; it must be a number", value=self.hard))
        if self.above < 1:
            raise OptionError(
                tr("the non-relevant documents above are {value:g}; they must be 1 or more", value=self.above)
            )
        if self.duplicates < 1:
            raise OptionError(tr("the near-duplicates are {value:g}; they must be 1 or more", value=self.duplicates))

    def meaning(self, kind: Kind, higher_is_better: bool = True) -> str:
        """Return the meaning of a kind with these thresholds."""
        text = kind.meaning if kind.name != "hard" or higher_is_better else _HARD_FOR_A_COST
        return text.format(
            cutoff=self.cutoff, unjudged=percent(self.unjudged), worse=limit(self.worse), hard=limit(self.hard),
            above=self.above, duplicates=self.duplicates,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Failures:
    """The failures of S runs on E queries. A query without relevant documents cannot fail: ``answerable`` bool[E].

    kinds         bool[K, E, S] in the order of ``KINDS``
    values        float64[E, S] of the measure
    first         int64[E, S]: the rank of the first relevant document, 0 where none was returned
    found         int64[E, S]: relevant documents within the cutoff
    deeper        int64[E, S]: relevant documents returned below it
    above         int64[E, S]: non-relevant documents above the first relevant one; 0 where there is none
    unjudged      float64[E, S]: the share of the top that is unjudged; NaN where nothing was returned
    duplicates    float64[E, S]: documents of the top that repeat one above; NaN where texts are not known
    to_baseline   float64[E, S]: the difference to the baseline, above 0 where better, also where less is better; NaN
                  without a baseline
    to_median     float64[E, S]: the difference to the median of the runs, likewise
    relevant      int64[E]: relevant documents of each query
    """

    query_ids: tuple[str, ...]
    limits: Limits
    kinds: Bools
    values: Floats
    first: Ints
    found: Ints
    deeper: Ints
    above: Ints
    unjudged: Floats
    duplicates: Floats
    to_baseline: Floats
    to_median: Floats
    relevant: Ints

    @classmethod
    def none(cls, limits: Limits, runs: int) -> Failures:
        """Return those of S runs on no query."""
        numbers, counts = np.empty((0, runs)), np.empty((0, runs), dtype=np.int64)
        kinds = np.zeros((len(KINDS), 0, runs), dtype=np.bool_)
        return cls((), limits, kinds, numbers, counts, counts, counts, counts, numbers, numbers, numbers, numbers,
                   np.empty(0, dtype=np.int64))  # fmt: skip

    @property
    def answerable(self) -> Bools:
        """bool[E]: the query has relevant documents."""
        result: Bools = self.relevant > 0
        return result

    @property
    def counts(self) -> Ints:
        """int64[K, S]: the queries with each kind of failure."""
        return np.asarray(self.kinds.sum(axis=1), dtype=np.int64)

    def of_runs(self, columns: Sequence[int]) -> Failures:
        """Return the same for the runs in these columns."""
        chosen = list(columns)
        by_run = ("values", "first", "found", "deeper", "above", "unjudged", "duplicates", "to_baseline", "to_median")
        return replace(
            self, kinds=self.kinds[:, :, chosen], **{name: getattr(self, name)[:, chosen] for name in by_run}
        )

    def at(self, places: Ints) -> Failures:
        """Return the same for the queries at these places."""
        by_query = ("values", "first", "found", "deeper", "above", "unjudged", "duplicates", "to_baseline", "to_median",
                    "relevant")  # fmt: skip
        return replace(
            self, query_ids=tuple(self.query_ids[place] for place in places.tolist()), kinds=self.kinds[:, places],
            **{name: getattr(self, name)[places] for name in by_query},
        )  # fmt: skip

    @cached_property
    def masks(self) -> Ints:
        """int64[E, S]: the kinds of failure as bits, the first kind the lowest."""
        bits = (1 << np.arange(len(KINDS))).astype(np.int64)
        return frozen(np.tensordot(bits, self.kinds, axes=1))


def find_failures(
    judged: Sequence[Judged],
    values: Floats,
    limits: Limits,
    *,
    others: Floats | None = None,
    baseline: Floats | None = None,
    complete: bool = False,
    level: float = 1,
    higher_is_better: bool = True,
    bounded: bool = True,
    duplicates: Floats | None = None,
) -> Failures:
    """Return the failures of S judged runs over the same E queries.

    values    float64[S, E]: the measure of each run
    others    float64[A, E]: the measure of all runs, for the median and for hard queries; None: these runs
    baseline  float64[E]: the baseline's values
    complete  True where a document that is not in the qrels is non-relevant
    bounded   the measure is between 0 and 1, so that ``limits.hard`` applies; otherwise a query is hard when no run has
              a relevant document within the cutoff
    duplicates  float64[E, S]: documents of the top that repeat one above; None: nobody knows

    Raises OptionError where there is no run."""
    if not judged:
        raise OptionError(tr("no run to analyse for failures"))
    rows = [_of_run(run, limits.cutoff, level, complete) for run in judged]
    first, n_found, deeper, above = (np.stack([row[column] for row in rows], axis=1) for column in range(4))
    unjudged = np.stack([row[4] for row in rows], axis=1)
    relevant = judged[0].relevant_count(level)
    every = values if others is None else others
    run_values = np.asarray(values, dtype=np.float64).T
    sign = 1.0 if higher_is_better else -1.0
    to_baseline = np.full(run_values.shape, np.nan) if baseline is None else sign * (run_values - baseline[:, None])
    to_median = sign * (run_values - median(every)[:, None])
    answerable = (relevant > 0)[:, None]
    repeated = np.full(run_values.shape, np.nan) if duplicates is None else duplicates
    if bounded:
        hard = ~np.any(sign * every >= sign * limits.hard - EQUAL, axis=0)
    else:
        hard = ~np.any(n_found > 0, axis=1)
    kinds = np.stack(
        [
            (first == 0) & answerable,
            (first > limits.cutoff) & answerable,
            (above >= limits.above) & answerable,
            np.nan_to_num(unjudged) >= limits.unjudged - EQUAL,
            to_baseline < -limits.worse - EQUAL,
            to_median < -limits.worse - EQUAL,
            np.broadcast_to(hard[:, None], run_values.shape) & answerable,
            np.nan_to_num(repeated) >= limits.duplicates,
        ]
    )
    parts = (kinds, run_values, first, n_found, deeper, above, unjudged, repeated, to_baseline, to_median, relevant)
    return Failures(judged[0].query_ids, limits, *(frozen(run) for run in parts))


def median(values: Floats) -> Floats:
    """Return the median over the runs, float64[E], of values float64[A, E]; NaN is left out, NaN where all are."""
    result = np.full(values.shape[1], np.nan)
    has_values = ~np.isnan(values).all(axis=0)
    if has_values.any():
        result[has_values] = np.nanmedian(values[:, has_values], axis=0)
    return result


def _of_run(judged: Judged, cutoff: int, level: float, complete: bool) -> tuple[Ints, Ints, Ints, Ints, Floats]:
    hits = judged.relevant_hits(level)
    first = hits.first_by_query(hits.rank, 0).astype(np.int64)
    n_found = hits.to(cutoff).count_by_query
    deeper = hits.count_by_query - n_found
    if complete:
        above = np.maximum(first - 1, 0)
    else:
        wrong = judged.nonrelevant_hits(level)
        above = wrong.where(wrong.rank < first[wrong.query]).count_by_query
    top = np.minimum(judged.returned, cutoff)
    n_judged = top if complete else judged.judged_hits.to(cutoff).count_by_query
    unjudged = np.full(judged.n_queries, np.nan)
    np.divide(top - n_judged, top, out=unjudged, where=top > 0)
    return first, n_found, deeper, above, unjudged
