"""The page in place of Systems, Queries and Compare while a question of a lesson asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from irviewer.gui.screens.screen import Screen
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import TextButton
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.session.changes import Change
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


class CoveredScreen(Screen):
    """A notice that the values are covered, and a button to the rankings."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.notice = PlainLabel(tr("The values are covered until the question is answered."))
        self.notice.setFont(theme.font(11))
        self.notice.setWordWrap(True)
        self.notice.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.button = TextButton(theme, tr("Show the rankings"), tr("Show the rankings of the lesson in Query"))
        self.button.clicked.connect(self._on_clicked)
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.addStretch(2)
        layout.addWidget(self.notice)
        layout.addSpacing(8)
        layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)
        self.set_content(page)
        self.setFocusProxy(self.button)

    def refresh(self, changes: frozenset[Change]) -> None:
        """Do nothing: the notice is always the same."""

    def _on_clicked(self) -> None:
        self.session.navigation.set_place("query")
