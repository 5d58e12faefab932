"""Runs in stages: found and followed in the background, chosen with undo, and what filters and sorts their view."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError
from irviewer.model.options import EvaluationOptions
from irviewer.model.protocol import Inference
from irviewer.model.run import Run
from irviewer.model.same import Same
from irviewer.model.workspace import Collection, RunEntry
from irviewer.session.background import BackgroundResults
from irviewer.session.comparison.slices import values_of_runs
from irviewer.session.evaluation.context import EvaluationContext, values_only
from irviewer.session.evaluation.zscores import is_zscored, zscores_of
from irviewer.session.judging.history import HistoryService
from irviewer.session.messages import error
from irviewer.session.protocol.units import units_in_view
from irviewer.session.stages.chain import Chain, chain_of, chosen_chain, turned
from irviewer.session.state_changes import without_hints
from irviewer.session.store import Store
from irviewer.session.tasks import PAUSE
from irviewer.session.view import View
from irviewer.session.view_models.stages import StagesViewModel, build_stages_view_model
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.analysis.stages.find_stages import StagePair
    from irviewer.analysis.stages.stages import RunFamily, Stages
    from irviewer.views.result import ViewResult

MOST_COMPARED = 60
"""The most runs of which every two are compared by their documents; of more, the shown ones and the baseline."""
MOST_KEPT = 6


@dataclass(frozen=True, eq=False)
class _Runs:
    """The runs among which stages are looked for."""

    key: tuple[Hashable, ...]
    entries: tuple[RunEntry, ...]

    def compute(self, progress: Callable[[float], None] | None = None) -> tuple[StagePair, ...]:
        """Return every pair of places of which the second re-ranks the first; any thread may compute it."""
        from irviewer.analysis.stages.find_stages import find_stages

        return find_stages([entry.run for entry in self.entries])


@dataclass(frozen=True, eq=False)
class Followed:
    """The result of following documents through stages: the stages, or the reason why there are none."""

    stages: Stages | None
    trouble: str = ""


@dataclass(frozen=True, eq=False)
class KnownStages:
    """The stages in view, the run of the last one with all its documents, and the options of evaluation."""

    stages: Stages
    last: Run
    options: EvaluationOptions


@dataclass(frozen=True, eq=False)
class _Asked:
    """The frozen inputs of the stages."""

    key: tuple[Hashable, ...]
    context: EvaluationContext
    entries: tuple[RunEntry, ...]
    options: EvaluationOptions
    inference: Inference

    def compute(self, progress: Callable[[float], None] | None = None) -> Followed:
        """Follow the relevant documents; any thread may."""
        from irviewer.analysis.stages.stages import stages_of
        from irviewer.analysis.statistics.result_comparison import comparison_options

        context = self.context
        assert context.judgments is not None
        queries = None
        if context.within is not None:
            inside = zip(context.query_ids, context.within.tolist(), strict=True)
            queries = {query for query, kept in inside if kept}
        runs = [entry.run for entry in self.entries]
        try:
            comparison = comparison_options(self.inference, units=units_in_view(context)[0], looked=context.looked)
            stages = stages_of(
                context.judgments.qrels, runs, context.measure, self.options, statistics=comparison,
                queries=queries, family=self._family(),
            )  # fmt: skip
        except IrviewerError as trouble:
            return Followed(None, str(trouble))
        return Followed(stages)

    def _family(self) -> RunFamily | None:
        """Return the declared comparisons, those of Systems; None without any."""
        from irviewer.analysis.stages.stages import RunFamily

        context = self.context
        keys = [entry.key for entry in context.decidable]
        # Stages are of the measure's own values.
        if context.baseline not in keys or is_zscored(context, context.measure):
            return None
        baseline = None if self.inference.family == "pairs" else keys.index(context.baseline)
        return RunFamily(values_of_runs(context, keys), baseline)


class StageService:
    """Runs in stages."""

    def __init__(self, store: Store, view: View, history: HistoryService) -> None:
        self._store = store
        self._cache = store.cache
        self._view = view
        self._history = history
        self._pairs: BackgroundResults[_Runs, tuple[StagePair, ...]] = BackgroundResults(
            store, "stage-pairs", ("",), wanted=self._pairs_wanted, in_view=self._in_view,
            title=lambda _: tr("Finding runs that re-rank others"), most=MOST_KEPT,
            arrived=lambda *_: self._results.follow(),
        )  # fmt: skip
        self._results: BackgroundResults[_Asked, Followed] = BackgroundResults(
            store, "stages", ("",), wanted=self._stages_wanted, in_view=self._in_view,
            title=lambda _: tr("Following documents through the stages"), most=MOST_KEPT, after=PAUSE,
        )  # fmt: skip

    # --- values ---

    @property
    def chain(self) -> Chain:
        """The runs shown as stages; empty where none re-ranks another and none was chosen, or until that is known."""
        context = self._view.context
        if context is None:
            return Chain()
        pairs, entries = self._known_pairs(), self._compared_runs()
        if pairs is None:
            return chosen_chain(context) or Chain()
        return chain_of(context, pairs, [entry.key for entry in entries])

    def followers(self, key: int) -> tuple[int, ...]:
        """Return the keys of the runs that re-rank a run, where that is known."""
        keys = [entry.key for entry in self._compared_runs()]
        pairs = [turned(pair, keys, self._view.baseline) for pair in self._known_pairs() or ()]
        return tuple(keys[pair.second] for pair in pairs if keys[pair.first] == key)

    def stages_view_model(self) -> StagesViewModel | None:
        """The view model of Stages; None where nothing is open."""
        context = self._view.context
        if context is None:
            return None
        chain, searching = self.chain, self._known_pairs() is None
        asked = self._asked(context, chain)
        followed = self._results.known(asked)
        query, document = self._view.query_id, self._view.document_id
        key = (context, chain, searching, followed, query, document)

        def make() -> StagesViewModel:
            trouble = "" if followed is None else followed.trouble
            result = self.result()
            return build_stages_view_model(context.with_lists, chain, result, trouble, query, document, searching)

        return self._cache.get("stages", key, make)

    def listed_queries(self) -> Sequence[str] | None:
        """Return the queries in the order of Stages while it is in view; None elsewhere."""
        if not self._in_view():
            return None
        view_model = self.stages_view_model()
        return None if view_model is None or not view_model.steps else view_model.query_ids

    def known(self) -> KnownStages | None:
        """Return the stages that are shown with what they were computed from; None until they are computed."""
        context = self._view.context
        asked = None if context is None else self._asked(context, self.chain)
        followed = self._results.known(asked)
        if context is None or asked is None or followed is None or followed.stages is None:
            return None
        return KnownStages(followed.stages, asked.entries[-1].run, asked.options)

    def result(self) -> ViewResult | None:
        """Return the stages as tables, with a row for each query and the documents of the selected one, for files; None
        until they are computed."""
        from irviewer.views.stages import tables

        known, query, bound = self.known(), self._view.query_id, self._view.protocol
        if known is None:
            return None
        stages = known.stages
        inside = query if query in stages.query_ids else None
        key = (Same(stages), inside, Same(bound))
        return self._cache.get("stages-tables", key, lambda: tables(stages, bound, query=inside))

    # --- the stages ---

    def set_stage(self, place: int, key: int) -> None:
        """Make a run the stage at a place; the place after the last adds one. A run that is another stage takes turns
        with the former run; an edited copy is no stage."""
        entry = None if self._view.collection is None else self._view.collection.run(key)
        if entry is not None and entry.is_copy:
            text = tr("{run} is an edited copy. Keep it as a run to make it a stage.", run=entry.name)
            self._store.say(error(text))
            return
        if entry is not None and entry.run.stored is not None:
            self._store.say(error(values_only([entry.name])))
            return
        keys = list(self.chain.keys) or self._usual_pair()
        former = keys[place] if place < len(keys) else None
        if key in keys and former is not None:
            keys[keys.index(key)] = former
        if key in keys and former is None:
            return
        keys[place : place + 1] = [key]
        self._put(keys)

    def _usual_pair(self) -> list[int]:
        """Return the baseline and the focus, where they are systems."""
        context = self._view.context
        systems = () if context is None else tuple(entry.key for entry in context.with_lists.system_runs)
        return [key for key in (self._view.baseline, self._view.focus) if key in systems and key is not None]

    def remove_stage(self, place: int) -> None:
        """Remove a stage; two stay."""
        keys = list(self.chain.keys)
        if len(keys) > 2 and 0 <= place < len(keys):
            del keys[place]
            self._put(keys)

    def find_again(self) -> None:
        """Show the stages that are found by their documents."""
        self._put(())

    def _put(self, keys: Sequence[int]) -> None:
        collection = self._view.collection
        if collection is None or tuple(keys) == collection.stages:
            return
        chosen = replace(self._store.state.chosen, stages_filter="")
        state = self._store.state.with_chosen(chosen).with_collection(replace(collection, stages=tuple(keys)))
        self._history.do(_label(collection, keys), state)

    # --- what is shown of them ---

    def set_filter(self, name: str) -> None:
        """Show the queries of a part of the funnel, such as "lost-2"; "" for all. A query that is not among them gives
        way to the first of them."""
        state = self._store.state
        if state.current < 0:
            return
        self._store.apply(without_hints(state.with_chosen(replace(state.chosen, stages_filter=name))))
        view_model = self.stages_view_model()
        ids = () if view_model is None else view_model.query_ids
        if ids and self._view.query_id not in ids:
            self._store.choose(query_id=ids[0], document_id=None)

    def sort(self, column: str, descending: bool) -> None:
        """Sort the queries by a column."""
        self._store.choose(stages_sort=(column, descending))

    def show_missed(self, shown: bool) -> None:
        """List the documents that the first stage does not return, or leave them out."""
        self._store.choose(stages_missed=shown)

    # --- within ---

    def _in_view(self) -> tuple[str, ...]:
        return ("",) if self._view.place == "query" and self._view.tab("query") == "stages" else ()

    def _compared_runs(self) -> tuple[RunEntry, ...]:
        context = self._view.context
        if context is None:
            return ()
        runs = tuple(entry for entry in context.system_runs if entry.run.stored is None)
        if len(runs) <= MOST_COMPARED:
            return runs
        kept = [entry for entry in runs if entry.key in context.choices.shown or entry.key == context.baseline]
        return tuple(kept[:MOST_COMPARED])

    def _pairs_wanted(self, slot: str) -> tuple[_Runs, ...]:
        entries = self._compared_runs()
        return (_runs(entries),) if len(entries) > 1 else ()

    def _known_pairs(self) -> tuple[StagePair, ...] | None:
        entries = self._compared_runs()
        return self._pairs.known(_runs(entries)) if len(entries) > 1 else ()

    def _stages_wanted(self, slot: str) -> tuple[_Asked, ...]:
        context = self._view.context
        if context is None:
            return ()
        asked = self._asked(context, self.chain)
        return () if asked is None else (asked,)

    def _asked(self, context: EvaluationContext, chain: Chain) -> _Asked | None:
        judgments, opened = context.judgments, context.opened or context.collection
        runs = [opened.run(key) for key in chain.keys]
        entries = tuple(entry for entry in runs if entry is not None)
        if judgments is None or judgments.qrels.unread is not None or len(entries) < 2 or not context.graded:
            return None
        inference = self._store.state.protocol.inference
        # The opened runs have all their documents: the options shorten them where they do.
        options = context.asked_options
        key = (
            tuple((entry.key, entry.name, Same(entry.run.scores)) for entry in entries),
            Same(judgments.qrels.grades), str(context.measure), options, context.query_set, inference,
            context.baseline, tuple((entry.key, entry.name, Same(entry.run.scores)) for entry in context.decidable),
            zscores_of(context), units_in_view(context)[0],
        )  # fmt: skip
        return _Asked(key, context, entries, options, inference)


def _runs(entries: tuple[RunEntry, ...]) -> _Runs:
    return _Runs(tuple((entry.key, Same(entry.run.doc_ids)) for entry in entries), entries)


def _label(collection: Collection, keys: Sequence[int]) -> str:
    names = [entry.name for key in keys if (entry := collection.run(key)) is not None]
    return tr("stages {runs}", runs=" → ".join(names)) if names else tr("stages detected by their documents")
