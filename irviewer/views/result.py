"""What a view gives every door: the value that was computed, and how it is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from irviewer.analysis.statistics.warnings import MissingQueriesWarning
from irviewer.errors import OptionError
from irviewer.tables.table import Provenance, Remark, Status, Table
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.figures.figure import Figure  # with the curves, which few views draw


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

    def __post_init__(self) -> None:
        tables = tuple(map(_named_exploratory, self.tables))
        if self.sentences and tables:
            tables = (replace(tables[0], sentences=self.sentences), *tables[1:])
        object.__setattr__(self, "tables", tables)
        object.__setattr__(self, "further", tuple(map(_named_exploratory, self.further)))

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
        return (self.table(name).alone,) if name else self.tables

    def only(self, *names: str) -> ViewResult:
        """Return the result with some of its tables, the first of which names the runs that lack queries."""
        kept = tuple(table for table in self.tables if table.name in names)
        if kept:
            others = [note for table in kept[1:] for note in table.notes]
            notes = [note for note in kept[0].notes_alone if note in kept[0].notes or note not in others]
            kept = (replace(kept[0], notes=tuple(notes)), *kept[1:])
        return replace(self, tables=kept)

    def with_provenance(self, provenance: Provenance) -> ViewResult:
        """Return the result whose tables say what they were made from; the first one also names the runs that lack
        queries, each of which that no table of it names."""
        tables = self.tables
        own = [note for table in (*tables, *self.further) for note in table.notes]
        known = {run for note in own for run in _named_missing(note)}
        beside = provenance.missing_beside
        missing = () if beside is None or not tables else beside(tables)
        untold = [each for each in missing if each.values["run"] not in known]
        if untold:
            tables = (replace(tables[0], notes=(*tables[0].notes, *untold)), *tables[1:])
        named: list[Remark] = []
        for note in own:
            if note.code != "unmatched" and _named_missing(note) and note not in named:
                named.append(note)
        provenance = replace(provenance, missing=(*named, *untold))

        def said(tables: Sequence[Table]) -> tuple[Table, ...]:
            return tuple(table.with_provenance(provenance) for table in tables)

        return replace(self, tables=said(tables), further=said(self.further))


def _named_missing(note: Remark) -> tuple[str, ...]:
    """Return the runs of which a note says that they lack queries, or that nothing of them is judged."""
    if isinstance(note.text, MissingQueriesWarning):
        return (note.text.run,)
    if note.code == "unmatched":
        return tuple(note.values.get("runs", ()))
    return (note.values["run"],) if note.code == "missing" and "run" in note.values else ()


def _named_exploratory(table: Table) -> Table:
    """Return a table that says, once, that tests of a family that nobody declared are exploratory."""
    families = [column.family for column in table.columns if column.family is not None]
    said = any(note.code == "exploratory" for note in table.notes)
    if said or not any(family.exploratory for family in families):
        return table
    text = (
        tr("Tests here are exploratory, except over all queries: nobody declared them before.")
        if table.status is not None and Status.TOTAL in table.status
        else tr("Tests here are exploratory: nobody declared them before.")
    )
    return replace(table, notes=(*table.notes, Remark("exploratory", text, warns=False)))
