"""Failure analysis: the background searches of the Queries view, their view models and options. ``analysis.failures``
computes them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from irviewer.analysis.failures.kinds import find_failures
from irviewer.analysis.failures.reading_effort import effort
from irviewer.analysis.failures.relevant_ranks import relevant_ranks
from irviewer.errors import IrviewerError, OptionError
from irviewer.model.arrays import Floats
from irviewer.model.failure_tags import by_names, failure_tags_of
from irviewer.model.same import Same
from irviewer.model.workspace import Regime, RunEntry
from irviewer.rendering.export import write_table
from irviewer.session import state_changes
from irviewer.session.background import BackgroundResults
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.failures.options import FindingOptions
from irviewer.session.messages import error
from irviewer.session.protocol.in_view import bound_protocol
from irviewer.session.saving import FileSaving
from irviewer.session.store import INLINE, Store
from irviewer.session.view import View
from irviewer.session.view_models.failures import (
    FailuresViewModel,
    HubsViewModel,
    RelevantViewModel,
    WorklistViewModel,
    build_failures_view_model,
    build_hubs_view_model,
    build_relevant_view_model,
    build_worklist_view_model,
    failures_at,
    hubs_at,
    limits_of,
    why_no_worklist,
    worklist_at,
)
from irviewer.session.view_models.reading_effort import (
    RecallViewModel,
    VectorViewModel,
    build_recall_view_model,
    build_vector_view_model,
    collection_size,
)
from irviewer.tables.judgment_mark import marked_header, marked_rows
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.analysis.failures.detect import FailuresOfRuns
    from irviewer.analysis.failures.kinds import Failures
    from irviewer.analysis.failures.losses import RunLosses
    from irviewer.analysis.failures.relevant_ranks import RelevantRanks
    from irviewer.tables.table import Table

MOST_KEPT = 12
MOST_WORK = 20_000
"""The largest number of documents of a worklist: more than can be judged, and still saved quickly."""
OF_FAMILY = ("failures", "relevant", "hubs", "worklist")
"""Searches that depend on the runs that take part in comparisons, whichever are shown."""
KINDS = (*OF_FAMILY, "recall")
"""The views with a search in the background, by the names of their tabs."""
TITLES = {
    "failures": tr("Finding failures"),
    "relevant": tr("Finding relevant documents in all runs"),
    "hubs": tr("Finding hubs"),
    "recall": tr("Reading all ranked lists"),
    "worklist": tr("Finding documents worth judging next"),
}
SEARCH = {"causes": "failures"}
"""The search that has other tables."""
SORTS = {"failures": "failures_sort", "relevant": "relevant_sort", "hubs": "hubs_sort"}
CELL_COST, ROW_COST, LOSS_COST = 250e-9, 3e-6, 750e-9
"""Measured seconds to examine a query of a run, to count a retrieved document, and to find the losses of a run, for
each of its rows and of the qrels' rows: its lists are evaluated in ideal orders."""


@dataclass(frozen=True, eq=False)
class _Sought:
    """The frozen inputs of a search."""

    kind: str
    key: tuple[Hashable, ...]
    context: EvaluationContext
    options: FindingOptions

    def cost(self) -> float:
        """Return the estimated seconds that the search takes now."""
        context, runs = self.context, self.context.collection.runs
        measures = (context.measure,) if self.kind == "failures" else ()
        entries = runs if self.kind in OF_FAMILY else context.shown_runs
        evaluation_inputs = [
            evaluation_input
            for evaluation_input in (context.evaluation_input(entry) for entry in entries)
            if evaluation_input is not None
        ]
        joining = context.evaluation.cost(evaluation_inputs, measures)
        n, s = len(context.query_ids), len(context.shown_runs)
        if self.kind == "worklist":
            return 1.0
        if self.kind == "hubs":
            return joining + n * len(context.taking_part) * min(context.cutoff, context.depth) * ROW_COST
        if self.kind != "failures":
            return joining
        judgments = 0 if context.judgments is None else len(context.judgments.qrels)
        losing = sum(len(entry.run) + judgments for entry in compared_runs(context, self.options))
        return joining + n * s * CELL_COST + losing * LOSS_COST

    def compute(self, progress: Callable[[float], None] | None = None) -> Any:
        """Return the result of the search; called on any thread."""
        return _SEARCHES[self.kind](self, progress)

    def _failures(self, progress: Callable[[float], None] | None) -> Any:
        return find_of_runs(
            self.context, self.options, examined_runs(self.context), compared_runs(self.context, self.options), progress
        )

    def _relevant(self, progress: Callable[[float], None] | None) -> Any:
        runs, joins = self.context.taking_part, []
        for number, entry in enumerate(runs):
            joins.append(self.context.judged(entry))
            if progress is not None:
                progress((number + 1) / len(runs))
        return [join for join in joins if join is not None]

    def _hubs(self, progress: Callable[[float], None] | None) -> Any:
        from irviewer.analysis.failures.hubs import find_hubs

        context = self.context
        judged = [joined for joined in (context.judged(entry) for entry in context.taking_part) if joined is not None]
        return find_hubs(
            [entry.run for entry in context.taking_part], judged, depth=context.cutoff, level=context.options.level,
            complete=context.complete, within=context.within, progress=progress,
        )  # fmt: skip

    def _recall(self, progress: Callable[[float], None] | None) -> Any:
        context, efforts = self.context, {}
        size, _ = collection_size(context, self.options)
        for entry in context.shown_runs:
            judged = context.judged(entry)
            if judged is None:
                continue
            try:
                efforts[entry.key] = effort(judged, size, context.options.level)
            except OptionError:  # the user was told when entering the number; other files may have been opened since
                efforts[entry.key] = effort(judged, None, context.options.level)
        return efforts

    def _worklist(self, progress: Callable[[float], None] | None) -> Any:
        from irviewer.analysis.explain.unjudged import worklist

        context, judgments = self.context, self.context.judgments
        assert judgments is not None
        queries: Sequence[str] | None = None
        if context.within is not None:
            queries = [
                query_id for query_id, inside in zip(context.query_ids, context.within.tolist(), strict=True) if inside
            ]
        # With judged documents only, those that nobody judged are what is sought: they are not in the lists shown.
        runs = [entry.run for entry in context.opened_family]
        return worklist(
            runs, judgments.qrels, context.measure, context.asked_options, queries=queries,
            most=MOST_WORK, progress=progress
        )  # fmt: skip


_SEARCHES: Mapping[str, Callable[[_Sought, Callable[[float], None] | None], Any]] = {
    "failures": _Sought._failures,
    "relevant": _Sought._relevant,
    "hubs": _Sought._hubs,
    "recall": _Sought._recall,
    "worklist": _Sought._worklist,
}
"""What each kind of search does."""


def find_of_runs(
    context: EvaluationContext,
    options: FindingOptions,
    entries: Sequence[RunEntry],
    losing: Sequence[RunEntry],
    progress: Callable[[float], None] | None = None,
) -> FailuresOfRuns:
    """Return the failures of runs, and what some of them lose, without causes and tags; any thread may."""
    from irviewer.analysis.failures.detect import FailuresOfRuns

    runs, values_of = context.collection.runs, {}
    for number, entry in enumerate(runs):
        values_of[entry.key] = context.values(entry, context.measure)
        if progress is not None:
            progress((number + 1) / len(runs))
    others = np.array([values_of[entry.key] for entry in context.taking_part])
    judged = [joined for joined in (context.judged(entry) for entry in entries) if joined is not None]
    baseline = None if context.baseline is None or len(runs) < 2 else values_of[context.baseline]
    documents, limits = context.collection.documents, limits_of(context, options)
    text_of = None if documents is None else documents.text
    from irviewer.analysis.failures.near_duplicates import count_near_duplicates

    failures = find_failures(
        judged, np.array([values_of[entry.key] for entry in entries]), limits, others=others, baseline=baseline,
        complete=context.complete, level=context.options.level,
        higher_is_better=context.measure.higher_is_better, bounded=context.measure.bounded,
        duplicates=count_near_duplicates([entry.run for entry in entries], judged, text_of, limits.cutoff, progress),
    )  # fmt: skip
    losses = tuple(losses_of(context, entry, values_of[entry.key]) for entry in losing)
    base = None if baseline is None or context.baseline is None else context.collection.run(context.baseline)
    regime = Regime.UNKNOWN if context.judgments is None else context.judgments.regime
    names = tuple(entry.name for entry in entries)
    return FailuresOfRuns(context.measure, names, "" if base is None else base.name, regime, failures, None, losses)


def examined_runs(context: EvaluationContext) -> tuple[RunEntry, ...]:
    """Return the runs whose failures are found: those shown, then the baseline where it is hidden."""
    hidden = context.baseline not in context.shown
    return (*context.shown_runs, *(entry for entry in context.system_runs if hidden and entry.key == context.baseline))


def compared_runs(context: EvaluationContext, options: FindingOptions) -> tuple[RunEntry, ...]:
    """Return the run whose failures are examined one by one, and the baseline where it is another one."""
    by_key = {entry.key: entry for entry in examined_runs(context)}
    asked = context.baseline is not None and options.of_run == context.baseline
    focus = context.baseline if asked or context.focus is None else context.focus
    keys = [focus, *([context.baseline] if context.baseline != focus else [])]
    return tuple(by_key[key] for key in keys if key is not None and key in by_key)


def losses_of(context: EvaluationContext, entry: RunEntry, values: Floats) -> RunLosses:
    """Return what a run loses on each of the E queries."""
    from irviewer.analysis.failures.find_losses import run_losses

    assert context.judgments is not None
    evaluation_input = context.evaluation_input(entry, context.measure)
    options = context.options if evaluation_input is None else evaluation_input.options
    options = replace(options, missing="zero", dialect=replace(options.rules, unanswerable="zero"))
    return run_losses(
        context.judgments.qrels, entry.run, context.treated(context.measure), values, context.query_ids, options
    )


class FailureService:
    """Failures, misleading and missed documents, and the worklist, computed in the background."""

    def __init__(self, store: Store, view: View, saving: FileSaving) -> None:
        self._store = store
        self._tasks = store.tasks
        self._cache = store.cache
        self._view = view
        self._saving = saving
        self.results: BackgroundResults[_Sought, Any] = BackgroundResults(
            store, "finding", KINDS, wanted=self._wanted_of, in_view=self._sought_in_view, title=TITLES.__getitem__,
            most=MOST_KEPT, at_once=lambda sought: sought.cost() < INLINE,
        )  # fmt: skip

    @property
    def _context(self) -> EvaluationContext | None:
        """The context of the runs that have lists."""
        context = self._view.context
        return None if context is None else context.with_lists

    # --- view models ---

    def failures_view_model(self) -> FailuresViewModel | None:
        """Return the queries on which shown runs fail; None if nothing is open."""
        context, query = self._context, self._view.query_id
        if context is None:
            return None
        failures, order, options = self._shown_failures(context), self._view.order(context), self._store.state.finding
        base = self._cache.get(
            "failures", (context, order, options, failures),
            lambda: build_failures_view_model(context, order, options, failures)
        )  # fmt: skip
        return self._cache.get("failures here", (base, query), lambda: failures_at(base, context, query))

    def _shown_failures(self, context: EvaluationContext) -> Failures | None:
        of_runs: FailuresOfRuns | None = self.known_found("failures")
        if of_runs is None:
            return None
        key = (Same(of_runs), context.shown)
        return self._cache.get("failures_shown", key, lambda: of_runs.failures.of_runs(range(len(context.shown))))

    def failures_of_runs(self) -> FailuresOfRuns | None:
        """Return the failures of the shown runs and the baseline, with what the run in focus and the baseline lose,
        without causes and tags; None until they are found."""
        of_runs: FailuresOfRuns | None = self.known_found("failures")
        return of_runs

    def relevant_view_model(self) -> RelevantViewModel | None:
        """Return the relevant documents of the selected query in all runs; None without a query."""
        context, query, document = self._context, self._view.query_id, self._view.document_id
        if context is None or not query:
            return None
        options = self._store.state.finding
        ranks = self._relevant_ranks(context, query)
        return self._cache.get(
            "relevant", (context, query, document, options, ranks),
            lambda: build_relevant_view_model(context, query, document, options, ranks),
        )  # fmt: skip

    def hubs_view_model(self) -> HubsViewModel | None:
        """Return the non-relevant documents that are retrieved for many queries; None if nothing is open."""
        context, document = self._context, self._view.document_id
        if context is None:
            return None
        hubs, options = self.known_found("hubs"), self._store.state.finding
        base = self._cache.get("hubs", (context, options, hubs), lambda: build_hubs_view_model(context, options, hubs))
        return self._cache.get("hubs here", (base, document), lambda: hubs_at(base, document))

    def recall_view_model(self) -> RecallViewModel | None:
        """Return the reading effort of the selected query; None without a query."""
        context, query = self._context, self._view.query_id
        if context is None or not query:
            return None
        efforts, options = self.known_found("recall"), self._store.state.finding
        return self._cache.get(
            "recall", (context, query, options, efforts),
            lambda: build_recall_view_model(context, query, options, efforts)
        )  # fmt: skip

    def vector_view_model(self) -> VectorViewModel | None:
        """Return the ranking vectors of the selected query; None without a query."""
        context, query, document = self._context, self._view.query_id, self._view.document_id
        if context is None or not query:
            return None
        return self._cache.get(
            "vector", (context, query, document), lambda: build_vector_view_model(context, query, document)
        )

    def worklist_view_model(self) -> WorklistViewModel | None:
        """Return the unjudged documents, the first to judge first; None if nothing is open."""
        context, query, document = self._context, self._view.query_id, self._view.document_id
        if context is None:
            return None
        worklist = self.known_found("worklist")
        base = self._cache.get("worklist", (context, worklist), lambda: build_worklist_view_model(context, worklist))
        return self._cache.get("worklist here", (base, query, document), lambda: worklist_at(base, query, document))

    def known_found(self, kind: str) -> Any:
        """Return the result of a search: Failures, the joins of all runs, Hubs, Effort by run key, or a Worklist. Short
        searches are done now; None until a longer one is done, which is announced as "statistics"."""
        sought = self._sought(kind)
        return self.results.known(sought)

    def tables(self, kind: str) -> tuple[Table, ...]:
        """Return what was found as the tables of every door, for files: "failures" (and "counts"), "causes" (and
        "loss"), "hubs" or "worklist"; () until it is computed. Of a query set they have its queries."""
        from irviewer.views import failures, pool
        from irviewer.views.cautions import cautioned

        context, result, protocol = self._context, self.known_found(SEARCH.get(kind, kind)), self._store.state.protocol
        if context is None or context.judgments is None or result is None:
            return ()
        against = ("baseline",) if kind != "worklist" and len(context.collection.runs) > 1 else ()
        bound = bound_protocol(context, protocol, uses=("rules", "scope", *against))
        regime = context.judgments.regime
        judged = [(context.judgments.qrels, [context.measure], [entry.run for entry in context.taking_part])]
        if kind == "worklist":
            return pool.worklist_tables(result, bound).tables
        if kind == "hubs":
            limits = limits_of(context, self._store.state.finding)
            shown = failures.hubs_tables(result, context.query_ids, regime, bound, limits)
            return cautioned(shown, bound, judged, counts_relevant=True).tables
        shown = failures.tables(
            self.summed_up(context, result), bound, runs=len(context.shown),
            outside=[entry.name for entry in context.shown_outside],
            hidden=[entry.name for entry in context.hidden_inside],
        )  # fmt: skip
        shown = shown.only(*(("causes", "loss") if kind == "causes" else ("failures", "counts")))
        return cautioned(shown, bound, judged, counts_relevant=True).tables

    def summed_up(self, context: EvaluationContext, of_runs: FailuresOfRuns) -> FailuresOfRuns:
        """Return failures of runs with causes and tags, of the queries of the set in use."""
        from irviewer.analysis.failures.detect import summed_up

        names = {entry.key: entry.name for entry in context.collection.runs}
        tags = by_names(failure_tags_of(context.collection), names)
        failures, losses = of_runs.failures, of_runs.losses
        if context.within is not None:
            places = np.flatnonzero(context.within)
            failures, losses = failures.at(places), tuple(each.at(places) for each in losses)
        causes = summed_up(losses, failures, of_runs.runs, of_runs.baseline, of_runs.measure, tags)
        return replace(of_runs, failures=failures, losses=losses, causes=causes, tags=tags)

    def _wanted_of(self, kind: str) -> tuple[_Sought, ...]:
        sought = self._sought(kind)
        return () if sought is None else (sought,)

    # --- options ---

    def switch_failure_kind(self, name: str) -> None:
        """Show or hide failures of a kind; if none is chosen all are shown."""
        self._find(kinds=self._store.state.finding.kinds ^ {name})

    def sort_findings(self, view: str, column: str, descending: bool) -> None:
        """Sort one of the tables: "failures", "relevant" or "hubs"."""
        self._find(**{SORTS[view]: (column, descending)})

    def set_failure_limits(self, **what: float) -> bool:
        """Set the limits of failures: ``unjudged``, ``worse``, ``hard``. False, with a message, for an invalid
        limit."""
        try:
            limits = replace(self._store.state.finding.limits, **what)  # type: ignore[arg-type]
        except OptionError as failure:
            self._store.say(error(str(failure)))
            return False
        self._find(limits=limits)
        return True

    def show_every_run(self, every: bool = True, run: int = -1) -> None:
        """Show the failures of all runs in one table (filtered to the run of a key, -1 for none), or those of one run,
        query by query."""
        self._find(every_run=every, of_run=run)

    def examine_run(self, key: int) -> None:
        """Show the failures of a run, query by query. The run becomes the focus run, but the baseline, which stays what
        differences are computed against."""
        state, context = self._store.state, self._view.context
        if context is None or context.collection.run(key) is None:
            return
        finding = replace(state.finding, every_run=False, of_run=key if key == context.baseline else -1)
        chosen = state.chosen if key == context.baseline else replace(
            state.chosen, focus=key, shown=state.chosen.shown | {key}
        )  # fmt: skip
        self._store.apply(replace(state.with_chosen(chosen), finding=finding))

    def set_stop(self, stop: int) -> None:
        """Set the number of documents that are read."""
        self._find(stop=max(1, stop))

    def set_collection_size(self, size: int | None) -> bool:
        """Set the number of documents of the collection; None: the known ones. False, with a message, if more are
        known."""
        context = self._context
        if context is None:
            return False
        name = context.collection.name
        sizes = {run_name: number for run_name, number in self._store.state.finding.sizes.items() if run_name != name}
        if size is not None:
            judged = [
                joined for joined in (context.judged(entry) for entry in context.shown_runs) if joined is not None
            ]
            try:
                for joined in judged:
                    effort(joined, size, context.options.level)
            except OptionError as failure:
                self._store.say(error(str(failure)))
                return False
            sizes[name] = size
        self._find(sizes=sizes)
        return True

    def go_to_failure(self, query: str, run: int | None = None, document: str | None = None) -> None:
        """Show a query, with a run as focus run and a document selected if they are given."""
        context = self._view.context
        if context is None or query not in context.query_index:
            return
        self._store.hover("")
        chosen = replace(self._store.state.chosen, query_id=query, document_id=document)
        if run is not None and run != self._view.baseline:
            chosen = replace(chosen, focus=run, shown=chosen.shown | {run})
        self._store.apply(replace(state_changes.without_hints(self._store.state.with_chosen(chosen)), place="query"))

    @property
    def has_worklist(self) -> bool:
        """True if there is a worklist, or if it is not computed yet."""
        sought = self._sought("worklist")
        return sought is not None and (not self.results.has(sought) or bool(self.results.known(sought)))

    def save_worklist(self, path: str) -> None:
        """Write the worklist as a pool: a query and a document per line, the first to judge first; separated by tabs,
        or commas in a .csv file; with the mark if judgments were changed by hand. It is computed in the background if
        necessary. Raises IrviewerError if there is none."""
        from irviewer.analysis.explain.unjudged import pool_of

        sought = self._sought("worklist")
        if sought is None or not self.has_worklist:
            raise IrviewerError(tr("The worklist is empty: no document at the top of the runs is unjudged."))
        kept = self.results.known(sought) if self.results.has(sought) else None
        separator, mark = "," if path.lower().endswith(".csv") else "\t", self._view.judgment_mark

        def write(target: str) -> None:
            result = sought.compute() if kept is None else kept
            if not result:
                raise IrviewerError(
                    tr(
                        "The worklist was not saved: no unjudged document would change {measure}.",
                        measure=sought.context.measure,
                    )
                )
            write_table(
                target, marked_header(("query", "document"), mark), marked_rows(pool_of(result), mark), separator
            )

        self._saving.save_file(path, write)

    # --- internal ---

    def _find(self, **what: Any) -> None:
        self._store.apply(replace(self._store.state, finding=replace(self._store.state.finding, **what)))

    def _relevant_ranks(self, context: EvaluationContext, query: str) -> RelevantRanks | None:
        judged = self.known_found("relevant")
        if judged is None:
            return None

        key = (context, query, Same(judged))
        return self._cache.get("relevant ranks", key, lambda: relevant_ranks(judged, query, context.options.level))

    def _sought_in_view(self) -> tuple[str, ...]:
        tab = self._view.tab("queries")
        return (tab,) if self._view.collection is not None and self._view.place == "queries" and tab in KINDS else ()

    def _sought(self, kind: str) -> _Sought | None:
        context, options = self._context, self._store.state.finding
        if context is None or context.judgments is None:
            return None
        if not (context.taking_part if kind == "worklist" else context.shown_runs):
            return None
        if kind == "worklist" and context.complete:
            return None
        if why_no_worklist(context) if kind == "worklist" else not context.graded:
            return None
        key: tuple[Hashable, ...] = (
            kind,
            tuple((entry.key, Same(entry.run.scores)) for entry in context.collection.runs),
            Same(context.judgments.qrels.grades), context.options, context.judgments.regime,
        )  # fmt: skip
        if kind in OF_FAMILY:
            key += (tuple(entry.key for entry in context.taking_part),)
        if kind in ("failures", "recall"):
            key += (context.shown,)
        if kind == "failures":
            key += (str(context.measure), context.cutoff, context.baseline, options.limits,
                    context.focus, options.of_run == context.baseline,
                    Same(context.collection.documents))  # fmt: skip
        elif kind == "hubs":
            key += (context.cutoff, context.query_set)
        elif kind == "worklist":
            key += (str(context.measure), context.query_set)
        elif kind == "recall":
            key += (collection_size(context, options)[0],)
        return _Sought(kind, key, context, options)
