"""Attributes of queries and of runs: tables that are opened, which are shown, how numbers are cut into slices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from irviewer.errors import IrviewerError, OptionError
from irviewer.figures.figure import Figure
from irviewer.formats.reading.opener import refuse_pipe
from irviewer.model.attributes.queries import Cut, QueryAttribute
from irviewer.model.attributes.runs import RunAttribute, run_groups
from irviewer.model.attributes.tables import (
    AttributeTable,
    SlicingChoices,
    run_table_names,
    shown_columns,
    with_table,
)
from irviewer.model.workspace import Collection
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.files.actions import FileService
from irviewer.session.files.changed_files import Stamp, stamp
from irviewer.session.files.import_result import ImportedAttributes
from irviewer.session.files.placement import placed_attributes
from irviewer.session.judging.history import HistoryService
from irviewer.session.messages import info, warning
from irviewer.session.state import State
from irviewer.session.state_changes import within
from irviewer.session.store import Store
from irviewer.session.tasks import Operation, Progress
from irviewer.session.view import View
from irviewer.session.view_models.attribute_plots import (
    ParameterGridViewModel,
    build_cost_figure,
    build_parameter_grid,
    build_query_figure,
)
from irviewer.session.view_models.queries import attributes_shown
from irviewer.translation import tr, trn


class AttributeService:
    """Opens tables of attributes and keeps what the user chose about attributes. Changes of data can be undone."""

    def __init__(self, store: Store, view: View, history: HistoryService, files: FileService) -> None:
        self._store = store
        self._view = view
        self._history = history
        self._watch = files.watch

    @property
    def of_queries(self) -> tuple[QueryAttribute, ...]:
        """The attributes of the queries of the collection in view."""
        return () if self._view.context is None else self._view.context.query_attributes

    @property
    def of_runs(self) -> tuple[RunAttribute, ...]:
        """The attributes of the runs of the collection in view."""
        return () if self._view.context is None else self._view.context.run_attributes

    @property
    def tables(self) -> tuple[AttributeTable, ...]:
        """The tables of attributes that were opened."""
        return () if self._view.collection is None else self._view.collection.attributes

    @property
    def slicing(self) -> SlicingChoices:
        """How queries are cut into slices."""
        return SlicingChoices() if self._view.collection is None else self._view.collection.slicing

    # --- tables ---

    def open_table(self, path: str) -> None:
        """Read a table of attributes in the background: a row for each query, or for each run."""
        from irviewer.formats.attribute_tables import read_attributes

        before = self._store.state

        def work(progress: Progress) -> tuple[Stamp | None, AttributeTable, ImportedAttributes | None]:
            refuse_pipe(path)
            when_read, table = stamp(path), read_attributes(path)
            return when_read, table, placed_attributes(before.workspace, before.current, table)

        def done(outcome: tuple[Stamp | None, AttributeTable, ImportedAttributes | None]) -> None:
            when_read, table, imported = outcome
            now = self._store.state
            if now.workspace is not before.workspace or now.current != before.current:
                imported = placed_attributes(now.workspace, now.current, table)
            if imported is None:
                self._store.say(warning(nowhere(table)))
            else:
                self._watch.note(path, when_read)
                self.receive(imported)

        title = tr("Reading {file}", file=Path(path).name)
        self._store.tasks.run(Operation(f"attributes-{path}", work, done, title=title, reads=True))

    def receive(self, imported: ImportedAttributes) -> None:
        """Add a table to its collection, as an undo step, as soon as its columns are there. One that was read again
        takes its former place, and is no step where it is the same."""
        table, reread = imported.table, imported.reread
        # A change that waits is asked for again and again.
        has_content = cache(lambda former: former.content == table.content)

        def added(state: State) -> State:
            collection = state.collection
            assert collection is not None
            former = next((each for each in collection.attributes if each.name == table.name), None)
            if reread and former is not None and has_content(former):
                return state
            tables = with_table(collection.attributes, table, in_place=reread)
            return state.with_collection(replace(collection, attributes=tables))

        self._history.do_to_data(
            tr("attributes of {file}", file=table.name),
            lambda state: within(state, imported.collection, added),
            info(_summary(table)),
        )

    def remove_table(self, name: str) -> None:
        collection = self._view.collection
        if collection is not None:
            kept = tuple(table for table in collection.attributes if table.name != name)
            self._put(tr("remove attributes of {file}", file=name), replace(collection, attributes=kept))

    # --- slices ---

    def show_slices(self, names: Sequence[str] | None) -> None:
        """Show the slices of these attributes; None shows the preset ones."""
        collection = self._view.collection
        if collection is not None:
            shown = None if names is None else tuple(names)
            self._put(tr("attributes shown"), replace(collection, slicing=replace(collection.slicing, shown=shown)))

    def cut(self, name: str, cut: Cut) -> None:
        """Cut a numeric attribute into slices in another way."""
        collection = self._view.collection
        if collection is not None:
            label = tr("slices of {attribute}", attribute=name)
            self._put(label, replace(collection, slicing=collection.slicing.with_cut(name, cut)))

    def set_slicing(self, slicing: SlicingChoices) -> None:
        """Set the attributes shown and all cuts in one undo step."""
        collection = self._view.collection
        if collection is not None and slicing != collection.slicing:
            self._put(tr("slices by attribute"), replace(collection, slicing=slicing))

    # --- columns and plots ---

    @property
    def columns(self) -> tuple[str, ...]:
        """The attributes that are columns of the Queries table, or will be."""
        awaited = self._store.awaited
        context = self._view.context if awaited is None else self._plain_context(awaited)
        return () if context is None else attributes_shown(context)

    def _plain_context(self, state: State) -> EvaluationContext | None:
        return None if state.collection is None else self._store.plain_context_of(state)

    @property
    def run_columns(self) -> tuple[str, ...]:
        """The attributes that are columns of the Systems table."""
        return shown_columns(self._store.state.chosen.run_columns, self.of_runs, run_table_names(self.tables))

    def set_column(self, name: str, shown: bool) -> None:
        """Show or hide an attribute as a column of the Queries table, as soon as its texts are there. Raises
        IrviewerError for an unknown one."""
        self._changed((), name, shown, self.of_queries)

        def change(state: State) -> State:
            context = self._plain_context(state)
            if context is None or all(attribute.name != name for attribute in context.query_attributes):
                return state  # it has gone meanwhile
            columns = self._changed(attributes_shown(context), name, shown, context.query_attributes)
            return state.with_chosen(replace(state.chosen, attribute_columns=columns))

        self._change_here(change)

    def set_run_column(self, name: str, shown: bool) -> None:
        """Show or hide an attribute as a column of the Systems table. Raises IrviewerError for an unknown one."""
        self._store.choose(run_columns=self._changed(self.run_columns, name, shown, self.of_runs))

    def _changed(
        self, shown: tuple[str, ...], name: str, show: bool, every: Sequence[QueryAttribute] | Sequence[RunAttribute]
    ) -> tuple[str, ...]:
        names = [attribute.name for attribute in every]
        if name not in names:
            raise IrviewerError(tr("Unknown attribute {name!r}; choose one of {names}.", name=name,
                                   names=", ".join(names) or "–"))  # fmt: skip
        return tuple(other for other in names if (show if other == name else other in shown))

    def plot(self, x: str | None = None, y: str | None = None, colour: str | None = None) -> None:
        """Plot an attribute against a value: x an attribute, y "delta" or a run's key, colour an attribute or "". What
        is None stays. Queries are coloured as soon as their groups are there."""
        given = (x, y, colour)

        def change(state: State) -> State:
            former = state.chosen.attribute_plot
            first, second, third = (old if new is None else new for old, new in zip(former, given, strict=True))
            return state.with_chosen(replace(state.chosen, attribute_plot=(first, second, third)))

        if colour is not None:
            self._change_here(change)
        elif self._view.collection is not None:
            self._store.apply(change(self._store.state))

    def _change_here(self, change: Callable[[State], State]) -> None:
        """Change the collection in view, as soon as what it shows then is there; does nothing if nothing is open."""
        collection = self._view.collection
        if collection is not None:
            identity = collection.identity
            self._store.apply_when_ready(lambda state: within(state, identity, change))

    def plot_runs(self, x: str, y: str = "") -> None:
        """Plot runs by an attribute ``x`` against the measure, or by two parameters as a heat map."""
        self._store.choose(run_plot=(x, y))

    def colour_runs(self, name: str) -> None:
        """Colour and group the runs by an attribute; "" for a colour of each run. An attribute with too many values is
        refused with a message."""
        attribute = next((known for known in self.of_runs if known.name == name), None)
        context = self._view.context
        if attribute is not None and context is not None:
            try:
                run_groups(attribute, [entry.name for entry in context.collection.runs])
            except OptionError as failure:
                self._store.say(warning(str(failure)))
                return
        self._store.choose(run_colour=name)

    @property
    def run_colour(self) -> str:
        """The attribute that runs are coloured and grouped by, "" where each has a colour of its own."""
        context = self._view.context
        return "" if context is None or context.run_groups is None else context.run_groups.attribute

    @property
    def query_plot(self) -> tuple[str, str]:
        """The attribute that queries are plotted by, the chosen one or the first that several queries share, and
        "delta" or a run's key; that of the baseline where there is no run to compare it with."""
        name, value, _ = self._store.state.chosen.attribute_plot
        context = self._view.context
        if value == "delta" and context is not None and context.focus is None and context.baseline is not None:
            value = str(context.baseline)
        names = [attribute.name for attribute in self.of_queries]
        if name in names:
            return name, value
        shared = (attribute.name for attribute in self.of_queries if _groups_queries(attribute))
        return next(shared, next(iter(names), "")), value

    @property
    def query_colour(self) -> str:
        """The attribute that queries are coloured by; "" for none."""
        name = self._store.state.chosen.attribute_plot[2]
        return name if name in [attribute.name for attribute in self.of_queries] else ""

    def query_figure(self) -> Figure | None:
        """The queries by an attribute; None where there is nothing to plot."""
        context, (name, value) = self._view.context, self.query_plot
        if context is None:
            return None
        query, brushed, colour = self._view.query_id, self._store.state.chosen.brushed, self.query_colour
        return self._store.cache.get(
            "attribute-figure",
            (context, name, value, query, brushed, colour),
            lambda: build_query_figure(context, name, value, query, brushed, colour),
        )

    @property
    def costs(self) -> tuple[str, ...]:
        """The numeric attributes of runs."""
        return tuple(attribute.name for attribute in self.of_runs if attribute.kind == "number")

    @property
    def run_plot(self) -> str:
        """The attribute that runs are plotted by: the chosen one, or the first of a table; "" for none."""
        name, of_tables = self._store.state.chosen.run_plot[0], run_table_names(self.tables)
        return name if name in self.costs else next((cost for cost in self.costs if cost in of_tables), "")

    @property
    def second_parameter(self) -> str:
        """The second parameter of the heat map of runs; "" where runs are plotted against the measure."""
        name = self._store.state.chosen.run_plot[1]
        return name if name in self.costs and name != self.run_plot else ""

    def run_grid(self) -> ParameterGridViewModel | None:
        """The runs by two parameters; None without a second one, or where no run has both."""
        context, first, second = self._view.context, self.run_plot, self.second_parameter
        if context is None or not second:
            return None
        return self._store.cache.get(
            "parameter-grid", (context, first, second), lambda: build_parameter_grid(context, first, second)
        )

    def run_figure(self) -> Figure | None:
        """The runs by a numeric attribute and the measure; None where they have none."""
        context, name = self._view.context, self.run_plot
        if context is None or not name:
            return None
        return self._store.cache.get("cost-figure", (context, name), lambda: build_cost_figure(context, name))

    def _put(self, label: str, collection: Collection) -> None:
        self._history.do(label, self._store.state.with_collection(collection))


def nowhere(table: AttributeTable) -> str:
    """Return that no open collection has the queries or runs of a table."""
    if table.queries:
        return tr(
            "{file} was not opened: it has attributes, but no open collection has its queries or runs. Open the qrels "
            "and runs first.",
            file=table.name,
        )
    return tr("{file} has attributes of runs, and none of them is open. Open the runs first.", file=table.name)


def _summary(table: AttributeTable) -> str:
    names = ", ".join(table.names)
    if table.queries:
        return trn(
            "{file}: {n} attribute of queries ({names})",
            "{file}: {n} attributes of queries ({names})",
            len(table.queries), file=table.name, names=names,
        )  # fmt: skip
    return trn(
        "{file}: {n} attribute of runs ({names})",
        "{file}: {n} attributes of runs ({names})",
        len(table.runs), file=table.name, names=names,
    )  # fmt: skip


def _groups_queries(attribute: QueryAttribute) -> bool:
    """Whether an attribute is a number, or has categories of two queries and more: texts of single queries are none."""
    return attribute.kind == "number" or 2 * len(set(attribute.values.values())) <= len(attribute.values)
