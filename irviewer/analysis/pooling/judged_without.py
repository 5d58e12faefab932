"""Joins of runs with qrels before unjudged documents are removed, and the same without some of the judgments."""

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
    """The run joined with all its documents, whatever the options say of unjudged ones."""
    return Joined(run, qrels, replace(options, judged_only=False))


class Condensed(Joined):
    """A join of which unjudged documents are left out."""

    def __init__(self, whole: Joined) -> None:
        self._whole = whole

    def under(self, join_options: JoinOptions) -> Judged:
        """The condensed join under a reading."""
        return self._whole.under(join_options).condensed


class Reduced(Joined):
    """A join as it would be under qrels that lack some judgments.

    Queries stay, those without a judgment too; the grades' scale stays that of the whole qrels."""

    def __init__(self, whole: Joined, reduced: Qrels, keep: Bools, *, judged_only: bool) -> None:
        self._whole, self._reduced, self._keep, self._condensed = whole, reduced, keep, judged_only
        self._made: dict[int, tuple[Judged, Judged]] = {}

    def under(self, join_options: JoinOptions) -> Judged:
        """The reduced join under a reading."""
        judged = self._whole.under(join_options)
        known = self._made.get(id(judged))
        if known is None:
            found = without(judged, self._reduced, self._keep)
            known = self._made[id(judged)] = (judged, found.condensed if self._condensed else found)
        return known[1]


def reduced_qrels(qrels: Qrels, keep: Bools) -> Qrels:
    """The qrels with the judgments that ``keep`` bool[J] says, all queries staying."""
    counts = np.bincount(group_of_each(qrels.offsets)[keep], minlength=len(qrels.query_ids))
    said = qrels.assessments
    if said is not None:
        rows = keep[said.rows]
        said = replace(
            said,
            rows=frozen((np.cumsum(keep) - 1)[said.rows[rows]]),
            grades=frozen(said.grades[rows]),
            codes=frozen(said.codes[rows]),
            sub_codes=None if said.sub_codes is None else frozen(said.sub_codes[rows]),
        )
    return replace(
        qrels,
        offsets=frozen(offsets_of(counts)),
        doc_ids=qrels.doc_ids.take(places_of(np.flatnonzero(keep))),
        grades=frozen(qrels.grades[keep]),
        assessments=said,
    )


def without(judged: Judged, reduced: Qrels, keep: Bools) -> Judged:
    """A judged run as it is under qrels reduced by ``keep``."""
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
    places = np.array([qrels.query_index[query] for query in judged.query_ids], dtype=np.int64)
    counts = np.diff(qrels.offsets)[places]
    offsets = offsets_of(counts)
    return offsets, np.repeat(qrels.offsets[places] - offsets[:-1], counts) + np.arange(int(counts.sum()))
