"""The two sides of a page of Export for paper: the choices, and what is printed."""

from __future__ import annotations

from PySide6.QtWidgets import QBoxLayout, QLayout, QWidget

LEFT_WIDTH = 350
"""Pixels of width of the choices beside what is printed."""
LEAST_PRINTED = 240
"""Pixels of height of what is printed above the choices."""
ANY_WIDTH = 16777215


class Sides(QBoxLayout):
    """The choices at the left of what is printed, or below it in a narrow dialog."""

    def __init__(self, page: QWidget, choices: QLayout, printed: QLayout) -> None:
        super().__init__(QBoxLayout.Direction.LeftToRight, page)
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(8)
        self._choices, self._printed = QWidget(), QWidget()
        for side, layout in ((self._choices, choices), (self._printed, printed)):
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(8)
            side.setLayout(layout)
        self.addWidget(self._choices)
        self.addWidget(self._printed, 1)
        self.show_beside(True)

    def show_beside(self, beside: bool) -> None:
        """Place the sides beside each other, or what is printed above the choices."""
        self.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.BottomToTop)
        self._choices.setMinimumWidth(LEFT_WIDTH if beside else 0)
        self._choices.setMaximumWidth(LEFT_WIDTH if beside else ANY_WIDTH)
        self._printed.setMinimumHeight(0 if beside else LEAST_PRINTED)
