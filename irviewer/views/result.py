"""What a view gives every door: the value that was computed, and how it is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from irviewer.errors import OptionError
from irviewer.figures.figure import Figure
from irviewer.tables.table import Provenance, Remark, Table
from irviewer.translation import tr


@dataclass(frozen=True, eq=False)
class ViewResult:
    """The value of an analysis with its tables, figures and sentences, in the order in which people read them."""

    value: Any
    """What was computed, as Python returns it."""
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    sentences: tuple[Remark, ...] = ()
    further: tuple[Table, ...] = ()
    """Tables that are written only where they are named: what the others say, in another form."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the tables, the main one first."""
        return tuple(table.name for table in (*self.tables, *self.further))

    def table(self, name: str = "") -> Table:
        """Return a table by its name, the first for "". Raises OptionError with those that exist."""
        for table in (*self.tables, *self.further):
            if name in ("", table.name):
                return table
        raise OptionError(tr("There is no table {name!r}. There are: {names}.", name=name, names=", ".join(self.names)))

    def chosen(self, name: str) -> tuple[Table, ...]:
        """Return the table that is named, for "" those that are written without a name. Raises OptionError."""
        return (self.table(name),) if name else self.tables

    def only(self, *names: str) -> ViewResult:
        """Return the result with some of its tables."""
        return replace(self, tables=tuple(table for table in self.tables if table.name in names))

    def with_provenance(self, provenance: Provenance) -> ViewResult:
        """Return the result whose tables say what they were made from."""

        def said(tables: Sequence[Table]) -> tuple[Table, ...]:
            return tuple(table.with_provenance(provenance) for table in tables)

        return replace(self, tables=said(self.tables), further=said(self.further))
