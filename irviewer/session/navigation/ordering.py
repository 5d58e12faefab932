"""A new order or filter of the queries: shown at once, or of very many queries when a task has found their order. Until
then the former order stays, and progress is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.failures.query_statistics import spread_of
from irviewer.session.state import State
from irviewer.session.store import INLINE, Store
from irviewer.session.tasks import Operation, Progress
from irviewer.session.view import View
from irviewer.session.view_models.queries import (
    Order,
    build_order,
    describe,
    seconds_of_attributes,
    seconds_to_describe,
    seconds_to_order,
    warm_attributes,
)
from irviewer.translation import tr

TASK = "order"


class QueryOrdering:
    """Chooses how the queries are sorted and filtered; of several choices under way the last of each kind holds.

    at_once   seconds that an order may take to be found in the thread of the window"""

    def __init__(self, store: Store, view: View) -> None:
        self._store = store
        self._view = view
        self.at_once = INLINE
        store.needs.append(self)
        self._wanted: dict[str, Any] = {}
        """The choices that the task is about."""
        self._identity = ""
        """The identity of the collection that the task is about."""

    @property
    def sort_under_way(self) -> tuple[str, bool] | None:
        """The column and direction that a task sorts the queries in view by; None for none."""
        return self._under_way().get("queries_sort")

    @property
    def filter_under_way(self) -> str | None:
        """The filter that a task applies to the queries in view; None for none."""
        return self._under_way().get("queries_filter")

    def _under_way(self) -> dict[str, Any]:
        collection = self._store.state.collection
        here = collection is not None and collection.identity == self._identity
        return self._wanted if here and self._store.tasks.under_way(TASK) else {}

    def choose(self, **what: Any) -> None:
        """Choose ``queries_sort`` or ``queries_filter``; does nothing if nothing is open."""
        store, context = self._store, self._view.context
        under_way = self._under_way()
        wanted = {**under_way, **what}
        if wanted == under_way:
            return
        new = None if context is None else replace(context, choices=replace(context.choices, **wanted))
        if new is None or self._is_quick(new):
            store.tasks.cancel(TASK)
            store.choose(**wanted)
        else:
            self._start(context, new, wanted)

    # --- before another measure, other judgments or queries are shown: see Store.needs ---

    def seconds(self, state: State, context: EvaluationContext) -> float:
        """Return the estimated seconds until the order, the statistics and the attributes of the columns are there."""
        settings = self._store.settings
        order = 0.0 if self._view.keeps_order(state, context) else seconds_to_order(context)
        statistics = seconds_to_describe(context, settings["query_columns"], settings["bars_against"])
        return order + statistics + seconds_of_attributes(context)

    def compute(self, context: EvaluationContext) -> Callable[[EvaluationContext], object]:
        """Compute them; the order is kept by what is returned."""
        settings = self._store.settings
        describe(context, settings["query_columns"], settings["bars_against"])
        warm_attributes(context)
        spread_of(context)
        order = build_order(context)
        return lambda in_view: self._view.keep_order(in_view, order)

    def _is_quick(self, context: EvaluationContext) -> bool:
        if not self._store.tasks.threaded or self._view.knows_order(context):
            return True
        return seconds_to_order(context) < self.at_once

    def _start(self, former: EvaluationContext | None, new: EvaluationContext, wanted: dict[str, Any]) -> None:
        store, identity = self._store, new.collection.identity
        self._wanted, self._identity = wanted, identity

        def work(progress: Progress) -> Order:
            progress(None)
            return build_order(new)

        def done(order: Order) -> None:
            context = self._view.context
            if context is None or context.collection.identity != identity:
                return  # another collection is in view
            if context is not former:
                self.choose(**_without_gone(wanted, context))  # what the order depends on has changed meanwhile
                return
            self._view.keep_order(new, order)
            store.choose(**wanted)

        n = len(new.query_ids)
        filters = new.choices.queries_filter != self._store.state.chosen.queries_filter
        title = tr("Filtering {n:,} queries", n=n) if filters else tr("Sorting {n:,} queries", n=n)
        store.tasks.run(Operation(TASK, work, done, title=title, urgent=True))


def _without_gone(wanted: dict[str, Any], context: EvaluationContext) -> dict[str, Any]:
    """Return the choices without an order by a run that was removed meanwhile."""
    column, _ = wanted.get("queries_sort", ("", False))
    gone = column.isdigit() and context.collection.run(int(column)) is None
    return {name: value for name, value in wanted.items() if not (gone and name == "queries_sort")}
