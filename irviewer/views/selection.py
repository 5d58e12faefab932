"""The queries that a protocol selects: the data of these alone, and what is said where only some queries count."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from irviewer.analysis.statistics.warnings import CHOSEN, MissingQueriesWarning, set_warning
from irviewer.errors import name_some
from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.selected import select_queries
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.tables.table import Remark
from irviewer.translation import tr, trn
from irviewer.views.inputs import Part


def lists_of(part: Part, query: str | None = None) -> tuple[Qrels, list[Run]]:
    """Return the judgments and lists of the queries that count, of the runs that take part, under their names there;
    with ``query``, which may be another one, those of all queries."""
    runs = [part.runs[place].renamed(part.names[place]) for place in part.protocol.runs]
    return (part.qrels, runs) if query else select_queries(part.protocol, part.qrels, runs)


def note_remarks(code: str, notes: Iterable[str]) -> tuple[Remark, ...]:
    """Return notes of a value as remarks of this code; those of queries that a run lacks have their own."""
    return tuple([
        Remark("missing", note, {"run": note.run}) if isinstance(note, MissingQueriesWarning) else Remark(code, note)
        for note in notes
    ])  # fmt: skip


def selection_notes(bound: BoundProtocol) -> list[str]:
    """Return notes that values are over the selected queries, and that a system is compared once; empty where neither
    is so."""
    notes = once_notes(bound)
    if bound.selected is None:
        return notes
    return [*notes, set_warning(_name(bound), len(bound.query_ids), bound.facts.all_queries or 0)]


def once_notes(bound: BoundProtocol) -> list[str]:
    """Return a note that a system is compared once; empty where no other assigner labelled one."""
    others = [bound.names[place] for place in bound.under_others]
    return [tr(
        "{runs}: systems that are compared already, under another assigner; assigners are judges, so these are in no "
        "test unless the protocol names its runs", runs=name_some(others, 4),
    )] if others else []  # fmt: skip


def chosen_remarks(bound: BoundProtocol | None) -> tuple[Remark, ...]:
    """Return that tests prove nothing, as the queries were chosen after the results were seen; empty otherwise."""
    return (Remark("chosen", CHOSEN),) if bound is not None and bound.looked else ()


def outside_remarks(bound: BoundProtocol | None, query: str | None) -> tuple[Remark, ...]:
    """Return that a query is none of those that the protocol selects; empty for one that is, and for no query."""
    if bound is None or query is None or bound.selected is None or query in bound.selected:
        return ()
    text = trn(
        "Query {query} is not the {n:,} query of {set}: it does not count in its means.",
        "Query {query} is none of the {n:,} queries of {set}: it does not count in their means.",
        len(bound.selected), query=query, set=_name(bound),
    )  # fmt: skip
    return (Remark("outside_set", text, {"query": query, "queries": len(bound.selected)}),)


def _name(bound: BoundProtocol) -> str:
    """Return what the line of the protocol calls the queries: the window does not know a set by its file."""
    selection = bound.protocol.scope.queries
    return selection.name or Path(selection.file).name or tr("the protocol")
