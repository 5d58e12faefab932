"""Navigation between places, tabs, queries and documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from irviewer.errors import IrviewerError
from irviewer.session import state_changes
from irviewer.session.messages import info, warning
from irviewer.session.navigation.ordering import QueryOrdering
from irviewer.session.state import PLACES, TABS
from irviewer.session.store import Store
from irviewer.session.view import View
from irviewer.translation import tr


class NavigationService:
    """Selects what is in view; changes no data."""

    def __init__(self, store: Store, view: View) -> None:
        self._store = store
        self._view = view
        self.ordering = QueryOrdering(store, view)
        # A hook: the queries in the order of a table that replaces the Queries table, None where none does.
        self.listed: Callable[[], Sequence[str] | None] = lambda: None

    def set_place(self, place: str) -> None:
        """Show a place; if nothing is open, only the start screen. Raises IrviewerError for an unknown name."""
        if place not in PLACES:
            raise IrviewerError(
                tr("Unknown view {name!r}; choose one of {names}.", name=place, names=", ".join(PLACES))
            )
        if place == "collections" and len(self._view.workspace.collections) < 2:
            if self._view.collection is not None:
                self._store.say(
                    info(tr("Collections compares systems on several collections. Open another one first."))
                )
            return
        if self._view.collection is not None or place == "start":
            self._store.apply(replace(self._store.state, place=place))

    def set_tab(self, place: str, name: str) -> None:
        """Show another tab of a place. Raises IrviewerError for an unknown name."""
        if name not in TABS.get(place, ()):
            names = ", ".join(TABS.get(place, ()))
            raise IrviewerError(
                tr("{place} has no view {name!r}; choose one of {names}.", place=place, name=name, names=names)
            )
        self._store.apply(replace(self._store.state, tabs={**self._store.state.tabs, place: name}))

    def step_tab(self, step: int) -> None:
        """Show the next tab of the current place (``step`` 1) or the previous one (-1)."""
        names = TABS.get(self._view.place, ())
        if names:
            self.set_tab(self._view.place, names[(names.index(self._view.tab(self._view.place)) + step) % len(names)])

    def set_query(self, query_id: str) -> bool:
        """Select a query. Return False, and show a message, if the collection does not have it."""
        context = self._view.context
        if context is None or query_id == self._view.query_id:
            return context is not None
        if query_id not in context.query_index:
            if context.judgments is not None:
                text = tr("Query {query} is not in the qrels.", query=query_id)
            else:
                text = tr("Query {query} is in none of the runs.", query=query_id)
            self._store.say(warning(text))
            return False
        self.hover("")  # the document under the pointer belonged to another query
        chosen = replace(self._store.state.chosen, query_id=query_id, document_id=None)
        self._store.apply(state_changes.without_hints(self._store.state.with_chosen(chosen)))
        return True

    def step_query(self, step: int) -> None:
        """Select a query ``step`` rows further in the table's order, stopping at its ends."""
        context = self._view.context
        if context is None:
            return
        listed = self.listed()
        if listed is not None:
            if listed:
                position = listed.index(self._view.query_id) if self._view.query_id in listed else -1
                wanted = position + step if position >= 0 else (0 if step > 0 else len(listed) - 1)
                self.set_query(listed[max(0, min(len(listed) - 1, wanted))])
            return
        order = self._view.order(context)
        if not len(order.rows):
            return
        row = order.row_of(context.query_index.get(self._view.query_id, -1))
        wanted = row + step if row >= 0 else (0 if step > 0 else len(order.rows) - 1)
        self.set_query(context.query_ids[int(order.rows[max(0, min(len(order.rows) - 1, wanted))])])

    def go_to_widest(self) -> None:
        """Select the query with the largest difference between focus and baseline."""
        context = self._view.context
        place = None if context is None else state_changes.widest(context)
        if context is not None and place is not None:
            self.set_query(context.query_ids[place])

    def set_document(self, doc_id: str | None) -> None:
        """Select a document, or none."""
        self._store.choose(document_id=doc_id)

    def hover(self, doc_id: str) -> None:
        """Set the document under the pointer, "" for none."""
        self._store.hover(doc_id)

    def sort_queries(self, column: str, descending: bool) -> None:
        """Sort the Queries table: "query", "text", "relevant", "delta", "spread" or a run's key as text."""
        self.ordering.choose(queries_sort=(column, descending))

    def filter_queries(self, text: str) -> None:
        """Filter the Queries table; see :mod:`irviewer.tables.filter`."""
        self.ordering.choose(queries_filter=text)

    def sort_systems(self, column: str, descending: bool) -> None:
        """Sort the Systems table: a measure, "run", "delta", or "" for the person's own order."""
        self._store.choose(systems_sort=(column, descending))
