"""The same systems on the open collections: computed in the background, matched with undo, and what is shown."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError, name_some
from irviewer.evaluation.bind import BoundProtocol, bind, check_identical
from irviewer.evaluation.bind_collections import bind_collections
from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.data_files import files_read
from irviewer.measures.base import Measure
from irviewer.model.options import EvaluationOptions
from irviewer.model.protocol import EvaluationProtocol
from irviewer.model.qrels import Qrels
from irviewer.model.query_sets import QuerySet
from irviewer.model.run import Run
from irviewer.model.same import Same
from irviewer.model.workspace import Workspace
from irviewer.session.background import BackgroundResults
from irviewer.session.collections.systems import Systems, matched_systems
from irviewer.session.evaluation.context import taking_part_in
from irviewer.session.judging.history import HistoryService
from irviewer.session.judging.judgment_mark import Changes, mark_of
from irviewer.session.protocol.in_view import of_collection
from irviewer.session.state import State
from irviewer.session.store import Store
from irviewer.session.tasks import PAUSE
from irviewer.session.view import View
from irviewer.session.view_models.collections import CollectionsViewModel, build_collections_view_model, pair_of
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.analysis.collections.collection_table import CollectionTable, OverCollections
    from irviewer.evaluation.results import ResultTable
    from irviewer.views.result import ViewResult

MOST_KEPT = 6
MOST_RESULTS = 120
"""The evaluations of single collections that are kept, so that one new run or query set costs one collection."""


@dataclass(frozen=True, eq=False)
class Given:
    """One collection: its name, qrels, runs by system, the queries that count (None: all), its protocol, and the query
    sets that the protocol can name."""

    name: str
    qrels: Qrels
    runs: tuple[tuple[str, Run], ...]
    queries: frozenset[str] | None
    protocol: EvaluationProtocol
    sets: tuple[QuerySet, ...] = ()
    notes: tuple[str, ...] = ()

    def key(self, measure: Measure, options: EvaluationOptions) -> Hashable:
        """Return what the evaluation depends on."""
        runs = tuple((system, Same(run.scores)) for system, run in self.runs)
        return Same(self.qrels.grades), runs, str(measure), options

    def bound(self) -> BoundProtocol:
        """Return the protocol bound to the queries. Raises OptionError."""
        chosen = [each.path for each in self.sets if each.name == self.protocol.scope.queries.name and each.path]
        return bind(
            self.protocol, (), self.qrels.query_ids, sets=self.sets, graded=self.qrels.max_grade > 1,
            files=files_read(self.qrels, [run for _, run in self.runs], ("query_set", chosen)),
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class OnCollections:
    """The table of systems on collections, the tests over them, and the protocol that both follow; None with the reason
    in ``trouble``."""

    table: CollectionTable | None
    tests: OverCollections | None = None
    trouble: str = ""
    protocol: BoundProtocol | None = None


@dataclass(frozen=True, eq=False)
class _Asked:
    """The frozen inputs of the table; ``named``: the systems are those of the runs that a protocol names,
    and ``left_out`` the other runs."""

    key: tuple[Hashable, ...]
    given: tuple[Given, ...]
    systems: tuple[str, ...]
    baseline: str
    named: bool
    left_out: tuple[str, ...]
    measure: Measure
    options: EvaluationOptions
    results: dict[Hashable, ResultTable]

    def compute(self, progress: Callable[[float], None] | None = None) -> OnCollections:
        """Evaluate and compare; any thread may."""
        from irviewer.analysis.collections.collection_table import CollectionValues, collection_table, over_collections
        from irviewer.analysis.statistics.result_comparison import comparison_options
        from irviewer.analysis.statistics.run_values import RunValues

        values: list[CollectionValues] = []
        notes = [tr("left out by the protocol: {runs}", runs=name_some(self.left_out))] if self.left_out else []
        bounds: dict[str, BoundProtocol] = {}
        missing: dict[str, Mapping[str, tuple[str, ...]]] = {}
        try:
            check_identical({given.name: given.bound() for given in self.given})
            for position, given in enumerate(self.given):
                if progress is not None:
                    progress(position / len(self.given))
                result = self._evaluated(given)
                if not result.runs:
                    notes.append(tr("{collection}: no run shares an id with the qrels", collection=given.name))
                    continue
                ids = None
                if given.queries is not None:
                    ids = [query for query in result.query_ids if query in given.queries]
                own = RunValues.of(result, result.measures[0], ids)
                values.append(CollectionValues(given.name, own, (*given.notes, *result.cautions)))
                bounds[given.name], missing[given.name] = given.bound(), result.missing
            baseline = self.baseline if any(self.baseline in collection.runs.names for collection in values) else None
            bound = None
            if values:
                present = {collection.name: collection.runs.names for collection in values}
                bound = bind_collections(
                    bounds, present, self.systems, baseline, shown=str(self.measure), missing=missing
                )
                if self.named:
                    bound = replace(bound, protocol=bound.protocol.but(runs=self.systems))
            options = None if bound is None else comparison_options(bound.pairwise, units=None, looked=bound.looked)
            table = collection_table(values, systems=self.systems, baseline=baseline, options=options, notes=notes)
            return OnCollections(table, over_collections(table), protocol=bound)
        except IrviewerError as trouble:
            return OnCollections(None, trouble=str(trouble))

    def _evaluated(self, given: Given) -> ResultTable:
        """Return the values of a collection, of the runs that share an id with its qrels."""
        key = given.key(self.measure, self.options)
        if key not in self.results:
            runs = [run.renamed(system) for system, run in given.runs]
            result = evaluate(given.qrels, runs, [self.measure], self.options)
            unknown = {mismatch.run for mismatch in result.unmatched}
            kept = [position for position, run in enumerate(result.runs) if run not in unknown]
            self.results[key] = replace(
                result, runs=tuple(result.runs[place] for place in kept), values=result.values[:, kept],
                means=result.means[:, kept], unmatched=(),
            )  # fmt: skip
            while len(self.results) > MOST_RESULTS:
                self.results.pop(next(iter(self.results)))
        return self.results[key]


class CollectionService:
    """Systems on collections."""

    def __init__(self, store: Store, view: View, history: HistoryService) -> None:
        self._store = store
        self._cache = store.cache
        self._view = view
        self._history = history
        self._changes = Changes()
        self._evaluated: dict[Hashable, ResultTable] = {}
        self._results: BackgroundResults[_Asked, OnCollections] = BackgroundResults(
            store, "collections", ("",), wanted=self._wanted, in_view=self._in_view,
            title=lambda _: tr("Evaluating the systems on every collection"), most=MOST_KEPT, after=PAUSE,
        )  # fmt: skip

    # --- values ---

    @property
    def systems(self) -> Systems:
        """The systems of the open collections: the runs that take part there."""
        collections, scopes = self._view.workspace.collections, [each.scope for each in self._store.state.choices]

        def matched() -> Systems:
            pairs = zip(collections, scopes, strict=True)
            return matched_systems([replace(each, runs=taking_part_in(each, scope)) for each, scope in pairs])

        key = (self._view.workspace, *(scope.runs for scope in scopes))
        return self._cache.get("matched", key, matched)

    def collections_view_model(self) -> CollectionsViewModel | None:
        """The view model of Collections; None with fewer than two open collections."""
        state = self._store.state
        if len(state.workspace.collections) < 2:
            return None
        computed = self._results.known(self._asked(state))
        systems, baseline = self.systems, self._baseline(state)
        key = (
            state.workspace, computed, baseline, str(state.measure), state.systems_hidden, state.systems_pair,
            state.collections_sort, state.current,
        )  # fmt: skip

        def make() -> CollectionsViewModel:
            table = None if computed is None else computed.table
            tests = None if computed is None else computed.tests
            trouble = "" if computed is None else computed.trouble
            return build_collections_view_model(state, systems, baseline, table, tests, trouble)

        return self._cache.get("collections", key, make)

    @property
    def protocol(self) -> BoundProtocol | None:
        """The protocol that the shown table follows; None until it is computed."""
        computed = self._results.known(self._asked(self._store.state))
        return None if computed is None else computed.protocol

    def known_table(self) -> CollectionTable | None:
        """Return the table that is shown; None until it is computed."""
        computed = self._results.known(self._asked(self._store.state))
        return None if computed is None else computed.table

    @property
    def pair(self) -> tuple[str, str]:
        """The two systems that are compared; ("", "") for fewer than two."""
        state = self._store.state
        return pair_of(state, self.systems, self._baseline(state))

    # --- what is shown ---

    def open_collection(self, place: int) -> None:
        """Show the Systems view of a collection."""
        state = self._store.state
        if 0 <= place < len(state.workspace.collections):
            self._store.apply(replace(state, current=place, place="systems"))

    def show_system(self, name: str, shown: bool) -> None:
        """Draw a system, or leave it out. Where two are left, they are compared."""
        state = self._store.state
        hidden = state.systems_hidden - {name} if shown else state.systems_hidden | {name}
        drawn = [system for system in self.systems.names if system not in hidden]
        pair = state.systems_pair
        if len(drawn) == 2:
            baseline = self._baseline(state)
            other = baseline if baseline in drawn else drawn[0]
            pair = (next(system for system in drawn if system != other), other)
        self._store.apply(replace(state, systems_hidden=frozenset(hidden), systems_pair=pair))

    def set_pair(self, system: str = "", other: str = "") -> None:
        """Compare two systems over the collections; "" keeps one. Choosing the other one of the pair turns it round."""
        state = self._store.state
        former = pair_of(state, self.systems, self._baseline(state))
        pair = (system or former[0], other or former[1])
        if pair[0] == pair[1]:
            pair = (former[1], former[0])
        hidden = state.systems_hidden - set(pair)
        self._store.apply(replace(state, systems_pair=pair, systems_hidden=hidden))

    def sort(self, column: str, descending: bool) -> None:
        """Sort the systems by a column: "system", "macro" or "micro"."""
        self._store.apply(replace(self._store.state, collections_sort=(column, descending)))

    def match(self, chosen: Mapping[int, Mapping[int, str]]) -> None:
        """Choose which runs are which systems: for each collection, by its place, the system of runs by their keys, ""
        for none. Runs that are not named are matched by their names."""
        state = self._store.state
        workspace: Workspace = state.workspace
        for place, systems in chosen.items():
            collection = workspace.collections[place]
            if dict(systems) != dict(collection.systems):
                workspace = workspace.with_collection(place, replace(collection, systems=dict(systems)))
        if workspace is not state.workspace:
            self._history.do(tr("match systems"), replace(state, workspace=workspace))

    # --- export ---

    def result(self) -> ViewResult | None:
        """Return the table with the compared pair and the tests, for files; None until it is computed."""
        from irviewer.analysis.collections.collection_table import forest
        from irviewer.views.collections import tables

        state, systems = self._store.state, self.systems
        computed = self._results.known(self._asked(state))
        if computed is None or computed.table is None:
            return None
        table = computed.table
        system, other = pair_of(state, systems, self._baseline(state))
        compared = system != other and system in table.systems and other in table.systems
        matched = []
        for position, collection in enumerate(state.workspace.collections):
            for name in sorted(systems.by_hand[position]):
                entry = collection.run(systems.runs[position][name])
                matched.append((name, systems.collections[position], "" if entry is None else entry.name))
        return tables(
            [table], computed.protocol, forests=[forest(table, system, other)] if compared else (),
            tests=() if computed.tests is None else [computed.tests], matched=matched,
        )  # fmt: skip

    # --- within ---

    def _in_view(self) -> tuple[str, ...]:
        return ("",) if self._view.place == "collections" else ()

    def _baseline(self, state: State) -> str:
        """Return the baseline's system: that of the baseline of the collection in view, else the first system."""
        systems = self.systems
        name = systems.system_of(state.current, self._view.baseline)
        return name if name in systems.names else next(iter(systems.names), "")

    @property
    def baselines(self) -> dict[int, bool]:
        """The runs of the collection in view whose systems are compared here, by key, and which one is the baseline."""
        state, systems = self._store.state, self.systems
        runs = systems.runs[state.current] if state.current < len(systems.runs) else {}
        baseline = self._baseline(state)
        return {key: name == baseline for name, key in runs.items() if name in systems.names}

    def _wanted(self, slot: str) -> tuple[_Asked, ...]:
        asked = self._asked(self._store.state)
        return () if asked is None else (asked,)

    def _asked(self, state: State) -> _Asked | None:
        systems, given = self.systems, []
        left_out: dict[str, None] = {}
        for position, (collection, choices) in enumerate(zip(state.workspace.collections, state.choices, strict=True)):
            judgments = collection.judgments[min(choices.judgments, len(collection.judgments) - 1) :][:1]
            runs = tuple(
                (name, entry.run)
                for name, key in systems.runs[position].items()
                if (entry := collection.run(key)) is not None
            )
            chosen = collection.query_set(choices.scope.queries) if choices.scope.queries else None
            kept = {entry.key for entry in taking_part_in(collection, choices.scope)}
            left_out |= {entry.name: None for entry in collection.system_runs if entry.key not in kept}
            if judgments and runs:
                queries = None if chosen is None else chosen.query_ids
                mark = mark_of(self._changes.count(judgments[0]))
                notes = [mark] if mark else []
                notes += [] if chosen is None else [tr("only the queries of {set}", set=chosen.name)]
                protocol = of_collection(collection, choices, judgments[0], state)
                sets = () if chosen is None else (chosen,)
                name, qrels = systems.collections[position], judgments[0].qrels
                given.append(Given(name, qrels, runs, queries, protocol, sets, tuple(notes)))
        if not given:
            return None
        baseline, every = self._baseline(state), (*systems.names, *systems.alone)
        named = any("runs" in choices.scope.declared for choices in state.choices)
        keys = tuple(
            (item.name, item.key(state.measure, state.options), item.queries, item.protocol, item.notes)
            for item in given
        )
        return _Asked(
            (keys, every, baseline, named, *left_out), tuple(given), every, baseline, named,
            tuple(left_out), state.measure, state.options, self._evaluated,
        )  # fmt: skip
