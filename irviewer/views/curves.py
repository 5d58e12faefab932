"""Curves of runs as a table of their points, beside the figure that draws them."""

from __future__ import annotations

from typing import Annotated, Literal

from irviewer.evaluation.bind import BoundProtocol
from irviewer.figures.curve_sets import CurveSet, curve_set
from irviewer.model.recall_cuts import KEYS, WORDS
from irviewer.tables import column
from irviewer.tables.column import Column
from irviewer.tables.table import Table
from irviewer.translation import tr
from irviewer.views.inputs import Inputs
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult
from irviewer.views.selection import lists_of, outside_remarks
from irviewer.views.view import ResultView, a_query, option

X_TITLES = {"recall": tr("recall"), "rank": tr("rank"), "cutoff": tr("cutoff")}
Y_TITLES = {"precision": tr("precision")} | {
    f"precision: {key}": tr("precision: {rule}", rule=WORDS[cut].replace("≥", ">=")) for cut, key in KEYS.items()
}


def tables(curves: CurveSet, bound: BoundProtocol | None) -> ViewResult:
    """Return the table ``points``: a row for each point of each curve, with the ends of its band where there are
    bands."""
    header, rows = curves.table
    values = list(zip(*rows, strict=True)) if rows else [()] * len(header)
    x, y = header[1:3]
    x_column = column.number(x, X_TITLES[x], values[1]) if x == "recall" else column.count(x, X_TITLES[x], values[1])
    columns: list[Column] = [
        column.text("run", tr("run"), values[0]), x_column,
        column.number(y, Y_TITLES.get(y, y), values[2], names="measure"),
    ]  # fmt: skip
    if len(header) > 3:
        columns.append(column.interval("band", tr("band"), values[3], values[4], of=y))
    own = None if bound is None else bound.of_query(curves.query)
    known = {"kind": curves.kind, "query": curves.query or "", "last": curves.depth}
    source = provenance(VIEW.name, own, VIEW.record(known, bands=True if curves.figure.bands else None))
    table = Table("points", curves.figure.title, tuple(columns), notes=outside_remarks(bound, curves.query))
    return ViewResult(curves, (table,), (curves.figure,)).with_provenance(source)


KIND_WORDS: dict[str, str] = {
    "pr": tr("precision by recall"), "pr-raw": tr("precision by recall, every rank of a query"),
    "pr11": tr("precision by recall, 11 points"), "dcg": tr("DCG by rank"), "cg": tr("gain by rank, not discounted"),
    "ndcg": tr("nDCG by cutoff"), "prf": tr("P, R and F by rank of a query"),
}  # fmt: skip
"""How people read the kinds of curves."""


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    kind: Annotated[
        Literal["pr", "pr-raw", "pr11", "dcg", "cg", "ndcg", "prf"],
        option(
            tr("pr, pr-raw, pr11: precision by recall; dcg, cg, ndcg: gain by rank; prf: P, R and F by rank"),
            title=tr("kind"),
            words=KIND_WORDS,
        ),
    ] = "pr",
    query: Annotated[str, a_query(tr("one query; without it averaged over all"), title=tr("query"))] = "",
    last: Annotated[int, option(tr("last rank"), low=1, title=tr("last"))] = 100,
) -> CurveSet:
    """Precision by recall, or gain by rank."""
    part = inputs.one
    part.refuse(tr("Curves"), "weights", "judged_only", "depth", "missing")
    rules = protocol.protocol.rules
    qrels, runs = lists_of(part, query)
    return curve_set(kind, qrels, runs, query or None, last, rules.level, rules.dialect)


def _followed(curves: CurveSet, bound: BoundProtocol) -> BoundProtocol:
    return bound.of_query(curves.query)


VIEW = ResultView(
    "curves", compute, tables, title=tr("Curves"), uses=("rules", "scope"), needs=("judgments", "lists"),
    follows=_followed, by_measure=False,
)  # fmt: skip
