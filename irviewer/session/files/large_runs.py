"""Runs that are too large to be open as a whole: they are evaluated in blocks, and are values then. The list of a query
is read from its file when the query is shown."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from irviewer.errors import IrviewerError, MeasureError
from irviewer.evaluation.blocks import evaluate_blocks
from irviewer.evaluation.evaluate import bound_measures
from irviewer.evaluation.evaluation_cache import Evaluation
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measure
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.same import Same
from irviewer.model.stored_values import Lists
from irviewer.model.workspace import JudgmentSet, RunEntry, Workspace
from irviewer.session.background import BackgroundResults
from irviewer.session.changes import Change
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.default_measures import COMMON, query_measures, systems_measures
from irviewer.session.files.actions import FileService
from irviewer.session.files.changed_files import stamp
from irviewer.session.files.import_result import ImportResult
from irviewer.session.files.loading import LoadedFiles, ReadFile, Request
from irviewer.session.files.open_requests import OpenRequest
from irviewer.session.files.opening import Opened, warm_collection
from irviewer.session.files.placement import place_files, place_for_run
from irviewer.session.runs.displayed_runs import list_as_shown
from irviewer.session.state import State
from irviewer.session.state_changes import Opening
from irviewer.session.store import Store
from irviewer.session.tasks import Operation, Progress
from irviewer.session.view import View
from irviewer.translation import tr

MOST_LISTS = 64
"""Lists that are kept once they were read."""
READING_SHARE = 0.95


@dataclass(frozen=True, eq=False)
class ListInputs:
    """A run whose list of a query is read."""

    lists: Lists
    query: str

    @property
    def key(self) -> Hashable:
        """The run, which the key holds, and the query."""
        return Same(self.lists), self.query

    def compute(self, progress: Callable[[float], None] | None = None) -> Run | IrviewerError:
        """Return the run of the query, or why it cannot be read."""
        try:
            run: Run = self.lists.read(self.query)
        except IrviewerError as failure:
            return failure
        return run


class LargeRunService:
    """Evaluates large runs in blocks, and reads their lists of the query in view."""

    def __init__(self, store: Store, view: View, files: FileService) -> None:
        self._store = store
        self._view = view
        self._files = files
        self._lists: BackgroundResults[ListInputs, Run | IrviewerError] = BackgroundResults(
            store, "lists", ("",), wanted=lambda _: self._wanted(), in_view=self._in_view,
            title=lambda _: tr("Reading the lists of query {query}", query=view.query_id), most=MOST_LISTS,
            announce=Change.QUERY,
        )  # fmt: skip

    # --- evaluation ---

    def evaluate(self, requests: Sequence[Request]) -> None:
        """Evaluate runs in blocks in the background, each with the open judgments of its queries, and open them."""
        for request in requests:
            work = _Work(request, self._view.workspace, self._store.state, self._store.evaluation)
            name = Path(request.path).name
            self._store.tasks.run(Operation(
                f"in blocks {request.path}", work, self._done, title=tr("Evaluating {run}", run=name), lasting=True,
                reads=True,
            ))  # fmt: skip

    @property
    def others(self) -> tuple[RunEntry, ...]:
        """The runs in view that were evaluated in blocks under other rules, or with other judgments."""
        context = self._view.context
        if context is None:
            return ()
        refused = [entry for entry in context.opened_runs if entry.key in context.refusals]
        return tuple(entry for entry in refused if entry.run.stored is not None and entry.run.stored.lists is not None)

    def evaluate_again(self) -> None:
        """Evaluate the runs in view that were evaluated under other rules."""
        self.evaluate([Request(entry.run.origin, "run", again=True) for entry in self.others])

    def _done(self, opened: Opened) -> None:
        self._files.place(opened, Opening(brought=True))

    # --- lists ---

    @property
    def known(self) -> Mapping[int, Run | IrviewerError]:
        """The lists of the query in view that were read, by the runs' keys; an error where one cannot be."""
        context, query = self._view.context, self._view.query_id
        lists = {}
        for entry in () if context is None or not query else context.collection.runs:
            inputs = _inputs_of(entry, query)
            known = None if inputs is None else self._lists.known(inputs)
            if known is not None:
                lists[entry.key] = self._shown(entry, known, context)
        return lists

    def _shown(
        self, entry: RunEntry, read: Run | IrviewerError, context: EvaluationContext | None
    ) -> Run | IrviewerError:  # fmt: skip
        """Return a list as the rules in view rank it."""
        if isinstance(read, IrviewerError) or context is None or context.judgments is None:
            return read
        judgments, options = context.judgments, context.asked_options
        return self._store.cache.get(
            f"list of {entry.key}", (Same(read), Same(judgments.qrels), options),
            lambda: list_as_shown(read, judgments.qrels, options),
        )  # fmt: skip

    def _wanted(self) -> tuple[ListInputs, ...]:
        context, query = self._view.context, self._view.query_id
        if context is None or not query:
            return ()
        inputs = [_inputs_of(entry, query) for entry in context.shown_runs]
        return tuple(each for each in inputs if each is not None)

    def _in_view(self) -> Collection[str]:
        return ("",) if self._view.place == "query" else ()


def _inputs_of(entry: RunEntry, query: str) -> ListInputs | None:
    stored = entry.run.stored
    return None if stored is None or stored.lists is None else ListInputs(stored.lists, query)


@dataclass(frozen=True, eq=False)
class _Work:
    """Evaluates a run in blocks and finds its place; runs on a worker. The values are kept for the next time."""

    request: Request
    workspace: Workspace
    state: State
    evaluation: Evaluation

    def __call__(self, progress: Progress) -> Opened:
        """Return the run with its collection. Raises IrviewerError."""
        from irviewer.formats.blocks.kept_values import keep, loaded_values, run_of_table, table_with_places
        from irviewer.formats.blocks.places import Noted
        from irviewer.formats.blocks.sources import blocks_of

        path, title = self.request.path, tr("Evaluating {run}", run=Path(self.request.path).name)
        progress(0.0, title)
        before = stamp(path)
        first = next(iter(blocks_of(path))).read()
        judgments = self._judgments(first)
        options = self.state.options
        measures = _measures(judgments.qrels, options, self.state.measure, first.depth)
        noted = Noted()
        result = evaluate_blocks(
            judgments.qrels, blocks_of(path), measures, options, name=self.request.name or first.name,
            progress=lambda share: progress(READING_SHARE * share, title), seen=noted,
        )  # fmt: skip
        table = table_with_places(result, judgments.qrels, noted)
        keep(path, table)
        loaded = loaded_values(run_of_table(path, table))
        files = LoadedFiles((ReadFile(self.request, loaded, before),))
        import_result = place_files(self.workspace, self.state.current, files)
        for place in import_result.touched:
            warm_collection(import_result.workspace.collections[place], self.state, self.evaluation, progress)
        return Opened(files, import_result, self.workspace, OpenRequest((self.request,)))

    def _judgments(self, first: Run) -> JudgmentSet:
        """Return the judgments of the collection that has the run, or has the queries of its beginning; the first of
        it, or those in view. Raises IrviewerError if no judgments are open."""
        placed = ImportResult(self.workspace)
        place = next(
            (each for each in placed.order(self.state.current) if placed.runs_of(each, self.request.path)), None
        )
        if place is None:
            place = place_for_run(placed, self.state.current, first)
        sets = () if place is None else self.workspace.collections[place].judgments
        if not sets or sets[0].qrels.unread is not None:
            raise IrviewerError(
                tr(
                    "{file} is so large that it is evaluated in blocks, which needs its judgments. Open the qrels, "
                    "then the run.",
                    file=Path(self.request.path).name,
                )
            )  # fmt: skip
        number = self.state.chosen.judgments if place == self.state.current else 0
        return sets[min(number, len(sets) - 1)]


def _measures(qrels: Qrels, options: EvaluationOptions, chosen: Measure, depth: int) -> list[Measure]:
    """Return the measures that are shown and offered, and can be computed by these rules."""
    wanted = [*systems_measures(depth, chosen), *query_measures(depth, chosen), *map(parse_measure, COMMON)]
    measures = []
    for measure in dict.fromkeys(wanted):
        try:
            bound_measures([measure], qrels, options)
        except MeasureError:
            continue
        measures.append(measure)
    return measures
