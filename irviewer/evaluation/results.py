"""Values: measures x runs x queries as one array, with the means, and as an Arrow table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from irviewer.errors import UndecidedError
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measure
from irviewer.model.arrays import Bools, Floats
from irviewer.model.exported import Exported
from irviewer.model.matching.unmatched import Unmatched, unmatched_warnings
from irviewer.model.number_text import counted
from irviewer.model.options import EvaluationOptions


@dataclass(frozen=True, eq=False, repr=False)
class ResultTable(Exported):
    """What an evaluation found: M measures, N runs, E queries.

    measures    the measures as computed (relevance level and the like made explicit)
    runs        the runs' names
    query_ids   the evaluated queries in bytewise order; under "intersection" all that any run has
    values      float64[M, N, E]; NaN where a query is left out for a run (missing, under "intersection")
    means       float64[M, N]; what the measure's aggregate makes of the values
    missing     run name -> the qrels' queries that it lacks
    options     the choices behind the numbers
    unmatched   the runs none of whose documents is judged: their ids are not the qrels', their numbers say nothing
    cautions    what else has to be told of how little of a run is judged, sentences
    """

    measures: tuple[Measure, ...]
    runs: tuple[str, ...]
    query_ids: tuple[str, ...]
    values: Floats
    means: Floats
    missing: Mapping[str, tuple[str, ...]]
    options: EvaluationOptions
    unmatched: tuple[Unmatched, ...] = ()
    cautions: tuple[str, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """All that has to be told before a number is believed."""
        return (*unmatched_warnings(self.unmatched), *self.cautions)

    def check_matched(self) -> None:
        """Raises UndecidedError where the qrels know nothing of a run: an order of runs would count it as the worst."""
        if self.unmatched:
            raise UndecidedError("; ".join(unmatched_warnings(self.unmatched)))

    def __getitem__(self, measure: str | Measure) -> Floats:
        """float64[N] means of a measure, or its single mean (float64[1] for one run)."""
        row: Floats = self.means[self._place(measure)]
        return row

    def mean(self, measure: str | Measure, run: str | None = None) -> float:
        """The mean of one measure for one run (the only one, where none is named)."""
        return float(self.means[self._place(measure), self._run(run)])

    def of(self, measure: str | Measure) -> tuple[Measure, Floats]:
        """The measure as computed, and float64[N, E], its values of every run and query."""
        place = self._place(measure)
        return self.measures[place], self.values[place]

    def by_query(self, measure: str | Measure, run: str | None = None) -> dict[str, float]:
        """Query -> value of one measure for one run; queries left out are not in it."""
        values = self.values[self._place(measure), self._run(run)]
        pairs = zip(self.query_ids, values.tolist(), strict=True)
        return {query: value for query, value in pairs if not np.isnan(value)}

    @cached_property
    def counted(self) -> Bools:
        """bool[N, E]: the queries that count in a run's mean."""
        if self.options.missing_policy == "zero":
            return np.ones((len(self.runs), len(self.query_ids)), dtype=np.bool_)
        lacks = [set(self.missing.get(run, ())) for run in self.runs]
        rows = [[query not in lacking for query in self.query_ids] for lacking in lacks]
        return np.array(rows, dtype=np.bool_).reshape(len(self.runs), len(self.query_ids))

    def unreached(self, measure: str | Measure) -> Bools:
        """bool[N, E]: queries that count for a run and have no value, for the run never gets so far: to the rank of a
        recall, for one, that it does not reach."""
        return np.asarray(self.counted & np.isnan(self.values[self._place(measure)]))

    @cached_property
    def without_mean(self) -> tuple[tuple[Measure, str, tuple[str, ...]], ...]:
        """(measure, run, queries) wherever a run has values and yet no mean, because of queries that have no value, or
        has none because nobody said how many documents there are."""
        found = []
        for m, n in np.argwhere(np.isnan(self.means)).tolist():
            wants_size = self.measures[m].wants_size and len(self.query_ids) > 0
            if np.isnan(self.values[m, n]).all() and not wants_size:
                continue
            queries = tuple(self.query_ids[place] for place in np.flatnonzero(np.isnan(self.values[m, n])))
            found.append((self.measures[m], self.runs[n], queries))
        return tuple(found)

    @cached_property
    def table(self) -> Any:
        """A pyarrow.Table with the columns run, query, measure, value, a row a value; ``all`` as query for means."""
        run, query, measure, value = [], [], [], []
        for m, one in enumerate(self.measures):
            if one.is_text:
                continue
            for n, name in enumerate(self.runs):
                row = self.values[m, n]
                kept = np.flatnonzero(~np.isnan(row))
                run += [name] * (len(kept) + 1)
                measure += [one.text] * (len(kept) + 1)
                query += [self.query_ids[place] for place in kept] + ["all"]
                value += [*row[kept].tolist(), float(self.means[m, n])]
        return pa.table(
            {
                "run": pa.array(run, pa.string()),
                "query": pa.array(query, pa.string()),
                "measure": pa.array(measure, pa.string()),
                "value": pa.array(value, pa.float64()),
            }
        )

    def _place(self, measure: str | Measure) -> int:
        texts = [one.text for one in self.measures]
        if isinstance(measure, Measure):
            wanted = measure.text
        else:
            known = measure in texts or any(one.asked == measure for one in self.measures)
            wanted = measure if known else parse_measure(measure).text
        if wanted in texts:
            return texts.index(wanted)
        # A measure asked for as AP was computed as AP(rel=2) under level 2: the bound one answers to both names.
        loose = [place for place, one in enumerate(self.measures) if wanted == one.asked]
        if len(loose) == 1:
            return loose[0]
        raise KeyError(f"{measure} was not evaluated; there are {', '.join(texts)}")

    def _run(self, run: str | None) -> int:
        if run is None:
            if len(self.runs) != 1:
                raise KeyError(f"which run? there are {', '.join(self.runs)}")
            return 0
        if run not in self.runs:
            raise KeyError(f"no run {run}; there are {', '.join(self.runs)}")
        return self.runs.index(run)

    def __repr__(self) -> str:
        width = max([len(name) for name in self.runs] + [3])
        columns = [one.text for one in self.measures]
        shown = columns[:8]
        more = f"  … {len(columns) - 8} more" if len(columns) > 8 else ""
        lines = [
            counted(len(self.query_ids), "query", "queries"),
            "run".ljust(width) + "".join(f"  {c:>9}" for c in shown) + more,
        ]
        for n, name in enumerate(self.runs):
            cells = [
                f"  {format_value(self.measures[m], self.means[m, n]):>{max(9, len(shown[m]))}}"
                for m in range(len(shown))
            ]
            lines.append(name.ljust(width) + "".join(cells))
        lines += [f"warning: {said}" for said in self.warnings]
        return "\n".join(lines)


def format_value(measure: Measure, value: float, digits: int = 4) -> str:
    """A value as trec_eval prints it: four decimals, counts whole; "–" where there is none."""
    if np.isnan(value):
        return "–"
    return f"{value:.0f}" if measure.counts else f"{value:.{digits}f}"


def combine(
    measures: Sequence[Measure],
    runs: Sequence[str],
    tables: Sequence[Sequence[Floats]],
    query_ids: Sequence[Sequence[str]],
    missing: Mapping[str, tuple[str, ...]],
    options: EvaluationOptions,
    unmatched: Sequence[Unmatched] = (),
    cautions: Sequence[str] = (),
) -> ResultTable:
    """One table of what each run's evaluation found.

    ``tables[n][m]`` float64[E_n] are the values of run n over its queries ``query_ids[n]`` (each in bytewise order).
    Means are taken over a run's own queries."""
    every = sorted(
        {query for ids in query_ids for query in ids}, key=lambda one: one.encode("utf-8", "surrogateescape")
    )
    place = {query: number for number, query in enumerate(every)}
    values = np.full((len(measures), len(runs), len(every)), np.nan)
    means = np.full((len(measures), len(runs)), np.nan)
    for n, ids in enumerate(query_ids):
        columns = np.array([place[query] for query in ids], dtype=np.int64)
        for m, one in enumerate(measures):
            values[m, n, columns] = tables[n][m]
            means[m, n] = one.mean(tables[n][m])
    values.flags.writeable = False
    means.flags.writeable = False
    return ResultTable(
        tuple(measures), tuple(runs), tuple(every), values, means, dict(missing), options, tuple(unmatched),
        tuple(cautions),
    )  # fmt: skip
