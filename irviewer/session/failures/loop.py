"""The failures of one run, query by query: which are examined, the tags that they get, and in which order they come.

Tags and what was examined belong to the collection: each change is an undo step and is saved with the project."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from irviewer.model.failure_tags import (
    FailureTagError,
    FailureTags,
    Look,
    by_names,
    failure_tags_of,
    with_failure_tags,
)
from irviewer.model.judgments.overlay import now
from irviewer.model.same import Same
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.failures.actions import FailureService, find_of_runs
from irviewer.session.judging.history import HistoryService
from irviewer.session.messages import info
from irviewer.session.protocol.in_view import bound_protocol
from irviewer.session.state import State
from irviewer.session.store import Store
from irviewer.session.view import View
from irviewer.session.view_models.failure_loop import FailureLoopViewModel, build_failure_loop, ordered
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.analysis.failures.detect import FailuresOfRuns
    from irviewer.session.query_sets import QuerySetService
    from irviewer.tables.table import Table

LETTERS = "adfghlmoqxz"
"""The letters that are keys of tags when the digits are taken: those that no command of the window has."""


class FailureLoopService:
    """The failures of the run in focus, one query after the other."""

    def __init__(self, store: Store, view: View, history: HistoryService, failures: FailureService) -> None:
        self._store = store
        self._view = view
        self._history = history
        self._failures = failures
        self._cache = store.cache
        self._begun: set[str] = set()

    # --- what is shown ---

    @property
    def in_view(self) -> bool:
        """Whether the failures of one run are in view, so that digits are tags."""
        state = self._store.state
        return (
            state.place == "queries"
            and self._view.tab("queries") == "failures"
            and not state.finding.every_run
            and not state.blind
            and self._view.collection is not None
            and bool(self._view.query_id)
        )

    @property
    def noted(self) -> FailureTags:
        """The tags of the collection in view."""
        return failure_tags_of(self._view.collection)

    def view_model(self) -> FailureLoopViewModel | None:
        """Return the failures of the run in focus; None if nothing is open."""
        context = self._context
        if context is None:
            return None
        of_runs = self._failures.failures_of_runs()
        options, query, noted = self._store.state.finding, self._view.query_id, self.noted
        summed = None
        if of_runs is not None:
            known = of_runs
            key = (Same(known), Same(noted), context.within is None or Same(context.within),
                   tuple((entry.key, entry.name) for entry in context.collection.runs))  # fmt: skip
            summed = self._cache.get("causes", key, lambda: self._summed(context, known))
        key_of_view = (context, options, query, summed)
        return self._cache.get("failure_loop", key_of_view, lambda: build_failure_loop(context, options, summed, query))

    def _summed(self, context: EvaluationContext, of_runs: FailuresOfRuns) -> FailuresOfRuns:
        from irviewer.analysis.failures.detect import summed_up

        names = {entry.key: entry.name for entry in context.collection.runs}
        tags = by_names(failure_tags_of(context.collection), names)
        causes = summed_up(of_runs.losses, of_runs.failures, of_runs.runs, of_runs.baseline, of_runs.measure, tags,
                           within=context.within)  # fmt: skip
        return replace(of_runs, causes=causes, tags=tags)

    @property
    def _context(self) -> EvaluationContext | None:
        context = self._view.context
        return None if context is None else context.with_lists

    def _run(self) -> int | None:
        view_model = self.view_model()
        return None if view_model is None or view_model.run is None else view_model.run.key

    # --- moving ---

    def listed_queries(self) -> Sequence[str] | None:
        """Return the queries in the order of the list, for the keys that step through queries; None in other places.

        A query that the filter hides keeps its place among them while it is selected."""
        if not self.in_view:
            return None
        view_model = self.view_model()
        if view_model is None or view_model.losses is None:
            return None
        ids = view_model.losses.query_ids
        shown = set(view_model.rows.tolist())
        if view_model.selected < 0:
            place = self._context.query_index.get(self._view.query_id, -1) if self._context is not None else -1
            shown.add(place)
        whole = self._whole_order(view_model)
        return [ids[place] for place in whole if place in shown]

    def _whole_order(self, view_model: FailureLoopViewModel) -> list[int]:
        context = self._context
        assert context is not None
        assert view_model.losses is not None
        places: list[int] = ordered(view_model.losses, context.within, view_model.order, view_model.seed).tolist()
        return places

    def set_order(self, order: Literal["loss", "random"]) -> None:
        """Show the queries by their loss, or in the random order, from whose first ones shares of all are estimated;
        the first query that was not examined is selected in it."""
        finding = replace(self._store.state.finding, loop_order=order)
        self._store.apply(replace(self._store.state, finding=finding))
        view_model = self.view_model()
        if view_model is not None and len(view_model.rows):
            queries = view_model.query_ids
            self._choose(next((query for query in queries if query not in view_model.looks), queries[0]))

    def set_filter(self, text: str) -> None:
        """Filter the list."""
        self._store.apply(replace(self._store.state, finding=replace(self._store.state.finding, loop_filter=text)))

    def switch_filter(self, text: str) -> None:
        """Filter the list by one thing, or no longer if it is filtered by it."""
        self.set_filter("" if self._store.state.finding.loop_filter == text else text)

    def set_seed(self, seed: int) -> None:
        """Draw another random order, as an undo step. Raises FailureTagError for a seed below 0."""
        if seed < 0:
            raise FailureTagError(tr("The seed is {seed}; it must be 0 or more.", seed=seed))
        self._put(tr("seed of the random order"), replace(self.noted, seed=seed))

    @property
    def can_begin(self) -> bool:
        """Whether the list came into view for the first time in this collection, and is known."""
        collection = self._view.collection
        if not self.in_view or collection is None or collection.identity in self._begun:
            return False
        view_model = self.view_model()
        return view_model is not None and len(view_model.rows) > 0

    def begin(self) -> None:
        """Select the first query of the list, once in a collection, where none of the run was examined: for the window,
        when the list is shown."""
        view_model, collection = self.view_model(), self._view.collection
        if not self.can_begin or view_model is None or collection is None:
            return
        self._begun.add(collection.identity)
        if not view_model.looks and view_model.selected != 0:
            self._choose(view_model.query_id(0))

    def _choose(self, query: str) -> None:
        self._store.choose(query_id=query, document_id=None)

    # --- examined, and tags ---

    def examine(self) -> None:
        """Note that the selected query was examined, and select the next one that was not, from here on and then from
        the beginning."""
        view_model, run, query = self.view_model(), self._run(), self._view.query_id
        if view_model is None or view_model.losses is None or run is None:
            return
        noted = self.noted
        if (run, query) not in noted.looks and query in view_model.losses.query_ids:
            noted = noted.with_look(run, query, self._look(()))
        listed = list(self.listed_queries() or ())
        at = listed.index(query) if query in listed else -1
        after = [each for each in (*listed[at + 1 :], *listed[: max(at, 0)]) if (run, each) not in noted.looks]
        state = self._with(noted)
        if after:
            state = state.with_chosen(replace(state.chosen, query_id=after[0], document_id=None))
        if noted is self.noted:
            self._store.apply(state)
        else:
            self._history.do(tr("query {query} examined", query=query), state, quiet=True)
        if not after:
            self._store.say(info(tr("Every query of the list is examined.")))

    def forget(self) -> None:
        """Note that the selected query was not examined; its tags go."""
        run, query = self._run(), self._view.query_id
        if run is not None and (run, query) in self.noted.looks:
            label = tr("query {query} not examined", query=query)
            self._put(label, self.noted.with_look(run, query, None))

    def press(self, key: str) -> None:
        """Give the selected query the tag of a key, or take it away. A key without a tag says how to make one."""
        tag = self.noted.tag_of(key)
        if tag is None:
            self._store.say(info(tr("No tag has the key {key}. Press + for a new tag.", key=key)))
            return
        self.switch_tag(tag.name)

    def switch_tag(self, name: str) -> None:
        """Give the selected query a tag, or take it away; either way it was examined."""
        run, query = self._run(), self._view.query_id
        if run is None or not query or self.noted.named(name) is None:
            return
        look = self.noted.looks.get((run, query), Look())
        has = name in look.tags
        tags = tuple(each for each in look.tags if each != name) if has else (*look.tags, name)
        known = (run, query) in self.noted.looks
        changed = replace(look, tags=tags, who=self._who(), when=now()) if known else self._look(tags)
        if has:
            label = tr("tag {tag} taken from query {query}", tag=name, query=query)
        else:
            label = tr("tag {tag} of query {query}", tag=name, query=query)
        self._put(label, self.noted.with_look(run, query, changed))

    def add_tag(self, name: str) -> None:
        """Make a tag on the next free key and give it to the selected query. Raises FailureTagError."""
        run, query = self._run(), self._view.query_id
        noted = self.noted.with_tag(name, LETTERS)
        tag = noted.named(" ".join(name.split()))
        if tag is None:
            return
        if run is not None and query:
            look = noted.looks.get((run, query), self._look(()))
            if tag.name not in look.tags:
                noted = noted.with_look(run, query, replace(look, tags=(*look.tags, tag.name)))
        self._put(tr("new tag {tag}", tag=tag.name), noted)

    def rename_tag(self, name: str, new: str) -> None:
        """Give a tag another name, on all queries. Raises FailureTagError for one that is taken."""
        self._put(tr("tag {tag} renamed", tag=name), self.noted.renamed(name, new))

    def remove_tag(self, name: str) -> None:
        """Remove a tag from all queries of all runs; what was examined remains so."""
        self._put(tr("tag {tag} removed", tag=name), self.noted.without_tag(name))

    def _look(self, tags: tuple[str, ...]) -> Look:
        finding = self._store.state.finding
        seed = self.noted.seed if finding.loop_order == "random" else None
        return Look(tags, seed, self._who(), now())

    def _who(self) -> str:
        return str(self._store.settings["assessor"])

    def _with(self, noted: FailureTags) -> State:
        collection = self._view.collection
        assert collection is not None
        return self._store.state.with_collection(with_failure_tags(collection, noted))

    def _put(self, label: str, noted: FailureTags) -> None:
        if self._view.collection is not None and noted != self.noted:
            self._history.do(label, self._with(noted))

    # --- for files and sets ---

    @property
    def has_looks(self) -> bool:
        """Whether a query of a run was examined."""
        return bool(self.noted.looks)

    def tags_later(self) -> Callable[[], Sequence[Table]] | None:
        """Return what computes the table of all tags, of every run that has some; any thread may. None without any."""
        context, of_runs = self._context, self._failures.failures_of_runs()
        if context is None or of_runs is None or not self.has_looks:
            return None
        return partial(_tags, context, self._store.state)

    def keep_set(self, name: str, query_sets: QuerySetService) -> str:
        """Make a query set of the queries of the list, and return its name. Raises as ``make_query_set``."""
        view_model = self.view_model()
        ids = () if view_model is None else view_model.query_ids
        text = "" if view_model is None else view_model.filter.strip()
        how = text or tr("queries with a loss")
        return query_sets.make_query_set(name or how, ids, "filter", how)


def _tags(context: EvaluationContext, state: State) -> Sequence[Table]:
    """Compute the table of the tags of all runs that are open."""
    from irviewer.views.failures import tags_table
    from irviewer.views.provenance import provenance
    from irviewer.views.result import ViewResult

    noted = failure_tags_of(context.collection)
    seen = {key for key, _ in noted.looks}
    entries = tuple(entry for entry in context.collection.runs if entry.key in seen)
    of_runs = find_of_runs(context, state.finding, entries, entries)
    tags = by_names(noted, {entry.key: entry.name for entry in entries})
    table = tags_table(replace(of_runs, tags=tags))
    uses = ("rules", "scope", *(("baseline",) if len(context.collection.runs) > 1 else ()))
    bound = bound_protocol(context, state.protocol, uses=uses)
    source = provenance("failures", bound, {"measure": of_runs.measure.text, "baseline": of_runs.baseline or None})
    return ViewResult(of_runs, (table,)).with_provenance(source).tables
