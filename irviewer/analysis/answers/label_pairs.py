"""Two systems nugget by nugget, and the order in which the nuggets of a topic are shown.

Nuggets of a topic are not independent: what is counted here is a description; tests are over topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from irviewer.analysis.answers.nugget_matrix import NuggetMatrix
from irviewer.model.answers.labels import FULL, NONE, OKAY, PARTIAL, UNJUDGED, VITAL, Labels
from irviewer.model.arrays import Bools, Ints, frozen

COLUMNS = (FULL, PARTIAL, NONE)
"""The labels in the order of rows and columns of the table: said, in part, not said."""


def known_labels(labels: Labels) -> Labels:
    """Return labels with one that no rule knows as not said: so it counts in scores."""
    return np.where((labels != UNJUDGED) & (labels < 0), np.int8(NONE), labels).astype(np.int8)


@dataclass(frozen=True, eq=False)
class LabelPairs:
    """The labels of two systems for the same nuggets.

    baseline, system  int8[n] what each says of the nuggets that are compared
    topic             int64[n] the place of the nugget's topic in the set
    column            int64[n] the column of the matrix
    left_out          the topics that are left out: only one system has a label for one of their nuggets
    """

    baseline: Labels
    system: Labels
    topic: Ints
    column: Ints
    left_out: tuple[str, ...]

    @cached_property
    def counts(self) -> npt.NDArray[np.int64]:
        """int64[3, 3]: rows are the label of the baseline, columns that of the other, in the order of COLUMNS."""
        counts = np.zeros((3, 3), dtype=np.int64)
        np.add.at(counts, (FULL - self.baseline, FULL - self.system), 1)
        return counts

    @property
    def fuller(self) -> int:
        """The number of nuggets that the other system says more fully."""
        return int(np.count_nonzero(self.system > self.baseline))

    @property
    def less_full(self) -> int:
        """The number of nuggets that the baseline says more fully."""
        return int(np.count_nonzero(self.system < self.baseline))

    @property
    def alike(self) -> int:
        """The number of nuggets with the same label."""
        return int(np.count_nonzero(self.system == self.baseline))


def label_pairs(
    matrix: NuggetMatrix, baseline: int, system: int, *, importance: Sequence[int] = (VITAL,)
) -> LabelPairs:
    """Return the labels of two rows of a matrix for the nuggets of some importance that both have a label for. A topic
    where one has a label that the other lacks for such a nugget is left out as a whole: its scores are over other
    nuggets. A nugget of another importance that one lacks leaves out nothing."""
    first, second = known_labels(matrix.labels[baseline]), known_labels(matrix.labels[system])
    topic = matrix.nuggets.topic_of_each[matrix.rows]
    wanted = np.isin(matrix.nuggets.importance[matrix.rows], list(importance))
    lacking = np.unique(topic[wanted & ((first == UNJUDGED) != (second == UNJUDGED))])
    kept = wanted & (first != UNJUDGED) & ~np.isin(topic, lacking)
    columns = np.flatnonzero(kept)
    return LabelPairs(
        first[columns], second[columns], frozen(topic[columns]), frozen(columns),
        tuple(matrix.nuggets.topics[place] for place in lacking.tolist()),
    )  # fmt: skip


def said_order(labels: Labels, importance: Labels) -> Ints:
    """Return the order in which nuggets are shown, int64[n]: vital, okay, then those of another importance; within each
    first what most systems say, fully or at least in part, so that what divides them stands in the middle; of equally
    many those first that the baseline says, the first of the systems. ``labels`` int8[R, n]."""
    known = known_labels(labels)
    full = np.count_nonzero(known == FULL, axis=0)
    partly = np.count_nonzero(known == PARTIAL, axis=0)
    own = known[0] if len(known) else np.zeros(len(importance), dtype=np.int8)
    kind = np.where(importance == VITAL, 0, np.where(importance == OKAY, 1, 2))
    some = full + partly
    order: Ints = np.lexsort((np.arange(len(importance)), -own, -(2 * full + partly), -some, kind)).astype(np.int64)
    return frozen(order)


def systems_order(labels: Labels, vital: Bools) -> Ints:
    """Return systems by how much they say of the vital nuggets (of all where none is vital), most first, int64[R]."""
    known = known_labels(labels[:, vital] if np.any(vital) else labels)
    full = np.count_nonzero(known == FULL, axis=1)
    partly = np.count_nonzero(known == PARTIAL, axis=1)
    order: Ints = np.lexsort((np.arange(len(labels)), -partly, -full)).astype(np.int64)
    return frozen(order)
