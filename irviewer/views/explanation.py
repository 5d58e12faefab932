"""Explanations of a value as tables: the ledger of a query or a mean, a difference, the order of ties, and the
documents above one."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import singledispatch
from typing import Any

import numpy as np

from irviewer.analysis.explain.difference import MOVES, Difference
from irviewer.analysis.explain.documents_above import DocumentsAbove
from irviewer.analysis.explain.ledger_types import Ledger, MeanLedger, Quantity
from irviewer.analysis.explain.mean_differences import MeanDifference
from irviewer.analysis.explain.tie_bounds import POLICIES, TieChanges, TieRange
from irviewer.analysis.explain.wording import value_text
from irviewer.evaluation.bind import BoundProtocol
from irviewer.measures.tool_names import usual_name
from irviewer.model.number_text import MINUS
from irviewer.tables import column
from irviewer.tables.column import Column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr, trn
from irviewer.views.keys import data_keys
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult
from irviewer.views.selection import outside_remarks

MOST_MISSED = 8
"""The number of documents named that count but have no row."""
MOST_GROUPS = 8
"""The number of groups of tied documents that are named, and of documents of each."""


def tables(explanation: Any, bound: BoundProtocol | None) -> ViewResult:
    """Return the tables of whatever ``irviewer.explain`` returns."""
    query = getattr(explanation, "query", None)
    of_mean = bound if bound is None or query is None else replace(bound, lacking={})  # a ledger has a rule of its own
    known = {"query": query, "run": explanation.run, "against": getattr(explanation, "baseline", None)}
    asked = {name: value for name, value in known.items() if value is not None}
    source = provenance("explain", of_mean, {"measure": explanation.measure.text, **asked})
    first, *others = _tables(explanation)
    if outside := outside_remarks(bound, query):
        first = replace(first, notes=(*first.notes, *outside))
    return ViewResult(explanation, (first, *others)).with_provenance(source)


@singledispatch
def _tables(explanation: Any) -> tuple[Table, ...]:
    raise TypeError(f"no explanation: {type(explanation).__name__}")


@_tables.register
def _(ledger: Ledger) -> tuple[Table, ...]:
    parts = [_ledger(part, f"part_{number}") for number, part in enumerate(ledger.parts, start=1)]
    return (_ledger(ledger, "ledger"), *parts)


def _ledger(ledger: Ledger, name: str) -> Table:
    keys = [re.sub(r"[^a-z0-9_]+", "_", each.key.lower()) for each in ledger.columns]
    columns = []
    for key, each, cells in zip(keys, ledger.columns, ledger.cells, strict=True):
        tip = each.meaning if each.title in each.meaning else f"{each.title}: {each.meaning}"
        if each.kind == "text":
            make = column.identifier if key in ("document", "query") else column.text
            columns.append(make(key, each.title, [cell or None for cell in cells], tip=tip))
        elif each.kind == "grade":  # only a document has a grade, if an unknown one
            documents = ledger.column("document") if key == "grade" and "document" in keys else [""] * len(cells)
            empty = ["" if not document and math.isnan(cell) else None
                     for document, cell in zip(documents, cells, strict=True)]  # fmt: skip
            columns.append(column.grade(key, each.title, cells, tip=tip, texts=empty if "" in empty else None))
        elif key == "rank":
            columns.append(column.rank(key, each.title, cells, tip=tip))
        else:
            columns.append(column.number(key, each.title, cells, tip=tip, whole=each.kind == "int",
                                         decimals=each.decimals))  # fmt: skip
    notes = [_worked(ledger), *(Remark(rule.key.replace(" ", "_"), rule.text, warns=False) for rule in ledger.rules)]
    if ledger.missed:
        missed = [{"document": each.document, "grade": each.grade, "rank": each.rank} for each in ledger.missed]
        notes.append(Remark("missed", _missed_text(ledger), {"documents": missed}, warns=False))
    title = tr(
        "{measure} of {run}, query {query}", measure=usual_name(ledger.measure), run=ledger.run, query=ledger.query
    )
    return Table(name, title, tuple(columns), notes=tuple(notes), opens="document")


def _worked(ledger: Ledger) -> Remark:
    """Return the formula with the numbers put in, and what a program needs to compute it again."""
    interval = ledger.interval
    values: dict[str, Any] = {
        "value": ledger.value, "text": ledger.text or None, "formula": ledger.formula, "operation": ledger.operation,
        "sum": ledger.sum, "offset": _quantity(ledger.offset), "normaliser": _quantity(ledger.normaliser),
        "quantities": [_quantity(each) for each in ledger.quantities], "run": ledger.run, "query": ledger.query,
        "interval": None if interval is None else {
            "low": interval.low, "high": interval.high, "none": interval.none, "all": interval.all,
            "unjudged": interval.unjudged, "unjudged_elsewhere": interval.others, "exact": interval.exact,
            "grade": interval.grade, "why": interval.why or None,
        },
    }  # fmt: skip
    return Remark("worked", ledger.worked, values, warns=False, latex=ledger.worked_latex)


def _quantity(quantity: Quantity | None) -> dict[str, Any] | None:
    if quantity is None:
        return None
    return {"symbol": quantity.symbol, "meaning": quantity.meaning, "value": quantity.value}


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


@_tables.register
def _(ledger: MeanLedger) -> tuple[Table, ...]:
    adds = {"geometric": tr("log share"), "sum": tr("adds"), "count": tr("adds")}
    title = trn("{measure} of {run}, {n:,} query", "{measure} of {run}, {n:,} queries", len(ledger.query_ids),
                measure=ledger.measure, run=ledger.run)  # fmt: skip
    values = {
        "value": ledger.value, "aggregate": ledger.aggregate, "run": ledger.run,
        "left_out": [{"query": each.query, "reason": each.reason} for each in ledger.left_out],
        "counted": [{"query": each.query, "reason": each.reason} for each in ledger.counted],
    }  # fmt: skip
    return (
        Table("queries", title, (
            column.identifier("query", tr("query"), ledger.query_ids, tip=tr("The queries of the mean")),
            column.number("value", tr("value"), ledger.values, better_up=ledger.measure.higher_is_better,
                          tip=tr("Value of the query")),
            column.number("share", adds.get(ledger.aggregate, tr("adds to the mean")), ledger.shares, decimals=6,
                          tip=tr("Contribution to the value over all queries")),
        ), keys=ledger.query_ids, opens="query", notes=(
            Remark("worked", ledger.worked, values, warns=False, latex=ledger.worked_latex),
            *(Remark(rule.key.replace(" ", "_"), rule.text, warns=False) for rule in ledger.rules),
        )),
    )  # fmt: skip


def _equation(difference: Difference | MeanDifference) -> Remark:
    """Return ``0.3790 − 0.4561 = −0.0771``; counts are whole numbers."""
    whole = difference.measure.counts
    delta = "0" if difference.delta == 0 else f"{difference.delta:+.0f}" if whole else f"{difference.delta:+.4f}"
    ends = [value_text(difference.measure, value) for value in (difference.value, difference.base)]
    text = f"{' − '.join(ends)} = {delta}"
    values = {"value": difference.value, "base": difference.base, "delta": difference.delta,
              "run": difference.run, "baseline": difference.baseline}  # fmt: skip
    return Remark("worked", text.replace("-", MINUS), values, warns=False, latex=text.replace("−", "-"))


def _attribution(difference: Difference | MeanDifference, values: Mapping[str, Any]) -> Remark:
    text = tr("How the difference is divided: {attribution}.", attribution=difference.attribution)
    return Remark("attribution", text, values, warns=False)


def _of_both(difference: Difference | MeanDifference, columns: Sequence[Column]) -> tuple[str, str]:
    """Return keys for the columns of the run and the baseline."""
    run, baseline = data_keys([difference.run, difference.baseline], columns)
    return run, baseline


@_tables.register
def _(difference: Difference) -> tuple[Table, ...]:
    parts = difference.parts
    moves = [part.move if part.document else MOVES[part.move] for part in parts]
    title = tr("{measure}, query {query}: {run} − {baseline}", measure=difference.measure, query=difference.query,
               run=difference.run, baseline=difference.baseline)  # fmt: skip
    adds = (
        column.text("move", tr("move"), [part.move for part in parts], texts=moves),
        column.difference("delta", tr("adds to Δ"), [part.delta for part in parts],
                          better_up=difference.measure.higher_is_better),
    )  # fmt: skip
    kinds = dict.fromkeys(part.kind for part in parts if part.kind)
    has_documents = not difference.items or any(part.document for part in parts)
    names: list[Column] = []
    details: list[Column] = []
    if has_documents:
        names.append(column.identifier("document", tr("document"), [part.document or None for part in parts]))
        details.append(column.grade("grade", tr("grade"), [part.grade for part in parts]))
    names += [
        column.text(kind, KINDS[kind], [part.item if part.kind == kind else "" for part in parts])
        for kind in kinds or dict.fromkeys([difference.items] if difference.items else [])
    ]
    run, baseline = _of_both(difference, (*names, *details, *adds))
    if has_documents:
        details += [
            column.rank(run, difference.run, [part.rank or None for part in parts], names="run"),
            column.rank(baseline, difference.baseline, [part.base or None for part in parts], names="run"),
        ]
    elif any(part.label or part.base_label for part in parts):
        details += [
            column.text(run, difference.run, [part.label for part in parts], names="run"),
            column.text(baseline, difference.baseline, [part.base_label for part in parts], names="run"),
        ]
    opens = "document" if has_documents else ""
    return (Table("parts", title, (*names, *details, *adds), opens=opens, notes=_notes(difference)),)


KINDS: Mapping[str, str] = {"nugget": tr("nugget"), "sentence": tr("sentence"), "citation": tr("citation")}
"""What the rows of a difference are, where not documents -> its title."""


def _notes(difference: Difference) -> tuple[Remark, ...]:
    totals = difference.totals()
    notes = [_equation(difference), _attribution(difference, {"totals": totals, "unchanged": difference.unchanged})]
    if totals:
        notes.insert(
            1, Remark("totals", ", ".join(f"{move} {_signed(value)}" for move, value in totals.items()), warns=False)
        )
    if difference.unchanged:
        text = UNCHANGED[difference.items](difference.unchanged)
        notes.append(Remark("unchanged", text, {difference.items or "documents": difference.unchanged}, warns=False))
    return tuple(notes)


UNCHANGED: Mapping[str, Callable[[int], str]] = {
    "": lambda n: trn("{n:,} document of the two rankings makes no difference.",
                      "{n:,} documents of the two rankings make no difference.", n),
    "nugget": lambda n: trn("{n:,} nugget makes no difference.", "{n:,} nuggets make no difference.", n),
    "sentence": lambda n: trn("{n:,} sentence makes no difference.", "{n:,} sentences make no difference.", n),
    "citation": lambda n: trn("{n:,} citation makes no difference.", "{n:,} citations make no difference.", n),
}  # fmt: skip
"""What the rows of a difference are, "" for documents -> what is said of those that are alike in both."""


def _signed(value: float) -> str:
    return "=" if value == 0 else f"{value:+.4f}".replace("-", MINUS)


@_tables.register
def _(difference: MeanDifference) -> tuple[Table, ...]:
    parts, whole = difference.parts, difference.measure.counts
    columns = (
        column.identifier("query", tr("query"), parts.queries),
        column.difference("delta", tr("adds to Δ"), parts.deltas, decimals=6,
                          better_up=difference.measure.higher_is_better),
    )  # fmt: skip
    run, baseline = _of_both(difference, columns)
    values = (
        column.number(run, difference.run, parts.values, names="run", whole=whole),
        column.number(baseline, difference.baseline, parts.bases, names="run", whole=whole),
    )
    title = f"{usual_name(difference.measure)}: {difference.run} − {difference.baseline}"
    return (
        Table("queries", title, (columns[0], *values, columns[1]), keys=parts.queries, opens="query",
              notes=(_equation(difference), _attribution(difference, {"factor": difference.factor}))),
    )  # fmt: skip


@_tables.register
def _(ties: TieRange) -> tuple[Table, ...]:
    ends = {"lowest": tr("lowest"), "expected": tr("expected"), "highest": tr("highest")}
    orders = [*ties.policies, *ends]
    values = [*ties.policies.values(), ties.lowest, ties.expected, ties.highest]
    title = tr("{measure} of {run}, query {query}: {value}", measure=ties.measure, run=ties.run, query=ties.query,
               value="–" if math.isnan(ties.value) else f"{ties.value:.4f}")  # fmt: skip
    facts = {"value": ties.value, "method": ties.method, "exact": ties.exact, "orders": ties.orders}
    groups = ties.groups
    documents = [", ".join(group.documents[:MOST_GROUPS]) for group in groups]
    notes = [Remark("ties", ties.sentence(), facts, warns=False)]
    table = Table("orders", title, (
        column.text("order", tr("order of ties"), orders, texts=[*(POLICIES[name] for name in ties.policies),
                                                                *ends.values()]),
        column.number("value", tr("value"), values),
    ), notes=tuple(notes))  # fmt: skip
    if not groups:
        return (table,)
    return (table, Table("groups", tr("Tied documents"), (
        column.rank("first", tr("first rank"), [group.first for group in groups]),
        column.rank("last", tr("last rank"), [group.last for group in groups]),
        column.number("score", tr("score"), [group.score for group in groups]),
        column.text("shown", tr("documents"), documents),
        column.tags("documents", tr("documents"), [tuple(group.documents) for group in groups], detail=True),
    )))  # fmt: skip


@_tables.register
def _(changes: TieChanges) -> tuple[Table, ...]:
    names = [*changes.policies, "expected"]
    titles = [*(POLICIES[name] for name in changes.policies), tr("expected over all orders")]
    text = trn(
        "{tied:,} of {n:,} query has tied documents; the value of {changing:,} depends on their order.",
        "{tied:,} of {n:,} queries have tied documents; the value of {changing:,} depends on their order.",
        changes.n_queries, tied=len(changes.query_ids), changing=changes.changing,
    )  # fmt: skip
    facts = {"tied": len(changes.query_ids), "changing": changes.changing, "queries": changes.n_queries}
    title = tr("{measure} of {run}: means by the order of ties", measure=changes.measure, run=changes.run)
    means = np.append(changes.means, changes.expected_mean)
    return (
        Table("orders", title, (
            column.text("order", tr("order of ties"), names, texts=titles), column.number("mean", tr("mean"), means),
        ), notes=(Remark("ties", text, facts, warns=False),)),
        Table("queries", tr("Queries with tied documents"), (
            column.identifier("query", tr("query"), changes.query_ids),
            *(column.number(name.replace("-", "_").replace(" ", "_"), title, values)
              for name, title, values in zip(names, titles, [*changes.values, changes.expected], strict=True)),
        ), keys=changes.query_ids, opens="query"),
    )  # fmt: skip


def above_tables(
    position: DocumentsAbove,
    bound: BoundProtocol | None,
    elsewhere: Sequence[tuple[str, int]] = (),
    terms: Sequence[str] = (),
    matched: Sequence[Sequence[str] | None] = (),
    remarks: Sequence[Remark] = (),
) -> ViewResult:
    """Return the table ``above``: the documents above one, which is the last row, and with several runs the table
    ``elsewhere`` of its ranks (0: not returned).

    terms    the terms of the query; ``matched`` those that each document has, None where its text is not known"""
    above = position.above
    scores = [*(row.score for row in above), position.score]
    digits = _digits(scores)
    columns = [
        column.rank(
            "rank", tr("rank"), [*(row.rank for row in above), position.rank or None], tip=tr("Rank in the run")
        ),
        column.identifier("document", tr("document"), [*(row.document for row in above), position.document]),
        column.grade(
            "grade", tr("grade"), [*(row.grade for row in above), position.grade], tip=tr("Grade in the qrels")
        ),
        column.number("score", tr("score"), scores, decimals=digits, tip=tr("Score in the run")),
    ]
    if position.rank:
        gaps = [score - position.score for score in scores[:-1]]
        columns.append(column.number("gap", tr("Δ score"), [*gaps, None], decimals=digits,
                                     tip=tr("Score minus the score of the document")))  # fmt: skip
    if terms:
        columns.append(column.tags("terms", tr("query terms"), [tuple(words or ()) for words in matched]))
    first, *others = position.sentences()
    values = {
        "query": position.query, "run": position.run, "cutoff": position.cutoff, "rank": position.rank or None,
        "returned": position.returned, "grade": position.grade, "score": position.score, "cutoff_score": position.bar,
        "gap": position.gap, "relevant_above": position.relevant, "non_relevant_above": position.non_relevant,
        "unjudged_above": position.unjudged,
    }  # fmt: skip
    notes = (
        Remark("position", first, values, warns=False),
        *(Remark("above", text, warns=False) for text in others),
        *remarks,
        *outside_remarks(bound, position.query),
    )
    title = tr("{document} in {run}, query {query}", document=position.document, run=position.run, query=position.query)
    all_tables = [Table("above", title, tuple(columns), notes=notes, opens="document",
                        line_below=len(above) - 1)]  # fmt: skip
    if elsewhere:
        all_tables.append(Table("elsewhere", tr("Its rank in other runs"), (
            column.run("run", tr("run"), [run for run, _ in elsewhere]),
            column.rank("rank", tr("rank"), [rank or None for _, rank in elsewhere]),
        )))  # fmt: skip
    known = {"document": position.document, "query": position.query, "cutoff": position.cutoff}
    source = provenance("explain", bound, known)
    return ViewResult(position, tuple(all_tables)).with_provenance(source)


def _digits(scores: Sequence[float]) -> int:
    """Return the decimals that show six digits of the largest score; 0 if all scores are whole numbers."""
    known = [abs(score) for score in scores if math.isfinite(score)]
    if all(score.is_integer() for score in known):
        return 0
    return min(6, max(0, 5 - math.floor(math.log10(max(known)))))
