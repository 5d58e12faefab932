"""Each query's best, median and worst value and each run's difference from the median, as TREC prints them for each
participant; and how many queries each run has above, on and below the median."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from irviewer.analysis.statistics.query_statistics import (
    LEAST_RUNS,
    QueryStatistics,
    difference_from_median,
    query_statistics,
)
from irviewer.analysis.statistics.warnings import lacking_queries
from irviewer.errors import MeasureError, OptionError
from irviewer.evaluation.answer_cautions import measure_left_out
from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.results import ResultTable
from irviewer.model.arrays import Floats
from irviewer.tables import column
from irviewer.tables.table import Table
from irviewer.translation import tr, trn
from irviewer.views.inputs import Inputs
from irviewer.views.keys import data_keys
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult
from irviewer.views.selection import note_remarks
from irviewer.views.view import ResultView

ROUNDING = 1e-12
"""Differences up to this size are none."""


@dataclass(frozen=True, eq=False)
class Medians:
    """Medians of a measure for R runs and Q queries; ``differences`` float64[R, Q], NaN if missing. With ``geometric``
    the differences are logarithms of ratios, and the ratios are shown. ``notes`` say which queries runs lack."""

    measure: str
    runs: tuple[str, ...]
    query_ids: tuple[str, ...]
    statistics: QueryStatistics
    differences: Floats
    geometric: bool = False
    higher_is_better: bool = True
    notes: tuple[str, ...] = ()

    def differences_of(self, run: str) -> Floats:
        """Return the differences of a run, float64[Q]; NaN of one that lacks what the measure reads."""
        return self.differences[self.runs.index(run)] if run in self.runs else np.full(len(self.query_ids), np.nan)

    @property
    def title(self) -> str:
        """The title of its rows."""
        if self.geometric:
            return trn(
                "{measure}, ratio to the median of {n} run",
                "{measure}, ratio to the median of {n} runs",
                len(self.runs),
                measure=self.measure,
            )
        return trn(
            "{measure}, difference from the median of {n} run",
            "{measure}, difference from the median of {n} runs",
            len(self.runs),
            measure=self.measure,
        )


def tables(medians: Sequence[Medians], bound: BoundProtocol | None) -> ViewResult:
    """Return the tables ``medians``, a row for each measure and query, and ``runs``, a row for each measure and run."""
    return ViewResult(tuple(medians), (_queries(medians), _runs(medians))).with_provenance(provenance("medians", bound))


def _queries(medians: Sequence[Medians]) -> Table:
    rows = [(each, place) for each in medians for place in range(len(each.query_ids))]
    names = [each.measure for each, _ in rows]

    def joined(name: str) -> Floats:
        return np.concatenate([np.asarray(getattr(each.statistics, name), np.float64) for each in medians])

    own = (
        column.measures("measure", tr("measure"), names, texts=[each.title for each, _ in rows]),
        column.identifier("query", tr("query"), [each.query_ids[place] for each, place in rows]),
        column.number("best", tr("best"), joined("best")),
        column.number("median", tr("median"), joined("median")),
        column.number("worst", tr("worst"), joined("worst")),
        *(column.number(name, title, joined(name), detail=True) for name, title in (
            ("mean", tr("mean")), ("difficulty", tr("difficulty")), ("separated", tr("separated")),
            ("agreement", tr("agreement")),
        )),
    )  # fmt: skip
    logs = [each.geometric for each, _ in rows]
    up = [each.higher_is_better for each, _ in rows]
    runs = tuple(dict.fromkeys(run for each in medians for run in each.runs))
    remarks = {each.text: each for median in medians for each in note_remarks("missing", median.notes)}
    differences = [
        column.difference(
            key,
            run,
            np.concatenate([each.differences_of(run) for each in medians]),
            names="run",
            log=logs,
            better_up=up,
        )
        for run, key in zip(runs, data_keys(runs, own), strict=True)
    ]
    return Table("medians", "", (*own, *differences), group="measure", opens="query",
                 notes=tuple(remarks.values()))  # fmt: skip


def _runs(medians: Sequence[Medians]) -> Table:
    rows = [(each, each.differences[place], run) for each in medians for place, run in enumerate(each.runs)]
    return Table("runs", tr("Queries above and below the median"), (
        column.measures("measure", tr("measure"), [each.measure for each, _, _ in rows]),
        column.run("run", tr("run"), [run for _, _, run in rows]),
        column.count("above", tr("above"), [int((values > ROUNDING).sum()) for _, values, _ in rows]),
        column.count("on", tr("on it"), [int((abs(values) <= ROUNDING).sum()) for _, values, _ in rows]),
        column.count("below", tr("below"), [int((values < -ROUNDING).sum()) for _, values, _ in rows]),
    ), group="measure", opens="run")  # fmt: skip


def medians_of(result: ResultTable, queries: Sequence[str] | None) -> list[Medians]:
    """Return the medians of each measure, of these queries (None: all). Raises OptionError for a measure without values
    by query."""
    asked = None if queries is None else set(queries)
    kept = [index for index, query in enumerate(result.query_ids) if asked is None or query in asked]
    refused: MeasureError | None = None
    every, left_out, notes = [], [], tuple(lacking_queries(result, asked))
    for measure in result.measures:
        try:
            own = result.having([measure], LEAST_RUNS)
        except MeasureError as lacking:
            refused = refused or lacking
            left_out.append(measure_left_out(measure.text))
            continue
        values = own.of(measure)[1][:, kept]
        if measure.is_text or measure.aggregate in ("none", "count"):
            raise OptionError(tr("{measure} has no values by query to compare", measure=measure.text))
        geometric, never = measure.aggregate == "geometric", own.unreached(measure)[:, kept]
        statistics = query_statistics(
            values, higher_is_better=measure.higher_is_better, geometric=geometric, unreached=never
        )
        differences = difference_from_median(values, geometric=geometric, median=statistics.median)
        ids = tuple(result.query_ids[index] for index in kept)
        every.append(
            Medians(measure.text, own.runs, ids, statistics, differences, geometric, measure.higher_is_better, notes)
        )
    if refused is not None and not every:
        raise refused
    return [replace(every[0], notes=(*left_out, *notes)), *every[1:]]


def compute(inputs: Inputs, protocol: BoundProtocol) -> list[Medians]:
    """The best, median and worst value of each query, and the difference of each run to the median."""
    part = inputs.one
    part.refuse(tr("Medians"), "weights")
    result = part.results()
    result.check_matched()
    return medians_of(result, protocol.selected)


VIEW = ResultView(
    "medians", compute, tables, title=tr("Medians"), uses=("rules", "scope"), needs=("judgments", "two runs")
)
