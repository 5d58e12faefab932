"""Tables of plain columns for data frames, files and notebooks, one function for each kind of result.

Values by query and means are separate tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np

from irviewer.analysis.agreement.coefficients import COEFFICIENTS
from irviewer.analysis.agreement.corrected import CorrectedScores
from irviewer.analysis.agreement.judge_agreement import JudgeAgreement
from irviewer.analysis.agreement.report import AgreementReport
from irviewer.analysis.agreement.systems_by_judge import SystemsByJudge
from irviewer.errors import OptionError
from irviewer.hidden_characters import escape_hidden
from irviewer.model.number_text import MINUS
from irviewer.tables.aligned import padded
from irviewer.translation import tr, trn

Columns = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Sheet:
    """A table: its columns by name, all of the same length; ``shown`` is a header and rows of texts, if they differ
    from the columns."""

    name: str
    title: str
    columns: Columns
    notes: tuple[str, ...] = ()
    shown: tuple[tuple[str, ...], list[tuple[str, ...]]] | None = None

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(next(iter(self.columns.values()), ()))

    def rows(self, start: int = 0, stop: int | None = None) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """Return the header, and some rows as texts."""
        if self.shown is not None:
            return self.shown[0], self.shown[1][start:stop]
        cells = [[cell_text(cell) for cell in _plain(column[start:stop])] for column in self.columns.values()]
        return tuple(self.columns), list(zip(*cells, strict=True))

    @property
    def right(self) -> tuple[bool, ...]:
        """Whether each column has numbers, which are aligned to the right."""
        if self.shown is not None:
            return tuple(position > 0 for position in range(len(self.shown[0])))
        return tuple(not any(isinstance(cell, str) for cell in _plain(column[:50])) for column in self.columns.values())


def cell_text(cell: Any) -> str:
    """Return a cell as text: four decimals, whole counts, a dash if missing."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "–"
    if isinstance(cell, bool):
        return tr("yes") if cell else tr("no")
    if isinstance(cell, float):
        return f"{cell:.4f}".replace("-", MINUS)
    if isinstance(cell, list | tuple):
        return " ".join(map(str, cell))
    return str(cell)


@singledispatch
def sheets(result: Any) -> tuple[Sheet, ...]:
    """Return the tables of a result, the main one first. Raises OptionError for a result without tables."""
    raise OptionError(tr("A {kind} has no table.", kind=type(result).__name__))


@sheets.register
def _(result: AgreementReport) -> tuple[Sheet, ...]:
    grades, systems = result.grades, result.systems
    reference, names = grades.reference, grades.names
    judges = [_coefficients(grades, reference, place) for place in grades.order.tolist()[1:]]
    pairs = [
        _coefficients(grades, first, second) for first in range(len(names)) for second in range(first + 1, len(names))
    ]
    title = trn("Agreement of {n} judge with {reference}", "Agreement of {n} judges with {reference}", len(judges),
                reference=names[reference])  # fmt: skip
    shown: tuple[str, ...] = (
        "second",
        "pairs",
        "same_grade",
        "kappa_quadratic",
        "kappa_level",
        "alpha_ordinal",
        "ac1",
        "difference",
    )
    if grades.apart.any():
        shown = ("second", "pairs", "kappa_level", "kappa_level_max", "ac1")
    texts = [tuple(cell_text(row[name]) for name in shown) for row in judges]
    tables = [
        Sheet("judges", title, of_rows(judges), result.notes, (("judge", *shown[1:]), texts)),
        Sheet("pairs", tr("Agreement of all pairs of judges"), of_rows(pairs), result.notes),
    ]
    if systems is not None:
        rows = [
            {
                "judge": judge.judge,
                "run": run,
                "value": float(judge.values[position]),
                "low": float(judge.low[position]),
                "high": float(judge.high[position]),
                "rank": int(judge.ranks[position]),
                "rank change": None if judge.reason else int(judge.rank_change[position]),
                "judged": float(judge.judged[position]),
                "grade difference": None if judge.grades is None else float(judge.grades.values[position]),
            }
            for judge in systems.judges
            for position, run in enumerate(systems.runs)
        ]
        title = tr("{measure} under each judge", measure=systems.measure.text)
        tables.append(Sheet("systems", title, of_rows(rows), systems.notes))
        tables.append(Sheet("orders", tr("Orders of systems under each judge"), of_rows(_orders(systems))))
    return tuple(tables)


def _coefficients(grades: JudgeAgreement, first: int, second: int) -> dict[str, Any]:
    row: dict[str, Any] = {
        "first": grades.names[first], "second": grades.names[second], "pairs": int(grades.pairs[first, second]),
        "queries": int(grades.queries[first, second]),
    }  # fmt: skip
    for name in COEFFICIENTS:
        estimate = grades.estimate(name, first, second)
        row |= {name: estimate.value, f"{name} low": estimate.low, f"{name} high": estimate.high}
    return row


def _orders(systems: SystemsByJudge) -> list[dict[str, Any]]:
    rows = []
    for judge in systems.judges:
        row: dict[str, Any] = {"judge": judge.judge, "judgments": judge.judgments, "queries": len(judge.queries)}
        for name in ("tau", "tau_ap"):
            estimate = None if judge.order is None else getattr(judge.order, name)
            row[name] = None if estimate is None else estimate.value
            row[f"{name} low"] = None if estimate is None else estimate.low
            row[f"{name} high"] = None if estimate is None else estimate.high
        row |= {"split-half tau": judge.split_half, "told apart": judge.significant}
        counts = judge.counts
        for name in ("same_both", "same_one", "same_neither", "opposite_both", "opposite_one", "opposite_neither"):
            row[name] = None if counts is None else getattr(counts, name)
        rows.append(row)
    return rows


@sheets.register
def _(result: CorrectedScores) -> tuple[Sheet, ...]:
    means, differences = result.means, result.differences
    columns: Columns = {
        "run": list(result.runs), "model": means.model, "human": means.human, "corrected": means.values,
        "low": means.low, "high": means.high, "worth": means.worth, "correlation": means.correlation,
    }  # fmt: skip
    if differences is not None:
        columns |= {
            "difference": differences.values, "difference low": differences.low, "difference high": differences.high,
            "p corrected": result.p, "difference worth": differences.worth,
        }  # fmt: skip
    title = tr("{measure} under {model}, corrected by {human}", measure=result.measure.text, model=result.model,
               human=result.human)  # fmt: skip
    return (Sheet("scores", title, columns, result.notes),)


def of_rows(rows: Iterable[Mapping[str, Any]], names: Sequence[str] = ()) -> Columns:
    """Return columns from rows with the same keys; ``names`` are needed if there may be no row."""
    all_rows = list(rows)
    keys = list(all_rows[0]) if all_rows else list(names)
    return {key: [row.get(key) for row in all_rows] for key in keys}


def _plain(cells: Any) -> list[Any]:
    return cells.tolist() if isinstance(cells, np.ndarray) else list(cells)


def sheet_named(result: Any, name: str) -> Sheet:
    """Return one of a result's tables; the main one for "". Raises OptionError with the existing names."""
    tables = sheets(result)
    table = next((sheet for sheet in tables if sheet.name == name or not name), None)
    if table is None:
        raise OptionError(
            tr(
                "There is no table {name!r}. There are: {names}.",
                name=name,
                names=", ".join(sheet.name for sheet in tables),
            )
        )
    return table


MOST_ROWS = 24
"""Of longer tables the first and the last are printed."""


def sheet_text(sheet: Sheet, most: int | None = MOST_ROWS) -> str:
    """Return a table for a terminal: title, aligned columns, notes; only the first and last rows of a long table."""
    header, rows, gap = _abridged(sheet, most)
    lines = padded((header, *rows), sheet.right)
    if gap:
        lines.insert(gap[0] + 1, trn("… {n} more row", "… {n:,} more rows", gap[1]))
    lines.insert(0, escape_hidden(sheet.title))
    return "\n".join([*lines, *map(escape_hidden, sheet.notes[:12])])


def _abridged(sheet: Sheet, most: int | None) -> tuple[tuple[str, ...], list[tuple[str, ...]], tuple[int, int] | None]:
    """Return the header, the rows to show, and the index and number of rows left out."""
    n = len(sheet.shown[1]) if sheet.shown is not None else sheet.n_rows
    if most is None or n <= most:
        return (*sheet.rows(), None)
    half = most // 2
    header, first = sheet.rows(0, half)
    return header, [*first, *sheet.rows(n - half)[1]], (half, n - 2 * half)


def sheet_html(sheet: Sheet, most: int | None = 60, numbers: Callable[[str], str] | None = None) -> str:
    """Return a table as HTML without scripts or external styles, every text escaped; only the first and last rows of a
    long table."""
    header, rows, gap = _abridged(sheet, most)
    right = sheet.right
    cell = "padding:.2em .7em;border-bottom:1px solid rgba(128,128,128,.25);white-space:nowrap"
    lines = [f'<table style="border-collapse:collapse"><caption style="text-align:left;font-weight:600;'
             f'padding:.3em .7em">{escape(sheet.title)}</caption>']  # fmt: skip
    heads = [
        f'<th style="{cell};text-align:{"right" if right[position] else "left"}">{escape(name)}</th>'
        for position, name in enumerate(header)
    ]
    lines.append(f"<thead><tr>{''.join(heads)}</tr></thead><tbody>")
    for number, row in enumerate(rows):
        if gap and number == gap[0]:
            more = escape(trn("… {n} more row", "… {n:,} more rows", gap[1]))
            lines.append(f'<tr><td style="{cell}" colspan="{len(header)}">{more}</td></tr>')
        cells = []
        for position, text in enumerate(row):
            side = "right;font-variant-numeric:tabular-nums" if right[position] else "left"
            cells.append(f'<td style="{cell};text-align:{side}">{escape(text)}</td>')
        lines.append(f"<tr>{''.join(cells)}</tr>")
    lines.append("</tbody></table>")
    if sheet.notes:
        notes = "".join(f"<li>{escape(note)}</li>" for note in sheet.notes)
        lines.append(f'<ul style="font-size:.9em;opacity:.8">{notes}</ul>')
    return "".join(lines)


def escape(text: str) -> str:
    """Return a text escaped for HTML; hidden characters are shown as escapes."""
    shown = escape_hidden(text)
    for sign, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        shown = shown.replace(sign, name)
    return shown
