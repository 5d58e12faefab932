"""What a view gives every door: the value that was computed, and how it is told."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from irviewer.figures.figure import Figure
from irviewer.tables.table import Provenance, Remark, Table


@dataclass(frozen=True, eq=False)
class ViewResult:
    """The value of an analysis with its tables, figures and sentences, in the order in which people read them."""

    value: Any
    """What was computed, as Python returns it."""
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    sentences: tuple[Remark, ...] = ()

    def table(self, name: str = "") -> Table:
        """Return a table by its name, the first for "". Raises KeyError."""
        for table in self.tables:
            if name in ("", table.name):
                return table
        raise KeyError(name)

    def with_provenance(self, provenance: Provenance) -> ViewResult:
        """Return the result whose tables say what they were made from."""
        return replace(self, tables=tuple(table.with_provenance(provenance) for table in self.tables))
