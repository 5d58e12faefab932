"""The help dialogs: keyboard shortcuts, about irviewer, details of a message."""

from __future__ import annotations

import irviewer
from irviewer import commands
from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.info import AboutDialog, KeyboardDialog, TextDialog
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import several_keys
from irviewer.gui.widgets.legend_dialog import SIGNS, LegendDialog
from irviewer.session.messages import Message
from irviewer.translation import tr


class HelpDialogs:
    """Opens the help dialogs. Made with the window."""

    def __init__(self, theme: Theme, host: DialogHost) -> None:
        self._theme = theme
        self._host = host

    def keyboard(self) -> None:
        """Show the keyboard shortcuts."""
        self._host.show_dialog(KeyboardDialog(self._theme, self._host.window(), keyboard()))

    def symbols(self) -> None:
        """Show what the signs of tables and lists mean."""
        title = tr("Signs and abbreviations")
        self._host.show_dialog(LegendDialog(self._theme, self._host.window(), title, ((title, SIGNS),)))

    def about(self) -> None:
        """Show version and licences."""
        self._host.show_dialog(AboutDialog(self._theme, self._host.window(), irviewer.__version__))

    def details(self, message: Message) -> None:
        """Show the details of a message, such as the load report."""
        dialog = TextDialog(self._theme, self._host.window(), tr("Details"), message.text, message.details)
        self._host.show_dialog(dialog)


def keyboard() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the commands that have shortcuts, by menu, and then what keys do in lists, tables and plots."""
    groups = []
    for category, title in commands.CATEGORIES.items():
        rows = [
            (command.title, several_keys(command.keys))
            for command in commands.COMMANDS
            if command.category == category and command.keys
        ]
        if rows:
            groups.append((title, rows))
    inside = [(title, several_keys(shortcuts)) for title, shortcuts in commands.IN_VIEWS]
    groups.append((tr("In lists, tables and plots"), inside))
    return groups
