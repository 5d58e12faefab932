"""The values that change under the rules of other tools as a table, with the rules that change them."""

from __future__ import annotations

import math
from typing import Annotated

from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.dialect_changes import ALL, DialectChange, DialectChanges, changes, shown_pair
from irviewer.evaluation.usual_measures import OFFICIAL, usual_measures
from irviewer.measures.tool_names import usual_name
from irviewer.model.dialects import DEFAULT, DIALECTS
from irviewer.tables import column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr, trn
from irviewer.views.inputs import Inputs
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult
from irviewer.views.selection import lists_of
from irviewer.views.view import ResultView, Step, option


def tables(all_changes: DialectChanges, bound: BoundProtocol | None) -> ViewResult:
    """Return the table ``changes``: a row for each value that changes, the query None for a mean."""
    others = [name for name in DIALECTS if name != DEFAULT]
    named = None if list(all_changes.by_dialect) == others else tuple(all_changes.by_dialect)
    source = provenance(VIEW.name, bound, VIEW.record({"by_query": all_changes.by_query}, dialects=named))
    return ViewResult(all_changes, (_changes(all_changes),)).with_provenance(source)


def _changes(all_changes: DialectChanges) -> Table:
    rows = [(name, change) for name, changed in all_changes.by_dialect.items() for change in changed]
    changes = [change for _, change in rows]
    queries = [None if change.query == ALL else change.query for change in changes]
    decimals = max([4, *map(_decimals, changes)])
    whole = [change.whole for change in changes]
    same = [name for name, changed in all_changes.by_dialect.items() if not changed]
    notes: tuple[Remark, ...] = ()
    if same:
        text = tr("no value changes under {dialects}", dialects=", ".join(same))
        notes = (Remark("same", text, {"dialects": same}, warns=False),)
    return Table("changes", tr("Values that change under other rules"), (
        column.text("dialect", tr("dialect"), [name for name, _ in rows]),
        column.run("run", tr("run"), [change.run for change in changes]),
        column.identifier("query", tr("query"), queries, texts=[query or ALL for query in queries],
                          detail=not any(queries)),
        column.measures("measure", tr("measure"), [change.measure.text for change in changes],
                    texts=[change.measure.asked or usual_name(change.measure) for change in changes]),
        column.text("under", tr("measure there"), [change.under for change in changes], detail=True),
        column.number("trec_eval", "trec_eval", [change.before for change in changes], decimals=decimals, whole=whole),
        column.number("there", tr("other"), [change.after for change in changes], decimals=decimals, whole=whole),
        column.text("rules", tr("rule"), [" ".join(rule.name for rule in change.rules) for change in changes],
                    texts=[_why(change) for change in changes]),
        column.flag("together", tr("together"), [change.together for change in changes], detail=True),
        column.flag("refused", tr("refused"), [bool(change.refused) for change in changes], detail=True),
        column.count("queries", tr("queries"), [change.queries or None for change in changes], detail=True),
    ), opens="query" if any(queries) else "run", notes=notes)  # fmt: skip


def _decimals(change: DialectChange) -> int:
    """Return how many decimals the values of a change need to be seen as different."""
    if not (math.isfinite(change.before) and math.isfinite(change.after)):
        return change.digits
    first, _ = shown_pair(change.before, change.after, change.digits)
    return len(first.partition(".")[2])


def _why(change: DialectChange) -> str:
    reason = (" + " if change.together else "; ").join(change.reasons)
    if change.is_hidden:
        reason = trn(
            "{reason} (in {n:,} query; the mean is the same; -q shows it)",
            "{reason} (in {n:,} queries; the mean is the same; -q shows them)",
            change.queries, reason=reason,
        )  # fmt: skip
    return tr("{reason} (refused: {refused})", reason=reason, refused=change.refused) if change.refused else reason


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    by_query: Annotated[bool, option(tr("also compare the values of each query"), title=tr("by query"))] = False,
    progress: Step | None = None,
) -> DialectChanges:
    """The values that change under the rules of other tools, and the rules that change them."""
    part = inputs.one
    part.refuse(tr("Dialects"), "weights", "dialect")
    measures = list(protocol.declared_measures or usual_measures(OFFICIAL, part.qrels))
    qrels, runs = lists_of(part)
    others = [name for name in DIALECTS if name != DEFAULT]
    changed = {}
    for number, name in enumerate(others):
        changed[name] = changes(qrels, runs, measures, name, part.options, by_query=by_query)
        if progress is not None:
            progress((number + 1) / len(others))
    return DialectChanges(changed, by_query)


VIEW = ResultView(
    "dialects", compute, tables, title=tr("Dialects"), uses=("rules", "scope"), needs=("judgments", "lists")
)
