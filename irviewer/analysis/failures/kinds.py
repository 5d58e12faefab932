"""The kinds of failure of a run on a query, found in all queries and runs at once.

Reads judged runs and a measure's values; knows nothing of how failures are shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from irviewer.errors import OptionError
from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.model.judgments.judged import Judged
from irviewer.model.number_text import limit

EQUAL = 1e-12


@dataclass(frozen=True)
class Kind:
    """One kind: its name in files and on the command line, a sign and a word for a row, words of its own, and what it
    means, with the thresholds' names in braces."""

    name: str
    sign: str
    word: str
    title: str
    meaning: str


KINDS = (
    Kind("nothing", "∅", "nothing", "nothing found", "the run returned no relevant document at all"),
    Kind(
        "below",
        "↧",
        "below",
        "below the cutoff",
        "relevant documents were returned, none of them within the top {cutoff}",
    ),
    Kind("above", "↥", "late", "non-relevant first", "non-relevant documents stand above the first relevant one"),
    Kind("unjudged", "?", "unjudged", "unjudged on top", "at least {unjudged:.0%} of the top {cutoff} is unjudged"),
    Kind("baseline", "▼★", "baseline", "worse than ★", "worse than the baseline by more than {worse}"),
    Kind("median", "▼~", "median", "worse than the median", "worse than the median of the runs by more than {worse}"),
    Kind("hard", "●", "hard", "hard for all", "no run reaches {hard}"),
)
NAMES = tuple(one.name for one in KINDS)


@dataclass(frozen=True)
class Limits:
    """From where on something is a failure.

    cutoff    ranks that are looked at first
    unjudged  share of them, 0..1, that is too much to be unjudged
    worse     how much less than the baseline or the median is too much, in the measure's unit
    hard      a value that at least one run should reach
    Raises OptionError for a limit that cannot be."""

    cutoff: int = 10
    unjudged: float = 0.5
    worse: float = 0.1
    hard: float = 0.1

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        if self.cutoff < 1:
            raise OptionError(f"the cutoff is {self.cutoff}; ranks begin at 1")
        if not 0 < self.unjudged <= 1:
            raise OptionError(f"{self.unjudged:g} is no share of the top; it is more than 0 and at most 1")
        if not (self.worse >= 0 and np.isfinite(self.hard)):
            raise OptionError("how much worse is too much is a number from 0 on, what is hard is a number")

    def meaning(self, kind: Kind, higher_is_better: bool = True) -> str:
        """What a kind means under these limits."""
        text = kind.meaning if kind.name != "hard" or higher_is_better else "no run gets down to {hard}"
        return text.format(cutoff=self.cutoff, unjudged=self.unjudged, worse=limit(self.worse), hard=limit(self.hard))


@dataclass(frozen=True, eq=False)
class Failures:
    """The failures of S runs on E queries. A query that has no relevant document cannot fail: ``answerable`` bool[E].

    kinds         bool[K, E, S] in the order of ``KINDS``
    values        float64[E, S] of the measure
    first         int64[E, S]: the rank of the first relevant document, 0 where none was returned
    found         int64[E, S]: relevant documents within the cutoff
    deeper        int64[E, S]: relevant documents returned below it
    above         int64[E, S]: non-relevant documents above the first relevant one; 0 where there is none
    unjudged      float64[E, S]: the share of the top that is unjudged; NaN where nothing was returned
    to_baseline   float64[E, S]: the value less the baseline's, above 0 where better whatever the measure's direction;
                  NaN without a baseline
    to_median     float64[E, S]: the same against the median of the runs
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
    to_baseline: Floats
    to_median: Floats
    relevant: Ints

    @property
    def answerable(self) -> Bools:
        """bool[E]: something is relevant."""
        result: Bools = self.relevant > 0
        return result

    @property
    def counts(self) -> Ints:
        """int64[K, S]: how many queries fail in which way."""
        return np.asarray(self.kinds.sum(axis=1), dtype=np.int64)

    @property
    def masks(self) -> Ints:
        """int64[E, S]: the kinds of each as bits, the first kind the lowest."""
        bits = (1 << np.arange(len(KINDS))).astype(np.int64)
        result: Ints = np.tensordot(bits, self.kinds, axes=1)
        return result


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
) -> Failures:
    """The failures of S judged runs over the same E queries.

    values    float64[S, E]: the measure of each
    others    float64[A, E]: the measure of all runs there are, of which the median is and for which a query is hard;
              None: these
    baseline  float64[E]: the baseline's values
    complete  True where a document that the qrels do not list is non-relevant
    bounded   the measure lies within 0 and 1, so that ``limits.hard`` can be asked; where it does not, a query is hard
              when no run has a relevant document within the cutoff

    Raises OptionError where there is no run."""
    if not judged:
        raise OptionError("failures are looked for in runs, and there is none")
    rows = [_of_run(one, limits.cutoff, level, complete) for one in judged]
    first, found, deeper, above = (np.stack([row[place] for row in rows], axis=1) for place in range(4))
    unjudged = np.stack([row[4] for row in rows], axis=1)
    relevant = judged[0].relevant_count(level)
    every = values if others is None else others
    own = np.asarray(values, dtype=np.float64).T
    sign = 1.0 if higher_is_better else -1.0
    to_baseline = np.full(own.shape, np.nan) if baseline is None else sign * (own - baseline[:, None])
    to_median = sign * (own - median(every)[:, None])
    answerable = (relevant > 0)[:, None]
    if bounded:
        hard = ~np.any(sign * every >= sign * limits.hard - EQUAL, axis=0)
    else:
        hard = ~np.any(found > 0, axis=1)
    kinds = np.stack(
        [
            (first == 0) & answerable,
            (first > limits.cutoff) & answerable,
            (above > 0) & answerable,
            np.nan_to_num(unjudged) >= limits.unjudged - EQUAL,
            to_baseline < -limits.worse - EQUAL,
            to_median < -limits.worse - EQUAL,
            np.broadcast_to(hard[:, None], own.shape) & answerable,
        ]
    )
    parts = (kinds, own, first, found, deeper, above, unjudged, to_baseline, to_median, relevant)
    return Failures(judged[0].query_ids, limits, *(frozen(one) for one in parts))


def median(values: Floats) -> Floats:
    """float64[E]: the median over the runs, values float64[A, E]; NaN (no value) is left out, NaN where all are."""
    result = np.full(values.shape[1], np.nan)
    some = ~np.isnan(values).all(axis=0)
    if some.any():
        result[some] = np.nanmedian(values[:, some], axis=0)
    return result


def _of_run(judged: Judged, cutoff: int, level: float, complete: bool) -> tuple[Ints, Ints, Ints, Ints, Floats]:
    hits = judged.relevant_hits(level)
    first = hits.first_by_query(hits.rank, 0).astype(np.int64)
    found = hits.to(cutoff).count_by_query
    deeper = hits.count_by_query - found
    if complete:
        above = np.maximum(first - 1, 0)
    else:
        wrong = judged.nonrelevant_hits(level)
        above = wrong.where(wrong.rank < first[wrong.query]).count_by_query
    top = np.minimum(judged.returned, cutoff)
    known = top if complete else judged.judged_hits.to(cutoff).count_by_query
    unjudged = np.full(judged.n_queries, np.nan)
    np.divide(top - known, top, out=unjudged, where=top > 0)
    return first, found, deeper, above, unjudged
