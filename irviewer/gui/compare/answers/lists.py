"""Tabs of a view of answers in two parts: what all systems or topics have above, and the list behind it below.

A row above restricts the list to its system or topic, a cell that counts something also to what it counts; Enter on a
row of the list opens the answer at that nugget or sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from irviewer.analysis.answers.lost import STAGES
from irviewer.errors import IrviewerError
from irviewer.gui.compare.answers.compared_text import ComparedText, ComparedTextCell
from irviewer.gui.guard import guarded
from irviewer.gui.screens.screen import ColumnSplitter, Screen, fill
from irviewer.gui.tables.cells import LEFT_PAD
from irviewer.gui.tables.density import Density
from irviewer.gui.tables.model import Column as TableColumn
from irviewer.gui.tables.model import OwnPainters
from irviewer.gui.tables.result_columns import ColumnLayout, ResultColumn
from irviewer.gui.tables.result_panel import ResultPanel
from irviewer.gui.tables.view_panel import ViewPanel
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.answer_sources import AssignerButton, ListButton
from irviewer.gui.widgets.controls import TextButton
from irviewer.session.changes import Change
from irviewer.session.result_views import TABS
from irviewer.tables import column as columns
from irviewer.tables.column import Column
from irviewer.tables.table import Table
from irviewer.translation import tr
from irviewer.views.answer_lost import SHORT

if TYPE_CHECKING:
    from irviewer.session.session import Session


STYLES = (
    ("ink", Qt.BrushStyle.SolidPattern), ("muted", Qt.BrushStyle.SolidPattern), ("ink", Qt.BrushStyle.BDiagPattern),
    ("ink", Qt.BrushStyle.Dense5Pattern), ("ink", Qt.BrushStyle.FDiagPattern), ("muted", Qt.BrushStyle.Dense6Pattern),
    ("hover", Qt.BrushStyle.SolidPattern),
)  # fmt: skip
"""The colour and the pattern of each stage in a bar; what cannot be known is pale."""
THICK = 12
ROWS_ABOVE = 3
"""The rows of systems or topics that a low window shows."""


class BarColumn(ResultColumn):
    """A bar of stages."""


class BarCell:
    """Paints a bar of stages."""

    def __init__(self, theme: Theme, density: Density) -> None:
        self._theme = theme

    def paint(self, painter: QPainter, box: QRect, column: TableColumn, row: int, ground: QColor) -> None:
        assert isinstance(column, BarColumn)
        if not column.most > 0:
            return
        room = QRectF(box).adjusted(LEFT_PAD, 0, -LEFT_PAD, 0)
        left, top = room.left(), round(room.center().y() - THICK / 2)
        painter.setPen(QPen(self._theme.colours["frame"], 1))
        for part, (colour, pattern) in zip(column.values.parts, STYLES, strict=True):
            width = column.number(row, part) / column.most * room.width()
            if width > 0:
                painter.setBrush(QBrush(self._theme.colours[colour], pattern))
                painter.drawRect(QRectF(left, top, width, THICK))
                left += width


@guarded
class BarLegend(QWidget):
    """What the parts of bars are: a sample of each with its name, in as many lines as they need."""

    LINE = 18

    def __init__(self, theme: Theme, names: Sequence[str]) -> None:
        super().__init__()
        self._theme, self._names = theme, tuple(names)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(tr("Parts of the bars: {names}", names=", ".join(names)))
        theme.changed.connect(self.update)

    def _places(self, width: int) -> list[tuple[int, int]]:
        """Return the left and the line of each name."""
        metrics, places, left, line = self.fontMetrics(), [], 10, 0
        for name in self._names:
            needed = 20 + metrics.horizontalAdvance(name) + 16
            if left + needed > width and left > 10:
                left, line = 10, line + 1
            places.append((left, line))
            left += needed
        return places

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of the lines at a width."""
        return 8 + self.LINE * (1 + max((line for _, line in self._places(width)), default=0))

    def sizeHint(self) -> QSize:
        return QSize(300, self.heightForWidth(max(300, self.width())))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self._theme.font(8.5))
        self.setFont(painter.font())
        for number, (name, (left, line)) in enumerate(zip(self._names, self._places(self.width()), strict=True)):
            top = 4 + line * self.LINE
            colour, pattern = STYLES[number]
            painter.setPen(QPen(self._theme.colours["frame"], 1))
            painter.setBrush(QBrush(self._theme.colours[colour], pattern))
            painter.drawRect(QRectF(left, top + 3, 13, 10))
            painter.setPen(self._theme.colours["muted"])
            painter.drawText(QRectF(left + 19, top, self.width(), self.LINE), int(Qt.AlignmentFlag.AlignVCenter), name)


class ListsView(Screen):
    """A view in two parts. Subclasses say which table is above, and what its rows and cells restrict the list to."""

    TAB = ""
    ABOVE = "systems"
    ROW = "run"
    """The column of both tables whose value a row above chooses."""
    CELLS: Mapping[str, tuple[str, str, str]] = MappingProxyType({})
    """By key of a column above: the table below, and the column and value that it is restricted to."""
    LAYOUTS: Mapping[str, ColumnLayout] = MappingProxyType({})
    """How the list places its columns."""
    PAINTERS: OwnPainters = MappingProxyType({})
    """How columns of the list are painted that only it has."""
    BARS: Sequence[str] = ()
    """Columns that are shown as one bar."""
    SOURCES: Sequence[type[ListButton | AssignerButton]] = ()
    """What can be chosen of what the view is computed from, beside its parameters."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self._name = TABS[self.TAB]
        self._restricted: dict[str, str] = {}
        self.list = ViewPanel(session, theme, self._name, frozenset({self.ABOVE}), self.LAYOUTS, self.PAINTERS)
        self.above = ResultPanel(
            session, theme, self._name.replace("-", "_"), own_painters={BarColumn: BarCell},
            stretch="bar" if self.BARS else "", sortable=False, tightens=True,
        )  # fmt: skip
        self.above.table.setAccessibleName(tr("Topics") if self.ABOVE == "topics" else tr("Systems"))
        self.above.least_rows = ROWS_ABOVE
        self.every = TextButton(theme, tr("All"), tr("List all rows again"))
        self.every.clicked.connect(self._on_every_clicked)
        self.sources = [kind(session, theme) for kind in self.SOURCES]
        for button in self.sources:
            self.above.header_layout.insertWidget(self.above.header_layout.count() - 1, button)
        self.above.header_layout.addWidget(self.every)
        # Parameters belong to both parts: they are at the top.
        self.list.body_layout.removeWidget(self.list.parameters)
        self.above.body_layout.insertWidget(0, self.list.parameters)
        if self.BARS:
            self.above.body_layout.addWidget(BarLegend(theme, [SHORT[stage] for stage in self.BARS]))
        self.above.table.row_entered.connect(self._on_row_entered)
        self.above.table.clicked.connect(self._on_cell_clicked)
        self.above.table.row_activated.connect(self._on_row_activated)
        self.content = ColumnSplitter(Qt.Orientation.Vertical)
        fill(self.content, (self.above, self.list), (4, 6))
        self.set_content(self.content, least=(580, 620))
        self.setFocusProxy(self.above)

    def refresh(self, changes: frozenset[Change]) -> None:
        self.list.refresh(changes)
        for button in self.sources:
            button.refresh()
        shown = self.list.shown
        table = None if shown is None else next((each for each in shown.tables if each.name == self.ABOVE), None)
        self.every.setEnabled(bool(self._restricted))
        self.above.set_title(self._title(table))
        if table is None:
            self.above.show_table(None)
            self.above.show_notice(self._reason(), "muted")
            return
        rows = self.above.table.current_row()
        key = self.above.key_of(rows) if rows >= 0 else None
        drawn = self._drawn(table)
        keys = [each.key for each in drawn.columns if each.key not in self.BARS and not each.show.detail]
        self.above.show_table(drawn, saved=table, keys=keys, current=key, layouts={"bar": ColumnLayout(made=BarColumn)})
        self.above.show_notice(" ".join(note.text for note in table.notes), "muted")
        self.above.fit_height()

    def _title(self, table: Table | None) -> str:
        return self.session.result_views.view(self._name).title if table is None else table.title

    def _drawn(self, table: Table) -> Table:
        """Return the table with a bar in place of the counts that are its parts, after what is said."""
        if not self.BARS:
            return table
        bar = columns.parts("bar", tr("lost at"), {SHORT[key]: table.column(key).values for key in self.BARS})
        own: list[Column] = list(table.columns)
        place = next(at for at, each in enumerate(own) if each.key == self.BARS[0])
        lost = np.sum([table.column(key).numbers[""] for key in self.BARS], axis=0)
        total = columns.count("lost", tr("lost"), lost, better_up=False)
        return replace(table, columns=(*own[:place], total, bar, *own[place:]))

    def _reason(self) -> str:
        try:
            answer = self.session.result_views.answer(self._name)
        except IrviewerError as error:
            return str(error)
        if answer is not None:
            return answer.trouble
        return tr("Computing …") if self.session.view.context is not None else tr("Nothing is open.")

    def filter_field(self) -> QLineEdit | None:
        return self.list.filter

    # --- what the user does ---

    def _on_every_clicked(self) -> None:
        self._restrict({})

    def _restrict(self, only: dict[str, str]) -> None:
        self._restricted = only
        self.every.setEnabled(bool(only))
        self.list.restrict(only)

    def _on_row_entered(self, row: int) -> None:
        key = self.above.key_of(row)
        if key:
            self._restrict({self.ROW: str(key)})

    def _on_row_activated(self, row: int) -> None:
        """Go on to the list."""
        self._on_row_entered(row)
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_cell_clicked(self, index: QModelIndex) -> None:
        key = self.above.key_of(index.row())
        cell = self.CELLS.get(self.above.model.columns[index.column()].id)
        if key and cell is not None:
            self.list.show_named(cell[0])
            self._restrict({self.ROW: str(key), **({cell[1]: cell[2]} if cell[1] else {})})
        elif key:
            self._restrict({self.ROW: str(key)})


class LostView(ListsView):
    """Where vital nuggets were lost: a bar for each system, and the nuggets behind it."""

    TAB = "lost"
    LAYOUTS = MappingProxyType({
        "nugget": ColumnLayout(widest=420), "run": ColumnLayout(widest=220), "stage": ColumnLayout(widest=150),
        "document": ColumnLayout(widest=150),
    })  # fmt: skip
    BARS = STAGES
    SOURCES = (ListButton, AssignerButton)
    CELLS = MappingProxyType({
        "lost": ("nuggets", "", ""),
        "said_uncited": ("said", "fault", "uncited"),
        "said_unsupported": ("said", "fault", "unsupported"),
        **{stage: ("nuggets", "stage", stage) for stage in STAGES},
    })  # fmt: skip

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.list.show_named("nuggets")


class SentencesView(ListsView):
    """Sentences at fault by system, and which they are."""

    TAB = "sentences"
    LAYOUTS = MappingProxyType({"run": ColumnLayout(widest=220), "cites": ColumnLayout(widest=200)})
    CELLS = MappingProxyType(
        {fault: ("sentences", "fault", fault) for fault in ("uncited", "nowhere", "not_supported")}
    )


class VersionsView(ListsView):
    """Two answers sentence by sentence: counts by topic, and the sentences."""

    TAB = "versions"
    LAYOUTS = MappingProxyType({
        "text_first": ColumnLayout(widest=400, made=ComparedText),
        "text_second": ColumnLayout(widest=400, made=ComparedText),
        "kind": ColumnLayout(widest=150), "cites_first": ColumnLayout(widest=160),
        "cites_second": ColumnLayout(widest=160),
    })  # fmt: skip
    PAINTERS = MappingProxyType({ComparedText: ComparedTextCell})
    ABOVE = "topics"
    ROW = "topic"
    CELLS = MappingProxyType(
        {kind: ("sentences", "kind", kind) for kind in ("reworded", "first", "second", "citations", "same")}
    )
