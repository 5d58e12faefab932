"""The menu of how judging was done, which is declared and never inferred."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from irviewer.commands import run_command
from irviewer.model.workspace import Regime

if TYPE_CHECKING:
    from irviewer.session.session import Session


class RegimeMenu(QMenu):
    """One entry for each regime; the chosen one is declared."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        judgments = session.view.judgments
        for regime in Regime:
            action = self.addAction(regime.title)
            action.setCheckable(True)
            action.setChecked(judgments is not None and judgments.regime is regime)
            action.setData(f"regime_{regime.value}")
        self.triggered.connect(self._on_chosen)

    def _on_chosen(self, action: QAction) -> None:
        run_command(self._session, str(action.data()))
