"""The start screen: recent collections, opening files, samples, worked examples.

It is shown while nothing is open. It calls the session and knows no other view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QSpacerItem, QVBoxLayout, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import ThemedButton, command_keys, draw_key_cap, key_cap_width
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip, visible
from irviewer.gui.widgets.scrolled import Scrolled
from irviewer.session.changes import Change
from irviewer.session.files.opening import Recent
from irviewer.session.files.samples import Sample, samples
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.session.session import Session

WIDTH = 700
INSET = 10
"""The left margin of text in rows; everything else is aligned with it."""
SCROLL_BAR = 12
"""The width of a scroll bar in pixels."""
MOST_RECENT = 6
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_WRAPPED = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap


@guarded
class SampleCard(ThemedButton):
    """A button with the name, contents and description of a sample."""

    HEIGHT = 72
    PADDING = 16
    ABOVE = 10
    HEAD = 26
    """The pixels above the name, and from there to the description."""

    def __init__(self, sample: Sample, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.sample = sample
        self.setText(sample.name)
        runs = sum(1 for file in sample.files if file.kind == "run")
        has_texts = any(file.kind == "documents" for file in sample.files)
        self._note = (
            trn("{n} run", "{n} runs", runs) if has_texts else trn("{n} run, no texts", "{n} runs, no texts", runs)
        )
        self.setAccessibleName(tr("Open sample {name}", name=sample.name))
        self.setAccessibleDescription(sample.summary)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        return QSize(WIDTH - 2 * INSET, self.height_for(WIDTH - 2 * INSET))

    def minimumSizeHint(self) -> QSize:
        return QSize(WIDTH // 2, self.HEIGHT)

    def height_for(self, width: int) -> int:
        """Return the height in pixels in which the whole description is seen in a card of a width."""
        within = QRect(0, 0, width - 2 * self.PADDING, 10_000)
        text = QFontMetrics(self.theme.font(9.5)).boundingRect(within, int(_WRAPPED), self.sample.summary)
        return max(self.HEIGHT, self.ABOVE + self.HEAD + text.height() + self.ABOVE)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = self.theme
        painter.setPen(QPen(theme["ink" if self.hasFocus() else "panel_border"], 1))
        painter.setBrush(theme["selection" if self.isDown() else "hover" if self.underMouse() else "panel"])
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        room = self.rect().adjusted(self.PADDING, self.ABOVE, -self.PADDING, 0)
        painter.setFont(theme.font(9))
        painter.setPen(theme["muted"])
        line = QRect(room.left(), room.top(), room.width(), 20)
        painter.drawText(line, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), self._note)
        painter.setFont(theme.font(11, weight=600))
        painter.setPen(theme["ink"])
        painter.drawText(line, int(_LEFT), self.sample.name)
        painter.setFont(theme.font(9.5))
        painter.setPen(theme["text"])
        painter.drawText(room.adjusted(0, self.HEAD, 0, 0), int(_WRAPPED), self.sample.summary)


@guarded
class _Row(ThemedButton):
    """A row that can be clicked: text, shortcut, muted description."""

    HEIGHT = 28

    def __init__(self, theme: Theme, text: str, rest: str = "", keys: str = "", parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        text, rest = visible(text), visible(rest)
        self.setText(text)
        self._rest = rest
        self._keys = keys
        self.setAccessibleName(f"{text} {rest}".strip())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, self.HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(WIDTH // 2, self.HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_box(painter, framed=False)
        font = self.theme.font(9.5)
        metrics = QFontMetrics(font)
        painter.setFont(font)
        painter.setPen(self.theme["text"])
        room = self.rect().adjusted(INSET, 0, -INSET, 0)
        text = metrics.elidedText(self.text(), Qt.TextElideMode.ElideMiddle, room.width() * 3 // 5)
        painter.drawText(room, int(_LEFT), text)
        left = room.left() + metrics.horizontalAdvance(text) + 10
        if self._keys:
            cap = key_cap_width(self._keys, self.theme)
            draw_key_cap(painter, QRect(left, (self.height() - 18) // 2, cap, 18), self._keys, self.theme)
            left += cap + 10
        painter.setFont(self.theme.font(9))
        painter.setPen(self.theme["muted"])
        rest = QFontMetrics(painter.font()).elidedText(self._rest, Qt.TextElideMode.ElideMiddle, room.right() - left)
        painter.drawText(QRect(left, 0, room.right() - left, self.height()), int(_LEFT), rest)


@guarded
class OpenButton(ThemedButton):
    """A large framed button with its shortcut; the ``main`` one is bold."""

    HEIGHT = 36
    PADDING = 16

    def __init__(self, theme: Theme, text: str, tip: str, keys: str = "", *, main: bool = False) -> None:
        super().__init__(theme)
        self.setText(text)
        self._keys = keys
        set_tooltip(self, tip)
        self.setFont(theme.font(10, weight=600 if main else 400))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        cap = key_cap_width(self._keys, self.theme) + 10 if self._keys else 0
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + cap + 2 * self.PADDING, self.HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_box(painter)
        painter.setFont(self.font())
        painter.setPen(self.theme["ink"])
        painter.drawText(self.rect().adjusted(self.PADDING, 0, 0, 0), int(_LEFT), self.text())
        if self._keys:
            cap = key_cap_width(self._keys, self.theme)
            place = QRect(self.width() - self.PADDING - cap, (self.height() - 18) // 2, cap, 18)
            draw_key_cap(painter, place, self._keys, self.theme)


@guarded
class StartView(QWidget):
    """The start screen."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._recent_shown: tuple[Recent, ...] | None = None
        """All of them; the first have a row each."""
        self._heads: list[tuple[PlainLabel, str]] = []
        title = self._label("irviewer", 20, 700, "ink")
        about = self._label(
            tr(
                "Shows for each query and each system which documents were retrieved, which of them are relevant, and "
                "how each value is computed."
            ),
            10.5,
            400,
            "text",
        )
        about.setWordWrap(True)
        self.cards = [SampleCard(sample, theme) for sample in samples()]
        cards = QVBoxLayout()
        cards.setSpacing(8)
        cards.setContentsMargins(INSET, 0, INSET, 0)
        for card in self.cards:
            cards.addWidget(card)
            card.clicked.connect(self._on_card_clicked)
        self.open_button = OpenButton(
            theme,
            tr("Open files…"),
            tr("Open qrels, runs, queries and documents, together or one by one"),
            command_keys("open_files"),
            main=True,
        )
        self.open_button.clicked.connect(self._on_open_clicked)
        self.folder_button = OpenButton(
            theme,
            tr("Open folder…"),
            tr("Open all files of a folder; a folder of collections opens each of them"),
            command_keys("open_folder"),
        )
        self.folder_button.clicked.connect(self._on_folder_clicked)
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        buttons.setContentsMargins(INSET, 0, INSET, 0)
        buttons.addWidget(self.open_button)
        buttons.addWidget(self.folder_button)
        drop = self._label(tr("or drop them on this window"), 9, 400, "muted")
        buttons.addWidget(drop)
        buttons.addStretch(1)
        meaning = self._label(
            tr(
                "Qrels say which documents are relevant to which query. A run is what a system returned: for each "
                "query a ranked list of documents. Queries and documents add their texts."
            ),
            9,
            400,
            "muted",
        )
        meaning.setWordWrap(True)
        self._wrapped = (about, meaning)
        self.example_row = _Row(theme, tr("Open lesson…"), tr("small textbook collections with steps and questions"))
        self.example_row.clicked.connect(self._on_example_clicked)
        self.type_row = _Row(
            theme, tr("Type a ranking…"), tr("1 0 1 1 0 | R=10, without a file"), command_keys("type_ranking")
        )
        self.type_row.clicked.connect(self._on_type_clicked)
        self._recent_head = self._label(tr("Recent collections"), 9, 600, "muted")
        self._recent_gap = QWidget()
        self._recent_gap.setFixedHeight(18)
        self._recent_layout = QVBoxLayout()
        self.recent_rows: list[_Row] = []
        self.more_row = _Row(theme, "", tr("all that were opened before"), command_keys("open_recent"))
        self.more_row.clicked.connect(self._on_more_clicked)
        self.more_row.hide()
        self._recent_layout.setSpacing(0)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.setContentsMargins(0, 0, 0, 0)
        for part, gap in (
            (title, 2),
            (about, 22),
            (self._recent_head, 4),
            (self._recent_layout, 0),
            (self.more_row, 0),
            (self._recent_gap, 0),
            (self._label(tr("Your files"), 9, 600, "muted"), 8),
            (buttons, 8),
            (meaning, 22),
            (self._label(tr("Samples"), 9, 600, "muted"), 8),
            (cards, 22),
            (self._label(tr("How measures are computed"), 9, 600, "muted"), 4),
            (self.example_row, 0),
            (self.type_row, 0),
        ):
            if isinstance(part, QWidget):
                column.addWidget(part)
            else:
                column.addLayout(part)
            column.addItem(QSpacerItem(0, gap, QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Maximum))
        self._middle = middle = QWidget()
        middle.setLayout(column)
        self._set_width(WIDTH)
        across = QHBoxLayout()
        across.addStretch(1)
        across.addWidget(middle)
        across.addStretch(1)
        content = QWidget()
        within = QVBoxLayout(content)
        within.setContentsMargins(0, 0, 0, 0)
        within.addStretch(2)
        within.addLayout(across)
        within.addStretch(3)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(Scrolled(content))
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()
        self.refresh(frozenset())

    def filter_field(self) -> QLineEdit | None:
        """Return None: there is nothing to filter."""
        return None

    def refresh(self, changes: frozenset[Change]) -> None:
        """Show the recent collections."""
        recent = self._session.files.recent
        if recent == self._recent_shown:
            return
        self._recent_shown = recent
        self.recent_rows = []
        while (item := self._recent_layout.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for number, opened in enumerate(recent[:MOST_RECENT]):
            row = _Row(self._theme, opened.title, opened.about)
            set_tooltip(row, "\n".join(opened.paths))
            row.setProperty("number", number)
            row.clicked.connect(self._on_recent_clicked)
            self._recent_layout.addWidget(row)
            self.recent_rows.append(row)
        before: QWidget | None = None
        for widget in (*self.recent_rows, self.more_row, self.open_button, self.folder_button, *self.cards):
            if before is not None:
                QWidget.setTabOrder(before, widget)
            before = widget
        self.setFocusProxy(next(iter((*self.recent_rows, *self.cards, self.open_button))))
        self._show_recent()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_width(min(WIDTH, self.width() - SCROLL_BAR))
        self._show_recent()

    def _set_width(self, width: int) -> None:
        """Give the column a width in pixels, and its paragraphs and cards their height."""
        self._middle.setFixedWidth(width)
        for label in self._wrapped:
            label.setFixedHeight(label.heightForWidth(width))
        for card in self.cards:
            card.setFixedHeight(card.height_for(width - 2 * INSET))

    def _show_recent(self) -> None:
        """Show as many recent collections as have room, so that no card is cut, and how many more there are."""
        for row in (*self.recent_rows, self.more_row):
            row.hide()
        self._recent_head.setVisible(bool(self.recent_rows))
        self._recent_gap.setVisible(bool(self.recent_rows))
        room = (self.height() - self._middle.minimumSizeHint().height()) // _Row.HEIGHT
        total = len(self._recent_shown or ())
        count = min(len(self.recent_rows), room)
        if count < total:
            count = min(max(1, room - 1), len(self.recent_rows))  # a row says that there are more
        for row in self.recent_rows[:count]:
            row.show()
        rest = total - count
        if rest > 0:
            self.more_row.setText(trn("{n} more…", "{n} more…", rest))
            self.more_row.setAccessibleName(trn("{n} more recent collection", "{n} more recent collections", rest))
            self.more_row.show()

    def _label(self, text: str, size: float, weight: int, colour: str) -> PlainLabel:
        label = PlainLabel(text)
        label.setFont(self._theme.font(size, weight=weight))
        label.setContentsMargins(INSET, 0, INSET, 0)
        self._heads.append((label, colour))
        return label

    def _on_card_clicked(self) -> None:
        card = self.sender()
        if isinstance(card, SampleCard):
            self._session.files.open_sample(card.sample.id)

    def _on_open_clicked(self) -> None:
        self._session.asked.emit("open_files")

    def _on_folder_clicked(self) -> None:
        self._session.asked.emit("open_folder")

    def _on_more_clicked(self) -> None:
        self._session.asked.emit("open_recent")

    def _on_example_clicked(self) -> None:
        self._session.asked.emit("open_example")

    def _on_type_clicked(self) -> None:
        self._session.asked.emit("type_ranking")

    def _on_recent_clicked(self) -> None:
        sender = self.sender()
        if sender is not None and self._recent_shown is not None:
            self._session.files.open_files(self._recent_shown[int(sender.property("number"))].paths)

    def _on_theme_changed(self) -> None:
        for label, name in self._heads:
            label.set_ink(self._theme[name])
        self.update()
