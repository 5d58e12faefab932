"""The order of a table's columns and the hidden ones, as the user chose them. Knows the header and ids of columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QObject, Signal

from irviewer.gui.tables.header import TableHeader


class ColumnOrder(QObject):
    """Lets the columns of a header be dragged, except those that do not scroll, and hides columns.

    ``changed`` is emitted when the user moved a column, hid one or showed one, and when a choice is restored."""

    changed = Signal()

    def __init__(self, header: TableHeader) -> None:
        super().__init__(header)
        self._header = header
        self._ids: tuple[str, ...] = ()
        self._order: tuple[str, ...] = ()
        self._hidden: frozenset[str] = frozenset()
        self._applying = False
        header.setSectionsMovable(True)
        header.sectionMoved.connect(self._on_section_moved)

    @property
    def is_changed(self) -> bool:
        """Whether order or hidden columns are not those of the view."""
        return bool(self._order or self._hidden)

    @property
    def choice(self) -> dict[str, list[str]]:
        """The ids in the user's ``order`` and those ``hidden``; neither where it is that of the view."""
        choice = {"order": list(self._order), "hidden": sorted(self._hidden)}
        return {name: ids for name, ids in choice.items() if ids}

    def restore(self, order: Iterable[str], hidden: Iterable[str]) -> None:
        """Take a former choice; ids that the view does not have are of no effect."""
        former = self._order, self._hidden
        self._order, self._hidden = tuple(dict.fromkeys(order)), frozenset(hidden)
        if former != (self._order, self._hidden):
            self._apply()
            self.changed.emit()

    def is_hidden(self, column_id: str) -> bool:
        """Return whether the user hid a column."""
        return column_id in self._hidden

    def can_hide(self, column_id: str) -> bool:
        """Return whether a column can be hidden: not the first ones, which say what a row is."""
        return column_id in self._ids[self._header.frozen[0] or 1 :]

    def set_hidden(self, column_id: str, hidden: bool) -> None:
        """Hide or show a column."""
        if self.can_hide(column_id) or not hidden:
            self._hidden = self._hidden | {column_id} if hidden else self._hidden - {column_id}
            self._apply()
            self.changed.emit()

    def reset(self) -> None:
        """Show all columns in the order of the view."""
        self._order, self._hidden = (), frozenset()
        self._apply()
        self.changed.emit()

    def follow(self, ids: Sequence[str]) -> None:
        """Apply order and hidden columns to these columns."""
        self._ids = tuple(ids)
        self._apply()

    def _wanted(self) -> list[str]:
        """Return the ids in the user's order; a column that was not there when it was chosen follows its neighbour, and
        those that do not scroll stay."""
        if not self._order:
            return list(self._ids)
        left, right = self._header.frozen
        last = max(left, len(self._ids) - right)
        moving = self._ids[left:last]
        wanted = [column_id for column_id in self._order if column_id in moving]
        for position, column_id in enumerate(moving):
            if column_id not in wanted:
                before = moving[position - 1] if position else ""
                wanted.insert(wanted.index(before) + 1 if before in wanted else 0, column_id)
        return [*self._ids[:left], *wanted, *self._ids[last:]]

    def _apply(self) -> None:
        header = self._header
        if header.count() != len(self._ids):
            return
        self._applying = True
        try:
            sections = {column_id: section for section, column_id in enumerate(self._ids)}
            for visual, column_id in enumerate(self._wanted()):
                now = header.visualIndex(sections[column_id])
                if now != visual:
                    header.moveSection(now, visual)
            for section, column_id in enumerate(self._ids):
                hidden = column_id in self._hidden and self.can_hide(column_id)
                if header.isSectionHidden(section) != hidden:
                    header.setSectionHidden(section, hidden)
        finally:
            self._applying = False

    def _on_section_moved(self, section: int, before: int, after: int) -> None:
        if self._applying or self._header.count() != len(self._ids):
            return
        left, right = self._header.frozen
        if min(before, after) >= left and max(before, after) < len(self._ids) - right:
            self._order = tuple(self._ids[self._header.logicalIndex(visual)] for visual in range(len(self._ids)))
            self.changed.emit()
        self._apply()  # a column that does not scroll goes back
