"""A screen of several views, one of which is seen: a strip to choose it by, and the views, each built when first seen.

Knows which view the session wants; not what any of them shows. While one judges blind none of them is seen: they
name the runs and ranks of the documents that are judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from irviewer.gui.query.blind_cover import Covered
from irviewer.gui.screens.screen import GAP, Screen
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import Segmented
from irviewer.session.changes import EVERY_CHANGE, Change

if TYPE_CHECKING:
    from irviewer.gui.widgets.plot_panel import PlotPanel
    from irviewer.session.session import Session


@dataclass(frozen=True)
class Tab:
    """One view: the name the session knows it by, what the strip calls it, and how it is made."""

    name: str
    title: str
    tip: str
    make: Callable[[Session, Theme], Screen]


class TabbedScreen(Screen):
    """The strip over the view in sight. What changed while a view was not seen is remembered for it."""

    def __init__(self, session: Session, theme: Theme, name: str, tabs: Sequence[Tab]) -> None:
        super().__init__(session, theme)
        self._name = name
        self._tabs = {tab.name: tab for tab in tabs}
        self.views: dict[str, Screen] = {}
        self._missed: dict[str, frozenset[Change]] = {}
        self.strip = Segmented(theme, tuple((tab.name, tab.title, tab.tip) for tab in tabs))
        self.stack = QStackedWidget()
        self.cover: Covered | None = None
        self.row = QHBoxLayout()
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.addWidget(self.strip)
        self.row.addStretch(1)
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GAP)
        layout.addLayout(self.row)
        layout.addWidget(self.stack, 1)
        self.set_content(content)
        self.strip.setVisible(len(tabs) > 1)
        self.strip.chosen.connect(self._on_tab_chosen)
        self.view(session.view.tab(name))

    @property
    def shown(self) -> Screen:
        """The view in sight."""
        return self.view(self.session.view.tab(self._name))

    @property
    def plots(self) -> tuple[PlotPanel, ...]:
        """The plots of the view in sight."""
        return self.shown.plots if hasattr(self, "stack") and not self.session.judging.blind else ()

    @plots.setter
    def plots(self, value: tuple[PlotPanel, ...]) -> None:
        """A tabbed screen has none of its own."""

    def view(self, name: str) -> Screen:
        """A view, made when it is first asked for."""
        if name not in self.views:
            made = self._tabs[name].make(self.session, self.theme)
            self.views[name] = made
            self._missed[name] = EVERY_CHANGE
            self.stack.addWidget(made)
        return self.views[name]

    def refresh(self, changes: frozenset[Change]) -> None:
        name = self.session.view.tab(self._name)
        view = self.view(name)
        for other in self.views:
            self._missed[other] = self._missed.get(other, frozenset()) | changes
        self.strip.show_chosen(name)
        if self.session.judging.blind:
            self._bring_up(self._covering())
            return
        view.refresh(self._missed.pop(name))
        self._bring_up(view)

    def filter_field(self) -> QLineEdit | None:
        return None if self.session.judging.blind else self.shown.filter_field()

    def load_plots(self) -> None:
        if not self.session.judging.blind:
            self.shown.load_plots()

    def _covering(self) -> Covered:
        if self.cover is None:
            self.cover = Covered(self.session, self.theme)
            self.stack.addWidget(self.cover)
        return self.cover

    def _bring_up(self, widget: QWidget) -> None:
        """Have ``widget`` in sight, and the keys with it where they were here."""
        if self.stack.currentWidget() is not widget:
            # Whoever has the window's keys, not whom this screen remembers: under an open sheet nobody here has them.
            focused = self.stack.isAncestorOf(self.window().focusWidget() or self)
            self.stack.setCurrentWidget(widget)
            if focused:
                widget.setFocus(Qt.FocusReason.OtherFocusReason)
        self.setFocusProxy(widget)

    def _on_tab_chosen(self, name: str) -> None:
        self.session.navigation.set_tab(self._name, name)
