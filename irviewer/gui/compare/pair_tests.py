"""The conclusion about two runs in words, and all tests behind it in a table, beside it what the current one means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from irviewer.gui.compare.run_choosers import RunChoosers
from irviewer.gui.guard import guarded
from irviewer.gui.tables.result_columns import ColumnLayout
from irviewer.gui.tables.result_panel import ResultPanel
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.panel import HEADER_HEIGHT
from irviewer.gui.widgets.plain_text import PlainLabel, Sentences
from irviewer.gui.widgets.savable import Savable, savable_result
from irviewer.gui.widgets.table import ROW_HEIGHT
from irviewer.gui.widgets.table_panel import BELOW, BORDERS
from irviewer.session.changes import Change
from irviewer.session.view_models.pair import PairViewModel
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


_WRAPPED = int(Qt.TextFlag.TextWordWrap)
MEANING_LEAST = 180
"""The least width of the sentence beside the table in pixels."""
SHAPES = (
    (9.5, 3, 2), (9.5, 11, 9), (9.5, 1, 1), (9.5, 2, 1), (9.0, 1, 1), (9.0, 9, 5), (8.5, 1, 1), (8.5, 9, 5),
    (8.5, 9, 11), (8.5, 2, 3),
)  # fmt: skip
"""The size of the sentence in points, and the parts of the width that the table and the sentence have: the first of
them in which every sentence is whole and the table cuts no name is taken, else of those with whole sentences the one
with the widest table."""
SMALLEST = 6
"""The first shape with the smallest type, in which the table need not scroll."""
NAME_WIDEST = 260
"""The largest natural width of the name of a test, in pixels."""
ROWS = 9
"""The number of rows of a comparison without weights."""


@guarded
class PairTests(ResultPanel):
    """The conclusion above the table of tests.

    widened    the width changed, and with it the preferred height"""

    widened = Signal()

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme, "tests", stretch="test", frozen=(1, 0), sortable=False, tightens=True)
        self._view_model: PairViewModel | None = None
        table = self.table
        self.table.setAccessibleName(tr("Tests"))
        self.meaning_title = PlainLabel(tr("What it means"))
        self.meaning_title.setContentsMargins(12, 5, 12, 0)
        self.meaning_title.setFont(theme.font(9, weight=600))
        self.meaning = Sentences()
        self.meaning.setContentsMargins(12, 4, 12, 6)
        self.meaning.setFont(theme.font(9.5))
        self.meaning.setWordWrap(True)
        self.meaning.setMinimumWidth(MEANING_LEAST)
        self.meaning.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.meaning.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self.meaning_title)
        words.addWidget(self.meaning, 1)
        self._beside = beside = QHBoxLayout()
        beside.setSpacing(0)
        self.body_layout.removeWidget(table)
        beside.addWidget(table, SHAPES[0][1])
        beside.addLayout(words, SHAPES[0][2])
        self.body_layout.addLayout(beside, 1)
        self._sharing = QTimer(self, singleShot=True, interval=0)  # when the panel has its size, and its parts theirs
        self._sharing.timeout.connect(self._share_width)
        self.choosers = RunChoosers(session, theme)
        self.choosers.hide()
        self.header_layout.insertWidget(0, self.choosers)
        self.table.row_entered.connect(self._on_row_entered)

    def refresh(self, changes: frozenset[Change]) -> None:
        """Show the pair of the session if it has changed."""
        view_model = self.session.comparison.pair_view_model()
        if view_model is self._view_model:
            return
        self._view_model = view_model
        if view_model is None:
            self.show_table(None)
            return
        self.show_table(view_model.table, layouts={"test": ColumnLayout(widest=NAME_WIDEST, whole=True)})
        self.set_title(view_model.title)
        self.set_note(view_model.note)
        self.choosers.show_pair(view_model.run, view_model.baseline)
        self._title.setVisible(self.choosers.isHidden())  # the choosers are the title
        self._show_meaning(max(0, self.table.current_row()))
        lines = [view_model.explanation or view_model.conclusion or tr("Comparing …"), *view_model.warnings[:2]]
        self.show_notice("\n".join(line for line in lines if line), "ink" if view_model.conclusion else "muted")
        self._sharing.start()

    def wanted_height(self) -> int:
        """Return the height in pixels of the conclusion and all rows at this width."""
        rows = max(ROWS, self.model.rowCount())
        table = self.table.horizontalHeader().height() + rows * ROW_HEIGHT
        return HEADER_HEIGHT + self._notice_height() + table + BELOW + BORDERS

    def _notice_height(self) -> int:
        return max(0, self.notice.heightForWidth(self.width() - BORDERS)) if self.notice.text() else 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._sharing.start()
        if event.size().width() != event.oldSize().width():
            self.widened.emit()

    def savable(self) -> Savable | None:
        """Return the row of this pair in the table that ``irviewer compare`` writes; None until it is computed."""
        table = self.session.comparison.pair_table()
        if table is None:
            return None
        return savable_result(self.title, (table,), self.session.view.judgment_mark)

    def _sentences(self) -> list[str]:
        tests = () if self._view_model is None else self._view_model.tests
        return [f"{test.name}: {test.sentence}" for test in tests]

    def _show_meaning(self, row: int) -> None:
        """Show the meaning of the current test in full."""
        sentences = self._sentences()
        self.meaning.setText(sentences[row] if row < len(sentences) else "")

    def least_height(self) -> int:
        """Return the height in pixels in which every sentence is whole beside the table, in the smallest type."""
        points, table, words = SHAPES[SMALLEST]
        width = (self.width() - BORDERS) * words // (table + words)
        return HEADER_HEIGHT + self._notice_height() + self._meaning_height(points, width) + BELOW + BORDERS

    def _meaning_height(self, points: float, width: int) -> int:
        """Return the height of the longest sentence and the title above it, in a type and a width."""
        margins, metrics = self.meaning.contentsMargins(), QFontMetrics(self.theme.font(points))
        room = QRect(0, 0, width - margins.left() - margins.right() - 1, 10_000)
        heights = [metrics.boundingRect(room, _WRAPPED, text).height() for text in self._sentences()]
        above = self.meaning_title.sizeHint().height() + margins.top() + margins.bottom()
        return above + max(heights, default=0)

    def _share_width(self) -> None:
        """Give the sentences as much of the width as the longest of them needs, so that each is read whole; the same
        for all, so that nothing moves from test to test."""
        area = self._beside.geometry()
        read = [
            (points, table, words)
            for points, table, words in SHAPES
            if self._meaning_height(points, area.width() * words // (table + words)) <= area.height()
        ] or [SHAPES[-1]]
        beside = self.table.width() - self.table.viewport().width()  # what scrolls it
        least = self.table.whole_width() + beside
        whole = [shape for shape in read if area.width() * shape[1] // (shape[1] + shape[2]) >= least]
        points, table, words = whole[0] if whole else max(read, key=lambda shape: shape[1] / shape[2])
        self.meaning.setFont(self.theme.font(points))
        self._beside.setStretch(0, table)
        self._beside.setStretch(1, words)

    def _on_row_entered(self, row: int) -> None:
        self._show_meaning(row)
