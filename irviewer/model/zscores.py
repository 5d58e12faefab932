"""Z-scores: a value as standard deviations above the mean of reference runs on the same query (trec_eval -Z)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irviewer.model.arrays import Floats

MISSING = -1000000.0
"""What trec_eval prints, and averages, where the file has no mean for a measure and query."""


@dataclass(frozen=True, eq=False)
class ZScores:
    """Means and standard deviations of reference runs; ``values`` is {(query, measure): (mean, deviation)}, measures
    under trec_eval's names or ours; ``name`` and ``origin`` tell which file they are of, "" for none."""

    values: Mapping[tuple[str, str], tuple[float, float]]
    name: str = ""
    origin: str = ""

    @cached_property
    def query_ids(self) -> frozenset[str]:
        """The queries that there are means for."""
        return frozenset(query for query, _ in self.values)

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """The measures that there are means for, as they are written, in the order of the file."""
        return tuple(dict.fromkeys(measure for _, measure in self.values))

    @staticmethod
    def scored(values: Floats, mean: Floats, deviation: Floats) -> Floats:
        """float64[E]: values as deviations from their means."""
        found = np.divide(values - mean, deviation, out=np.full(len(values), np.nan), where=deviation != 0)
        return np.where((deviation == 0) & (values == mean), 0.0, found)
