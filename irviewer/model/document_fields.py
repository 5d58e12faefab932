"""Fields of documents, such as price, in stock, date and seller: typed columns by document, for measures and facets.

The type of a field is that of its column: of texts, those that are all true or false are truth values, all numbers
numbers, all dates written as 2024-01-31 (with a time or without) dates. Whole numbers of 2**53 or more are codes, not
amounts, and are texts, since floating point would take one for another. A cell that is empty, null or no finite number
has no value, which is never taken for another one. A column without any value is of every type, since files store it as
one or another."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Literal, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.errors import MeasureError, name_some
from irviewer.model.arrays import Bools, Floats, Ints, Strings, frozen, places_of, strings, values_of
from irviewer.model.exchange.arrow_types import is_whole
from irviewer.model.exchange.rows import FLOAT_EXACT
from irviewer.model.field_conditions import KNOWN, MISSING, Condition
from irviewer.model.judgments.digest import digest_of_values
from irviewer.translation import tr

Kind = Literal["number", "truth", "date", "text"]
KINDS = {"number": tr("numbers"), "truth": tr("truth values"), "date": tr("dates"), "text": tr("texts")}
TRUTHS = {"true": 1.0, "false": 0.0}
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?(?:nan|inf|infinity)", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?")


class Columns(Protocol):
    """Documents with columns: a table in memory, or an index of a file."""

    @property
    def attributes(self) -> tuple[str, ...]: ...

    def columns(self, names: tuple[str, ...]) -> Any: ...


@dataclass(frozen=True, eq=False)
class Field:
    """A typed column of n documents.

    values   float64[n]: the number, 1 or 0, seconds since 1970 (UTC where no zone is written), or the place of a text
             in ``words``; NaN without a value
    odd      of texts, the first that is not what most of them are (number, truth value or date); "" for other types
    """

    name: str
    kind: Kind
    values: Floats
    words: tuple[str, ...] = ()
    odd: str = ""

    @cached_property
    def is_empty(self) -> bool:
        """Whether no document has a value."""
        return bool(np.isnan(self.values).all())

    def value_of(self, text: str) -> float:
        """Return what a value of a condition is in this field; NaN for a text that no document has. White space around
        it does not count, as in cells. Raises MeasureError for one of another type."""
        text = text.strip()
        if self.kind == "text":
            return float(self.words.index(text)) if text in self.words else float("nan")
        number = _READERS[self.kind](text)
        if number is None or np.isnan(number):
            raise MeasureError(
                tr("the field {field!r} holds {kind}; {value!r} is none", field=self.name, kind=KINDS[self.kind],
                   value=text)
            )  # fmt: skip
        return float(number)

    def text_of(self, value: float) -> str:
        """Return a value as people read it; "" without one."""
        if np.isnan(value):
            return ""
        if self.kind == "text":
            return self.words[int(value)]
        if self.kind == "truth":
            return "true" if value else "false"
        if self.kind == "date":
            moment = datetime.fromtimestamp(value, UTC)
            return moment.date().isoformat() if value % 86400 == 0 else moment.replace(tzinfo=None).isoformat(" ")
        return f"{value:.12g}"


class DocumentFields:
    """The fields of a collection's documents, each read when it is asked for. Values are looked up by document id."""

    def __init__(self, source: Columns) -> None:
        self._source = source
        self._known: dict[str, Field] = {}
        self._digests: dict[str, str] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the fields."""
        return self._source.attributes

    def rows(self, doc_ids: Strings) -> Ints:
        """Return the row of each document, int64[n]; -1 for a document that the table lacks."""
        return values_of(pc.index_in(strings(doc_ids), value_set=self._ids).cast(pa.int64()).fill_null(-1))

    def field(self, name: str) -> Field:
        """Return the field of a name. Raises MeasureError with the names that there are."""
        known = self._known.get(name)
        if known is None:
            self.check(name)
            known = self._known[name] = field_of(name, self._source.columns((name,))[name])
        return known

    def digest(self, name: str) -> str:
        """Return what says whether values were computed with the same values of a field: a digest of its type and of
        the documents that have one, the same in any order. Raises MeasureError for an unknown field."""
        known = self._digests.get(name)
        if known is None:
            field = self.field(name)
            has = np.flatnonzero(~np.isnan(field.values))
            values = pa.array(field.values[has])
            if field.kind == "text":
                values = strings(field.words).take(values.cast(pa.int64()))
            digest = digest_of_values(self._ids.take(places_of(has)), values)
            known = self._digests[name] = f"{field.kind} {digest}"
        return known

    def check(self, name: str) -> None:
        """Raise MeasureError for a field that the documents lack, without reading any."""
        if name not in self.names:
            raise MeasureError(
                tr("the documents have no field {field!r}; they have {names}", field=name,
                   names=name_some(self.names, 6) if self.names else tr("(none)"))
            )  # fmt: skip

    @cached_property
    def _ids(self) -> Strings:
        return strings(self._source.columns(())["id"])

    def holds(self, condition: Condition, rows: Ints) -> Bools:
        """Return which documents, given by their rows (-1: not in the table), fulfil a condition, bool[n]. Raises
        MeasureError for an unknown field, and a value or comparison that its type does not have."""
        if condition.parts:
            parts = [self.holds(part, rows) for part in condition.parts]
            together = np.logical_and if condition.sign == "and" else np.logical_or
            return np.asarray(together.reduce(parts), dtype=np.bool_)
        field = self.field(condition.field)
        values = at_rows(field, rows)
        if condition.sign in (MISSING, KNOWN):
            return np.isnan(values) if condition.sign == MISSING else ~np.isnan(values)
        if field.is_empty:
            return np.zeros(len(values), dtype=np.bool_)
        if field.kind in ("text", "truth") and condition.sign not in ("=", "!="):
            raise MeasureError(
                tr("the field {field!r} holds {kind} such as {value!r}, which have no order: compare them by = or !=",
                   field=field.name, kind=KINDS[field.kind], value=field.odd or "true")
            )  # fmt: skip
        with np.errstate(invalid="ignore"):
            holds = _COMPARED[condition.sign](values, field.value_of(condition.value))
        return np.asarray(holds & ~np.isnan(values))


_COMPARED: dict[str, Any] = {
    "=": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
}  # fmt: skip


def at_rows(field: Field, rows: Ints) -> Floats:
    """Return the values of documents by their rows, float64[n]; NaN for row -1."""
    if not len(field.values):
        return np.full(len(rows), np.nan)
    return np.where(rows >= 0, field.values[rows], np.nan)


def field_of(name: str, column: Any) -> Field:
    """Return a column as a typed field; the values of other Arrow types are taken as texts."""
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    kind = column.type
    if is_whole(kind) and any(abs(end or 0) >= FLOAT_EXACT for end in pc.min_max(column).as_py().values()):
        column, kind = column.cast(pa.string()), pa.string()
    if pa.types.is_boolean(kind):
        return _typed(name, "truth", values_of(column.cast(pa.float64()).fill_null(float("nan"))))
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return _typed(name, "number", values_of(column.cast(pa.float64(), safe=False).fill_null(float("nan"))))
    if not pa.types.is_string(kind) and not pa.types.is_large_string(kind):
        column = pa.array([None if value is None else str(value) for value in column.to_pylist()], pa.string())
    coded = pc.dictionary_encode(pc.utf8_trim_whitespace(column))
    words: list[str] = coded.dictionary.to_pylist()
    codes = values_of(coded.indices.cast(pa.int64()).fill_null(-1))
    named = [word for word in words if word]
    others: list[list[str]] = []
    for each in _READERS if named else ():
        read = {word: _READERS[each](word) for word in named}
        others.append([word for word, number in read.items() if number is None or _is_code(word, number)])
        if not others[-1]:
            numbers = np.array([read.get(word, np.nan) for word in [*words, ""]], dtype=np.float64)
            return _typed(name, each, numbers[codes])
    odd = min(others, key=len)[0] if others else ""
    place = {word: float(position) for position, word in enumerate(named)}
    places = np.array([place.get(word, np.nan) for word in [*words, ""]], dtype=np.float64)
    return Field(name, "text", frozen(places[codes]), tuple(named), odd)


def _typed(name: str, kind: Any, values: Floats) -> Field:
    return Field(name, kind, frozen(np.where(np.isfinite(values), values, np.nan)))


def _truth(word: str) -> float | None:
    return TRUTHS.get(word.lower())


def _number(word: str) -> float | None:
    return float(word) if _NUMBER.fullmatch(word) else None


def _is_code(word: str, number: float) -> bool:
    return abs(number) >= FLOAT_EXACT and word.lstrip("+-").isdecimal()


def _date(word: str) -> float | None:
    if not _DATE.fullmatch(word):
        return None
    try:
        moment = datetime.fromisoformat(word)
        seconds = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        datetime.fromtimestamp(seconds, UTC)  # at the ends of the calendar, another zone's day has no year here
    except (ValueError, OverflowError):
        return None
    return seconds


_READERS: dict[str, Any] = {"truth": _truth, "number": _number, "date": _date}
