"""What a person can do with query sets and weights: make them, name them, put one in force, read and write them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from irviewer.errors import IrviewerError
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
from irviewer.session.judging.history import HistoryService
from irviewer.session.messages import info, warning
from irviewer.session.saving import FileSaving
from irviewer.session.settings import write_atomically
from irviewer.session.state import State
from irviewer.session.store import Store
from irviewer.session.tasks import Progress
from irviewer.session.text.filter import reads_values
from irviewer.session.view import View
from irviewer.session.view_model_service import ViewModelService
from irviewer.session.view_models.sets import SetsViewModel, build_sets_view_model


class QuerySetService:
    """Query sets: made, named, chosen; weights of queries; brushed queries."""

    def __init__(
        self, store: Store, view: View, saving: FileSaving, history: HistoryService, view_models: ViewModelService
    ) -> None:
        self._store = store
        self._tasks = store.tasks
        self._cache = store.cache
        self._view = view
        self._saving = saving
        self._history = history
        self._view_models = view_models

    # --- what there is ---

    @property
    def every(self) -> tuple[QuerySet, ...]:
        """The sets of the collection in view."""
        return () if self._view.collection is None else self._view.collection.query_sets

    @property
    def query_set(self) -> str:
        """The name of the set that numbers are of, "" all queries."""
        context = self._view.context
        return "" if context is None or context.query_set is None else context.query_set.name

    @property
    def query_attributes(self) -> tuple[str, ...]:
        """The columns that part the queries into sets."""
        context = self._view.context
        return () if context is None else attributes(context.collection.queries, context.query_ids)

    @property
    def weight_columns(self) -> tuple[str, ...]:
        """The columns that can weight the queries."""
        return () if self._view.collection is None else numbers(self._view.collection.queries)

    def sets_view_model(self) -> SetsViewModel | None:
        """The sets side by side; None where nothing is open."""
        context = self._view.context
        return None if context is None else self._cache.get("sets", (context,), lambda: build_sets_view_model(context))

    # --- to make and choose ---

    def set_query_set(self, name: str) -> None:
        """Have every number be of this set's queries; "" of all. Raises IrviewerError where there is no such set."""
        if self._view.collection is None:
            return
        if name and self._view.collection.query_set(name) is None:
            raise IrviewerError(f"there is no query set {name!r}")
        self._store.apply_when_ready(lambda state: _within(state, name))

    def make_query_set(
        self, name: str, query_ids: Iterable[str], origin: Origin = "brush", how: str = "", *, looked: bool = True
    ) -> str:
        """Keep queries as a set of this name (a number is put behind one that is taken), and return the name. Raises
        QuerySetError without a name, IrviewerError without a query."""
        collection = self._view.collection
        if collection is None:
            raise IrviewerError("nothing is open")
        made = QuerySet(free_set_name(name, self._set_names()), frozenset(query_ids), origin, how, looked)
        if not made.query_ids:
            raise IrviewerError(f"no query would be in the set {made.name}")
        self._put(f"query set {made.name}", replace(collection, query_sets=(*collection.query_sets, made)))
        return made.name

    def keep_filtered(self, name: str) -> str:
        """Keep the queries that the filter lets through as a set, and return its name. A filter that reads values was
        written with the results in view. Raises as ``make_query_set``."""
        view_model = self._view_models.queries_view_model()
        if view_model is None:
            raise IrviewerError("nothing is open")
        words = view_model.filter.strip()
        context = self._view.context
        runs = () if context is None else tuple(entry.name for entry in context.collection.runs)
        looked = reads_values(words, runs)
        return self.make_query_set(name or words, view_model.query_ids, "filter", words, looked=looked)

    def make_sets_by(self, column: str) -> None:
        """A set for each value of a column of the queries; sets of that column that there were are made anew."""
        context = self._view.context
        if context is None or context.collection.queries is None or self._view.collection is None:
            return
        made = sets_by(context.collection.queries, column, context.query_ids)
        names = {one.name for one in made}
        others = tuple(one for one in self._view.collection.query_sets if one.name not in names)
        self._put(f"query sets by {column}", replace(self._view.collection, query_sets=(*others, *made)))

    def remove_query_set(self, name: str) -> None:
        """Forget a set; where it was in force numbers are of all queries again."""
        collection = self._view.collection
        if collection is None:
            return
        state = _within(self._store.state, "") if self.query_set == name else self._store.state
        kept = tuple(one for one in collection.query_sets if one.name != name)
        self._history.do(f"remove query set {name}", state.with_collection(replace(collection, query_sets=kept)))

    def rename_query_set(self, name: str, new: str) -> None:
        """Another name for a set. Raises QuerySetError without one."""
        collection = self._view.collection
        if collection is None or collection.query_set(name) is None or name == new:
            return
        new = free_set_name(new, (one for one in self._set_names() if one != name))
        sets = tuple(replace(one, name=new) if one.name == name else one for one in collection.query_sets)
        state = self._store.state.with_collection(replace(collection, query_sets=sets))
        state = _within(state, new) if self._store.state.chosen.query_set == name else state
        self._history.do(f"rename query set {name} to {new}", state)

    # --- the brush ---

    @property
    def brushed(self) -> frozenset[str]:
        """The queries that are brushed in a plot."""
        return self._store.state.chosen.brushed

    def brush(self, query_ids: Iterable[str]) -> None:
        """Brush these queries in every plot, and no others; none takes the brush away."""
        self._store.choose(brushed=frozenset(query_ids))

    # --- files ---

    def open_query_sets(self, path: str) -> None:
        """Read sets from a file and put them beside the others; one of the same name is replaced."""
        from irviewer.formats.query_sets import read_query_sets

        def work(progress: Progress, cancelled: object) -> tuple[QuerySet, ...]:
            refuse_pipe(path)
            return read_query_sets(path)

        def done(found: tuple[QuerySet, ...]) -> None:
            if self._view.collection is None:
                return
            names = {one.name for one in found}
            kept = tuple(one for one in self._view.collection.query_sets if one.name not in names)
            self._put(f"query sets of {Path(path).name}", replace(self._view.collection, query_sets=(*kept, *found)))
            self._tell_read(found, path)

        title = f"Reading {Path(path).name}"
        self._tasks.submit(f"sets {path}", work, done, self._store.on_failure, title=title, reads=True)

    def save_query_sets(self, path: str) -> None:
        """Write all sets of the collection as text that reads back."""
        from irviewer.formats.query_sets import write_query_sets

        data = write_query_sets(self.every).encode()
        self._saving.save_file(path, lambda where: write_atomically(Path(where), data))

    # --- weights ---

    def weight_by(self, column: str) -> None:
        """Weight the queries by a column; "" no longer. Raises QuerySetError where it holds no weights."""
        collection = self._view.collection
        if collection is None:
            return
        if not column:
            self._put("queries weigh the same", replace(collection, weights=None))
        elif collection.queries is not None:
            self._put(f"weights by {column}", replace(collection, weights=weights_by(collection.queries, column)))

    def open_query_weights(self, path: str) -> None:
        """Read the queries' weights from a file."""
        from irviewer.analysis.statistics.warnings import weight_warnings
        from irviewer.formats.query_sets import read_query_weights

        def work(progress: Progress, cancelled: object) -> QueryWeights:
            refuse_pipe(path)
            return read_query_weights(path)

        def done(found: QueryWeights) -> None:
            context = self._view.context
            if self._view.collection is None or context is None:
                return
            found.of(context.query_ids)
            self._put(f"weights of {Path(path).name}", replace(self._view.collection, weights=found))
            unknown = sorted(found.values.keys() - context.query_index.keys())
            weighed = sum(query in found.values for query in context.query_ids)
            for said in weight_warnings(len(context.query_ids), weighed, unknown):
                self._store.say(warning(f"{Path(path).name}: {said}"))

        title = f"Reading {Path(path).name}"
        self._tasks.submit(f"weights {path}", work, done, self._store.on_failure, title=title, reads=True)

    # --- within ---

    def _set_names(self) -> list[str]:
        return [one.name for one in self.every]

    def _put(self, label: str, collection: Collection) -> None:
        self._history.do(label, self._store.state.with_collection(collection))

    def _tell_read(self, found: Sequence[QuerySet], path: str) -> None:
        context = self._view.context
        if context is None:
            return
        known = set(context.query_ids)
        unknown = {query for one in found for query in one.query_ids} - known
        count = f"{len(found)} query set" + ("s" if len(found) > 1 else "")
        self._store.say(info(f"Read {count} from {Path(path).name}"))
        if unknown:
            example = min(unknown)
            few = "1 query" if len(unknown) == 1 else f"{len(unknown):,} queries"
            self._store.say(warning(f"{Path(path).name} names {few} that nothing is known of, such as {example}"))


def _within(state: State, name: str) -> State:
    return state.with_chosen(replace(state.chosen, query_set=name))
