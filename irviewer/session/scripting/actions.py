"""What a Python process may ask of the window that it opened: show data, add runs, select, and return the user's work.

All of it runs on the thread of the session, and gets and gives plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from irviewer.errors import IrviewerError, name_some
from irviewer.measures.parser import parse_measure
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.model.workspace import Collection, JudgmentSet, Regime, Workspace
from irviewer.session import state_changes
from irviewer.session.evaluation.actions import EvaluationService
from irviewer.session.files.import_result import ImportResult
from irviewer.session.judging.history import HistoryService
from irviewer.session.navigation.actions import NavigationService
from irviewer.session.state_changes import Opening
from irviewer.session.store import Store
from irviewer.session.view import View
from irviewer.translation import tr, trn

JUDGMENT_COLUMNS = ("query_id", "doc_id", "grade", "former_grade", "judge", "time", "note")
QUERY_SET_COLUMNS = ("query_set", "query_id")


@dataclass(frozen=True)
class GivenData:
    """The data of a collection that a Python process shows.

    baseline   the name of the baseline run, "" for the program's choice
    """

    name: str
    qrels: Qrels | None
    runs: tuple[Run, ...]
    queries: TextTable | None = None
    documents: TextTable | None = None
    baseline: str = ""


class ScriptingService:
    """Carries out what a Python process asks. Its collection is remembered by identity: the user may show another one
    meanwhile, or close it."""

    def __init__(
        self, store: Store, view: View, history: HistoryService, evaluation: EvaluationService,
        navigation: NavigationService,
    ) -> None:  # fmt: skip
        self._store = store
        self._view = view
        self._history = history
        self._evaluation = evaluation
        self._navigation = navigation
        self._identity: str | None = None

    def open_data(self, given: GivenData) -> None:
        """Open the data as a new collection, in no file: a project keeps all of it. Raises IrviewerError."""
        judgments = () if given.qrels is None else (JudgmentSet(given.qrels, Regime.UNKNOWN),)
        collection = Collection(
            given.name, given.queries, given.documents, judgments, notes={"named": True}
        ).with_runs(given.runs)  # fmt: skip
        place = len(self._view.workspace.collections)
        workspace = Workspace((*self._view.workspace.collections, collection))
        import_result = ImportResult(workspace, new=[place], touched=[place])
        opening = Opening(baseline=given.baseline, brought=True)
        hints = bool(self._store.settings["hints"])
        self._store.apply(
            state_changes.with_import_result(self._store.state, import_result, opening, self._store.context_of, hints)
        )
        self._identity = collection.identity

    def adopt(self) -> None:
        """Treat the collection in view as the one that the Python process opened, as files were opened for it."""
        self._identity = None if self._view.collection is None else self._view.collection.identity

    def add_runs(self, runs: Sequence[Run]) -> tuple[str, ...]:
        """Add runs to the collection, as one undo step, show them, and return their names there: a number is added to a
        name that is taken. Raises IrviewerError if the collection is closed."""
        place = self._place()
        former = self._view.workspace.collections[place]
        collection = former.with_runs(runs)
        added = collection.runs[len(former.runs) :]
        state = replace(
            self._store.state,
            current=place,
            workspace=self._view.workspace.with_collection(place, collection),
        )
        chosen = state.chosen
        state = state.with_chosen(replace(chosen, shown=chosen.shown | {entry.key for entry in added}))
        names = tuple(entry.name for entry in added)
        self._history.do(trn("add run {names}", "add runs {names}", len(names), names=name_some(names)), state)
        return names

    def select(
        self, *, query: str | None = None, document: str | None = None, measure: str | None = None,
        queries: Sequence[str] | None = None,
    ) -> None:  # fmt: skip
        """Show the collection, and in it select a query, a document of it, and a measure, and brush ``queries``. Raises
        IrviewerError for one that does not exist; then nothing is selected."""
        place = self._place()
        if measure is not None:
            parse_measure(measure)
        state = replace(self._store.state, current=place)
        known = self._store.plain_context_of(state).query_index
        unknown = [name for name in (*([] if query is None else [query]), *(queries or ())) if name not in known]
        if unknown:
            raise IrviewerError(
                trn(
                    "There is no query {names}.",
                    "There are no queries {names}.",
                    len(unknown),
                    names=name_some(unknown),
                )
            )  # fmt: skip
        if place != self._store.state.current:
            self._store.apply(state_changes.without_hints(state))
        if measure is not None:
            self._evaluation.set_measure(measure)
        if query is not None:
            self._navigation.set_query(query)
            self._navigation.set_place("query")
        if document is not None:
            self._navigation.set_document(document)
        if queries is not None:
            self._store.choose(brushed=frozenset(queries))

    def selection(self) -> Mapping[str, Any]:
        """Return the selection in the collection: query, document (None without), measure, brushed queries in the
        order of the collection, and the names of the shown runs and of the baseline."""
        place = self._place()
        state = replace(self._store.state, current=place)
        chosen, collection = state.chosen, self._view.workspace.collections[place]
        context = self._store.plain_context_of(state)
        baseline = None if context.baseline is None else collection.run(context.baseline)
        return {
            "query": chosen.query_id,
            "document": chosen.document_id,
            "measure": str(state.measure),
            "queries": [query for query in context.query_ids if query in chosen.brushed],
            "runs": [entry.name for entry in collection.runs if entry.key in chosen.shown],
            "baseline": None if baseline is None else baseline.name,
            "query_set": chosen.scope.queries,
        }

    def judgments(self) -> Any:
        """Return the user's judgments as a pyarrow.Table with JUDGMENT_COLUMNS: ``grade`` is null where a judgment was
        removed, ``former_grade`` where the qrels had none."""
        judgment_set = self._judgment_set()
        rows = [] if judgment_set is None else list(judgment_set.overlay)
        read = None if judgment_set is None else judgment_set.read
        former_by_query = {
            query: read.judgments(query) if read is not None and query in read.query_index else {}
            for query in {row.query_id for row in rows}
        }
        former = [former_by_query[row.query_id].get(row.doc_id) for row in rows]
        columns = (
            pa.array([row.query_id for row in rows], pa.string()),
            pa.array([row.doc_id for row in rows], pa.string()),
            pa.array([row.grade for row in rows], pa.float64()),
            pa.array(former, pa.float64()),
            pa.array([row.who for row in rows], pa.string()),
            pa.array([row.when for row in rows], pa.string()),
            pa.array([row.note for row in rows], pa.string()),
        )
        return pa.table(dict(zip(JUDGMENT_COLUMNS, columns, strict=True)))

    def qrels(self) -> Qrels | None:
        """Return the qrels in use, with the user's judgments applied; None without qrels."""
        judgment_set = self._judgment_set()
        return None if judgment_set is None else judgment_set.qrels

    def query_sets(self) -> Any:
        """Return the query sets as a pyarrow.Table with QUERY_SET_COLUMNS, a row per query of each set."""
        rows = [
            (query_set.name, query)
            for query_set in self._view.workspace.collections[self._place()].query_sets
            for query in sorted(query_set.query_ids)
        ]
        columns = (pa.array([row[number] for row in rows], pa.string()) for number in (0, 1))
        return pa.table(dict(zip(QUERY_SET_COLUMNS, columns, strict=True)))

    def _judgment_set(self) -> JudgmentSet | None:
        place = self._place()
        sets = self._view.workspace.collections[place].judgments
        return sets[min(self._store.state.choices[place].judgments, len(sets) - 1)] if sets else None

    def _place(self) -> int:
        for number, collection in enumerate(self._view.workspace.collections):
            if collection.identity == self._identity:
                return number
        raise IrviewerError(tr("The collection was closed in the window."))
