"""Finding an action, a query, a step of the history; and the way to the filter of the queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.dialogs.picker.sources import ActionSource, CommandSource, MeasureSource, QuerySource
from irviewer.gui.theme import Theme

if TYPE_CHECKING:
    from irviewer.session.session import Session


class NavigationDialogs:
    """Made with the window; each method asks one thing."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._host = host
        self._queries = QuerySource(session)
        self._actions = ActionSource(session, theme, self._queries, MeasureSource(session))

    def find_action(self) -> None:
        """The command palette; once more: it closes."""
        picker = self._host.picker
        if picker.isVisible():
            picker.close_over()
            return
        self._actions.begin()
        picker.pick_from(self._actions)

    def go_to_query(self) -> None:
        """Jump to a query by id or text."""
        self._queries.begin()
        self._host.picker.pick_from(self._queries)

    def filter_queries(self) -> None:
        """Put the keys into the filter of the queries; where there is none in view, in the Queries place."""
        field = self._host.filter_field()
        if field is None:
            self._session.navigation.set_place("queries")
            self._host.flush()
            field = self._host.filter_field()
        if field is not None:
            field.setFocus(Qt.FocusReason.ShortcutFocusReason)
            field.selectAll()

    def choose_step(self) -> None:
        """To which step of the history."""
        self._host.picker.pick_from(CommandSource(self._session, "step ", "Back to which change?"))
