"""Comparisons as text: a table for the eye, Markdown, LaTeX, CSV, TSV, JSON. One table of writers, by name.

Every one of them names all tests and intervals that were looked at. Computes nothing."""

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
from irviewer.model.number_text import counted, limit
from irviewer.reports import latex
from irviewer.reports.comparison_grids import (
    BETTER,
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
)
from irviewer.reports.json_text import json_text

SENTENCES = 20
"""Verdicts that a table for the eye writes out a measure; the rest is in its rows."""


def _verdicts(one: Comparison, report: Report) -> list[str]:
    pairs = [one.pair(place) for place in range(min(len(one), SENTENCES))]
    found = []
    for pair in pairs:
        known = pair.n and not pair.by_signs
        said = [pair.remark, pair.posterior.sentence if report.posterior and known else ""]
        said.append("" if report.power is None or not known else pair.power_sentence(report.power))
        more = " ".join(filter(None, said))
        found.append(f"{pair.verdict}. {more}" if more else pair.verdict)
    if len(one) > SENTENCES:
        found.append(f"… and {len(one) - SENTENCES:,} more pairs, a row each")
    return found


def write_table(report: Report) -> str:
    """Aligned for the eye, the verdicts in words below, then what has to be told and all that was looked at."""
    lines: list[str] = []
    for one in report.comparisons:
        lines += [title_of(one), *_aligned(*runs_grid(one, report)), ""]
        if one.baseline is None:
            lines += [one.grouping, ""]
            lines += [*_aligned(*pairs_grid(one, report), left=2), ""]
        lines += [*_verdicts(one, report), ""]
    lines += [f"Note: {said}" for said in report.warnings]
    lines += ["Looked at:", *(f"  {said}" for said in report.looked_at)]
    return "\n".join(lines) + "\n"


def _aligned(header: list[str], rows: list[list[str]], left: int = 1) -> list[str]:
    widths = [max(len(row[place]) for row in [header, *rows]) for place in range(len(header))]
    found = []
    for row in [header, *rows]:
        pairs = enumerate(zip(row, widths, strict=True))
        cells = [cell.ljust(width) if place < left else cell.rjust(width) for place, (cell, width) in pairs]
        found.append("  ".join(cells).rstrip())
    return found


def write_markdown(report: Report) -> str:
    """A heading and a table a measure, the best mean bold, the verdicts as a list, and all that was looked at."""
    blocks: list[str] = []
    for one in report.comparisons:
        blocks.append(f"### {_plain(title_of(one))}")
        header, rows = runs_grid(one, report)
        for row, top in zip(rows, best(one), strict=True):
            row[1] = f"**{row[1]}**" if top else row[1]
        blocks.append(_markdown(header, rows, 1))
        if one.baseline is None:
            blocks.append(one.grouping)
            blocks.append(_markdown(*pairs_grid(one, report), 2))
        blocks.append("\n".join(f"- {_plain(said)}" for said in _verdicts(one, report)))
    if report.warnings:
        blocks.append("\n".join(f"- Note: {_plain(said)}" for said in report.warnings))
    blocks.append("Looked at: " + "; ".join(map(_plain, report.looked_at)) + ".")
    return "\n\n".join(blocks) + "\n"


def _markdown(header: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> str:
    rule = [":--" if place < left else "--:" for place in range(len(header))]
    plain = [[_plain(cell) if place < left else cell for place, cell in enumerate(row)] for row in rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in [list(header), rule, *plain])


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return "".join(f"\\{letter}" if letter in "\\`*_{}[]<>#|~$" else letter for letter in text)


def write_latex(report: Report) -> str:
    """Tables that compile with booktabs: one of all measures, a row a run, the best mean bold, daggers (or the letters
    of all pairs) explained in the caption, which names all tests; of one measure with difference and p-value."""
    one = report.comparisons[0]
    names = "".join(one.names) + "".join(each.measure for each in report.comparisons)
    baseline = None if one.baseline is None else one.names[one.baseline]
    alone = len(report.comparisons) == 1 and baseline is not None
    header = ["Run", *(latex.escape(each.measure) for each in report.comparisons)]
    columns = [_latex_means(each) for each in report.comparisons]
    rows = [[latex.escape(name), *cells] for name, *cells in zip(one.names, *columns, strict=True)]
    if alone:
        grid, body = runs_grid(one, report)
        # A page has room for the test that marks; the others are named in the caption.
        others = {said for said, name, _ in shown_tests(one) if name != one.declared}
        left_out = {"relative", *others}
        kept = [name not in left_out and not name.startswith("weighted") for name in grid]
        chosen = [place for place, keep in enumerate(kept) if place > 2 and keep]
        header += [_latex_name(grid[place]) for place in chosen]
        for row, cells in zip(rows, body, strict=True):
            row += [latex.escape(cells[place]) for place in chosen]
    caption = _caption(report, one, baseline)
    found = latex.table(header, rows, "l" + "r" * (len(header) - 1), caption, "tab:comparison")
    return latex.head(names) + found


def _latex_means(one: Comparison) -> list[str]:
    tops = best(one)
    above = one.letters() if one.baseline is None else marks(one)
    daggers = {BETTER: r"$^{\dagger}$", WORSE: r"$^{\ddagger}$"}
    found: list[str] = []
    for mean, top, mark in zip(one.means.tolist(), tops, above, strict=True):
        text = latex.escape(number(mean))
        if one.reached is not None:
            text += latex.escape(f" ({reached(one, len(found))})")
        text = rf"\textbf{{{text}}}" if top else text
        found.append(text + (daggers.get(mark) or (rf"$^{{\mathrm{{{mark}}}}}$" if mark else "")))
    return found


def _latex_name(name: str) -> str:
    if name == "p" or name.startswith("p "):
        return f"$p${latex.escape(name[1:])}"
    return f"${name}$" if name == "d" else latex.escape(name)


def _caption(report: Report, one: Comparison, baseline: str | None) -> str:
    over = counted(len(one.query_ids), "query", "queries")
    parts = [f"Means over {'those that a run has of ' if one.ragged else ''}{over}."]
    parts.append(f"Bold: {_best_of(report)}, whether or not a test shows a difference.")
    every = {each.measure: each.decided_by() for each in report.comparisons}
    how = (
        one.decided_by() if len(set(every.values())) == 1 else "; ".join(f"{name}: {by}" for name, by in every.items())
    )
    text = latex.escape(" ".join(parts))
    if baseline is None:
        text += latex.escape(f" Between runs that share a letter the test shows no difference ({how}, ")
    else:
        text += (
            rf" $\dagger$: shown better, $\ddagger$: shown worse than {latex.escape(baseline)} ({latex.escape(how)}, "
        )
    text += f"$p < {limit(one.alpha)}$)."
    looked = "; ".join(report.looked_at)
    notes = "".join(f" {said}" for said in report.warnings)
    return text + latex.escape(f" Looked at: {looked}.{notes}")


def _best_of(report: Report) -> str:
    """Which mean is bold."""
    up = {each.higher_is_better for each in report.comparisons}
    return "the best mean" if len(up) > 1 else "the highest mean" if up == {True} else "the lowest mean"


def write_csv(report: Report, delimiter: str = ",") -> str:
    """A row a measure and pair at full precision; the last columns say in every row all that was looked at and
    what has to be told, so that the file stays a plain table and the remarks go wherever a row goes."""
    out = io.StringIO()
    rows: list[dict[str, Any]] = []
    for one in report.comparisons:
        looked = "; ".join(one.looked_at)
        told: dict[str, Any] = {"decided by": one.decided_by(), "correction": one.correction, "interval": one.interval}
        told |= {"level": one.level, "samples": one.samples, "seed": one.seed, "looked at": looked}
        told |= {"notes": " ".join(one.warnings)}
        told |= {"judgments": report.judgments}
        rows += [row_of(pair) | _power(pair, report) | told for pair in one.pairs]
    rows = whole_rows(rows)
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(rows[0] if rows else [])
    writer.writerows([_cell(cell) for cell in row.values()] for row in rows)
    return out.getvalue()


def _power(pair: RunComparison, report: Report) -> dict[str, Any]:
    """The queries that it takes, the chance with these and the difference (or ratio) that they can see; None where it
    was not asked for."""
    names = ("power", "power alpha", "queries needed", "power reached", "detectable difference", "detectable ratio")
    if report.power is None:
        return dict.fromkeys(names)
    found = pair.power(report.power)
    seen = (None, ratio_of(found.detectable)) if pair.geometric else (found.detectable, None)
    return dict(zip(names, (found.power, found.alpha, found.needed, found.reached, *seen), strict=True))


def write_tsv(report: Report) -> str:
    """The same with tabs."""
    return write_csv(report, "\t")


def _cell(value: object) -> object:
    if isinstance(value, float):
        return "" if math.isnan(value) else repr(value)
    return "" if value is None else value


def write_json(report: Report) -> str:
    """One object: the choices, what was looked at and has to be told, and for each measure its runs and pairs, each
    with its verdict; null where there is no number."""
    measures = []
    every = whole_rows(
        [
            row_of(pair) | _power(pair, report) | {"verdict": pair.verdict, "remark": pair.remark}
            for one in report.comparisons
            for pair in one.pairs
        ]
    )
    start = 0
    for one in report.comparisons:
        pairs, start = every[start : start + len(one)], start + len(one)
        measures.append({
            "measure": one.measure, "queries": len(one.query_ids), "higher_is_better": one.higher_is_better,
            "geometric": one.geometric, "baseline": None if one.baseline is None else one.names[one.baseline],
            "test": one.declared, "decided_by": one.decided_by(),
            "correction": one.correction, "comparisons": len(one), "interval": one.interval, "level": one.level,
            "alpha": one.alpha, "samples": one.samples, "seed": one.seed, "rope": one.posteriors.rope,
            "groups": one.grouping if one.baseline is None else None, "runs": _runs(one), "pairs": pairs,
            "looked_at": list(one.looked_at), "warnings": list(one.warnings),
        })  # fmt: skip
    return json_text({"judgments": report.judgments or None, "comparisons": measures}, 2)


def _runs(one: Comparison) -> list[dict[str, Any]]:
    """Each run with its mean and what belongs to it; None for what this comparison has not."""
    letters = one.letters() if one.baseline is None else None
    found = []
    for place, name in enumerate(one.names):
        found.append({
            "name": name, "mean": one.means[place], "low": one.low[place], "high": one.high[place],
            "queries": len(one.query_ids) if one.own is None else int(one.own[place]),
            "at_floor": None if one.at_floor is None else int(one.at_floor[place]),
            "reached": one.share_reached(place),
            "weighted mean": None if one.weighted_means is None else one.weighted_means[place],
            "group": None if letters is None else letters[place],
        })  # fmt: skip
    return found


WRITERS: dict[str, Callable[[Report], str]] = {
    "table": write_table,
    "csv": write_csv,
    "tsv": write_tsv,
    "json": write_json,
    "latex": write_latex,
    "markdown": write_markdown,
}
