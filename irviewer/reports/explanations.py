"""The records that explain a value, as pages of text: ledgers, differences, ranges of ties.

Makes text of the model's records; reads no file."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from irviewer.analysis.explain.difference import MOVES, Difference
from irviewer.analysis.explain.ledger_types import Ledger, MeanLedger
from irviewer.analysis.explain.mean_differences import MeanDifference
from irviewer.analysis.explain.tie_bounds import POLICIES, TieRange
from irviewer.analysis.explain.wording import value_text
from irviewer.model.number_text import MINUS
from irviewer.reports import latex
from irviewer.reports.json_text import json_text

if TYPE_CHECKING:
    from irviewer.analysis.explain.tie_bounds import TieChanges


# What a record is as text: a table with lines above and below, as text, JSON, CSV, Markdown or LaTeX.
#
# Knows no record.


@dataclass(frozen=True)
class Page:
    """A record as text wants it: a line above, a table, lines below; ``data`` for JSON, ``latex`` the formula."""

    head: str
    header: tuple[str, ...]
    rows: list[list[str]]
    right: tuple[bool, ...]
    below: list[str]
    data: dict[str, Any]
    latex: str = ""


def text_of(page: Page, form: str) -> str:
    """A page in one of the formats."""
    if form == "json":
        return json_text(page.data)
    if form == "csv":
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(page.header)
        writer.writerows(map(_read_by_programs, page.rows))
        return out.getvalue()
    if form == "markdown":
        return _markdown(page)
    return _latex(page) if form == "latex" else table(page)


def _read_by_programs(row: Sequence[str]) -> list[str]:
    """Cells with a minus that is a hyphen: a program reads no other as a number's sign."""
    return ["-" + cell[1:] if cell.startswith("−") and cell[1:2].isdigit() else cell for cell in row]


def table(page: Page) -> str:
    """A page for the eye."""
    lines = [page.head]
    if page.rows:
        every = [list(page.header), *page.rows]
        widths = [max(len(row[place]) for row in every) for place in range(len(page.header))]
        lines += ["  ".join(_padded(row, widths, page.right)).rstrip() for row in every]
    return "\n".join([*lines, *page.below]) + "\n"


def _padded(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> list[str]:
    return [one.rjust(w) if r else one.ljust(w) for one, w, r in zip(row, widths, right, strict=True)]


def _markdown(page: Page) -> str:
    lines = [f"**{page.head}**", ""]
    if page.rows:
        lines.append("| " + " | ".join(page.header) + " |")
        lines.append("|" + "|".join("--:" if one else ":--" for one in page.right) + "|")
        lines += ["| " + " | ".join(one.replace("|", "\\|") for one in row) + " |" for row in page.rows]
        lines.append("")
    return "\n".join([*lines, *(one.strip() + "  " for one in page.below if one.strip())]) + "\n"


def _latex(page: Page) -> str:
    columns = "".join("r" if one else "l" for one in page.right)
    rows = [list(map(latex.escape, row)) for row in page.rows]
    below = rf"\[{page.latex}\]" if page.latex else latex.escape(page.below[0])
    text = latex.table(
        [latex.escape(one) for one in page.header], rows, columns, latex.escape(page.head), "tab:explained", below
    )
    return latex.head(text) + text


def page_of(found: Any) -> Page:
    """The page of any of the records that ``irviewer.explain`` gives."""
    if isinstance(found, Ledger):
        return _ledger(found)
    if isinstance(found, MeanLedger):
        return _mean(found)
    if isinstance(found, Difference):
        return _difference(found)
    if isinstance(found, MeanDifference):
        return _mean_difference(found)
    if isinstance(found, TieRange):
        return _ties(found)
    return _tie_changes(found)


def _ledger(found: Ledger) -> Page:
    rows = [found.shown(row) for row in range(found.n_rows)]
    header = tuple(one.title for one in found.columns)
    right = tuple(one.kind != "text" for one in found.columns)
    below = [found.worked, *(f"  {one.text}" for one in found.rules)]
    if found.missed:
        named = [
            f"{one.document} ({'not returned' if one.rank is None else f'rank {one.rank}'})" for one in found.missed
        ]
        more = f" … and {len(named) - 8} more" if len(named) > 8 else ""
        below.append(f"  Not in these rows, though they count: {', '.join(named[:8])}{more}.")
    for part in found.parts:
        below += ["", *table(_ledger(part)).splitlines()]
    return Page(f"{found.measure} of {found.run}, query {found.query}", header, rows, right, below, _plain(found),
                found.worked_latex)  # fmt: skip


def _plain(found: Ledger) -> dict[str, Any]:
    """A ledger as JSON has it."""

    def quantity(one: Any) -> Any:
        return None if one is None else {"symbol": one.symbol, "meaning": one.meaning, "value": one.value}

    return {
        "measure": found.measure.text, "query": found.query, "run": found.run, "value": plain_number(found.value),
        "text": found.text, "worked": found.worked, "worked_latex": found.worked_latex, "formula": found.formula,
        "operation": found.operation, "sum": found.sum, "offset": quantity(found.offset),
        "normaliser": quantity(found.normaliser), "quantities": [quantity(one) for one in found.quantities],
        "columns": [
            {"key": one.key, "title": one.title, "meaning": one.meaning, "kind": one.kind} for one in found.columns
        ],
        "rows": list(found.rows()), "rules": [{"key": one.key, "text": one.text} for one in found.rules],
        "missed": [{"document": one.document, "grade": one.grade, "rank": one.rank} for one in found.missed],
        "interval": None if found.interval is None else {
            "unjudged": found.interval.unjudged, "grade": found.interval.grade,
            "low": plain_number(found.interval.low), "high": plain_number(found.interval.high),
            "none": plain_number(found.interval.none), "all": plain_number(found.interval.all),
            "why": found.interval.why,
        },
        "parts": [_plain(one) for one in found.parts],
    }  # fmt: skip


def plain_number(value: float) -> float | None:
    """A number as JSON has it: none for NaN."""
    return None if math.isnan(value) else value


def _mean(found: MeanLedger) -> Page:
    pairs = list(zip(found.query_ids, found.values.tolist(), found.shares.tolist(), strict=True))
    adds = {"geometric": "log share", "sum": "adds", "count": "adds"}.get(found.aggregate, "adds to the mean")
    data = {
        "measure": found.measure.text,
        "run": found.run,
        "value": plain_number(found.value),
        "aggregate": found.aggregate,
        "worked": found.worked,
        "worked_latex": found.worked_latex,
        "queries": [
            {"query": query, "value": plain_number(value), "share": plain_number(share)}
            for query, value, share in pairs
        ],
        "rules": [{"key": one.key, "text": one.text} for one in found.rules],
        "left_out": [{"query": one.query, "reason": one.reason} for one in found.left_out],
        "counted": [{"query": one.query, "reason": one.reason} for one in found.counted],
    }
    rows = [[query, _four(value), _four(share, 6)] for query, value, share in pairs]
    below = [found.worked, *(f"  {one.text}" for one in found.rules)]
    head = f"{found.measure} of {found.run}, {len(pairs):,} queries"
    return Page(head, ("query", "value", adds), rows, (False, True, True), below, data, found.worked_latex)


def _four(value: float, digits: int = 4) -> str:
    return "–" if math.isnan(value) else f"{value:.{digits}f}".replace("-", MINUS)


def _signed(value: float, digits: int = 4) -> str:
    return "=" if value == 0 else f"{value:+.{digits}f}".replace("-", MINUS)


def _equation(found: Difference | MeanDifference) -> str:
    """``0.3790 − 0.4561 = −0.0771``; counts whole."""
    whole = found.measure.counts
    delta = "0" if found.delta == 0 else f"{found.delta:+.0f}" if whole else f"{found.delta:+.4f}"
    ends = (value_text(found.measure, one).replace("-", MINUS) for one in (found.value, found.base))
    return f"{' − '.join(ends)} = {delta.replace('-', MINUS)}"


def _difference(found: Difference) -> Page:
    rows, data = [], []
    for one in found.parts:
        grade = "" if math.isnan(one.grade) else f"{one.grade:g}"
        move = one.move if one.document else MOVES[one.move]
        rows.append([one.document or "–", grade, str(one.rank or "–"), str(one.base or "–"), move, _signed(one.delta)])
        data.append({"document": one.document, "grade": plain_number(one.grade), "move": one.move, "rank": one.rank,
                     "base": one.base, "delta": one.delta})  # fmt: skip
    line = _equation(found)
    totals = ", ".join(f"{move} {_signed(value)}" for move, value in found.totals().items())
    below = [line, *([f"  {totals}"] if totals else []), f"  How it is split: {found.attribution}."]
    if found.unchanged:
        below.append(f"  {found.unchanged:,} documents of the two lists make no difference.")
    head = f"{found.measure}, query {found.query}: {found.run} − {found.baseline}"
    return Page(
        head, ("document", "grade", found.run, found.baseline, "move", "adds to Δ"), rows,
        (False, True, True, True, False, True), below,
        {"measure": found.measure.text, "query": found.query, "run": found.run, "baseline": found.baseline,
         "value": found.value, "base": found.base, "delta": found.delta, "attribution": found.attribution,
         "parts": data, "totals": found.totals()},
    )  # fmt: skip


def _mean_difference(found: MeanDifference) -> Page:
    rows = [
        [one.query, value_text(found.measure, one.value), value_text(found.measure, one.base), _signed(one.delta, 6)]
        for one in found.parts
    ]
    below = [_equation(found)]
    below.append(f"  How it is split: {found.attribution}.")
    data = [{"query": one.query, "value": plain_number(one.value), "base": plain_number(one.base), "delta": one.delta}
            for one in found.parts]  # fmt: skip
    return Page(
        f"{found.measure}: {found.run} − {found.baseline}", ("query", found.run, found.baseline, "adds to Δ"), rows,
        (False, True, True, True), below,
        {"measure": found.measure.text, "run": found.run, "baseline": found.baseline, "value": found.value,
         "base": found.base, "delta": found.delta, "attribution": found.attribution,
         "factor": plain_number(found.factor), "parts": data},
    )  # fmt: skip


def _ties(found: TieRange) -> Page:
    rows = [[POLICIES[name], _four(value)] for name, value in found.policies.items()]
    rows += [["lowest", _four(found.lowest)], ["expected", _four(found.expected)], ["highest", _four(found.highest)]]
    below = [found.told()]
    below += [f"  ranks {one.first}–{one.last}: {', '.join(one.documents[:8])}" for one in found.groups[:8]]
    data = {
        "measure": found.measure.text, "query": found.query, "run": found.run, "value": found.value,
        "lowest": found.lowest, "highest": found.highest, "expected": found.expected, "method": found.method,
        "exact": found.exact, "orders": found.orders, "policies": found.policies,
        "groups": [{"first": one.first, "last": one.last, "score": plain_number(one.score),
                    "documents": list(one.documents)} for one in found.groups],
    }  # fmt: skip
    head = f"{found.measure} of {found.run}, query {found.query}: {_four(found.value)}"
    return Page(head, ("order of ties", "value"), rows, (False, True), below, data)


def _tie_changes(found: TieChanges) -> Page:
    names = found.policies
    means = dict(zip(names, found.means.tolist(), strict=True))
    rows = [[POLICIES[name], _four(means[name])] for name in names]
    rows.append(["expected over all orders", _four(found.expected_mean)])
    many = (
        f"{len(found.query_ids):,} of {found.n_queries:,} queries have tied documents; the value of {found.changing:,} "
    )
    data = {
        "measure": found.measure.text, "run": found.run, "tied_queries": len(found.query_ids),
        "changing": found.changing, "queries": found.n_queries, "means": means,
        "expected": plain_number(found.expected_mean),
        "by_query": [
            {"query": query, **dict(zip(names, map(plain_number, column), strict=True)),
             "expected": plain_number(expected)}
            for query, column, expected in zip(
                found.query_ids, found.values.T.tolist(), found.expected.tolist(), strict=True)],
    }  # fmt: skip
    head = f"{found.measure} of {found.run}: means by the order of ties"
    return Page(head, ("order of ties", "mean"), rows, (False, True), [many + "depends on their order."], data)
