"""The small controls of the bars: choice buttons, segmented switches, key caps, icon buttons.

They paint themselves in the colours of the theme."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAction,
    QColor,
    QFont,
    QFontMetrics,
    QIcon,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QMenu, QSizePolicy, QWidget

from irviewer import commands
from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme, make_font
from irviewer.gui.widgets.menu_below import open_below
from irviewer.gui.widgets.painting import SWATCH, draw_swatch
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip, visible
from irviewer.gui.widgets.screen_reader import set_role, tell_chosen
from irviewer.session.shortcuts import spelled
from irviewer.translation import tr

HEIGHT = 26
RADIUS = 5.0
_CENTRE = Qt.AlignmentFlag.AlignCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def swatch_icon(colour: QColor, filled: bool = True, border: QColor | None = None) -> QIcon:
    """Return the colour of a run as a menu icon; empty with a border for a hidden run."""
    pixmap = QPixmap(32, 32)
    pixmap.setDevicePixelRatio(2)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    draw_swatch(painter, QRect(3, 3, SWATCH, SWATCH), colour, filled, border)
    painter.end()
    return QIcon(pixmap)


@guarded
class ThemedButton(QAbstractButton):
    """A button painted in the colours of the theme: box, hover and focus ring."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        theme.changed.connect(self.update)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
            return
        super().keyPressEvent(event)

    def paint_box(self, painter: QPainter, *, framed: bool = True) -> None:
        """Paint the background: framed as a field, or only tinted under the pointer."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        theme = self.theme
        pressed = self.isDown() or self.isChecked()
        ground = theme.colours["selection" if pressed else "hover" if self.underMouse() else "control"]
        edge = theme.colours["ink" if self.hasFocus() else "control_border"]
        if framed:
            painter.setPen(QPen(edge, 1))
            painter.setBrush(ground)
            painter.drawRoundedRect(box, RADIUS, RADIUS)
        elif pressed or self.underMouse() or self.hasFocus():
            painter.setPen(QPen(edge, 1) if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(theme.colours["selection"])
            painter.drawRoundedRect(box, RADIUS, RADIUS)


@guarded
class ChoiceButton(ThemedButton):
    """A button that shows the current choice and opens a menu: swatch, text, ▾. Names wider than ``most`` pixels are
    replaced by the first of their ``forms`` that fits, or elided in the middle, and shown in full in the tooltip."""

    PADDING = 11
    ARROW = 7

    def __init__(self, theme: Theme, *, bold: bool = False, most: int = 190, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._most = most
        self._swatch: QColor | None = None
        self._given: tuple[str, str, QColor | None, tuple[str, ...]] | None = None
        self._forms: tuple[str, ...] = ()
        self.setFont(theme.font(9.5, weight=600 if bold else 400))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_choice(self, text: str, hint: str, swatch: QColor | None = None, forms: tuple[str, ...] = ()) -> None:
        """Show a choice; ``hint`` is what the choice is about, ``forms`` are shorter forms of the text."""
        given = text, hint, swatch, forms
        if given == self._given:
            return
        self._given = given
        text, forms = visible(text), tuple(map(visible, forms))
        self._forms = forms
        self._swatch = swatch
        self.setText(text)
        set_tooltip(self, f"{hint}: {text}" if self.natural_width > self._most else hint)
        self.setAccessibleName(f"{hint}: {text}")
        self.updateGeometry()
        self.update()

    def set_most(self, most: int) -> None:
        """Set the largest width."""
        if most != self._most:
            self._most = most
            self.updateGeometry()

    def _lead(self) -> int:
        return self.PADDING + (SWATCH + 6 if self._swatch is not None else 0)

    @property
    def natural_width(self) -> int:
        """The width in pixels that the whole text needs."""
        return self._lead() + self.fontMetrics().horizontalAdvance(self.text()) + 6 + self.ARROW + self.PADDING

    def shown_text(self, room: int) -> str:
        """Return the text as it is painted in ``room`` pixels."""
        metrics = self.fontMetrics()
        least = self.text()
        if not self._forms or metrics.horizontalAdvance(least) <= room:
            return metrics.elidedText(least, Qt.TextElideMode.ElideMiddle, room)
        for least in self._forms:
            if metrics.horizontalAdvance(least) <= room:
                break
        return metrics.elidedText(least, Qt.TextElideMode.ElideMiddle, room)

    def sizeHint(self) -> QSize:
        return QSize(min(self._most, self.natural_width + 1), HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_box(painter)
        left = self._lead()
        right = self.PADDING + self.ARROW + 6
        if self._swatch is not None:
            draw_swatch(painter, QRect(self.PADDING, (HEIGHT - SWATCH) // 2, SWATCH, SWATCH), self._swatch, True)
        painter.setPen(self.theme.colours["ink" if self.font().weight() >= 600 else "text"])
        painter.setFont(self.font())
        room = self.width() - left - right
        painter.drawText(QRect(left, 0, room + 2, HEIGHT), int(_LEFT), self.shown_text(room + 1))
        x = self.width() - self.PADDING - self.ARROW
        y = HEIGHT / 2 - 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.colours["text"])
        painter.drawPolygon(QPolygonF([QPointF(x, y), QPointF(x + self.ARROW, y), QPointF(x + self.ARROW / 2, y + 5)]))


@guarded
class TextButton(ThemedButton):
    """A button that is as wide as its text, painted in the colours of the theme."""

    PADDING = 11

    def __init__(self, theme: Theme, text: str, tip: str = "", parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setText(text)
        set_tooltip(self, tip)
        self.setFont(theme.font(9))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + 2 * self.PADDING, 24)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_box(painter)
        painter.setFont(self.font())
        painter.setPen(self.theme.colours["text"])
        painter.drawText(self.rect(), int(_CENTRE), self.text())


@guarded
class FindButton(ThemedButton):
    """The button of the command palette, drawn as a field with its shortcut; a magnifying glass and the shortcut if
    ``compact``."""

    GLASS = 12

    def __init__(self, theme: Theme, text: str, keys: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setText(text)
        self.setAccessibleName(f"{text} ({keys})")
        self._keys = keys
        self.compact = self.bare = False
        self.setFont(theme.font(9.5))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_compact(self, compact: bool, *, bare: bool = False) -> None:
        """Show or hide the text, with ``bare`` the shortcut too."""
        if (compact, bare) != (self.compact, self.bare):
            self.compact, self.bare = compact, bare
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        cap = key_cap_width(self._keys, self.theme)
        wide = self.GLASS if self.compact else self.fontMetrics().horizontalAdvance(self.text())
        return QSize(11 + wide + (11 if self.bare else 8 + cap + 8), HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_box(painter)
        painter.setPen(self.theme.colours["muted"])
        painter.setFont(self.font())
        if self.compact:
            middle = HEIGHT / 2
            painter.setPen(QPen(self.theme.colours["text"], 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(15.5, middle - 1), 4, 4)
            painter.drawLine(QPointF(18.5, middle + 2), QPointF(22, middle + 5.5))
        else:
            painter.drawText(self.rect().adjusted(11, 0, 0, 0), int(_LEFT), self.text())
        if self.bare:
            return
        cap = key_cap_width(self._keys, self.theme)
        draw_key_cap(painter, QRect(self.width() - cap - 8, (HEIGHT - 18) // 2, cap, 18), self._keys, self.theme)


@guarded
class MenuButton(ThemedButton):
    """The menu button: three lines."""

    def sizeHint(self) -> QSize:
        return QSize(HEIGHT, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_box(painter, framed=False)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(self.theme.colours["text"], 1))
        middle = self.height() // 2
        for offset in (-4, 0, 4):
            painter.drawLine(self.width() // 2 - 6, middle + offset, self.width() // 2 + 6, middle + offset)


@guarded
class QuestionButton(ThemedButton):
    """A small "?" that opens an explanation. The context menu has the same for the keyboard."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setAccessibleName(name)
        set_tooltip(self, name)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(18, 18)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.theme["ink" if self.underMouse() else "control_border"], 1))
        painter.setBrush(self.theme["hover" if self.underMouse() else "panel"])
        painter.drawEllipse(QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5))
        painter.setFont(self.theme.font(8, weight=600))
        painter.setPen(self.theme["ink" if self.underMouse() else "muted"])
        painter.drawText(self.rect(), int(_CENTRE), "?")


@guarded
class CloseButton(ThemedButton):
    """A small ×."""

    def sizeHint(self) -> QSize:
        return QSize(20, 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_box(painter, framed=False)
        painter.setPen(QPen(self.theme.colours["muted"], 1.4))
        c = QRectF(self.rect()).center()
        painter.drawLine(c + QPointF(-3.5, -3.5), c + QPointF(3.5, 3.5))
        painter.drawLine(c + QPointF(-3.5, 3.5), c + QPointF(3.5, -3.5))


@guarded
class LinkButton(ThemedButton):
    """An underlined text that can be clicked."""

    def __init__(self, theme: Theme, text: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        font = QFont(theme.font(9))
        font.setUnderline(True)
        self.setFont(font)
        self.setText(text)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + 10, 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_box(painter, framed=False)
        painter.setFont(self.font())
        painter.setPen(self.theme.colours["ink" if self.underMouse() else "text"])
        painter.drawText(self.rect(), int(_CENTRE), self.text())


@guarded
class SentenceLink(ThemedButton):
    """A sentence, underlined thin, that leads to its evidence; long ones are broken into lines. Its frame with the
    focus is ``INSET`` pixels beside the text: a layout that aligns the text with others moves it so far to the left."""

    INSET = 5

    def __init__(self, theme: Theme, text: str, where: str, size: float = 9.5) -> None:
        super().__init__(theme)
        self._size = size
        self.setText(text)
        self.setAccessibleName(visible(text))
        self.setAccessibleDescription(where)
        set_tooltip(self, where)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of the lines at a width."""
        room = QRect(0, 0, max(1, width - 2 * self.INSET), 10_000)
        metrics = QFontMetrics(self.theme.font(self._size))
        return metrics.boundingRect(room, self._flags, visible(self.text())).height() + 2

    def sizeHint(self) -> QSize:
        return QSize(200, self.heightForWidth(max(200, self.width())))

    @property
    def _flags(self) -> int:
        return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_box(painter, framed=False)
        font = QFont(self.theme.font(self._size))  # the theme keeps its own for others
        font.setUnderline(True)
        painter.setFont(font)
        painter.setPen(self.theme["ink" if self.underMouse() or self.hasFocus() else "text"])
        painter.drawText(self.rect().adjusted(self.INSET, 0, -self.INSET, 0), self._flags, visible(self.text()))


@lru_cache(maxsize=256)
def _bold_width(text: str) -> int:
    """The rows of choices ask for all their widths at each change of the session."""
    return QFontMetrics(make_font(9.5, weight=600)).horizontalAdvance(text)


ROOMY, TIGHT = 28, 14
"""Pixels beside the text of a choice, on both sides together: the usual ones, and where a row has little room."""


@guarded
class _Segment(ThemedButton):
    def __init__(self, theme: Theme, text: str, parent: QWidget, tip: str = "") -> None:
        super().__init__(theme, parent)
        self._tip = tip
        self._offered = True
        self._folded = False
        self.tight = False
        self.lacks = ""
        self._text_width = 0
        set_tooltip(self, tip)
        self.setText(text)
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def setText(self, text: str) -> None:
        super().setText(text)
        self._text_width = _bold_width(self.shown_text)
        self.setAccessibleName(text)  # a button with a role of its own does not tell its text

    @property
    def offered(self) -> bool:
        """Whether the choice can be made, even while a menu stands for the row."""
        return self._offered

    def setVisible(self, visible: bool) -> None:
        self._offered = visible
        super().setVisible(visible and not self._folded)

    def fold(self, folded: bool) -> None:
        """Leave the room to the menu of the row, or show the choice again."""
        self._folded = folded
        super().setVisible(self._offered and not folded)

    def show_lack(self, lacks: str) -> None:
        """Show by a dash and in grey that there is nothing behind it, with the reason in the tooltip; "" that there
        is."""
        if lacks != self.lacks:
            self.lacks = lacks
            self._text_width = _bold_width(self.shown_text)
            set_tooltip(self, "\n".join(filter(None, (self._tip, lacks))))
            self.setAccessibleDescription(lacks)
            self.updateGeometry()
            self.update()

    @property
    def shown_text(self) -> str:
        """The text as it is painted."""
        return f"{self.text()} –" if self.lacks else self.text()

    def set_tight(self, tight: bool) -> None:
        """Have little room beside the text, or the usual one."""
        if tight != self.tight:
            self.tight = tight
            self.updateGeometry()

    def width_of(self, tight: bool) -> int:
        """Return the width in pixels with little room beside the text, or the usual one."""
        # As wide as the bold text, so that nothing moves when the choice does.
        return self._text_width + (TIGHT if tight else ROOMY)

    def sizeHint(self) -> QSize:
        return QSize(self.width_of(self.tight), 24)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = self.isChecked()
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        if chosen:
            painter.setPen(QPen(self.theme.colours["control_border"], 1))
            painter.setBrush(self.theme.colours["window" if self.theme.dark else "control"])
            painter.drawRoundedRect(box, 5, 5)
        if self.hasFocus():  # inside the box of the chosen one, so that focus and choice look different
            painter.setPen(QPen(self.theme.colours["ink"], 1.5, Qt.PenStyle.DotLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(2.5, 2.5, -2.5, -2.5), 3, 3)
        painter.setFont(self.theme.font(9.5, weight=600 if chosen else 400))
        named = (chosen or self.underMouse()) and not self.lacks
        painter.setPen(self.theme.colours["ink" if named else "muted"])
        painter.drawText(self.rect(), int(_CENTRE), self.shown_text)


@guarded
class GroupTitle(PlainLabel):
    """The title before a group of choices, with a line that parts it from the group before."""

    def __init__(self, theme: Theme, text: str, parent: QWidget, *, first: bool) -> None:
        super().__init__(text, parent)
        self._theme = theme
        self._first = first
        self.setFont(theme.font(8.5))
        self.setContentsMargins(7 if first else 16, 0, 3, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self.font())
        painter.setPen(self._theme.colours["muted"])
        painter.drawText(self.contentsRect(), int(_LEFT), self.text())
        if not self._first:
            painter.setPen(QPen(self._theme.colours["frame"], 1))
            painter.drawLine(8, 4, 8, self.height() - 5)


@guarded
class Segmented(QWidget):
    """A switch of a few choices, one of which is chosen (or none). With ``tabs`` the choices are pages."""

    chosen = Signal(str)

    def __init__(
        self,
        theme: Theme,
        choices: tuple[tuple[str, str, str], ...],
        parent: QWidget | None = None,
        *,
        tabs: bool = False,
        groups: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """``choices`` are (value, text, tooltip); ``groups`` names the group of a choice, whose first has its title
        before it where there is room, see :meth:`fit`."""
        super().__init__(parent)
        set_role(self, QAccessible.Role.PageTabList if tabs else QAccessible.Role.Grouping)
        self._theme = theme
        self._group = QButtonGroup(self)
        self.buttons: dict[str, _Segment] = {}
        layout = QHBoxLayout(self)
        layout.setContentsMargins(3, 3, 3, 3)
        layout.setSpacing(0)
        self._titles: list[tuple[GroupTitle, list[_Segment]]] = []
        """The title of each group with its choices."""
        former: str | None = None
        grouped = len(set(groups.values())) > 1
        for value, text, tip in choices:
            group = groups.get(value, "")
            if grouped and group != former:
                title = GroupTitle(theme, group, self, first=former is None)
                title.hide()
                self._titles.append((title, []))
                layout.addWidget(title)
            former = group
            button = _Segment(theme, text, self, tip)
            set_role(button, QAccessible.Role.PageTab if tabs else QAccessible.Role.RadioButton)
            button.setProperty("value", value)
            self._group.addButton(button)
            self.buttons[value] = button
            if self._titles:
                self._titles[-1][1].append(button)
            layout.addWidget(button)
        self._group.buttonClicked.connect(self._on_button_clicked)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.menu_button: ChoiceButton | None = None
        """The button that stands for the row where it has no room."""
        self._chosen = ""
        self._row_told: tuple[bool, int] | None = None
        """How near together the choices are, and the width of their row, as :meth:`set_tight` last told it."""
        self._folded_at = -1  # the width of the parent in which the choices were cut
        theme.changed.connect(self.update)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold_if_cut()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        parent = self.parentWidget()
        layout = None if parent is None else parent.layout()
        if layout is not None:
            layout.activate()  # what changed while it was hidden has no room yet
        self._fold_if_cut()  # its size can have been set before

    def _fold_if_cut(self) -> None:
        parent = self.parentWidget()
        if parent is None or not self.isVisible() or self.folded:
            return
        if self.width() < self.minimumSizeHint().width():
            self._folded_at = parent.width()
            self.fold(True)
            parent.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        parent = self.parentWidget()
        if event.type() == QEvent.Type.Resize and watched is parent and 0 <= self._folded_at < parent.width():
            self._folded_at = -1
            parent.removeEventFilter(self)
            self.fold(False)
        return False

    def fit(self, room: int) -> None:
        """Show the titles of groups with a choice if all of it is then no wider than ``room`` pixels; where the choices
        alone are wider, bring them nearer together, and where that is not enough, show a button with a menu of them."""
        used = [title for title, buttons in self._titles if any(button.offered for button in buttons)]
        self.set_tight(self.width_of_row(False) > room)
        row = self.row_width
        self.fold(row > room)
        wide = row + sum(title.sizeHint().width() for title in used) > room
        for title, _ in self._titles:
            title.setVisible(title in used and not wide)

    def set_tight(self, tight: bool) -> None:
        """Bring the choices nearer together, or apart as usual. Nothing is laid out anew unless the row became wider or
        narrower."""
        width = self.width_of_row(tight)
        if (tight, width) != self._row_told:
            self._row_told = tight, width
            for button in self.buttons.values():
                button.set_tight(tight)
            self.updateGeometry()  # now: a layout around it would hear of it later, and count with the former width

    @property
    def row_width(self) -> int:
        """The width of all choices in a row, without titles, in pixels."""
        return self.width_of_row(any(button.tight for button in self.buttons.values()))

    def width_of_row(self, tight: bool) -> int:
        """Return the width in pixels of all choices in a row, with little room beside their texts or the usual one."""
        margins = self.contentsMargins().left() + self.contentsMargins().right() + 6
        return margins + sum(button.width_of(tight) for button in self.buttons.values() if button.offered)

    @property
    def folded(self) -> bool:
        """Whether a button with a menu stands for the row."""
        return self.menu_button is not None and not self.menu_button.isHidden()

    def fold(self, folded: bool) -> None:
        """Show a button with a menu in place of the choices, or the choices."""
        if folded == self.folded:
            return
        focused = self.isAncestorOf(self.window().focusWidget() or self.window())
        if self.menu_button is None:
            self.menu_button = ChoiceButton(self._theme, bold=True, parent=self)
            self.menu_button.clicked.connect(self._on_menu_clicked)
            layout = self.layout()
            assert layout is not None
            layout.addWidget(self.menu_button)
        for button in self.buttons.values():
            button.fold(folded)
        for title, _ in self._titles:
            title.hide()
        self.menu_button.setVisible(folded)
        self.updateGeometry()
        self._show_menu_choice()
        if focused:
            (self.menu_button if folded else self.buttons.get(self._chosen, self)).setFocus()

    def menu(self) -> QMenu:
        """Return the menu of the choices, as the button of a folded row opens it."""
        menu = QMenu(self)
        for value, button in self.buttons.items():
            if button.offered:
                action = menu.addAction(button.shown_text)
                action.setData(value)
                action.setCheckable(True)
                action.setChecked(value == self._chosen)
        menu.triggered.connect(self._on_menu_chosen)
        return menu

    def _on_menu_clicked(self) -> None:
        assert self.menu_button is not None
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        open_below(menu, self.menu_button)

    def _on_menu_chosen(self, action: QAction) -> None:
        self.chosen.emit(str(action.data()))

    def _show_menu_choice(self) -> None:
        if self.menu_button is not None:
            button = self.buttons.get(self._chosen)
            text = button.shown_text if button is not None else tr("Choose")
            self.menu_button.show_choice(text, self.accessibleName() or tr("Choose"))

    def show_chosen(self, value: str) -> None:
        """Mark a choice; an unknown value marks none."""
        self._chosen = value
        self._show_menu_choice()
        self._group.setExclusive(value in self.buttons)
        for name, button in self.buttons.items():
            if button.isChecked() != (name == value):
                button.setChecked(name == value)
                tell_chosen(button)
        known = value in self.buttons and self.buttons[value].offered
        for name, button in self.buttons.items():
            # The Tab key stops at the chosen one: Qt's stop is where the focus was last.
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus if name == value or not known else Qt.FocusPolicy.NoFocus)

    def _on_button_clicked(self, button: QAbstractButton) -> None:
        if any(other.hasFocus() for other in self.buttons.values()):
            button.setFocus()  # the frame of the focus does not stay at another choice
        self.chosen.emit(str(button.property("value")))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colours["recess"])
        painter.drawRoundedRect(QRectF(self.rect()), 7, 7)


def key_cap_width(keys: str, theme: Theme) -> int:
    """Return the width of :func:`draw_key_cap` in pixels."""
    return QFontMetrics(theme.font(8)).horizontalAdvance(keys) + 12


def draw_key_cap(painter: QPainter, rect: QRect, keys: str, theme: Theme) -> None:
    """Draw a shortcut as a small cap."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.colours["frame"], 1))
    painter.setBrush(theme.colours["recess"])
    painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
    painter.setFont(theme.font(8))
    painter.setPen(theme.colours["muted"])
    painter.drawText(rect, int(_CENTRE), keys)
    painter.restore()


def command_keys(command: str) -> str:
    """Return the first shortcut of a command as displayed, "" for none."""
    return keys_text(commands.keys(command))


def keys_text(sequence: str) -> str:
    """Return a shortcut as displayed: "Ctrl+K" as "Ctrl K"."""
    text = spelled(sequence)
    return text if text.endswith("+") else text.replace("+", " ")


def several_keys(sequences: Iterable[str]) -> str:
    """Return the shortcuts of one action as displayed: "Ctrl Shift Z · Ctrl Y"."""
    return " · ".join(map(keys_text, sequences))


def menu_keys(sequence: str) -> str:
    """Return a shortcut as menus display it: "Ctrl+K". macOS has signs of its own for its keys."""
    if sys.platform == "darwin":
        return str(QKeySequence(sequence).toString(QKeySequence.SequenceFormat.NativeText))
    return spelled(sequence)
