"""Text of explanations for the command line: ledgers, differences and ranges of ties, each laid out as a page."""

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
from irviewer.hidden_characters import escape_hidden
from irviewer.model.number_text import MINUS
from irviewer.tables import latex, markdown
from irviewer.tables.aligned import padded
from irviewer.tables.json_text import json_text
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.explain.tie_bounds import TieChanges


MOST_MISSED = 8
"""The number of documents named that count but have no row."""


@dataclass(frozen=True)
class Page:
    """An explanation as text: a line above, a table, lines below.

    right     for each column, whether it is aligned to the right
    data      the object written as JSON
    latex     the formula with the numbers put in
    """

    head: str
    header: tuple[str, ...]
    rows: list[list[str]]
    right: tuple[bool, ...]
    below: list[str]
    data: dict[str, Any]
    latex: str = ""


def text_of(page: Page, form: str) -> str:
    """Return a page in a format: "json", "csv", "markdown", "latex" or "table"."""
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
    """Return the cells with a hyphen for the minus sign, the only sign that programs read."""
    return ["-" + cell[1:] if cell.startswith("−") and cell[1:2].isdigit() else cell for cell in row]


def table(page: Page) -> str:
    """Return a page as aligned text."""
    lines = [escape_hidden(page.head)]
    if page.rows:
        lines += padded((page.header, *page.rows), page.right)
    return "\n".join([*lines, *(escape_hidden(line, keep="\n") for line in page.below)]) + "\n"


def _markdown(page: Page) -> str:
    lines = [f"**{markdown.escape(page.head)}**", ""]
    if page.rows:
        escaped = [[markdown.escape(cell) for cell in row] for row in (page.header, *page.rows)]
        lines += [*markdown.table(escaped[0], escaped[1:], page.right), ""]
    return "\n".join([*lines, *(markdown.escape(line) + "  " for line in page.below if line.strip())]) + "\n"


def _latex(page: Page) -> str:
    columns = "".join("r" if to_right else "l" for to_right in page.right)
    rows = [list(map(latex.escape, row)) for row in page.rows]
    below = rf"\[{page.latex}\]" if page.latex else latex.escape(page.below[0])
    text = latex.table(
        [latex.escape(title) for title in page.header], rows, columns, latex.escape(page.head), "tab:explained", below
    )
    return latex.head(text) + text


def page_of(explanation: Any) -> Page:
    """Return the page of an explanation, whichever ``irviewer.explain`` returned."""
    if isinstance(explanation, Ledger):
        return _ledger(explanation)
    if isinstance(explanation, MeanLedger):
        return _mean(explanation)
    if isinstance(explanation, Difference):
        return _difference(explanation)
    if isinstance(explanation, MeanDifference):
        return _mean_difference(explanation)
    if isinstance(explanation, TieRange):
        return _ties(explanation)
    return _tie_changes(explanation)


def _ledger(ledger: Ledger) -> Page:
    rows = [ledger.shown(row) for row in range(ledger.n_rows)]
    header = tuple(column.title for column in ledger.columns)
    right = tuple(column.kind != "text" for column in ledger.columns)
    below = [ledger.worked, *(f"  {rule.text}" for rule in ledger.rules)]
    if ledger.missed:
        below.append("  " + _missed_text(ledger))
    for part in ledger.parts:
        below += ["", *table(_ledger(part)).splitlines()]
    head = tr("{measure} of {run}, query {query}", measure=ledger.measure, run=ledger.run, query=ledger.query)
    return Page(head, header, rows, right, below, _plain(ledger), ledger.worked_latex)


def _missed_text(ledger: Ledger) -> str:
    """Return a sentence that names the first documents that count but have no row."""
    names = [
        tr("{document} (not returned)", document=missed.document)
        if missed.rank is None
        else tr("{document} (rank {rank})", document=missed.document, rank=missed.rank)
        for missed in ledger.missed
    ]
    shown = ", ".join(names[:MOST_MISSED])
    if len(names) <= MOST_MISSED:
        return tr("Not in these rows, though they count: {documents}.", documents=shown)
    return trn(
        "Not in these rows, though they count: {documents} … and {n} more.",
        "Not in these rows, though they count: {documents} … and {n} more.",
        len(names) - MOST_MISSED,
        documents=shown,
    )


def _plain(ledger: Ledger) -> dict[str, Any]:
    """Return a ledger as a JSON object."""

    def plain_quantity(quantity: Any) -> Any:
        if quantity is None:
            return None
        return {"symbol": quantity.symbol, "meaning": quantity.meaning, "value": quantity.value}

    return {
        "measure": ledger.measure.text,
        "query": ledger.query,
        "run": ledger.run,
        "value": plain_number(ledger.value),
        "text": ledger.text,
        "worked": ledger.worked,
        "worked_latex": ledger.worked_latex,
        "formula": ledger.formula,
        "operation": ledger.operation,
        "sum": ledger.sum,
        "offset": plain_quantity(ledger.offset),
        "normaliser": plain_quantity(ledger.normaliser),
        "quantities": [plain_quantity(quantity) for quantity in ledger.quantities],
        "columns": [
            {"key": column.key, "title": column.title, "meaning": column.meaning, "kind": column.kind}
            for column in ledger.columns
        ],
        "rows": list(ledger.rows()),
        "rules": [{"key": rule.key, "text": rule.text} for rule in ledger.rules],
        "missed": [
            {"document": missed.document, "grade": missed.grade, "rank": missed.rank} for missed in ledger.missed
        ],
        "interval": None
        if ledger.interval is None
        else {
            "unjudged": ledger.interval.unjudged,
            "unjudged elsewhere": ledger.interval.others,
            "exact": ledger.interval.exact,
            "grade": ledger.interval.grade,
            "low": plain_number(ledger.interval.low),
            "high": plain_number(ledger.interval.high),
            "none": plain_number(ledger.interval.none),
            "all": plain_number(ledger.interval.all),
            "why": ledger.interval.why,
        },
        "parts": [_plain(part) for part in ledger.parts],
    }


def plain_number(value: float) -> float | None:
    """Return a number for JSON: None for NaN."""
    return None if math.isnan(value) else value


def _mean(ledger: MeanLedger) -> Page:
    pairs = list(zip(ledger.query_ids, ledger.values.tolist(), ledger.shares.tolist(), strict=True))
    adds = {"geometric": "log share", "sum": "adds", "count": "adds"}.get(ledger.aggregate, "adds to the mean")
    data = {
        "measure": ledger.measure.text,
        "run": ledger.run,
        "value": plain_number(ledger.value),
        "aggregate": ledger.aggregate,
        "worked": ledger.worked,
        "worked_latex": ledger.worked_latex,
        "queries": [
            {"query": query, "value": plain_number(value), "share": plain_number(share)}
            for query, value, share in pairs
        ],
        "rules": [{"key": rule.key, "text": rule.text} for rule in ledger.rules],
        "left_out": [{"query": query.query, "reason": query.reason} for query in ledger.left_out],
        "counted": [{"query": query.query, "reason": query.reason} for query in ledger.counted],
    }
    rows = [[query, _four(value), _four(share, 6)] for query, value, share in pairs]
    below = [ledger.worked, *(f"  {rule.text}" for rule in ledger.rules)]
    head = trn(
        "{measure} of {run}, {n:,} query",
        "{measure} of {run}, {n:,} queries",
        len(pairs),
        measure=ledger.measure,
        run=ledger.run,
    )
    return Page(head, ("query", "value", adds), rows, (False, True, True), below, data, ledger.worked_latex)


def _four(value: float, digits: int = 4) -> str:
    return "–" if math.isnan(value) else f"{value:.{digits}f}".replace("-", MINUS)


def _signed(value: float, digits: int = 4) -> str:
    return "=" if value == 0 else f"{value:+.{digits}f}".replace("-", MINUS)


def _equation(difference: Difference | MeanDifference) -> str:
    """Return ``0.3790 − 0.4561 = −0.0771``; counts are whole numbers."""
    whole = difference.measure.counts
    delta = "0" if difference.delta == 0 else f"{difference.delta:+.0f}" if whole else f"{difference.delta:+.4f}"
    ends = (value_text(difference.measure, value).replace("-", MINUS) for value in (difference.value, difference.base))
    return f"{' − '.join(ends)} = {delta.replace('-', MINUS)}"


def _attribution_text(difference: Difference | MeanDifference) -> str:
    return tr("How the difference is divided: {attribution}.", attribution=difference.attribution)


def _difference(difference: Difference) -> Page:
    rows, data = [], []
    for part in difference.parts:
        grade = "" if math.isnan(part.grade) else f"{part.grade:g}"
        move = part.move if part.document else MOVES[part.move]
        ranks = [str(part.rank or "–"), str(part.base or "–")]
        rows.append([part.document or "–", grade, *ranks, move, _signed(part.delta)])
        data.append({"document": part.document, "grade": plain_number(part.grade), "move": part.move, "rank": part.rank,
                     "base": part.base, "delta": part.delta})  # fmt: skip
    line = _equation(difference)
    totals = ", ".join(f"{move} {_signed(value)}" for move, value in difference.totals().items())
    below = [line, *([f"  {totals}"] if totals else []), "  " + _attribution_text(difference)]
    if difference.unchanged:
        text = trn(
            "{n:,} document of the two rankings makes no difference.",
            "{n:,} documents of the two rankings make no difference.",
            difference.unchanged,
        )
        below.append(f"  {text}")
    head = tr(
        "{measure}, query {query}: {run} − {baseline}",
        measure=difference.measure,
        query=difference.query,
        run=difference.run,
        baseline=difference.baseline,
    )
    return Page(
        head,
        ("document", "grade", difference.run, difference.baseline, "move", "adds to Δ"),
        rows,
        (False, True, True, True, False, True),
        below,
        {
            "measure": difference.measure.text,
            "query": difference.query,
            "run": difference.run,
            "baseline": difference.baseline,
            "value": difference.value,
            "base": difference.base,
            "delta": difference.delta,
            "attribution": difference.attribution,
            "parts": data,
            "totals": difference.totals(),
        },
    )


def _mean_difference(difference: MeanDifference) -> Page:
    rows = [
        [
            part.query,
            value_text(difference.measure, part.value),
            value_text(difference.measure, part.base),
            _signed(part.delta, 6),
        ]
        for part in difference.parts
    ]
    below = [_equation(difference), "  " + _attribution_text(difference)]
    data = [
        {
            "query": part.query,
            "value": plain_number(part.value),
            "base": plain_number(part.base),
            "delta": part.delta,
        }
        for part in difference.parts
    ]
    return Page(
        f"{difference.measure}: {difference.run} − {difference.baseline}",
        ("query", difference.run, difference.baseline, "adds to Δ"),
        rows,
        (False, True, True, True),
        below,
        {
            "measure": difference.measure.text,
            "run": difference.run,
            "baseline": difference.baseline,
            "value": difference.value,
            "base": difference.base,
            "delta": difference.delta,
            "attribution": difference.attribution,
            "factor": plain_number(difference.factor),
            "parts": data,
        },
    )


def _ties(ties: TieRange) -> Page:
    rows = [[POLICIES[name], _four(value)] for name, value in ties.policies.items()]
    rows += [
        [tr("lowest"), _four(ties.lowest)],
        [tr("expected"), _four(ties.expected)],
        [tr("highest"), _four(ties.highest)],
    ]
    below = [ties.sentence()]
    for group in ties.groups[:8]:
        documents = ", ".join(group.documents[:8])
        line = tr("ranks {first}–{last}: {documents}", first=group.first, last=group.last, documents=documents)
        below.append(f"  {line}")
    data = {
        "measure": ties.measure.text, "query": ties.query, "run": ties.run, "value": ties.value,
        "lowest": ties.lowest, "highest": ties.highest, "expected": ties.expected, "method": ties.method,
        "exact": ties.exact, "orders": ties.orders, "policies": ties.policies,
        "groups": [{"first": group.first, "last": group.last, "score": plain_number(group.score),
                    "documents": list(group.documents)} for group in ties.groups],
    }  # fmt: skip
    head = tr(
        "{measure} of {run}, query {query}: {value}",
        measure=ties.measure,
        run=ties.run,
        query=ties.query,
        value=_four(ties.value),
    )
    return Page(head, ("order of ties", "value"), rows, (False, True), below, data)


def _tie_changes(changes: TieChanges) -> Page:
    names = changes.policies
    means = dict(zip(names, changes.means.tolist(), strict=True))
    rows = [[POLICIES[name], _four(means[name])] for name in names]
    rows.append([tr("expected over all orders"), _four(changes.expected_mean)])
    below = trn(
        "{tied:,} of {n:,} query has tied documents; the value of {changing:,} depends on their order.",
        "{tied:,} of {n:,} queries have tied documents; the value of {changing:,} depends on their order.",
        changes.n_queries,
        tied=len(changes.query_ids),
        changing=changes.changing,
    )
    data = {
        "measure": changes.measure.text, "run": changes.run, "tied_queries": len(changes.query_ids),
        "changing": changes.changing, "queries": changes.n_queries, "means": means,
        "expected": plain_number(changes.expected_mean),
        "by_query": [
            {"query": query, **dict(zip(names, map(plain_number, column), strict=True)),
             "expected": plain_number(expected)}
            for query, column, expected in zip(
                changes.query_ids, changes.values.T.tolist(), changes.expected.tolist(), strict=True)],
    }  # fmt: skip
    head = tr("{measure} of {run}: means by the order of ties", measure=changes.measure, run=changes.run)
    return Page(head, ("order of ties", "mean"), rows, (False, True), [below], data)
