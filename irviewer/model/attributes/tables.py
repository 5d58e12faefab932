"""Tables of attributes that were opened with a collection, and how the user cuts attributes into slices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from irviewer.model.attributes.queries import (
    Cut,
    QueryAttribute,
    attributes_of_table,
    relevant_documents,
    text_attributes,
)
from irviewer.model.attributes.runs import RunAttribute, attributes_of_runs
from irviewer.model.qrels import Qrels
from irviewer.model.query_units import id_prefix
from irviewer.model.run import Run
from irviewer.model.run_names import names_of_run
from irviewer.model.texts import TextTable

MOST_COLUMNS = 4
"""Attributes of tables that are columns before the user chooses."""


@dataclass(frozen=True, eq=False)
class AttributeTable:
    """Attributes of queries, or of runs, from one file. ``name`` is unique in a collection, ``origin`` the path of the
    file; "" where it is not known."""

    name: str
    queries: tuple[QueryAttribute, ...] = ()
    runs: tuple[RunAttribute, ...] = ()
    origin: str = field(default="", compare=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the attributes."""
        return (*(attribute.name for attribute in self.queries), *(attribute.name for attribute in self.runs))

    @property
    def content(self) -> object:
        """What two tables of the same values have alike."""
        return [[(each.name, each.kind, each.values) for each in side] for side in (self.queries, self.runs)]

    @property
    def ids(self) -> frozenset[str]:
        """The ids of the queries, or names of the runs, that have a value."""
        rows = [attribute.values.keys() for attribute in self.queries]
        return frozenset().union(*rows, *(attribute.values.keys() for attribute in self.runs))


@dataclass(frozen=True)
class SlicingChoices:
    """How queries are cut into slices.

    shown   names of the attributes whose slices are shown, in order; None for the preset
    cuts    how numbers are cut, by the attribute's name; quarters for others
    """

    shown: tuple[str, ...] | None = None
    cuts: Mapping[str, Cut] = field(default_factory=dict)

    def with_cut(self, name: str, cut: Cut) -> SlicingChoices:
        """Return the choices with another cut of an attribute."""
        cuts = {other: known for other, known in self.cuts.items() if other != name}
        return replace(self, cuts=cuts if cut == Cut() else {**cuts, name: cut})


def with_table(
    tables: Sequence[AttributeTable], table: AttributeTable, *, in_place: bool = False
) -> tuple[AttributeTable, ...]:
    """Return the tables with another one, which replaces one of its name: as the newest, or ``in_place``."""
    if in_place and any(former.name == table.name for former in tables):
        return tuple(table if former.name == table.name else former for former in tables)
    return (*(former for former in tables if former.name != table.name), table)


@dataclass(frozen=True)
class TextAttributes:
    """The attributes of queries that no judgment changes: the ``fields`` of their file, and those ``known`` without a
    table."""

    fields: tuple[QueryAttribute, ...] = ()
    known: tuple[QueryAttribute, ...] = ()


def attributes_of_texts(queries: TextTable | None, query_ids: Sequence[str]) -> TextAttributes:
    """Return the attributes that the texts of queries and their file give; none without texts."""
    if queries is None:
        return TextAttributes()
    return TextAttributes(attributes_of_table(queries), text_attributes(queries, query_ids))


def query_attributes(
    texts: TextAttributes,
    qrels: Qrels | None,
    tables: Sequence[AttributeTable],
    query_ids: Sequence[str],
    level: float = 1,
) -> tuple[QueryAttribute, ...]:
    """Return the attributes of queries: those of the tables, the fields of the queries' file, and those that need no
    table, the prefix of ids among them. Of two with one name the first counts. An attribute that none of the queries
    has is left out."""
    known = () if qrels is None else (relevant_documents(qrels, level), *texts.known)
    prefix = id_prefix(query_ids)
    every = [attribute for table in reversed(tables) for attribute in table.queries]
    by_name: dict[str, QueryAttribute] = {}
    for attribute in (*every, *texts.fields, *known, *(() if prefix is None else (prefix,))):
        if attribute.name not in by_name and any(query in attribute.values for query in query_ids):
            by_name[attribute.name] = attribute
    return tuple(by_name.values())


def given_query_attributes(queries: TextTable | None, tables: Sequence[AttributeTable]) -> tuple[QueryAttribute, ...]:
    """Return the attributes of queries that were given: those of the tables, the newest first, and the fields of the
    queries' file; without those that need no table."""
    own = () if queries is None else attributes_of_table(queries)
    return (*(attribute for table in reversed(tables) for attribute in table.queries), *own)


def run_attributes(runs: Sequence[Run], tables: Sequence[AttributeTable]) -> tuple[RunAttribute, ...]:
    """Return the attributes of runs: those of the tables and of the headers of the runs' files, by the runs' names. A
    table may also name a run by its file. Of two attributes with one name the first counts; one that none of the runs
    has is left out."""
    every = [_by_run(attribute, runs) for table in reversed(tables) for attribute in table.runs]
    by_name: dict[str, RunAttribute] = {}
    for attribute in (*every, *attributes_of_runs(runs)):
        if attribute.name not in by_name and any(run.name in attribute.values for run in runs):
            by_name[attribute.name] = attribute
    return tuple(by_name.values())


def _by_run(attribute: RunAttribute, runs: Sequence[Run]) -> RunAttribute:
    values = {}
    for run in runs:
        name = next((name for name in names_of_run(run) if name in attribute.values), None)
        if name is not None:
            values[run.name] = attribute.values[name]
    return RunAttribute(attribute.name, attribute.kind, values)  # type: ignore[arg-type]


def run_table_names(tables: Sequence[AttributeTable]) -> set[str]:
    """Return the names of the attributes of runs that a table gives; the other ones are facts in the runs' headers
    (versions, libraries), which are columns only where they are chosen."""
    return {attribute.name for table in tables for attribute in table.runs}


def shown_columns(
    chosen: tuple[str, ...] | None, every: Sequence[QueryAttribute] | Sequence[RunAttribute], preset: set[str]
) -> tuple[str, ...]:
    """Return the attributes that are columns: the chosen ones that there are, else the first of ``preset``."""
    names = [attribute.name for attribute in every]
    if chosen is None:
        return tuple(name for name in names if name in preset)[:MOST_COLUMNS]
    return tuple(name for name in names if name in chosen)
