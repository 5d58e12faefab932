"""What the views of judges share: the button that chooses a judge, text and buttons of a view without content."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import ChoiceButton, TextButton
from irviewer.gui.widgets.menu_below import open_below
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.hidden_characters import escape_hidden
from irviewer.session.judges.actions import facts_text
from irviewer.session.judges.comparison import WayOut

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
            self.button.show_choice(escape_hidden(sets[number].name), self._hint)

    def _on_clicked(self) -> None:
        menu = QMenu(self.button)
        for number, judgments in enumerate(self._session.judges.sets):
            name = escape_hidden(judgments.name).replace("&", "&&")
            action = menu.addAction(f"{name}\t{facts_text(judgments)}")
            action.setData(number)
            action.setCheckable(True)
            action.setChecked(number == self._number)
        menu.triggered.connect(self._on_triggered)
        self._menu = open_below(menu, self.button, self._menu)

    def _on_triggered(self, action: QAction) -> None:
        self._choose(int(action.data()))


class EmptyView(QWidget):
    """Stands where a view of judges has nothing to show: why, and buttons that help."""

    def __init__(self, session: Session, theme: Theme, tab: str) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._tab = tab
        self.label = PlainLabel()
        self.label.setFont(theme.font(10.5))
        self.label.setWordWrap(True)
        self.label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.label.setContentsMargins(24, 24, 24, 12)
        self.label.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # for screen readers, where no button is
        self.buttons: list[TextButton] = []
        self._ways: tuple[WayOut, ...] = ()
        layout = QVBoxLayout(self)
        layout.addStretch()
        layout.addWidget(self.label)
        self._row = QHBoxLayout()
        self._row.setSpacing(8)
        self._row.addStretch()
        self._row.addStretch()
        layout.addLayout(self._row)
        layout.addStretch()
        self.setFocusProxy(self.label)

    def show_reason(self, text: str) -> None:
        """Show why there is nothing, and what helps."""
        self.label.setText(text)
        ways = self._session.judge_comparison.ways_out(self._tab) if text else ()
        former = [way.text for way in self._ways]
        self._ways = ways
        if [way.text for way in ways] == former:
            return
        for button in self.buttons:
            self._row.removeWidget(button)
            button.deleteLater()
        self.buttons = []
        for way in ways:
            button = TextButton(self._theme, way.text)
            button.clicked.connect(self._on_clicked)
            self._row.insertWidget(self._row.count() - 1, button)
            self.buttons.append(button)

    def _on_clicked(self) -> None:
        button = self.sender()
        if isinstance(button, TextButton):
            self._ways[self.buttons.index(button)].run()
