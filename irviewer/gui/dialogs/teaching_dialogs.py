"""The dialogs about worked examples and inline rankings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from irviewer.gui.dialogs.examples import ExamplesDialog
from irviewer.gui.dialogs.files.inline_ranking import TypingDialog
from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.large_type import AGAIN, scale_for, whole_room
from irviewer.gui.theme import Theme
from irviewer.session.messages import info
from irviewer.session.teaching.typed_values import inline_ranking_values
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


class TeachingDialogs:
    """Opens the dialogs of textbook mode. Made with the window."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host

    def example(self) -> None:
        """Ask for a worked example."""
        session = self._session
        self._host.show_dialog(
            ExamplesDialog(self._theme, self._host.window(), session.lessons.every, session.teaching.open_example)
        )

    def typed(self) -> None:
        """Ask for inline rankings."""
        teaching = self._session.teaching

        def accept(text: str, rules: str) -> None:
            teaching.open_inline_ranking(text, rules=rules)

        self._host.show_dialog(TypingDialog(self._theme, self._host.window(), inline_ranking_values, accept))

    def large_type(self) -> None:
        """Switch large type on or off. Qt restarts, the session continues."""
        settings = self._session.settings
        if not settings["large_type"] and scale_for(whole_room(), self._host.window().minimumSize()) == 1.0:
            self._session.say(info(tr("Large type is not possible: the window would not fit on this screen.")))
            return
        settings["large_type"] = not settings["large_type"]
        QApplication.exit(AGAIN)
