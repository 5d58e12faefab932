"""Query sets: named parts of the queries on which every table and test can be recomputed, and weights of queries.

A set comes from a filter, a brush in a plot, a file, or a column of the queries; it remembers from where, and whether
it was chosen with the results in view. Knows ids and columns; no values, no runs, no files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from irviewer.errors import IrviewerError
from irviewer.model.arrays import Bools, Floats, frozen
from irviewer.model.texts import TEXT_COLUMNS, TextTable
from irviewer.translation import tr

Origin = Literal["filter", "brush", "file", "attribute", "tag"]

MOST_VALUES = 24
"""A column of more different values names no groups; numbers are parted into quarters instead."""

LENGTH = "words"
"""The column that every collection with query texts has: how many words a query is long."""

_LENGTHS = (
    (1, 2, "1–2 words"),
    (3, 4, "3–4 words"),
    (5, 8, "5–8 words"),
    (9, 15, "9–15 words"),
    (16, None, "16+ words"),
)


class QuerySetError(IrviewerError):
    """A query set or weights that cannot be made; the message says why."""


@dataclass(frozen=True)
class QuerySet:
    """A named set of queries.

    name        what a person calls it, unique in its collection
    query_ids   the ids, in no order; some may be unknown to the qrels
    origin      where it comes from; ``how`` says it in words: the filter's text, the file, ``language = de``
    looked      True where it was chosen with the results in view, so that a test on it proves less than it says
    """

    name: str
    query_ids: frozenset[str]
    origin: Origin = "file"
    how: str = ""
    looked: bool = False

    def mask(self, query_ids: Sequence[str]) -> Bools:
        """bool[E]: which of the queries are in the set."""
        mine = self.query_ids
        return frozen(np.fromiter((one in mine for one in query_ids), np.bool_, len(query_ids)))

    @property
    def caveat(self) -> str:
        """What a person should know before they believe a test on this set; "" where nothing is wrong with it."""
        if not self.looked:
            return ""
        return tr("{set} was chosen after looking at the results, so tests on it are too optimistic", set=self.name)


@dataclass(frozen=True, eq=False)
class QueryWeights:
    """How much each query counts: its traffic, say. ``values`` id -> weight, at least 0; a query without one counts as
    ``default``."""

    values: Mapping[str, float]
    how: str = ""
    default: float = 0.0

    def of(self, query_ids: Sequence[str]) -> Floats:
        """float64[E]. Raises QuerySetError where no query has a weight above 0."""
        found = np.fromiter((self.values.get(one, self.default) for one in query_ids), np.float64, len(query_ids))
        if not np.any(found > 0):
            raise QuerySetError(
                tr(
                    "none of the {count:,} queries has a weight above 0 ({source}); check the query ids of the weights",
                    count=len(query_ids),
                    source=self.how or tr("given weights"),
                )
            )
        return frozen(found)


def make_weights(values: Mapping[str, float], how: str, default: float = 0.0) -> QueryWeights:
    """Weights that were checked. Raises QuerySetError for one that is negative or no number."""
    for query, weight in values.items():
        if not (np.isfinite(weight) and weight >= 0):
            raise QuerySetError(
                tr(
                    "{source}: the weight of query {query} is {weight:g}; it must be a number of 0 or more",
                    source=how,
                    query=query,
                    weight=weight,
                )
            )
    return QueryWeights(dict(values), how, default)


def attributes(queries: TextTable | None, query_ids: Sequence[str]) -> tuple[str, ...]:
    """The columns that part the queries into sets: those of 2 to ``MOST_VALUES`` values, or of numbers; ``words`` where
    there are texts."""
    if queries is None:
        return ()
    found = [name for name in queries.attributes if name.casefold() not in TEXT_COLUMNS and _parts(queries, name)]
    if any(queries.text(one) for one in query_ids[:50]) and LENGTH not in found:
        found.append(LENGTH)
    return tuple(found)


def numbers(queries: TextTable | None) -> tuple[str, ...]:
    """The columns that can weight the queries: those whose values are all numbers from 0 up."""
    if queries is None:
        return ()
    return tuple(name for name in queries.attributes if _numeric(queries, name) is not None)


def weights_by(queries: TextTable, column: str) -> QueryWeights:
    """The queries' weights from a column. Raises QuerySetError where its values are no weights."""
    values = _numeric(queries, column)
    if values is None:
        raise QuerySetError(tr("column {column} has no weights; a weight must be a number of 0 or more", column=column))
    pairs = zip(queries.ids, values, strict=True)
    return make_weights({query: value for query, value in pairs if not np.isnan(value)}, f"column {column}")


def sets_by(queries: TextTable, column: str, query_ids: Sequence[str]) -> tuple[QuerySet, ...]:
    """A set for each value of a column, the values in natural order; numbers of many values are parted into quarters
    of the queries. Queries without a value are in none. Raises QuerySetError where the column parts nothing."""
    wanted = set(query_ids)
    if column == LENGTH and LENGTH not in queries.attributes:
        groups = _by_length(queries, query_ids)
    else:
        groups = _parts(queries, column)
    found = []
    for value, ids in groups.items():
        mine = frozenset(one for one in ids if one in wanted)
        if mine:
            name = value if column == LENGTH else f"{column}: {value}"
            found.append(QuerySet(name, mine, "attribute", f"{column} = {value}"))
    if not found:
        raise QuerySetError(tr("column {column} does not divide the queries into sets", column=column))
    return tuple(found)


def free_set_name(name: str, taken: Iterable[str]) -> str:
    """``name`` cleaned, or with a number behind it where it is taken. Raises QuerySetError where nothing is left."""
    name = " ".join(name.split())
    if not name:
        raise QuerySetError(tr("a query set needs a name"))
    used = set(taken)
    if name not in used:
        return name
    return next(made for number in range(2, len(used) + 3) if (made := f"{name} ({number})") not in used)


def _by_length(queries: TextTable, query_ids: Sequence[str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {name: [] for _, _, name in _LENGTHS}
    for one in query_ids:
        count = len(queries.text(one).split())
        for low, high, name in _LENGTHS:
            if count >= low and (high is None or count <= high):
                groups[name].append(one)
    return groups


def _parts(queries: TextTable, column: str) -> dict[str, list[str]]:
    """Value -> ids; empty where the column names no groups."""
    if column not in queries.attributes:
        return {}
    values = queries.table[column].to_pylist()
    distinct = {_word(one) for one in values if one is not None}
    if 2 <= len(distinct) <= min(MOST_VALUES, max(2, len(values) // 2)):
        groups: dict[str, list[str]] = {value: [] for value in sorted(distinct, key=_natural)}
        for query, value in zip(queries.ids, values, strict=True):
            if value is not None:
                groups[_word(value)].append(query)
        return groups
    figures = _numeric(queries, column)
    if figures is None or len(distinct) < 8:
        return {}
    return _quarters(queries.ids, figures)


def _quarters(ids: Sequence[str], figures: Floats) -> dict[str, list[str]]:
    known = np.flatnonzero(~np.isnan(figures))
    borders = np.unique(np.quantile(figures[known], (0.25, 0.5, 0.75)))
    places = np.searchsorted(borders, figures[known], side="left")
    groups = {}
    for part in range(len(borders) + 1):
        mine = known[places == part]
        if len(mine):
            low, high = figures[mine].min(), figures[mine].max()
            groups[f"{low:g}–{high:g}" if low < high else f"{low:g}"] = [ids[place] for place in mine]
    return groups


def _numeric(queries: TextTable, column: str) -> Floats | None:
    """float64[n], NaN where a value is missing; None where one is no number from 0 up, or all are missing."""
    found = []
    for value in queries.table[column].to_pylist():
        try:
            number = float("nan") if value is None or value == "" else float(value)
        except (TypeError, ValueError):
            return None
        if number < 0 or np.isinf(number):
            return None
        found.append(number)
    values = np.array(found, dtype=np.float64)
    return values if np.any(~np.isnan(values)) else None


def _word(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return " ".join(str(value).split()) or "(empty)"


def _natural(text: str) -> tuple[tuple[int, float, str], ...]:
    """Numbers within a text by their size."""
    parts = re.findall(r"\d+|\D+", text)
    return tuple((0, float(one), "") if one.isdigit() else (1, 0.0, one.casefold()) for one in parts)
