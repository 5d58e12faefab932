"""What the views of judges share: the button that chooses a judge, and the text where there is nothing to compare."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import ChoiceButton
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.session.judges.actions import facts_text

if TYPE_CHECKING:
    from irviewer.session.session import Session


class JudgeChooser(QWidget):
    """A label and a button with the judges of the collection; ``choose`` takes the index of the one chosen."""

    def __init__(self, session: Session, theme: Theme, label: str, choose: Callable[[int], object]) -> None:
        super().__init__()
        self._session = session
        self._choose = choose
        self._hint = label
        self._number = -1
        self._menu: QMenu | None = None
        self.label = PlainLabel(label)
        self.label.setFont(theme.font(9.5))
        self.button = ChoiceButton(theme, most=200)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.label)
        layout.addWidget(self.button)
        self.button.clicked.connect(self._on_clicked)

    def show_judge(self, number: int) -> None:
        """Show a judge by its index; hide if there is none."""
        sets = self._session.judges.sets
        self._number = number
        self.setVisible(0 <= number < len(sets))
        if 0 <= number < len(sets):
            self.button.show_choice(sets[number].name, self._hint)

    def _on_clicked(self) -> None:
        if self._menu is not None:
            self._menu.deleteLater()
        self._menu = menu = QMenu(self.button)
        for number, judgments in enumerate(self._session.judges.sets):
            name = judgments.name.replace("&", "&&")
            action = menu.addAction(f"{name}\t{facts_text(judgments)}")
            action.setData(number)
            action.setCheckable(True)
            action.setChecked(number == self._number)
        menu.triggered.connect(self._on_triggered)
        menu.popup(self.button.mapToGlobal(QPoint(0, self.button.height() + 3)))

    def _on_triggered(self, action: QAction) -> None:
        self._choose(int(action.data()))


def explanation_label(theme: Theme) -> PlainLabel:
    """Return the text that stands in the middle of a view without content."""
    label = PlainLabel()
    label.setFont(theme.font(10.5))
    label.setWordWrap(True)
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    label.setContentsMargins(24, 24, 24, 24)
    label.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # for screen readers, as there is nothing else to go to
    return label
