"""How long documents are, in words or in tokens: what a reader with a limited context can take in of a ranking.

Lengths are looked up when a measure asks for them, each document once; who asks for none pays nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import pyarrow.compute as pc

from irviewer.errors import MeasureError
from irviewer.model.arrays import Floats, Ints, Strings, sums_within
from irviewer.model.run import Run

ATTRIBUTES = ("tokens", "n_tokens", "num_tokens", "token_count", "length")
"""Columns of documents that say a length; without one the words of the text are counted."""


class Texts(Protocol):
    """Documents that can be asked for by id: a table in memory, or an index over a file."""

    @property
    def attributes(self) -> tuple[str, ...]: ...

    @property
    def lost(self) -> str: ...

    def row(self, one: str) -> dict[str, Any]: ...

    def text(self, one: str) -> str: ...


class Lengths:
    """The lengths of a collection's documents.

    source    mapping of document id -> length, or documents whose lengths are read: a numeric column named one of
              ATTRIBUTES, else the words of the text"""

    def __init__(self, source: Mapping[str, float] | Texts) -> None:
        self._known: dict[str, float] = {}
        self._texts: Texts | None = None
        self._attribute: str | None = None
        if isinstance(source, Mapping):
            self._known = {one: float(length) for one, length in source.items()}
        else:
            self._texts = source
            self._attribute = next((one for one in ATTRIBUTES if one in source.attributes), None)

    @property
    def unit(self) -> str:
        """What is counted: "tokens", "words" …"""
        return (self._attribute or "words") if self._texts is not None else "tokens"

    def of(self, doc_ids: Strings) -> Floats:
        """float64[n]: the length of each document. One that is not known counts as the mean of those that are.

        Raises MeasureError where none is known, or their file is not there any more as it was read."""
        encoded = pc.dictionary_encode(doc_ids)
        values = np.array([self._length(one) for one in encoded.dictionary.to_pylist()], dtype=np.float64)
        missing = np.isnan(values)
        if len(values) and missing.all():
            raise MeasureError("no length is known of any document returned: do these documents belong to the run?")
        values[missing] = values[~missing].mean() if len(values) else 0.0
        result: Floats = values[encoded.indices.to_numpy()]
        return result

    def _length(self, one: str) -> float:
        found = self._known.get(one)
        if found is None:
            found = self._known[one] = self._read(one)
        return found

    def _read(self, one: str) -> float:
        if self._texts is None:
            return float("nan")
        row = self._texts.row(one)
        if not row and self._texts.lost:
            raise MeasureError(f"how long documents are can no longer be read: their file {self._texts.lost}")
        if self._attribute is not None:
            value = row.get(self._attribute)
            return float(value) if isinstance(value, int | float) else float("nan")
        return float(len(self._texts.text(one).split())) if row else float("nan")


@dataclass(frozen=True, eq=False)
class ListLengths:
    """A run with lengths, laid out for the evaluated queries of a join.

    run_place    int64[E]: the run's place of each evaluated query, -1 where it lacks it
    """

    run: Run
    lengths: Lengths
    run_place: Ints

    @cached_property
    def _by_line(self) -> Floats:
        return self.lengths.of(self.run.doc_ids)

    def of_queries(self, queries: Ints) -> ListLengths:
        """The same lists taken by place, as often as one likes; what was looked up is shared."""
        made = replace(self, run_place=self.run_place[queries])
        vars(made).update({name: value for name, value in vars(self).items() if name in ("_by_line", "_running")})
        return made

    def one(self, query: Ints, rank: Ints) -> Floats:
        """float64[h]: the length of the document at a rank of an evaluated query."""
        result: Floats = self._by_line[self._line(query, rank)]
        return result

    def down_to(self, query: Ints, rank: Ints) -> Floats:
        """float64[h]: the summed lengths of a query's documents from the first down to that rank."""
        result: Floats = self._running[self._line(query, rank)]
        return result

    @cached_property
    def _running(self) -> Floats:
        return sums_within(self._by_line, self.run.offsets)

    def _line(self, query: Ints, rank: Ints) -> Ints:
        result: Ints = self.run.offsets[self.run_place[query]] + rank - 1
        return result
