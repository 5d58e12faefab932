"""Text of each query's best, median and worst value and each run's difference from the median, as TREC prints for each
participant."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from irviewer.analysis.statistics.log_ratios import ratio_of
from irviewer.analysis.statistics.query_statistics import QueryStatistics
from irviewer.model.arrays import Floats
from irviewer.model.number_text import times
from irviewer.reports.comparison_grids import number, signed
from irviewer.tables import markdown
from irviewer.tables.aligned import aligned_within
from irviewer.tables.json_text import json_text
from irviewer.translation import tr


@dataclass(frozen=True, eq=False)
class Medians:
    """Medians of a measure for R runs and Q queries; ``differences`` and ``values`` float64[R, Q], NaN if missing. With
    ``geometric`` the differences are logarithms of ratios, and the ratios are shown."""

    measure: str
    runs: tuple[str, ...]
    query_ids: tuple[str, ...]
    statistics: QueryStatistics
    differences: Floats
    values: Floats
    geometric: bool = False

    @property
    def title(self) -> str:
        """The title of the table."""
        if self.geometric:
            return tr("{measure}, ratio to the median of {runs} runs", measure=self.measure, runs=len(self.runs))
        return tr("{measure}, difference from the median of {runs} runs", measure=self.measure, runs=len(self.runs))

    @property
    def counts(self) -> list[str]:
        """The number of queries above, at and below the median, for each run."""
        rows = self.differences
        return [f"{(row > 1e-12).sum()}/{(abs(row) <= 1e-12).sum()}/{(row < -1e-12).sum()}" for row in rows]


def write_table(table: Sequence[Medians], width: int | None = None) -> str:
    """Return aligned tables with a row for each query, and the number of queries above, at and below the median;
    columns that do not fit the width are in blocks."""
    blocks = []
    for medians in table:
        lines = [medians.title, *aligned_within(*_grid(medians), 1, width)]
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def write_markdown(table: Sequence[Medians]) -> str:
    """Return Markdown tables."""
    blocks = []
    for medians in table:
        header, rows = _grid(medians)
        escaped = [[markdown.escape(cell) for cell in row] for row in [header, *rows]]
        lines = markdown.table(escaped[0], escaped[1:], [position > 0 for position in range(len(header))])
        blocks.append("\n".join([markdown.escape(medians.title), "", *lines]) + "\n")
    return "\n".join(blocks)


def _grid(medians: Medians) -> tuple[list[str], list[list[str]]]:
    statistics = medians.statistics
    header = ["query", "best", "median", "worst", *medians.runs]
    rows = []
    for position, query in enumerate(medians.query_ids):
        three = (
            float(statistics.best[position]),
            float(statistics.median[position]),
            float(statistics.worst[position]),
        )
        write = _times if medians.geometric else signed
        rows.append(
            [
                query,
                *map(number, three),
                *(write(difference) for difference in medians.differences[:, position].tolist()),
            ]
        )
    rows.append(["above/on/below", "", "", "", *medians.counts])
    return header, rows


def write_csv(table: Sequence[Medians], delimiter: str = ",") -> str:
    """Return a row for each measure, query and run at full precision, with the query's numbers in each."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    names = ("measure", "query", "run", "value", "median", "difference", "ratio", "best", "worst", "mean", "difficulty")
    writer.writerow([*names, "separated", "agreement"])
    for medians in table:
        statistics = medians.statistics
        for position, query in enumerate(medians.query_ids):
            of_query = [
                statistics.best,
                statistics.worst,
                statistics.mean,
                statistics.difficulty,
                statistics.separated,
                statistics.agreement,
            ]
            for run, name in enumerate(medians.runs):
                cells = [
                    medians.values[run, position],
                    statistics.median[position],
                    *_both(medians, float(medians.differences[run, position])),
                ]
                cells += [column[position] for column in of_query]
                numbers = ["" if math.isnan(cell) else repr(float(cell)) for cell in cells]
                writer.writerow([medians.measure, query, name, *numbers])
    return out.getvalue()


def write_tsv(table: Sequence[Medians]) -> str:
    """Return the CSV form with tabs."""
    return write_csv(table, "\t")


def write_json(table: Sequence[Medians]) -> str:
    """Return for each measure and query the numbers over all runs and each run's difference; null if missing."""
    measures = []
    for medians in table:
        statistics = medians.statistics
        names = ("best", "median", "worst", "mean", "difficulty", "separated", "agreement")
        queries = {}
        for position, query in enumerate(medians.query_ids):
            numbers: dict[str, object] = {name: float(getattr(statistics, name)[position]) for name in names}
            changes = medians.differences[:, position].tolist()
            both = {run: _both(medians, change) for run, change in zip(medians.runs, changes, strict=True)}
            queries[query] = numbers | {
                "differences": {run: difference for run, (difference, _) in both.items()},
                "ratios": {run: ratio for run, (_, ratio) in both.items()},
            }
        measures.append({"measure": medians.measure, "runs": len(medians.runs), "queries": queries})
    return json_text({"medians": measures}, 2)


def _times(change: float) -> str:
    """Return the text of a ratio, given its logarithm."""
    return times(ratio_of(change))


def _both(medians: Medians, change: float) -> tuple[float, float]:
    """Return difference and ratio; the ratio is NaN for arithmetic means, the difference for geometric means."""
    return (math.nan, ratio_of(change)) if medians.geometric else (change, math.nan)


WRITERS: dict[str, Callable[[Sequence[Medians]], str]] = {
    "table": write_table,
    "csv": write_csv,
    "tsv": write_tsv,
    "json": write_json,
    "markdown": write_markdown,
}
