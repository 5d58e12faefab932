"""Rows of runs and qrels from other libraries, and the conversion of their ids and numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.errors import OptionError, printable
from irviewer.model.arrays import Codes, Floats, Ints, Strings, strings, values_of
from irviewer.model.exchange.arrow_types import plain_column
from irviewer.model.judgments.strata import Strata
from irviewer.model.rankings.duplicates import refuse_repeated
from irviewer.translation import tr, trn

Kind = Literal["run", "qrels"]
FLOAT_EXACT = 2.0**53
"""Larger whole numbers are not all exact as floats: ids stored as floats may have changed."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Columns with one row per judgment or retrieved document.

    query_ids   distinct queries in order of appearance; ``codes`` int[n] point into them
    doc_ids     Arrow string array [n]; ``values`` float64[n], grades or scores
    subtopics   Arrow string array [n] for qrels with several subtopics, else None
    name        the name of the source, "" if it has none
    strata      of sampled qrels, one for each row, else None
    """

    query_ids: tuple[str, ...]
    codes: Codes
    doc_ids: Strings
    values: Floats
    subtopics: Strings | None = None
    name: str = ""
    strata: Strata | None = None


def checked(rows: Rows, kind: Kind) -> Rows:
    """Return the rows. Raises OptionError for qrels without rows, and a document that is listed twice for a query."""
    if kind == "qrels" and not len(rows.values):
        raise OptionError(tr("There are no judgments: the table has no rows."))
    if rows.subtopics is None:
        refuse_repeated(rows.query_ids, rows.codes, rows.doc_ids)
    return rows


def coded(ids: Strings) -> tuple[tuple[str, ...], Codes]:
    """Return the distinct ids in order of appearance, and int32[n] that point into them."""
    encoded = ids.dictionary_encode()
    return tuple(encoded.dictionary.to_pylist()), values_of(encoded.indices)


def id_column(column: Any, name: str) -> Strings:
    """Return a column of ids as an Arrow string array; whole numbers become their digits. Raises OptionError for the
    first row without an id."""
    array = plain_column(column)
    if array.null_count:
        raise _missing(array.is_null(), name)
    kind = array.type
    if pa.types.is_floating(kind):
        numbers = np.asarray(array.cast(pa.float64()).to_numpy(zero_copy_only=False))
        bad = np.flatnonzero(~(np.isfinite(numbers) & (numbers == np.floor(numbers)) & (np.abs(numbers) < FLOAT_EXACT)))
        if len(bad):
            raise _bad_cell(name, int(bad[0]), numbers[bad[0]], tr("not an id"))
        array = array.cast(pa.int64())
    elif not (pa.types.is_integer(kind) or pa.types.is_string(kind) or pa.types.is_null(kind)):
        raise OptionError(
            tr(
                "Column {name} has values of type {kind}, which are not ids. Ids are texts or whole numbers.",
                name=name,
                kind=str(kind),
            )
        )
    ids = strings(array.cast(pa.string()))
    empty = np.flatnonzero(values_of(pc.equal(ids, ""))) if len(ids) else np.empty(0)
    if len(empty):
        raise _missing(pc.equal(ids, ""), name)
    return ids


def number_column(column: Any, name: str) -> Floats:
    """Return a column of scores, ranks or grades, float64[n]. Raises OptionError for the first row without a number."""
    array = plain_column(column)
    if pa.types.is_boolean(array.type):
        array = array.cast(pa.int8())
    if array.null_count:
        raise _missing(array.is_null(), name)
    try:  # a whole number beyond 2⁵³ is the nearest float, as in a file
        numbers = array.cast(pa.float64(), safe=not pa.types.is_integer(array.type))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        for row, cell in enumerate(array.to_pylist()):
            try:
                float(cell)
            except (TypeError, ValueError):
                raise _bad_cell(name, row, cell, tr("not a number")) from None
        raise OptionError(
            tr("Column {name} has values of type {kind}, which are not numbers.", name=name, kind=str(array.type))
        ) from None
    return whole_numbers(values_of(numbers), name)


def whole_numbers(values: Floats, name: str) -> Floats:
    """Return the numbers. Raises OptionError for NaN."""
    bad = np.isnan(values)
    if bad.any():
        raise _missing(pa.array(bad.tolist()), name)
    return values


def from_ranks(ranks: Floats, name: str) -> Floats:
    """Return scores 1/rank for documents without scores, as other tools do; ranks may begin with 0. Raises OptionError
    for a rank that is not a whole number of 0 or more."""
    bad = np.flatnonzero(~(np.isfinite(ranks) & (ranks == np.floor(ranks)) & (ranks >= 0)))
    if len(bad):
        raise _bad_cell(name, int(bad[0]), ranks[bad[0]], tr("not a rank"))
    return 1.0 / (ranks + (1 if float(ranks.min(initial=1)) < 1 else 0))


def id_texts(ids: Iterable[Any]) -> list[str]:
    """Return ids as texts; whole numbers become their digits. Raises OptionError for other values."""
    texts = []
    for identifier in ids:
        if isinstance(identifier, str):
            texts.append(identifier)
        elif isinstance(identifier, int | np.integer) and not isinstance(identifier, bool):
            texts.append(str(int(identifier)))
        else:
            raise OptionError(
                tr(
                    "{value!r} is of type {kind}, which is not an id. Ids are texts or whole numbers.",
                    value=identifier if len(repr(identifier)) < 80 else "…", kind=type(identifier).__name__,
                )
            )  # fmt: skip
    return texts


def _missing(missing: Any, name: str) -> OptionError:
    rows = np.flatnonzero(missing.to_numpy(zero_copy_only=False))
    return OptionError(
        trn(
            "Column {name} is empty in {n} row (row {row}, counted from 0). Drop that row or fill it in.",
            "Column {name} is empty in {n} rows (the first is row {row}, counted from 0). Drop them or fill them in.",
            len(rows), name=name, row=int(rows[0]),
        )
    )  # fmt: skip


def _bad_cell(name: str, row: int, cell: object, what: str) -> OptionError:
    shown = printable(str(cell))
    return OptionError(
        tr(
            "Column {name} has {cell!r} in row {row} (counted from 0), which is {what}.",
            name=name, cell=shown if len(shown) <= 60 else shown[:57] + "...", row=row, what=what,
        )
    )  # fmt: skip


def rows_from(queries: Sequence[str], documents: Sequence[str], values: Sequence[float]) -> Rows:
    """Return rows from parallel lists."""
    places: dict[str, int] = {}
    codes: Ints = np.fromiter((places.setdefault(query, len(places)) for query in queries), np.int64, len(queries))
    numbers = whole_numbers(np.asarray(values, dtype=np.float64), "score")
    return Rows(tuple(places), codes, strings(documents), numbers)
