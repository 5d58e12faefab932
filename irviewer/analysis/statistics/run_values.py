"""Values of runs by query for one measure, with what it takes to compare them: the input of analyses that compare the
same runs on many sets of queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from irviewer.analysis.statistics.compare import compare
from irviewer.analysis.statistics.comparison import Comparison
from irviewer.analysis.statistics.result_comparison import ComparisonOptions, untestable
from irviewer.analysis.statistics.significance.resampling import differences
from irviewer.errors import OptionError, name_some
from irviewer.evaluation.results import ResultTable
from irviewer.measures.base import Measure
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.geometric import logarithms
from irviewer.model.run_names import run_place
from irviewer.translation import tr


@dataclass(frozen=True, eq=False)
class RunValues:
    """R runs over E queries for one measure.

    values     float64[R, E]; NaN where a run has no value for a query
    unreached  bool[R, E]: the run has the query and never gets so far that there would be a value
    geometric  the mean over queries is geometric: differences are of logarithms
    """

    names: tuple[str, ...]
    query_ids: tuple[str, ...]
    values: Floats
    unreached: Bools
    measure: str = ""
    higher_is_better: bool = True
    geometric: bool = False

    @classmethod
    def of(cls, result: ResultTable, measure: str | Measure, queries: Sequence[str] | None = None) -> RunValues:
        """The values of a result's measure, of all queries or of some, and of the runs that have what it reads. Raises
        OptionError for queries that were not evaluated, and for a measure that is no mean over queries; MeasureError
        where no run has what it reads."""
        result = result.having([measure])
        bound, values = result.of(measure)
        why = untestable(bound)
        if why:
            raise OptionError(why)
        every = cls(
            result.runs, result.query_ids, values, result.unreached(bound), bound.text, bound.higher_is_better,
            bound.aggregate == "geometric",
        )  # fmt: skip
        if queries is None:
            return every
        known = {query: position for position, query in enumerate(result.query_ids)}
        unknown = [query for query in queries if query not in known]
        if unknown:
            raise OptionError(tr("These queries were not evaluated: {queries}.", queries=name_some(unknown)))
        return every.at(np.array(sorted({known[query] for query in queries}), dtype=np.int64))

    def at(self, places: Ints) -> RunValues:
        """The same for the queries at these places."""
        return replace(
            self,
            query_ids=tuple(self.query_ids[position] for position in places.tolist()),
            values=self.values[:, places],
            unreached=self.unreached[:, places],
        )

    def only(self, runs: Sequence[int]) -> RunValues:
        """The same for some of the runs."""
        rows = list(runs)
        return replace(
            self, names=tuple(self.names[row] for row in rows), values=self.values[rows], unreached=self.unreached[rows]
        )

    def place(self, run: int | str | None) -> int:
        """The place of a run by name or place, 0 for None. Raises OptionError."""
        if run is None:
            return 0
        if isinstance(run, str):
            return self.names.index(run) if run in self.names else run_place(run, self.names)
        if not 0 <= run < len(self.names):
            raise OptionError(tr("There is no run number {run}; there are {n}.", run=run, n=len(self.names)))
        return run

    def compare(
        self, options: ComparisonOptions, *, baseline: int | None = 0, pairs: bool = False, notes: Sequence[str] = ()
    ) -> Comparison:
        """Each run beside the baseline, or all pairs."""
        return compare(
            self.values, self.names, self.query_ids, baseline=baseline, pairs=pairs, unreached=self.unreached,
            measure=self.measure, higher_is_better=self.higher_is_better, geometric=self.geometric, notes=notes,
            **vars(options),
        )  # fmt: skip

    def difference(self, run: int, other: int) -> Floats:
        """float64[E]: the run's value minus the other's by query, of geometric means that of the logarithms; NaN where
        one of the two has none."""
        rows = logarithms(self.values[[run, other]]) if self.geometric else self.values[[run, other]]
        return differences(rows[0], rows[1])
