"""A panel for a plot that is made later, since the plotting library loads after the first paint.

It knows how to make a canvas, not what it draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.panel import Panel
from irviewer.gui.widgets.plain_text import PlainLabel


class PlotPanel(Panel):
    """A panel for a plot: ``make`` returns the canvas, ``put`` shows a value on it. The latest value is kept until
    then."""

    def __init__(
        self,
        theme: Theme,
        make: Callable[[], QWidget],
        put: Callable[[Any, Any], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, parent=parent)
        self._make = make
        self._put = put
        self._waiting: Any = None
        self._shown: Any = None
        self.canvas: QWidget | None = None
        body = QWidget()
        self._body_layout = QVBoxLayout(body)
        self._body_layout.setContentsMargins(2, 2, 4, 4)
        self.reason = PlainLabel()
        """Why nothing is drawn, in place of the plot and what is below it."""
        self.reason.setFont(theme.font(10))
        self.reason.setWordWrap(True)
        self.reason.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.reason.setContentsMargins(10, 6, 8, 6)
        self.reason.hide()
        pages = QWidget()
        both = QVBoxLayout(pages)
        both.setContentsMargins(0, 0, 0, 0)
        both.setSpacing(0)
        both.addWidget(self.reason, 1)
        both.addWidget(body, 1)
        self._body = body
        self.set_body(pages)
        # Room for the header and a legible curve with its axis.
        self.setMinimumHeight(108)

    def show_value(self, value: Any, again: bool = False) -> None:
        """Show a figure or map, once there is a canvas; the same one again only if ``again``."""
        self._waiting = value
        if self.canvas is not None and (again or value is not self._shown):
            self._shown = value
            self._put(self.canvas, value)

    def show_reason(self, text: str) -> None:
        """Show why nothing is drawn in place of the plot; the plot for ""."""
        self.reason.setText(text)
        self.reason.setVisible(bool(text))
        self._body.setVisible(not text)

    def add_below(self, widget: QWidget) -> None:
        """Put a widget below the plot, such as its legend."""
        self._body_layout.addWidget(widget)

    def load(self) -> None:
        """Make the canvas if there is none, and show the latest value."""
        if self.canvas is None:
            self.canvas = self._make()
            self._body_layout.insertWidget(0, self.canvas, 1)  # above a legend that is there already
            self.setFocusProxy(self.canvas)
        if self._waiting is not None:
            self.show_value(self._waiting)
