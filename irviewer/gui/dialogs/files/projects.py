"""What the window asks about projects: where to save one, which to open, where its files are, which work to restore
or to discard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError
from irviewer.formats.project_file import SUFFIX
from irviewer.gui.dialogs.choice import Answer, ChoosingDialog
from irviewer.gui.dialogs.files.chooser import OpenFilesDialog, SaveDialog
from irviewer.gui.dialogs.files.moved_files import MovedFilesDialog
from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.picker.picker import Item
from irviewer.gui.dialogs.picker.sources import ChoiceSource, CommandSource
from irviewer.gui.theme import Theme
from irviewer.session.messages import error, info

if TYPE_CHECKING:
    from irviewer.session.projects.recovery import UnsavedWork
    from irviewer.session.session import Session

PROJECTS = f"irviewer projects (*{SUFFIX})"
NOTES = (("Comma-separated values", ".csv"), ("Tab-separated values", ".tsv"), ("JSON lines", ".jsonl"))


class ProjectDialogs:
    """Made with the window; each method asks one thing."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host

    def save(self) -> None:
        """Save the project; where there is none yet, ask for its file."""
        if self._session.autosave.project_path:
            self._session.autosave.save_project()
        else:
            self.save_as()

    def save_as(self, save: Callable[[str], object] | None = None) -> None:
        """Another file for the project; ``save`` is told which."""
        session = self._session
        name = session.autosave.project_name or (
            session.view.collection.name if session.view.collection is not None else "project"
        )
        kinds = [("irviewer project", SUFFIX)]
        save = save or session.autosave.save_project
        dialog = SaveDialog(self._host.window(), "Save the project", session.saving.file_folder(), name, kinds, save)
        self._host.show_dialog(dialog)

    def open(self) -> None:
        """Which project."""
        folder = self._session.saving.file_folder()
        dialog = OpenFilesDialog(self._host.window(), folder, self._open, title="Open a project", single=True)
        dialog.setNameFilters([PROJECTS, "All files (*)"])
        self._host.show_dialog(dialog)

    def find_files(self) -> None:
        """Where the project's missing files are."""
        if self._session.projects.seeking is None:
            self._session.say(info("Every file of the project is where it says."))
        else:
            self._host.show_dialog(MovedFilesDialog(self._session, self._theme, self._host.window()))

    def join(self) -> None:
        """Whether files that were given join the project."""
        session, offered = self._session, self._session.projects.offered
        if offered is None:
            session.say(info("No file waits to be opened."))
            return
        name, title = session.autosave.project_name, offered.title
        them = "it" if offered.is_one else "them"
        answers = [
            Answer(f"Add {them} to the project", session.projects.join_project, "Saved with it from now on", safe=True),
            Answer(f"Close the project, open {them}", session.projects.open_apart, "Everything in it is saved"),
        ]
        words = f"The project “{name}” is open. Whatever joins it is part of it, here and wherever it is opened."
        lines = () if offered.is_one else offered.paths
        self._host.show_dialog(
            ChoosingDialog(
                self._theme, self._host.window(), "Open files", f"Add {title} to the project {name}?", words, answers,
                lines=lines, left=session.projects.leave_offered,
            )
        )  # fmt: skip

    def settle(self) -> None:
        """Whose changes hold where two windows changed the same."""
        session, division = self._session, self._session.autosave.division
        if division is None:
            session.say(info("Nothing in the project is in question."))
            return
        count = len(division.conflicts)
        what = "This was" if count == 1 else f"These {count:,} were"
        answers = [
            Answer("Keep mine", self._keep_mine, "The file then holds what is here"),
            Answer("Take theirs", self._take_theirs, "What is here becomes what the file holds"),
            Answer("Save mine as another project…", self.save_as, "Both stay", safe=True),
        ]
        words = (
            f"{what} changed here and in the file since it was read, and only one can hold. Everything else is merged: "
            "judgments and notes one by one. Until you choose nothing is saved."
        )
        lines = [
            line
            for one in division.conflicts
            for line in (one.what, f"    here: {one.mine}", f"    in the file: {one.theirs}")
        ]
        head = f"{Path(division.path).name} was changed in another window, too"
        self._host.show_dialog(
            ChoosingDialog(self._theme, self._host.window(), "Two versions", head, words, answers, lines=lines)
        )  # fmt: skip

    def ask_closing(self) -> None:
        """What becomes of what could not be saved, now that the window is to be closed."""
        session = self._session
        answers = [
            Answer("Save as a project…", self._save_and_close, "Then the window closes", safe=True),
            Answer("Close without saving", self._host.close_unasked, session.autosave.copy_account),
        ]
        words = session.autosave.save_account
        if session.autosave.rescued:
            words += " It is offered the next time irviewer starts."
        self._host.show_dialog(
            ChoosingDialog(
                self._theme, self._host.window(), "Close irviewer", "What you made is not saved", words, answers
            )
        )  # fmt: skip

    def ask_unsaved_files(self, lines: Sequence[str]) -> None:
        """What becomes of files that are not saved yet, or could not be, now that the window is to be closed."""
        many = f"{len(lines):,} files are" if len(lines) > 1 else "A file is"
        answers = [Answer("Close without", self._host.close_unasked, "What cannot be written is lost")]
        words = "Cancel keeps the window open: what is not finished goes on."
        head = f"{many} NOT saved"
        self._host.show_dialog(
            ChoosingDialog(self._theme, self._host.window(), "Close irviewer", head, words, answers, lines=lines)
        )  # fmt: skip

    def restore(self) -> None:
        """Which of the work that was left."""
        if len(self._session.projects.unsaved_work) == 1:
            self._session.projects.restore_work()
            return
        self._host.picker.pick_from(CommandSource(self._session, "restore ", "Restore which work?"))

    def discard(self) -> None:
        """Which of the work that was left is thrown away, and whether it is meant."""
        left = self._session.projects.unsaved_work
        if len(left) == 1:
            self._ask_discarding(left[0])
            return
        items = [Item(f"Work of {one.time}", partial(self._ask_discarding, one), detail=one.words) for one in left]
        self._host.picker.pick_from(ChoiceSource("Discard which work?", items))

    def save_notes(self) -> None:
        """Where to save notes and tags."""
        folder = self._session.saving.file_folder()
        self._host.show_dialog(
            SaveDialog(self._host.window(), "Save notes and tags", folder, "notes", NOTES, self._save_notes)
        )

    def _ask_discarding(self, work: UnsavedWork) -> None:
        head = f"Discard the work of {work.time}?"
        words = f"{work.words}. It is in no project, and cannot be restored when it is discarded."
        if work.project:
            words = f"{work.words}, not saved in {Path(work.project).name}. It cannot be restored when it is discarded."
        answers = [Answer("Discard", partial(self._session.projects.discard_work, work), str(work.path))]
        self._host.show_dialog(ChoosingDialog(self._theme, self._host.window(), "Discard work", head, words, answers))

    def _keep_mine(self) -> None:
        self._session.autosave.settle_project("mine")

    def _take_theirs(self) -> None:
        self._session.autosave.settle_project("theirs")

    def _save_and_close(self) -> None:
        self.save_as(self._saved_and_close)

    def _saved_and_close(self, path: str) -> None:
        self._session.autosave.save_project(path)
        self._host.close()  # asks again where that could not be written either

    def _open(self, paths: list[str]) -> None:
        if paths:
            self._session.projects.open_project(paths[0])

    def _save_notes(self, path: str) -> None:
        try:
            self._session.notes.save_notes(path)
        except IrviewerError as trouble:
            self._session.say(error(str(trouble)))
