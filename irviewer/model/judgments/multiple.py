"""Several judgments of a document for a query: by subtopic, by judgment group (a judge), as preferences.

Assessments keep the rows of a file with their second column (and the third of a file of preferences). ``Qrels`` have
each document of a query once, with its highest grade, for measures of ordinary qrels. No file states whether the second
column is a subtopic or a judge: the measure decides."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.model.arrays import Bools, Floats, Ints, Strings, frozen, strings


@dataclass(frozen=True, eq=False)
class Assessments:
    """The rows of qrels with a meaningful second column, grouped by query as the qrels are, in file order.

    rows        int64[n]: the judgment of the qrels (a document of a query) that each row belongs to
    grades      float64[n]
    names       the texts of the second column; ``codes`` int64[n] point into them
    sub_names   the texts of the third column of a file of preferences; ``sub_codes`` int64[n], None if there is none
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
        """True if a document of a query has several rows: only then are the groups subtopics or judges. A column of
        rounds or iterations has one value for each document."""
        return len(self.rows) > 0 and int(np.bincount(self.rows).max()) > 1

    def of_judgments(self, rows: Ints, total: int) -> Assessments:
        """Return the assessments of some of the ``total`` judgments of the qrels, int64[m], which are numbered from 0
        in this order then. ``in_several`` is that of all."""
        number = np.full(total, -1, dtype=np.int64)
        number[rows] = np.arange(len(rows))
        kept = np.flatnonzero(number[self.rows] >= 0)
        kept = kept[np.argsort(number[self.rows[kept]], kind="stable")] if np.any(np.diff(rows) < 0) else kept
        part = Assessments(
            frozen(number[self.rows[kept]]), frozen(self.grades[kept]), self.names, frozen(self.codes[kept]),
            self.sub_names, None if self.sub_codes is None else frozen(self.sub_codes[kept]),
        )  # fmt: skip
        vars(part)["in_several"] = self.in_several
        return part

    @property
    def groups(self) -> Strings:
        """The second column, an Arrow string array [n]."""
        return strings(self.names).take(pa.array(self.codes))

    @property
    def subgroups(self) -> Strings | None:
        """The third column, an Arrow string array [n]; None if there is none."""
        return None if self.sub_codes is None else strings(self.sub_names).take(pa.array(self.sub_codes))


@dataclass(frozen=True, eq=False)
class Assessed:
    """The assessments of a judged run's E queries: n rows, ordered by query, then as in the file.

    query     int64[n], the evaluated query
    document  int64[n], the judgment of the qrels, which identifies a document of a query
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
        """Return some of the rows."""
        return Assessed(
            self.query[keep], self.document[keep], self.rank[keep], self.group[keep], self.subgroup[keep],
            self.grade[keep], self.n_queries,
        )  # fmt: skip

    @cached_property
    def cell(self) -> Ints:
        """int64[n]: the pair of query and group of each row, numbered from 0 in ascending order of the pairs."""
        return self._cells[1]

    @cached_property
    def cell_query(self) -> Ints:
        """int64[C]: the query of each pair of query and group."""
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
        """Return int64[C]: the number of rows of each pair."""
        return np.bincount(self.cell, minlength=self.n_cells).astype(np.int64)

    @cached_property
    def groups_by_query(self) -> Ints:
        """int64[E]: the number of groups of each query."""
        return np.bincount(self.cell_query, minlength=self.n_queries).astype(np.int64)


def merged(
    query_codes: Ints, doc_ids: Strings, grades: Floats, groups: Strings, subgroups: Strings | None
) -> tuple[Ints, Strings, Floats, Assessments]:
    """Merge rows, ordered by query, of the same query and document: return the query codes, documents and highest
    grades in order of appearance within a query, and the rows as their assessments."""
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
    rows_kept = first[order]
    names, codes = _coded(groups)
    sub_names, sub_codes = (("0",), None) if subgroups is None else _coded(subgroups)
    assessments = Assessments(
        frozen(rows), frozen(np.array(grades, dtype=np.float64)), names, frozen(codes), sub_names, sub_codes
    )
    return query_codes[rows_kept], doc_ids.take(pa.array(rows_kept)), highest, assessments


def _coded(texts: Strings) -> tuple[tuple[str, ...], Ints]:
    encoded = pc.dictionary_encode(texts)
    return tuple(encoded.dictionary.to_pylist()), encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
