"""What a question of the window needs of where it is asked: a place to show a dialog, and the window it lies over.

Knows no dialog and no window: those know this."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtWidgets import QDialog, QLineEdit, QMainWindow

from irviewer.gui.dialogs.picker.picker import Picker
from irviewer.gui.dialogs.picker.sources import Offer
from irviewer.gui.theme import Theme


class DialogHost(Protocol):
    """Where questions are asked: one at a time, none stops the program."""

    picker: Picker

    def show(self, dialog: QDialog) -> None:
        """Open a dialog, and nothing beside it."""
        ...

    def make_room(self) -> None:
        """Put away what is open."""
        ...


class ActionTable(Protocol):
    """Everything that can be done, for the palette and the keyboard's help."""

    def offers(self) -> list[Offer]:
        """Every command that can be done now, in menu order."""
        ...

    def keyboard(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """By menu, every command that has a shortcut, with all of its shortcuts."""
        ...


class HostWindow(QMainWindow):
    """The window as its dialogs know it."""

    theme: Theme

    def filter_field(self) -> QLineEdit | None:
        """The field of the place in view that filters what it shows, where it is seen."""
        raise NotImplementedError

    def flush(self) -> None:
        """Bring what is visible up to date with the session, now."""
        raise NotImplementedError

    def open_menu(self, category: str = "") -> None:
        """Show the menus, or one of them alone."""
        raise NotImplementedError

    def close_unasked(self) -> bool:
        """Close, whatever is not saved."""
        raise NotImplementedError
