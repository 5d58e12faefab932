"""Text of values: trec_eval's lines, aligned tables, CSV, TSV, JSON, Markdown."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from irviewer.errors import MeasureError
from irviewer.evaluation.results import ResultTable, format_value, format_values
from irviewer.measures.base import Measure
from irviewer.measures.tool_names import trec_name, trec_sort_key
from irviewer.model.arrays import Floats
from irviewer.model.judgments.judged import Judged
from irviewer.model.recall_cuts import documents_taken
from irviewer.model.zscores import MISSING
from irviewer.tables import markdown
from irviewer.tables.aligned import aligned_within, fits
from irviewer.tables.json_text import json_text
from irviewer.translation import tr

TREC_NAN = "  -nan"
"""What trec_eval prints for NaN in %6.4f; nothing but this is ever shorter than its six places."""


@dataclass(frozen=True, eq=False)
class Written:
    """Values with what writers need: each run's tag, the joined runs, whether values by query and the runid line are
    written (trec_eval prints it with its groups; several runs always need it), and whether the values are Z-scores.
    ``width`` is the terminal's in characters, None for a table of any width."""

    result: ResultTable
    tags: Sequence[str]
    judged: Sequence[Judged]
    by_query: bool = False
    runid: bool = True
    zscores: bool = False
    width: int | None = None


def write_trec(written: Written) -> str:
    """Return trec_eval's lines: the name padded to 22, tab, query, tab, value; ``all`` last; run by run."""
    result = written.result
    level = result.options.level
    order = sorted(range(len(result.measures)), key=lambda m: (*trec_sort_key(result.measures[m], level), m))
    lines: list[str] = []
    for n, tag in enumerate(written.tags):
        lines += _trec_lines(written, n, tag, written.judged[n], order)
    return "\n".join(lines) + "\n"


def _trec_lines(written: Written, n: int, tag: str, judged: Judged, order: Sequence[int]) -> list[str]:
    result, lines = written.result, []
    level = result.options.level
    place = {query: number for number, query in enumerate(result.query_ids)}
    rows = [place[query] for query in judged.query_ids]
    columns: list[tuple[str, Measure, Floats, bool]] = []
    for m in order:
        measure = result.measures[m]
        known = trec_name(measure, level)
        name, summary_only = (
            (known[0], known[2]) if known else (measure.text, measure.aggregate in ("geometric", "count"))
        )
        values = result.values[m, n][rows]
        if written.zscores:
            values = np.where(np.isnan(values), MISSING, values)
            name = name if measure.is_text else f"Z{name:<22}"
        columns.append((name, measure, as_trec_eval(measure, judged, values), summary_only))
    if written.by_query:
        by_column = [
            _trec_column(name, judged, measure, values)
            for name, measure, values, summary_only in columns
            if measure.is_text or not summary_only
        ]
        lines += [line for lines_of_query in zip(*by_column, strict=True) for line in lines_of_query]
    if written.runid:
        lines.append(f"{'runid':<22}\tall\t{tag}")
    for name, measure, values, _ in columns:
        if not measure.is_text:
            (text,) = format_values(measure, np.array([measure.mean(values)]), nan=TREC_NAN)
            lines.append(f"{name:<22}\tall\t{text}")
    return lines


def _trec_column(name: str, judged: Judged, measure: Measure, values: Floats) -> list[str]:
    """Return the lines of one measure, a query each."""
    if measure.is_text:
        texts = [f"'{text}'" for text in measure.strings(judged)]
    else:
        texts = format_values(measure, values, nan=TREC_NAN)
    padded = f"{name:<22}"
    return [f"{padded}\t{query}\t{text}" for query, text in zip(judged.query_ids, texts, strict=True)]


def as_trec_eval(measure: Measure, judged: Judged, values: Floats) -> Floats:
    """Return the values as trec_eval 10 prints them. If judged-only leaves a query's list empty, it divides 0 by 0 for
    the precision at a recall that needs no document, and prints -nan. Elsewhere (window, Python, other formats) that
    precision is 0."""
    if measure.name not in ("IPrec", "11pt_avg"):
        return values
    empty = judged.in_run & (judged.returned == 0)
    if measure.name == "IPrec" and measure.cutoff is not None:
        relevant = judged.relevant_count(measure.parameter("rel"))
        empty = empty & (documents_taken(measure.cutoff, relevant, measure.parameter("cut")) == 0)
    return np.where(empty, np.nan, values)


def write_table(written: Written) -> str:
    """Return an aligned table with a row for each measure (and query) and a column for each run; if they do not fit the
    width, with a row for each run (and query)."""
    header, rows = _grid(written)
    left = 2 if written.by_query else 1
    if not fits(header, rows, written.width):
        header, rows = _grid_by_run(written)
    return "\n".join(aligned_within(header, rows, left, written.width)) + "\n"


def write_markdown(written: Written) -> str:
    """Return a Markdown table."""
    header, rows = _grid(written)
    left = 2 if written.by_query else 1
    escaped = [[markdown.escape(cell) for cell in row] for row in [header, *rows]]
    right = [position >= left for position in range(len(header))]
    return "\n".join(markdown.table(escaped[0], escaped[1:], right)) + "\n"


def _numbers(result: ResultTable) -> ResultTable:
    """Return the result without the measures that are text, which only trec_eval's format can contain."""
    numeric = [m for m, measure in enumerate(result.measures) if not measure.is_text]
    if len(numeric) == len(result.measures):
        return result
    if not numeric:
        raise MeasureError(
            tr("{measure} is a text, not a number: use --format trec -q", measure=result.measures[0].text)
        )
    measures = tuple(result.measures[m] for m in numeric)
    return replace(result, measures=measures, values=result.values[numeric], means=result.means[numeric])


def _grid(written: Written) -> tuple[list[str], list[list[str]]]:
    result = _numbers(written.result)
    rows: list[list[str]] = []
    if written.by_query:
        for e, query in enumerate(result.query_ids):
            for m, measure in enumerate(result.measures):
                if measure.aggregate in ("geometric", "count"):
                    continue
                rows.append([query, measure.text, *(format_value(measure, v) for v in result.values[m, :, e])])
    for m, measure in enumerate(result.measures):
        cells = [measure.text, *(format_value(measure, value) for value in result.means[m])]
        rows.append(["all", *cells] if written.by_query else cells)
    header = ["query", "measure"] if written.by_query else ["measure"]
    return header + list(result.runs), rows


def _grid_by_run(written: Written) -> tuple[list[str], list[list[str]]]:
    """Return a row for each run, or for each query and run; a column for each measure."""
    result = _numbers(written.result)
    rows: list[list[str]] = []
    if written.by_query:
        for e, query in enumerate(result.query_ids):
            for n, run in enumerate(result.runs):
                cells = [
                    "" if measure.aggregate in ("geometric", "count") else format_value(measure, result.values[m, n, e])
                    for m, measure in enumerate(result.measures)
                ]
                rows.append([query, run, *cells])
    for n, run in enumerate(result.runs):
        cells = [format_value(measure, result.means[m, n]) for m, measure in enumerate(result.measures)]
        rows.append(["all", run, *cells] if written.by_query else [run, *cells])
    header = ["query", "run"] if written.by_query else ["run"]
    return header + [measure.text for measure in result.measures], rows


def write_csv(written: Written, delimiter: str = ",") -> str:
    """Return run, query, measure and value, a row for each value at full precision; the query of means is ``all``.
    Warnings are not in these columns: they belong on standard error."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(["run", "query", "measure", "value"])
    result = _numbers(written.result)
    for n, run in enumerate(result.runs):
        if written.by_query:
            for e, query in enumerate(result.query_ids):
                for m, measure in enumerate(result.measures):
                    value = float(result.values[m, n, e])
                    if not np.isnan(value):
                        writer.writerow([run, query, measure.text, _plain(measure, value)])
        for m, measure in enumerate(result.measures):
            writer.writerow([run, "all", measure.text, _plain(measure, float(result.means[m, n]))])
    return out.getvalue()


def write_tsv(written: Written) -> str:
    """Return the CSV form with tabs."""
    return write_csv(written, "\t")


def write_json(written: Written) -> str:
    """Return one object: the options, the warnings, and for each run its tag, missing queries, the kind of ids
    ("queries", "documents") that match none of the qrels', means and, if wanted, values by query; null if missing."""
    result = _numbers(written.result)
    options = result.options
    unmatched = {match.run: match.of for match in result.unmatched}
    runs = []
    for n, run in enumerate(result.runs):
        entry: dict[str, object] = {
            "name": run,
            "tag": written.tags[n],
            "missing": list(result.missing.get(run, ())),
            "unmatched": unmatched.get(run),
            "all": {measure.text: float(result.means[m, n]) for m, measure in enumerate(result.measures)},
            "queries": None,
        }
        if written.by_query:
            entry["queries"] = {
                query: {measure.text: float(result.values[m, n, e]) for m, measure in enumerate(result.measures)}
                for e, query in enumerate(result.query_ids)
            }
        runs.append(entry)
    document = {
        "measures": [measure.text for measure in result.measures],
        "options": {
            "level": options.level,
            "judged_only": options.judged_only,
            "depth": options.depth,
            "missing": options.missing_policy,
            "dialect": options.rules.name,
        },
        "queries": len(result.query_ids),
        "warnings": list(result.warnings),
        "runs": runs,
    }
    return json_text(document, 2)


def _plain(measure: Measure, value: float) -> str:
    return f"{value:.0f}" if measure.counts else repr(value)


WRITERS: dict[str, Callable[[Written], str]] = {
    "trec": write_trec,
    "table": write_table,
    "csv": write_csv,
    "tsv": write_tsv,
    "json": write_json,
    "markdown": write_markdown,
}
