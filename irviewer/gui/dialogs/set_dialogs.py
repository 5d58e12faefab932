"""What the window asks about query sets and weights: which, by which column, under what name."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from irviewer.gui.dialogs.files.chooser import OpenFilesDialog, SaveDialog
from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.picker.picker import Item
from irviewer.gui.dialogs.picker.sources import ChoiceSource, CommandSource
from irviewer.gui.dialogs.text_prompt import LineDialog
from irviewer.gui.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Callable

    from irviewer.session.session import Session

KINDS = (("Query sets", ".tsv"), ("Text", ".txt"))


class SetDialogs:
    """Made with the window; each method asks one thing."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host

    def choose(self) -> None:
        """Which queries numbers are of."""
        self._pick(CommandSource(self._session, "queryset ", "Numbers of which queries?"))

    def by_column(self) -> None:
        """By which column the queries are parted."""
        source = CommandSource(self._session, "setsby ", "A set for each value of which column?")
        self._pick(source)

    def keep_filtered(self) -> None:
        """Under what name the filtered queries are kept."""
        words = self._session.state.chosen.queries_filter.strip()
        self.ask_name(
            "Keep the filtered queries", "Name of the query set:", words, self._session.query_sets.keep_filtered
        )

    def keep_brushed(self) -> None:
        """Under what name the brushed queries are kept."""
        known = () if self._session.view.context is None else self._session.view.context.query_ids
        chosen = self._session.query_sets.brushed
        self.keep(tuple(one for one in known if one in chosen), "brushed")

    def keep(self, query_ids: tuple[str, ...], how: str) -> None:
        """Under what name queries that were brushed in a plot are kept."""
        count = f"{len(query_ids):,} quer" + ("y" if len(query_ids) == 1 else "ies")

        def accept(name: str) -> None:
            self._session.query_sets.make_query_set(name, query_ids, "brush", how)

        self.ask_name(f"Keep {count} as a set", "Name of the query set:", how, accept)

    def rename(self, name: str) -> None:
        """Another name for a set."""
        self.ask_name(
            "Rename query set", f"Name of {name}:", name, partial(self._session.query_sets.rename_query_set, name)
        )

    def remove(self) -> None:
        """Which set is to go."""
        items = [
            Item(one.name, partial(self._session.query_sets.remove_query_set, one.name))
            for one in self._session.query_sets.every
        ]
        self._pick(ChoiceSource("Remove which query set? The queries stay", items))

    def open(self) -> None:
        """Which files hold sets."""
        self._host.show_dialog(OpenFilesDialog(self._host.window(), self._session.saving.file_folder(), self._open))

    def save(self) -> None:
        """Where the sets go."""
        dialog = SaveDialog(
            self._host.window(), "Save query sets", self._session.saving.file_folder(), "query_sets", KINDS,
            self._session.query_sets.save_query_sets,
        )  # fmt: skip
        self._host.show_dialog(dialog)

    def weight(self) -> None:
        """By what queries are weighted."""
        session = self._session
        items = [
            Item(f"Column {one}", partial(session.query_sets.weight_by, one))
            for one in session.query_sets.weight_columns
        ]
        items.append(Item("A file of query ids and weights…", self._open_weights))
        if session.view.collection is not None and session.view.collection.weights is not None:
            items.append(Item("No weights: every query counts the same", partial(session.query_sets.weight_by, "")))
        self._pick(ChoiceSource("Weight the queries by what?", items))

    def ask_name(self, title: str, question: str, text: str, accept: Callable[[str], object]) -> None:
        """A name for a set; one that is taken gets a number behind it."""
        self._host.show_dialog(LineDialog(self._theme, self._host.window(), title, question, text, trouble_of, accept))

    def _pick(self, source: ChoiceSource | CommandSource) -> None:
        self._host.picker.pick_from(source)

    def _open(self, paths: list[str]) -> None:
        for path in paths:
            self._session.query_sets.open_query_sets(path)

    def _open_weights(self) -> None:
        self._host.show_dialog(
            OpenFilesDialog(self._host.window(), self._session.saving.file_folder(), self._read_weights)
        )

    def _read_weights(self, paths: list[str]) -> None:
        self._session.query_sets.open_query_weights(paths[0])


def trouble_of(text: str) -> str:
    """Why a text is no name for a set; "" where it is one."""
    return "" if text else "A query set needs a name."
