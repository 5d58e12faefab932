"""Nuggets by system: what each assigner says of each nugget, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from irviewer.errors import OptionError
from irviewer.evaluation.answer_cautions import refuse_lacking
from irviewer.measures.parser import parse_measure
from irviewer.model.answers.assignments import Assignments
from irviewer.model.answers.labels import FULL, NONE, ODD, PARTIAL, UNJUDGED, VITAL
from irviewer.model.answers.nuggets import Nuggets, in_place
from irviewer.model.arrays import Ints, places_of
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr


@dataclass(frozen=True, eq=False)
class NuggetMatrix:
    """The labels of N nuggets for R systems.

    runs      the systems that have assignments, by name
    nuggets   the nuggets, those of the set that is in force
    rows      int64[N]: the nuggets of the topics that count, in the order of the set
    labels    int8[R, N]: FULL, PARTIAL, NONE, ODD; UNJUDGED where the assigner did not return the nugget
    """

    runs: tuple[str, ...]
    nuggets: Nuggets
    rows: Ints
    labels: npt.NDArray[np.int8]

    @cached_property
    def said(self) -> Ints:
        """int64[N]: the number of systems that say each nugget in full."""
        return np.asarray(np.count_nonzero(self.labels == FULL, axis=0), dtype=np.int64)

    @cached_property
    def partly(self) -> Ints:
        """int64[N]: the number of systems that say each nugget in part."""
        return np.asarray(np.count_nonzero(self.labels == PARTIAL, axis=0), dtype=np.int64)

    @property
    def topics(self) -> list[str]:
        """The topic of each of the N nuggets, in the order of the rows."""
        places = self.nuggets.topic_of_each[self.rows].tolist()
        return [self.nuggets.topics[place] for place in places]

    @cached_property
    def vital(self) -> npt.NDArray[np.bool_]:
        """bool[N]: the nugget is vital."""
        return np.asarray(self.nuggets.importance[self.rows] == VITAL)


def nugget_matrix(qrels: Qrels, runs: Sequence[Run], topics: Sequence[str]) -> NuggetMatrix:
    """Return the labels of the nuggets of some topics: those of the qrels' set, without one those of the first run.
    Raises OptionError where no run has assignments, MeasureError for a run whose assignments are all to other topics,
    though its answers are to these: nothing would be said, nor lost."""
    assigned = [(run.name, run.answered.assignments) for run in runs
                if run.answered is not None and run.answered.assignments is not None]  # fmt: skip
    if not assigned:
        raise OptionError(tr("This needs assignments of nuggets to answers. Open files of them."))
    for run in runs:
        if run.answered is not None and run.answered.assignments is not None:
            refuse_lacking([parse_measure("V_strict")], run, qrels)
    nuggets = qrels.nuggets or assigned[0][1].nuggets
    parts = [nuggets.rows(topic) for topic in topics]
    rows = np.concatenate(parts) if parts else np.arange(0)
    labels = [aligned(nuggets, assignments)[rows] for _, assignments in assigned]
    return NuggetMatrix(tuple(name for name, _ in assigned), nuggets, rows, np.array(labels, dtype=np.int8))


def aligned(nuggets: Nuggets, assignments: Assignments) -> npt.NDArray[np.int8]:
    """Return the labels of assignments for the nuggets of a set, int8[N]: joined by their place within the topic and
    checked by text; where a text differs, by text. UNJUDGED where the assigner did not return a nugget."""
    theirs = assignments.nuggets
    labels = np.full(len(nuggets.texts), UNJUDGED, dtype=np.int8)
    rows, their_rows, same = in_place(nuggets, theirs)
    labels[rows[same]] = assignments.labels[their_rows[same]]
    known = np.zeros(len(theirs.texts), dtype=np.bool_)
    known[their_rows[same]] = True
    for place in np.unique(theirs.topic_of_each[~known]).tolist():
        ours = nuggets.rows(theirs.topics[place])
        start, stop = int(theirs.offsets[place]), int(theirs.offsets[place + 1])
        texts = theirs.texts[start:stop].to_pylist()
        left: dict[str, int] = {}
        for row in np.flatnonzero(~known[start:stop]).tolist():
            left.setdefault(texts[row], start + row)
        for row, text in zip(ours.tolist(), nuggets.texts.take(places_of(ours)).to_pylist(), strict=True):
            if labels[row] == UNJUDGED and text in left:
                labels[row] = assignments.labels[left.pop(text)]
    return labels


CODES = {FULL: "said", PARTIAL: "partly", NONE: "not_said", ODD: "odd", UNJUDGED: "not_returned"}
"""What a label is called in files of data."""
