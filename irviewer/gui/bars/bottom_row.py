"""The row at the lower edge of the window: what the user must know now, beside the status.

It has one height, so that nothing moves when a bar comes or goes."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from irviewer.gui.bars.message_bar import Line
from irviewer.gui.bars.status_bar import HEIGHT, StatusBar
from irviewer.gui.guard import guarded

TOGETHER = 800
"""The width in pixels below which a line has the whole row: its buttons are worth more than a legend."""


@guarded
class BottomRow(QWidget):
    """The status bar, left of it the first of ``lines`` that is shown; the status bar then has its most important
    parts only."""

    def __init__(self, lines: tuple[Line, ...], status_bar: StatusBar) -> None:
        super().__init__()
        self._status_bar = status_bar
        self._rooms: list[tuple[Line, QWidget]] = []
        self.setFixedHeight(HEIGHT)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for line in lines:
            room = QWidget()
            inside = QHBoxLayout(room)
            inside.setContentsMargins(0, 0, 0, 0)
            inside.addWidget(line)
            layout.addWidget(room, 1)
            self._rooms.append((line, room))
            line.toggled.connect(self._on_toggled)
        layout.addWidget(status_bar)
        self._on_toggled()

    def words_room(self) -> int | None:
        """Return the width in pixels of the warnings of the status bar; None if a line has their place."""
        covered = self.isHidden() or any(not line.isHidden() for line, _ in self._rooms)
        return None if covered else self._status_bar.words_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._on_toggled()

    def _on_toggled(self) -> None:
        first = next((line for line, _ in self._rooms if not line.isHidden()), None)
        for line, room in self._rooms:
            room.setVisible(line is first)
        self._status_bar.set_narrow(first is not None)
        self._status_bar.setVisible(first is None or self.width() >= TOGETHER)
