"""The dialogs about files: open, read as, samples, recent files, file doctor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.formats.doctor import ReadOptions
from irviewer.gui.dialogs.files.chooser import OpenFilesDialog, OpenFolderDialog
from irviewer.gui.dialogs.files.columns import ColumnsDialog
from irviewer.gui.dialogs.files.doctor import DoctorDialog
from irviewer.gui.dialogs.files.open_as import OpenAsDialog
from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.picker.sources import CommandSource
from irviewer.gui.theme import Theme
from irviewer.session.files.opening import by_name
from irviewer.session.messages import info
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


class FileDialogs:
    """Opens the dialogs about files. Made with the window."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host

    def open(self) -> None:
        """Ask for files to open."""
        folder = self._session.settings["last_folder"]
        self._host.show_dialog(OpenFilesDialog(self._host.window(), folder, self._open))

    def open_folder(self) -> None:
        """Ask for a folder whose files to open."""
        folder = self._session.settings["last_folder"]
        self._host.show_dialog(
            OpenFolderDialog(self._host.window(), folder, lambda path: self._open([path]), title=tr("Open folder"))
        )

    def open_sample(self) -> None:
        """Ask for a sample."""
        self._host.picker.pick_from(CommandSource(self._session, "sample ", tr("Open sample")))

    def open_recent(self) -> None:
        """Ask which recent files to open."""
        self._host.picker.pick_from(CommandSource(self._session, "recent ", tr("Open recent")))

    def open_as(self) -> None:
        """Ask for a file, and what to read it as."""
        folder = self._session.saving.file_folder()
        self._host.show_dialog(
            OpenFilesDialog(self._host.window(), folder, self._ask_as, title=tr("Open file as…"), single=True)
        )

    def name_columns(self) -> None:
        """Ask what the columns of the first file with unknown columns hold."""
        unnamed = self._session.files.unnamed
        if unnamed:
            dialog = ColumnsDialog(self._session, self._theme, unnamed[0], self._host.window())
            self._host.show_dialog(dialog)
        else:
            self._session.say(info(tr("All columns of the open files have known names.")))

    def examine(self) -> None:
        """Open the file doctor."""
        self._host.show_dialog(DoctorDialog(self._session, self._theme, self._host.window(), self.read_as))

    def read_as(self, path: str) -> None:
        """Ask what to read an open file as."""
        now = self._session.files.read_options_of(path) or ReadOptions()
        self._host.show_dialog(OpenAsDialog(self._session, self._theme, path, now, self._host.window()))

    def _open(self, paths: list[str]) -> None:
        self._session.files.open_files(by_name(paths))

    def _ask_as(self, paths: list[str]) -> None:
        if paths:
            self.read_as(paths[0])
