"""Judging in lists: which document a key judges in each view, and lists that keep their rows while the user judges.

The lists of documents in the Queries view judge as the Query view does. A list that depends on judgments would lose the
row that was just judged, or change its order: it is kept until another view, query or option is selected."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from irviewer.model.arrays import frozen
from irviewer.model.same import Same
from irviewer.session.failures.actions import FailureService
from irviewer.session.judging.actions import JudgingService
from irviewer.session.store import Store
from irviewer.session.view import View
from irviewer.session.view_models.failures import HubsViewModel, RelevantViewModel, WorklistViewModel

P = TypeVar("P", RelevantViewModel, HubsViewModel, WorklistViewModel)


class ListJudgingService:
    """Finds the document that a key judges, and keeps lists unchanged while the user judges in them."""

    def __init__(self, store: Store, view: View, failures: FailureService, judging: JudgingService) -> None:
        self._store = store
        self._cache = store.cache
        self._view = view
        self._failures = failures
        self._judging = judging
        self._lists: Mapping[str, Callable[[], object]] = {
            "relevant": self.relevant_view_model,
            "hubs": self.hubs_view_model,
            "worklist": self.worklist_view_model,
        }
        self._held: dict[str, tuple[tuple[Hashable, ...], Any]] = {}

    # --- the document to judge ---

    @property
    def judging_target(self) -> tuple[str, str] | None:
        """(query, document) that a key judges in judging mode: the selected document in the Query view, and in the
        lists of documents in the Queries view if the list has it; None elsewhere. A hub is judged for the first query
        in which it is ranked too high, the query that Enter opens."""
        query, document, tab = self._view.query_id, self._view.document_id, self._view.tab("queries")
        if document is None:
            return None
        if self._view.place == "query":
            return (query, document) if query else None
        if self._view.place != "queries" or self._store.state.blind:
            return None
        if tab == "relevant":
            relevant = self.relevant_view_model()
            return (query, document) if relevant is not None and relevant.selected >= 0 else None
        if tab == "vector":
            vector = self._failures.vector_view_model()
            listed = vector is not None and any(document in row.doc_ids for row in vector.rows)
            return (query, document) if listed else None
        if tab == "hubs":
            hubs = self.hubs_view_model()
            return (hubs.first[hubs.selected], document) if hubs is not None and hubs.selected >= 0 else None
        if tab == "worklist":
            work = self.worklist_view_model()
            return (query, document) if work is not None and work.selected >= 0 else None
        return None

    @property
    def can_judge(self) -> bool:
        """True if there is a document to judge: in judging mode a key judges it."""
        return self.judging_target is not None

    @property
    def can_note(self) -> bool:
        """True if the document to judge is of the selected query, as notes can be written only there."""
        target = self.judging_target
        return target is not None and target[0] == self._view.query_id

    def judge_here(self, grade: float | None) -> bool:
        """Give :attr:`judging_target` a grade, None to remove the judgment, and keep the rows of its list. False if
        there is nothing to judge."""
        if self.judging_target is not None and not self._judging.takes(grade):
            return False
        target = self._hold()
        judged = target is not None and self._judging.judge(target[1], grade, query_id=target[0])
        if judged and grade is not None and self._store.state.blind:
            self._judging.step_unjudged(1)  # blind judging goes on with the next document
        return judged

    def revert_here(self) -> bool:
        """Restore the file's judgment of :attr:`judging_target`; False if there is nothing to restore."""
        target = self._hold()
        return target is not None and self._judging.revert_judgment(target[1], query_id=target[0])

    def judge_document(self, query_id: str, doc_id: str, grade: float | None) -> bool:
        """Give any document of a query a grade, None to remove the judgment, and keep the rows of its list. The mouse
        does so, in judging mode or not."""
        if not self._judging.takes(grade):
            return False
        self._hold_list()
        judged = self._judging.judge(doc_id, grade, query_id=query_id)
        if judged and grade is not None and self._store.state.blind:
            self._judging.step_unjudged(1)
        return judged

    def revert_document(self, query_id: str, doc_id: str) -> bool:
        """Restore the file's judgment of a document of a query, in the same way."""
        self._hold_list()
        return self._judging.revert_judgment(doc_id, query_id=query_id)

    def choose_pair(self, query_id: str, doc_id: str) -> None:
        """Select a query and its document in one step, in the current view."""
        self._store.choose(query_id=query_id, document_id=doc_id)

    # --- lists that keep their rows ---

    def relevant_view_model(self) -> RelevantViewModel | None:
        return self._staying("relevant", self._failures.relevant_view_model, self._regraded)

    def hubs_view_model(self) -> HubsViewModel | None:
        return self._staying("hubs", self._failures.hubs_view_model, self._hubs_judged)

    def worklist_view_model(self) -> WorklistViewModel | None:
        return self._staying("worklist", self._failures.worklist_view_model, self._work_judged)

    def _hold(self) -> tuple[str, str] | None:
        """Return :attr:`judging_target`, and keep the list in view if there is one."""
        target = self.judging_target
        if target is not None:
            self._hold_list()
        return target

    def _hold_list(self) -> None:
        tab = self._view.tab("queries")
        fresh = self._lists.get(tab)
        if self._view.place == "queries" and fresh is not None and tab not in self._held:
            self._held[tab] = self._made_of(tab), fresh()

    def _made_of(self, tab: str) -> tuple[Hashable, ...]:
        """Return all that a list depends on except the judgments made here."""
        context, state = self._view.context, self._store.state
        if context is None:
            return ()
        runs = tuple((entry.key, Same(entry.run.scores)) for entry in context.collection.runs)
        read = None if context.judgments is None else Same(context.judgments.read.grades)
        query = self._view.query_id if tab == "relevant" else ""
        regime = None if context.judgments is None else context.judgments.regime
        chosen = str(context.measure), context.cutoff, context.shown, context.query_set, query
        return runs, read, context.options, regime, chosen, state.finding

    def _staying(self, tab: str, fresh: Callable[[], P | None], judged: Callable[[P], P]) -> P | None:
        made_of, view_model = self._held.get(tab, ((), None))
        judgments = self._view.judgments
        if view_model is None or judgments is None or made_of != self._made_of(tab):
            self._held.pop(tab, None)
            return fresh()
        key = (view_model, judgments.qrels, self._view.query_id, self._view.document_id)
        return self._cache.get(f"held {tab}", key, lambda: judged(view_model))

    def _regraded(self, view_model: RelevantViewModel) -> RelevantViewModel:
        assert self._view.judgments is not None
        known, document = self._view.judgments.qrels.judgments(view_model.query_id), self._view.document_id
        grades = np.array([known.get(doc_id, np.nan) for doc_id in view_model.doc_ids], dtype=np.float64)
        selected = view_model.doc_ids.index(document) if document in view_model.doc_ids else -1
        return replace(view_model, grades=frozen(grades), selected=selected)

    def _hubs_judged(self, view_model: HubsViewModel) -> HubsViewModel:
        document = self._view.document_id
        selected = view_model.doc_ids.index(document) if document in view_model.doc_ids else -1
        return replace(view_model, judged=self._said(view_model.first, view_model.doc_ids), selected=selected)

    def _work_judged(self, view_model: WorklistViewModel) -> WorklistViewModel:
        selected_pair = (self._view.query_id, self._view.document_id)
        pairs = zip(view_model.query_ids, view_model.doc_ids, strict=True)
        selected = next((row for row, pair in enumerate(pairs) if pair == selected_pair), -1)
        return replace(view_model, judged=self._said(view_model.query_ids, view_model.doc_ids), selected=selected)

    def _said(self, query_ids: tuple[str, ...], doc_ids: tuple[str, ...]) -> tuple[str, ...]:
        """Return the grades of the documents that were judged here, "" for the others."""
        assert self._view.judgments is not None
        overlay = self._view.judgments.overlay
        judgments = [overlay.judgment(query, doc) for query, doc in zip(query_ids, doc_ids, strict=True)]
        return tuple(
            "" if judgment is None else "–" if judgment.grade is None else f"{judgment.grade:g}"
            for judgment in judgments
        )

    def follow(self) -> None:
        """Drop lists that are no longer in view, or whose options have changed."""
        if self._held:
            view = self._view.tab("queries") if self._view.place == "queries" else ""
            self._held = {
                tab: held for tab, held in self._held.items() if tab == view and held[0] == self._made_of(tab)
            }
