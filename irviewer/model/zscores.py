"""Z-scores: a value as standard deviations above the mean of reference runs on the same query (trec_eval -Z)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irviewer.model.arrays import Floats

MISSING = -1000000.0
"""The value that trec_eval prints and averages if the file has no mean for a measure and query."""


@dataclass(frozen=True, eq=False)
class ZScores:
    """Means and standard deviations of reference runs.

    values         (query, measure) -> (mean, deviation); measures by trec_eval's name or ours
    name, origin   the file's name and path, "" for none"""

    values: Mapping[tuple[str, str], tuple[float, float]]
    name: str = ""
    origin: str = ""

    @cached_property
    def query_ids(self) -> frozenset[str]:
        """The queries with means."""
        return frozenset(query for query, _ in self.values)

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures with means, in the order of the file."""
        return tuple(dict.fromkeys(measure for _, measure in self.values))

    @staticmethod
    def scored(values: Floats, mean: Floats, deviation: Floats) -> Floats:
        """Return the Z-scores of values, float64[E]; NaN for a deviation of 0, unless the value is the mean: then 0."""
        scores = np.divide(values - mean, deviation, out=np.full(len(values), np.nan), where=deviation != 0)
        return np.where((deviation == 0) & (values == mean), 0.0, scores)
