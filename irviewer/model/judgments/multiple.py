"""What qrels say of a document more than once: by subtopic, by judgment group (a person), as preferences.

A row of a file is kept here with its second column (and third, in a file of preferences); ``Qrels`` holds each document
of a query once, with its highest grade, which is what measures of ordinary qrels read. Whether a second column is a
subtopic or a person no file says: the measure decides. Knows no run but through ``Assessed``, and no file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.model.arrays import Bools, Floats, Ints, Strings, frozen, strings


@dataclass(frozen=True, eq=False)
class Assessments:
    """The rows of qrels whose second column says something, grouped by query as the qrels are, in file order.

    rows        int64[n]: the judgment (a query's document) of the qrels that each belongs to
    grades      float64[n]
    names       the texts of the second column; ``codes`` int64[n] point into them
    sub_names   the texts of the third column of a file of preferences; ``sub_codes`` int64[n], None where there is none
    """

    rows: Ints
    grades: Floats
    names: tuple[str, ...]
    codes: Ints
    sub_names: tuple[str, ...] = ("0",)
    sub_codes: Ints | None = None

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.rows)

    @cached_property
    def in_several(self) -> bool:
        """True where a document of a query has several rows: only then are the groups subtopics or people that judged
        it each; a column that tells rounds or iterations apart names one for each document."""
        return len(self.rows) > 0 and int(np.bincount(self.rows).max()) > 1

    @property
    def groups(self) -> Strings:
        """The second column, an Arrow string array [n]."""
        return strings(self.names).take(pa.array(self.codes))

    @property
    def subgroups(self) -> Strings | None:
        """The third column, an Arrow string array [n]; None where there is none."""
        return None if self.sub_codes is None else strings(self.sub_names).take(pa.array(self.sub_codes))


@dataclass(frozen=True, eq=False)
class Assessed:
    """The assessments of a judged run's E queries: n rows, ordered by query, as in the file within one.

    query     int64[n], the evaluated query
    document  int64[n], the judgment of the qrels: what tells one document of a query from another
    rank      int64[n], the document's rank, 0 where it was not returned
    group     int64[n], the subtopic or judgment group; codes of different queries may be equal
    subgroup  int64[n]
    grade     float64[n]
    """

    query: Ints
    document: Ints
    rank: Ints
    group: Ints
    subgroup: Ints
    grade: Floats
    n_queries: int

    def where(self, keep: Bools) -> Assessed:
        """The rows kept."""
        return Assessed(
            self.query[keep], self.document[keep], self.rank[keep], self.group[keep], self.subgroup[keep],
            self.grade[keep], self.n_queries,
        )  # fmt: skip

    @cached_property
    def cell(self) -> Ints:
        """int64[n]: the pair of query and group of each row, numbered from 0 as the pairs ascend."""
        return self._cells[1]

    @cached_property
    def cell_query(self) -> Ints:
        """int64[C]: the query of each such pair."""
        return self._cells[0]

    @property
    def n_cells(self) -> int:
        """C, the number of pairs of query and group."""
        return len(self.cell_query)

    @cached_property
    def _cells(self) -> tuple[Ints, Ints]:
        width = int(self.group.max(initial=0)) + 1
        keys, codes = np.unique(self.query * width + self.group, return_inverse=True)
        return keys // width, codes.reshape(-1).astype(np.int64)

    def count_cells(self) -> Ints:
        """int64[C]: the rows of each pair."""
        return np.bincount(self.cell, minlength=self.n_cells).astype(np.int64)

    @cached_property
    def groups_by_query(self) -> Ints:
        """int64[E]: how many groups each query has."""
        return np.bincount(self.cell_query, minlength=self.n_queries).astype(np.int64)


def merged(
    query_codes: Ints, doc_ids: Strings, grades: Floats, groups: Strings, subgroups: Strings | None
) -> tuple[Ints, Strings, Floats, Assessments]:
    """From rows ordered by query: the query codes, documents and highest grades of each (query, document), in order of
    appearance within a query, and the rows as assessments of those."""
    encoded = doc_ids.dictionary_encode()
    documents = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    keys = query_codes * max(len(encoded.dictionary), 1) + documents
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    place = np.empty(len(first), dtype=np.int64)
    place[order] = np.arange(len(first))
    rows = place[inverse.reshape(-1)]
    highest = np.full(len(first), -np.inf)
    np.maximum.at(highest, rows, grades)
    kept = first[order]
    names, codes = _coded(groups)
    sub_names, sub_codes = (("0",), None) if subgroups is None else _coded(subgroups)
    found = Assessments(
        frozen(rows), frozen(np.array(grades, dtype=np.float64)), names, frozen(codes), sub_names, sub_codes
    )
    return query_codes[kept], doc_ids.take(pa.array(kept)), highest, found


def _coded(texts: Strings) -> tuple[tuple[str, ...], Ints]:
    encoded = pc.dictionary_encode(texts)
    return tuple(encoded.dictionary.to_pylist()), encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
