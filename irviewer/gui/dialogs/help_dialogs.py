"""What there is to read: every shortcut, what the program is, what lies behind a message."""

from __future__ import annotations

import irviewer
from irviewer import commands
from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.info import AboutDialog, KeyboardDialog, TextDialog
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import keys_text
from irviewer.session.messages import Message


class HelpDialogs:
    """Made with the window; each method opens one text."""

    def __init__(self, theme: Theme, host: DialogHost) -> None:
        self._theme = theme
        self._host = host

    def keyboard(self) -> None:
        """Every shortcut."""
        self._host.show_dialog(KeyboardDialog(self._theme, self._host.window(), keyboard()))

    def about(self) -> None:
        """What the program is."""
        self._host.show_dialog(AboutDialog(self._theme, self._host.window(), irviewer.__version__))

    def details(self, message: Message) -> None:
        """What lies behind a message, such as the load report."""
        dialog = TextDialog(self._theme, self._host.window(), "Details", message.text, message.details)
        self._host.show_dialog(dialog)


def keyboard() -> list[tuple[str, list[tuple[str, str]]]]:
    """By menu, every command that has a shortcut, with all of its shortcuts; last what keys do in the views."""
    groups = []
    for category, title in commands.CATEGORIES.items():
        rows = [
            (one.title, "  or  ".join(keys_text(keys) for keys in one.shortcuts))
            for one in commands.COMMANDS
            if one.category == category and one.shortcuts
        ]
        if rows:
            groups.append((title, rows))
    inside = [(title, "  ".join(keys_text(one) for one in shortcuts)) for title, shortcuts in commands.IN_VIEWS]
    groups.append(("In lists, tables and plots", inside))
    return groups
