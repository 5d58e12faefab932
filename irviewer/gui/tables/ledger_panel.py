"""The panel of a ledger: the calculation of a value in a table, the formula with numbers, the rules that applied."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu, QToolButton, QVBoxLayout, QWidget

from irviewer.gui.tables.model import TableModel
from irviewer.gui.tables.result_columns import ColumnLayout, result_columns
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import command_keys
from irviewer.gui.widgets.formula_label import FormulaLabel
from irviewer.gui.widgets.grade_buttons import add_judging
from irviewer.gui.widgets.plain_text import Sentences, set_tooltip, visible
from irviewer.gui.widgets.savable import Savable, savable_result
from irviewer.gui.widgets.scrolled import AsHighAsContent
from irviewer.gui.widgets.table import ROW_HEIGHT, Table
from irviewer.gui.widgets.table_panel import ViewModelPanel
from irviewer.rendering.elision import without_start
from irviewer.session.view_models.ledgers.ledger import LedgerViewModel
from irviewer.tables import table as tables
from irviewer.translation import tr
from irviewer.views import explanation

if TYPE_CHECKING:
    from irviewer.session.session import Session


ADDS = ColumnLayout(titles=(tr("adds"),))
LAYOUTS = {"document": ColumnLayout(once=True), "query": ColumnLayout(widest=280), "contribution": ADDS, "share": ADDS}
GENERAL = 12.0
"""The font size of the general formula, in points."""
BELOW_LEAST = 90
"""The least height in pixels of the formula and the rules below the rows; what is longer scrolls."""
LEAST_ROWS = 3
"""The rows that are in sight in a low window, where formula and rules scroll below them."""


class LedgerView(ViewModelPanel[LedgerViewModel]):
    """The ledger of a value; the row of the selected document is highlighted."""

    def __init__(self, session: Session, theme: Theme, view_model: Callable[[], LedgerViewModel | None]) -> None:
        self.model = TableModel()
        table = Table(self.model, theme, stretch="text", frozen=(1, 0), sortable=False, tightens=True)
        super().__init__(session, theme, table, "ledger", self.model, view_model, self._show)
        self.table.setAccessibleName(tr("Ledger"))
        self.close_button = QToolButton()
        self.close_button.setText("✕")
        self.close_button.setAutoRaise(True)
        set_tooltip(self.close_button, tr("Back to measures and curves ({keys})", keys=command_keys("explain")))
        self.close_button.setAccessibleName(tr("Back to measures and curves"))
        self.close_button.clicked.connect(self._on_close_clicked)
        self.header_layout.addWidget(self.close_button)
        self.worked = Sentences()
        self.worked.setFont(theme.font(10, weight=600))
        self.worked.setWordWrap(True)
        self.worked.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.formula = FormulaLabel(theme, GENERAL, formulas=session.explaining.formulas)
        self.numbers = FormulaLabel(theme, formulas=session.explaining.formulas)
        self.rules = Sentences()
        self.rules.setFont(theme.font(9))
        self.rules.setWordWrap(True)
        self.rules.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        below = QWidget()
        layout = QVBoxLayout(below)
        layout.setContentsMargins(12, 6, 12, 8)
        layout.setSpacing(4)
        for widget in (self.worked, self.numbers, self.formula, self.rules):
            layout.addWidget(widget)
        self.numbers.failed.connect(self.worked.show)
        copy = QAction(tr("Copy the calculation"), self.numbers)
        copy.triggered.connect(self._on_copy_asked)
        self.numbers.addAction(copy)
        self.numbers.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.below = AsHighAsContent(below, BELOW_LEAST)
        self.below.setAccessibleName(tr("The formula and the rules"))
        self.body_layout.addWidget(self.below)
        self.body_layout.addStretch(1)
        self.body_layout.setStretch(self.body_layout.indexOf(self.table), 1000)
        # Formulas are drawn after the numbers.
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._on_formula_due)
        self.table.row_entered.connect(self._on_row_entered)
        self.table.row_activated.connect(self._on_row_activated)
        theme.changed.connect(self._on_ledger_theme_changed)
        self._on_ledger_theme_changed()

    def _show(self, view_model: LedgerViewModel) -> None:
        table = view_model.table
        if table is None:
            self.model.clear()
            return
        order = view_model.reading_order
        labels = {label.whole_name: label for label in self.session.view.labels()}
        rows = np.arange(order.stop) if isinstance(order, range) else np.array(order, dtype=np.int64)
        columns = result_columns(table, rows, labels, max_grade=view_model.max_grade, layouts=LAYOUTS)
        marked = frozenset({order.index(view_model.selected)}) if view_model.selected >= 0 else frozenset()
        # The keys are numbers, since a document may occur twice.
        self.model.show(columns, order, marked=marked)

    def row_of(self, view_model: LedgerViewModel) -> int:
        return view_model.reading_order.index(view_model.selected) if view_model.selected >= 0 else -1

    def tell(self, view_model: LedgerViewModel, before: LedgerViewModel | None) -> None:
        super().tell(view_model, before)
        self.worked.setText(view_model.worked)
        self.worked.setVisible(not view_model.worked_latex)  # else it is drawn as a formula
        self.rules.setText(self._without_start(" ".join(view_model.rules), view_model))
        # The result is right below the rows.
        self.table.setMaximumHeight(max(3 * ROW_HEIGHT, self.table.full_height()))
        least = self.table.horizontalHeader().height() + LEAST_ROWS * ROW_HEIGHT
        self.table.setMinimumHeight(min(least, self.table.full_height()))
        self._later.start()

    def _without_start(self, text: str, view_model: LedgerViewModel) -> str:
        """Return a text in which the documents of the rows are without what the head of their column says once."""
        start = next((column.start for column in self.model.columns if column.id == "document"), "")
        for document in view_model.documents if start else ():
            if document:
                text = text.replace(document, without_start(document, start))
        return text

    def savable(self) -> Savable | None:
        """Return the ledger as ``irviewer explain`` writes it; of a number of another view its rows."""
        view_model = self._view_model
        if view_model is None or view_model.table is None:
            return None
        saved: tuple[tables.Table, ...] = (view_model.table,)
        if view_model.ledger is not None:
            saved = explanation.tables(view_model.ledger, self.session.view.protocol).tables
        return savable_result(self.title, saved, self.session.view.judgment_mark)

    def row_menu(self, row: int) -> QMenu:
        menu, view_model = super().row_menu(row), self._view_model
        if view_model is not None and not view_model.mean and 0 <= row < len(view_model.documents):
            document = view_model.documents[view_model.reading_order[row]]
            add_judging(menu, self.session, self.session.view.query_id, document)
        return menu

    def _on_formula_due(self) -> None:
        view_model = self._view_model
        if view_model is not None:
            self.formula.show_formula(view_model.formula, tr("The formula, without numbers"))
            self.numbers.show_formula(view_model.worked_latex, visible(view_model.worked))

    def _on_row_entered(self, row: int) -> None:
        view_model = self._view_model
        if view_model is None or not 0 <= row < len(view_model.documents):
            return
        chosen = view_model.documents[view_model.reading_order[row]]
        if not chosen:
            return
        if view_model.mean:
            if chosen != self.session.view.query_id:
                self.session.navigation.set_query(chosen)
        elif chosen != self.session.view.document_id:
            self.session.navigation.set_document(chosen)

    def _on_row_activated(self, row: int) -> None:
        self._on_row_entered(row)
        if self._view_model is not None and self._view_model.mean:
            self.session.navigation.set_place("query")

    def _on_copy_asked(self) -> None:
        QApplication.clipboard().setText(self.worked.text())

    def _on_close_clicked(self) -> None:
        self.session.explaining.stop_explaining()

    def _on_ledger_theme_changed(self) -> None:
        for label, name in ((self.worked, "ink"), (self.rules, "text")):
            label.set_ink(self.theme[name])
