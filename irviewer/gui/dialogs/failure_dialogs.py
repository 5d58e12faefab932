"""What the window asks about failures: where the worklist of documents to judge goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.errors import IrviewerError
from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.dialogs.host import DialogHost
from irviewer.session.messages import error

if TYPE_CHECKING:
    from irviewer.session.session import Session

KINDS = (("Pool", ".tsv"), ("CSV table", ".csv"))


class FailureDialogs:
    """Made with the window; each method asks one thing."""

    def __init__(self, session: Session, host: DialogHost) -> None:
        self._session = session
        self._host = host

    def save_worklist(self) -> None:
        """Where the worklist goes."""
        folder = self._session.saving.file_folder()
        self._host.show_dialog(
            SaveDialog(self._host.window(), "Save worklist as pool", folder, "pool", KINDS, self._save)
        )

    def _save(self, path: str) -> None:
        try:
            self._session.failures.save_worklist(path)
        except IrviewerError as failure:
            self._session.say(error(str(failure)))
