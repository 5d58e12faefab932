"""Each query's best, median and worst value and every run's difference from the median, as text; TREC prints such a
table for each participant. Computes nothing."""

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
from irviewer.reports.json_text import json_text
from irviewer.translation import tr


@dataclass(frozen=True, eq=False)
class Medians:
    """Of one measure: R runs, Q queries; ``differences`` and ``values`` float64[R, Q], NaN where a run has none. With
    ``geometric`` the differences are logarithms of ratios, which are shown."""

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
        """For each run the queries above, at and below the median."""
        rows = self.differences
        return [f"{(row > 1e-12).sum()}/{(abs(row) <= 1e-12).sum()}/{(row < -1e-12).sum()}" for row in rows]


def write_table(table: Sequence[Medians]) -> str:
    """Aligned, a row a query; below how many queries of each run lie above, on and below the median."""
    blocks = []
    for one in table:
        header, rows = _grid(one)
        widths = [max(len(row[place]) for row in [header, *rows]) for place in range(len(header))]
        lines = [one.title]
        for row in [header, *rows]:
            cells = [cell.ljust(widths[0]) if not at else cell.rjust(widths[at]) for at, cell in enumerate(row)]
            lines.append("  ".join(cells).rstrip())
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def write_markdown(table: Sequence[Medians]) -> str:
    """The same as Markdown tables."""
    blocks = []
    for one in table:
        header, rows = _grid(one)
        rule = [":--", *["--:"] * (len(header) - 1)]
        escaped = [[cell.replace("\\", "\\\\").replace("|", "\\|") for cell in row] for row in [header, *rows]]
        lines = ["| " + " | ".join(row) + " |" for row in [escaped[0], rule, *escaped[1:]]]
        blocks.append("\n".join([one.title, "", *lines]) + "\n")
    return "\n".join(blocks)


def _grid(one: Medians) -> tuple[list[str], list[list[str]]]:
    told = one.statistics
    header = ["query", "best", "median", "worst", *one.runs]
    rows = []
    for place, query in enumerate(one.query_ids):
        three = (float(told.best[place]), float(told.median[place]), float(told.worst[place]))
        write = _times if one.geometric else signed
        rows.append([query, *map(number, three), *(write(each) for each in one.differences[:, place].tolist())])
    rows.append(["above/on/below", "", "", "", *one.counts])
    return header, rows


def write_csv(table: Sequence[Medians], delimiter: str = ",") -> str:
    """A row a measure, query and run at full precision, with the query's numbers in each."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    names = ("measure", "query", "run", "value", "median", "difference", "ratio", "best", "worst", "mean", "difficulty")
    writer.writerow([*names, "separated", "agreement"])
    for one in table:
        told = one.statistics
        for place, query in enumerate(one.query_ids):
            of_query = [told.best, told.worst, told.mean, told.difficulty, told.separated, told.agreement]
            for run, name in enumerate(one.runs):
                cells = [one.values[run, place], told.median[place], *_both(one, float(one.differences[run, place]))]
                cells += [each[place] for each in of_query]
                numbers = ["" if math.isnan(each) else repr(float(each)) for each in cells]
                writer.writerow([one.measure, query, name, *numbers])
    return out.getvalue()


def write_tsv(table: Sequence[Medians]) -> str:
    """The same with tabs."""
    return write_csv(table, "\t")


def write_json(table: Sequence[Medians]) -> str:
    """For each measure and query the numbers of the field and each run's difference; null where there is none."""
    measures = []
    for one in table:
        told = one.statistics
        names = ("best", "median", "worst", "mean", "difficulty", "separated", "agreement")
        queries = {}
        for place, query in enumerate(one.query_ids):
            numbers: dict[str, object] = {name: float(getattr(told, name)[place]) for name in names}
            changes = one.differences[:, place].tolist()
            both = {run: _both(one, each) for run, each in zip(one.runs, changes, strict=True)}
            queries[query] = numbers | {
                "differences": {run: each for run, (each, _) in both.items()},
                "ratios": {run: each for run, (_, each) in both.items()},
            }
        measures.append({"measure": one.measure, "runs": len(one.runs), "queries": queries})
    return json_text({"medians": measures}, 2)


def _times(change: float) -> str:
    """The logarithm of a ratio as that ratio."""
    return times(ratio_of(change))


def _both(one: Medians, change: float) -> tuple[float, float]:
    """A difference, or where means are geometric a ratio; NaN for what it is not."""
    return (math.nan, ratio_of(change)) if one.geometric else (change, math.nan)


WRITERS: dict[str, Callable[[Sequence[Medians]], str]] = {
    "table": write_table,
    "csv": write_csv,
    "tsv": write_tsv,
    "json": write_json,
    "markdown": write_markdown,
}
