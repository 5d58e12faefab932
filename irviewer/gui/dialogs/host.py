"""What dialogs need of the window."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from irviewer.gui.dialogs.picker.picker import Picker


class DialogHost(Protocol):
    """The window as its dialogs use it."""

    @property
    def picker(self) -> Picker:
        """The picker over the window."""
        ...

    @property
    def current_screen(self) -> QWidget: ...

    def window(self) -> QWidget:
        """The widget that dialogs belong to."""
        ...

    def show_dialog(self, dialog: QDialog) -> None:
        """Open a dialog, and close any other."""
        ...

    def make_room(self) -> None:
        """Close what is open over the window."""
        ...

    def flush(self) -> None:
        """Update what is visible from the session immediately."""
        ...

    def filter_field(self) -> QLineEdit | None:
        """The visible filter field of the current screen; None without one."""
        ...

    def open_menu(self) -> None:
        """Open the first menu of the menu bar, or a menu of all menus where there is no bar."""
        ...

    def close(self) -> bool:
        """Close the window, and return True; with unsaved work it asks first, and returns False."""
        ...

    def close_unasked(self) -> bool:
        """Close the window without asking."""
        ...
