"""The protocol of what is in view: that of the project, with the scope of a collection and how its judging was done.

What views, reports and files of the window compute is under this protocol, and they show its line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from irviewer.evaluation.answer_sources import AnswerSources
from irviewer.evaluation.bind import BoundProtocol, bind
from irviewer.evaluation.evaluate import missing_by_run
from irviewer.evaluation.looks import looks_trouble
from irviewer.formats.data_files import columns_of_files, in_order
from irviewer.model.data_file import DataFile
from irviewer.model.protocol import PLACES, EvaluationProtocol, QuerySelection
from irviewer.model.protocol_line import BY_LOOK, Origin
from irviewer.model.qrels import Qrels
from irviewer.model.query_sets import QuerySet
from irviewer.model.same import Same
from irviewer.model.workspace import Collection, JudgmentSet, Regime, RunEntry
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.protocol.units import unit_attributes, units_in_view
from irviewer.session.state import Choices, ChosenScope, State
from irviewer.translation import tr


def scope_fields(collection: Collection, scope: ChosenScope, runs: Sequence[RunEntry] = ()) -> dict[str, Any]:
    """Return the declared fields of a scope, with names instead of the keys of ``runs``."""
    fields: dict[str, Any] = {}
    if "queries" in scope.declared:
        chosen = collection.query_set(scope.queries) if scope.queries else None
        fields["queries"] = QuerySelection() if chosen is None else selection_of(chosen)
    names = {entry.key: entry.name for entry in runs if not entry.is_copy}
    if scope.baseline in names:
        fields["baseline"] = names[scope.baseline]
    if "runs" in scope.declared and (kept := [name for key, name in names.items() if key in scope.runs]):
        fields["runs"] = tuple(kept)
    if "unit" in scope.declared:
        fields["unit"] = scope.unit
    return fields


def selection_of(queries: QuerySet) -> QuerySelection:
    """Return a query set as a protocol selects it: by its name, or by its ids where a protocol listed them."""
    if queries.origin == "list":
        return QuerySelection(ids=tuple(queries.query_ids), looked=queries.looked)
    return QuerySelection(queries.name, looked=queries.looked)


def judging_fields(judgments: JudgmentSet | None) -> dict[str, Any]:
    """Return how judging was done, if it is declared; projects of older versions have inferred it too."""
    if judgments is None or not (judgments.chosen or judgments.regime is not Regime.UNKNOWN):
        return {}
    return {"unjudged": judgments.regime.value}


def protocol_of(context: EvaluationContext, protocol: EvaluationProtocol) -> EvaluationProtocol:
    """Return the protocol of a collection in view, with the rules and inference of its project, and its measures: if
    none is declared, the one in view."""
    collection, choices = context.collection, context.choices
    fields = scope_fields(collection, choices.scope, collection.runs) | judging_fields(context.judgments)
    if collection.weights is not None:
        fields["weights"] = collection.weights.how or tr("given weights")
    if choices.zscores and collection.zscores is not None:
        fields["zscores"] = collection.zscores.name
    if units_in_view(context)[1]:
        fields.pop("unit", None)  # the line and the notes beside the numbers say so
    if not protocol.measures:
        fields["measures"] = (str(context.measure),)
    key = ("protocol of", Same(protocol), *fields.items())  # which most edits leave as they are
    return context.evaluation.shared(key, lambda: protocol.but(**fields))


def of_collection(
    collection: Collection, choices: Choices, judgments: JudgmentSet, state: State
) -> EvaluationProtocol:  # fmt: skip
    """Return the protocol of one of several collections that are compared, with the measure in view if none is
    declared; their systems have no baseline yet."""
    fields = scope_fields(collection, choices.scope) | judging_fields(judgments)
    if not state.protocol.measures:
        fields["measures"] = (str(state.measure),)
    return state.protocol.but(**fields)


def answer_sources(context: EvaluationContext) -> AnswerSources | None:
    """Return the answers and labels of a collection in view, the same object while they are the same; None without
    any."""
    runs = _runs_of(context).entries
    if all(entry.run.answered is None for entry in runs):
        return None
    own = [context.judgments, *(each for each in context.collection.judgments if each is not context.judgments)]
    qrels = [each.qrels for each in own if each is not None]
    chosen = context.collection.chosen_list
    key = (
        "sources of answers",
        chosen,
        *(Same(each) for each in qrels),
        *((Same(entry.run), entry.name) for entry in runs),
    )
    return context.evaluation.shared(
        key, lambda: AnswerSources(qrels, [entry.run for entry in runs], [entry.name for entry in runs], chosen)
    )


def files_in_view(context: EvaluationContext, judges: Sequence[JudgmentSet]) -> tuple[DataFile, ...]:
    """Return the files that a collection in view was read from, with the judgments that count, those of ``judges``,
    those that the scope names (of the query set, the weights and the Z-scores), and the columns beside them."""
    collection, chosen = context.collection, context.query_set
    zscores = collection.zscores if context.choices.zscores else None
    named = (
        ("query_set", "" if chosen is None else chosen.path),
        ("weights", "" if collection.weights is None else collection.weights.path),
        ("zscores", "" if zscores is None else zscores.origin),
    )
    files = (*files_of(collection, judges), *named)
    # Asking for the files beside them may wait for a disk or a network, and no edit changes what was read.
    return context.evaluation.shared(("files", files), lambda: in_order(
        [DataFile(role, path) for role, path in (*files, *columns_of_files(files)) if path]
    ))  # fmt: skip


def files_of(collection: Collection, judges: Sequence[JudgmentSet] | None = None) -> tuple[tuple[str, str], ...]:
    """Return the files that a collection was read from, role and path, with the judgments ``judges``, else with all of
    its judgments."""
    queries, documents = collection.queries, collection.documents
    return tuple((role, path) for role, path in (
        *(
            ("qrels", origin)
            for judgments in (collection.judgments if judges is None else judges)
            for origin in judgments.parts or (judgments.read.origin,)
        ),
        *(("run", entry.run.origin) for entry in collection.runs if not entry.is_copy),
        *(("attributes", table.origin) for table in collection.attributes),
        ("queries", "" if queries is None else queries.origin),
        ("documents", "" if documents is None else documents.origin),
    ) if path)  # fmt: skip


@dataclass(frozen=True)
class _Runs:
    """What a protocol takes of the runs of a collection, in the order in which they were opened, not as they are
    shown."""

    entries: tuple[RunEntry, ...]
    names: tuple[str, ...]
    copies: tuple[int, ...]
    lists: tuple[Same, ...]
    """The ids of the queries of each."""


def _runs_of(context: EvaluationContext) -> _Runs:
    """Return it, the same object while the runs are the same: judgments change none."""
    runs = context.collection.runs

    def make() -> _Runs:
        entries = tuple(sorted(runs, key=lambda entry: entry.key))
        return _Runs(
            entries,
            tuple([entry.name for entry in entries]),
            tuple([place for place, entry in enumerate(entries) if entry.is_copy]),
            tuple([Same(entry.run.query_ids) for entry in entries]),
        )

    return context.evaluation.shared(("runs of the protocol", Same(runs)), make)


def warm_protocol(context: EvaluationContext) -> None:
    """Find what the protocol says of the runs that were opened, which is kept: of many queries it takes a while."""
    _missing(context, _runs_of(context), None if context.judgments is None else context.judgments.qrels)


def _missing(context: EvaluationContext, runs: _Runs, qrels: Qrels | None) -> dict[str, tuple[str, ...]]:
    """Return the judged queries that runs lack, the same object while the ids of their queries are the same: edits of
    lists and judgments change none."""
    key = ("missing", runs.names, Same(None if qrels is None else qrels.query_ids), runs.lists)
    return context.evaluation.shared(
        key, lambda: missing_by_run([entry.run for entry in runs.entries], runs.names, qrels)
    )  # fmt: skip


def bound_protocol(
    context: EvaluationContext,
    protocol: EvaluationProtocol,
    *,
    uses: tuple[str, ...] = BY_LOOK,
    pins: Mapping[str, tuple[Any, str]] | None = None,
    shown: str | None = None,
    judges: Sequence[JudgmentSet] = (),
) -> BoundProtocol:
    """Return the protocol of a collection in view, bound to its queries and its runs in the order of their keys;
    ``uses`` and ``pins`` as for :func:`~irviewer.evaluation.bind.bind`, ``shown`` too (None: the measure in view).
    ``judges`` are those that the answer depends on, first the one whose queries count ((): the judge in view). It is
    the same object while all that it says is the same, as it is after most edits."""
    collection, in_view = context.collection, context.judgments
    if not judges and in_view is not None:
        judges = (in_view,)
    qrels = judges[0].qrels if judges else None
    queries = () if qrels is None else context.query_ids if judges[0] is in_view else qrels.query_ids
    runs, whole, apart = _runs_of(context), protocol_of(context, protocol), context.unmatched
    names, copies = runs.names, runs.copies
    undecided = tuple([place for place, entry in enumerate(runs.entries) if entry.key in apart]) if apart else ()
    graded = None if qrels is None else qrels.max_grade > 1
    shown = str(context.measure) if shown is None else shown
    answers, files = answer_sources(context), files_in_view(context, judges)
    missing, trouble = _missing(context, runs, qrels), units_in_view(context)[1]

    def make() -> BoundProtocol:
        bound = bind(
            whole,
            names,
            queries,
            copies=copies,
            undecided=undecided,
            sets=collection.query_sets,
            graded=graded,
            uses=uses,
            pins=pins,
            shown=shown,
            chosen_in_view=() if protocol.measures else ("measures",),
            answers=answers,
            files=files,
            attributes=lambda: unit_attributes(context),
            missing=missing,
        )
        # Of several pairs the line says so itself, and a gate has limits and a test of its own.
        if "looks" in uses and not pins and (lost := looks_trouble(protocol.inference, 1)):
            bound = replace(bound, facts=replace(bound.facts, lost_look=lost))
        if not trouble:
            return bound
        origins: dict[str, Origin] = {**bound.facts.origins, PLACES["unit"]: "declared"}
        return replace(bound, facts=replace(bound.facts, lost_unit=context.choices.scope.unit, origins=origins))

    collected = (collection.queries, collection.attributes, collection.query_sets, context.query_ids, queries)
    key = (
        "bound", whole, protocol.measures, names, copies, undecided, graded, uses, tuple((pins or {}).items()), shown,
        context.choices.scope.unit, trouble, *map(Same, (answers, files, missing, *collected)),
    )  # fmt: skip
    return context.evaluation.shared(key, make)
