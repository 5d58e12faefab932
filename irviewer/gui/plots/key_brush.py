"""The keys of plots with queries in an order: arrow keys select, with Shift they brush; Space adds the query to the
brush or removes it; Escape clears the brush; Enter opens the query."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from irviewer.session.session import Session

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class KeyBrush:
    """The keys of one plot. ``from_first``: Shift brushes from the first query, not from the current one."""

    def __init__(self, session: Session, *, from_first: bool = False) -> None:
        self._session = session
        self._from_first = from_first
        self._keys: Sequence[str] = ()
        self._selected = -1
        self._anchor = self._cursor = -1

    @property
    def selected(self) -> int:
        """The selected query that was shown last; -1 for none."""
        return self._selected

    @property
    def now(self) -> int:
        """Where the next step starts: the end of the brush, otherwise the selected query; -1 for none."""
        return self._cursor if self._anchor >= 0 else self._selected

    def show(self, keys: Sequence[str], selected: int) -> None:
        """Set the queries of the plot and the selected one. Another selection ends the brushing."""
        if selected != self._cursor or keys != self._keys:
            self._anchor = self._cursor = -1
        self._keys, self._selected = keys, selected

    def press(self, event: QKeyEvent, wanted: int | None) -> bool:
        """Handle a key; ``wanted`` is the index that it leads to, or None. Return False for other keys."""
        key = Qt.Key(event.key())
        if wanted is not None and self._keys:
            self._walk(wanted, bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif key == Qt.Key.Key_Space and self.now >= 0:
            self._session.query_sets.brush(self._session.query_sets.brushed ^ {self._keys[self.now]})
        elif key == Qt.Key.Key_Escape and self._session.query_sets.brushed:
            self._anchor = self._cursor = -1
            self._session.query_sets.brush(())
        elif key in ENTER and self.now >= 0:
            self._session.navigation.set_query(self._keys[self.now])
            self._session.navigation.set_place("query")
        else:
            return False
        return True

    def _walk(self, wanted: int, brushing: bool) -> None:
        before = self.now
        if not brushing:
            self._anchor = self._cursor = -1
        else:
            if self._anchor < 0:
                self._anchor = 0 if self._from_first else max(0, before)
            self._cursor = wanted
            self._session.query_sets.brush(self._keys[min(self._anchor, wanted) : max(self._anchor, wanted) + 1])
        if wanted != before:
            self._session.navigation.set_query(self._keys[wanted])
