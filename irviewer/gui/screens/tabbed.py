"""A screen with tabs, each of which is made when it is first shown.

It knows which tab the session has chosen, not what the tabs show. All are hidden while judging blind, since they name
runs and ranks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.screens.blind_cover import Covered
from irviewer.gui.screens.screen import GAP, Screen
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import Segmented
from irviewer.session.changes import EVERY_CHANGE, Change
from irviewer.session.navigation.empty_tabs import nothing_in

if TYPE_CHECKING:
    from irviewer.gui.widgets.plot_panel import PlotPanel
    from irviewer.session.session import Session


@dataclass(frozen=True)
class Tab:
    """A tab: its name in the session, title, tooltip, how it is made, and what it is about: tabs of one ``group`` stand
    together under its name."""

    name: str
    title: str
    tip: str
    make: Callable[[Session, Theme], Screen]
    group: str = ""


@guarded
class TabbedScreen(Screen):
    """A strip of tabs over the current tab. Changes are remembered for hidden tabs."""

    def __init__(
        self, session: Session, theme: Theme, name: str, tabs: Sequence[Tab], parent: QWidget | None = None
    ) -> None:
        super().__init__(session, theme, parent)
        self._name = name
        self._tabs = {tab.name: tab for tab in tabs}
        self.views: dict[str, Screen] = {}
        self._missed: dict[str, frozenset[Change]] = {}
        choices = tuple((tab.name, tab.title, tab.tip) for tab in tabs)
        self.strip = Segmented(theme, choices, tabs=True, groups={tab.name: tab.group for tab in tabs})
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
        """The current tab."""
        return self.view(self.session.view.tab(self._name))

    @property
    def plots(self) -> tuple[PlotPanel, ...]:
        """The plots of the current tab."""
        return self.shown.plots if hasattr(self, "stack") and not self.session.judging.blind else ()

    @plots.setter
    def plots(self, value: tuple[PlotPanel, ...]) -> None:
        """Ignored: a tabbed screen has no plots itself."""

    def view(self, name: str) -> Screen:
        """Return a tab, which is made when it is first asked for."""
        if name not in self.views:
            view = self._tabs[name].make(self.session, self.theme)
            self.views[name] = view
            self._missed[name] = EVERY_CHANGE
            self.stack.addWidget(view)
        return self.views[name]

    def refresh(self, changes: frozenset[Change]) -> None:
        name = self.session.view.tab(self._name)
        is_new = name not in self.views
        self.view(name)
        for other in self.views:
            self._missed[other] = self._missed.get(other, frozenset()) | changes
        self.strip.show_chosen(name)
        for tab, button in self.strip.buttons.items():
            button.show_lack(nothing_in(self.session.view.collection, self._name, tab))
        self.strip.fit(self.width())
        self._next_part.stop()
        self._parts = []
        if self.session.judging.blind:
            self._bring_up(self._covering())
        elif is_new and self.isVisible() and self.takes_long:
            self._parts = [self._refresh_shown]
            self._next_part.start()
        else:
            self._refresh_shown()

    def _refresh_shown(self) -> None:
        view = self.shown
        view.refresh(self._missed.pop(self.session.view.tab(self._name)))
        self._bring_up(view)

    @property
    def is_waiting(self) -> bool:
        """Whether the current tab, or parts of it, wait to be refreshed."""
        if self._parts:
            return True
        view = None if self.session.judging.blind else self.views.get(self.session.view.tab(self._name))
        return view is not None and view.is_waiting

    def complete(self) -> None:
        super().complete()
        self.shown.complete()

    def release(self) -> None:
        super().release()
        for view in self.views.values():
            view.release()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "strip"):
            self.strip.fit(self.width())

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
        """Show ``widget``, and move the focus to it if it was on this screen."""
        if self.stack.currentWidget() is not widget:
            # The focus widget of the window, not of this screen: it is elsewhere while a sheet is open.
            focused = self.stack.isAncestorOf(self.window().focusWidget() or self)
            self.stack.setCurrentWidget(widget)
            if focused:
                widget.setFocus(Qt.FocusReason.OtherFocusReason)
        self.setFocusProxy(widget)

    def _on_tab_chosen(self, name: str) -> None:
        self.session.navigation.set_tab(self._name, name)
