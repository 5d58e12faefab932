"""What a person can do to the order of a list: copy a run, move, swap, remove and insert documents in the copy, see
what that is worth, save it. The run that was copied is never touched."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from pathlib import Path

from irviewer.analysis.explain.fewest_swaps import FewestSwaps, fewest_swaps
from irviewer.errors import IrviewerError, MeasureError
from irviewer.evaluation.bound_measure import treat
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measure
from irviewer.model.options import EvaluationOptions
from irviewer.model.rankings import edited_run as reranking
from irviewer.model.rankings.edited_run import EditedLists, List
from irviewer.model.workspace import RunEntry
from irviewer.rendering.export import write_atomically
from irviewer.session import state_changes
from irviewer.session.evaluation.default_measures import query_measures
from irviewer.session.judging.edits import with_lists
from irviewer.session.judging.history import HistoryService
from irviewer.session.messages import error
from irviewer.session.runs.displayed_runs import judged_of
from irviewer.session.saving import FileSaving
from irviewer.session.store import Store
from irviewer.session.tasks import Progress
from irviewer.session.view import View
from irviewer.session.view_models.reranking import RerankingViewModel, build_reranking_view_model

SUFFIX = " (edited)"
HIDDEN = "it is hidden, as unjudged documents are left out"
Edit = Callable[[List], List]


class RunEditingService:
    """Edits lists in a copy of a run. ``key`` is the copy's; a run that is no copy is left as it is."""

    def __init__(self, store: Store, view: View, saving: FileSaving, history: HistoryService) -> None:
        self._store = store
        self._tasks = store.tasks
        self._cache = store.cache
        self._view = view
        self._saving = saving
        self._history = history

    @property
    def edited_run(self) -> int | None:
        """The key of the copy that keys edit: the focus where it is one, else the last copy that is shown."""
        if self._view.collection is None:
            return None
        copies = [
            one.key for one in self._view.collection.runs if one.edited is not None and one.key in self._view.shown
        ]
        return self._view.focus if self._view.focus in copies else copies[-1] if copies else None

    def edit_copy(self, key: int) -> int | None:
        """A copy of a run, to be edited: a run of its own, shown beside the one that was copied, and what deltas speak
        of: the run is the baseline from now on, so that they are what the edits gain. Its key; None where there is no
        such run."""
        collection = self._view.collection
        entry = None if collection is None else collection.run(key)
        if collection is None or entry is None:
            return None
        name = entry.name if entry.name.endswith(SUFFIX) else entry.name + SUFFIX
        source = replace(entry.run, origin="")
        grown = collection.with_runs([source.renamed(name)])
        made = replace(grown.runs[-1], edited=EditedLists(source))
        chosen = self._store.state.chosen
        places = [one.key for one in grown.runs]
        state = state_changes.with_moved(
            self._store.state.with_collection(grown.with_run(made)), made.key, places.index(key) + 1
        )  # fmt: skip
        shown = chosen.shown | {key, made.key}
        state = state.with_chosen(replace(chosen, shown=shown, focus=made.key, baseline=key))
        self._history.do(f"copy of {entry.name} to edit", state)
        return made.key

    def reranking_view_model(self, key: int | None = None) -> RerankingViewModel | None:
        """What the edits of a copy are worth, for the selected query and on average; None where it is no copy."""
        key = self.edited_run if key is None else key
        context = self._view.context
        entry = None if context is None or key is None else context.collection.run(key)
        if context is None or entry is None or entry.edited is None or not self._view.query_id:
            return None
        measures = query_measures(context.depth, context.measure)
        return self._cache.get(
            "reranking",
            (context, entry, self._view.query_id),
            lambda: build_reranking_view_model(context, entry, self._view.query_id, measures),
        )

    # --- edits ---

    def move_document(self, key: int, doc_id: str, rank: int, *, going_on: bool = False) -> bool:
        """A document of the selected query's list at another rank; ``going_on`` makes a drag one step to undo."""
        return self._relist(
            key,
            f"{doc_id} to rank {rank}",
            lambda order: reranking.moved(order, doc_id, rank),
            (doc_id,),
            doc_id,
            going_on,
        )

    def shift_document(self, key: int, doc_id: str, by: int) -> bool:
        """A document so many ranks further down, up where it is less than 0."""
        words = f"{doc_id} {abs(by)} rank{'s' if abs(by) > 1 else ''} {'down' if by > 0 else 'up'}"
        return self._relist(key, words, lambda order: reranking.shifted(order, doc_id, by), (doc_id,))

    def swap_documents(self, key: int, one: str, other: str) -> bool:
        """Two documents in each other's place."""
        return self._relist(
            key, f"{one} and {other} swapped", lambda order: reranking.swapped(order, one, other), (one, other)
        )

    def swap_ranks(self, key: int, one: int, other: int) -> bool:
        """What stands at two ranks in each other's place; False where the list is shorter."""

        def edit(order: List) -> List:
            if not (1 <= one <= len(order) and 1 <= other <= len(order)):
                raise IrviewerError(f"the list has {len(order)} ranks")
            return reranking.swapped(order, order[one - 1], order[other - 1])

        return self._relist(key, f"ranks {one} and {other} swapped", edit)

    def remove_document(self, key: int, doc_id: str) -> bool:
        """The list without a document."""
        return self._relist(key, f"{doc_id} removed", lambda order: reranking.removed(order, doc_id), (doc_id,))

    def remove_and_go_on(self, key: int, doc_id: str) -> bool:
        """The list without a document; the one that takes its place is selected, at the end the last."""
        context = self._view.context
        entry = None if context is None else context.collection.run(key)
        before = [] if entry is None else entry.run.ranking(self._view.query_id)
        if not self.remove_document(key, doc_id):
            return False
        if self._view.document_id == doc_id and len(before) > 1:
            at = before.index(doc_id)
            self._store.choose(document_id=before[at + 1] if at + 1 < len(before) else before[at - 1])
        return True

    def insert_document(self, key: int, doc_id: str, rank: int) -> bool:
        """A document that the list lacks at a rank."""
        return self._relist(
            key,
            f"{doc_id} put at rank {rank}",
            lambda order: reranking.inserted(order, doc_id, rank),
            (doc_id,),
        )

    def reset_list(self, key: int) -> bool:
        """The selected query's list as it was when the run was copied."""
        entry = self._copy(key)
        if entry is None or entry.edited is None or self._view.query_id not in entry.edited.lists:
            return False
        self._put_list(entry, None, f"{entry.name}: the list of query {self._view.query_id} as it was")
        return True

    def set_list(self, key: int, order: List, label: str) -> bool:
        """Another list for the selected query, as :meth:`fewest_swaps_for` gives one."""
        return self._relist(key, label, lambda _: order)

    def _copy(self, key: int) -> RunEntry | None:
        entry = None if self._view.collection is None else self._view.collection.run(key)
        if entry is not None and entry.edited is None:
            self._store.say(error(f"{entry.name} stays as it was read: edit a copy of it"))
            return None
        return entry if self._view.query_id else None

    def _put_list(
        self, entry: RunEntry, order: List | None, label: str, about: Hashable = None, going_on: bool = False
    ) -> None:
        """Another list of a copy for the selected query, None the source's own, as a step."""
        assert entry.edited is not None
        assert self._view.collection is not None
        lists = entry.edited.with_list(self._view.query_id, order).lists
        changed = self._view.collection.with_run(with_lists(entry, lists, [self._view.query_id]))
        self._history.do(label, self._store.state.with_collection(changed), about=about, going_on=going_on)

    def _relist(
        self, key: int, label: str, edit: Edit, about: Sequence[str] = (), doc_id: str = "", going_on: bool = False
    ) -> bool:
        """True where the list that is seen is another now; only then a step is recorded. What cannot be done is said.

        ``about`` are the documents in question. The list that is seen follows the rules in force: ties as the dialect
        breaks them, without unjudged documents where these are left out. The list that is kept is the whole one, and
        holds each document once."""
        entry, context = self._copy(key), self._view.context
        seen = None if context is None else context.collection.run(key)
        if entry is None or entry.edited is None or context is None or seen is None:
            return False
        query, options = self._view.query_id, self._store.state.options
        rule = options.rules.ties, options.rules.bits
        full = entry.edited.list_of(query, *rule)
        visible = tuple(seen.run.ranking(query))
        hidden = set(full) - set(visible)
        try:
            after = edit(visible)
            _refuse_doubles(after, full, hidden)
        except IrviewerError as failure:
            self._store.say(error(f"{failure}; {HIDDEN}" if hidden.intersection(about) else str(failure)))
            return False
        if after == visible:
            return False
        whole = _put_back(full, visible, after) if hidden else after
        if context.judged_only and context.judgments is not None:
            shown = judged_of(whole, context.judgments.qrels.judgments(query), options)
            if shown == visible:
                names = ", ".join(about) or "the list"
                self._store.say(error(f"{names} would stay hidden: {_why_hidden(options)}"))
                return False
        kept = None if whole == entry.edited.own_list(query, *rule) else whole  # the list as it was, ties and all
        self._put_list(entry, kept, label, (key, query, doc_id), going_on)
        return True

    # --- what would be needed, and files ---

    def find_fewest_swaps(
        self, key: int, target: float, measure: str, deliver: Callable[[FewestSwaps | MeasureError | None], object]
    ) -> None:
        """Find :meth:`fewest_swaps_for` in the background, the newest wish only, and ``deliver`` it, or why it cannot
        be found."""
        try:
            wish = self._wish(key, measure)
        except MeasureError as failure:
            deliver(failure)
            return
        if wish is None:
            deliver(None)
            return

        def work(progress: Progress, cancelled: Callable[[], bool]) -> FewestSwaps:
            return fewest_swaps(*wish, target)

        def failed(failure: BaseException) -> None:
            if not isinstance(failure, MeasureError):
                raise failure
            deliver(failure)

        def done(found: FewestSwaps) -> None:
            deliver(found)

        self._tasks.submit("cheapest", work, done, failed, quiet=True)

    def fewest_swaps_for(self, key: int, target: float, measure: str = "") -> FewestSwaps | None:
        """The fewest exchanges of neighbours that bring the selected query's list to a value of a measure (the chosen
        one, where none is named). Raises MeasureError for a measure of another kind.

        See ``analysis.explain.fewest_swaps``."""
        wish = self._wish(key, measure)
        return None if wish is None else fewest_swaps(*wish, target)

    def _wish(self, key: int, measure: str) -> tuple[list[str], dict[str, float], Measure] | None:
        """The selected query's list, its judgments and the measure as the rules in force bind it."""
        context = self._view.context
        entry = None if context is None else context.collection.run(key)
        evaluation_input = None if context is None or entry is None else context.evaluation_input(entry)
        if context is None or entry is None or evaluation_input is None or not self._view.query_id:
            return None
        wanted: Measure = parse_measure(measure) if measure else context.measure
        rules = evaluation_input.options.rules
        bound = treat(
            rules, wanted, level=evaluation_input.options.level, max_grade=evaluation_input.qrels.max_grade
        ).measure
        return entry.run.ranking(self._view.query_id), evaluation_input.qrels.judgments(self._view.query_id), bound

    def save_run(self, key: int, path: str) -> None:
        """Write a run, edited or not, in the format that the name asks for."""
        entry = None if self._view.collection is None else self._view.collection.run(key)
        if entry is None:
            return
        run = entry.run if entry.edited is None else replace(entry.run, tag=entry.name)

        def write(target: str) -> None:
            from irviewer.formats.registry import format_to_write

            chosen = format_to_write(target, "run")
            data = chosen.encoded(run)
            write_atomically(Path(target), lambda stream: stream.write(data))

        self._saving.save_file(path, write)


def _refuse_doubles(after: List, full: List, hidden: set[str]) -> None:
    """Raises IrviewerError where a list would hold a document twice, one of those that are not seen among them."""
    for doc in after:
        if doc in hidden:
            raise IrviewerError(f"{doc} is in the list already, at rank {full.index(doc) + 1}")
    if len(set(after)) < len(after):
        raise IrviewerError("a list holds each document once")


def _why_hidden(options: EvaluationOptions) -> str:
    deep = "" if options.depth is None else f", or not among the first {options.depth}"
    return f"it is not judged{deep}, and unjudged documents are left out"


def _put_back(full: List, before: List, after: List) -> List:
    """An edit of a list of which only some documents are seen, made to the whole: those not seen keep their ranks, and
    the others fill the ranks between in their new order; further ones follow."""
    seen = set(before)
    rest = iter(after)
    found = [doc if doc not in seen else next(rest, None) for doc in full]
    return (*(doc for doc in found if doc is not None), *rest)
