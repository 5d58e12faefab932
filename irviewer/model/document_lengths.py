"""What measures know of documents beside their ids: lengths in words or tokens, for readers with a limited context, and
their fields.

Lengths are read when a measure needs them, once per document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import pyarrow.compute as pc

from irviewer.errors import MeasureError
from irviewer.model.arrays import Floats, Ints, Strings, places_of, sums_within
from irviewer.model.document_fields import Columns, DocumentFields
from irviewer.model.run import Run
from irviewer.translation import tr

ATTRIBUTES = ("tokens", "n_tokens", "num_tokens", "token_count", "length")
"""Columns of documents with a length; without one the words of the text are counted."""


class Texts(Columns, Protocol):
    """Documents by id: a table in memory, or an index of a file."""

    @property
    def lost(self) -> str: ...

    def row(self, identifier: str) -> dict[str, Any]: ...

    def body(self, identifier: str) -> str: ...


class Lengths:
    """The lengths of a collection's documents, and their fields.

    source    document id -> length, or documents: their lengths are a numeric column named in ATTRIBUTES, else the
              number of words"""

    def __init__(self, source: Mapping[str, float] | Texts) -> None:
        self._known: dict[str, float] = {}
        self._texts: Texts | None = None
        self._attribute: str | None = None
        if isinstance(source, Mapping):
            self._known = {doc: float(length) for doc, length in source.items()}
        else:
            self._texts = source
            self._attribute = next((name for name in ATTRIBUTES if name in source.attributes), None)

    @property
    def unit(self) -> str:
        """The unit: "tokens", "words" …"""
        return (self._attribute or "words") if self._texts is not None else "tokens"

    @property
    def texts(self) -> Texts | None:
        """The documents; None where only lengths are known."""
        return self._texts

    @cached_property
    def fields(self) -> DocumentFields | None:
        """The fields of the documents; None where only lengths are known."""
        return None if self._texts is None else DocumentFields(self._texts)

    def of(self, doc_ids: Strings) -> Floats:
        """Return the length of each document, float64[n]; the mean of the others for documents of unknown length.

        Raises MeasureError if no length is known, or if the documents' file was removed or changed."""
        encoded = pc.dictionary_encode(doc_ids)
        values = self._lengths(encoded)
        missing = np.isnan(values)
        if len(values) and missing.all():
            raise MeasureError(
                tr("the lengths of all documents returned are unknown; check that the documents belong to the run")
            )
        values[missing] = values[~missing].mean() if len(values) else 0.0
        lengths: Floats = values[encoded.indices.to_numpy()]
        return lengths

    def known(self, doc_ids: Strings) -> Floats:
        """Return the length of each document, float64[n]; NaN for documents of unknown length. Raises MeasureError if
        the documents' file was removed or changed."""
        encoded = pc.dictionary_encode(doc_ids)
        return np.asarray(self._lengths(encoded)[encoded.indices.to_numpy()])

    def _lengths(self, encoded: Any) -> Floats:
        """Return the lengths of the distinct ids of a column, NaN for unknown ones."""
        return np.array([self._length(doc) for doc in encoded.dictionary.to_pylist()], dtype=np.float64)

    def _length(self, doc_id: str) -> float:
        length = self._known.get(doc_id)
        if length is None:
            length = self._known[doc_id] = self._read(doc_id)
        return length

    def _read(self, doc_id: str) -> float:
        if self._texts is None:
            return float("nan")
        row = self._texts.row(doc_id)
        if not row and self._texts.lost:
            raise MeasureError(
                tr("the lengths of documents cannot be read: their file {event}; open it again", event=self._texts.lost)
            )
        if self._attribute is not None:
            value = row.get(self._attribute)
            return float(value) if isinstance(value, int | float) else float("nan")
        return float(len(self._texts.body(doc_id).split())) if row else float("nan")


@dataclass(frozen=True, eq=False)
class ListLengths:
    """A run with lengths, for the evaluated queries of a join.

    run_place    int64[E], the index of each evaluated query in the run, -1 for missing queries
    """

    run: Run
    lengths: Lengths
    run_place: Ints

    @cached_property
    def _by_line(self) -> Floats:
        return self.lengths.of(self.run.doc_ids)

    def of_queries(self, queries: Ints) -> ListLengths:
        """Return the lists of some queries, with repetitions; lengths read so far are shared."""
        selected = replace(self, run_place=self.run_place[queries])
        vars(selected).update({name: value for name, value in vars(self).items() if name in ("_by_line", "_running")})
        return selected

    def documents(self, query: Ints, rank: Ints) -> Strings:
        """Return the ids of the documents at ranks of queries."""
        return self.run.doc_ids.take(places_of(self._line(query, rank)))

    def one(self, query: Ints, rank: Ints) -> Floats:
        """Return the length of the document at a rank of a query, float64[h]."""
        lengths: Floats = self._by_line[self._line(query, rank)]
        return lengths

    def down_to(self, query: Ints, rank: Ints) -> Floats:
        """Return the sum of the lengths of a query's documents down to a rank, float64[h]."""
        sums: Floats = self._running[self._line(query, rank)]
        return sums

    @cached_property
    def _running(self) -> Floats:
        return sums_within(self._by_line, self.run.offsets)

    def _line(self, query: Ints, rank: Ints) -> Ints:
        line: Ints = self.run.offsets[self.run_place[query]] + rank - 1
        return line
