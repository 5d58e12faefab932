"""A new order or filter of the queries: shown at once, or of very many queries when a task has found their order. Until
then the former order stays, and progress is shown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.store import INLINE, Store
from irviewer.session.tasks import Operation, Progress
from irviewer.session.view import View
from irviewer.session.view_models.queries import Order, build_order, seconds_to_order
from irviewer.translation import tr

TASK = "order"


class QueryOrdering:
    """Chooses how the queries are sorted and filtered; of several choices under way the last of each kind holds.

    at_once   seconds that an order may take to be found in the thread of the window"""

    def __init__(self, store: Store, view: View) -> None:
        self._store = store
        self._view = view
        self.at_once = INLINE
        self._wanted: dict[str, Any] = {}
        """The choices that the task is about."""

    def choose(self, **what: Any) -> None:
        """Choose ``queries_sort`` or ``queries_filter``; does nothing if nothing is open."""
        store, context = self._store, self._view.context
        under_way = store.tasks.under_way(TASK)
        wanted = {**self._wanted, **what} if under_way else what
        if under_way and wanted == self._wanted:
            return
        new = None if context is None else replace(context, choices=replace(context.choices, **wanted))
        if new is None or self._is_quick(new):
            store.tasks.cancel(TASK)
            store.choose(**wanted)
        else:
            self._start(context, new, wanted)

    def _is_quick(self, context: EvaluationContext) -> bool:
        if not self._store.tasks.threaded or self._view.knows_order(context):
            return True
        return seconds_to_order(context) < self.at_once

    def _start(self, former: EvaluationContext | None, new: EvaluationContext, wanted: dict[str, Any]) -> None:
        store, current, self._wanted = self._store, self._store.state.current, wanted

        def work(progress: Progress) -> Order:
            progress(None)
            return build_order(new)

        def done(order: Order) -> None:
            if store.state.current != current:
                return  # another collection is in view
            if self._view.context is not former:
                self.choose(**wanted)  # what the order depends on has changed meanwhile
                return
            self._view.keep_order(new, order)
            store.choose(**wanted)

        n = len(new.query_ids)
        filters = new.choices.queries_filter != self._store.state.chosen.queries_filter
        title = tr("Filtering {n:,} queries", n=n) if filters else tr("Sorting {n:,} queries", n=n)
        store.tasks.run(Operation(TASK, work, done, title=title, urgent=True))
