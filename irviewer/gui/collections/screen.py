"""The Collections view: systems × collections, the difference of two systems as a forest plot, tests over
collections."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QAccessible, QAction, QContextMenuEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QMenu, QScrollArea, QVBoxLayout, QWidget

from irviewer.commands import run_command
from irviewer.gui.collections.cells import COLLECTION_PAINTERS, ForestColumn, MeansColumn
from irviewer.gui.guard import guarded
from irviewer.gui.screens.screen import Screen, split
from irviewer.gui.tables.axis_foot import AxisFoot
from irviewer.gui.tables.header import TableHeader
from irviewer.gui.tables.result_columns import ColumnLayout
from irviewer.gui.tables.result_panel import ResultPanel
from irviewer.gui.theme import Theme, aligned
from irviewer.gui.widgets.controls import ChoiceButton, TextButton, swatch_icon
from irviewer.gui.widgets.kept_clear import keep_clear
from irviewer.gui.widgets.menu_below import open_below
from irviewer.gui.widgets.painting import SWATCH
from irviewer.gui.widgets.panel import HEADER_HEIGHT
from irviewer.gui.widgets.picture import SavePictureMenu, savable_picture
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.savable import Savable, savable_result
from irviewer.gui.widgets.screen_reader import set_role
from irviewer.gui.widgets.scrolled import Scrolled
from irviewer.gui.widgets.table import ROW_HEIGHT
from irviewer.gui.widgets.table_panel import BELOW, BORDERS
from irviewer.session.changes import Change
from irviewer.session.view_models.collections import CollectionsViewModel
from irviewer.translation import decimal, tr, trn

if TYPE_CHECKING:
    from irviewer.session.session import Session

PAIRS = ("system", "other", "difference", "better", "sign_p_corrected", "wilcoxon_p_corrected")
"""The columns that are shown of every two systems."""
NAME_WIDEST = 260
"""The largest natural width of the name of a collection, in pixels."""
LEAST_BELOW, LEAST_SHARE = 280, 0.34
"""The least height of the plots in pixels, and the least share of the height that the systems have above them."""
LEAST = 900, 560
"""The least width and height of the view in pixels, below which it scrolls."""
MOST_LEAST = 800
"""The greatest height in pixels that it scrolls as a whole, so that none of its tables does."""
HIGHEST_ROW = 40
"""The greatest height of a row in pixels, where there is room."""
TESTS_SHARE = 0.37
"""The least share of the width that the tests have."""
WITHOUT_END = (1 << 24) - 1
"""The maximum height of a widget that has none."""
_CENTRE = Qt.AlignmentFlag.AlignCenter
_LEFT = aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter)


@guarded
class SystemsTable(ResultPanel):
    """Systems × collections. A click on a cell or a name opens the collection; Space draws a system or not."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme, "collections", COLLECTION_PAINTERS, frozen=(1, 2), tightens=True)
        self.table.setAccessibleName(tr("Systems on collections"))
        self.match = TextButton(theme, tr("Match systems…"), tr("Choose the run of each system in each collection"))
        self.match.clicked.connect(self._on_match_clicked)
        self.header_layout.addWidget(self.match)
        self.legend = PlainLabel()
        self.legend.setFont(theme.font(9))
        self.legend.setWordWrap(True)
        keep_clear(self.legend)
        self.legend.setContentsMargins(12, 5, 12, 5)
        self.body_layout.addWidget(self.legend)
        self._view_model: CollectionsViewModel | None = None
        self.table.sort_requested.connect(self._on_sort_requested)
        self.table.row_toggled.connect(self._on_row_toggled)
        self.table.clicked.connect(self._on_cell_clicked)
        theme.changed.connect(self._on_legend_colours_changed)
        self._on_legend_colours_changed()

    def show_view_model(self, view_model: CollectionsViewModel) -> None:
        self._view_model, table = view_model, view_model.table
        labels = {label.name: label for label in view_model.systems}
        unders = [
            trn("{n:,} query", "{n:,} queries", head.queries) if head.queries else head.why for head in view_model.heads
        ]
        layouts = dict(zip((column.key for column in table.columns[1:]), (*unders, *view_model.inside), strict=True))
        self.show_table(
            table, sort=view_model.sort, labels=labels,
            layouts={"system": ColumnLayout(ticks=True)}
            | {key: ColumnLayout(under=under, made=MeansColumn) for key, under in layouts.items()},
        )  # fmt: skip
        self.set_title(view_model.title)
        self.set_note(view_model.note)
        self.legend.setText(view_model.legend)
        self.legend.setVisible(bool(view_model.legend))
        self.show_notice(view_model.explanation, "text")
        self.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Take no more height than the rows and the legend need: the plots below have it."""
        words = sum(
            label.heightForWidth(max(1, self.width() - 2))
            for label in (self.legend, self.notice)
            if not label.isHidden()
        )
        self.setMaximumHeight(HEADER_HEIGHT + self.table.full_height() + words + 12)

    def savable(self) -> Savable | None:
        """Return the table with the forest plot and the tests, as LaTeX in its usual form, CSV and others."""
        result = self.session.collections.result()
        if result is None:
            return super().savable()
        return savable_result(tr("Systems on collections"), result.tables)

    def row_menu(self, row: int) -> QMenu:
        menu = super().row_menu(row)
        if self._view_model is None:
            return menu
        if 0 <= row < len(self._view_model.systems):
            label = self._view_model.systems[row]
            text = tr("Do not draw {system}") if label.shown else tr("Draw {system}")
            menu.addAction(text.format(system=label.name).replace("&", "&&")).setData(("toggle", row))
            if not label.baseline:
                text = tr("Compare {system} with the baseline", system=label.name)
                menu.addAction(text.replace("&", "&&")).setData(("compare", row))
        opened = menu.addMenu(tr("Open collection"))
        for head in self._view_model.heads:
            opened.addAction(head.name.replace("&", "&&")).setData(("open", head.place))
        menu.addAction(tr("Match systems…")).setData(("match", 0))
        menu.triggered.connect(self._on_menu_triggered)
        opened.triggered.connect(self._on_menu_triggered)
        return menu

    def _on_menu_triggered(self, action: QAction) -> None:
        data = action.data()
        if not isinstance(data, tuple):
            return
        what, place = data
        if what == "open":
            self.session.collections.open_collection(place)
        elif what == "toggle":
            self._on_row_toggled(place)
        elif what == "compare" and self._view_model is not None:
            baseline = next((label.name for label in self._view_model.systems if label.baseline), "")
            self.session.collections.set_pair(self._view_model.systems[place].name, baseline)
        elif what == "match":
            self._on_match_clicked()

    def _on_match_clicked(self) -> None:
        run_command(self.session, "match_systems")

    def _on_sort_requested(self, column: str, descending: bool) -> None:
        """Sort by systems and means; the name of a collection opens it."""
        place = self._collection_of(column)
        if place >= 0:
            self.session.collections.open_collection(place)
        else:
            self.session.collections.sort(column, descending)

    def _on_cell_clicked(self, index: QModelIndex) -> None:
        place = self._collection_of(self.model.columns[index.column()].id) if index.isValid() else -1
        if place >= 0:
            self.session.collections.open_collection(place)

    def _collection_of(self, column_id: str) -> int:
        """Return the place of the collection that a column is of, -1 for none."""
        if self._view_model is None:
            return -1
        keys = [column.key for column in self._view_model.table.columns if column.names == "collection"]
        heads = dict(zip(keys, self._view_model.heads, strict=True))
        return heads[column_id].place if column_id in heads else -1

    def _on_row_toggled(self, row: int) -> None:
        if self._view_model is not None and 0 <= row < len(self._view_model.systems):
            label = self._view_model.systems[row]
            self.session.collections.show_system(label.name, not label.shown)

    def _on_legend_colours_changed(self) -> None:
        self.legend.set_ink(self.theme["muted"])


class ForestPicture(QWidget):
    """The table of the forest plot with its conclusion, saved as a picture."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self.title = ""
        self.layout_ = QVBoxLayout(self)
        self.layout_.setContentsMargins(0, 0, 0, 0)
        self.layout_.setSpacing(0)

    def savable(self) -> Savable | None:
        """Return the plot as a picture; None before there is one."""
        mark = self._session.view.judgment_mark
        return savable_picture(self, self._theme, self.title, mark) if self.title else None


class ForestPanel(ResultPanel):
    """The difference of two systems on every collection, with the random-effects mean."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme, "forest", COLLECTION_PAINTERS, stretch="interval", sortable=False,
                         tightens=True)  # fmt: skip
        self.table.setAccessibleName(tr("Difference of two systems by collection"))
        self.picture = ForestPicture(session, theme)
        self.body_layout.removeWidget(self.table)
        self.picture.layout_.addWidget(self.table, 1000)  # all rows, as far as there is room
        self.foot = AxisFoot(theme, self.table, self.model, tr("mean {value}"))
        self.picture.layout_.addWidget(self.foot)
        self.conclusion = PlainLabel()
        self.conclusion.setFont(theme.font(9.5))
        self.conclusion.setWordWrap(True)
        self.conclusion.setContentsMargins(12, 6, 12, 6)
        self.picture.layout_.addWidget(self.conclusion)
        self.picture.layout_.addStretch(1)
        self.body_layout.addWidget(self.picture, 1)
        self.unmatched = PlainLabel(tr("No system has values on two collections. Say which runs are of one system:"))
        self.unmatched.setFont(theme.font(10.5))
        self.unmatched.setWordWrap(True)
        self.unmatched.setAlignment(_CENTRE)
        self.unmatched.setContentsMargins(12, 6, 12, 6)
        self.match = TextButton(theme, tr("Match systems…"), tr("Choose the run of each system in each collection"))
        self.match.clicked.connect(self._on_match_clicked)
        self.body_layout.addWidget(self.unmatched)
        self.body_layout.addWidget(self.match, 0, Qt.AlignmentFlag.AlignHCenter)
        self.body_layout.addStretch(0)
        self.system, self.other = ChoiceButton(theme, most=150), ChoiceButton(theme, most=150)
        self.against = PlainLabel(tr("against"))
        for position, widget in enumerate((self.system, self.against, self.other)):
            self.header_layout.insertWidget(1 + position, widget)
        self.system.clicked.connect(self._on_system_clicked)
        self.other.clicked.connect(self._on_other_clicked)
        self._view_model: CollectionsViewModel | None = None
        self._menu: QMenu | None = None
        self.table.row_activated.connect(self._on_row_activated)
        theme.changed.connect(self._on_words_colours_changed)
        self._on_words_colours_changed()

    def show_view_model(self, view_model: CollectionsViewModel) -> None:
        """Show the plot of a view model."""
        self._view_model = view_model
        paired = bool(view_model.pair_labels)
        runs = dict(zip(("mean", "other_mean"), view_model.pair_labels, strict=True)) if paired else {}
        names, drawn = ColumnLayout(whole=True, widest=NAME_WIDEST), ColumnLayout(made=ForestColumn)
        layouts = {"collection": names, "interval": drawn}
        self.show_table(view_model.forest_table, runs=runs, layouts=layouts, axes=False)
        self.foot.show_legend("")
        for widget in (self.system, self.against, self.other):
            widget.setVisible(paired)
        if paired:
            for button, label, hint in zip(
                (self.system, self.other), view_model.pair_labels,
                (tr("The system compared"), tr("The system that it is compared with")), strict=True,
            ):  # fmt: skip
                name = f"{label.name} ★" if label.baseline else label.name
                button.show_choice(name, hint, self.theme.run(label))
        self.set_title(tr("By collection"))
        self.picture.title = tr("{system} against {other}, by collection", system=view_model.pair[0],
                                other=view_model.pair[1]) if paired else ""  # fmt: skip
        self.set_note(view_model.forest_note)
        self.conclusion.setText(view_model.conclusion)
        self.unmatched.setVisible(view_model.nothing_shared)
        self.match.setVisible(view_model.nothing_shared)
        self.body_layout.setStretch(self.body_layout.count() - 1, int(view_model.nothing_shared))
        self.fit()

    def fit(self) -> None:
        """Take no more height than the rows need: the words below them have it."""
        self.table.setMaximumHeight(self.table.full_height())

    def wanted_height(self) -> int:
        """Return the height in pixels of all rows, the axis and the words below them at this width."""
        words = self.conclusion.heightForWidth(max(1, self.width() - 2))
        return HEADER_HEIGHT + self.table.full_height() + self.foot.minimumHeight() + max(0, words) + 12

    def menu_of(self, first: bool) -> QMenu:
        """Return the systems that can be compared (``first``) or compared with."""
        menu = QMenu(self)
        view_model = self._view_model
        if view_model is not None:
            for label in sorted(view_model.systems, key=lambda label: label.key):
                icon = swatch_icon(self.theme.run(label), label.shown, self.theme["control_border"])
                name = f"{label.name} ★" if label.baseline else label.name
                menu.addAction(icon, name.replace("&", "&&")).setData((first, label.name))
        menu.triggered.connect(self._on_chosen)
        return menu

    def _open(self, first: bool, below: QWidget) -> None:
        self._menu = open_below(self.menu_of(first), below, self._menu)

    def _on_match_clicked(self) -> None:
        run_command(self.session, "match_systems")

    def _on_system_clicked(self) -> None:
        self._open(True, self.system)

    def _on_other_clicked(self) -> None:
        self._open(False, self.other)

    def _on_chosen(self, action: QAction) -> None:
        first, name = action.data()
        if first:
            self.session.collections.set_pair(system=name)
        else:
            self.session.collections.set_pair(other=name)

    def _on_row_activated(self, row: int) -> None:
        if self._view_model is not None and row < len(self._view_model.forest):
            title = self._view_model.forest[row].title
            place = next((head.place for head in self._view_model.heads if head.name == title), -1)
            self.session.collections.open_collection(place)

    def _on_words_colours_changed(self) -> None:
        for label, name in ((self.conclusion, "text"), (self.against, "muted"), (self.unmatched, "text")):
            label.set_ink(self.theme[name])


@guarded
class RankPlot(QWidget):
    """Average ranks on an axis from 1 to the number of systems; filled for drawn systems. ``critical`` is Nemenyi's
    critical difference, drawn as a bar from the best rank, NaN not to."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        set_role(self, QAccessible.Role.Chart)
        self._session = session
        self._theme = theme
        self._view_model: CollectionsViewModel | None = None
        self.critical = math.nan
        self.setMinimumHeight(112)
        theme.changed.connect(self.update)

    def show_view_model(self, view_model: CollectionsViewModel, critical: float) -> None:
        self._view_model, self.critical = view_model, critical
        pairs = zip(view_model.ranked, view_model.ranks, strict=True)
        self.setAccessibleName(tr("Average ranks: {ranks}", ranks=", ".join(f"{run.name} {rank:.2f}" for run, rank in
                                                                           pairs)))  # fmt: skip
        self.setMinimumHeight(70 + 21 * max(1, (len(view_model.ranked) + 1) // 2) * (len(view_model.ranked) > 3)
                              + 42 * (len(view_model.ranked) <= 3))  # fmt: skip
        self.update()

    def savable(self) -> Savable | None:
        """Return the ranks as a picture; None without."""
        if self._view_model is None or not self._view_model.ranks:
            return None
        return savable_picture(self, self._theme, tr("Average ranks"))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        SavePictureMenu(self, self._session, self.savable).popup(event.globalPos())

    def paintEvent(self, event: QPaintEvent) -> None:
        view_model, theme = self._view_model, self._theme
        if view_model is None or not view_model.ranks:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        last = len(view_model.ranks)
        left, right = 46.0, self.width() - 46.0
        y = self.height() / 2 - 4

        def at(rank: float) -> float:
            return left + (rank - 1) / max(1, last - 1) * (right - left)

        painter.setPen(QPen(theme["faint"], 1.2))
        painter.drawLine(QPointF(left, y), QPointF(right, y))
        painter.setFont(theme.font(8.5, numbers=True))
        for tick in range(1, last + 1):
            painter.setPen(QPen(theme["faint"], 1.2))
            painter.drawLine(QPointF(at(tick), y - 4), QPointF(at(tick), y + 4))
            painter.setPen(theme["muted"])
            painter.drawText(QRectF(at(tick) - 20, self.height() - 18, 40, 16), int(_CENTRE), str(tick))
        painter.drawText(QRectF(4, self.height() - 18, 40, 16), int(_LEFT), tr("rank"))
        order = sorted(range(last), key=lambda place: view_model.ranks[place])
        painter.setFont(theme.font(9))
        for number, place in enumerate(order):
            label, rank = view_model.ranked[place], view_model.ranks[place]
            above = number % 2 == 0
            level = number // 2
            x, reach = at(rank), 16 + 18 * level
            end = y - reach if above else y + reach
            painter.setPen(QPen(theme["faint"], 1))
            painter.drawLine(QPointF(x, y), QPointF(x, end))
            text = f"{label.name} {decimal(f'{rank:.2f}')}"
            width = painter.fontMetrics().horizontalAdvance(text)
            start = min(max(2.0, x - width / 2), self.width() - width - 2.0)
            painter.setPen(theme["text"])
            top = end - 17 if above else end + 1
            painter.drawText(QRectF(start, top, width + 2, 16), int(_LEFT), text)
            colour = theme.run(label)
            painter.setPen(QPen(colour, 1.5))
            painter.setBrush(colour if label.shown else theme["panel"])
            painter.drawEllipse(QPointF(x, y), SWATCH / 2, SWATCH / 2)
        if not math.isnan(self.critical):
            best = min(view_model.ranks)
            painter.setPen(QPen(theme["ink"], 3))
            low = y + 9
            painter.drawLine(QPointF(at(best), low), QPointF(at(min(float(last), best + self.critical)), low))


class TestsPanel(ResultPanel):
    """The tests over the complete collections, and average ranks."""

    __test__ = False

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme, "over_collections", sortable=False, tightens=True)
        self.table.setAccessibleName(tr("Tests over the collections"))
        self.body_layout.removeWidget(self.table)
        header = self.table.horizontalHeader()
        assert isinstance(header, TableHeader)
        header.height_changed.connect(self.fit)
        self.words = [PlainLabel() for _ in range(4)]
        for label in self.words:
            label.setFont(theme.font(9.5))
            label.setWordWrap(True)
            label.setContentsMargins(12, 4, 12, 4)
        self.pairs_note, self.friedman, self.nemenyi, self.notes = self.words
        self.ranks = RankPlot(session, theme)
        self.ask = TextButton(theme, tr("Nemenyi’s critical difference"),
                              tr("The distance from which average ranks differ, over all pairs"))  # fmt: skip
        self.ask.setCheckable(True)
        self.ask.clicked.connect(self._on_ask_clicked)
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(0, 0, 0, 8)
        layout.setSpacing(2)
        layout.addWidget(self.table)
        layout.addWidget(self.pairs_note)
        layout.addWidget(self.ranks)
        layout.addWidget(self.friedman)
        row = QVBoxLayout()
        row.setContentsMargins(12, 2, 12, 2)
        row.addWidget(self.ask)
        layout.addLayout(row)
        layout.addWidget(self.nemenyi)
        layout.addWidget(self.notes)
        layout.addStretch(1)
        self.inside = inside
        self.area = QScrollArea()
        self.area.setWidget(inside)
        self.area.setWidgetResizable(True)
        inside.setAutoFillBackground(False)  # the panel paints the ground
        self.area.viewport().setAutoFillBackground(False)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.body_layout.addWidget(self.area, 1)
        self._view_model: CollectionsViewModel | None = None
        theme.changed.connect(self._on_words_colours_changed)
        self._on_words_colours_changed()

    def show_view_model(self, view_model: CollectionsViewModel) -> None:
        self._view_model = view_model
        pairs = view_model.pairs
        self.show_table(pairs, keys=PAIRS if pairs is not None else ())
        self.set_title(view_model.tests_title or tr("Over the collections"))
        self.set_note(view_model.measure)
        self.table.setVisible(pairs is not None)
        self.fit()
        self.pairs_note.setText(view_model.pairs_note)
        self.friedman.setText(view_model.friedman)
        self.notes.setText("\n".join(view_model.notes))
        self.ask.setVisible(bool(view_model.nemenyi))
        self.ranks.setVisible(bool(view_model.ranks))
        for label in self.words:
            label.setVisible(bool(label.text()))
        self._show_nemenyi()

    def fit(self) -> None:
        """Show all rows, whatever the height of the titles."""
        scrolls = self.table.horizontalScrollBar().maximum() > 0
        spare = 0 if scrolls else self.table.horizontalScrollBar().sizeHint().height() - 2
        self.table.setFixedHeight(self.table.full_height() - spare)

    def wanted_height(self) -> int:
        """Return the height in pixels of all tests and words at this width."""
        return HEADER_HEIGHT + self.inside.heightForWidth(max(1, self.area.viewport().width())) + BELOW + BORDERS

    def _show_nemenyi(self) -> None:
        view_model = self._view_model
        if view_model is None:
            return
        asked = self.ask.isChecked() and bool(view_model.nemenyi)
        self.nemenyi.setText(view_model.nemenyi if asked else "")
        self.nemenyi.setVisible(asked)
        self.ranks.show_view_model(view_model, view_model.critical if asked else math.nan)

    def _on_ask_clicked(self) -> None:
        self._show_nemenyi()

    def _on_words_colours_changed(self) -> None:
        for label in self.words:
            label.set_ink(self.theme["text"])


@guarded
class CollectionsScreen(Screen):
    """The Collections view."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.systems = SystemsTable(session, theme)
        self.forest = ForestPanel(session, theme)
        self.tests = TestsPanel(session, theme)
        self.below = split(Qt.Orientation.Horizontal, (self.forest, self.tests), (63, 37))
        self.content = split(Qt.Orientation.Vertical, (self.systems, self.below), (34, 66))
        column = QWidget()
        layout = QVBoxLayout(column)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.content, 1)
        layout.addStretch(0)  # the panels end where their content does
        self.scrolled = Scrolled(column, LEAST)
        self.set_content(self.scrolled)
        self.setFocusProxy(self.systems)
        self._view_model: CollectionsViewModel | None = None
        self._moved = self._moved_aside = False
        # When the parts have their widths, on which their heights depend.
        self._sharing = QTimer(self, singleShot=True, interval=0)
        self._sharing.timeout.connect(self._share_height)
        self.content.splitterMoved.connect(self._on_splitter_moved)
        self.below.splitterMoved.connect(self._on_below_moved)
        self.tests.ask.clicked.connect(self._sharing.start)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._sharing.start()

    def _on_splitter_moved(self) -> None:
        self._moved = True
        for panel in (self.forest, self.tests):
            panel.setMaximumHeight(WITHOUT_END)

    def _on_below_moved(self) -> None:
        self._moved_aside = True

    def _share_height(self) -> None:
        """Give the systems the height that their rows need and the plots below them can spare, and the plots no more
        than they need."""
        if self._moved or self._view_model is None:
            return
        beside = self.below.orientation() == Qt.Orientation.Horizontal and not self._view_model.nothing_shared
        self._share_width(beside)
        self._set_row_height(ROW_HEIGHT)
        below = max(LEAST_BELOW, self.forest.wanted_height(), self.tests.wanted_height())
        rows = self.systems.model.rowCount() + self.forest.model.rowCount()
        spare = self.height() - self.systems.maximumHeight() - self.content.handleWidth() - below
        if beside and spare >= rows > 0:  # a few rows of many collections are told apart by more than a line
            self._set_row_height(min(HIGHEST_ROW, ROW_HEIGHT + spare // rows))
            below = max(LEAST_BELOW, self.forest.wanted_height(), self.tests.wanted_height())
        for panel in (self.forest, self.tests):
            panel.setMaximumHeight(below if beside else WITHOUT_END)
        if beside:  # where all fits, nothing scrolls
            least = self.systems.maximumHeight() + self.content.handleWidth() + below
            self.scrolled.set_least((LEAST[0], least if least <= MOST_LEAST else LEAST[1]))
        for around in (self.below, self.content, self.content.parentWidget()):  # each has the limits of those within
            QApplication.sendPostedEvents(around, int(QEvent.Type.LayoutRequest))
        total = sum(self.content.sizes())
        if self.below.isHidden() or total < LEAST_BELOW:
            return
        spare = total - max(LEAST_BELOW, self.forest.wanted_height())
        upper = max(min(self.systems.maximumHeight(), spare), round(total * LEAST_SHARE))
        self.content.setSizes([upper, total - upper])

    def _set_row_height(self, height: int) -> None:
        for panel in (self.systems, self.forest, self.tests):
            panel.table.set_row_height(height)
            panel.fit()

    def _share_width(self, beside: bool) -> None:
        """Give the tests the width of their columns, where the plots can spare it."""
        total = sum(self.below.sizes())
        if beside and total and not self._moved_aside:
            most = total - self.forest.table.whole_width() - BORDERS
            tests = max(round(total * TESTS_SHARE), min(self.tests.table.whole_width() + 2 * BORDERS, most))
            self.below.setSizes([total - tests, tests])

    def refresh(self, changes: frozenset[Change]) -> None:
        view_model = self.session.collections.collections_view_model()
        if view_model is None or (view_model is self._view_model and Change.RUNS not in changes):
            return
        self._view_model = view_model
        self._set_row_height(ROW_HEIGHT)
        for view in (self.systems, self.forest, self.tests):
            view.show_view_model(view_model)
        self._sharing.start()
        known = not view_model.explanation
        self.below.setVisible(known)
