"""Answers to the user's acts, beside the place where they were done: a small label that lies over the window, so that
nothing moves, and that goes by itself.

What says an act is answered is the session: a message that is sent or kept. What is copied answers for itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QClipboard,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWindow,
)
from PySide6.QtWidgets import QAbstractItemView, QAbstractScrollArea, QApplication, QHBoxLayout, QMenuBar, QWidget

from irviewer.commands import find, run_command
from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import LinkButton
from irviewer.gui.widgets.kept_clear import clear_place, kept_clear
from irviewer.gui.widgets.overlay import OverlaySheet
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.screen_reader import announce
from irviewer.session.messages import Message
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.session.session import Session

WIDEST = 440
"""The width in pixels from which a text has several lines."""
MARGIN = 8
"""The least distance from the edges of the window, in pixels."""
STAYS_MS, OFFER_STAYS_MS = 4_000, 20_000
"""How long an answer stays, and one with something to click."""
MS_PER_LETTER = 40
"""How much longer a long text stays: it is to be read."""
LOW = 60
"""The height in pixels of widgets that an answer is put beside as a whole."""
MOST_COPIED = 60
"""The number of characters of a copied text that are shown."""


@runtime_checkable
class HasCursor(Protocol):
    """A painted widget with a current row."""

    def cursor_rect(self) -> QRect | None:
        """Return the rectangle of the current row in the viewport; None without one."""
        ...


@guarded
class LastAct(QObject):
    """Where the user's last act was done: at the pointer, or where the keyboard is.

    escaped   Esc was pressed, whatever else it does"""

    escaped = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._native: QWindow | None = None
        self.known = False
        """False until the user does something in the window, and after a program opened files."""
        self.pointer: QPoint | None = None
        """The position in the window; None for keys, menus and the palette, which act where the keyboard is."""
        self.left = False
        """Whether it led to another place, where its position means nothing."""

    def watch(self) -> None:
        """Watch what the window gets from the system, once it is shown. Its widgets get far more events."""
        native = self._window.windowHandle()
        if native is not None and native is not self._native:
            self._native = native
            native.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.MouseButtonPress and isinstance(event, QMouseEvent):
            self.on_pressed(event.position().toPoint())
        elif kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            self.on_key()
            if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
                self.escaped.emit()
        return False

    def on_pressed(self, position: QPoint) -> None:
        """Note that a mouse button was pressed at a position of the window."""
        self.known, self.left = True, False
        widget = self._window.childAt(position)
        while widget is not None and not isinstance(widget, QMenuBar | OverlaySheet | ActAnswer):
            widget = widget.parentWidget()
        if not isinstance(widget, ActAnswer):
            self.pointer = None if widget is not None else position

    def on_key(self) -> None:
        """Note that a key was pressed, or a command chosen."""
        self.known, self.left = True, False
        self.pointer = None

    def rect(self) -> QRect | None:
        """Return where it was done, in the window: at the pointer the row or the low widget there, else the current row
        of the widget with the focus, or that widget if it is low. None if there is no such place, or it was left."""
        if self.left:
            return None
        if self.pointer is not None:
            top, bottom = self._span_at(self.pointer)
            return QRect(QPoint(self.pointer.x(), top), QPoint(self.pointer.x(), bottom))
        widget = QApplication.focusWidget()
        if widget is None or not self._window.isAncestorOf(widget):
            return None
        rect = _current_row(widget)
        if rect is None:
            return QRect(widget.mapTo(self._window, QPoint(0, 0)), widget.size()) if widget.height() <= LOW else None
        area = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
        rect = rect.intersected(area.rect())
        return None if rect.isEmpty() else QRect(area.mapTo(self._window, rect.topLeft()), rect.size())

    def _span_at(self, position: QPoint) -> tuple[int, int]:
        """Return top and bottom of the row, or of the low widget, at a position of the window."""
        widget = self._window.childAt(position)
        if widget is None:
            return position.y(), position.y()
        inside, above = widget.mapFrom(self._window, position), widget.parentWidget()
        rect = widget.rect() if widget.height() <= LOW else QRect(inside, QSize(1, 1))
        if isinstance(above, QAbstractItemView) and widget is above.viewport():
            index = above.indexAt(inside)
            rect = above.visualRect(index) if index.isValid() else rect
        elif isinstance(above, HasCursor):
            row = above.cursor_rect()
            rect = row if row is not None and row.contains(inside) else rect
        top = widget.mapTo(self._window, rect.topLeft()).y()
        return min(top, position.y()), max(top + rect.height() - 1, position.y())

    def view(self) -> QRect:
        """Return the widget with the focus, in the window; the whole window where another place came into view."""
        widget = QApplication.focusWidget()
        if self.left or widget is None or not self._window.isAncestorOf(widget):
            return self._window.rect()
        return QRect(widget.mapTo(self._window, QPoint(0, 0)), widget.size())


def _current_row(widget: QWidget) -> QRect | None:
    if isinstance(widget, QAbstractItemView):
        rect = widget.visualRect(widget.currentIndex())
        return QRect(0, rect.top(), widget.viewport().width(), rect.height()) if rect.isValid() else None
    return widget.cursor_rect() if isinstance(widget, HasCursor) else None


def is_ours(clipboard: QClipboard) -> bool:
    """Return whether this program set the clipboard."""
    return clipboard.ownsClipboard()


@guarded
class ActAnswer(QWidget):
    """The label. The pointer goes through it, unless it has something to click."""

    def __init__(self, session: Session, theme: Theme, window: QWidget, act: LastAct) -> None:
        super().__init__(window)
        self._session = session
        self._theme = theme
        self._window = window
        self._act = act
        self.message: Message | None = None
        self.label = PlainLabel()
        self.label.setFont(theme.font(9.5))
        self.label.setWordWrap(True)
        self.link = LinkButton(theme, "")
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 4, 10, 4)
        row.setSpacing(6)
        row.addWidget(self.label, 1)
        row.addWidget(self.link)
        self.leaving = QTimer(self, singleShot=True)
        self.leaving.timeout.connect(self._on_left)
        self.link.clicked.connect(self._on_link_clicked)
        theme.changed.connect(self.update)
        self.hide()

    def show_message(self, message: Message) -> None:
        """Show a message beside the last act, and let screen readers read it."""
        self.message = message
        self.label.setText(message.text)
        offers = bool(message.action)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, not offers)
        self.link.setVisible(offers)
        if offers:
            self.link.setText(find(self._session, message.action).title)
        self.place()
        self.show()
        self.raise_()
        self.leaving.start((OFFER_STAYS_MS if offers else STAYS_MS) + MS_PER_LETTER * len(message.text))
        announce(self, message.text)

    def leave(self) -> None:
        """Go, and give the keyboard back if it is here."""
        if self.link.hasFocus():
            self._window.setFocus(Qt.FocusReason.OtherFocusReason)
        self.leaving.stop()
        self.message = None
        self.hide()

    def place(self) -> None:
        """Take a place above the last act, or below where there is no room: further rows are mostly below it. It lies
        over no legend, and over nothing that shows what the act changed."""
        metrics = QFontMetrics(self.label.font())
        beside = 20 + (self.link.sizeHint().width() + 6 if self.link.isVisibleTo(self) else 0)
        most = min(WIDEST, self._window.width() - 2 * MARGIN) - beside
        wanted = metrics.boundingRect(
            QRect(0, 0, most, 10_000), int(Qt.TextFlag.TextWordWrap | Qt.TextFlag.TextWrapAnywhere), self.label.text()
        ).size()
        self.resize(min(wanted.width() + 2, most) + beside, max(wanted.height(), 20) + 8)
        rect = self._act.rect() if self._act.known else None
        if rect is None:
            view = self._act.view()  # over its lower edge, in the middle
            left, top = view.center().x() - self.width() // 2, view.bottom() - self.height() - MARGIN
        elif self._act.pointer is not None:
            left, top = rect.left() + 14, rect.top() - self.height() - 2
            if top < MARGIN:
                top = rect.bottom() + 20
        else:
            left, top = max(rect.left(), rect.right() - self.width() - 12), rect.top() - self.height() - 2
            if top < MARGIN:
                top = rect.bottom() + 4
        kept = kept_clear(self._window)
        if rect is not None:  # the whole row, which shows what changed
            kept.append(QRect(0, rect.top(), self._window.width(), rect.height()))
        room = self._window.rect().adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        self.move(clear_place(QRect(QPoint(left, top), self.size()), room, kept))

    def _on_left(self) -> None:
        if self.link.hasFocus() or self.underMouse():  # it is being read
            self.leaving.start(STAYS_MS)
        else:
            self.dismiss()

    def dismiss(self) -> None:
        """Go, and take the message from the session."""
        message = self.message
        self.leave()
        if message is not None:
            self._session.dismiss_message(message)

    def _on_link_clicked(self) -> None:
        message = self.message
        self.leave()
        if message is not None:
            run_command(self._session, message.action)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme["control_border"], 1))
        painter.setBrush(self._theme["panel"])
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)


class ActAnswers(QObject):
    """Shows the answers of a session in its window, the newest only."""

    def __init__(self, session: Session, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._theme = theme
        self._window = window
        self.act = LastAct(window)
        self.shown: ActAnswer | None = None
        """The label; None before the first answer."""
        self._waiting: Message | None = None
        self._known: tuple[Message, ...] = ()
        # When the views are up to date: rows may have moved.
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._on_ready)
        self.act.escaped.connect(self._on_escaped)
        session.answered.connect(self._on_answered)
        QGuiApplication.clipboard().dataChanged.connect(self._on_copied)

    @property
    def text(self) -> str:
        """The text shown, or about to be; "" for none."""
        if self._waiting is not None:
            return self._waiting.text
        return "" if self.shown is None or self.shown.message is None else self.shown.message.text

    def refresh(self) -> None:
        """Show the newest message of the session that answers an act, and let one go that the session dropped."""
        messages = tuple(message for message in self._session.view.messages if message.answers_act)
        former, self._known = self._known, messages
        new = [message for message in messages if message not in former]
        if new:
            self._show(new[-1])
        elif self.shown is not None and self.shown.message in former and self.shown.message not in messages:
            self.shown.leave()

    def leave_view(self, *, place: bool) -> None:
        """Let the answer go with the view that it lies over. An offer to undo stays, at the edge of the next one;
        judging is offered for a document that is not seen there. ``place``: another place is shown, so that what led
        there is answered at its edge."""
        self.act.left = self.act.left or place
        if self.shown is None or self.shown.message is None:
            return
        if self.shown.message.action == "undo":
            self.act.known = False
            self.shown.place()
        else:
            self.shown.dismiss()

    def _on_escaped(self) -> None:
        if self.shown is not None and self.shown.message is not None:
            self.shown.dismiss()

    def stop(self) -> None:
        """Answer no more, since the window closes."""
        self._timer.stop()
        self._session.answered.disconnect(self._on_answered)
        QGuiApplication.clipboard().dataChanged.disconnect(self._on_copied)
        if self.shown is not None:
            self.shown.leaving.stop()

    def _show(self, message: Message) -> None:
        self._waiting = message
        self._timer.start()

    def _on_answered(self, message: Message) -> None:
        # What a program or a lesson does is no act of the user; dialogs answer for themselves.
        if self.act.known and QApplication.activeModalWidget() is None:
            self._show(message)

    def _on_copied(self) -> None:
        clipboard = QGuiApplication.clipboard()
        if is_ours(clipboard) and self._window.isActiveWindow():
            text = clipboard.text()
            lines = text.strip("\n").count("\n") + 1
            if not text:
                answer = tr("Copied the picture")
            elif lines > 1:
                answer = trn("Copied {n:,} line", "Copied {n:,} lines", lines)
            else:
                answer = tr("Copied: {text}", text=text if len(text) <= MOST_COPIED else f"{text[:MOST_COPIED]}…")
            self._session.store.answer(answer)

    def _on_ready(self) -> None:
        message, self._waiting = self._waiting, None
        if message is None:
            return
        if self.shown is None:
            self.shown = ActAnswer(self._session, self._theme, self._window, self.act)
        self.shown.show_message(message)
