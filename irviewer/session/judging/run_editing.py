"""What the user can do with the order of a list: copy a run; move, swap, remove and insert documents in the copy; see
how values change; save it. The run that was copied is never changed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError, MeasureError
from irviewer.evaluation.bound_measure import treat
from irviewer.formats.trec.formats import six_fields
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measure
from irviewer.model.options import EvaluationOptions
from irviewer.model.rankings import edited_run as reranking
from irviewer.model.rankings.edited_run import EDITED_FROM, EditedLists, List
from irviewer.model.workspace import RunEntry
from irviewer.rendering.atomic import write_atomically
from irviewer.session import state_changes
from irviewer.session.evaluation.context import values_only
from irviewer.session.judging.edits import removed_from, with_lists
from irviewer.session.judging.history import HistoryService
from irviewer.session.messages import error
from irviewer.session.runs.displayed_runs import judged_of
from irviewer.session.saving import FileSaving
from irviewer.session.store import Store
from irviewer.session.tasks import Operation
from irviewer.session.view import View
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.explain.fewest_swaps import FewestSwaps

SUFFIX = " (edited)"
"""What names of copies end with in English; :func:`tr` has it in the user's language."""

Edit = Callable[[List], List]
Label = str | Callable[[List], str]
"""The name of a step, or what makes it of the list as it then is."""


class RunEditingService:
    """Edits lists in a copy of a run. ``key`` is the key of the copy; other runs are not changed."""

    def __init__(self, store: Store, view: View, saving: FileSaving, history: HistoryService) -> None:
        self._store = store
        self._tasks = store.tasks
        self._view = view
        self._saving = saving
        self._history = history

    @property
    def edited_run(self) -> int | None:
        """The key of the copy that commands edit: the focus run if it is a copy, else the last copy shown."""
        if self._view.collection is None:
            return None
        copies = [
            run.key for run in self._view.collection.runs if run.edited is not None and run.key in self._view.shown
        ]
        return self._view.focus if self._view.focus in copies else copies[-1] if copies else None

    def edit_copy(self, key: int) -> int | None:
        """Copy a run for editing, and return the key of the copy; None if there is no such run. The copy is shown
        beside the run; the baseline stays. It is no system until it is kept as a run (:meth:`keep_as_run`)."""
        collection = self._view.collection
        entry = None if collection is None else collection.run(key)
        if collection is None or entry is None:
            return None
        if entry.run.stored is not None:
            self._store.say(error(values_only([entry.name])))
            return None
        suffix = tr(" (edited)")
        name = entry.name if entry.name.endswith((SUFFIX, suffix)) else entry.name + suffix
        source = replace(entry.run, origin="")
        grown = collection.with_runs([source.renamed(name)])
        copy = replace(grown.runs[-1], edited=EditedLists(source))
        chosen = self._store.state.chosen
        places = [run.key for run in grown.runs]
        state = state_changes.with_moved(
            self._store.state.with_collection(grown.with_run(copy)), copy.key, places.index(key) + 1
        )  # fmt: skip
        shown = chosen.shown | {key, copy.key}
        state = state.with_chosen(replace(chosen, shown=shown, focus=copy.key))
        self._history.do(tr("copy {run} for editing", run=entry.name), state)
        return copy.key

    def keep_as_run(self, key: int) -> int | None:
        """Make an edited copy a run like the others, and return its new key; None if it is no copy. From then on it is
        compared, ranked and counted, and its lists cannot be edited."""
        collection = self._view.collection
        copy = None if collection is None else collection.run(key)
        if collection is None or copy is None or copy.edited is None:
            return None
        source = copy.edited.source.read_name or copy.edited.source.name
        attributes = {**(copy.run.attributes or {}), EDITED_FROM: source}
        place = [run.key for run in collection.runs].index(key)
        grown = removed_from(collection, key).with_runs([replace(copy.run, attributes=attributes)])
        kept = replace(grown.runs[-1], slot=copy.slot, colour=copy.colour, worn=copy.worn, family=copy.family)
        chosen = self._store.state.chosen
        shown = chosen.shown - {key} | ({kept.key} if key in chosen.shown else set())
        focus = kept.key if chosen.focus == key else chosen.focus
        state = state_changes.with_moved(self._store.state.with_collection(grown.with_run(kept)), kept.key, place)
        self._history.do(
            tr("keep {run} as a run", run=copy.name), state.with_chosen(replace(chosen, shown=shown, focus=focus))
        )
        return kept.key

    # --- edits ---

    def move_document(self, key: int, doc_id: str, rank: int, *, going_on: bool = False, dragged: bool = False) -> bool:
        """Move a document of the selected query's list to a rank, at most to its end; ``going_on`` makes a drag one
        undo step. What is ``dragged`` is answered at the end of the drag, by :meth:`HistoryService.tell`."""
        return self._relist(
            key,
            lambda order: tr("move {document} to rank {rank}", document=doc_id, rank=order.index(doc_id) + 1),
            lambda order: reranking.moved(order, doc_id, rank),
            (doc_id,),
            doc_id,
            going_on,
            dragged,
        )

    def shift_document(self, key: int, doc_id: str, by: int) -> bool:
        """Move a document down by a number of ranks, or up by a negative number, at most to an end of the list."""
        before: list[int] = []

        def edit(order: List) -> List:
            shifted = reranking.shifted(order, doc_id, by)
            before.append(order.index(doc_id))
            return shifted

        def label(order: List) -> str:
            ranks = order.index(doc_id) - before[-1]
            if ranks > 0:
                return trn("move {document} down {n} rank", "move {document} down {n} ranks", ranks, document=doc_id)
            return trn("move {document} up {n} rank", "move {document} up {n} ranks", -ranks, document=doc_id)

        return self._relist(key, label, edit, (doc_id,))

    def swap_documents(self, key: int, first: str, other: str) -> bool:
        """Swap two documents."""
        label = tr("swap {document} and {other}", document=first, other=other)
        return self._relist(key, label, lambda order: reranking.swapped(order, first, other), (first, other))

    def swap_ranks(self, key: int, first: int, other: int) -> bool:
        """Swap the documents at two ranks; False if the list is shorter."""

        def edit(order: List) -> List:
            if not (1 <= first <= len(order) and 1 <= other <= len(order)):
                raise IrviewerError(
                    trn("The list has only {n} rank. Choose ranks within it.",
                        "The list has only {n} ranks. Choose ranks within it.", len(order))
                )  # fmt: skip
            return reranking.swapped(order, order[first - 1], order[other - 1])

        return self._relist(key, tr("swap ranks {rank} and {other}", rank=first, other=other), edit)

    def remove_document(self, key: int, doc_id: str) -> bool:
        """Remove a document from the list."""
        label = tr("remove document {document}", document=doc_id)
        return self._relist(key, label, lambda order: reranking.removed(order, doc_id), (doc_id,))

    def remove_and_go_on(self, key: int, doc_id: str) -> bool:
        """Remove a document from the list and select the next one, at the end the last."""
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
        """Insert a document that is not in the list at a rank."""
        return self._relist(
            key,
            lambda order: tr("insert {document} at rank {rank}", document=doc_id, rank=order.index(doc_id) + 1),
            lambda order: reranking.inserted(order, doc_id, rank),
            (doc_id,),
        )

    def reset_list(self, key: int) -> bool:
        """Restore the selected query's list as it was when the run was copied."""
        entry = self._copy(key)
        if entry is None or entry.edited is None or self._view.query_id not in entry.edited.lists:
            return False
        label = tr("reset the list of query {query} in {run}", query=self._view.query_id, run=entry.name)
        self._put_list(entry, None, label)
        return True

    def set_list(self, key: int, order: List, label: str) -> bool:
        """Replace the selected query's list, for example by one of :meth:`fewest_swaps_for`."""
        return self._relist(key, label, lambda _: order)

    def _copy(self, key: int) -> RunEntry | None:
        entry = None if self._view.collection is None else self._view.collection.run(key)
        if entry is not None and entry.edited is None:
            self._store.say(error(tr("{run} cannot be edited. Make a copy and edit that.", run=entry.name)))
            return None
        return entry if self._view.query_id else None

    def _put_list(
        self,
        entry: RunEntry,
        order: List | None,
        label: str,
        about: Hashable = None,
        going_on: bool = False,
        dragged: bool = False,
    ) -> None:
        """Replace the list of a copy for the selected query, None for the source's own, as one undo step."""
        assert entry.edited is not None
        assert self._view.collection is not None
        lists = entry.edited.with_list(self._view.query_id, order).lists
        changed = self._view.collection.with_run(with_lists(entry, lists, [self._view.query_id]))
        self._history.do(
            label, self._store.state.with_collection(changed), about=about, going_on=going_on, quiet=dragged
        )

    def _relist(
        self,
        key: int,
        label: Label,
        edit: Edit,
        about: Sequence[str] = (),
        doc_id: str = "",
        going_on: bool = False,
        dragged: bool = False,
    ) -> bool:
        """Edit the list and return True if the visible list changed; only then an undo step is recorded. What cannot be
        done is shown as an error.

        ``about`` are the documents that are edited. The visible list follows the current options: ties as the dialect
        breaks them, without unjudged documents if these are left out. The stored list is the whole list, with each
        document once."""
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
            text = str(failure)
            if hidden.intersection(about):
                text = tr("{error} The document is hidden because unjudged documents are left out.", error=text)
            self._store.say(error(text))
            return False
        if after == visible:
            return False
        whole = _put_back(full, visible, after) if hidden else after
        if context.judged_only and context.judgments is not None:
            shown = judged_of(whole, context.judgments.qrels.judgments(query), options)
            if shown == visible:
                self._store.say(error(_hidden_text(", ".join(about), options)))
                return False
        kept = None if whole == entry.edited.own_list(query, *rule) else whole  # the source's list, with its ties
        name = label if isinstance(label, str) else label(after)
        self._put_list(entry, kept, name, (key, query, doc_id), going_on, dragged)
        return True

    # --- fewest swaps, and files ---

    def find_fewest_swaps(
        self, key: int, target: float, measure: str, deliver: Callable[[FewestSwaps | MeasureError | None], object]
    ) -> None:
        """Find :meth:`fewest_swaps_for` in the background, for the newest request only, and ``deliver`` the swaps or
        the error."""
        try:
            arguments = self._swap_arguments(key, measure)
        except MeasureError as failure:
            deliver(failure)
            return
        if arguments is None:
            deliver(None)
            return

        def failed(failure: BaseException) -> None:
            if not isinstance(failure, MeasureError):
                raise failure
            deliver(failure)

        from irviewer.analysis.explain.fewest_swaps import fewest_swaps

        self._tasks.run(Operation("cheapest", lambda _: fewest_swaps(*arguments, target), deliver, failed, quiet=True))

    def fewest_swaps_for(self, key: int, target: float, measure: str = "") -> FewestSwaps | None:
        """Return the fewest swaps of neighbours with which the selected query's list reaches a value of a measure (by
        default the selected measure). Raises MeasureError for a measure of another kind.

        See ``analysis.explain.fewest_swaps``."""
        from irviewer.analysis.explain.fewest_swaps import fewest_swaps

        arguments = self._swap_arguments(key, measure)
        return None if arguments is None else fewest_swaps(*arguments, target)

    def _swap_arguments(self, key: int, measure: str) -> tuple[list[str], dict[str, float], Measure] | None:
        """Return the selected query's list, its judgments and the measure bound by the current dialect."""
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
        """Write a run, edited or not, in the format of the file's extension."""
        entry = None if self._view.collection is None else self._view.collection.run(key)
        if entry is None:
            return
        if entry.run.stored is not None:
            self._store.say(error(values_only([entry.name])))
            return
        run = entry.run if entry.edited is None else replace(entry.run, tag=entry.name)

        def write(target: str) -> None:
            from irviewer.formats.compression import compressed
            from irviewer.formats.registry import format_to_write

            chosen = format_to_write(target, "run")
            data = compressed(chosen.encoded(six_fields(run, chosen.name)), target, chosen)
            write_atomically(Path(target), lambda stream: stream.write(data))

        self._saving.save_file(path, write)


def _refuse_doubles(after: List, full: List, hidden: set[str]) -> None:
    """Raise IrviewerError if a list would hold a document twice, hidden documents included."""
    for doc in after:
        if doc in hidden:
            rank = full.index(doc) + 1
            raise IrviewerError(tr("{document} is already in the list, at rank {rank}.", document=doc, rank=rank))
    if len(set(after)) < len(after):
        raise IrviewerError(tr("A list can hold each document only once."))


def _hidden_text(documents: str, options: EvaluationOptions) -> str:
    if not documents:
        return tr("The list would not change: only unjudged documents, which are left out, would move.")
    if options.depth is None:
        return tr("{documents} would stay hidden: unjudged documents are left out.", documents=documents)
    return tr(
        "{documents} would stay hidden: unjudged documents, and those below rank {depth}, are left out.",
        documents=documents, depth=options.depth,
    )  # fmt: skip


def _put_back(full: List, before: List, after: List) -> List:
    """Apply an edit of the visible documents to the whole list: hidden documents keep their ranks, and the others fill
    the ranks between in their new order; additional ones follow."""
    seen = set(before)
    rest = iter(after)
    kept = [doc if doc not in seen else next(rest, None) for doc in full]
    return (*(doc for doc in kept if doc is not None), *rest)
