"""The legend of a canvas as one line in a panel's header; names are cut, then counted, if room is short."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from irviewer.figures.figure import Curve
from irviewer.gui.guard import guarded
from irviewer.gui.plots.curves.canvas import Canvas, LegendEntry
from irviewer.gui.plots.curves.items import line_pen
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.kept_clear import keep_clear
from irviewer.gui.widgets.plain_text import set_tooltip
from irviewer.gui.widgets.rounding import as_shown
from irviewer.rendering.elision import distinct_forms
from irviewer.translation import decimal

FEWEST = 6
"""Letters that a shortened name keeps; where they have no room, runs are counted."""
WIDEST = 2**24 - 1
"""The greatest width that Qt gives a widget."""
LINE, SPACE, BETWEEN, LEAST = 20.0, 5.0, 12.0, 40.0
ROW, ROWS_MARGIN = 18, 10.0
"""The height of a row of the legend below a plot, and the room at its sides."""
LEAST_PLOT = 110
"""The height of a plot, with its axis, above which a legend below it has room."""


@guarded
class Legend(QWidget):
    """The legend of one canvas. It names the runs, or ``every`` curve, each with its value at the figure's cursor."""

    def __init__(self, canvas: Canvas, theme: Theme, parent: QWidget | None = None, *, every: bool = False) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._every = every
        self._theme = theme
        self._known: tuple[object, ...] = ()
        """What is shown."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        canvas.shown.connect(self._on_shown)
        canvas.view.resized.connect(self._on_shown)
        theme.changed.connect(self.update)
        keep_clear(self)

    def show_every(self, every: bool) -> None:
        """Name every curve, or the runs only."""
        self._every = every
        self._on_shown()

    @property
    def entries(self) -> tuple[LegendEntry, ...]:
        """The entries of the runs, or all entries, in the order of the curves."""
        figure = self._canvas.figure
        if figure is None:
            return ()
        pairs = zip(figure.curves, self._canvas.legend_entries, strict=True)
        if self._every:
            return tuple(_valued(entry, curve, figure.cursor) for curve, entry in pairs if len(curve.x))
        return tuple(entry for curve, entry in pairs if curve.role.kind == "run")

    @property
    def painted_entries(self) -> tuple[LegendEntry, ...]:
        """The entries to paint: the groups or none where all names are at the ends of their lines."""
        entries = self.entries
        if entries and not self._every and len(self._canvas.view.name_places()) == len(entries):
            return self._canvas.group_entries
        return entries

    def sizeHint(self) -> QSize:
        metrics = self._metrics()
        wide = sum(LINE + SPACE + metrics.horizontalAdvance(entry.label) + BETWEEN for entry in self.painted_entries)
        return QSize(int(wide) + 2, int(metrics.height()) + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, int(self._metrics().height()) + 4)

    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self._theme.font(9))

    def _on_shown(self) -> None:
        entries, painted = self.entries, self.painted_entries
        known = (entries, painted, self._theme.font(9))
        if known == self._known:
            return  # an edit moves lines, and leaves their names
        self._known = known
        set_tooltip(self, "\n".join(entry.label for entry in entries))
        # Without entries the header's note has the room.
        self.setMaximumWidth(WIDEST if painted else 0)
        self.updateGeometry()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        entries = self.painted_entries
        if not entries:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._theme.font(9))
        metrics = self._metrics()
        fixed = LINE + SPACE + BETWEEN
        texts = [entry.label for entry in entries]
        room = self.width() - len(texts) * (fixed + 1) + BETWEEN
        if sum(map(metrics.horizontalAdvance, texts)) > room:
            texts = [entry.short or entry.label for entry in entries]
        letters = max(map(len, texts))
        if room <= 0:  # no names have room, however few letters they keep
            letters = min(letters, FEWEST + 1)
        while not self._every and letters > FEWEST and sum(map(metrics.horizontalAdvance, texts)) > room:
            letters -= 1
            grouped = bool(self._canvas.group_entries)  # names first: the groups are in the table and the tooltip
            texts = list(distinct_forms([entry.short if grouped else entry.label for entry in entries], letters))
        names = [metrics.horizontalAdvance(text) + 1 for text in texts]
        shown = len(entries)
        more_width = metrics.horizontalAdvance(f"+{shown}")
        least = [fixed + min(LEAST, name) for name in names]
        while (
            shown > 1
            and sum(least[:shown]) - BETWEEN + (more_width + BETWEEN if shown < len(entries) else 0) > self.width()
        ):
            shown -= 1
        room = self.width() - shown * fixed + BETWEEN - (more_width + BETWEEN if shown < len(entries) else 0)
        names = _fitted(names[:shown], room)
        x = self.width() - sum(names) - shown * fixed + BETWEEN
        if shown < len(entries):
            x -= more_width + BETWEEN
        middle = self.height() / 2
        for entry, name, width in zip(entries[:shown], texts[:shown], names, strict=True):
            painter.setPen(line_pen(entry.colour, entry.dash, 2.0))
            painter.drawLine(QPointF(x, middle), QPointF(x + LINE, middle))
            painter.setPen(self._theme["text"])
            text = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, width)
            painter.drawText(QRectF(x + LINE + SPACE, 0, width, self.height()), Qt.AlignmentFlag.AlignVCenter, text)
            x += fixed + width
        if shown < len(entries):
            painter.setPen(self._theme["muted"])
            painter.drawText(
                QRectF(x, 0, more_width + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, f"+{len(entries) - shown}"
            )


@guarded
class LegendRows(QWidget):
    """The legend of one canvas below it: line and name of every curve, in as many rows as they need; none where all
    names are at the ends of their lines, or where it would leave the plot too low to be read: the pointer names a
    line."""

    def __init__(self, canvas: Canvas, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._theme = theme
        self._places: list[tuple[float, float, float, str, LegendEntry]] = []
        self._known: tuple[object, ...] = ()
        """What is shown."""
        canvas.shown.connect(self._on_shown)
        canvas.view.resized.connect(self._on_shown)  # names may have left the ends of their lines
        theme.changed.connect(self.update)

    @property
    def painted_names(self) -> tuple[str, ...]:
        """The names as they are painted."""
        return tuple(name for _, _, _, name, _ in self._places)

    def _on_shown(self) -> None:
        figure = self._canvas.figure
        pairs = () if figure is None else zip(figure.curves, self._canvas.legend_entries, strict=True)
        entries = [entry for curve, entry in pairs if len(curve.x)]
        if entries and len(self._canvas.view.name_places()) == len(entries):
            entries = []
        metrics = QFontMetricsF(self._theme.font(9))
        fixed, most = LINE + SPACE + BETWEEN, max(1.0, self.width() - 2 * ROWS_MARGIN)
        names = [entry.label for entry in entries]
        wide = max((metrics.horizontalAdvance(name) for name in names), default=0.0) + 2
        columns = max(1, min(len(entries), int((most + BETWEEN) // (fixed + wide))))
        if columns == 1 and len(entries) > 2:  # two columns of shorter names take less height
            columns = 2
        if self._canvas.height() + self.height() - -(-len(entries) // columns) * ROW < LEAST_PLOT:
            entries, names = [], []
        known = (entries, self.width(), self._theme.font(9))
        if known == self._known:
            return
        self._known = known
        wide = (most - columns * fixed + BETWEEN) / columns
        self._places = []
        for number, (name, entry) in enumerate(zip(names, entries, strict=True)):
            left = ROWS_MARGIN + number % columns * (wide + fixed)
            fits = metrics.horizontalAdvance(name) <= wide or not entry.short
            shown = metrics.elidedText(name if fits else entry.short, Qt.TextElideMode.ElideMiddle, wide)
            self._places.append((left, number // columns * ROW, wide, shown, entry))
        set_tooltip(self, "\n".join(names))
        height = -(-len(entries) // columns) * ROW + 4 if entries else 0
        if height != self.height():
            self.setFixedHeight(height)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._on_shown()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._theme.font(9))
        for left, top, wide, name, entry in self._places:
            painter.setPen(line_pen(entry.colour, entry.dash, 2.0))
            painter.drawLine(QPointF(left, top + ROW / 2), QPointF(left + LINE, top + ROW / 2))
            painter.setPen(self._theme["text"])
            box = QRectF(left + LINE + SPACE, top, wide + 2, ROW)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, name)


def _valued(entry: LegendEntry, curve: Curve, cursor: float | None) -> LegendEntry:
    """Return an entry with its value at the cursor, or at the end of a shorter curve."""
    last = float(curve.x[-1])
    value = decimal(f" {as_shown(curve.at(last if cursor is None else min(cursor, last))):.4f}")
    names = (name + value if name else "" for name in (entry.label, entry.short))
    return LegendEntry(next(names), entry.colour, entry.dash, *names)


def _fitted(widths: list[float], room: float) -> list[float]:
    """Return the widths, with the longest ones cut to the same width so that all fit."""
    if sum(widths) <= room:
        return widths
    low, high = 0.0, max(widths)
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(min(width, middle) for width in widths) <= room else (low, middle)
    return [min(width, low) for width in widths]
