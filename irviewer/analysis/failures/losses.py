"""The loss of a run by query: how far it is from the best possible value, and in which of three parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from irviewer.model.arrays import Floats, Ints, frozen
from irviewer.translation import tr

PartName = Literal["not_retrieved", "too_low", "order"]
PARTS: tuple[PartName, ...] = ("not_retrieved", "too_low", "order")
PART_TITLES = {
    "not_retrieved": tr("not retrieved"),
    "too_low": tr("retrieved too low"),
    "order": tr("wrong order in the top"),
}
PART_MEANINGS = {
    "not_retrieved": tr("what relevant documents that the run does not return would add"),
    "too_low": tr("what documents below the top would add if they were in it"),
    "order": tr("what the order of the documents in the top costs"),
}


@dataclass(frozen=True, eq=False)
class RunLosses:
    """The loss of a run on Q queries, in the measure's unit and never below 0; NaN where it has no value.

    total  float64[Q]
    parts  float64[3, Q] in the order of ``PARTS``: they add up to ``total`` exactly; None for a measure that has no
           best order
    of     what the loss is counted from: the best possible value by query, float64[Q]
    """

    run: str
    query_ids: tuple[str, ...]
    total: Floats
    parts: Floats | None
    of: Floats

    def at(self, places: Ints) -> RunLosses:
        """Return the same for the queries at these places."""
        parts = None if self.parts is None else frozen(self.parts[:, places])
        ids = tuple(self.query_ids[place] for place in places.tolist())
        return RunLosses(self.run, ids, frozen(self.total[places]), parts, frozen(self.of[places]))

    @property
    def largest(self) -> Ints:
        """int64[Q]: the place of the largest part of each query in ``PARTS``, the first of equal ones; -1 where nothing
        is lost, and without parts."""
        if self.parts is None:
            return np.full(len(self.total), -1, dtype=np.int64)
        lost = np.nan_to_num(self.total) > 0
        return np.where(lost, np.nan_to_num(self.parts).argmax(axis=0), -1).astype(np.int64)

    def words(self, measure: str) -> str:
        """Return what the loss is: ``loss = 1 − nDCG@10``."""
        known = self.of[~np.isnan(self.of) & (np.nan_to_num(self.of) > 0)]
        if not np.isfinite(self.of).any():
            return tr("{measure} has no best value", measure=measure)
        if not len(known):  # a cost: nothing is the best
            return tr("loss = {measure}", measure=measure)
        if np.all(np.abs(known - 1.0) < 1e-9):
            return tr("loss = 1 − {measure}", measure=measure)
        return tr("loss = best possible − {measure}", measure=measure)
