"""Text of comparisons by slices of the queries: aligned tables, Markdown, LaTeX, CSV, TSV, JSON."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from irviewer.analysis.slices.crossing import CrossedSlices
from irviewer.analysis.slices.interaction import Interaction
from irviewer.analysis.slices.search import SliceSearch
from irviewer.analysis.slices.slices import AttributeSlices, RunSlices, SliceComparison, SliceRow, direction
from irviewer.analysis.statistics.run_comparison import RunComparison
from irviewer.analysis.statistics.significance.corrections import CORRECTIONS
from irviewer.model.number_text import limit, p_value, percent
from irviewer.reports.comparison_grids import BETTER, WORSE, number, signed
from irviewer.reports.tables import Grid
from irviewer.reports.tables import write_markdown as write_grids_markdown
from irviewer.reports.tables import write_table as write_grids_table
from irviewer.tables import latex
from irviewer.tables.json_text import json_text
from irviewer.translation import tr

Slices = Sequence[SliceComparison]
ALL = tr("all queries")


class SliceReport:
    """Comparisons by slices of the same runs, one for each measure, and optionally two crossed attributes and slices
    found by search."""

    def __init__(
        self, comparisons: Slices, crossed: Sequence[CrossedSlices] = (), searches: Sequence[SliceSearch] = ()
    ) -> None:
        self.comparisons = tuple(comparisons)
        self.crossed = tuple(crossed)
        self.searches = tuple(searches)


def slice_grids(report: SliceReport) -> list[Grid]:
    """Return a table for each measure and run with a row for each slice; then crossed tables and found slices."""
    grids = [_grid(comparison, run) for comparison in report.comparisons for run in comparison.runs]
    grids += [_crossed_grid(crossed) for crossed in report.crossed]
    return grids + [_found_grid(search) for search in report.searches]


def _grid(compared: SliceComparison, run: RunSlices) -> Grid:
    pair = run.overall
    header = (
        tr("slice"), tr("n"), pair.other_name, pair.run_name, _change_title(pair),
        tr("{level} interval", level=percent(compared.options.level)), "p", _corrected_title(compared),
        tr("better/equal/worse"),
    )  # fmt: skip
    test = pair.decision
    rows: list[tuple[str | int, ...]] = [
        (
            ALL, *_cells(pair), p_value(test.p, at_most=test.at_most),
            p_value(test.p_corrected, at_most=test.at_most), _wins(pair),
        )
    ]  # fmt: skip
    for slices in run.attributes:
        for row in slices.rows:
            name = f"{slices.slicing.attribute.shown}: {row.name}"
            if row.pair is None:
                rows.append((name, 0, "–", "–", "–", "–", "", "", ""))
            else:
                after = row.corrected_shown
                rows.append((name, *_cells(row.pair), row.p_shown, after, _wins(row.pair)))
    notes = [
        run.sentence,
        *map(_interaction, run.attributes),
        *(
            tr("{attribute}: {meaning}.", attribute=attribute.slicing.attribute.shown, meaning=attribute.slicing.text)
            for attribute in run.attributes
            if attribute.slicing.text
        ),
        *compared.notes,
        tr("Tests: {methods}.", methods="; ".join(compared.methods)),
    ]  # fmt: skip
    title = tr("{measure} by slices: {run} against {other}", measure=compared.measure, run=pair.run_name,
               other=pair.other_name)  # fmt: skip
    return Grid(title, header, tuple(rows), tuple(notes))


def _interaction(slices: AttributeSlices) -> str:
    name, test = slices.slicing.attribute.shown, slices.interaction.text
    return tr("Interaction with {attribute}: {test}.", attribute=name, test=test)


def _change_title(pair: RunComparison) -> str:
    return tr("ratio") if pair.geometric else "Δ"


def _corrected_title(compared: SliceComparison) -> str:
    return tr("p corrected") if CORRECTIONS[compared.options.correction] else tr("not corrected")


def _cells(pair: RunComparison) -> tuple[int, str, str, str, str]:
    change = pair.change
    if pair.by_signs or math.isnan(pair.difference):
        text, ends = "–", "–"
    elif change.ratio:
        text, ends = change.text, change.ends
    else:
        text, ends = signed(change.value), "–" if math.isnan(change.low) else _ends(change.low, change.high)
    return pair.n, number(pair.other_mean), number(pair.mean), text, ends


def _ends(low: float, high: float) -> str:
    return f"[{number(low)}, {number(high)}]"


def _wins(pair: RunComparison) -> str:
    return f"{pair.wins:,}/{pair.ties:,}/{pair.losses:,}"


def _pair_mark(pair: RunComparison) -> str:
    return {1: BETTER, -1: WORSE}.get(direction(pair), "") if pair.significant else ""


def _mark(row: SliceRow) -> str:
    return (BETTER if row.toward > 0 else WORSE) if row.significant and row.toward else ""


def _crossed_grid(crossed: CrossedSlices) -> Grid:
    across, down = crossed.rows.attribute.shown, crossed.columns.attribute.shown
    header = (across, *(part.name for part in crossed.columns.slices))
    rows = []
    for part, line in zip(crossed.rows.slices, crossed.cells, strict=True):
        cells = []
        for row in line:
            if row.pair is None:
                cells.append("–")
                continue
            change = row.pair.change
            text = "–" if row.pair.by_signs else change.text if change.ratio else signed(change.value)
            cells.append(f"{text}{_mark(row)} (n {row.n})")
        rows.append((part.name, *cells))
    notes = (
        tr(
            "{better} better, {worse} worse than {other}, exploratory: p corrected over {n} cells.",
            better=BETTER, worse=WORSE, other=crossed.baseline, n=crossed.family,
        ),
    )  # fmt: skip
    title = tr("{across} × {down}: Δ of {run} from {other}", across=across, down=down, run=crossed.run,
               other=crossed.baseline)  # fmt: skip
    return Grid(title, header, tuple(rows), notes)


def _found_grid(search: SliceSearch) -> Grid:
    header = (
        tr("slice"), tr("Δ searched"), tr("n searched"), tr("Δ tested"), tr("interval"), tr("n tested"),
        tr("p corrected"), tr("differs from the rest"),
    )  # fmt: skip
    rows: list[tuple[str | int, ...]] = []
    for found_slice in search.found:
        pair = found_slice.tested.pair
        tested = "–" if pair is None else signed(pair.difference)
        ends = "–" if pair is None else _ends(pair.interval.low, pair.interval.high)
        p, differs = found_slice.tested.corrected_shown or "–", found_slice.elsewhere.corrected_shown
        rows.append(
            (
                found_slice.name,
                signed(found_slice.searched),
                found_slice.searched_n,
                tested,
                ends,
                found_slice.tested.n,
                p,
                differs,
            )
        )
    title = tr("Where {run} loses most against {other} (exploratory)", run=search.run, other=search.baseline)
    return Grid(title, header, tuple(rows), (search.note,))


def write_table(report: SliceReport) -> str:
    """Return aligned tables with their notes below."""
    return write_grids_table(slice_grids(report))


def write_markdown(report: SliceReport) -> str:
    """Return a heading, a table and a list of notes for each grid."""
    return write_grids_markdown(slice_grids(report))


def write_latex(report: SliceReport) -> str:
    """Return tables that compile with booktabs: for each run a row for each slice, daggers for significant differences,
    the tests in the caption; then the crossed tables."""
    grids = slice_grids(report)
    blocks = [latex.head("".join("".join([*grid.header, *(str(row[0]) for row in grid.rows)]) for grid in grids))]
    runs = [(comparison, run) for comparison in report.comparisons for run in comparison.runs]
    label = 0
    for (compared, run), grid in zip(runs, grids, strict=False):
        label += 1
        blocks.append(_latex_runs(compared, run, grid, label))
    for grid in grids[len(runs) :]:
        label += 1
        rows = [[_latex_text(str(cell)) for cell in row] for row in grid.rows]
        caption = _latex_text(". ".join([grid.title, *grid.notes]))
        header = [latex.escape(cell) for cell in grid.header]
        blocks.append(latex.table(header, rows, "l" + "r" * (len(header) - 1), caption, f"tab:slices-{label}"))
    return "\n".join(blocks)


def _latex_text(text: str) -> str:
    """Return a text with daggers, escaped for LaTeX."""
    return latex.escape(text).replace(BETTER, r"$^{\dagger}$").replace(WORSE, r"$^{\ddagger}$")


def _latex_runs(compared: SliceComparison, run: RunSlices, grid: Grid, label: int) -> str:
    pair = run.overall
    header = [latex.escape(cell) for cell in (*grid.header[:6], grid.header[7])]
    rows = []
    for row, slice_row in zip(grid.rows, (None, *run.rows), strict=True):
        cells = [latex.escape(str(cell)) for cell in (*row[:6], row[7])]
        if slice_row is not None:
            mark = {BETTER: r"$^{\dagger}$", WORSE: r"$^{\ddagger}$", "": ""}[_mark(slice_row)]
            cells[4] += mark
            cells[6] = cells[6] or latex.escape(slice_row.p_shown)
        else:
            cells[4] += {BETTER: r"$^{\dagger}$", WORSE: r"$^{\ddagger}$", "": ""}[_pair_mark(pair)]
        rows.append(cells)
    caption = tr(
        "{measure} of {run} and {other} by slices of the queries. Tests: {tests}.",
        measure=compared.measure, run=pair.run_name, other=pair.other_name, tests="; ".join(compared.methods),
    )  # fmt: skip
    used = {_pair_mark(pair), *(_mark(row) for row in run.rows)}
    words = latex.escape(caption)
    alpha = limit(pair.alpha)
    if BETTER in used:
        words += r" $^{\dagger}$ " + latex.escape(tr("better, p < {alpha} after correction", alpha=alpha)) + "."
    if WORSE in used:
        words += r" $^{\ddagger}$ " + latex.escape(tr("worse, p < {alpha} after correction", alpha=alpha)) + "."
    for attribute in run.attributes:
        words += " " + latex.escape(_interaction(attribute))
    return latex.table(header, rows, "lrrrrrr", words, f"tab:slices-{label}")


def write_csv(report: SliceReport, delimiter: str = ",") -> str:
    """Return a row for each measure, run and slice at full precision, with an empty attribute for all queries; crossed
    cells are slices of both attributes, and of slices found by search the half that was not searched. Missing values
    are empty."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    header: list[str] | None = None
    for record in slice_records(report):
        if header is None:
            header = list(record)
            writer.writerow(header)
        writer.writerow([_plain(value) for value in record.values()])
    return out.getvalue()


def write_tsv(report: SliceReport) -> str:
    """Return the CSV form with tabs."""
    return write_csv(report, "\t")


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return "" if math.isnan(value) else repr(value)
    return "" if value is None else value


def slice_records(report: SliceReport) -> Iterator[dict[str, Any]]:
    """Yield the rows of the CSV as plain values; NaN and None if missing."""
    for compared in report.comparisons:
        for run in compared.runs:
            pair = run.overall
            head = {"measure": compared.measure, "run": pair.run_name, "baseline": pair.other_name}
            none = Interaction(math.nan, 0, 0, math.nan, math.nan)
            yield {
                **head,
                "attribute": "",
                "slice": "",
                **_numbers(pair, pair.decision.p, pair.decision.p_corrected),
                **_test(none),
            }
            for attribute in run.attributes:
                for row in attribute.rows:
                    numbers = _numbers(row.pair, row.p, row.corrected)
                    yield {
                        **head,
                        "attribute": attribute.name,
                        "slice": row.name,
                        **numbers,
                        **_test(attribute.interaction),
                    }
    for crossed in report.crossed:
        head = {"measure": report.comparisons[0].measure, "run": crossed.run, "baseline": crossed.baseline}
        name = f"{crossed.rows.attribute.name} × {crossed.columns.attribute.name}"
        none = Interaction(math.nan, 0, 0, math.nan, math.nan)
        for line in crossed.cells:
            for row in line:
                numbers = _numbers(row.pair, row.p, row.corrected)
                yield {**head, "attribute": name, "slice": row.name, **numbers, **_test(none)}
    for search in report.searches:
        head = {"measure": report.comparisons[0].measure, "run": search.run, "baseline": search.baseline}
        for found_slice in search.found:
            name = " × ".join(attribute for attribute, _ in found_slice.parts)
            row = found_slice.tested
            numbers = _numbers(row.pair, row.p, row.corrected)
            said = tr("{attribute} (found by search, exploratory)", attribute=name)
            yield {**head, "attribute": said, "slice": found_slice.name, **numbers, **_test(found_slice.elsewhere)}


def _numbers(pair: RunComparison | None, p: float, corrected: float) -> dict[str, Any]:
    none = (math.nan, math.nan, math.nan)
    difference = none if pair is None or pair.geometric else pair.change.shown
    ratio = pair.change.shown if pair is not None and pair.geometric else none
    return {
        "queries": 0 if pair is None else pair.n,
        "mean": math.nan if pair is None else pair.mean,
        "baseline_mean": math.nan if pair is None else pair.other_mean,
        "difference": difference[0], "low": difference[1], "high": difference[2],
        "ratio": ratio[0], "ratio_low": ratio[1], "ratio_high": ratio[2],
        "wins": 0 if pair is None else pair.wins, "ties": 0 if pair is None else pair.ties,
        "losses": 0 if pair is None else pair.losses,
        "p": p, "p_corrected": corrected,
    }  # fmt: skip


def _test(test: Interaction) -> dict[str, Any]:
    return {
        "interaction_f": test.f, "interaction_df1": test.between, "interaction_df2": test.within,
        "interaction_p": test.p, "interaction_p_corrected": test.corrected,
    }  # fmt: skip


def write_json(report: SliceReport) -> str:
    """Return an object for each measure and run with its slices by attribute; then the crossed tables and the slices
    found by search. Null if missing."""
    return json_text(
        {
            "comparisons": [
                _comparison(comparison, run) for comparison in report.comparisons for run in comparison.runs
            ],
            "crossed": [_crossed(table) for table in report.crossed],
            "searches": [_search(search) for search in report.searches],
        },
        2,
    )


def _comparison(compared: SliceComparison, run: RunSlices) -> dict[str, Any]:
    pair = run.overall
    return {
        "measure": compared.measure,
        "run": pair.run_name,
        "baseline": pair.other_name,
        "test": compared.whole.declared,
        "correction": compared.options.correction,
        "comparisons": pair.decision.comparisons,
        "slices_tested": run.family,
        "slices_exploratory": True,
        "alpha": pair.alpha,
        "sentence": run.sentence,
        "tests": list(compared.methods),
        "notes": list(compared.notes),
        "all": _numbers(pair, pair.decision.p, pair.decision.p_corrected),
        "attributes": [
            {
                "name": attribute.name,
                "title": attribute.slicing.attribute.shown,
                "kind": attribute.slicing.attribute.kind,
                "meaning": attribute.slicing.text,
                "without": list(attribute.without),
                "interaction": {
                    "f": attribute.interaction.f,
                    "df": [attribute.interaction.between, attribute.interaction.within],
                    "p": attribute.interaction.p,
                    "p_corrected": attribute.interaction.corrected,
                    "exact": attribute.interaction.exact,
                    "samples": attribute.interaction.samples,
                    "seed": attribute.interaction.seed,
                },
                "slices": [_slice(row) for row in attribute.rows],
            }
            for attribute in run.attributes
        ],
    }


def _slice(row: SliceRow) -> dict[str, Any]:
    numbers = _numbers(row.pair, row.p, row.corrected)
    return {"slice": row.name, "from": row.low, "to": row.high, **numbers, "shown": row.significant}


def _crossed(crossed: CrossedSlices) -> dict[str, Any]:
    return {
        "run": crossed.run, "baseline": crossed.baseline, "rows": crossed.rows.attribute.name,
        "columns": crossed.columns.attribute.name, "cells_tested": crossed.family,
        "cells": [
            {"row": across.name, "column": down.name, **_slice(row)}
            for across, line in zip(crossed.rows.slices, crossed.cells, strict=True)
            for down, row in zip(crossed.columns.slices, line, strict=True)
        ],
    }  # fmt: skip


def _search(search: SliceSearch) -> dict[str, Any]:
    return {
        "run": search.run, "baseline": search.baseline, "note": search.note, "candidates": search.candidates,
        "seed": search.seed, "searched": list(search.searched), "held_out": list(search.held_out),
        "found": [
            {
                "parts": [{"attribute": attribute, "slice": name} for attribute, name in found_slice.parts],
                "searched_difference": found_slice.searched, "searched_queries": found_slice.searched_n,
                "tested": _slice(found_slice.tested), "differs_p": found_slice.elsewhere.p,
                "differs_p_corrected": found_slice.elsewhere.corrected,
            }
            for found_slice in search.found
        ],
    }  # fmt: skip


WRITERS: dict[str, Callable[[SliceReport], str]] = {
    "table": write_table,
    "csv": write_csv,
    "tsv": write_tsv,
    "json": write_json,
    "latex": write_latex,
    "markdown": write_markdown,
}
