"""The dialog that saves the worklist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError
from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.dialogs.host import DialogHost
from irviewer.session.messages import error
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

KINDS = ((tr("Pool"), ".tsv"), (tr("CSV table"), ".csv"))


class FailureDialogs:
    """Opens the dialogs about failures. Made with the window."""

    def __init__(self, session: Session, host: DialogHost) -> None:
        self._session = session
        self._host = host

    def save_worklist(self) -> None:
        """Ask for the file of the worklist."""
        folder = self._session.saving.file_folder()
        self._host.show_dialog(
            SaveDialog(self._host.window(), tr("Save worklist as pool"), folder, "pool", KINDS, self._save)
        )

    def _save(self, path: str) -> None:
        try:
            self._session.failures.save_worklist(path)
        except IrviewerError as failure:
            self._session.say(error(str(failure)))
