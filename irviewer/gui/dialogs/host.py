"""What dialogs need of the window: where they are shown, what stands behind them, and its end."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from irviewer.gui.dialogs.picker.picker import Picker


class DialogHost(Protocol):
    """The window as its dialogs know it."""

    @property
    def picker(self) -> Picker:
        """The list to choose from, over the window."""
        ...

    @property
    def current_screen(self) -> QWidget:
        """the screen in view."""
        ...

    def window(self) -> QWidget:
        """The widget that dialogs belong to."""
        ...

    def show_dialog(self, dialog: QDialog) -> None:
        """Open a dialog, and nothing beside it."""
        ...

    def make_room(self) -> None:
        """Put away what lies over the window: one thing at a time."""
        ...

    def flush(self) -> None:
        """Bring what is visible up to date with the session, now."""
        ...

    def filter_field(self) -> QLineEdit | None:
        """The field of the screen in view that filters what it shows, where it is seen."""
        ...

    def open_menu(self, category: str = "") -> None:
        """Show all menus, or one of them alone."""
        ...

    def close(self) -> bool:
        """Close the window; where something is not saved it asks first and stays. True where it closed."""
        ...

    def close_unasked(self) -> bool:
        """Close the window, whatever is not saved."""
        ...
