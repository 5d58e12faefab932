"""Comparisons as text: table, Markdown, LaTeX, CSV, TSV, JSON.

Every format names all tests and intervals that were computed."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Sequence
from typing import Any

from irviewer.analysis.statistics.comparison import Comparison
from irviewer.analysis.statistics.log_ratios import ratio_of
from irviewer.analysis.statistics.result_comparison import row_of, whole_rows
from irviewer.analysis.statistics.run_comparison import RunComparison
from irviewer.model.number_text import limit, queries_text
from irviewer.reports.comparison_grids import (
    BETTER,
    RELATIVE,
    WORSE,
    Report,
    best,
    marks,
    number,
    pairs_grid,
    reached,
    runs_grid,
    shown_tests,
    title_of,
    weighted_titles,
)
from irviewer.tables import latex, markdown
from irviewer.tables.aligned import aligned_within
from irviewer.tables.json_text import json_text
from irviewer.translation import tr

SENTENCES = 20
"""Conclusions in words for each measure; the others are in the rows."""


def _verdicts(comparison: Comparison, report: Report) -> list[str]:
    pairs = [comparison.pair(index) for index in range(min(len(comparison), SENTENCES))]
    lines = []
    for pair in pairs:
        has_differences = pair.n and not pair.by_signs
        remarks = [pair.remark, pair.posterior.sentence if report.posterior and has_differences else ""]
        remarks.append("" if report.power is None or not has_differences else pair.power_sentence(report.power))
        remark = " ".join(filter(None, remarks))
        lines.append(f"{pair.conclusion}. {remark}" if remark else pair.conclusion)
    if len(comparison) > SENTENCES:
        lines.append(tr("… and {n:,} more pairs, in the rows", n=len(comparison) - SENTENCES))
    return lines


def write_table(report: Report, width: int | None = None) -> str:
    """Return aligned tables, the conclusions in words, the warnings, and everything that was computed. Columns that do
    not fit the width are in blocks."""
    lines: list[str] = []
    for comparison in report.comparisons:
        lines += [title_of(comparison), *aligned_within(*runs_grid(comparison, report), 1, width), ""]
        if comparison.baseline is None:
            lines += [comparison.grouping, ""]
            lines += [*aligned_within(*pairs_grid(comparison, report), 2, width), ""]
        lines += [*_verdicts(comparison, report), ""]
    lines += [tr("Note: {warning}", warning=warning) for warning in report.warnings]
    lines += [tr("Computed:"), *(f"  {text}" for text in report.looked_at)]
    return "\n".join(lines) + "\n"


def write_markdown(report: Report) -> str:
    """Return a heading and a table for each measure, the best mean bold, the conclusions, and everything computed."""
    blocks: list[str] = []
    for comparison in report.comparisons:
        blocks.append(f"### {markdown.escape(title_of(comparison))}")
        header, rows = runs_grid(comparison, report)
        for row, top in zip(rows, best(comparison), strict=True):
            row[1] = f"**{row[1]}**" if top else row[1]
        blocks.append(_markdown(header, rows, 1))
        if comparison.baseline is None:
            blocks.append(comparison.grouping)
            blocks.append(_markdown(*pairs_grid(comparison, report), 2))
        blocks.append("\n".join(f"- {markdown.escape(text)}" for text in _verdicts(comparison, report)))
    if report.warnings:
        blocks.append(
            "\n".join(tr("- Note: {warning}", warning=markdown.escape(warning)) for warning in report.warnings)
        )
    blocks.append(tr("Computed: {tests}.", tests="; ".join(map(markdown.escape, report.looked_at))))
    return "\n\n".join(blocks) + "\n"


def _markdown(header: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> str:
    # What is printed bold is a number.
    plain = [[markdown.escape(cell) if column < left else cell for column, cell in enumerate(row)] for row in rows]
    right = [column >= left for column in range(len(header))]
    return "\n".join(markdown.table(list(map(markdown.escape, header)), plain, right))


def write_latex(report: Report) -> str:
    """Return a table that compiles with booktabs: a row for each run, a column for each measure, the best mean bold,
    daggers (or letters) explained in the caption with all tests; with difference and p-value for one measure."""
    first = report.comparisons[0]
    names = "".join(first.names) + "".join(comparison.measure for comparison in report.comparisons)
    baseline = None if first.baseline is None else first.names[first.baseline]
    alone = len(report.comparisons) == 1 and baseline is not None
    header = [tr("Run"), *(latex.escape(comparison.measure) for comparison in report.comparisons)]
    columns = [_latex_means(comparison) for comparison in report.comparisons]
    rows = [[latex.escape(name), *cells] for name, *cells in zip(first.names, *columns, strict=True)]
    if alone:
        grid, body = runs_grid(first, report)
        # A page has room for the test that marks; the others are named in the caption.
        other_titles = {title for title, name, _ in shown_tests(first) if name != first.declared}
        omitted = {RELATIVE, *other_titles, *weighted_titles(first)}
        keeps = [name not in omitted for name in grid]
        chosen = [column for column, keep in enumerate(keeps) if column > 2 and keep]
        header += [_latex_name(grid[column]) for column in chosen]
        for row, cells in zip(rows, body, strict=True):
            row += [latex.escape(cells[column]) for column in chosen]
    caption = _caption(report, first, baseline)
    table = latex.table(header, rows, "l" + "r" * (len(header) - 1), caption, "tab:comparison")
    return latex.head(names) + table


def _latex_means(comparison: Comparison) -> list[str]:
    tops = best(comparison)
    above = comparison.letters() if comparison.baseline is None else marks(comparison)
    daggers = {BETTER: r"$^{\dagger}$", WORSE: r"$^{\ddagger}$"}
    cells: list[str] = []
    for mean, top, mark in zip(comparison.means.tolist(), tops, above, strict=True):
        text = latex.escape(number(mean))
        if comparison.reached is not None:
            text += latex.escape(f" ({reached(comparison, len(cells))})")
        text = rf"\textbf{{{text}}}" if top else text
        cells.append(text + (daggers.get(mark) or (rf"$^{{\mathrm{{{mark}}}}}$" if mark else "")))
    return cells


def _latex_name(name: str) -> str:
    if name == "p" or name.startswith("p "):
        return f"$p${latex.escape(name[1:])}"
    return f"${name}$" if name == "d" else latex.escape(name)


def _caption(report: Report, comparison: Comparison, baseline: str | None) -> str:
    queries = queries_text(len(comparison.query_ids))
    parts = [
        tr("Each mean is over the queries that the run has, of {queries}.", queries=queries)
        if comparison.ragged
        else tr("Means over {queries}.", queries=queries)
    ]
    parts.append(tr("Bold: {best}, whether or not a test shows a difference.", best=_best_of(report)))
    decisions = {comparison.measure: comparison.decided_by() for comparison in report.comparisons}
    tests = (
        comparison.decided_by()
        if len(set(decisions.values())) == 1
        else "; ".join(f"{name}: {by}" for name, by in decisions.items())
    )
    text = latex.escape(" ".join(parts))
    condition = f"$p < {limit(comparison.alpha)}$"
    if baseline is None:
        text += " " + tr(
            "Between runs that share a letter the test shows no difference ({tests}, {condition}).",
            tests=latex.escape(tests),
            condition=condition,
        )
    else:
        text += " " + tr(
            "{dagger}: shown to be better, {double_dagger}: worse than {baseline} ({tests}, {condition}).",
            dagger=r"$\dagger$",
            double_dagger=r"$\ddagger$",
            baseline=latex.escape(baseline),
            tests=latex.escape(tests),
            condition=condition,
        )
    computed = "; ".join(report.looked_at)
    notes = "".join(f" {warning}" for warning in report.warnings)
    return text + " " + latex.escape(tr("Computed: {tests}.", tests=computed) + notes)


def _best_of(report: Report) -> str:
    """Return which means are bold."""
    up = {comparison.higher_is_better for comparison in report.comparisons}
    if len(up) > 1:
        return tr("the best mean")
    return tr("the highest mean") if up == {True} else tr("the lowest mean")


def write_csv(report: Report, delimiter: str = ",") -> str:
    """Return a row for each measure and pair at full precision; the last columns repeat everything computed and the
    warnings, so that the file stays a plain table and a row carries its remarks."""
    out = io.StringIO()
    rows: list[dict[str, Any]] = []
    for comparison in report.comparisons:
        computed = "; ".join(comparison.looked_at)
        details: dict[str, Any] = {
            "decided by": comparison.decided_by(),
            "correction": comparison.correction,
            "interval": comparison.interval,
        }
        details |= {
            "level": comparison.level,
            "samples": comparison.samples,
            "seed": comparison.seed,
            "looked at": computed,
        }
        details |= {"notes": " ".join(comparison.warnings)}
        details |= {"judgments": report.judgments}
        rows += [row_of(pair) | _power(pair, report) | details for pair in comparison.pairs]
    rows = whole_rows(rows)
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(rows[0] if rows else [])
    writer.writerows([_cell(cell) for cell in row.values()] for row in rows)
    return out.getvalue()


def _power(pair: RunComparison, report: Report) -> dict[str, Any]:
    """Return the queries needed, the power reached and the detectable difference (or ratio); None if not requested."""
    names = ("power", "power alpha", "queries needed", "power reached", "detectable difference", "detectable ratio")
    if report.power is None:
        return dict.fromkeys(names)
    power = pair.power(report.power)
    detectable = (None, ratio_of(power.detectable)) if pair.geometric else (power.detectable, None)
    return dict(zip(names, (power.power, power.alpha, power.needed, power.reached, *detectable), strict=True))


def write_tsv(report: Report) -> str:
    """Return the CSV form with tabs."""
    return write_csv(report, "\t")


def _cell(value: object) -> object:
    if isinstance(value, float):
        return "" if math.isnan(value) else repr(value)
    return "" if value is None else value


def write_json(report: Report) -> str:
    """Return one object: the options, everything computed, the warnings, and for each measure its runs and pairs with
    conclusions; null where there is no number."""
    measures = []
    every = whole_rows(
        [
            row_of(pair) | _power(pair, report) | {"verdict": pair.conclusion, "remark": pair.remark}
            for comparison in report.comparisons
            for pair in comparison.pairs
        ]
    )
    start = 0
    for comparison in report.comparisons:
        pairs, start = every[start : start + len(comparison)], start + len(comparison)
        measures.append({
            "measure": comparison.measure, "queries": len(comparison.query_ids),
            "higher_is_better": comparison.higher_is_better,
            "geometric": comparison.geometric,
            "baseline": None if comparison.baseline is None else comparison.names[comparison.baseline],
            "test": comparison.declared, "decided_by": comparison.decided_by(),
            "correction": comparison.correction, "comparisons": len(comparison), "interval": comparison.interval,
            "level": comparison.level,
            "alpha": comparison.alpha, "samples": comparison.samples, "seed": comparison.seed,
            "rope": comparison.posteriors.rope,
            "groups": comparison.grouping if comparison.baseline is None else None, "runs": _runs(comparison),
            "pairs": pairs,
            "looked_at": list(comparison.looked_at), "warnings": list(comparison.warnings),
        })  # fmt: skip
    return json_text({"judgments": report.judgments or None, "comparisons": measures}, 2)


def _runs(comparison: Comparison) -> list[dict[str, Any]]:
    """Return each run with its mean and further values; None if this comparison does not have them."""
    letters = comparison.letters() if comparison.baseline is None else None
    rows = []
    for run, name in enumerate(comparison.names):
        rows.append({
            "name": name, "mean": comparison.means[run], "low": comparison.low[run], "high": comparison.high[run],
            "queries": len(comparison.query_ids) if comparison.own is None else int(comparison.own[run]),
            "at_floor": None if comparison.at_floor is None else int(comparison.at_floor[run]),
            "reached": comparison.share_reached(run),
            "weighted mean": None if comparison.weighted_means is None else comparison.weighted_means[run],
            "group": None if letters is None else letters[run],
        })  # fmt: skip
    return rows


WRITERS: dict[str, Callable[[Report], str]] = {
    "table": write_table,
    "csv": write_csv,
    "tsv": write_tsv,
    "json": write_json,
    "latex": write_latex,
    "markdown": write_markdown,
}
