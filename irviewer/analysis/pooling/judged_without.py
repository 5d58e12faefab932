"""Joins of runs with qrels that keep unjudged documents, and joins without some of the judgments."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from irviewer.evaluation.evaluate import Joined
from irviewer.model.arrays import Bools, Ints, frozen, group_of_each, offsets_of, places_of
from irviewer.model.dialects import JoinOptions
from irviewer.model.judgments.judged import Judged
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run


def plainly_joined(run: Run, qrels: Qrels, options: EvaluationOptions) -> Joined:
    """Return the join of a run with all its documents, even where the options remove unjudged ones."""
    return Joined(run, qrels, replace(options, judged_only=False))


class JudgedOnlyJoin(Joined):
    """A join without unjudged documents."""

    def __init__(self, whole: Joined) -> None:
        self._whole = whole

    def under(self, join_options: JoinOptions) -> Judged:
        """Return the condensed join under join options."""
        return self._whole.under(join_options).judged_only


class Reduced(Joined):
    """A join with qrels that lack some judgments.

    All queries stay, also those without a judgment left; the highest grade stays that of the whole qrels."""

    def __init__(self, whole: Joined, reduced: Qrels, keep: Bools, *, judged_only: bool) -> None:
        self._whole, self._reduced, self._keep, self._judged_only = whole, reduced, keep, judged_only
        self._cache: dict[int, tuple[Judged, Judged]] = {}

    def under(self, join_options: JoinOptions) -> Judged:
        """Return the join with the judgments that are kept, of judged documents alone where asked for."""
        judged = self._whole.under(join_options)
        entry = self._cache.get(id(judged))
        if entry is None:
            reduced = without(judged, self._reduced, self._keep)
            entry = self._cache[id(judged)] = (judged, reduced.judged_only if self._judged_only else reduced)
        return entry[1]


def reduced_qrels(qrels: Qrels, keep: Bools) -> Qrels:
    """Return the qrels with the judgments of ``keep`` bool[J] and all queries."""
    counts = np.bincount(group_of_each(qrels.offsets)[keep], minlength=len(qrels.query_ids))
    assessments = qrels.assessments
    if assessments is not None:
        rows = keep[assessments.rows]
        assessments = replace(
            assessments,
            rows=frozen((np.cumsum(keep) - 1)[assessments.rows[rows]]),
            grades=frozen(assessments.grades[rows]),
            codes=frozen(assessments.codes[rows]),
            sub_codes=None if assessments.sub_codes is None else frozen(assessments.sub_codes[rows]),
        )
    return replace(
        qrels,
        offsets=frozen(offsets_of(counts)),
        doc_ids=qrels.doc_ids.take(places_of(np.flatnonzero(keep))),
        grades=frozen(qrels.grades[keep]),
        assessments=assessments,
        strata=None if qrels.strata is None else qrels.strata.at(np.flatnonzero(keep)),
    )


def without(judged: Judged, reduced: Qrels, keep: Bools) -> Judged:
    """Return a judged run under qrels reduced by ``keep``."""
    hits = keep[judged.hit_row]
    ideal_offsets, ideal_rows = _rows_of(judged, reduced)
    grades = reduced.descending[ideal_rows]
    if len(judged.ideal_grades) and not np.any(judged.ideal_grades < 0):
        grades = np.where(grades < 0, 0.0, grades)  # negative grades were read as 0
    return replace(
        judged,
        hit_query=frozen(judged.hit_query[hits]),
        hit_rank=frozen(judged.hit_rank[hits]),
        hit_grade=frozen(judged.hit_grade[hits]),
        hit_row=frozen((np.cumsum(keep) - 1)[judged.hit_row[hits]]),
        ideal_offsets=frozen(ideal_offsets),
        ideal_grades=frozen(grades),
        qrels=reduced,
    )


def _rows_of(judged: Judged, qrels: Qrels) -> tuple[Ints, Ints]:
    indices = np.array([qrels.query_index[query] for query in judged.query_ids], dtype=np.int64)
    counts = np.diff(qrels.offsets)[indices]
    offsets = offsets_of(counts)
    return offsets, np.repeat(qrels.offsets[indices] - offsets[:-1], counts) + np.arange(int(counts.sum()))
