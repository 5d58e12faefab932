"""Z-scores: a value as standard deviations above the mean of reference runs on the same query (trec_eval -Z)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from irviewer.errors import OptionError
from irviewer.model.arrays import Floats
from irviewer.model.measure import Measure
from irviewer.model.notations import trec_name
from irviewer.model.results import ResultTable

MISSING = -1000000.0
"""What trec_eval prints, and averages, where the file has no mean for a measure and query."""


@dataclass(frozen=True, eq=False)
class ZScores:
    """Means and standard deviations of reference runs; ``values`` is {(query, measure): (mean, deviation)}, measures
    under trec_eval's names or ours; ``name`` and ``origin`` tell which file they are of, "" for none."""

    values: Mapping[tuple[str, str], tuple[float, float]]
    name: str = ""
    origin: str = ""

    @classmethod
    def of_runs(cls, result: ResultTable, name: str = "") -> ZScores:
        """The runs of an evaluation as reference: of each query and measure the mean of their values and the standard
        deviation of a sample (by n - 1), under trec_eval's names where it has the measure. A query on which fewer than
        two runs have a value is left out, and so is what has no Z-score: counts of queries, texts, geometric means.

        Raises OptionError for fewer than two runs, and where no measure is left."""
        if len(result.runs) < 2:
            raise OptionError("a deviation takes two runs or more")
        kept = [one for one in result.measures if cls.applies(one) and one.aggregate != "geometric"]
        if not kept:
            raise OptionError(f"no Z-scores are made of {', '.join(one.text for one in result.measures)}")
        found: dict[tuple[str, str], tuple[float, float]] = {}
        for place, query in enumerate(result.query_ids):
            for one in kept:
                values = result.of(one)[1][:, place]
                values = values[~np.isnan(values)]
                if len(values) > 1:
                    known = trec_name(one, result.options.level)
                    key = query, known[0] if known else one.asked or one.text
                    spread = 0.0 if np.ptp(values) == 0 else float(values.std(ddof=1))
                    found[key] = float(values.mean()) if spread else float(values[0]), spread
        return cls(found, name)

    @cached_property
    def query_ids(self) -> frozenset[str]:
        """The queries that there are means for."""
        return frozenset(query for query, _ in self.values)

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """The measures that there are means for, as they are written, in the order of the file."""
        return tuple(dict.fromkeys(measure for _, measure in self.values))

    @staticmethod
    def applies(measure: Measure) -> bool:
        """False for what stays as it is: a count of queries, text."""
        return measure.aggregate != "count" and not measure.is_text

    def of(self, measure: Measure, query_ids: tuple[str, ...], values: Floats, level: float = 1) -> Floats:
        """float64[E]: the Z-scores of values, NaN where there is none: no such line, or a deviation of 0 from a mean
        that the value is not; the mean itself is 0."""
        return self.scored(values, *self.reference(measure, query_ids, level))

    def reference(self, measure: Measure, query_ids: tuple[str, ...], level: float = 1) -> tuple[Floats, Floats]:
        """float64[E], float64[E]: the mean and the deviation of each query, NaN where there is no such line."""
        known = trec_name(measure, level)
        names = tuple(dict.fromkeys(one for one in (known[0] if known else "", measure.text, measure.asked) if one))
        pairs = [
            next((self.values[query, name] for name in names if (query, name) in self.values), (np.nan, np.nan))
            for query in query_ids
        ]
        mean, deviation = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
        return mean, deviation

    @staticmethod
    def scored(values: Floats, mean: Floats, deviation: Floats) -> Floats:
        """float64[E]: values as deviations from their means."""
        found = np.divide(values - mean, deviation, out=np.full(len(values), np.nan), where=deviation != 0)
        return np.where((deviation == 0) & (values == mean), 0.0, found)

    def convert(self, result: ResultTable) -> ResultTable:
        """The table with Z-scores for values; means are over the queries that have one, NaN where none has. A measure
        is called Z(nDCG@10) there. Counts of queries stay; a geometric mean, which has no value by query, is NaN."""
        values, means = result.values.copy(), result.means.copy()
        measures = []
        for m, one in enumerate(result.measures):
            measures.append(replace(one, text=f"Z({one.text})", family=replace(one.family, counts=False)))
            if not self.applies(one):
                continue
            for n in range(len(result.runs)):
                if one.aggregate == "geometric":
                    values[m, n] = np.nan
                else:
                    values[m, n] = self.of(one, result.query_ids, values[m, n], result.options.level)
                there = values[m, n][~np.isnan(values[m, n])]
                means[m, n] = one.mean(there) if len(there) else np.nan
        values.flags.writeable = False
        means.flags.writeable = False
        return replace(result, measures=tuple(measures), values=values, means=means)

    def lacking(self, result: ResultTable) -> tuple[str, ...]:
        """The measures that have no Z-score for some query of a table; geometric means, which never have, left out."""
        converted = self.convert(result)
        gone = np.isnan(converted.values) & ~np.isnan(result.values)
        never = ("geometric", "none")
        return tuple(one.text for m, one in enumerate(result.measures) if one.aggregate not in never and gone[m].any())
