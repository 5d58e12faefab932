"""The latest message, and the progress of long work. They lie over the content, so that nothing moves; only a message
that stays takes room from a view, where the status bar has none for it. Answers to acts are shown where these were
done; see ``gui/act_answers.py``.

They read the session and call its methods, and know no view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QSizePolicy, QWidget

from irviewer.commands import find, run_command
from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import CloseButton, LinkButton
from irviewer.gui.widgets.panel import ElidedLabel, FoldedLabel
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip
from irviewer.session.messages import Level, Message
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.session.session import Session

HEIGHT = 32
FLOATING_HEIGHT, TALLER = 28, 38
"""The height of what floats, with a line of text and with two."""
BELOW_VIEWS = 8
"""The gap in pixels between a view and the status bar."""
LEAST_ROOM = 420
"""The width in pixels beside the legend from which two lines hold a hint."""
STAYS_MS = {Level.HINT: 15_000, Level.INFO: 15_000}
"""How long messages stay that need no answer; others stay until they are dismissed."""
SHOW_AFTER_MS = 500
"""The progress of shorter work is not shown, since a flash would only disturb."""


@guarded
class Line(QWidget):
    """A bar of one line with a border above; a box with a border all round where it ``floats``.

    toggled   it was shown or hidden
    """

    toggled = Signal()
    STRETCH = 1
    """Its part of what a row has left."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.floats = False
        self.setFixedHeight(HEIGHT)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(14, 0, 10, 0)
        self.row.setSpacing(8)
        theme.changed.connect(self.update)

    @property
    def waits(self) -> bool:
        """Whether it can do with less room, so that it hides no legend: a hint, and what needs no answer."""
        return False

    @property
    def stays(self) -> bool:
        """Whether it stays until it is dismissed, so that what it hid could not be seen."""
        return False

    def wanted_width(self) -> int:
        """Return the width in pixels that shows all of it."""
        widgets = (child for child in self.children() if isinstance(child, QWidget) and not child.isHidden())
        parts = [max(part.sizeHint().width(), part.minimumWidth()) for part in widgets]
        margins = self.row.contentsMargins()
        return sum(parts) + self.row.spacing() * (len(parts) - 1) + margins.left() + margins.right()

    def event(self, event: QEvent) -> bool:
        # Also where what it lies in is hidden, which showEvent does not say.
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self.toggled.emit()
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self.floats:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self.theme["control_border"], 1))
            painter.setBrush(self.theme["panel"])
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
            return
        painter.fillRect(self.rect(), self.theme["panel"])
        painter.setPen(self.theme["panel_border"])
        painter.drawLine(0, 0, self.width(), 0)


@guarded
class Floating(QWidget):
    """A row of lines over the lower edge of a widget: over the status bar, or above it where that has no room.

    covers   the height in pixels that a view must leave free, so that its last rows can be seen: what a line that stays
             takes above the gap below the view; 0 for none
    """

    covers = Signal(int)
    MARGIN = 6
    SPACING = 6

    def __init__(self, below: QWidget, lines: Sequence[Line], room: Callable[[], int | None]) -> None:
        """``below`` is the widget that it lies over. ``room`` returns the width in pixels that hides least of the
        status bar: the row is as wide, or wider if a text is longer. Where it is None, or a text would hide the
        bar in a narrow window, the row lies above it."""
        super().__init__(below)
        self._room = room
        self._lines = lines
        self._below = below
        self._row = layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(self.SPACING)
        for line in lines:
            line.floats = True
            line.setFixedHeight(FLOATING_HEIGHT)
            layout.addWidget(line, line.STRETCH)
            line.toggled.connect(self.place)
        self.place()

    def place(self) -> None:
        """Take the place at the lower edge, from the left."""
        shown = [line for line in self._lines if not line.isHidden()]
        self.setVisible(bool(shown))
        if not shown:
            self.covers.emit(0)
            return
        wanted = sum(line.wanted_width() for line in shown) + self.SPACING * (len(shown) - 1)
        for line in shown:
            if not line.STRETCH:
                line.setFixedWidth(line.wanted_width())
        room = self._room()
        most = self._below.width() - 2 * self.MARGIN
        if room is not None and any(line.waits for line in shown):
            room = room if room >= LEAST_ROOM else None
            most = most if room is None else min(most, room)
        elif room is not None and sum(line.wanted_width() for line in shown if line.STRETCH) > room:
            room = None  # above the bar, whose texts and buttons stay in sight
        elif room is not None and room >= LEAST_ROOM:
            most = min(most, room)  # beside progress, which passes, a text is cut for a while
        elif room is not None and wanted > room:
            room = None
        height = FLOATING_HEIGHT if wanted <= most else TALLER
        for line in shown:
            line.setFixedHeight(height)
        bottom = self._below.height() - (HEIGHT - FLOATING_HEIGHT) // 2 - (HEIGHT if room is None else 0)
        if any(line.STRETCH for line in shown):
            wanted = max(wanted, room or 0)
        # Over the status bar it reaches the lower edge: a second line of the bar's text would look out below it.
        below = self._below.height() - bottom if room is not None else 0
        self._row.setContentsMargins(0, 0, 0, below)
        self.setGeometry(self.MARGIN, bottom - height, min(wanted, most), height + below)
        self._row.activate()
        self.raise_()
        self.update()
        over = self._below.height() - HEIGHT - self.y()
        self.covers.emit(over if over > BELOW_VIEWS and any(line.stays for line in shown) else 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._row.contentsMargins().bottom():
            bar = self.rect().adjusted(0, self.height() - HEIGHT + 1, 0, 0)
            QPainter(self).fillRect(bar, self._lines[0].theme["panel"])


@guarded
class Sign(QWidget):
    """The icon of a message: a ring with "i" for information and hints, a triangle with "!" for warnings and errors."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.level = Level.INFO
        self.setFixedSize(16, 16)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        grave = self.level in (Level.WARNING, Level.ERROR)
        colour = self._theme["warning" if grave else "muted"]
        painter.setPen(QPen(colour, 1.4))
        if self.level is Level.ERROR:
            painter.setBrush(colour)
        if grave:
            painter.drawPolygon(QPolygonF([QPointF(8, 1.8), QPointF(15, 14.2), QPointF(1, 14.2)]))
        else:
            painter.drawEllipse(QRectF(1.5, 1.5, 13, 13))
        mark = self._theme["panel"] if self.level is Level.ERROR else colour
        painter.setPen(QPen(mark, 1.5))
        if grave:
            painter.drawLine(QPointF(8, 6), QPointF(8, 9.6))
            painter.drawPoint(QPointF(8, 12))
        else:
            painter.drawLine(QPointF(8, 7.4), QPointF(8, 11.2))
            painter.drawPoint(QPointF(8, 4.8))


@guarded
class MessageBar(Line):
    """The latest message. × or Esc dismisses it and shows the one before; "Details" opens its details."""

    details_asked = Signal(object)

    @property
    def waits(self) -> bool:
        return self.message is not None and self.message.level in STAYS_MS

    @property
    def stays(self) -> bool:
        message = self.message
        return message is not None and bool(message.level not in STAYS_MS or message.action or message.details)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._session = session
        self.message: Message | None = None
        self._sign = Sign(theme)
        self._text = FoldedLabel()
        self._text.setFont(theme.font(9.5))
        self._more = PlainLabel()
        self._more.setFont(theme.font(9))
        self.action = LinkButton(theme, "")
        self.details = LinkButton(theme, tr("Details"))
        self.close_button = CloseButton(theme)
        set_tooltip(self.close_button, tr("Dismiss (Esc)"))
        self.close_button.setAccessibleName(tr("Dismiss"))
        for widget in (self._sign, self._text, self._more, self.action, self.details, self.close_button):
            self.row.addWidget(widget, 1 if widget is self._text else 0)
        self.action.clicked.connect(self._on_action_clicked)
        self.details.clicked.connect(self._on_details_clicked)
        self.close_button.clicked.connect(self.dismiss)
        self.leaving = QTimer(self, singleShot=True)
        self.leaving.timeout.connect(self._on_left)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()
        self.refresh()

    @property
    def text(self) -> str:
        """The text shown."""
        return self._text.text() if self.message is not None else ""

    def refresh(self) -> None:
        """Show the latest message of the session, and hide if there is none."""
        messages = self._messages()
        former, self.message = self.message, self._latest(messages)
        self.setVisible(self.message is not None)
        if self.message is not former:
            self._begin_leaving()
        if self.message is None:
            return
        self._sign.level = self.message.level
        self._sign.update()
        self._text.setText(self.message.text)
        set_tooltip(self._text, self.message.text)
        self._text.setAccessibleName(self.message.text)
        self._more.setText(trn("{n} more", "{n} more", len(messages) - 1) if len(messages) > 1 else "")
        self._more.setVisible(len(messages) > 1)
        self.details.setVisible(bool(self.message.details))
        action = self.message.action
        self.action.setVisible(bool(action))
        if action:
            self.action.setText(find(self._session, action).title)
        self.toggled.emit()  # another text has another width

    def dismiss(self) -> None:
        if self.message is not None:
            self._session.dismiss_message(self.message)

    def stop(self) -> None:
        """Let no message go any more, since the window closes."""
        self.leaving.stop()

    def _begin_leaving(self) -> None:
        """Let a message that needs no answer go after a while."""
        if self.message is None or self.stays:
            self.leaving.stop()
        else:
            self.leaving.start(STAYS_MS[self.message.level])

    def _on_left(self) -> None:
        if self.underMouse():  # it is being read
            self._begin_leaving()
        else:
            self.dismiss()

    def _messages(self) -> list[Message]:
        return [message for message in self._session.view.messages if not message.answers_act]

    @staticmethod
    def _latest(messages: Sequence[Message]) -> Message | None:
        """Return the message to show: the latest one; a hint only if there is no other message. What says that work of
        the user is at stake is behind no other message, save an error that came later."""
        others = [message for message in messages if message.level is not Level.HINT]
        if any(message.is_about_work for message in others):
            others = [message for message in others if message.is_about_work or message.level is Level.ERROR]
        return next(reversed(others or messages), None)

    def _on_action_clicked(self) -> None:
        if self.message is not None and self.message.action:
            run_command(self._session, self.message.action)

    def _on_details_clicked(self) -> None:
        self.details_asked.emit(self.message)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            # A new style sheet resets the palettes of labels.
            QTimer.singleShot(0, self, self._on_theme_changed)

    def _on_theme_changed(self) -> None:
        for label, name in ((self._text, "text"), (self._more, "muted")):
            label.set_ink(self.theme[name])


class ProgressLine(Line):
    """The progress of long work: title, time, progress and a button to cancel it."""

    STRETCH = 0

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._session = session
        self._title = ElidedLabel()
        self._title.setFont(theme.font(9.5))
        self._elapsed = PlainLabel()
        self._elapsed.setFont(theme.font(9, numbers=True))
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.bar.setFixedWidth(120)
        self.cancel = LinkButton(theme, tr("Cancel"))
        for widget in (self._title, self._elapsed, self.bar, self.cancel):
            self.row.addWidget(widget, 1 if widget is self._title else 0)
        self._timer = QTimer(self)
        self._timer.setInterval(200)
        self._timer.timeout.connect(self.refresh)
        self.cancel.clicked.connect(self._on_cancel_clicked)
        self.hide()

    def refresh(self) -> None:
        """Update from the session."""
        busy = self._session.busy
        if busy is None:
            self._timer.stop()
            self.hide()
            return
        if not self._timer.isActive():
            self._timer.start()
        if busy.since * 1000 < SHOW_AFTER_MS:
            return
        if busy.title != self._title.text():
            self._title.setText(busy.title)
            self.toggled.emit()  # another text has another width
        self._elapsed.setText(tr("{seconds:.0f} s", seconds=busy.since))
        if busy.fraction is None:
            self.bar.setRange(0, 0)
        else:
            self.bar.setRange(0, 1000)
            self.bar.setValue(int(busy.fraction * 1000))
        self.show()

    def stop(self) -> None:
        """Stop following, since the window closes."""
        self._timer.stop()

    def _on_cancel_clicked(self) -> None:
        busy = self._session.busy
        if busy is not None:
            busy.cancel()
