"""What the window asks about worked examples and typed rankings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from irviewer.gui.dialogs.examples import ExamplesDialog
from irviewer.gui.dialogs.files.inline_ranking import TypingDialog
from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.large_type import AGAIN, room, scale_for
from irviewer.gui.theme import Theme
from irviewer.session.messages import info
from irviewer.session.teaching.examples import inline_ranking_values

if TYPE_CHECKING:
    from irviewer.session.session import Session


class TeachingDialogs:
    """Made with the window; each method asks one thing."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host

    def example(self) -> None:
        """Which worked example."""
        session = self._session
        self._host.show_dialog(
            ExamplesDialog(self._theme, self._host.window(), session.examples.every, session.teaching.open_example)
        )

    def typed(self) -> None:
        """Which ranking."""
        self._host.show_dialog(
            TypingDialog(
                self._theme, self._host.window(), inline_ranking_values, self._session.teaching.open_inline_ranking
            )
        )

    def large_type(self) -> None:
        """Larger type, or type as it was: the toolkit begins anew, the session lives on."""
        settings = self._session.settings
        if not settings["large_type"] and scale_for(room(), self._host.window().minimumSize()) == 1.0:
            self._session.say(info("This screen has no room for larger type: the window would not fit."))
            return
        settings["large_type"] = not settings["large_type"]
        QApplication.exit(AGAIN)
