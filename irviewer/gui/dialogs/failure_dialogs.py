"""The dialogs about failures: the worklist, and tags of failures."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError
from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.picker.picker import Item
from irviewer.gui.dialogs.picker.sources import ChoiceSource
from irviewer.gui.dialogs.text_prompt import LineDialog
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.savable import ask_and_save, savable_later
from irviewer.model.failure_tags import FailureTagError, checked_name
from irviewer.session.messages import error
from irviewer.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from irviewer.session.session import Session

KINDS = ((tr("Pool"), ".tsv"), (tr("CSV table"), ".csv"))


class FailureDialogs:
    """Opens the dialogs about failures. Made with the window."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host

    def save_worklist(self) -> None:
        """Ask for the file of the worklist."""
        folder = self._session.saving.file_folder()
        self._host.show_dialog(
            SaveDialog(self._host.window(), tr("Save worklist as pool"), folder, "pool", KINDS, self._save)
        )

    def new_tag(self) -> None:
        """Ask for the name of a new tag, which is given to the selected query."""
        self._ask(tr("New tag of failures"), tr("Name of the tag:"), "", self._session.failure_loop.add_tag)

    def edit_tags(self) -> None:
        """Ask for a tag, to rename or to remove it."""
        items = []
        for tag in self._session.failure_loop.noted.tags:
            items.append(Item(tr("Rename {tag}…", tag=tag.name), partial(self._rename, tag.name)))
            items.append(
                Item(tr("Remove {tag}", tag=tag.name), partial(self._session.failure_loop.remove_tag, tag.name))
            )
        self._host.picker.pick_from(ChoiceSource(tr("Which tag of failures?"), items))

    def seed(self) -> None:
        """Ask for the seed of the random order."""
        noted, title = self._session.failure_loop.noted, tr("Random order of failures")
        self._host.show_dialog(
            LineDialog(
                self._theme, self._host.window(), title, tr("Seed, a whole number:"), str(noted.seed), _no_seed,
                lambda text: self._session.failure_loop.set_seed(int(text)),
            )
        )  # fmt: skip

    def keep_set(self) -> None:
        """Ask for the name of a query set of the queries of the list."""
        session = self._session
        self._ask(
            tr("Query set of failures"), tr("Name of the query set:"), session.state.finding.loop_filter.strip(),
            lambda name: session.failure_loop.keep_set(name, session.query_sets),
        )  # fmt: skip

    def export_tags(self) -> None:
        """Ask for the file of the table of tags."""
        later = self._session.failure_loop.tags_later()
        if later is None:
            self._session.say(error(tr("No query was examined yet, so there are no tags to export.")))
            return
        what = savable_later(tr("tags of failures"), later, self._session.view.judgment_mark)
        ask_and_save(self._session, self._host.window(), what, "failure_tags")

    def _rename(self, name: str) -> None:
        accept = partial(self._session.failure_loop.rename_tag, name)
        self._ask(tr("Rename tag"), tr("Name of the tag:"), name, accept)

    def _ask(self, title: str, question: str, text: str, accept: Callable[[str], object]) -> None:
        def accepted(line: str) -> None:
            try:
                accept(line)
            except IrviewerError as failure:
                self._session.say(error(str(failure)))

        window = self._host.window()
        self._host.show_dialog(LineDialog(self._theme, window, title, question, text, _trouble, accepted))

    def _save(self, path: str) -> None:
        try:
            self._session.failures.save_worklist(path)
        except IrviewerError as failure:
            self._session.say(error(str(failure)))


def _trouble(text: str) -> str:
    try:
        checked_name(text)
    except FailureTagError as failure:
        return str(failure)
    return ""


def _no_seed(text: str) -> str:
    return "" if text.isascii() and text.isdigit() and int(text) < 2**31 else tr("The seed is a whole number from 0.")
