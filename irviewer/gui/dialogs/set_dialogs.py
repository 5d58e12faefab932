"""The dialogs about query sets and weights of queries."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from irviewer.gui.dialogs.files.chooser import OpenFilesDialog, SaveDialog
from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.picker.picker import Item
from irviewer.gui.dialogs.picker.sources import ChoiceSource, CommandSource
from irviewer.gui.dialogs.slice_attributes import SliceAttributesDialog
from irviewer.gui.dialogs.text_prompt import LineDialog
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.savable import RESULT_KINDS
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from collections.abc import Callable

    from irviewer.session.session import Session

KINDS = ((tr("Query sets"), ".tsv"), (tr("Text"), ".txt"))


class SetDialogs:
    """Opens the dialogs about query sets. Made with the window."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host

    def choose(self) -> None:
        """Ask for the query set that values are computed over."""
        self._pick(CommandSource(self._session, "queryset ", tr("Compute values over which queries?")))

    def by_column(self) -> None:
        """Ask for the attribute whose values make query sets."""
        source = CommandSource(self._session, "setsby ", tr("Make a query set for each value of which attribute?"))
        self._pick(source)

    def keep_filtered(self) -> None:
        """Ask for the name of a set of the filtered queries."""
        words = self._session.state.chosen.queries_filter.strip()
        self.ask_name(
            tr("Query set from filter"), tr("Name of the query set:"), words, self._session.query_sets.keep_filtered
        )

    def keep_brushed(self) -> None:
        """Ask for the name of a set of the brushed queries."""
        known = () if self._session.view.context is None else self._session.view.context.query_ids
        chosen = self._session.query_sets.brushed
        self.keep(tuple(query_id for query_id in known if query_id in chosen), "brushed")

    def keep(self, query_ids: tuple[str, ...], how: str) -> None:
        """Ask for the name of a set of queries that were brushed in a plot."""
        title = trn("Query set of {n:,} query", "Query set of {n:,} queries", len(query_ids))

        def accept(name: str) -> None:
            self._session.query_sets.make_query_set(name, query_ids, "brush", how)

        self.ask_name(title, tr("Name of the query set:"), how, accept)

    def rename(self, name: str) -> None:
        """Ask for a new name of a set."""
        self.ask_name(
            tr("Rename query set"),
            tr("New name of {query_set}:", query_set=name),
            name,
            partial(self._session.query_sets.rename_query_set, name),
        )

    def remove(self) -> None:
        """Ask which set to remove."""
        items = [
            Item(query_set.name, partial(self._session.query_sets.remove_query_set, query_set.name))
            for query_set in self._session.query_sets.every
        ]
        self._pick(ChoiceSource(tr("Remove which query set? Its queries stay in the collection"), items))

    def open(self) -> None:
        """Ask for files of query sets."""
        self._host.show_dialog(OpenFilesDialog(self._host.window(), self._session.saving.file_folder(), self._open))

    def save(self) -> None:
        """Ask for the file of the query sets."""
        dialog = SaveDialog(
            self._host.window(), tr("Save query sets"), self._session.saving.file_folder(), "query_sets", KINDS,
            self._session.query_sets.save_query_sets,
        )  # fmt: skip
        self._host.show_dialog(dialog)

    def weight(self) -> None:
        """Ask for the weights of the queries."""
        session = self._session
        items = [
            Item(tr("Attribute {name}", name=name), partial(session.query_sets.weight_by, name))
            for name in session.query_sets.weight_columns
        ]
        items.append(Item(tr("File of query ids and weights…"), self._open_weights))
        if session.view.collection is not None and session.view.collection.weights is not None:
            items.append(Item(tr("No weights: all queries count equally"), partial(session.query_sets.weight_by, "")))
        self._pick(ChoiceSource(tr("Weight queries by"), items))

    def open_attributes(self) -> None:
        """Ask for a file of attributes of queries or runs."""
        self._host.show_dialog(
            OpenFilesDialog(self._host.window(), self._session.saving.file_folder(), self._read_attributes)
        )

    def slice_attributes(self) -> None:
        """Ask for the attributes whose slices are shown, and how numbers are cut."""
        self._host.show_dialog(SliceAttributesDialog(self._session, self._theme, self._host.window()))

    def save_slices(self) -> None:
        """Ask for the file of the slices."""
        session = self._session
        name = tr("{measure} by slice", measure=session.view.measure)
        self._host.show_dialog(
            SaveDialog(
                self._host.window(), tr("Save slices"), session.saving.file_folder(), name, RESULT_KINDS,
                session.slices.save,
            )
        )  # fmt: skip

    def remove_attributes(self) -> None:
        """Ask which table of attributes to remove."""
        items = [
            Item(f"{table.name}: {', '.join(table.names)}", partial(self._session.attributes.remove_table, table.name))
            for table in self._session.attributes.tables
        ]
        self._pick(ChoiceSource(tr("Remove which table of attributes?"), items))

    def ask_name(self, title: str, question: str, text: str, accept: Callable[[str], object]) -> None:
        """Ask for the name of a set. A number is added to a name in use."""
        self._host.show_dialog(LineDialog(self._theme, self._host.window(), title, question, text, trouble_of, accept))

    def _pick(self, source: ChoiceSource | CommandSource) -> None:
        self._host.picker.pick_from(source)

    def _open(self, paths: list[str]) -> None:
        for path in paths:
            self._session.query_sets.open_query_sets(path)

    def _read_attributes(self, paths: list[str]) -> None:
        for path in paths:
            self._session.attributes.open_table(path)

    def _open_weights(self) -> None:
        self._host.show_dialog(
            OpenFilesDialog(self._host.window(), self._session.saving.file_folder(), self._read_weights)
        )

    def _read_weights(self, paths: list[str]) -> None:
        self._session.query_sets.open_query_weights(paths[0])


def trouble_of(text: str) -> str:
    """Return why a text cannot be the name of a set, or ""."""
    return "" if text else tr("A query set needs a name.")
