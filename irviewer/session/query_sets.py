"""Query sets and query weights: making, naming, selecting, reading and writing them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError
from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.reading.opener import refuse_pipe
from irviewer.model.query_sets import (
    Origin,
    QuerySet,
    QueryWeights,
    attributes,
    free_set_name,
    numbers,
    sets_by,
    weights_by,
)
from irviewer.model.workspace import Collection
from irviewer.rendering.atomic import write_atomically
from irviewer.session.comparison.actions import ComparisonService
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.zscores import is_zscored
from irviewer.session.judging.history import HistoryService
from irviewer.session.messages import info, warning
from irviewer.session.protocol.in_view import bound_protocol
from irviewer.session.saving import FileSaving
from irviewer.session.state import State
from irviewer.session.store import Store
from irviewer.session.tasks import Operation, Progress
from irviewer.session.view import View
from irviewer.session.view_model_service import ViewModelService
from irviewer.session.view_models.pair import untestable
from irviewer.session.view_models.sets import SetsViewModel, build_sets_view_model
from irviewer.tables.filter import reads_values
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.evaluation.bind import BoundProtocol
    from irviewer.model.qrels import Qrels
    from irviewer.tables.table import Table


class QuerySetService:
    """Changes query sets, query weights and brushed queries."""

    def __init__(
        self, store: Store, view: View, saving: FileSaving, history: HistoryService, view_models: ViewModelService,
        comparison: ComparisonService,
    ) -> None:  # fmt: skip
        self._store = store
        self._tasks = store.tasks
        self._cache = store.cache
        self._view = view
        self._saving = saving
        self._history = history
        self._view_models = view_models
        self._comparison = comparison

    # --- current values ---

    @property
    def every(self) -> tuple[QuerySet, ...]:
        """The query sets of the collection in view."""
        return () if self._view.collection is None else self._view.collection.query_sets

    @property
    def query_set(self) -> str:
        """The name of the query set that values are computed over; "" for all queries."""
        context = self._view.context
        return "" if context is None or context.query_set is None else context.query_set.name

    @property
    def query_attributes(self) -> tuple[str, ...]:
        """The query attributes that can divide the queries into sets."""
        context = self._view.context
        return () if context is None else attributes(context.collection.queries, context.query_ids)

    @property
    def weight_columns(self) -> tuple[str, ...]:
        """The query attributes that can be used as weights."""
        return () if self._view.collection is None else numbers(self._view.collection.queries)

    def sets_view_model(self) -> SetsViewModel | None:
        """The view model of the query sets; None if nothing is open."""
        context = self._view.context
        if context is None:
            return None
        compared = self._comparison.known_comparison("baseline")
        return self._cache.get("sets", (context, compared), lambda: build_sets_view_model(context, compared))

    def means_later(self) -> Callable[[], Sequence[Table]] | None:
        """Return what computes the tables of ``irviewer query-sets`` of the chosen measure and all systems; any thread
        may. None without sets, and where means are of one set, weighted or of Z-scores, which are others."""
        context = self._view.context
        if context is None or context.judgments is None or not context.collection.query_sets:
            return None
        if context.query_set is not None or context.collection.weights is not None or untestable(context):
            return None
        if is_zscored(context, context.measure):
            return None
        bound = bound_protocol(context, self._store.state.protocol, uses=("rules", "scope"))
        return partial(_means, context.with_lists, context.judgments.qrels, bound)

    # --- make and select ---

    def set_query_set(self, name: str) -> None:
        """Compute all values over the queries of a set; "" for all queries. Raises IrviewerError for an unknown set."""
        if self._view.collection is None:
            return
        if name and self._view.collection.query_set(name) is None:
            raise IrviewerError(tr("Unknown query set {name!r}.", name=name))
        label = tr("evaluated queries: {query_set}", query_set=name) if name else tr("evaluated queries: all")
        answer = tr("Evaluated: {query_set}", query_set=name) if name else tr("Evaluated: all queries")
        self._history.do_when_ready(label, lambda state: _within(state, name), answer=answer)

    def make_query_set(
        self, name: str, query_ids: Iterable[str], origin: Origin = "brush", how: str = "", *, looked: bool = True
    ) -> str:
        """Make a query set and return its name, to which a number is added if it is taken. ``looked`` says that the
        queries were chosen with the results in view. Raises QuerySetError for an empty name, IrviewerError without
        queries."""
        collection = self._view.collection
        if collection is None:
            raise IrviewerError(tr("No collection is open."))
        query_set = QuerySet(free_set_name(name, self._set_names()), frozenset(query_ids), origin, how, looked)
        if not query_set.query_ids:
            raise IrviewerError(tr("Query set {name} would be empty.", name=query_set.name))
        label = tr("query set {name}", name=query_set.name)
        self._put(label, replace(collection, query_sets=(*collection.query_sets, query_set)))
        return query_set.name

    def keep_filtered(self, name: str) -> str:
        """Make a query set of the queries that match the filter, and return its name. A filter on values counts as
        chosen with the results in view. Raises as ``make_query_set``."""
        view_model = self._view_models.queries_view_model()
        if view_model is None:
            raise IrviewerError(tr("No collection is open."))
        words = view_model.filter.strip()
        context = self._view.context
        labels = () if context is None else context.labels.values()
        runs = tuple(name for label in labels for name in (label.name, label.whole_name))
        names = () if context is None else tuple(attribute.name for attribute in context.query_attributes)
        looked = reads_values(words, runs, names)
        return self.make_query_set(name or words, view_model.query_ids, "filter", words, looked=looked)

    def make_sets_by(self, column: str) -> None:
        """Make a query set for each value of a query attribute; existing sets of these names are replaced."""
        context = self._view.context
        if context is None or context.collection.queries is None or self._view.collection is None:
            return
        new_sets = sets_by(context.collection.queries, column, context.query_ids)
        names = {query_set.name for query_set in new_sets}
        others = tuple(former for former in self._view.collection.query_sets if former.name not in names)
        label = tr("query sets by {attribute}", attribute=column)
        self._put(label, replace(self._view.collection, query_sets=(*others, *new_sets)))

    def remove_query_set(self, name: str) -> None:
        """Remove a query set. If it is selected, values are computed over all queries again."""
        collection = self._view.collection
        if collection is None:
            return
        state = _within(self._store.state, "") if self.query_set == name else self._store.state
        kept = tuple(query_set for query_set in collection.query_sets if query_set.name != name)
        self._history.do(
            tr("remove query set {name}", name=name), state.with_collection(replace(collection, query_sets=kept))
        )

    def rename_query_set(self, name: str, new: str) -> None:
        """Rename a query set. Raises QuerySetError for an empty name."""
        collection = self._view.collection
        if collection is None or collection.query_set(name) is None or name == new:
            return
        new = free_set_name(new, (set_name for set_name in self._set_names() if set_name != name))
        sets = tuple(
            replace(query_set, name=new) if query_set.name == name else query_set for query_set in collection.query_sets
        )
        state = self._store.state.with_collection(replace(collection, query_sets=sets))
        state = _within(state, new) if self._store.state.chosen.scope.queries == name else state
        self._history.do(tr("rename query set {name} to {new}", name=name, new=new), state)

    # --- the brush ---

    @property
    def brushed(self) -> frozenset[str]:
        """The queries that are brushed in a plot."""
        return self._store.state.chosen.brushed

    def brush(self, query_ids: Iterable[str]) -> None:
        """Brush these queries in every plot; an empty iterable clears the brush."""
        former, brushed = self.brushed, frozenset(query_ids)
        self._store.choose(brushed=brushed)
        if brushed:
            self._store.answer(trn("Brushed: {n:,} query", "Brushed: {n:,} queries", len(brushed)))
        elif former:
            self._store.answer(tr("No query is brushed"))

    # --- files ---

    def open_query_sets(self, path: str) -> None:
        """Read query sets from a file; existing sets of the same names are replaced."""
        from irviewer.formats.query_sets import read_query_sets

        def work(progress: Progress) -> tuple[QuerySet, ...]:
            refuse_pipe(path)
            return read_query_sets(path)

        def done(new_sets: tuple[QuerySet, ...]) -> None:
            if self._view.collection is None:
                return
            names = {query_set.name for query_set in new_sets}
            kept = tuple(former for former in self._view.collection.query_sets if former.name not in names)
            label = tr("query sets of {file}", file=Path(path).name)
            self._put(label, replace(self._view.collection, query_sets=(*kept, *new_sets)))
            self._report(new_sets, path)

        title = tr("Reading {file}", file=Path(path).name)
        self._tasks.run(Operation(f"sets {path}", work, done, title=title, reads=True))

    def save_query_sets(self, path: str) -> None:
        """Save all query sets of the collection as text that can be read back."""
        from irviewer.formats.query_sets import write_query_sets

        data = write_query_sets(self.every).encode()
        self._saving.save_file(path, lambda where: write_atomically(Path(where), lambda file: file.write(data)))

    # --- weights ---

    def weight_by(self, column: str) -> None:
        """Weight the queries by a query attribute; "" removes the weights. Raises QuerySetError if it holds no
        weights."""
        collection = self._view.collection
        if collection is None:
            return
        if not column:
            self._put(tr("equal query weights"), replace(collection, weights=None))
        elif collection.queries is not None:
            self._put(
                tr("weights by {attribute}", attribute=column),
                replace(collection, weights=weights_by(collection.queries, column)),
            )

    def open_query_weights(self, path: str) -> None:
        """Read query weights from a file."""
        from irviewer.analysis.statistics.warnings import weight_warnings
        from irviewer.formats.query_sets import read_query_weights

        def work(progress: Progress) -> QueryWeights:
            refuse_pipe(path)
            return read_query_weights(path)

        def done(weights: QueryWeights) -> None:
            context = self._view.context
            if self._view.collection is None or context is None:
                return
            weights.of(context.query_ids)
            label = tr("weights of {file}", file=Path(path).name)
            self._put(label, replace(self._view.collection, weights=weights))
            unknown = sorted(weights.values.keys() - context.query_index.keys())
            weighed = sum(query in weights.values for query in context.query_ids)
            for text in weight_warnings(len(context.query_ids), weighed, unknown):
                self._store.say(warning(f"{Path(path).name}: {text}"))

        title = tr("Reading {file}", file=Path(path).name)
        self._tasks.run(Operation(f"weights {path}", work, done, title=title, reads=True))

    # --- within ---

    def _set_names(self) -> list[str]:
        return [query_set.name for query_set in self.every]

    def _put(self, label: str, collection: Collection) -> None:
        self._history.do(label, self._store.state.with_collection(collection))

    def _report(self, new_sets: Sequence[QuerySet], path: str) -> None:
        """Show a message about sets that were read, and a warning about unknown queries."""
        context = self._view.context
        if context is None:
            return
        known = set(context.query_ids)
        unknown = {query for query_set in new_sets for query in query_set.query_ids} - known
        file = Path(path).name
        self._store.say(
            info(trn("Read {n} query set from {file}", "Read {n} query sets from {file}", len(new_sets), file=file))
        )
        if unknown:
            text = trn(
                "{file} names {n} query that the collection does not have: {example}",
                "{file} names {n:,} queries that the collection does not have, such as {example}",
                len(unknown),
                file=file,
                example=min(unknown),
            )
            self._store.say(warning(text))


def _within(state: State, name: str) -> State:
    return state.with_chosen(replace(state.chosen, scope=state.chosen.scope.but(queries=name)))


def _means(context: EvaluationContext, qrels: Qrels, bound: BoundProtocol) -> Sequence[Table]:
    from irviewer.analysis.statistics.systems import means_of_sets
    from irviewer.views.cautions import cautioned
    from irviewer.views.query_sets import known_sets, tables

    opened = context.opened or context.collection
    entries = sorted((entry for entry in opened.runs if not entry.is_copy), key=lambda entry: entry.key)
    options = context.asked_options
    runs = [entry.run for entry in entries]
    result = evaluate(qrels, runs, [context.measure], options)
    sets, _ = known_sets(result, opened.query_sets)
    shown = tables([means_of_sets(result, result.measures[0], sets)], bound)
    return cautioned(shown, bound, [(qrels, result.measures, runs)]).tables
