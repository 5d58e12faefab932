"""The two choosers in the title of a comparison: this run against that baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import ChoiceButton
from irviewer.gui.widgets.menu_below import open_below
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.run_choices import add_runs
from irviewer.rendering.run_label import RunLabel
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

MOST = 210
"""The largest width of a chooser in pixels."""
LEAST = 84
"""The least of it, for a swatch, the ends of a name and the arrow."""


class RunChoosers(QWidget):
    """Buttons of the compared run and of the baseline, with the word between them; each opens the list of runs."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self.run = ChoiceButton(theme, bold=True, most=MOST)
        self.baseline = ChoiceButton(theme, bold=True, most=MOST)
        self.run.clicked.connect(self._on_run_clicked)
        self.baseline.clicked.connect(self._on_baseline_clicked)
        between = PlainLabel(tr("against"))
        between.setFont(theme.font(9.5))
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(8)
        for widget in (self.run, between, self.baseline):
            self._row.addWidget(widget)
        self._pair: tuple[RunLabel | None, RunLabel | None] = (None, None)
        self._menu: QMenu | None = None
        theme.changed.connect(self._on_theme_changed)

    def set_room(self, width: int) -> None:
        """Use at most so many pixels, where names have that room."""
        between = self._row.minimumSize().width() - self.run.sizeHint().width() - self.baseline.sizeHint().width()
        for button in (self.run, self.baseline):
            button.set_most(max(LEAST, min(MOST, (width - between) // 2)))

    def show_pair(self, run: RunLabel | None, baseline: RunLabel | None) -> None:
        """Show the compared runs; nothing without a pair."""
        self._pair = run, baseline
        self.setVisible(run is not None and baseline is not None)
        if run is None or baseline is None:
            return
        self.run.show_choice(run.name, tr("The run that is compared"), self._theme.run(run), run.shorter_names)
        hint = tr("Baseline ★: the run that differences are computed against")
        forms = tuple(f"{name} ★" for name in baseline.shorter_names)
        self.baseline.show_choice(f"{baseline.name} ★", hint, self._theme.run(baseline), forms)

    def menu(self, of_baseline: bool) -> QMenu:
        """Return the list of runs for one of the two choosers; the other's run swaps both."""
        menu = QMenu(self)
        group = QActionGroup(menu)
        view = self._session.view
        labels, chosen = (view.system_labels(), view.baseline) if of_baseline else (view.labels(), view.focus)
        for action in add_runs(menu, self._session, self._theme, labels, chosen):
            group.addAction(action)
        menu.triggered.connect(self._on_baseline_chosen if of_baseline else self._on_run_chosen)
        return menu

    def _on_theme_changed(self) -> None:
        self.show_pair(*self._pair)

    def _open(self, button: ChoiceButton, of_baseline: bool) -> None:
        self._menu = open_below(self.menu(of_baseline), button, self._menu)

    def _on_run_clicked(self) -> None:
        self._open(self.run, False)

    def _on_baseline_clicked(self) -> None:
        self._open(self.baseline, True)

    def _on_run_chosen(self, action: QAction) -> None:
        former = self._session.view.focus
        if action.data() == self._session.view.baseline and former is not None:
            self._session.runs.set_baseline(former)
        self._session.runs.set_focus(action.data())

    def _on_baseline_chosen(self, action: QAction) -> None:
        former = self._session.view.baseline
        if action.data() == self._session.view.focus and former is not None:
            self._session.runs.set_focus(former)
        self._session.runs.set_baseline(action.data())
