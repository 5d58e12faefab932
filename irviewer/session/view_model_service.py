"""The view models of Systems, Queries and Query, each cached until its inputs change."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from irviewer.model.same import Same
from irviewer.session.comparison.actions import ComparisonService
from irviewer.session.comparison.pooling import PoolService
from irviewer.session.curves.actions import CurveService
from irviewer.session.evaluation.default_measures import query_measures
from irviewer.session.failures.query_statistics import spread_of
from irviewer.session.files.large_runs import LargeRunService
from irviewer.session.store import Store
from irviewer.session.teaching.beginning import covers_values
from irviewer.session.text.card_template import parse_template
from irviewer.session.view import View
from irviewer.session.view_models.queries import (
    QueriesViewModel,
    attributes_shown,
    build_queries_view_model,
    with_differences_covered,
    with_query,
)
from irviewer.session.view_models.query import (
    CurveChoice,
    DocumentCard,
    QueryViewModel,
    aspect_words,
    aspects_of,
    build_document,
    build_query_view_model,
    score_words,
    with_document,
    with_values_covered,
    with_values_half_up,
)
from irviewer.session.view_models.systems import SystemsViewModel


class ViewModelService:
    """Makes view models; a view model is None if there is nothing to show."""

    def __init__(
        self,
        store: Store,
        view: View,
        comparison: ComparisonService,
        curves: CurveService,
        pooling: PoolService,
        large_runs: LargeRunService,
    ) -> None:
        self._store = store
        self._settings = store.settings
        self._cache = store.cache
        self._view = view
        self._comparison = comparison
        self._curves = curves
        self._pooling = pooling
        self._large_runs = large_runs

    def systems_view_model(self) -> SystemsViewModel | None:
        """The view model of Systems: table and curves, with the statistics and marks computed so far."""
        return self._pooling.mark_systems(self._curves.dress_systems(self._comparison.systems_view_model()))

    def query_view_model(self) -> QueryViewModel | None:
        """The view model of Query; None if no query is selected."""
        return self._cache.once("query", lambda: self._covered(self._curves.dress_query(self._find_query_view_model())))

    def _covered(self, view_model: QueryViewModel | None) -> QueryViewModel | None:
        """Cover the values while a question of a lesson asks; round them half up in textbook mode."""
        if view_model is None or not self._store.state.lesson.on:
            return view_model
        return with_values_covered(view_model) if covers_values(self._store.state) else with_values_half_up(view_model)

    def document_card(self) -> DocumentCard | None:
        """The card of the selected document; None if no document is selected."""
        context, query, document = self._view.context, self._view.query_id, self._view.document_id
        if context is None or document is None:
            return None
        template = parse_template(self._settings["card_fields"])
        return self._cache.get(
            "document", (context, query, document, template), lambda: build_document(context, query, document, template)
        )

    def score_words(self, key: int, rank: int) -> str:
        """Return the score and its components at a rank of the selected query; "" if there is none."""
        entry = None if self._view.context is None else self._view.context.collection.run(key)
        return "" if entry is None else score_words(entry.run, self._view.query_id, rank)

    def aspect_words(self, doc_id: str) -> str:
        """Return the subtopics that a document covers, or its grade by each judge; "" if there are none."""
        judgments = self._view.judgments
        return "" if judgments is None else aspect_words(aspects_of(judgments.qrels, self._view.query_id, doc_id))

    def queries_view_model(self) -> QueriesViewModel | None:
        """The view model of Queries; None if nothing is open."""
        return self._cache.once("queries", self._find_queries_view_model)

    def queries_parts(self) -> tuple[Callable[[], object], ...]:
        """Return what computes the parts of the view model of Queries, each of which takes a while of very many
        queries; () where nothing is open."""
        context = self._view.context
        if context is None:
            return ()
        return partial(self._view.order, context), partial(spread_of, context), self.queries_view_model

    def query_list_view_model(self) -> QueriesViewModel | None:
        """The view model of the list of queries beside the rankings: without differences while a question of a lesson
        asks."""
        view_model = self.queries_view_model()
        if view_model is None or not covers_values(self._store.state):
            return view_model
        return self._cache.get("query_list", (view_model,), lambda: with_differences_covered(view_model))

    def _find_query_view_model(self) -> QueryViewModel | None:
        context, query, document = self._view.context, self._view.query_id, self._view.document_id
        if context is None or not query:
            return None
        order = self._view.order(context)
        position = order.row_of(context.query_index.get(query, -1))
        measures = query_measures(context.depth, context.measure, context.stored_measures, graded=context.graded)
        choice = CurveChoice(self._settings["pr_raw"], self._settings["query_gain"] == "dcg")
        lists = self._large_runs.known
        key = (context, query, choice, tuple((run, Same(read)) for run, read in lists.items()))
        base = self._cache.get(
            "query", key,
            lambda: build_query_view_model(context, query, (position + 1, len(order.rows)), measures, choice, lists),
        )  # fmt: skip
        return self._cache.get(
            "query with document", (base, document), lambda: with_document(base, context, document, lists)
        )

    def _find_queries_view_model(self) -> QueriesViewModel | None:
        context, query = self._view.context, self._view.query_id
        if context is None:
            return None
        order = self._view.order(context)
        columns, against = tuple(self._settings["query_columns"]), self._settings["bars_against"]
        brushed, attributes = self._store.state.chosen.brushed, attributes_shown(context)
        base = self._cache.get(
            "queries",
            (context, Same(order), columns, against, brushed, attributes),
            lambda: build_queries_view_model(context, order, "", columns, against, brushed, attributes),
        )
        selected = order.row_of(context.query_index.get(query, -1))
        return self._cache.get("queries here", (base, selected), lambda: with_query(base, selected))
