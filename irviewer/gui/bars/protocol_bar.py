"""The line of the protocol below the top bar: what all answers in view assume, each part a control that changes it.

It reads the session and knows no view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLayout, QMenu, QSizePolicy, QWidget

from irviewer.commands import find, run_command
from irviewer.commands.actions.protocol import FIELDS, UNJUDGED
from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import ThemedButton
from irviewer.gui.widgets.menu_below import open_below
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip
from irviewer.gui.widgets.regime_menu import RegimeMenu
from irviewer.session.changes import Change
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.evaluation.bind import BoundProtocol
    from irviewer.model.protocol_line import LinePart
    from irviewer.session.session import Session

DEPENDS = frozenset(
    {
        Change.WORKSPACE,
        Change.COLLECTION,
        Change.RUNS,
        Change.MEASURE,
        Change.STATISTICS,
        Change.DIALECTS,
        Change.LESSON,
        Change.PLACE,
    }
)
"""The changes that can change the protocol; a step to another query is none."""
HEIGHT = 18
SIDE = 14
"""Pixels left and right of the line, as in the top bar."""
GAP = 3
PAD, JOINED_PAD = 3, 1
"""Pixels beside the text of a part; fewer where two parts read as one phrase, which are then a space apart."""


@guarded
class PartButton(ThemedButton):
    """A part of the line. What nobody declared has a dotted underline."""

    def __init__(self, theme: Theme, part: LinePart, *, goes_on: bool = False) -> None:
        """``goes_on``: the next part is joined to this one."""
        super().__init__(theme)
        self.part = part
        self._pads = JOINED_PAD if part.joined else PAD, JOINED_PAD if goes_on else PAD
        self.setFont(theme.font(9))
        self.setText(part.text)
        self.setAccessibleName(part.text)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setEnabled(part.place in FIELDS or part.place == UNJUDGED)

    @property
    def is_open(self) -> bool:
        """Whether nobody declared the value: it is a default, or follows from a name."""
        return self.part.origin in ("default", "name")

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + sum(self._pads), HEIGHT - 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_box(painter, framed=False)
        painter.setFont(self.font())
        colour = self.theme.colours["ink" if self.underMouse() or self.hasFocus() else "muted"]
        painter.setPen(colour)
        box = self.rect().adjusted(self._pads[0], 0, -self._pads[1], 0)
        painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), self.text())
        if self.is_open:
            painter.setPen(QPen(colour, 1, Qt.PenStyle.DotLine))
            below = (self.height() + self.fontMetrics().ascent()) // 2 + 2
            painter.drawLine(box.left(), below, box.right(), below)


@guarded
class ProtocolBar(QWidget):
    """The line, with a button for each part."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._protocol: BoundProtocol | None = None
        self.buttons: list[PartButton] = []
        self._marks: list[PlainLabel] = []
        self.menu: RegimeMenu | None = None
        self.context_menu: QMenu | None = None
        self.setFixedHeight(HEIGHT)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(SIDE, 0, SIDE, 0)
        self._row.setSpacing(GAP)
        self._row.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self.more = PlainLabel("…")
        self._row.addWidget(self.more)
        self._row.addStretch(1)
        theme.changed.connect(self._on_theme_changed)
        self.refresh()
        self.show_if_wanted()

    def minimumSizeHint(self) -> QSize:
        # A long line makes no window wider.
        return QSize(0, HEIGHT)

    @property
    def text(self) -> str:
        """The whole line, whether it has room or not."""
        return "" if self._protocol is None else self._protocol.line()

    def refresh(self) -> None:
        """Update from the session: the line of the collection in view, or of all of them in Collections. Nothing is
        done unless it changed."""
        session = self._session
        several = session.view.place == "collections"
        protocol = session.collections.protocol if several else session.view.protocol
        if protocol is self._protocol:
            return
        former, self._protocol = self._protocol, protocol
        if protocol is not None and (former is None or former.parts() != protocol.parts()):
            self._fill(protocol)

    def show_if_wanted(self) -> None:
        """Show the line where there are answers; not in class, which needs the room, nor while judging blind, where
        names of runs are hidden."""
        session = self._session
        hidden = session.teaching.is_on or (session.judging.blind and session.view.place == "query")
        self.setVisible(self._protocol is not None and not hidden)

    def _fill(self, protocol: BoundProtocol) -> None:
        for widget in (*self.buttons, *self._marks):
            self._row.removeWidget(widget)
            widget.hide()  # until then it would be painted below the new ones
            widget.deleteLater()
        self.buttons, self._marks = [], []
        place = 0
        parts = protocol.parts()
        for number, part in enumerate(parts, 1):
            mark = PlainLabel("" if not self.buttons or part.joined else "·")
            mark.setFont(self._theme.font(9))
            button = PartButton(self._theme, part, goes_on=number < len(parts) and parts[number].joined)
            button.clicked.connect(self._on_clicked)
            for widget in (mark, button):
                self._row.insertWidget(place, widget)
                place += 1
            self._marks.append(mark)
            self.buttons.append(button)
        full = tr("The numbers in view depend on this: {line}", line=protocol.full_text())
        for widget in (self, self.more, *self.buttons):
            set_tooltip(widget, full)
        self.setAccessibleName(protocol.line())
        self._show_what_fits()

    def _on_clicked(self) -> None:
        button = self.sender()
        if not isinstance(button, PartButton):
            return
        if button.part.place == UNJUDGED:
            self._open_regimes(button)
        elif button.part.place in FIELDS:
            run_command(self._session, FIELDS[button.part.place])

    def _open_regimes(self, button: PartButton) -> None:
        """Offer how judging was done, which is declared and never inferred."""
        if self._session.view.judgments is None:
            return
        self.menu = open_below(RegimeMenu(self._session, self), button)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.context_menu = QMenu(self)
        for name in ("protocol", "copy_protocol", "save_protocol", "open_protocol"):
            self.context_menu.addAction(find(self._session, name).title).setData(name)
        self.context_menu.triggered.connect(self._on_context_chosen)
        self.context_menu.popup(event.globalPos())

    def _on_context_chosen(self, action: QAction) -> None:
        run_command(self._session, str(action.data()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_what_fits()

    def _show_what_fits(self) -> None:
        """Hide the last parts that have no room, and show "…" for them."""
        room = self.width() - 2 * SIDE
        ends, end = [], 0
        for mark, button in zip(self._marks, self.buttons, strict=True):
            end += mark.sizeHint().width() + button.sizeHint().width() + 2 * GAP
            ends.append(end)
        whole = not ends or ends[-1] <= room
        room -= 0 if whole else self.more.sizeHint().width()
        for mark, button, end in zip(self._marks, self.buttons, ends, strict=True):
            mark.setVisible(end <= room and bool(mark.text()))
            button.setVisible(end <= room)
        self.more.setVisible(not whole)

    def _on_theme_changed(self) -> None:
        for mark in self._marks:
            mark.setFont(self._theme.font(9))
        self.update()
