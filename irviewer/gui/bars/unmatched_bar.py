"""The bar about runs without any judged document, with a button that repairs them.

It reads the session and calls its methods, and knows no view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from irviewer.commands import run_command
from irviewer.gui.bars.message_bar import Line, Sign
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import LinkButton
from irviewer.gui.widgets.panel import ElidedLabel
from irviewer.gui.widgets.plain_text import set_tooltip
from irviewer.model.matching.unmatched import unmatched_warnings
from irviewer.session.evaluation.unmatched import said
from irviewer.session.messages import Level
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.evaluation.unmatched import Repair, UnmatchedRun
    from irviewer.session.session import Session


class UnmatchedBar(Line):
    """Shows the runs without any judged document, which have no values. The button reads their files again with the
    rules that match their ids to those of the qrels."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._session = session
        self._unmatched_runs: tuple[UnmatchedRun, ...] = ()
        self.repair: Repair | None = None
        self._sign = Sign(theme)
        self._sign.level = Level.ERROR
        self._text = ElidedLabel()
        self._text.setFont(theme.font(9.5, weight=600))
        self.action = LinkButton(theme, "")
        self.doctor = LinkButton(theme, tr("File doctor"))
        for widget in (self._sign, self._text, self.action, self.doctor):
            self.row.addWidget(widget, 1 if widget is self._text else 0)
        self.action.clicked.connect(self._on_action_clicked)
        self.doctor.clicked.connect(self._on_doctor_clicked)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()
        self._show(None)
        self.refresh()

    @property
    def text(self) -> str:
        """The text shown."""
        return self._text.text() if self._unmatched_runs else ""

    def refresh(self) -> None:
        """Update from the session, and search for a repair."""
        unmatched_runs = self._session.view.unmatched_runs
        if unmatched_runs is not self._unmatched_runs:
            self._unmatched_runs = unmatched_runs
            self._show(None)
            if unmatched_runs:
                self._session.files.find_repair(self._on_repair)

    def _show(self, repair: Repair | None) -> None:
        self.repair = repair
        self.setVisible(bool(self._unmatched_runs))
        text = said(self._unmatched_runs)
        self._text.setText(text)
        set_tooltip(self._text, "\n".join(unmatched_warnings([unmatched.why for unmatched in self._unmatched_runs])))
        self._text.setAccessibleName(text)
        self.action.setVisible(repair is not None)
        if repair is not None:
            self.action.setText(repair.title)
            set_tooltip(self.action, "\n".join(repair.words))

    def _on_repair(self, repair: Repair | None) -> None:
        self._show(repair)

    def _on_action_clicked(self) -> None:
        if self.repair is not None:
            self._session.files.match_ids(self.repair)

    def _on_doctor_clicked(self) -> None:
        run_command(self._session, "show_reports")

    def _on_theme_changed(self) -> None:
        self._text.set_ink(self.theme["ink"])
