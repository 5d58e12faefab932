"""Finding an action, a query or an undo step, and focusing the filter of the queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.picker.sources import ActionSource, CommandSource, MeasureSource, QuerySource
from irviewer.gui.theme import Theme
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


class NavigationDialogs:
    """Opens the pickers for actions, queries and undo steps. Made with the window."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._host = host
        self._queries = QuerySource(session)
        self._actions = ActionSource(session, theme, self._queries, MeasureSource(session))

    def find_action(self) -> None:
        """Open the command palette, or close it if it is open."""
        picker = self._host.picker
        if picker.isVisible():
            picker.close_over()
            return
        self._actions.begin()
        picker.pick_from(self._actions)

    def go_to_query(self) -> None:
        """Ask for a query by id or text."""
        self._queries.begin()
        self._host.picker.pick_from(self._queries)

    def filter_queries(self) -> None:
        """Focus the filter of the queries, in the Queries view if the current view has none."""
        field = self._host.filter_field()
        if field is None:
            self._session.navigation.set_place("queries")
            self._host.flush()
            field = self._host.filter_field()
        if field is not None:
            field.setFocus(Qt.FocusReason.ShortcutFocusReason)
            field.selectAll()

    def choose_step(self) -> None:
        """Ask for the undo step to go back to."""
        self._host.picker.pick_from(CommandSource(self._session, "step ", tr("Undo back to which change?")))
