"""Attributes of queries as functions take them: a file, a table, a dictionary, fields of documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

from irviewer.api.sources import Source
from irviewer.formats.attribute_tables import read_query_table
from irviewer.model.attributes.facets import Facets
from irviewer.model.attributes.queries import (
    QueryAttribute,
    attribute_of,
    attributes_of_table,
    known_attributes,
)
from irviewer.model.attributes.tables import AttributeTable, given_query_attributes
from irviewer.model.document_lengths import Lengths
from irviewer.model.qrels import Qrels
from irviewer.model.query_units import id_prefix
from irviewer.model.texts import TextTable

Attributes = Source | TextTable | Mapping[str, Mapping[str, Any]] | Sequence[QueryAttribute]
"""A file of a table, a table, ``{query: {attribute: value}}``, or attributes."""


def facets_of(lengths: Lengths | None, qrels: Qrels, level: float = 1) -> Facets | None:
    """Return the fields of documents as attributes of queries; None without documents."""
    fields = None if lengths is None else lengths.fields
    return None if fields is None else Facets(fields, qrels, level)


def gather_attributes(
    source: Attributes | None, qrels: Qrels, query_ids: Sequence[str], level: float = 1
) -> tuple[QueryAttribute, ...]:
    """Return the attributes of a source, then those that need no table and are not in the source.

    Raises ParseError."""
    texts, given = _read(source)
    taken = {attribute.name for attribute in given}
    prefix = id_prefix(query_ids)
    known = (*known_attributes(texts, qrels, query_ids, level), *(() if prefix is None else (prefix,)))
    return (*given, *(attribute for attribute in known if attribute.name not in taken))


def given_attributes(
    source: Attributes | None, tables: Sequence[AttributeTable] = ()
) -> Callable[[], tuple[QueryAttribute, ...]]:
    """Return a function that returns the attributes of a source and of tables, one of which a protocol may name as the
    unit of dependence. It raises ParseError."""
    return lambda: (*_read(source)[1], *given_query_attributes(None, tables))


def _read(source: Attributes | None) -> tuple[TextTable | None, tuple[QueryAttribute, ...]]:
    """Return the table of a source, if it is one, and its attributes. Raises ParseError."""
    if isinstance(source, str | PathLike):
        source = read_query_table(str(source))
    if isinstance(source, TextTable):
        return source, attributes_of_table(source)
    if isinstance(source, Mapping):
        return None, tuple(_of_mapping(source))
    return None, () if source is None else tuple(source)


def _of_mapping(source: Mapping[str, Mapping[str, Any]]) -> Iterable[QueryAttribute]:
    for name in dict.fromkeys(name for values in source.values() for name in values):
        attribute = attribute_of(name, {query: values.get(name) for query, values in source.items()})
        if attribute is not None:
            yield attribute
