"""The public function that evaluates systems on several collections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

from irviewer.analysis.collections.collection_table import (
    CollectionTable,
    CollectionValues,
    Forest,
    OverCollections,
    collection_table,
    forest,
    over_collections,
)
from irviewer.analysis.collections.random_effects import Estimator
from irviewer.analysis.statistics.result_comparison import comparison_options, testable
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.api.protocols import (
    EVALUATION,
    INFERENCE,
    AnyProtocol,
    protocol_of,
    query_sets,
    with_measures,
    with_queries,
)
from irviewer.api.sources import AnyMeasures, AnyQrels, AnyRuns, Source, Sources, listed_measures, measures_of, read_run
from irviewer.errors import IrviewerError, NoQueriesError, OptionError, name_some
from irviewer.evaluation.answer_cautions import judges_nothing
from irviewer.evaluation.bind import BoundProtocol, bind, check_takes_part, deciding_of
from irviewer.evaluation.bind_collections import bind_collections
from irviewer.evaluation.evaluate import evaluate
from irviewer.evaluation.results import ResultTable
from irviewer.evaluation.usual_measures import OF_DOCUMENTS, usual_measures
from irviewer.formats.collection_folders import find_collections
from irviewer.formats.data_files import data_files, files_read, in_order
from irviewer.formats.system_maps import read_system_map
from irviewer.measures.base import Measure
from irviewer.model.arguments import checked
from irviewer.model.exported import Exported
from irviewer.model.matching.unmatched import best_fitting
from irviewer.model.options import evaluation_options
from irviewer.model.protocol import ComparisonFields
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.run_names import further_names, run_place, runs_named, whole_name
from irviewer.translation import tr

Collections = Source | Sequence[Source] | Mapping[str, tuple[AnyQrels, AnyRuns]]
"""A folder, several, or ``{name: (qrels, runs)}``."""
Systems = Mapping[str, Mapping[str, str]] | Source
"""The runs of each system: ``{system: {collection: run}}``, or a file with system, collection and run per line."""


@dataclass(frozen=True, eq=False, repr=False)
class Collected(Exported):
    """The results of systems on several collections.

    tables      a CollectionTable per measure; ``result[measure]`` returns one
    results     name of a collection -> its evaluation, with the runs named as the systems
    matched     the runs that a given mapping made a system: (system, collection, run)
    skipped     what was left out, sentences
    protocol    the protocol that the tables follow
    """

    by_measure: tuple[CollectionTable, ...]
    results: Mapping[str, ResultTable]
    matched: tuple[tuple[str, str, str], ...]
    skipped: tuple[str, ...]
    protocol: BoundProtocol | None = None

    def __getitem__(self, measure: str | Measure) -> CollectionTable:
        """Return the table of a measure. Raises KeyError, which names the measures."""
        result = next(iter(self.results.values()))
        text = result.of(measure)[0].text
        names = [table.measure for table in self.by_measure]
        if text not in names:
            raise KeyError(
                tr("{measure} was not compared; choose one of {measures}", measure=text, measures=", ".join(names))
            )
        return self.by_measure[names.index(text)]

    @cached_property
    def table(self) -> CollectionTable:
        """The table of the measure that decides: the first that can be tested."""
        return self.by_measure[0]

    def forest(self, system: str, other: str | None = None, *, estimator: Estimator = "dl") -> Forest:
        """Return the differences of two systems on the collections by the measure that decides; ``other`` None:
        the baseline."""
        return forest(self.table, system, other, estimator=estimator).under(self.protocol)

    @cached_property
    def tests(self) -> OverCollections:
        """The tests over the collections, by the measure that decides."""
        return over_collections(self.table)


@checked
def evaluate_collections(
    collections: Collections,
    measures: AnyMeasures | None = None,
    *,
    protocol: AnyProtocol | None = None,
    baseline: str | None = None,
    systems: Systems | None = None,
    only: Sequence[str] | None = None,
    queries: Sequence[str] | None = None,
    **fields: Unpack[ComparisonFields],
) -> Collected:
    """Evaluate the same systems on several collections.

    >>> qrels = {str(q): {"a": 1} for q in range(20)}
    >>> good = {str(q): {"a": 2.0, "b": 1.0} for q in range(20)}
    >>> bad = {str(q): {"b": 2.0 if q % 2 else 1.0, "a": 1.5} for q in range(20)}
    >>> found = evaluate_collections(
    ...     {"one": (qrels, {"good": good, "bad": bad}), "two": (qrels, {"bad": bad})}, "RR", baseline="bad"
    ... )
    >>> found.table.means.tolist()
    [[0.75, 0.75], [1.0, nan]]
    >>> found.table.marks.tolist(), found.table.macro.tolist()
    ([[0, 0], [1, 0]], [0.75, 1.0])

    collections  folders (BEIR's layout, pyserini's run names, qrels beside runs), or ``{name: (qrels, runs)}``
    measures     None: those of the protocol, else nDCG@10; where no collection has judged documents, V_strict
    protocol     an EvaluationProtocol or the file of one, instead of the defaults; keywords change single fields. It is
                 the same for all collections
    baseline     the system that daggers and differences are against; None: that of the protocol, else no daggers
    systems      which run is which system, ``{system: {collection: run}}``; other runs are systems by their names,
                 capitals or not
    only         these systems alone take part, in this order; None: those that the protocol names as ``runs``, or all
    queries      only these, in each collection; a collection with none of them is left out
    test, correction   within each collection, over its systems beside the baseline; "t" instead of Tukey's test

    The other keywords as for evaluate() and compare(). Returns Collected: ``table`` (of the first measure that
    can be tested; ``[measure]`` of another) has means, marks, macro and micro means; ``forest(system)`` the
    random-effects mean; ``tests`` what counts collections; ``skipped`` what was left out; ``protocol`` what all of it
    follows. Raises ParseError, MeasureError, OptionError."""
    asked = protocol_of(
        protocol, "evaluate_collections", fields, EVALUATION | INFERENCE, ("queries", "baseline", "runs")
    )  # fmt: skip
    measures = listed_measures(measures)
    asked = with_measures(asked, measures)
    asked = with_queries(asked, queries)
    if only is not None:
        systems_asked = tuple(only)
        if not systems_asked:
            raise OptionError(tr("the list of systems is empty; name systems, or give None for all"))
        asked = asked.but(runs=systems_asked)
    choices = evaluation_options(asked.rules)
    skipped: list[str] = []
    gathered = _gathered(collections, skipped)
    graded = [qrels for _, qrels, _ in gathered if not judges_nothing(qrels)]
    usual = (OF_DOCUMENTS,) if graded or not gathered else usual_measures((OF_DOCUMENTS,), gathered[0][1])
    wanted = measures_of((asked.measures or usual) if measures is None else measures)
    sets = query_sets(asked)
    given = read_system_map(str(systems)) if isinstance(systems, str | PathLike) else systems or {}
    mapping = _by_collection(given, [name for name, _, _ in gathered])
    spelling: dict[str, str] = {}
    matched: list[tuple[str, str, str]] = []
    results: dict[str, ResultTable] = {}
    bounds: dict[str, BoundProtocol] = {}
    of_systems = [_named(name, runs, mapping.get(name, {}), spelling, matched, skipped) for name, _, runs in gathered]
    every = list(dict.fromkeys(run.name for named in of_systems for run in named))
    asked = asked.but(runs=[every[run_place(name, every)] for name in asked.scope.runs]) if asked.scope.runs else asked
    matched = [each for each in matched if not asked.scope.runs or each[0] in asked.scope.runs]
    alone = asked.but(runs=()) if asked.scope.runs else asked  # a collection need not have all systems
    for (name, qrels, runs), named in zip(gathered, of_systems, strict=True):
        named = [run for run in named if not asked.scope.runs or run.name in asked.scope.runs]
        if not named:
            skipped.append(tr("{collection}: no run of these systems", collection=name))
            continue
        try:
            bound = bind(
                alone, (), qrels.query_ids, sets=sets, graded=qrels.max_grade > 1, files=files_read(qrels, runs)
            )  # fmt: skip
        except NoQueriesError as fault:
            skipped.append(f"{name}: {fault}")
            continue
        result = _matched_only(evaluate(qrels, named, wanted, choices), name, skipped)
        if result is not None:
            results[name], bounds[name] = result, bound
    if not results:
        raise OptionError(tr("No collection could be evaluated: {reasons}", reasons=name_some(skipped, 3) or "–"))
    first = next(iter(results.values()))
    order = _order(results, () if only is None else asked.scope.runs)
    baseline = baseline or asked.scope.baseline or None
    if baseline is not None and runs_named(baseline, every):
        baseline = every[run_place(baseline, every)]
    present = {name: result.runs for name, result in results.items()}
    tested, left_out = testable(first.measures)
    if baseline in every and asked.scope.runs:
        kept = [place for place, name in enumerate(every) if name in asked.scope.runs]
        check_takes_part(baseline, kept, every.index(baseline))
    known = baseline if baseline in order else None
    bound = bind_collections(
        bounds, present, order, known, deciding_of(tested),
        missing={name: result.missing for name, result in results.items()},
    )  # fmt: skip
    if asked.scope.runs:  # of which those that have values were bound
        bound = replace(bound, protocol=bound.protocol.but(runs=order))
    bound = replace(bound, files=in_order([*bound.files, *data_files([("systems", systems)])]))
    options = comparison_options(bound.pairwise, units=None, looked=bound.looked)
    tables = tuple(
        collection_table(
            _values_of(results, bounds, first.measures.index(measure)),
            systems=order,
            baseline=baseline,
            options=options,
            notes=() if place else left_out,
        ).under(bound)
        for place, measure in enumerate(tested)
    )
    return Collected(tables, results, tuple(matched), tuple(skipped), bound)


def _gathered(collections: Collections, skipped: list[str]) -> list[tuple[str, Qrels, list[Run]]]:
    """Return the qrels and runs of the collections.

    Unreadable files of folders are skipped; those that were named raise errors."""
    if isinstance(collections, Mapping):
        sources = Sources()
        return [(name, *sources.both(qrels, runs)) for name, (qrels, runs) in collections.items()]
    folders = [collections] if isinstance(collections, str | PathLike) else list(collections)
    contents = find_collections([str(folder) for folder in folders])
    skipped += [f"{path}: {reason}" for path, reason in contents.skipped]
    found_collections: list[tuple[str, Qrels, list[Run]]] = []
    for collection in contents.collections:
        runs: list[Run] = []
        for system, path in collection.runs:
            try:
                runs.append(read_run(path).renamed(system))
            except IrviewerError as fault:
                skipped.append(str(fault))
        qrels = _fitting(collection.qrels, runs, skipped)
        if qrels is not None and runs:
            found_collections.append((collection.name, qrels, runs))
    if not found_collections:
        names = ", ".join(map(str, folders))
        raise OptionError(
            tr("No qrels with runs are in {folders}. A collection is a folder with qrels and runs.", folders=names)
        )
    return found_collections


def _fitting(paths: Sequence[Path], runs: Sequence[Run], skipped: list[str]) -> Qrels | None:
    """Return the qrels that match most of the runs, then most of their queries; None if none can be read."""
    readable: list[Path] = []
    candidates: list[Qrels] = []
    for path in paths:
        try:
            candidates.append(Sources().qrels(path))
        except IrviewerError as fault:
            skipped.append(str(fault))
            continue
        readable.append(path)
    if not candidates:
        return None
    place = best_fitting(candidates, runs)
    others = [path for path in paths if path != readable[place]]
    name = readable[place].name
    skipped += [tr("{path}: {used} judges this collection", path=path, used=name) for path in others]
    return candidates[place]


def _by_collection(systems: Mapping[str, Mapping[str, str]], names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return collection -> run -> system. Raises OptionError for an unknown collection."""
    renamed: dict[str, dict[str, str]] = {}
    for system, runs in systems.items():
        for collection, run in runs.items():
            if collection not in names:
                raise OptionError(
                    tr(
                        "There is no collection {name}; the collections are {names}.",
                        name=collection,
                        names=name_some(names),
                    )
                )
            renamed.setdefault(collection, {})[run] = system
    return renamed


def _named(
    collection: str,
    runs: Sequence[Run],
    mapping: Mapping[str, str],
    spelling: dict[str, str],
    matched: list[tuple[str, str, str]],
    skipped: list[str],
) -> list[Run]:
    """Return the runs of a collection, renamed to their systems: by the mapping, else by name, ignoring case."""
    names = [run.name for run in runs]
    mapping = {whole_name(name, names, further_names(runs)): system for name, system in mapping.items()}
    unknown = [name for name in mapping if name not in names]
    if unknown:
        raise OptionError(
            tr(
                "{collection} has no run {run}; it has {names}.",
                collection=collection, run=unknown[0], names=name_some(names),
            )
        )  # fmt: skip
    taken = set(mapping.values())
    renamed: list[Run] = []
    for run in runs:
        system = mapping.get(run.name)
        if system is not None:
            matched.append((system, collection, run.name))
            spelling.setdefault(system.casefold(), system)
        else:
            system = spelling.setdefault(run.name.casefold(), run.name)
            if system in taken:
                skipped.append(tr("{collection}: {run} is not used, {system} is given", collection=collection,
                                  run=run.name, system=system))  # fmt: skip
                continue
        if any(other.name == system for other in renamed):
            skipped.append(tr("{collection}: a second run of {system}, {run}", collection=collection, system=system,
                              run=run.name))  # fmt: skip
            continue
        renamed.append(run.renamed(system))
    return renamed


def _matched_only(result: ResultTable, name: str, skipped: list[str]) -> ResultTable | None:
    """Return the result without runs that share no id with the qrels; None if no run is left."""
    unknown = {mismatch.run for mismatch in result.unmatched}
    if not unknown:
        return result
    skipped += [f"{name}: {warning}" for warning in result.warnings if warning not in result.cautions]
    kept = [position for position, run in enumerate(result.runs) if run not in unknown]
    if not kept:
        return None
    return replace(
        result, runs=tuple(result.runs[place] for place in kept), values=result.values[:, kept],
        means=result.means[:, kept], unmatched=(),
    )  # fmt: skip


def _values_of(
    results: Mapping[str, ResultTable], bounds: Mapping[str, BoundProtocol], place: int
) -> list[CollectionValues]:
    """Return the values of the measure at an index, of the queries that count; its name can differ between collections,
    with their grades."""
    return [
        CollectionValues(
            name, RunValues.of(result, result.measures[place], _evaluated(bounds[name], result)), result.cautions
        )
        for name, result in results.items()
    ]  # fmt: skip


def _evaluated(bound: BoundProtocol, result: ResultTable) -> list[str] | None:
    """Return the queries of a selection that are evaluated; None where all count."""
    if bound.selected is None:
        return None
    counting = set(bound.selected)
    return [query for query in result.query_ids if query in counting]


def _order(results: Mapping[str, ResultTable], only: Sequence[str]) -> list[str]:
    """Return the systems in the order of ``only``, else by their number of collections, largest first."""
    all_runs = list(dict.fromkeys(run for result in results.values() for run in result.runs))
    if only:
        return [name for name in only if name in all_runs]
    counts: dict[str, Any] = {name: sum(name in result.runs for result in results.values()) for name in all_runs}
    return sorted(all_runs, key=lambda name: -counts[name])
