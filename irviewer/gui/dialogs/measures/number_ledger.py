"""The dialog that says why a number of the view has its value: the numbers of the view, and the ledger of the one
chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from irviewer.gui.dialogs.opening_size import open_within_screen
from irviewer.gui.tables.ledger_panel import LedgerView
from irviewer.gui.theme import Theme
from irviewer.session.view_models.ledgers.ledger import LedgerViewModel
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

WIDTH, HEIGHT = 760, 600


class NumberLedgerDialog(QDialog):
    """A list of the numbers of the view, and the ledger of one; a row of a query goes to that query."""

    def __init__(self, session: Session, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._gone = False
        self._ledger: LedgerViewModel | None = None
        self.setWindowTitle(tr("Why this number?"))
        self.numbers = QComboBox()
        self.numbers.setAccessibleName(tr("Number"))
        for number in session.numbers.numbers():
            self.numbers.addItem(number.title, number.key)
        self.ledger = LedgerView(session, theme, lambda: self._ledger)
        self.ledger.close_button.hide()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for widget in (self.numbers, self.ledger, buttons):
            layout.addWidget(widget, 1 if widget is self.ledger else 0)
        open_within_screen(self, QSize(WIDTH, HEIGHT))
        self.numbers.currentIndexChanged.connect(self._on_chosen)
        self.finished.connect(self._on_finished)
        self._on_chosen()

    def _on_chosen(self) -> None:
        self._session.numbers.explain(str(self.numbers.currentData()), self._on_explained)

    def _on_explained(self, ledger: LedgerViewModel) -> None:
        if not self._gone:
            self._ledger = ledger
            self.ledger.refresh(frozenset())

    def _on_finished(self) -> None:
        self._gone = True
