"""The dialogs about projects: save, open, missing files, conflicts, unsaved work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from irviewer.formats.project_file import SUFFIX
from irviewer.gui.dialogs.choice import Answer, ChoosingDialog
from irviewer.gui.dialogs.files.chooser import OpenFilesDialog, SaveDialog
from irviewer.gui.dialogs.files.moved_files import MovedFilesDialog
from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.picker.picker import Item
from irviewer.gui.dialogs.picker.sources import ChoiceSource, CommandSource
from irviewer.gui.theme import Theme
from irviewer.session.messages import info
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.session.projects.recovery import UnsavedWork
    from irviewer.session.session import Session

PROJECTS = tr("irviewer projects (*{suffix})", suffix=SUFFIX)


class ProjectDialogs:
    """Opens the dialogs about projects. Made with the window."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host

    def save(self) -> None:
        """Save the project; ask for a file if it has none."""
        if self._session.autosave.project_path:
            self._session.autosave.save_project()
        else:
            self.save_as()

    def save_as(self, save: Callable[[str], object] | None = None) -> None:
        """Ask for another file for the project, and call ``save`` with it."""
        session = self._session
        name = session.autosave.project_name or (
            session.view.collection.name if session.view.collection is not None else tr("project")
        )
        kinds = [(tr("irviewer project"), SUFFIX)]
        save = save or session.autosave.save_project
        dialog = SaveDialog(self._host.window(), tr("Save project"), session.saving.file_folder(), name, kinds, save)
        self._host.show_dialog(dialog)

    def open(self) -> None:
        """Ask for a project to open."""
        folder = self._session.saving.file_folder()
        dialog = OpenFilesDialog(self._host.window(), folder, self._open, title=tr("Open project"), single=True)
        dialog.setNameFilters([PROJECTS, tr("All files (*)")])
        self._host.show_dialog(dialog)

    def find_files(self) -> None:
        """Ask where the missing files of the project are."""
        if self._session.projects.seeking is None:
            self._session.say(info(tr("No file of the project is missing.")))
        else:
            self._host.show_dialog(MovedFilesDialog(self._session, self._theme, self._host.window()))

    def join(self) -> None:
        """Ask whether to add files to the open project."""
        session, offered = self._session, self._session.projects.offered
        if offered is None:
            session.say(info(tr("There are no files to add to the project.")))
            return
        name, title = session.autosave.project_name, offered.title
        answers = [
            Answer(tr("Add to project"), session.projects.join_project, tr("Save them with the project"), safe=True),
            Answer(tr("Close project and open"), session.projects.open_apart, tr("Everything in the project is saved")),
        ]
        words = tr(
            "The project “{project}” is open. Files that you add to it are opened whenever the project is opened.",
            project=name,
        )
        lines = () if offered.is_one else offered.paths
        self._host.show_dialog(
            ChoosingDialog(
                self._theme, self._host.window(), tr("Open files"),
                tr("Add {files} to the project {project}?", files=title, project=name), words, answers,
                lines=lines, left=session.projects.leave_offered,
            )
        )  # fmt: skip

    def settle(self) -> None:
        """Ask which changes to keep if two windows changed the same."""
        session, division = self._session, self._session.autosave.division
        if division is None:
            session.say(info(tr("The project has no conflicts.")))
            return
        answers = [
            Answer(tr("Keep mine"), self._keep_mine, tr("Write the changes of this window to the file")),
            Answer(tr("Take theirs"), self._take_theirs, tr("Use the changes of the file in this window")),
            Answer(tr("Save mine as another project…"), self.save_as, tr("Keep both"), safe=True),
        ]
        words = trn(
            "This was changed both here and in the file since it was read: keep one of the two. All other changes are "
            "merged, judgments and notes one by one. Nothing is saved until you choose.",
            "These {n:,} entries were changed both here and in the file since it was read: keep one of the two. All "
            "other changes are merged, judgments and notes one by one. Nothing is saved until you choose.",
            len(division.conflicts),
        )
        lines = [
            line
            for conflict in division.conflicts
            for line in (
                conflict.what,
                "    " + tr("here: {value}", value=conflict.mine),
                "    " + tr("in the file: {value}", value=conflict.theirs),
            )
        ]
        head = tr("{project} was also changed in another window", project=Path(division.path).name)
        self._host.show_dialog(
            ChoosingDialog(self._theme, self._host.window(), tr("Project conflicts"), head, words, answers, lines=lines)
        )  # fmt: skip

    def ask_closing(self) -> None:
        """Ask what to do with unsaved work before the window closes."""
        session = self._session
        answers = [
            Answer(
                tr("Save as project…"), self._save_and_close, tr("Save the project, then close the window"), safe=True
            ),
            Answer(tr("Close without saving"), self._host.close_unasked, session.autosave.copy_account),
        ]
        words = session.autosave.save_account
        if session.autosave.rescued:
            words += " " + tr("You can restore it when irviewer starts again.")
        self._host.show_dialog(
            ChoosingDialog(
                self._theme, self._host.window(), tr("Close irviewer"), tr("Your work is not saved"), words, answers
            )
        )  # fmt: skip

    def ask_unsaved_files(self, lines: Sequence[str]) -> None:
        """Ask whether to close the window while files are being saved or could not be saved."""
        answers = [
            Answer(
                tr("Close without saving"), self._host.close_unasked, tr("Files that are not yet written will be lost")
            )
        ]
        words = tr("Cancel keeps the window open, and saving continues.")
        head = trn("{n:,} file is NOT saved", "{n:,} files are NOT saved", len(lines))
        self._host.show_dialog(
            ChoosingDialog(self._theme, self._host.window(), tr("Close irviewer"), head, words, answers, lines=lines)
        )  # fmt: skip

    def restore(self) -> None:
        """Restore unsaved work; ask which if there is more than one."""
        if len(self._session.projects.unsaved_work) == 1:
            self._session.projects.restore_work()
            return
        self._host.picker.pick_from(CommandSource(self._session, "restore ", tr("Restore which unsaved work?")))

    def discard(self) -> None:
        """Ask which unsaved work to discard, and for confirmation."""
        left = self._session.projects.unsaved_work
        if len(left) == 1:
            self._ask_discarding(left[0])
            return
        items = [
            Item(tr("Work of {time}", time=work.time), partial(self._ask_discarding, work), detail=work.words)
            for work in left
        ]
        self._host.picker.pick_from(ChoiceSource(tr("Discard which unsaved work?"), items))

    def _ask_discarding(self, work: UnsavedWork) -> None:
        head = tr("Discard the work of {time}?", time=work.time)
        words = tr("{work}. It is in no project. You cannot restore it after discarding it.", work=work.words)
        if work.project:
            words = tr(
                "{work}, not saved in {project}. You cannot restore it after discarding it.",
                work=work.words,
                project=Path(work.project).name,
            )
        answers = [Answer(tr("Discard"), partial(self._session.projects.discard_work, work), str(work.path))]
        self._host.show_dialog(
            ChoosingDialog(self._theme, self._host.window(), tr("Discard unsaved work"), head, words, answers)
        )

    def _keep_mine(self) -> None:
        self._session.autosave.settle_project("mine")

    def _take_theirs(self) -> None:
        self._session.autosave.settle_project("theirs")

    def _save_and_close(self) -> None:
        self.save_as(self._saved_and_close)

    def _saved_and_close(self, path: str) -> None:
        self._session.autosave.save_project(path)
        self._host.close()  # asks again if that could not be written either

    def _open(self, paths: list[str]) -> None:
        if paths:
            self._session.projects.open_project(paths[0])
