"""The failures of one run, query by query: the list, why the selected query fails, its tags, and the causes of all."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from irviewer.analysis.failures.losses import PART_MEANINGS, PART_TITLES, PARTS
from irviewer.commands import find, run_command
from irviewer.gui.failures.loop_list import QueriesByLoss, TopCell, TopColumn, draw_key
from irviewer.gui.guard import guarded
from irviewer.gui.screens.screen import Screen, split
from irviewer.gui.tables.cells import draw_right
from irviewer.gui.tables.model import TableModel
from irviewer.gui.tables.result_cells import ResultCell
from irviewer.gui.tables.result_columns import ColumnLayout, Heading, ResultColumn
from irviewer.gui.tables.result_panel import ResultPanel
from irviewer.gui.theme import Theme, aligned
from irviewer.gui.widgets.controls import LinkButton, TextButton, ThemedButton, command_keys
from irviewer.gui.widgets.panel import HEADER_HEIGHT, Panel
from irviewer.gui.widgets.plain_text import PlainLabel, Sentences, set_tooltip, visible
from irviewer.gui.widgets.table import Table
from irviewer.gui.widgets.table_panel import TablePanel
from irviewer.model.arrays import Ints
from irviewer.model.number_text import percent, quantity
from irviewer.session.changes import Change
from irviewer.session.view_models.failure_loop import PART_WORDS, ExaminedQuery, FailureLoopViewModel, SignRow, TagRow
from irviewer.translation import decimal, tr, trn
from irviewer.views.failures import GROUPS, looked_words, sample_words

if TYPE_CHECKING:
    from irviewer.session.session import Session

_LEFT = aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter)
_RIGHT = aligned(Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter)
_CENTRE = Qt.AlignmentFlag.AlignCenter
ROOM_OF_TAGS, LEAST_WIDTH, SCROLLS = 56, 200, 12
"""Pixels that the header and a tag need, the width of the panel without its controls, and that of a scroll bar."""


class ShareColumn(ResultColumn):
    """Shares as bars, whose colour is that of the row's group."""


class ShareCell(ResultCell):
    """Paints shares as bars with their value."""

    def _number(self, painter: QPainter, box: QRect, column: ResultColumn, row: int, ground: QColor) -> None:
        if box.width() < 90:
            super()._number(painter, box, column, row, ground)
            return
        value, theme = column.number(row), self._theme
        room = box.width() - 62
        group = str(column.table.column("group").values[column.place(row)])
        if value > 0:
            colour = QColor(theme["worse" if group in ("part", "kind") else "muted"])
            colour.setAlphaF(1.0 if group == "part" else 0.55)
            bar = QRectF(box.left() + 6, box.top() + box.height() / 2 - 4, max(1.0, room * min(1.0, value)), 8)
            painter.fillRect(bar, colour)
        painter.setPen(theme["text"])
        draw_right(painter, box, column.text(row), self._density)


class CausesPanel(ResultPanel):
    """Rows of the causes of a loss; a click, Enter or Space filters the list by one, and again shows all."""

    def __init__(self, session: Session, theme: Theme, groups: tuple[str, ...]) -> None:
        super().__init__(
            session,
            theme,
            "causes",
            own_painters={ShareColumn: ShareCell},
            stretch="share",
            sortable=False,
            tightens=True,
        )
        self._groups = groups
        self.table.clicked.connect(self._on_clicked)
        # A double click is a click, Qt's activation and the click of its second release: the filter stays.
        self.table.row_activated.connect(self._switch)
        self.table.row_toggled.connect(self._switch)
        self.legend_button.hide()

    def show_causes(self, view_model: FailureLoopViewModel) -> None:
        """Show the causes of a run, and the baseline's share beside them."""
        table = view_model.causes
        if table is None:
            self.show_table(None)
            return
        groups = list(table.column("group").values)
        kept = [row for row, group in enumerate(groups) if group in self._groups]
        headings: list[Heading] = []
        shown: list[int] = []
        former = ""
        for row in kept:
            if groups[row] != former and groups[row] in ("part", "kind"):
                title, _, words = GROUPS[groups[row]].partition(": ")
                headings.append(Heading(title, words))
                shown.append(-len(headings))
            former = groups[row]
            shown.append(row)
        names = [column.key for column in table.columns]
        columns = ["cause", "queries", "share"]
        if "part" in self._groups and "baseline_share" in names:
            columns.append("baseline_share")
        elif "tag" in self._groups and not table.column("all_queries").show.detail:
            columns.append("all_queries")
        runs = {"baseline_share": view_model.baseline}
        current = _chosen_row(view_model.filter, table.keys)
        self.show_table(
            table,
            rows=_ints(shown),
            headings=headings,
            keys=columns,
            current=current,
            runs=runs,
            saved=table,
            layouts={"share": ColumnLayout(made=ShareColumn), "baseline_share": ColumnLayout(yields=True)},
            marked=() if current is None else (current,),
        )

    def _on_clicked(self, index: QModelIndex) -> None:
        self._switch(index.row())

    def _switch(self, row: int) -> None:
        key = self.key_of(row)
        if isinstance(key, tuple):
            self.session.failure_loop.switch_filter(filter_of(*key))


def filter_of(group: str, name: str) -> str:
    """Return the filter that leaves the queries with a cause."""
    if group == "rest":
        return "untagged examined" if name == "untagged" else "not examined"
    if group == "tag":
        return f'tag:"{name}"' if not name.isalnum() else f"tag:{name}"
    return f"cause:{name}"


def _chosen_row(text: str, rows: object) -> Hashable | None:
    return next((key for key in rows if filter_of(*key) == text.strip()), None) if text.strip() else None  # type: ignore[attr-defined]


def _ints(rows: list[int]) -> Ints:
    return np.array(rows, dtype=np.int64)


@guarded
class LossBar(QWidget):
    """The parts of the loss of a query on one bar, with their names below."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._query: ExaminedQuery | None = None
        self.setFixedHeight(46)
        theme.changed.connect(self.update)

    def show_query(self, query: ExaminedQuery | None) -> None:
        self._query = query
        lines = [] if query is None else [
            f"{PART_TITLES[name]}: {quantity(value)} ({PART_MEANINGS[name]})"
            for name, value in zip(PARTS, query.parts, strict=False)
        ]  # fmt: skip
        self.setAccessibleName(tr("Parts of the loss"))
        self.setAccessibleDescription("\n".join(lines))
        set_tooltip(self, "\n".join(lines))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        query, theme = self._query, self._theme
        if query is None or not query.parts or not query.loss > 0:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = max(query.loss, 1.0)
        scale, x = (self.width() - 24) / whole, 12.0
        taken = 12.0
        for name, value, strength in zip(PARTS, query.parts, (0.0, 0.55, 0.25), strict=True):
            if value <= 0:
                continue
            box = QRectF(x, 3, max(2.0, value * scale), 20)
            ground = QColor(theme["worse"])
            ground.setAlphaF(strength)
            pen = QPen(theme["worse"], 1)
            if not strength:
                pen.setDashPattern([3.0, 2.5])
            painter.setPen(pen)
            painter.setBrush(ground)
            painter.drawRect(box)
            text = quantity(value)
            painter.setPen(theme["ink"])
            painter.setFont(theme.font(9, numbers=True))
            inside = painter.fontMetrics().horizontalAdvance(text) + 6 <= box.width()
            if inside:
                painter.drawText(box, int(_CENTRE), text)
            words = PART_WORDS[name] if inside else f"{PART_WORDS[name]} {text}"
            painter.setFont(theme.font(8.5))
            painter.setPen(theme["muted"])
            width = painter.fontMetrics().horizontalAdvance(words)
            left = max(taken, min(box.left(), self.width() - 12.0 - width))
            painter.drawText(QRectF(left, 25, width + 2, 18), int(_LEFT), words)
            taken = left + width + 10
            x += value * scale


@guarded
class SignButton(ThemedButton):
    """A kind of failure of the selected query: its name as a chip, and what was found; a click filters by it."""

    HEIGHT = 27
    LINES = 30
    """The indent of words below the chip, with the room at their right."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.sign = SignRow("", "", "")
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_sign(self, sign: SignRow) -> None:
        """Take the sign's title and words, for the eye and for a screen reader."""
        self.sign = sign
        self.setText(f"{sign.title}: {sign.words}")
        self.setAccessibleName(visible(self.text()))
        set_tooltip(self, self.text())
        self.updateGeometry()
        self.update()

    def words_place(self, width: int) -> QRect:
        """Return where the words are at a width: beside the chip, or in lines below it where they have no room."""
        metrics, words = QFontMetrics(self.theme.font(9)), visible(self.sign.words)
        left = 12 + self._chip_width() + 9
        if metrics.horizontalAdvance(words) <= width - left - 9:
            return QRect(left, 0, width - left - 9, self.HEIGHT)
        room = QRect(0, 0, max(1, width - self.LINES), 10_000)
        height = metrics.boundingRect(room, self._FOLDED, words).height()
        return QRect(21, self.HEIGHT - 3, room.width(), height)

    def _chip_width(self) -> int:
        return QFontMetrics(self.theme.font(8.5, weight=600)).horizontalAdvance(self.sign.title) + 18

    _FOLDED = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of the chip and its words at a width."""
        place = self.words_place(width)
        return self.HEIGHT if place.top() == 0 else place.bottom() + 5

    def sizeHint(self) -> QSize:
        return QSize(self._chip_width() + self.LINES, self.heightForWidth(max(200, self.width())))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._chip_width() + self.LINES, self.HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self.theme
        self.paint_box(painter, framed=False)
        painter.setFont(theme.font(8.5, weight=600))
        pill = QRectF(12, 4.5, self._chip_width(), self.HEIGHT - 9)
        painter.setPen(QPen(theme["worse"], 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2)
        painter.drawText(pill, int(_CENTRE), self.sign.title)
        painter.setPen(theme["text"])
        painter.setFont(theme.font(9))
        place = self.words_place(self.width())
        painter.drawText(place, int(_LEFT) if place.top() == 0 else self._FOLDED, visible(self.sign.words))


@guarded
class TagButton(ThemedButton):
    """A tag with its key and the number of queries that have it; pressed where the selected one has it."""

    HEIGHT = 25

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.tag = TagRow("", "", 0, False)
        self.setCheckable(True)
        self.setFixedHeight(self.HEIGHT)

    def show_tag(self, tag: TagRow) -> None:
        """Take the tag's key, name and count; it is pressed where the query has it."""
        self.tag = tag
        self.setChecked(tag.on)
        self.setText(tag.name)
        number = trn("{n:,} query", "{n:,} queries", tag.count)
        self.setAccessibleName(visible(", ".join(filter(None, (tag.key, tag.name, number)))))
        set_tooltip(self, tag.name)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, tag = QPainter(self), self.theme, self.tag
        if self.underMouse() or self.hasFocus():
            self.paint_box(painter, framed=False)
        draw_key(painter, QRect(12, 4, 17, 17), tag.key or "•", theme, on=tag.on)
        painter.setFont(theme.font(9.5, weight=600 if tag.on else 400))
        painter.setPen(theme["ink" if tag.on else "text"])
        room = max(0, self.width() - 38 - 44)
        text = painter.fontMetrics().elidedText(visible(tag.name), Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(QRect(38, 0, room, self.HEIGHT), int(_LEFT), text)
        painter.setFont(theme.font(9, numbers=True))
        painter.setPen(theme["muted"])
        painter.drawText(QRect(self.width() - 54, 0, 42, self.HEIGHT), int(_RIGHT), decimal(f"{tag.count:,}"))


@guarded
class WhyPanel(Panel):
    """Why the selected query fails: the parts of its loss, its kinds of failure, and its tags."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(theme, tr("Why it fails"))
        self._session = session
        self.bar = LossBar(theme)
        self.signs: list[SignButton] = []
        self.tags: list[TagButton] = []
        self.nothing = PlainLabel(tr("no kind of failure: the bar says what is lost"))
        self.nothing.setFont(theme.font(9))
        self.nothing.setContentsMargins(12, 4, 12, 4)
        self.heading = PlainLabel(tr("Your tags"))
        self.heading.setFont(theme.font(9.5, weight=600))
        self.hint = PlainLabel(tr("press a key; again takes it away"))
        self.hint.setFont(theme.font(9))
        self.hint.setWordWrap(True)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        line = QHBoxLayout()
        line.setContentsMargins(12, 8, 12, 4)
        line.addWidget(self.heading)
        line.addWidget(self.hint, 1)
        self.new = LinkButton(theme, tr("+ new tag, takes the next key"))
        self.new.setAccessibleName(tr("New tag"))
        self.new.clicked.connect(self._on_new_clicked)
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 8, 0, 8)
        layout.setSpacing(0)
        layout.addWidget(self.bar)
        self._sign_rows, self._tag_rows = QVBoxLayout(), QVBoxLayout()
        for rows in (self._sign_rows, self._tag_rows):
            rows.setSpacing(0)
            rows.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(self._sign_rows)
        layout.addWidget(self.nothing)
        layout.addLayout(line)
        layout.addLayout(self._tag_rows)
        new = QHBoxLayout()
        new.setContentsMargins(7, 2, 0, 0)
        new.addWidget(self.new)
        new.addStretch(1)
        layout.addLayout(new)
        layout.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidget(body)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setMinimumWidth(body.minimumSizeHint().width() + SCROLLS)  # it scrolls down only
        self.area.viewport().setAutoFillBackground(False)
        body.setAutoFillBackground(False)
        self.set_body(self.area)
        self._on_colours_changed()
        theme.changed.connect(self._on_colours_changed)

    def show_query(self, query: ExaminedQuery | None) -> None:
        """Show why a query fails."""
        self.bar.show_query(query)
        self.bar.setVisible(query is not None and bool(query.parts) and query.loss > 0)
        signs = () if query is None else query.signs
        tags = () if query is None else query.tags
        while len(self.signs) < len(signs):
            button = SignButton(self._theme)
            button.clicked.connect(self._on_sign_clicked)
            self.signs.append(button)
            self._sign_rows.addWidget(button)
        while len(self.tags) < len(tags):
            tag = TagButton(self._theme)
            tag.clicked.connect(self._on_tag_clicked)
            self.tags.append(tag)
            self._tag_rows.addWidget(tag)
        for number, button in enumerate(self.signs):
            button.setVisible(number < len(signs))
            if number < len(signs):
                button.show_sign(signs[number])
        for number, tag in enumerate(self.tags):
            tag.setVisible(number < len(tags))
            if number < len(tags):
                tag.show_tag(tags[number])
        self.nothing.setVisible(query is not None and not signs)
        lost = query is not None and query.loss == query.loss
        self.set_note(tr("computed · loss {loss}", loss=quantity(query.loss)) if query is not None and lost else "")

    def _on_sign_clicked(self) -> None:
        button = self.sender()
        if isinstance(button, SignButton):
            self._session.failure_loop.switch_filter(f"cause:{button.sign.name}")

    def _on_tag_clicked(self) -> None:
        button = self.sender()
        if isinstance(button, TagButton):
            button.setChecked(button.tag.on)  # the session says what is on
            self._session.failure_loop.switch_tag(button.tag.name)

    def _on_new_clicked(self) -> None:
        run_command(self._session, "new_failure_tag")

    def _on_colours_changed(self) -> None:
        for label, name in ((self.nothing, "muted"), (self.hint, "muted"), (self.heading, "ink")):
            label.set_ink(self._theme[name])


class TopPanel(TablePanel):
    """The top of the list of the selected query."""

    def __init__(self, session: Session, theme: Theme) -> None:
        self.model = TableModel(own_painters={TopColumn: TopCell})
        table = Table(self.model, theme, stretch="document", sortable=False)
        super().__init__(session, theme, table, "top")
        self.model.setParent(self)
        table.horizontalHeader().hide()
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        table.setAccessibleName(tr("The top of the list"))
        self.legend_button.hide()
        self.below = Sentences()
        self.below.setFont(theme.font(9))
        self.below.setWordWrap(True)
        self.below.setContentsMargins(12, 4, 12, 4)
        self.body_layout.addWidget(self.below)
        self._query = ""
        table.row_activated.connect(self._on_row_activated)

    def show_query(self, view_model: FailureLoopViewModel) -> None:
        """Show the list of the selected query."""
        query = view_model.query
        if query is None:
            self.set_title(tr("No query is selected."))
            self.model.clear()
            self.below.setText("")
            return
        again = query.query_id == self._query
        self._query = query.query_id
        text = f" “{query.text}”" if query.text else ""
        self.set_title(visible(f"{query.query_id}{text}"))
        self.set_note(
            tr(
                "{next} {previous} next, previous",
                next=command_keys("next_query"),
                previous=command_keys("previous_query"),
            )
        )
        with self.table.keeping(None if again else -1):
            column = TopColumn(query.documents, view_model.max_grade)
            self.model.show((column,), [f"{each.rank} {each.document}" for each in query.documents])
        self.table.set_empty_words("" if query.documents else tr("The run returns nothing for this query."))
        self.below.setText(query.below)

    def _on_row_activated(self, row: int) -> None:
        key = str(self.model.keys[row]).partition(" ")[2]
        self.session.failures.go_to_failure(self._query, document=key)


@guarded
class TagsPanel(CausesPanel):
    """The tags so far with their shares, and what they say of all queries."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme, ("tag", "rest"))
        self.set_title(tr("Your tags so far"))
        self.table.setAccessibleName(tr("Your tags so far"))
        self.words = Sentences()
        self.words.setFont(theme.font(9))
        self.words.setWordWrap(True)
        self.words.setContentsMargins(12, 4, 12, 2)
        self.random = QCheckBox(tr("random order"))
        self.random.setFont(theme.font(9))
        set_tooltip(self.random, find(session, "random_failures").help)
        self.export = TextButton(theme, tr("Export tags…"), find(session, "export_failure_tags").help)
        self.keep = TextButton(theme, tr("Keep as a set…"), find(session, "keep_failures_set").help)
        self.export.clicked.connect(self._on_export_clicked)
        self.keep.clicked.connect(self._on_keep_clicked)
        self.random.clicked.connect(self._on_random_clicked)
        self.foot = QWidget()
        self.foot.setMinimumWidth(1)  # what has no room side by side stands below each other
        row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self.foot)
        row.setContentsMargins(10, 4, 10, 6)
        row.setSpacing(6)
        self._buttons = buttons = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        for widget in (self.export, self.keep):
            buttons.addWidget(widget, 0, Qt.AlignmentFlag.AlignLeft)
        buttons.addStretch(1)
        row.addLayout(buttons, 1)
        row.addWidget(self.random)
        self._row = row
        self.body_layout.addWidget(self.words)
        self.body_layout.addWidget(self.foot)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "_row"):
            self._show_what_fits()

    def _show_what_fits(self) -> None:
        """Put the order below the buttons where it has no room beside them, and then these below each other; leave the
        words out, and the controls to the menus, where the tags would have no room above."""
        margins, gap = self._row.contentsMargins(), self._row.spacing()
        sides = margins.left() + margins.right() + 2 * gap
        buttons = [button.sizeHint().width() for button in (self.export, self.keep)]
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        wide = sides + sum(buttons) + gap + self.random.sizeHint().width() <= self.width()
        self._row.setDirection(across if wide else down)
        self._buttons.setDirection(across if sides + sum(buttons) <= self.width() else down)
        room = self.height() - HEADER_HEIGHT - ROOM_OF_TAGS
        foot = self.foot.sizeHint().height()
        self.foot.setVisible(foot <= room)
        self.setMinimumWidth(max(LEAST_WIDTH, max(buttons) + sides) if foot <= room else LEAST_WIDTH)
        self.words.setVisible(foot + self.words.heightForWidth(self.width()) <= room)

    def show_tags(self, view_model: FailureLoopViewModel) -> None:
        """Show the shares of tags."""
        self.show_causes(view_model)
        self.set_note(trn("{n:,} query examined", "{n:,} queries examined", view_model.examined))
        self.random.setChecked(view_model.order == "random")
        self.export.setEnabled(self.session.failure_loop.has_looks)
        summary = view_model.summary
        if summary is None or not summary.looked:
            self.words.setText(tr(
                "Space notes that a query was examined, and + makes a tag. Tags are kept in the project and change no "
                "value."
            ))  # fmt: skip
        else:
            self.words.setText(f"{looked_words(summary)} {sample_words(summary)}")
        self._show_what_fits()

    def _on_export_clicked(self) -> None:
        run_command(self.session, "export_failure_tags")

    def _on_keep_clicked(self) -> None:
        run_command(self.session, "keep_failures_set")

    def _on_random_clicked(self, on: bool) -> None:
        self.session.failure_loop.set_order("random" if on else "loss")


@guarded
class ProgressBar(QWidget):
    """How many queries were examined, as words and a bar."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._share, self._words = 0.0, ("", "", "")
        self.setFixedHeight(28)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_progress(self, examined: int, total: int, share: float) -> None:
        """Show how many of all queries were examined, and the share of the loss that these have."""
        self._share = examined / total if total else 0.0
        first = tr("{n:,} of {all:,}", n=examined, all=total)
        last = tr("they hold {share} of the loss", share=percent(share)) if examined and share == share else ""
        self._words = (first, tr("examined"), last)
        self.setAccessibleName(" ".join(filter(None, self._words)))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        first, second, last = self._words
        right = float(self.width())
        painter.setFont(theme.font(9))
        painter.setPen(theme["muted"])
        for words in (last,):
            width = painter.fontMetrics().horizontalAdvance(words)
            if words and right - width > 260:
                painter.drawText(QRectF(right - width, 0, width + 1, 28), int(_LEFT), words)
                right -= width + 10
        bar = QRectF(right - 130, 10, 130, 8)
        painter.fillRect(bar, theme["recess"])
        painter.fillRect(QRectF(bar.left(), bar.top(), bar.width() * self._share, bar.height()), theme["ink"])
        right = bar.left() - 10
        width = painter.fontMetrics().horizontalAdvance(second)
        painter.drawText(QRectF(right - width, 0, width + 1, 28), int(_LEFT), second)
        right -= width + 6
        painter.setFont(theme.font(9.5, weight=600, numbers=True))
        painter.setPen(theme["ink"])
        width = painter.fontMetrics().horizontalAdvance(first)
        painter.drawText(QRectF(right - width, 0, width + 1, 28), int(_LEFT), first)


class FailureLoop(Screen):
    """The failures of one run, query by query."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.list = QueriesByLoss(session, theme)
        self.top = TopPanel(session, theme)
        self.why = WhyPanel(session, theme)
        self.causes = CausesPanel(session, theme, ("part", "kind"))
        self.causes.table.setAccessibleName(tr("Causes in all queries"))
        self.tags = TagsPanel(session, theme)
        self.middle = split(Qt.Orientation.Vertical, (self.top, self.causes), (5, 4))
        self.right = split(Qt.Orientation.Vertical, (self.why, self.tags), (5, 4))
        self.columns = split(Qt.Orientation.Horizontal, (self.list, self.middle, self.right), (39, 51, 35))
        self.set_content(self.columns, least=(880, 520))
        self.setFocusProxy(self.list)

    def refresh(self, changes: frozenset[Change]) -> None:
        view_model = self.session.failure_loop.view_model()
        if view_model is None:
            return
        self.list.show_view_model(view_model)
        self.top.show_query(view_model)
        self.why.show_query(view_model.query)
        self.causes.set_title(trn("Causes in {n:,} query", "Causes in all {n:,} queries", view_model.total))
        self.causes.set_note(tr("a click filters the list"))
        self.causes.show_causes(view_model)
        self.tags.show_tags(view_model)

    def filter_field(self) -> QLineEdit | None:
        return self.list.filter
