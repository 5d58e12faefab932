"""The panel of relevant documents outside the cutoff of a shown run, with their rank in each run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QMenu, QWidget

from irviewer.commands import run_command
from irviewer.gui.guard import guarded
from irviewer.gui.query.rankings.missed_table import MissedTable
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import ThemedButton
from irviewer.gui.widgets.grade_buttons import add_judging
from irviewer.gui.widgets.panel import HEADER_HEIGHT, SEPARATOR, Panel
from irviewer.gui.widgets.plain_text import set_tooltip
from irviewer.gui.widgets.savable import Savable, ask_and_save, savable_result
from irviewer.hidden_characters import escape_hidden
from irviewer.session.changes import Change
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

CHANGES = frozenset(
    {Change.WORKSPACE, Change.COLLECTION, Change.RUNS, Change.MEASURE, Change.QUERY, Change.DOCUMENT, Change.MODE}
)

_NOTE_LEAST = 430
_MOST = 16_777_215
"""Qt's largest height."""
FOLDED = HEADER_HEIGHT + 2
RANKS = tr("rank in each run")


@guarded
class _FoldButton(ThemedButton):
    """The arrow that folds and unfolds the panel: ▸ ▾."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.folded = False
        self.setText(tr("Missed documents"))

    def sizeHint(self) -> QSize:
        return QSize(20, 22)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_box(painter, framed=False)
        painter.setPen(self.theme["muted"])
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), "▸" if self.folded else "▾")


@guarded
class Missed(Panel):
    """The panel: "Relevant, outside the top 10 of the chosen run: 4". It folds to its title, and unfolds, by a click on
    the title or the arrow, which emit ``fold_asked``."""

    fold_asked = Signal()

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, tr("Relevant, outside the cutoff"), RANKS, parent)
        self._session = session
        self._others = ""
        self.table = MissedTable(session, theme)
        self.set_body(self.table)
        self.setMinimumHeight(100)
        self.setFocusProxy(self.table)
        self.arrow = _FoldButton(theme)
        self.arrow.clicked.connect(self.fold_asked)
        self._title.setMinimumWidth(120)  # beside a document in a narrow window it is cut, not the lists
        self.header_layout.insertWidget(0, self.arrow)
        self.header_layout.setContentsMargins(6, 0, 12, 0)
        self.fold(False)

    @property
    def folded(self) -> bool:
        """Whether only the title is shown."""
        return self.arrow.folded

    def fold(self, folded: bool) -> None:
        """Show only the title, or the table too."""
        self.arrow.folded = folded
        words = tr("Show the missed documents") if folded else tr("Hide the missed documents")
        set_tooltip(self.arrow, words)
        self.arrow.setAccessibleName(words)
        self.arrow.update()
        self.table.setVisible(not folded)
        self.setMinimumHeight(FOLDED if folded else 100)
        self.setMaximumHeight(FOLDED if folded else _MOST)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        on_title = self.header.geometry().contains(event.position().toPoint())
        if on_title and event.button() == Qt.MouseButton.LeftButton:
            self.fold_asked.emit()
        super().mouseReleaseEvent(event)

    def refresh(self, changes: frozenset[Change]) -> None:
        """Show the view model if it may have changed."""
        if not changes & CHANGES:
            return
        view_model = self._session.view_models.query_view_model()
        self.table.set_view_model(view_model)
        if view_model is not None:
            cutoff, chosen = view_model.cutoff, view_model.missed_of_chosen
            if chosen is None:
                title = tr("Relevant, outside the top {cutoff} of a shown run: –", cutoff=cutoff)
            else:
                run, count = chosen
                title = tr(
                    "Relevant, outside the top {cutoff} of {run}: {count:,}",
                    cutoff=cutoff, run=escape_hidden(run.name), count=count,
                )  # fmt: skip
            self.set_title(title)
            self._others = ""
            if chosen is not None and len(view_model.columns) > 1:
                self._others = tr("of any shown run: {count:,}", count=len(view_model.missed))
            self._show_note()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_note()

    def _show_note(self) -> None:
        self.set_note(SEPARATOR.join(filter(None, (self._others, RANKS))) if self.width() >= _NOTE_LEAST else "")

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_at(self.table.viewport().mapFromGlobal(event.globalPos())).popup(event.globalPos())

    def menu_at(self, position: QPoint) -> QMenu:
        """Return the menu at a point of the table; the document of the row is selected."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        row = self.table.row_at(position)
        if row >= 0:
            self._session.navigation.set_document(self.table.rows[row].doc_id)
            menu.addAction(tr("Documents ranked above…")).triggered.connect(self._on_why_asked)
            add_judging(menu, self._session, self._session.view.query_id, self.table.rows[row].doc_id)
            menu.addSeparator()
        menu.addAction(tr("Copy table")).triggered.connect(self.table.copy)
        menu.addAction(tr("Save table…")).triggered.connect(self._on_save_asked)
        return menu

    def _on_why_asked(self) -> None:
        run_command(self._session, "why_not")

    def _on_save_asked(self) -> None:
        ask_and_save(self._session, self.window(), self.savable(), "missed")

    def savable(self) -> Savable:
        """Return the whole table, with the rank of each document in each run."""
        return savable_result(self.title, [self.table.table()], self._session.view.judgment_mark)
