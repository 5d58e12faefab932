"""Attributes of queries, a number or a category for each query, and slices of queries by attribute.

Attributes come from a table, the queries' texts or the qrels. Independent of runs and files."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from irviewer.errors import OptionError
from irviewer.model.arrays import Floats, Ints, as_tuple, frozen
from irviewer.model.qrels import Qrels
from irviewer.model.texts import TEXT_COLUMNS, TextTable
from irviewer.translation import decimal, tr, trc, trn

Kind = Literal["number", "category"]

MOST_SLICES = 24
"""The most slices of an attribute, so that a table can show them."""
PARTS = 4
"""The default number of slices of a numeric attribute."""
LENGTH, RELEVANT, QUESTION_WORD, DIFFICULTY = "length", "relevant", "question-word", "difficulty"
"""Names of the attributes that need no table."""
QUESTION_WORDS = ("what", "how", "who", "where")

OTHER = "other, or none"
"""The category of queries without a question word."""
FACET = "relevant:"
"""Begins the name of an attribute that is a field of the relevant documents, as in ``relevant:brand`` (``facets``)."""
SEVERAL = "no single one"
"""The category of queries whose relevant documents have several values equally often."""
UNITS = {"words": tr("words"), "relevant": trc("so many documents", "relevant")}
"""The units of numbers, as people read them."""

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, eq=False)
class QueryAttribute:
    """A value for each query.

    name     its name for ``--by``: the column, or one of the names above
    kind     "number" or "category"
    values   query id -> float (finite), or str; without the queries that have no value
    title    its title in tables
    meaning  a description of the values; "" if the name needs none
    unit     the unit of numbers, a key of UNITS; "" for none
    order    the categories in display order; others follow in natural order
    """

    name: str
    kind: Kind
    values: Mapping[str, float] | Mapping[str, str]
    title: str = ""
    meaning: str = ""
    unit: str = ""
    order: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """The title, or the name if there is none."""
        return self.title or self.name

    def numbers(self, query_ids: Sequence[str]) -> Floats:
        """Return float64[E]: the numbers of queries, NaN for a query without one. Raises OptionError for a category."""
        if self.kind != "number":
            raise OptionError(tr("{name} is categorical. Choose a numeric attribute.", name=self.name))
        if isinstance(self.values, _Counts):
            return self.values.of(query_ids)
        return np.array([self.values.get(query, math.nan) for query in query_ids], dtype=np.float64)

    def texts(self, query_ids: Sequence[str], numbers: Floats | None = None) -> list[str | None]:
        """Return the values of queries as tables show them, None for a query without one. Each different value is
        written once. ``numbers`` are those of the queries, where they are known."""
        if self.kind == "number":
            numbers = self.numbers(query_ids) if numbers is None else numbers
            values = [None if math.isnan(number) else number for number in numbers.tolist()]
        else:
            values = [self.values.get(query) for query in query_ids]
        written = {value: value_text(value) for value in set(values) if value is not None}
        return [None if value is None else written[value] for value in values]


@dataclass(frozen=True)
class Cut:
    """How numbers are cut into slices: into ``parts`` of equal size as nearly as equal values allow, or at ``borders``,
    each the least number of the slice above it. Raises OptionError for fewer than 2 parts or borders that do not
    rise."""

    parts: int = PARTS
    borders: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if not 2 <= self.parts <= MOST_SLICES:
            raise OptionError(
                tr("Numbers are cut into 2 to {most} slices, not into {parts}.", most=MOST_SLICES, parts=self.parts)
            )
        rising = all(low < high for low, high in itertools.pairwise(self.borders))
        if not rising or not all(math.isfinite(border) for border in self.borders):
            example = "3,6,12"
            raise OptionError(
                tr("The borders of slices are numbers in rising order, such as {example}.", example=example)
            )
        if len(self.borders) >= MOST_SLICES:
            raise OptionError(
                tr(
                    "{n} borders make more slices than a table can show; give at most {most}.",
                    n=len(self.borders), most=MOST_SLICES - 1,
                )
            )  # fmt: skip

    @property
    def text(self) -> str:
        """A description of the cut."""
        if self.borders:
            return tr("cut at given borders")
        if self.parts == 4:
            return tr("quarters, as nearly as equal values allow")
        return tr("{parts} slices of equal size, as nearly as equal values allow", parts=self.parts)


@dataclass(frozen=True, eq=False)
class QuerySlice:
    """A slice: the indices of its queries, int64 ascending, and the least and the greatest number in it, NaN for a
    category or an empty slice."""

    name: str
    places: Ints
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True, eq=False)
class Slicing:
    """Queries cut by one attribute into slices that do not overlap.

    query_ids   the E queries
    slices      in the order of the numbers or of the categories
    without     int64: the indices of the queries without a value, which are in no slice
    """

    attribute: QueryAttribute
    cut: Cut
    query_ids: tuple[str, ...]
    slices: tuple[QuerySlice, ...]
    without: Ints

    @property
    def codes(self) -> Ints:
        """int64[E]: the index of each query's slice, -1 for a query without a value."""
        codes = np.full(len(self.query_ids), -1, dtype=np.int64)
        for number, part in enumerate(self.slices):
            codes[part.places] = number
        return codes

    @property
    def text(self) -> str:
        """A description of the attribute and the cut."""
        words = [self.attribute.meaning]
        if self.attribute.kind == "number":
            words.append(self.cut.text)
        return "; ".join(filter(None, words))


def slices_of(attribute: QueryAttribute, query_ids: Sequence[str], cut: Cut | None = None) -> Slicing:
    """Cut queries into slices by an attribute. A category has a slice for each value; numbers are cut by ``cut``, by
    default into quarters. Slices of given borders may be empty.

    Raises OptionError if no query has a value, or a category has more than MOST_SLICES values."""
    cut = cut or Cut()
    ids = as_tuple(query_ids)
    if not any(query in attribute.values for query in ids):
        raise OptionError(
            trn(
                "The one query has no value of {name}. Check that its table has the id of this query.",
                "None of the {n} queries has a value of {name}. Check that its table has the ids of these "
                "queries.",
                len(ids), name=attribute.name,
            )
        )  # fmt: skip
    if attribute.kind == "category":
        slices, without = _by_category(attribute, ids)
    else:
        slices, without = _by_number(attribute, attribute.numbers(ids), cut)
    return Slicing(attribute, cut, ids, slices, without)


def _by_category(attribute: QueryAttribute, ids: Sequence[str]) -> tuple[tuple[QuerySlice, ...], Ints]:
    groups: dict[str, list[int]] = {}
    without = []
    for position, query in enumerate(ids):
        value = attribute.values.get(query)
        if value is None:
            without.append(position)
        else:
            groups.setdefault(str(value), []).append(position)
    if len(groups) > MOST_SLICES:
        raise OptionError(
            tr(
                "{name} has {n} different values, which make more slices than a table can show (at most {most}). "
                "Choose an attribute with fewer values or a numeric one.",
                name=attribute.name, n=len(groups), most=MOST_SLICES,
            )
        )  # fmt: skip
    known = {value: number for number, value in enumerate(attribute.order)}
    names = sorted(groups, key=lambda value: (known.get(value, len(known)), natural_key(value)))
    slices = tuple(QuerySlice(name, np.array(groups[name], dtype=np.int64)) for name in names)
    return slices, np.array(without, dtype=np.int64)


def _by_number(attribute: QueryAttribute, numbers: Floats, cut: Cut) -> tuple[tuple[QuerySlice, ...], Ints]:
    known = np.flatnonzero(~np.isnan(numbers))
    values = numbers[known]
    borders = np.array(cut.borders) if cut.borders else _quantile_borders(values, cut.parts)
    codes = np.searchsorted(borders, values, side="right")
    parts = [known[codes == number] for number in range(len(borders) + 1)]
    ranges = [(numbers[part].min(), numbers[part].max()) if len(part) else (math.nan, math.nan) for part in parts]
    names = _border_names(cut.borders) if cut.borders else _range_names(ranges)
    if attribute.unit:
        names = [f"{name} {attribute.unit}" for name in names]
    slices = tuple(
        QuerySlice(name, part, float(low), float(high))
        for name, part, (low, high) in zip(names, parts, ranges, strict=True)
    )
    return slices, np.flatnonzero(np.isnan(numbers))


def _quantile_borders(values: Floats, parts: int) -> Floats:
    """Return the least value of every slice but the first, where the number of values below is nearest to the wanted
    share. If there are at most ``parts`` different values, each has its own slice."""
    distinct, counts = np.unique(values, return_counts=True)
    if len(distinct) <= parts:
        return np.asarray(distinct[1:])
    below = np.cumsum(counts)[:-1]  # values below distinct[1:]
    wanted = len(values) * np.arange(1, parts) / parts
    nearest = np.abs(below[None, :] - wanted[:, None]).argmin(axis=1)
    return np.asarray(distinct[1:][np.unique(nearest)])


def _range_names(ranges: Sequence[tuple[float, float]]) -> list[str]:
    """Return names such as ``2–4`` and ``5``, with enough digits to distinguish the slices."""
    for digits in (3, 4, 6, 9, 12, 17):
        written = [(f"{low:.{digits}g}", f"{high:.{digits}g}") for low, high in ranges]
        names = [low if low == high else f"{low}–{high}" for low, high in written]
        ends, starts = [high for _, high in written[:-1]], [low for low, _ in written[1:]]
        whole = digits > 6 or all(_exact(end, digits) for pair in ranges for end in pair)
        if len(set(names)) == len(names) and whole and all(a != b for a, b in zip(ends, starts, strict=True)):
            break
    return names


def _exact(value: float, digits: int) -> bool:
    """Return whether a whole number is written in full; other numbers may be rounded."""
    return not value.is_integer() or ("e" not in f"{value:.{digits}g}" and float(f"{value:.{digits}g}") == value)


def _border_names(borders: Sequence[float]) -> list[str]:
    between = [f"[{low:g}, {high:g})" for low, high in itertools.pairwise(borders)]
    return [f"< {borders[0]:g}", *between, f"≥ {borders[-1]:g}"]


def attributes_of_table(table: TextTable) -> tuple[QueryAttribute, ...]:
    """Return the columns of a table of queries as attributes, without the queries' texts. A column whose values are all
    numbers is numeric, any other a category."""
    attributes = []
    for name in table.attributes:
        if name.casefold() in TEXT_COLUMNS:
            continue
        cells = dict(zip(table.ids, table.table[name].to_pylist(), strict=True))
        attribute = attribute_of(name, cells)
        if attribute is not None:
            attributes.append(attribute)
    return tuple(attributes)


def attribute_of(name: str, cells: Mapping[str, Any]) -> QueryAttribute | None:
    """Return an attribute of the cells of a file; None if no cell has a value. Empty cells, NaN and infinity are no
    values."""
    words = {query: _word(value) for query, value in cells.items()}
    given = {query: word for query, word in words.items() if word}
    numbers = {query: _number(word) for query, word in given.items()}
    if given and all(number is not None for number in numbers.values()):
        finite = {query: number for query, number in numbers.items() if number is not None and math.isfinite(number)}
        return QueryAttribute(name, "number", finite) if finite else None
    return QueryAttribute(name, "category", given) if given else None


def query_length(queries: TextTable, query_ids: Sequence[str]) -> QueryAttribute | None:
    """Return the number of words of each query; None if no text is known."""
    values = {query: float(len(queries.text(query).split())) for query in query_ids if queries.text(query)}
    if not values:
        return None
    return QueryAttribute(LENGTH, "number", values, tr("query length"), tr("in words"), "words")


def question_word(queries: TextTable, query_ids: Sequence[str]) -> QueryAttribute | None:
    """Return the first question word (QUESTION_WORDS, English) of each query's text; None if no text is known."""
    values = {}
    for query in query_ids:
        text = queries.text(query)
        if text:
            words = (word.casefold() for word in _WORD.findall(text))
            values[query] = next((word for word in words if word in QUESTION_WORDS), OTHER)
    if not values:
        return None
    meaning = tr("the first of {words} in the text", words=", ".join(QUESTION_WORDS))
    order = (*QUESTION_WORDS, OTHER)
    return QueryAttribute(QUESTION_WORD, "category", values, tr("question word"), meaning, order=order)


class _Counts(Mapping[str, float]):
    """A count for each query of the qrels, looked up when it is asked for: a judgment changes one of a hundred
    thousand."""

    def __init__(self, index: Mapping[str, int], counts: Ints) -> None:
        self._index, self._counts = index, counts
        self._kept: tuple[Sequence[str] | None, Floats] = (None, np.empty(0))

    def __getitem__(self, query: str) -> float:
        return float(self._counts[self._index[query]])

    def __contains__(self, query: object) -> bool:
        return query in self._index

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self._index)

    def of(self, query_ids: Sequence[str]) -> Floats:
        """Return float64[E]: the counts of queries, NaN for one that the qrels do not have. Those of the last queries
        are kept: several views ask for all."""
        former, numbers = self._kept
        if former is not query_ids:
            places = np.fromiter(map(self._index.get, query_ids, itertools.repeat(-1)), np.int64, len(query_ids))
            numbers = frozen(np.append(self._counts.astype(np.float64), math.nan)[places])  # NaN is at -1
            if isinstance(query_ids, tuple):  # others may change
                self._kept = (query_ids, numbers)
        return numbers


def relevant_documents(qrels: Qrels, level: float = 1) -> QueryAttribute:
    """Return the number of documents of grade ``level`` or more of each query in the qrels."""
    values = _Counts(qrels.query_index, qrels.relevant_counts(level))
    meaning = tr("in the qrels, from grade {level:g}", level=level)
    return QueryAttribute(RELEVANT, "number", values, tr("relevant documents"), meaning, "relevant")


def known_attributes(
    queries: TextTable | None, qrels: Qrels, query_ids: Sequence[str], level: float = 1
) -> tuple[QueryAttribute, ...]:
    """Return the attributes that need no table: of the texts, if they are known, and of the relevant documents."""
    texts = () if queries is None else text_attributes(queries, query_ids)
    return (relevant_documents(qrels, level), *texts)


def text_attributes(queries: TextTable, query_ids: Sequence[str]) -> tuple[QueryAttribute, ...]:
    """Return the attributes of the texts that need no table and no judgments."""
    return tuple(filter(None, (question_word(queries, query_ids), query_length(queries, query_ids))))


def find_query_attribute(attributes: Sequence[QueryAttribute], name: str) -> QueryAttribute:
    """Return the attribute of a name. Raises OptionError with the existing names."""
    for attribute in attributes:
        if attribute.name == name:
            return attribute
    names = ", ".join(attribute.name for attribute in attributes)
    raise OptionError(tr("The queries have no attribute {name}; they have {names}.", name=name, names=names or "–"))


def slice_text(attribute: str, name: str) -> str:
    """Return the name of a slice of an attribute as people read it: the same in their language."""
    unit = {LENGTH: "words", RELEVANT: "relevant"}.get(attribute)
    number = name.removesuffix(f" {unit}")
    if unit is not None and number != name:
        return f"{number} {UNITS[unit]}"
    return value_text(name) if attribute == QUESTION_WORD or attribute.startswith(FACET) else name


def value_text(value: float | str) -> str:
    """Return the value of an attribute as tables show it."""
    if isinstance(value, str):
        return {OTHER: tr("other, or none"), SEVERAL: tr("no single one")}.get(value, value)
    value += 0.0  # not "-0"
    return decimal(f"{value:,.0f}" if value.is_integer() and abs(value) < 1e12 else f"{value:.6g}")


def _word(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.17g}"
    return " ".join(str(value).split())


def _number(word: str) -> float | None:
    if not re.match(r"[-+]?[.\d]|[-+]?(inf|nan)", word, re.IGNORECASE) or "_" in word:
        return None
    try:
        return float(word)
    except ValueError:
        return None


def natural_key(text: str) -> tuple[tuple[int, float, str], ...]:
    """Return a sort key that orders numbers within a text by size."""
    parts = re.findall(r"\d+|\D+", text)
    return tuple((0, float(part), "") if part.isdecimal() else (1, 0.0, part.casefold()) for part in parts)
