"""The dialogs about the protocol: its panel, and its files."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from irviewer.gui.dialogs.files.chooser import OpenFilesDialog, SaveDialog
from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.picker.picker import Item
from irviewer.gui.dialogs.picker.sources import ChoiceSource
from irviewer.gui.dialogs.protocol.panel import ProtocolPanel
from irviewer.gui.theme import Theme
from irviewer.session.messages import info
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.session.session import Session

KINDS = ((tr("Protocol"), ".protocol.toml"), (tr("TOML"), ".toml"))

GATES = ((tr("Conditions of a gate"), ".toml"),)

REGISTERED = ((tr("Registered protocol"), ".registered.json"), (tr("JSON"), ".json"))


class ProtocolDialogs:
    """Opens the dialogs about the protocol. Made with the window."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host

    def show(self) -> None:
        """Show every field, and the runs that take part."""
        self._host.show_dialog(ProtocolPanel(self._session, self._theme, self._host.window()))

    def open(self) -> None:
        """Ask for a file of a protocol, and declare it."""
        folder = self._session.saving.file_folder()
        filters = (tr("Protocols (*.toml)"), tr("All files (*)"))
        dialog = OpenFilesDialog(
            self._host.window(), folder, self._open, title=tr("Open protocol"), single=True, filters=filters
        )
        self._host.show_dialog(dialog)

    def save(self) -> None:
        """Ask for a file to save the protocol in."""
        session = self._session
        name = "" if session.view.collection is None else session.view.collection.name
        dialog = SaveDialog(
            self._host.window(), tr("Save protocol"), session.saving.file_folder(), name, KINDS,
            session.protocol.save_file,
        )  # fmt: skip
        self._host.show_dialog(dialog)

    def register(self) -> None:
        """Ask for a file to register the protocol in."""
        session = self._session
        name = "" if session.view.collection is None else session.view.collection.name
        dialog = SaveDialog(
            self._host.window(), tr("Register protocol"), session.saving.file_folder(), name, REGISTERED,
            session.protocol.register_file,
        )  # fmt: skip
        self._host.show_dialog(dialog)

    def unit(self) -> None:
        """Ask for the attribute whose values are the independent units."""
        session = self._session
        items = [
            Item(
                trn(
                    "{attribute}: {n:,} unit",
                    "{attribute}: {n:,} units",
                    count,
                    attribute=name,
                ),
                partial(session.protocol.set_unit, name),
            )
            for name, count in session.protocol.units
        ]
        items.append(Item(tr("Each query is a unit"), partial(session.protocol.set_unit, "")))
        self._host.picker.pick_from(ChoiceSource(tr("Which queries count together?"), items))

    def copy_gate(self) -> None:
        """Copy the command that decides the gate, and say what it needs."""
        command = self._session.result_views.gate_command
        if not command:
            self._session.say(info(tr("There is no gate yet. Go › Comparisons › Keep as a gate makes one.")))
            return
        QGuiApplication.clipboard().setText(command)
        self._session.say(info(tr("The command is copied. It reads the file that Save protocol… writes.")))

    def save_gate(self) -> None:
        """Ask for a file to save the conditions of the gate in."""
        session = self._session
        dialog = SaveDialog(
            self._host.window(), tr("Save the gate as a file"), session.saving.file_folder(), "gate", GATES,
            session.result_views.save_gate,
        )  # fmt: skip
        self._host.show_dialog(dialog)

    def copy_line(self) -> None:
        QGuiApplication.clipboard().setText(self._session.protocol.line)

    def _open(self, paths: list[str]) -> None:
        self._session.protocol.open_file(paths[0])
