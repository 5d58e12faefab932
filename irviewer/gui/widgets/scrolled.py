"""Content that scrolls where its room is smaller than what it needs, as at 200 %: panes that stand side by side come
below each other first, so that it scrolls down only. It knows no view."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QSizePolicy, QSplitter, QWidget

from irviewer.gui.guard import guarded

EDGE = 8
"""Pixels around what is brought into view."""
SHARES = "irviewer_shares"
"""The property of a splitter that has the sizes it was given at first."""
FIRST = "irviewer_first"
"""The property of a splitter that has the place of the pane that comes first where panes stand below each other."""
SCROLL_BAR = 12
"""Pixels that a scroll bar may take."""
PANE = 290
"""The least height in pixels of a pane that stands below another one for want of width."""


@guarded
class Scrolled(QScrollArea):
    """Shows ``content`` in all of its room, but never smaller than ``least``, its width and height in pixels: in a
    narrower one the panes of its splitters stand below each other, and then it scrolls. What gets the focus from the
    keyboard is brought into view."""

    def __init__(self, content: QWidget, least: tuple[int, int] = (0, 0)) -> None:
        super().__init__()
        self.content = content
        self._least = least
        self._beside: dict[QSplitter, list[int]] | None = None
        """The sizes of all splitters where panes stood side by side, while they stand below each other."""
        self._turned: list[QSplitter] = []
        if any(least):
            content.setMinimumSize(*least)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(content)
        # The window paints the ground.
        content.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus_changed)

    def set_least(self, least: tuple[int, int]) -> None:
        """Set the least width and height in pixels of the content, which may be another with what it shows."""
        if least == self._least:
            return
        if self._beside is not None:
            self._unstack()
        self._least = least
        self.content.setMinimumSize(*least)
        if self.width() - SCROLL_BAR < least[0]:
            self._stack()

    def resizeEvent(self, event: QResizeEvent) -> None:
        narrow = self.width() - SCROLL_BAR < self._least[0]
        if narrow and self._beside is None:
            self._stack()  # before the content is squeezed into the new room
        super().resizeEvent(event)
        if not narrow and self._beside is not None:
            self._unstack()

    def _stack(self) -> None:
        """Put panes below each other, each of the same height, first the one that its splitter says."""
        inside = self.content.findChildren(QSplitter)
        splitters = [self.content, *inside] if isinstance(self.content, QSplitter) else inside
        turned = [splitter for splitter in splitters if splitter.orientation() == Qt.Orientation.Horizontal]
        if not turned:
            return
        # Before it is shown, a splitter has no sizes but those it was given.
        self._beside = {each: each.sizes() if self.isVisible() else each.property(SHARES) or [] for each in splitters}
        self._turned = turned
        for splitter in turned:
            splitter.setOrientation(Qt.Orientation.Vertical)
            _move(splitter, splitter.property(FIRST) or 0, 0)
        outer = [each for each in splitters if not any(o.isAncestorOf(each) for o in splitters if o is not each)]
        self.content.setMinimumSize(0, max(self._least[1], PANE * max(map(_panes, outer))))
        for splitter in splitters:
            splitter.setSizes([PANE * _panes(splitter.widget(place)) for place in range(splitter.count())])

    def _unstack(self) -> None:
        """Put panes side by side again, as wide as they were."""
        sizes, self._beside = self._beside or {}, None
        for splitter in self._turned:
            splitter.setOrientation(Qt.Orientation.Horizontal)
            _move(splitter, 0, splitter.property(FIRST) or 0)
        self._turned = []
        self.content.setMinimumSize(*self._least)
        self.content.resize(self.viewport().size().expandedTo(self.content.minimumSize()))
        for splitter, widths in sizes.items():
            QApplication.sendPostedEvents(splitter, int(QEvent.Type.LayoutRequest))  # which shares its room anew
            room = sum(splitter.sizes())
            if sum(widths):
                splitter.setSizes([round(room * width / sum(widths)) for width in widths])

    def bring_into_view(self, widget: QWidget) -> None:
        """Scroll until half of a widget is in view, or half of the view is of it; from its upper left corner."""
        room = self.viewport().size()
        place = QRect(widget.mapTo(self.content, QPoint(0, 0)), widget.size())
        seen = place & QRect(-self.content.pos(), room)
        if 2 * seen.width() >= min(place.width(), room.width()) and 2 * seen.height() >= min(
            place.height(), room.height()
        ):
            return
        corner = place & QRect(place.topLeft(), room)
        self.ensureVisible(corner.right(), corner.bottom(), EDGE, EDGE)
        self.ensureVisible(corner.left(), corner.top(), EDGE, EDGE)

    def _on_focus_changed(self, before: QWidget | None, now: QWidget | None) -> None:
        # What is pressed stays where it is: its click would go astray. A view that is opened shows its beginning.
        if before is None or now is None or QApplication.mouseButtons() != Qt.MouseButton.NoButton:
            return
        if self.isVisible() and self.content.isAncestorOf(before) and self.content.isAncestorOf(now):
            self.bring_into_view(now)


@guarded
class AsHighAsContent(QScrollArea):
    """Shows ``content`` in its whole height where there is room, and else scrolls it: a layout would lay its parts over
    each other in a lower room. It is never lower than ``least`` pixels, or the content."""

    def __init__(self, content: QWidget, least: int) -> None:
        super().__init__()
        self.content = content
        self._least = least
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.verticalScrollBar().rangeChanged.connect(self._on_range_changed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.setWidget(content)
        # The panel paints the ground.
        content.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self.content.minimumSizeHint().width(), min(self._least, self._height()))

    def _height(self) -> int:
        """Return the height in pixels of the whole content at this width."""
        width = max(1, self.width())
        height = self.content.heightForWidth(width) if self.content.hasHeightForWidth() else -1
        return height if height >= 0 else self.content.sizeHint().height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def _on_range_changed(self, least: int, most: int) -> None:
        # The keyboard reaches it where it has something to scroll.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if most > least else Qt.FocusPolicy.NoFocus)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.content and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


def _move(splitter: QSplitter, place: int, to: int) -> None:
    """Move a pane of a splitter to another place."""
    pane = splitter.widget(place)
    if pane is not None and place != to:
        splitter.insertWidget(to, pane)


def _panes(widget: QWidget | None) -> int:
    """Return how many panes a widget is: those of a splitter's widgets together, else one."""
    if not isinstance(widget, QSplitter):
        return 1
    return sum(_panes(widget.widget(place)) for place in range(widget.count()))


def bring_into_view(widget: QWidget) -> None:
    """Scroll the content that a widget is in until it is seen."""
    around = widget.parentWidget()
    while around is not None:
        if isinstance(around, Scrolled):
            around.bring_into_view(widget)
        around = around.parentWidget()
