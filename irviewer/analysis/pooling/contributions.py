"""The judged documents that each run contributed to the pool alone, and the results without each run's contribution.

Zobel, How reliable are the results of large-scale information retrieval experiments?, SIGIR 1998: the judgments that
only one run contributed are removed, and every run is scored again. Runs that found the same judged documents are one
contribution."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irviewer.analysis.pooling.judged_without import Reduced, plainly_joined, reduced_qrels
from irviewer.analysis.statistics.significance.resampling import without_rounding
from irviewer.evaluation.answer_cautions import reads_other_topics
from irviewer.evaluation.bound_measure import BoundMeasure
from irviewer.evaluation.evaluate import Joined, bound_measures, value_of
from irviewer.measures.base import Measure
from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.model.dialects import JoinOptions
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run


@dataclass(frozen=True, eq=False)
class Contributions:
    """The judged documents that each of N runs returned; J judgments.

    depth      the last rank of its lists that a run contributes; None: all of them
    level      the relevance level
    found      bool[N, J], along the qrels' flat columns: returned by the run
    """

    runs: tuple[str, ...]
    qrels: Qrels
    depth: int | None
    level: float
    found: Bools

    @property
    def relevant(self) -> Bools:
        """bool[J]: relevant judgments."""
        return np.asarray((self.qrels.grades >= self.level) & (self.qrels.grades >= 0))

    @cached_property
    def same(self) -> tuple[tuple[int, ...], ...]:
        """The places of runs that found the same judged documents, together: they are one contribution, as without one
        of them the others would still have it."""
        return same_contributions(self.found)

    @property
    def alone(self) -> Bools:
        """bool[N, J]: documents that only this run returned, or it and runs that found the same."""
        by_group = self.found[[group[0] for group in self.same]]
        return np.asarray(self.found & (by_group.sum(axis=0) == 1))

    @property
    def unique_relevant(self) -> Ints:
        """int64[N]: relevant documents that only this contribution has."""
        return np.asarray((self.alone & self.relevant).sum(axis=1))

    @property
    def unique_judged(self) -> Ints:
        """int64[N]: judged documents, relevant or not, that only this contribution has."""
        return np.asarray(self.alone.sum(axis=1))

    @property
    def together(self) -> tuple[tuple[str, ...], ...]:
        """The names of runs that are one contribution, of several runs each."""
        return tuple(tuple(sorted(self.runs[run] for run in group)) for group in self.same if len(group) > 1)

    @property
    def found_relevant(self) -> Ints:
        """int64[N]: relevant documents that the run returned."""
        return np.asarray((self.found & self.relevant).sum(axis=1))

    @property
    def found_by_none(self) -> int:
        """The number of relevant documents that no run returned."""
        return int((self.relevant & ~self.found.any(axis=0)).sum())


def same_contributions(returned: Bools) -> tuple[tuple[int, ...], ...]:
    """Return the places of the runs that found the same judged documents, bool[N, J], together; runs that found none
    each alone."""
    groups: dict[tuple[bytes, int], list[int]] = {}
    for place, row in enumerate(np.packbits(returned, axis=1)):
        groups.setdefault((row.tobytes(), -1 if row.any() else place), []).append(place)
    return tuple(map(tuple, groups.values()))


def contributions(
    qrels: Qrels,
    runs: Sequence[Run],
    options: EvaluationOptions | None = None,
    depth: int | None = None,
    *,
    joins: Sequence[Joined] | None = None,
) -> Contributions:
    """Return the judged documents that each run returned down to ``depth``; ``joins`` are those of the runs with all
    their documents, where they are known."""
    options = options or EvaluationOptions()
    returned = np.zeros((len(runs), len(qrels)), dtype=np.bool_)
    for number, joined in enumerate(joins or (plainly_joined(run, qrels, options) for run in runs)):
        judged = joined.under(_AS_READ)
        near = judged.hit_row if depth is None else judged.hit_row[judged.hit_rank <= depth]
        returned[number, near] = True
    return Contributions(tuple(run.name for run in runs), qrels, depth, options.level, frozen(returned))


_AS_READ = JoinOptions()


@dataclass(frozen=True, eq=False)
class LeaveOneOut:
    """The means of all runs without the contribution of each run: M measures, N runs.

    dropped    int64[N]: the judgments that are removed when the run is left out
    means      float64[M, N]: with all judgments
    without    float64[M, N, N]: [measure, run left out, run scored]
    """

    measures: tuple[Measure, ...]
    runs: tuple[str, ...]
    depth: int | None
    dropped: Ints
    means: Floats
    without: Floats

    @property
    def changes(self) -> Floats:
        """float64[M, N, N]: how much each run's mean rises when a run is left out."""
        return self.without - self.means[:, None, :]

    @property
    def ranks(self) -> Ints:
        """int64[M, N]: each run's rank, 1 the best; equal means share the better one."""
        return ranks_of_means(self.measures, self.means)

    @property
    def rank_changes(self) -> Ints:
        """int64[M, N, N]: by how many ranks each run falls (below 0: rises) when a run is left out."""
        after = np.stack([ranks_of_means(self.measures, self.without[:, run]) for run in range(len(self.runs))], axis=1)
        return after - self.ranks[:, None, :]

    @property
    def own(self) -> tuple[Floats, Floats]:
        """float64[M, N] twice: the changes of mean and of rank of the run that is left out; NaN for one that has no
        mean, and so no rank."""
        runs = np.arange(len(self.runs))
        signs = np.array([1.0 if measure.higher_is_better else -1.0 for measure in self.measures])
        good = without_rounding(self.without) * signs[:, None, None]
        # Of each order only one place is asked: the others would take as many comparisons again for each run.
        after = (good > good[:, runs, runs, None]).sum(axis=2) + 1
        return self.without[:, runs, runs] - self.means, np.where(np.isnan(self.means), np.nan, after - self.ranks)


def ranks_of_means(measures: Sequence[Measure], means: Floats) -> Ints:
    """Return int64[M, N]: the rank of each of N runs by its mean, 1 the best; equal means share the better one."""
    signs = np.array([1.0 if measure.higher_is_better else -1.0 for measure in measures])
    good = without_rounding(means) * signs[:, None]
    return np.asarray((good[:, None, :] > good[:, :, None]).sum(axis=2) + 1)


def leave_one_out(
    qrels: Qrels,
    runs: Sequence[Run],
    measures: Sequence[str | Measure],
    options: EvaluationOptions | None = None,
    *,
    depth: int | None = None,
    queries: Collection[str] | None = None,
    progress: Callable[[float], None] | None = None,
) -> LeaveOneOut:
    """Score every run under the qrels without the judgments that one run alone contributed (with those that found the
    same), for each run in turn.

    depth      the pool depth; None, where it is unknown, takes whole lists
    queries    the queries of the means; None: all
    progress   called with the share done; may raise to stop the work

    A query that loses all its judgments stays, with the value of a query without relevant documents."""
    options = options or EvaluationOptions()
    contributed = contributions(qrels, runs, options, depth)
    scored = means_without(qrels, runs, measures, contributed.alone, options, queries=queries, progress=progress)
    return LeaveOneOut(
        scored.measures, contributed.runs, depth, frozen(contributed.unique_judged), scored.means, scored.without
    )


@dataclass(frozen=True, eq=False)
class MeansWithout:
    """The means of N runs with all judgments, float64[M, N], and without each of U sets of judgments, float64[M, U, N];
    the measures as they were asked for."""

    measures: tuple[Measure, ...]
    means: Floats
    without: Floats


def means_without(
    qrels: Qrels,
    runs: Sequence[Run],
    measures: Sequence[str | Measure],
    removed: Bools,
    options: EvaluationOptions,
    *,
    queries: Collection[str] | None = None,
    progress: Callable[[float], None] | None = None,
) -> MeansWithout:
    """Score every run without the judgments of each row of ``removed``, bool[U, J]. A query that loses all its
    judgments stays, and the norms of measures are those of the judgments left.

    queries    the queries of the means; None: all
    progress   called with the share done; may raise to stop the work"""
    all_bound = bound_measures(measures, qrels, options)
    joined = [plainly_joined(run, qrels, options) for run in runs]
    everything = np.ones(len(qrels), dtype=np.bool_)
    counted = None if queries is None else frozenset(queries)
    ids = [join.under(_AS_READ).query_ids for join in joined]
    undefined = [[reads_other_topics(each.measure, run, qrels) for each in all_bound] for run in runs]
    keeps = [
        None if counted is None else np.array([query in counted for query in query_ids], np.bool_) for query_ids in ids
    ]

    def mean(bound_measure: BoundMeasure, values: Floats, kept: Bools | None) -> float:
        return bound_measure.mean(values if kept is None else values[kept])

    def scored(reduced: Qrels, keep: Bools) -> Floats:
        rows = []
        for join, kept, gaps in zip(joined, keeps, undefined, strict=True):
            if progress is not None:  # often, so that it can be stopped
                progress(done)
            view = Reduced(join, reduced, keep, judged_only=options.judged_only)
            rows.append([
                np.nan if gap else mean(each, value_of(each, view), kept)
                for each, gap in zip(all_bound, gaps, strict=True)
            ])  # fmt: skip
        return np.array(rows).reshape(len(runs), len(all_bound)).T

    done = 0.0
    means = scored(qrels, everything)
    without = np.repeat(means[:, None, :], len(removed), axis=1)
    known: dict[bytes, int] = {}
    for left, gone in enumerate(removed):
        if gone.any():
            former = known.setdefault(np.packbits(gone).tobytes(), left)
            without[:, left] = without[:, former] if former < left else scored(reduced_qrels(qrels, ~gone), ~gone)
        done = (left + 1) / len(removed)
        if progress is not None:
            progress(done)
    return MeansWithout(tuple(each.measure for each in all_bound), frozen(means), frozen(without))
