"""The units of dependence of queries: the queries of one conversation, user or topic are one unit.

An attribute of the queries says which. Queries whose ids look like those of conversations (``12_3``) have the
attribute ``id-prefix`` too, what their ids have before the last part; nobody has to give it, and nothing uses it unless
a protocol names it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from irviewer.errors import OptionError, name_some
from irviewer.model.attributes.queries import QueryAttribute
from irviewer.translation import tr, trn

ID_PREFIX = "id-prefix"
"""The name of the attribute that is made of ids."""
LEAST_UNITS = 3
"""Prefixes below which there is no hint: two years, or two sources, are no conversations."""
LONGEST = 30
"""Queries for each prefix, on average, above which there is no hint."""
LEAST_SHARED = 0.5
"""The share of queries that must share a prefix before a hint says that ids look like conversations."""
_PARTS = re.compile(r"(.+)[_\-.:/#](\d+)")


@dataclass(frozen=True)
class QueryUnits:
    """Which unit each query belongs to.

    attribute  the name of the attribute of queries
    queries    the ids of the queries that have a unit, and ``units`` the unit of each
    """

    attribute: str
    queries: tuple[str, ...]
    units: tuple[str, ...]

    @cached_property
    def by_query(self) -> Mapping[str, str]:
        """Query id -> the unit that it counts with."""
        return dict(zip(self.queries, self.units, strict=True))

    def of(self, query_ids: Sequence[str]) -> tuple[str, ...]:
        """Return the units of queries. Raises OptionError for queries that have none."""
        without = [query for query in query_ids if query not in self.by_query]
        if without:
            raise OptionError(
                trn(
                    "{n:,} query has no {unit} and could be in any unit: {queries}; give it one, or leave it out",
                    "{n:,} queries have no {unit} and could be in any unit: {queries}; give them one, or leave them "
                    "out",
                    len(without), unit=self.attribute, queries=name_some(without),
                )
            )  # fmt: skip
        return tuple(self.by_query[query] for query in query_ids)

    def count(self, query_ids: Sequence[str]) -> int:
        """Return the number of units of queries."""
        return len(set(self.of(query_ids)))


def id_prefix(query_ids: Sequence[str]) -> QueryAttribute | None:
    """Return the attribute ``id-prefix``: ``12`` of the query ``12_3``. None unless all ids have two parts, the last a
    number, and some prefix occurs twice."""
    prefixes: dict[str, str] = {}
    for query in query_ids:
        match = _PARTS.fullmatch(query)
        if match is None:  # mostly the first one
            return None
        prefixes[query] = match[1]
    if len(set(prefixes.values())) == len(prefixes):
        return None
    meaning = tr("what ids have before the last part: 12 of 12_3")
    return QueryAttribute(ID_PREFIX, "category", prefixes, tr("prefix of the id"), meaning)


def looks_like_units(query_ids: Sequence[str]) -> int:
    """Return the number of units that the ids of queries look like; 0 where they do not look like conversations: where
    fewer than half of them share their prefix, or few prefixes have many queries each."""
    attribute = id_prefix(query_ids)
    if attribute is None:
        return 0
    names = list(attribute.values.values())
    counts = Counter(names)
    shared = sum(count for count in counts.values() if count > 1)
    few = len(counts) < LEAST_UNITS or len(names) > LONGEST * len(counts)
    return 0 if few or shared < LEAST_SHARED * len(names) else len(counts)


def units_hint(query_ids: Sequence[str]) -> str:
    """Return the hint that ids look like conversations, a sentence; "" where they do not."""
    return _hint(tuple(query_ids)) if len(query_ids) and _PARTS.fullmatch(query_ids[0]) else ""


@lru_cache(maxsize=64)
def _hint(query_ids: tuple[str, ...]) -> str:
    units = looks_like_units(query_ids)
    if not units:
        return ""
    return tr(
        "The ids look like conversations, {queries:,} queries in {units:,}. If queries of one are alike, p and "
        "intervals can be too small; the unit {attribute} of the protocol counts by conversations. Nothing is assumed.",
        queries=len(query_ids), units=units, attribute=ID_PREFIX,
    )  # fmt: skip


def units_of(name: str, attributes: Sequence[QueryAttribute], query_ids: Sequence[str]) -> QueryUnits:
    """Return the units that an attribute of queries makes. Raises OptionError for a name that none of the attributes
    has, and for queries without a value."""
    prefix = id_prefix(query_ids)
    known = [*attributes, *([] if prefix is None else [prefix])]
    attribute = next((each for each in known if each.name == name), None)
    if attribute is None:
        names = ", ".join(each.name for each in known)
        text = tr("unit is {unit}, and the queries have no such attribute; they have {names}", unit=name, names=names)
        if name == ID_PREFIX:
            text = tr("unit is {unit}, and the ids of the queries do not look like those of conversations, such as "
                      "12_3; give a table of attributes", unit=name)  # fmt: skip
        elif not names:
            text = tr("unit is {unit}, and the queries have no attributes; give a table of them", unit=name)
        raise OptionError(text)
    queries = tuple(query for query in query_ids if query in attribute.values)
    units = QueryUnits(name, queries, tuple(str(attribute.values[query]) for query in queries))
    units.of(query_ids)
    return units
