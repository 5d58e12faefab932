"""Text of evaluations of systems on several collections: aligned tables, Markdown, LaTeX, CSV, TSV, JSON."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from irviewer.analysis.collections.collection_table import (
    CollectionTable,
    Forest,
    OverCollections,
    best_of,
)
from irviewer.model.number_text import limit, p_value, percent, quantity
from irviewer.reports import tables
from irviewer.reports.comparison_grids import BETTER, WORSE, number, signed
from irviewer.reports.tables import Cell, Grid
from irviewer.tables import latex
from irviewer.tables.json_text import json_text
from irviewer.translation import tr

NO_RUN = tr("no run")


@dataclass(frozen=True, eq=False)
class CollectionReport:
    """A table for each measure, and optionally the forest of each system compared with the baseline and the tests over
    collections; the skipped files and the matched runs."""

    tables: tuple[CollectionTable, ...]
    forests: tuple[Forest, ...] = ()
    tests: tuple[OverCollections, ...] = ()
    skipped: tuple[str, ...] = ()
    matched: tuple[tuple[str, str, str], ...] = ()


def collection_grids(report: CollectionReport) -> list[Grid]:
    """Return the tables, then forests and tests."""
    grids = [_table(table) for table in report.tables]
    grids += [_forest(forest) for forest in report.forests]
    for table, test in zip(report.tables, report.tests, strict=False):
        grids += _tests(table, test)
    if report.matched:
        rows = tuple((system, collection, run) for system, collection, run in report.matched)
        grids.append(Grid(tr("Runs matched by hand"), (tr("system"), tr("collection"), tr("run")), rows))
    return grids


def _mark(side: int) -> str:
    return BETTER if side > 0 else WORSE if side < 0 else ""


def _table(table: CollectionTable) -> Grid:
    names = [f"{name} ({n:,})" for name, n in zip(table.collections, table.queries.tolist(), strict=True)]
    header = (tr("system"), *names, tr("macro"), tr("micro"))
    rows: list[tuple[Cell, ...]] = []
    for row, system in enumerate(table.systems):
        cells = []
        for column in range(len(table.collections)):
            value = float(table.means[row, column])
            text = number(value) if table.present[row, column] else NO_RUN
            cells.append(text + _mark(int(table.marks[row, column])))
        macro, micro = number(float(table.macro[row])), number(float(table.micro[row]))
        rows.append((system, *cells, macro, micro + _mark(int(table.micro_marks[row]))))
    return Grid(table.measure, header, tuple(rows), tuple(_notes(table)))


def _notes(table: CollectionTable) -> list[str]:
    notes = []
    if table.baseline is not None:
        notes.append(
            tr(
                "{better} better, {worse} worse than {baseline} on that collection, p < {alpha} ({methods}).",
                better=BETTER, worse=WORSE, baseline=table.systems[table.baseline], alpha=limit(table.options.alpha),
                methods="; ".join(table.methods),
            )
        )  # fmt: skip
    notes.append(means_note(table))
    return [*notes, *table.notes]


def means_note(table: CollectionTable) -> str:
    """Return a sentence that explains macro and micro means."""
    complete = int(table.complete.sum())
    if not complete:
        return tr("No collection has a value of every system: there is no macro and no micro mean.")
    queries = int(table.queries[table.complete].sum())
    note = tr(
        "Macro: the mean of the {n:,} collections that have every system, each counting the same. Micro: the mean of "
        "their {queries:,} queries, each counting the same.",
        n=complete, queries=queries,
    )  # fmt: skip
    if not table.ragged:
        return note
    lacking = tr("A mean is over the queries that the run has; marks and Δ are over those that both runs have.")
    return f"{note} {lacking}"


def _forest(forest: Forest) -> Grid:
    level = percent(forest.overall.level)
    delta = tr("log ratio") if forest.geometric else "Δ"
    header = (
        tr("collection"), tr("n"), forest.other, forest.system, delta, tr("{level} interval", level=level),
        tr("p corrected"), tr("weight"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for row in forest.rows:
        pair = row.pair
        if pair is None:
            rows.append((row.collection, row.queries, number(row.other_mean), number(row.mean), "–", "–", "–", "–"))
            continue
        ends = "–" if math.isnan(pair.interval.low) else f"[{number(pair.interval.low)}, {number(pair.interval.high)}]"
        weight = "–" if math.isnan(row.weight) else percent(row.weight)
        rows.append(
            (row.collection, pair.n, number(pair.other_mean), number(pair.mean), signed(pair.difference), ends,
             pair.decision.p_corrected_shown, weight)
        )  # fmt: skip
    all_of = forest.overall
    if all_of.k > 1:
        mean, new = (f"[{number(low)}, {number(high)}]" if not math.isnan(low) else "–"
                     for low, high in ((all_of.low, all_of.high), (all_of.new_low, all_of.new_high)))  # fmt: skip
        rows.append((tr("random-effects mean"), None, None, None, signed(all_of.mean), mean, p_value(all_of.p), None))
        rows.append((tr("a new collection like these"), None, None, None, None, new, None, None))
    left = [
        tr("{collection} has no share: {reason}.", collection=row.collection, reason=row.excluded)
        for row in forest.rows
        if row.excluded
    ]
    title = tr("{measure}: {system} against {other}", measure=forest.measure, system=forest.system, other=forest.other)
    return Grid(title, header, tuple(rows), (forest.sentence, *left))


def _tests(table: CollectionTable, test: OverCollections) -> list[Grid]:
    title = tr("{measure}: over the {n} complete collections", measure=table.measure, n=len(test.collections))
    header = (tr("pair"), tr("mean Δ"), tr("better on"), tr("worse on"), tr("sign, Holm"), tr("Wilcoxon, Holm"))
    rows: list[tuple[Cell, ...]] = [
        (f"{pair.system} − {pair.other}", signed(pair.difference), pair.better, pair.worse,
         p_value(pair.sign_corrected), p_value(pair.wilcoxon_corrected))
        for pair in test.pairs
    ]  # fmt: skip
    notes = list(test.notes)
    if not test.reason:
        ranks = ", ".join(f"{name} {rank:.2f}" for name, rank in zip(test.systems, test.ranks.tolist(), strict=True))
        notes.append(tr("Average ranks: {ranks}.", ranks=ranks))
        if test.friedman is not None:
            notes.append(f"{test.friedman.text}.")
        notes.append(
            tr(
                "Nemenyi's critical difference at {alpha}: {difference} ranks.",
                alpha=limit(test.alpha), difference=quantity(test.critical_difference),
            )
        )  # fmt: skip
    return [Grid(title, header, tuple(rows), tuple(notes))]


def write_latex(report: CollectionReport) -> str:
    """Return tables that compile with booktabs: a column for each collection with its number of queries, the best mean
    bold, daggers explained in the caption; then the other tables."""
    grids = collection_grids(report)
    letters = "".join("".join([*grid.header, *(str(row[0]) for row in grid.rows)]) for grid in grids)
    blocks = [latex.head(letters)]
    for position, table in enumerate(report.tables):
        blocks.append(_latex_table(table, position))
    others = grids[len(report.tables) :]
    return "\n".join(blocks) + ("\n" + _without_head(tables.write_latex(others)) if others else "")


def _without_head(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith("%"))


def _latex_table(table: CollectionTable, place: int) -> str:
    bold = table.best
    macro = best_of(table.macro[:, None], table.higher_is_better)[:, 0]
    micro = table.micro_best
    header = [latex.escape(tr("System")), *map(latex.escape, table.collections), tr("Macro"), tr("Micro")]
    queries = [f"{n:,}" for n in table.queries.tolist()]
    inside = f"{int(table.queries[table.complete].sum()):,}"
    rows = [[latex.escape(tr("queries")), *queries, "", inside]]
    for row, system in enumerate(table.systems):
        cells = [
            _latex_cell(float(table.means[row, column]), bool(bold[row, column]), int(table.marks[row, column]))
            for column in range(len(table.collections))
        ]
        cells.append(_latex_cell(float(table.macro[row]), bool(macro[row]), 0))
        cells.append(_latex_cell(float(table.micro[row]), bool(micro[row]), int(table.micro_marks[row])))
        rows.append([latex.escape(system), *cells])
    caption = latex.escape(tr("{measure} by collection; bold: the highest mean.", measure=table.measure))
    if table.baseline is not None:
        marks = tr("better, {worse} worse than {baseline} on that collection, p < {alpha} ({methods}).", worse=WORSE,
                   baseline=table.systems[table.baseline], alpha=limit(table.options.alpha),
                   methods="; ".join(table.methods))  # fmt: skip
        caption += r" $^{\dagger}$ " + latex.escape(marks).replace(WORSE, r"$^{\ddagger}$")
    caption += " " + latex.escape(" ".join([means_note(table), *table.notes]))
    return latex.table(header, rows, "l" + "r" * (len(header) - 1), caption, f"tab:collections-{place + 1}")


def _latex_cell(value: float, bold: bool, side: int) -> str:
    text = latex.escape(number(value))
    text = rf"\textbf{{{text}}}" if bold else text
    return text + {1: r"$^{\dagger}$", -1: r"$^{\ddagger}$", 0: ""}[side]


def write_csv(report: CollectionReport, delimiter: str = ",") -> str:
    """Return a row for each measure, system and collection at full precision, then those of macro and micro ("all");
    missing values are empty."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(["measure", "system", "collection", "queries", "mean", "mark", "p corrected"])
    for table in report.tables:
        for row, system in enumerate(table.systems):
            for column, name in enumerate(table.collections):
                value = float(table.means[row, column])
                mark = int(table.marks[row, column])
                p = _p(table, row, column)
                writer.writerow(
                    [table.measure, system, name, int(table.queries[column]), _plain(value), mark, _plain(p)]
                )  # fmt: skip
            inside = int(table.queries[table.complete].sum())
            writer.writerow(
                [table.measure, system, "macro", int(table.complete.sum()), _plain(float(table.macro[row])), 0, ""]
            )
            writer.writerow(
                [
                    table.measure,
                    system,
                    "micro",
                    inside,
                    _plain(float(table.micro[row])),
                    int(table.micro_marks[row]),
                    "",
                ]
            )
    return out.getvalue()


def collection_rows(table: CollectionTable) -> list[dict[str, Any]]:
    """Return a row for each system with its mean on each collection, macro and micro; NaN if missing."""
    return [
        {
            "system": system,
            **{name: float(table.means[row, column]) for column, name in enumerate(table.collections)},
            "macro": float(table.macro[row]),
            "micro": float(table.micro[row]),
        }
        for row, system in enumerate(table.systems)
    ]


def forest_rows(forest: Forest) -> list[dict[str, Any]]:
    """Return a row for each collection with the difference, its interval, p and weight; NaN if missing."""
    rows: list[dict[str, Any]] = _json_forest(forest)["rows"]
    return rows


def write_tsv(report: CollectionReport) -> str:
    """Return the CSV form with tabs."""
    return write_csv(report, "\t")


def _plain(value: float) -> str:
    return "" if math.isnan(value) else repr(value)


def _p(table: CollectionTable, row: int, column: int) -> float:
    """Return the corrected p-value of a system and the baseline on a collection; NaN if there is none."""
    compared = table.compared[column]
    if compared is None or row == table.baseline or table.systems[row] not in compared.names:
        return math.nan
    return compared.find(table.systems[row]).decision.p_corrected


def write_json(report: CollectionReport) -> str:
    """Return one object: the tables, the forests, the tests over collections, the skipped files and the matched runs;
    null if missing."""
    return json_text(
        {
            "tables": [_json_table(table) for table in report.tables],
            "forests": [_json_forest(forest) for forest in report.forests],
            "tests": [_json_tests(test) for test in report.tests],
            "skipped": list(report.skipped),
            "matched": [
                {"system": system, "collection": collection, "run": run} for system, collection, run in report.matched
            ],
        },
        2,
    )


def _json_table(table: CollectionTable) -> dict[str, Any]:
    return {
        "measure": table.measure,
        "baseline": None if table.baseline is None else table.systems[table.baseline],
        "collections": [
            {"name": name, "queries": int(table.queries[position]), "complete": bool(table.complete[position])}
            for position, name in enumerate(table.collections)
        ],
        "systems": [
            {
                "name": system, "macro": float(table.macro[row]), "micro": float(table.micro[row]),
                "micro_mark": int(table.micro_marks[row]),
                "collections": [
                    {
                        "name": name, "run": bool(table.present[row, column]), "mean": float(table.means[row, column]),
                        "best": bool(table.best[row, column]), "mark": int(table.marks[row, column]),
                        "p_corrected": _p(table, row, column),
                    }
                    for column, name in enumerate(table.collections)
                ],
            }
            for row, system in enumerate(table.systems)
        ],
        "methods": list(table.methods), "notes": [means_note(table), *table.notes],
    }  # fmt: skip


def _json_forest(forest: Forest) -> dict[str, Any]:
    overall = forest.overall
    return {
        "measure": forest.measure, "system": forest.system, "other": forest.other, "log_ratios": forest.geometric,
        "rows": [
            {
                "collection": row.collection, "queries": 0 if row.pair is None else row.pair.n, "mean": row.mean,
                "other_mean": row.other_mean,
                "difference": math.nan if row.pair is None else row.pair.difference,
                "low": math.nan if row.pair is None else row.pair.interval.low,
                "high": math.nan if row.pair is None else row.pair.interval.high,
                "p": math.nan if row.pair is None else row.pair.decision.p,
                "p_corrected": math.nan if row.pair is None else row.pair.decision.p_corrected,
                "weight": row.weight, "excluded": row.excluded or None,
            }
            for row in forest.rows
        ],
        "collections": overall.k, "mean": overall.mean, "low": overall.low, "high": overall.high, "p": overall.p,
        "tau2": overall.tau2, "q": overall.q, "q_p": overall.q_p, "i2": overall.i2,
        "new_low": overall.new_low, "new_high": overall.new_high, "method": overall.method, "sentence": forest.sentence,
    }  # fmt: skip


def _json_tests(test: OverCollections) -> dict[str, Any]:
    friedman = test.friedman
    return {
        "collections": list(test.collections),
        "excluded": [{"collection": name, "systems": list(systems)} for name, systems in test.excluded],
        "reason": test.reason or None,
        "pairs": [
            {
                "system": pair.system, "other": pair.other, "difference": pair.difference, "better": pair.better,
                "worse": pair.worse, "sign_p": pair.sign, "sign_p_corrected": pair.sign_corrected,
                "wilcoxon_p": pair.wilcoxon, "wilcoxon_p_corrected": pair.wilcoxon_corrected,
            }
            for pair in test.pairs
        ],
        "ranks": [{"system": name, "rank": rank} for name, rank in zip(test.systems, test.ranks.tolist(), strict=True)],
        "friedman": None if friedman is None else {
            "chi2": friedman.chi2, "p": friedman.p, "exact": friedman.exact, "chi2_p": friedman.chi2_p,
            "samples": friedman.samples, "seed": friedman.seed,
        },
        "critical_difference": test.critical_difference,
    }  # fmt: skip


def _written(writer: Callable[..., str]) -> Callable[[CollectionReport], str]:
    return lambda report: writer(collection_grids(report))


WRITERS: dict[str, Callable[[CollectionReport], str]] = {
    "table": _written(tables.write_table),
    "csv": write_csv,
    "tsv": write_tsv,
    "json": write_json,
    "latex": write_latex,
    "markdown": _written(tables.write_markdown),
}
