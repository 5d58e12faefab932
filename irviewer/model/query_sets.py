"""Query sets: named subsets of the queries for which tables and tests can be computed, and weights of queries.

A set comes from a filter, a selection in a plot, a file, or a column of the queries. It records its source, and whether
it was chosen after the results were seen. Independent of values, runs and files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from irviewer.errors import IrviewerError
from irviewer.model.arrays import Bools, Floats, frozen
from irviewer.model.texts import TEXT_COLUMNS, TextTable
from irviewer.translation import tr, trn

Origin = Literal["filter", "brush", "file", "attribute", "tag", "list"]

MOST_VALUES = 24
"""The most different values of a column that makes a set of each; numbers of more values are cut into quarters."""

LENGTH = "words"
"""The column that every collection with query texts has: the number of words of a query."""

_LENGTHS = (
    (1, 2, tr("1–2 words")),
    (3, 4, tr("3–4 words")),
    (5, 8, tr("5–8 words")),
    (9, 15, tr("9–15 words")),
    (16, None, tr("16+ words")),
)


class QuerySetError(IrviewerError):
    """Raised for a query set or weights that cannot be made; the message states why."""


@dataclass(frozen=True)
class QuerySet:
    """A named set of queries.

    name        unique in its collection
    query_ids   the ids, in no order; some may not be in the qrels
    origin      its source; ``how`` describes it: the filter's text, the file, ``language = de``; "list": the ids that
                a protocol lists, which has no name for them
    looked      True if it was chosen after the results were seen, so that tests on it are too optimistic
    path        the file that it was read from; "" for none
    """

    name: str
    query_ids: frozenset[str]
    origin: Origin = "file"
    how: str = ""
    looked: bool = False
    path: str = field(default="", compare=False)

    def mask(self, query_ids: Sequence[str]) -> Bools:
        """bool[E]: which of the queries are in the set."""
        mine = self.query_ids
        return frozen(np.fromiter((query in mine for query in query_ids), np.bool_, len(query_ids)))

    @property
    def warning(self) -> str:
        """A warning about tests on this set; "" if there is none."""
        if not self.looked:
            return ""
        return tr("{set} was chosen after looking at the results, so tests on it are too optimistic", set=self.name)


@dataclass(frozen=True, eq=False)
class QueryWeights:
    """Weights of queries, such as their traffic. ``values`` id -> weight, at least 0; queries without a weight have
    ``default``. ``path`` is the file that they were read from, "" for none."""

    values: Mapping[str, float]
    how: str = ""
    default: float = 0.0
    path: str = ""

    def of(self, query_ids: Sequence[str]) -> Floats:
        """Return the weights float64[E] of queries. Raises QuerySetError if none is above 0."""
        weights = np.fromiter((self.values.get(query, self.default) for query in query_ids), np.float64, len(query_ids))
        if not np.any(weights > 0):
            raise QuerySetError(
                trn(
                    "the one query has no weight above 0 ({source}); check the query ids of the weights",
                    "none of the {n:,} queries has a weight above 0 ({source}); check the query ids of the weights",
                    len(query_ids),
                    source=self.how or tr("given weights"),
                )
            )
        return frozen(weights)


def make_weights(values: Mapping[str, float], how: str, default: float = 0.0) -> QueryWeights:
    """Return checked weights. Raises QuerySetError for a weight that is negative or not a number."""
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
    """Return the columns that divide the queries into sets: those of 2 to ``MOST_VALUES`` values or of numbers, and
    ``words`` if there are texts."""
    if queries is None:
        return ()
    columns = [name for name in queries.attributes if name.casefold() not in TEXT_COLUMNS and _parts(queries, name)]
    if any(queries.text(query) for query in query_ids[:50]) and LENGTH not in columns:
        columns.append(LENGTH)
    return tuple(columns)


def numbers(queries: TextTable | None) -> tuple[str, ...]:
    """Return the columns that can be weights: those whose values are all numbers of 0 or more."""
    if queries is None:
        return ()
    return tuple(name for name in queries.attributes if _numeric(queries, name) is not None)


def weights_by(queries: TextTable, column: str) -> QueryWeights:
    """Return the queries' weights from a column. Raises QuerySetError if its values are no weights."""
    values = _numeric(queries, column)
    if values is None:
        raise QuerySetError(tr("column {column} has no weights; a weight must be a number of 0 or more", column=column))
    pairs = zip(queries.ids, values, strict=True)
    return make_weights(
        {query: value for query, value in pairs if not np.isnan(value)}, tr("column {column}", column=column)
    )


def sets_by(queries: TextTable, column: str, query_ids: Sequence[str]) -> tuple[QuerySet, ...]:
    """Return a set for each value of a column in natural order; numbers of many values are cut into quarters of the
    queries. Queries without a value are in no set. Raises QuerySetError if the column does not divide the queries."""
    wanted = set(query_ids)
    if column == LENGTH and LENGTH not in queries.attributes:
        groups = _by_length(queries, query_ids)
    else:
        groups = _parts(queries, column)
    sets = []
    for value, ids in groups.items():
        mine = frozenset(query for query in ids if query in wanted)
        if mine:
            name = value if column == LENGTH else f"{column}: {value}"
            sets.append(QuerySet(name, mine, "attribute", f"{column} = {value}"))
    if not sets:
        raise QuerySetError(tr("column {column} does not divide the queries into sets", column=column))
    return tuple(sets)


def free_set_name(name: str, taken: Iterable[str]) -> str:
    """Return ``name`` without extra spaces, with a number if it is taken. Raises QuerySetError for an empty name."""
    name = " ".join(name.split())
    if not name:
        raise QuerySetError(tr("a query set needs a name"))
    used = set(taken)
    if name not in used:
        return name
    return next(candidate for number in range(2, len(used) + 3) if (candidate := f"{name} ({number})") not in used)


def _by_length(queries: TextTable, query_ids: Sequence[str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {name: [] for _, _, name in _LENGTHS}
    for query in query_ids:
        count = len(queries.text(query).split())
        for low, high, name in _LENGTHS:
            if count >= low and (high is None or count <= high):
                groups[name].append(query)
    return groups


def _parts(queries: TextTable, column: str) -> dict[str, list[str]]:
    """Return value -> ids; empty if the column does not divide the queries."""
    if column not in queries.attributes:
        return {}
    values = queries.table[column].to_pylist()
    distinct = {_word(value) for value in values if value is not None}
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
    """Return float64[n], NaN for missing values; None if a value is no number of 0 or more, or all are missing."""
    parsed = []
    for value in queries.table[column].to_pylist():
        try:
            number = float("nan") if value is None or value == "" else float(value)
        except (TypeError, ValueError):
            return None
        if number < 0 or np.isinf(number):
            return None
        parsed.append(number)
    values = np.array(parsed, dtype=np.float64)
    return values if np.any(~np.isnan(values)) else None


def _word(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return " ".join(str(value).split()) or tr("(empty)")


def _natural(text: str) -> tuple[tuple[int, float, str], ...]:
    """Return a sort key that orders numbers within a text by size."""
    parts = re.findall(r"\d+|\D+", text)
    return tuple((0, float(part), "") if part.isdigit() else (1, 0.0, part.casefold()) for part in parts)
