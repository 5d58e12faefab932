"""The cover of a view during blind judging: it explains why the view is hidden, and has two buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import TextButton, command_keys
from irviewer.gui.widgets.panel import Panel
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

WIDEST = 560
TEXT = tr(
    "This view shows runs, ranks and values, which can influence your judgments. It is shown again when you end "
    "judging blind."
)


class Covered(Panel):
    """A box over a whole view."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(theme, tr("Hidden while you judge blind"))
        self._session = session
        self.words = PlainLabel(TEXT)
        self.words.setFont(theme.font(10.5))
        self.words.setWordWrap(True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.words.setFixedWidth(WIDEST)
        self.words.setMinimumHeight(self.words.heightForWidth(WIDEST))  # a centred label is asked for no height
        self.setAccessibleDescription(TEXT)
        self.go_on = TextButton(theme, tr("Continue judging"), tr("Go back to the document to judge"))
        self.end = TextButton(
            theme,
            tr("End judging blind ({keys})", keys=command_keys("judge_blind")),
            tr("Show runs and ranks again"),
        )
        self.go_on.clicked.connect(self._on_go_on_clicked)
        self.end.clicked.connect(self._on_end_clicked)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.go_on)
        buttons.addWidget(self.end)
        buttons.addStretch(1)
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setSpacing(14)
        layout.addStretch(2)
        layout.addWidget(self.words, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addLayout(buttons)
        layout.addStretch(3)
        self.set_body(body)
        self.setFocusProxy(self.go_on)
        theme.changed.connect(self._on_colours_changed)
        self._on_colours_changed()

    def _on_go_on_clicked(self) -> None:
        self._session.navigation.set_place("query")

    def _on_end_clicked(self) -> None:
        """End blind judging, and stay in this view."""
        place = self._session.view.place
        self._session.judging.set_blind(False)
        self._session.navigation.set_place(place)

    def _on_colours_changed(self) -> None:
        self.words.set_ink(self._theme["text"])
