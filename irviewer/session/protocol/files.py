"""Files of protocols: one is read as the whole protocol of the collection in view, and written from it.

Names are resolved here: the state keeps keys of runs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from irviewer.analysis.statistics.dependence.tests_by_unit import refuse_tests
from irviewer.errors import OptionError
from irviewer.evaluation.bind import deciding
from irviewer.measures.parser import parse_measure
from irviewer.model.attributes.tables import given_query_attributes
from irviewer.model.protocol import PLACES, PRESET, EvaluationProtocol
from irviewer.model.query_sets import QuerySet, QueryWeights, free_set_name, weights_by
from irviewer.model.query_units import id_prefix
from irviewer.model.run_names import further_names, run_place
from irviewer.model.workspace import Collection, Regime
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.protocol.in_view import protocol_of
from irviewer.session.state import ChosenScope, State
from irviewer.translation import tr

OF_PROJECT = tuple(
    name for name, place in PLACES.items()
    if name == "measures" or (place.startswith(("rules.", "inference.")) and name not in ("unjudged", "zscores"))
)  # fmt: skip
"""The fields that a project holds once."""


@dataclass(frozen=True)
class ReadProtocol:
    """A protocol with the query sets and weights of the files that it names."""

    protocol: EvaluationProtocol
    sets: tuple[QuerySet, ...] = ()
    weights: QueryWeights | None = None


def read(path: str) -> ReadProtocol:
    """Read a protocol and the files that it names; on any thread. Raises ParseError."""
    from irviewer.formats.protocol_file import read_protocol

    return with_files(read_protocol(path))


def with_files(protocol: EvaluationProtocol) -> ReadProtocol:
    """Return a protocol with what the files hold that it names; on any thread. Raises ParseError."""
    from irviewer.formats.query_sets import read_query_sets, read_query_weights

    queries, weights = protocol.scope.queries, protocol.scope.weights
    return ReadProtocol(
        protocol,
        tuple(read_query_sets(queries.file)) if queries.file else (),
        read_query_weights(weights.file) if weights.file else None,
    )


def with_protocol(state: State, given: ReadProtocol) -> State:
    """Return the state with a protocol as that of the project and of the collection in view: what it does not declare
    has its default. Raises OptionError for what the collection does not have, and what the window cannot follow."""
    protocol, collection = given.protocol, state.collection
    if protocol.scope.unit:
        refuse_tests((protocol.inference.decides,), protocol.scope.unit)
    state = state.with_protocol(PRESET.taking(OF_PROJECT, protocol))
    if protocol.measures:
        measure = parse_measure(deciding(protocol.measures))
        state = replace(state, measure=measure, cutoff=measure.last_rank or state.cutoff)
    if collection is None:
        return state
    zscored = bool(protocol.rules.zscores)
    if zscored and (collection.zscores is None or collection.zscores.name not in _names(protocol.rules.zscores)):
        raise OptionError(tr("Open {file} first: the protocol asks for Z-scores.", file=protocol.rules.zscores))
    collection, queries = _with_queries(collection, given)
    collection = replace(_with_regime(collection, state, protocol), weights=_weights(collection, given))
    scope = _scope(collection, protocol).but(queries=queries) if queries else _scope(collection, protocol)
    chosen = replace(state.chosen, scope=scope, zscores=zscored)
    return state.with_collection(collection).with_chosen(chosen)


def to_save(context: EvaluationContext, protocol: EvaluationProtocol) -> EvaluationProtocol:
    """Return the protocol in view as every door can follow it, with what is declared alone: a set of queries, which is
    in no file, with its queries, and no measure that is only in view."""
    bound = protocol_of(context, protocol)
    if not protocol.measures:
        bound = bound.without("measures")
    chosen = context.query_set
    if chosen is None:
        return bound
    return bound.but(queries=bound.scope.queries.with_queries(chosen.query_ids))


def _names(file: str) -> tuple[str, str]:
    return Path(file).name, Path(file).stem


def _with_queries(collection: Collection, given: ReadProtocol) -> tuple[Collection, str]:
    """Return the collection with the query set that a protocol selects, and the set's name; "" for all queries."""
    selection = given.protocol.scope.queries
    if not selection:
        return collection, ""
    if selection.name and not selection.file and not selection.ids:
        if collection.query_set(selection.name) is None:
            raise OptionError(tr("Unknown query set {name!r}.", name=selection.name))
        return collection, selection.name
    if selection.file:
        named = [each for each in given.sets if not selection.name or each.name == selection.name]
        if len(named) != 1:
            names = ", ".join(each.name for each in given.sets)
            raise OptionError(
                tr("{file} has the query sets {names}; name one of them", file=selection.file, names=names)
            )
        query_ids = named[0].query_ids
    else:
        query_ids = frozenset(selection.ids)
    called = selection.name if selection.ids else ""
    for each in collection.query_sets:
        if each.query_ids == query_ids and each.looked == selection.looked and called in ("", each.name):
            return collection, each.name
    known = [each.name for each in collection.query_sets]
    name = free_set_name(selection.name or Path(selection.file).name or tr("queries of the protocol"), known)
    unnamed = selection.ids and not selection.name
    new_set = QuerySet(name, query_ids, "list" if unnamed else "file", looked=selection.looked, path=selection.file)
    return replace(collection, query_sets=(*collection.query_sets, new_set)), name


def _weights(collection: Collection, given: ReadProtocol) -> QueryWeights | None:
    name = given.protocol.scope.weights.name
    if not name:
        return given.weights
    if collection.weights is not None and collection.weights.how == name:
        return collection.weights
    if collection.queries is None:
        raise OptionError(tr("Open the queries first: the protocol weights them by {name}.", name=name))
    return weights_by(collection.queries, name)


def _with_regime(collection: Collection, state: State, protocol: EvaluationProtocol) -> Collection:
    """Return the collection with how the judgments in force were made."""
    sets = list(collection.judgments)
    if not sets:
        return collection
    place = min(state.chosen.judgments, len(sets) - 1)
    declared = PLACES["unjudged"] in protocol.declared
    sets[place] = replace(sets[place], regime=Regime(protocol.rules.unjudged), chosen=declared)
    return replace(collection, judgments=tuple(sets))


def _scope(collection: Collection, protocol: EvaluationProtocol) -> ChosenScope:
    """Return the runs and the baseline by their keys. Raises OptionError for a name of no run, of several, or of a
    copy."""
    runs = sorted(collection.runs, key=lambda entry: entry.key)
    names = [entry.name for entry in runs]
    further = further_names([entry.run for entry in runs])
    copies = [place for place, entry in enumerate(runs) if entry.is_copy]

    def key_of(name: str) -> int:
        return runs[run_place(name, names, copies, further)].key

    scope = ChosenScope()
    if protocol.scope.unit:
        ids = () if not collection.judgments else collection.judgments[0].qrels.query_ids
        prefix = id_prefix(ids)
        given = given_query_attributes(collection.queries, collection.attributes)
        names = [attribute.name for attribute in (*given, *([] if prefix is None else [prefix]))]
        if protocol.scope.unit not in names:
            raise OptionError(tr(
                "unit is {unit}, and the queries have no such attribute; they have {names}", unit=protocol.scope.unit,
                names=", ".join(names) or "–",
            ))  # fmt: skip
        scope = scope.but(unit=protocol.scope.unit)
    if protocol.scope.runs:
        scope = scope.but(runs=frozenset(map(key_of, protocol.scope.runs)))
    if protocol.scope.baseline:
        key = key_of(protocol.scope.baseline)
        if scope.runs and key not in scope.runs:
            name = protocol.scope.baseline
            raise OptionError(tr("the baseline {run} is not among the runs of the protocol; add it to runs", run=name))
        scope = scope.but(baseline=key)
    return scope
