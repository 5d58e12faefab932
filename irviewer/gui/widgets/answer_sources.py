"""Buttons for what answers are joined with: the list that they were made from, and whose labels of nuggets count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from irviewer.commands import dynamic, run_command
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import ChoiceButton
from irviewer.gui.widgets.menu_below import open_below
from irviewer.model.answers.assigner_names import title_of
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


class _SourceButton(ChoiceButton):
    """A button whose menu has the commands of one kind, hidden where there is nothing to choose."""

    KIND = ""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, most=190, parent=parent)
        self._session = session
        self._menu: QMenu | None = None
        self.clicked.connect(self._on_clicked)
        self.hide()

    def menu(self) -> QMenu:
        """Return what can be chosen."""
        menu = QMenu(self)
        for command in dynamic(self._session):
            if command.id.startswith(f"{self.KIND} "):
                action = menu.addAction(command.short_title.replace("&", "&&"))
                action.setData(command.id)
                action.setCheckable(True)
                action.setChecked(command.checked is not None and command.checked(self._session))
        menu.triggered.connect(self._on_chosen)
        return menu

    def _on_clicked(self) -> None:
        self._menu = open_below(self.menu(), self, self._menu)

    def _on_chosen(self, action: QAction) -> None:
        run_command(self._session, action.data())


class ListButton(_SourceButton):
    """Which run is the list of the answers."""

    KIND = "answer_list"

    def refresh(self) -> bool:
        """Show the list in force; return whether there is one to choose."""
        service, known = self._session.answer_sources, self._session.answers.answering(every=True)
        offered = bool(service.lists)
        self.setVisible(offered)
        if offered:
            listed, context = None if known is None else known.listed, self._session.view.context
            name = tr("none") if listed is None or context is None else context.name_of(listed)
            hint = tr("The run that answers were made from, as chosen")
            if service.chosen_list is None:
                hint = tr("The run that answers were made from, found by their references: another one can be chosen")
            self.show_choice(tr("list: {run}", run=name), hint, forms=(name,))
        return offered


class AssignerButton(_SourceButton):
    """Whose labels of nuggets count."""

    KIND = "assigner"

    def refresh(self) -> bool:
        """Show the assigner in force; return whether there are several."""
        service = self._session.answer_sources
        offered = len(service.assigners) > 1
        self.setVisible(offered)
        if offered:
            name = title_of(service.assigner) if service.assigner else tr("all")
            self.show_choice(tr("assigner: {name}", name=name), tr("Whose labels of nuggets take part in all numbers"),
                             forms=(name,))  # fmt: skip
        return offered
