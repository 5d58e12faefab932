"""What the window asks about projects: where to save one, which to open, where its files are, which work to restore.
A part of the desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError
from irviewer.formats.project_file import SUFFIX
from irviewer.gui.dialogs.files import OpenFilesDialog, SaveDialog
from irviewer.gui.dialogs.moved_files import MovedFilesDialog
from irviewer.gui.dialogs.sources import CommandSource
from irviewer.gui.theme import Theme
from irviewer.session.messages import error, info

if TYPE_CHECKING:
    from irviewer.gui.dialogs.desk import Desk
    from irviewer.gui.window import MainWindow
    from irviewer.session.session import Session

PROJECTS = f"irviewer projects (*{SUFFIX})"
NOTES = (("Comma-separated values", ".csv"), ("Tab-separated values", ".tsv"), ("JSON lines", ".jsonl"))


class ProjectQuestions:
    """Made with the desk; each method asks one thing."""

    def __init__(self, session: Session, theme: Theme, window: MainWindow, desk: Desk) -> None:
        self._session = session
        self._theme = theme
        self._window = window
        self._desk = desk

    def save(self) -> None:
        """Save the project; where there is none yet, ask for its file."""
        if self._session.project_path:
            self._session.save_project()
        else:
            self.save_as()

    def save_as(self) -> None:
        """Another file for the project."""
        session = self._session
        name = session.project_name or (session.collection.name if session.collection is not None else "project")
        kinds = [("irviewer project", SUFFIX)]
        dialog = SaveDialog(self._window, "Save the project", session.file_folder(), name, kinds, session.save_project)
        self._desk.show(dialog)

    def open(self) -> None:
        """Which project."""
        folder = self._session.file_folder()
        dialog = OpenFilesDialog(self._window, folder, self._open, title="Open a project", single=True)
        dialog.setNameFilters([PROJECTS, "All files (*)"])
        self._desk.show(dialog)

    def find_files(self) -> None:
        """Where the project's missing files are."""
        if self._session.seeking is None:
            self._session.say(info("Every file of the project is where it says."))
        else:
            self._desk.show(MovedFilesDialog(self._session, self._theme, self._window))

    def restore(self) -> None:
        """Which of the work that was left."""
        if len(self._session.left_work) == 1:
            self._session.restore_work()
            return
        self._desk.picker.pick_from(CommandSource(self._session, "restore ", "Restore which work?", drop="Restore "))

    def save_notes(self) -> None:
        """Where to save notes and tags."""
        folder = self._session.file_folder()
        self._desk.show(SaveDialog(self._window, "Save notes and tags", folder, "notes", NOTES, self._save_notes))

    def _open(self, paths: list[str]) -> None:
        if paths:
            self._session.open_project(paths[0])

    def _save_notes(self, path: str) -> None:
        try:
            self._session.save_notes(path)
        except IrviewerError as trouble:
            self._session.say(error(str(trouble)))
