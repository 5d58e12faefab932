"""Relevance judgments as columns: for each query the judged documents and their grades, in file order, frozen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, overload

import numpy as np
import pyarrow.compute as pc

from irviewer.errors import OptionError
from irviewer.model.answers.nuggets import Nuggets
from irviewer.model.arrays import (
    Floats,
    Ints,
    Strings,
    bytewise_order,
    distinct,
    frozen,
    group_of_each,
    nested_columns,
    offsets_of,
    places_of,
    relabelled,
    restore,
    sizes_of,
    strings,
    values_of,
)
from irviewer.model.ascending_ids import AscendingIds, places_of_ids
from irviewer.model.equality import equal
from irviewer.model.exchange import outgoing
from irviewer.model.exchange.fields import set_fields
from irviewer.model.exchange.frames import Columns
from irviewer.model.exchange.objects import rows_of
from irviewer.model.exchange.rows import Rows
from irviewer.model.judgments.digest import digest_of_rows
from irviewer.model.judgments.multiple import Assessments, merged
from irviewer.model.judgments.strata import Strata
from irviewer.model.matching.id_lookup import IdLookup
from irviewer.model.shapes import BrokenError, check_groups
from irviewer.translation import tr


@dataclass(frozen=True, eq=False, init=False)
class Qrels:
    """One set of relevance judgments. ``Qrels(frame)`` is ``Qrels.of(frame)``: qrels from a table or a value of another
    library.

    query_ids   the Q judged queries in file order
    offsets     int64[Q+1], where each query's documents begin in the flat columns
    doc_ids     Arrow string array, flat by query, file order within a query
    grades      float64, flat by query; whole numbers in all but a few collections; below 0 means pooled but unjudged
    assessments the rows with a meaningful second column of the file (subtopics, rounds, judges), else None: a document
                with several rows for a query is in the columns above once, with its highest grade
    unread      the digest and the highest grade of judgments of which only the queries are known besides, as stored
                values name them; None for judgments that were read
    nuggets     what answers to the queries should say; then queries may have no documents
    strata      of sampled judgments the stratum of each document; None if they are no sample. A negative grade is a
                document of a stratum that was not sampled
    highest     the highest grade of the qrels that these are a part of; None for whole ones
    drawn       whether the judged documents were drawn at random from more, as a judging task of pairs says
    """

    name: str
    query_ids: tuple[str, ...]
    offsets: Ints
    doc_ids: Strings
    grades: Floats
    assessments: Assessments | None = None
    origin: str = ""
    unread: tuple[str, float] | None = None
    nuggets: Nuggets | None = None
    strata: Strata | None = None
    highest: float | None = None
    drawn: bool = False

    @overload
    def __init__(self, value: Any, /, *, columns: Columns = None, name: str | None = None) -> None: ...

    @overload
    def __init__(
        self,
        name: str,
        query_ids: tuple[str, ...],
        offsets: Ints,
        doc_ids: Strings,
        grades: Floats,
        assessments: Assessments | None = None,
        origin: str = "",
        unread: tuple[str, float] | None = None,
        nuggets: Nuggets | None = None,
        strata: Strata | None = None,
        highest: float | None = None,
        drawn: bool = False,
    ) -> None: ...

    def __init__(self, *arguments: Any, **options: Any) -> None:
        set_fields(self, arguments, options)
        self.__post_init__()

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Set the fields of a pickled value."""
        restore(self, state)

    def __post_init__(self) -> None:
        frozen(self.offsets)
        frozen(self.grades)
        check_qrels(self)

    @classmethod
    def from_columns(
        cls,
        query_ids: tuple[str, ...],
        query_codes: Ints,
        doc_ids: Strings,
        grades: Floats,
        *,
        subtopics: Strings | None = None,
        subgroups: Strings | None = None,
        strata: Strata | None = None,
        name: str = "qrels",
        origin: str = "",
    ) -> Qrels:
        """Return qrels from one row per judgment; ``query_codes`` int[n] point into ``query_ids``. Rows of a query need
        not be contiguous; their order is kept. With ``subtopics`` (and ``subgroups``, the third column of a file of
        preferences) a document may have several rows for a query, else one. ``strata`` of sampled judgments, one for
        each row, go without subtopics."""
        if len(query_codes) and np.any(np.diff(query_codes) < 0):
            order = np.argsort(query_codes, kind="stable")
            query_codes, grades = query_codes[order], grades[order]
            taken = places_of(order)
            doc_ids = doc_ids.take(taken)
            subtopics = None if subtopics is None else subtopics.take(taken)
            subgroups = None if subgroups is None else subgroups.take(taken)
            strata = None if strata is None else strata.at(order)
        assessments = None
        if subtopics is not None:
            query_codes, doc_ids, grades, assessments = merged(query_codes, doc_ids, grades, subtopics, subgroups)
        return cls(
            name,
            query_ids,
            frozen(offsets_of(np.bincount(query_codes, minlength=len(query_ids)))),
            doc_ids,
            frozen(np.array(grades, dtype=np.float64)),
            assessments,
            origin,
            strata=strata,
        )

    @classmethod
    def from_dict(cls, judgments: Mapping[str, Mapping[str, float]], *, name: str = "qrels") -> Qrels:
        """Return qrels from ``{query: {document: grade}}``, pytrec_eval's shape. Raises OptionError for another
        shape."""
        queries, codes, ids, grades = nested_columns(judgments, "qrels")
        return cls.from_columns(queries, codes, ids, grades, name=name)

    @classmethod
    def of(cls, value: Any, *, columns: Columns = None, name: str | None = None) -> Qrels:
        """Return qrels from a value of another library: a data frame (pandas, polars, PyArrow …),
        ``{query: {document: grade}}`` (ids may be whole numbers), ranx' Qrels, records with query_id,
        doc_id and relevance, or a dataset of ir_datasets.

        >>> Qrels.of({1: {10: 2, 11: 0}}).judgments("1")
        {'10': 2.0, '11': 0.0}

        columns   role -> column of a data frame whose names are not known: ``{"doc": "chunk_id"}``; roles are
                  query, doc, relevance, iteration, stratum (of sampled judgments, whose documents with the grade -1
                  were not sampled)
        name      the name of the qrels; None: that of the value, else "qrels"

        Raises OptionError, which lists the columns if one is missing, and for a grade that is NaN or infinite."""
        if isinstance(value, Qrels):
            return _with_finite_grades(value if name is None else value.renamed(name))
        rows = rows_of(value, "qrels", columns)
        return cls.of_rows(rows, name or rows.name or "qrels")

    @classmethod
    def of_rows(cls, rows: Rows, name: str) -> Qrels:
        """Return qrels from the rows of a table. Raises OptionError for a grade that is NaN or infinite."""
        return _with_finite_grades(cls.from_columns(
            rows.query_ids, rows.codes.astype(np.int64, copy=False), rows.doc_ids, rows.values,
            subtopics=rows.subtopics, strata=rows.strata, name=name,
        ))  # fmt: skip

    @classmethod
    def of_digest(cls, name: str, query_ids: tuple[str, ...], digest: str, max_grade: float) -> Qrels:
        """Return judgments of which only the digest, the queries and the highest grade are known."""
        offsets = np.zeros(len(query_ids) + 1, dtype=np.int64)
        return cls(name, query_ids, offsets, strings([]), np.empty(0), unread=(digest, max_grade))

    def of_queries(self, query_ids: Sequence[str]) -> Qrels:
        """Return the judgments of those of the queries that are here, in the order of ``query_ids``. What measures take
        from the whole qrels stays as it is there: ``max_grade``, and whether documents are in several groups."""
        places = [place for query in query_ids if (place := self.query_index.get(query)) is not None]
        counts = sizes_of(self.offsets)[places]
        offsets = offsets_of(counts)
        rows = np.repeat(self.offsets[places] - offsets[:-1], counts) + np.arange(int(offsets[-1]))
        return replace(
            self, query_ids=tuple(self.query_ids[place] for place in places), offsets=frozen(offsets),
            doc_ids=self.doc_ids.take(places_of(rows)), grades=frozen(self.grades[rows]),
            assessments=None if self.assessments is None else self.assessments.of_judgments(rows, len(self)),
            strata=None if self.strata is None else self.strata.at(rows), highest=self.max_grade,
        )  # fmt: skip

    def renamed(self, name: str) -> Qrels:
        """The same judgments under another name; the columns are shared."""
        return relabelled(self, name=name)

    def __len__(self) -> int:
        """The number of judgments."""
        return len(self.grades)

    def __repr__(self) -> str:
        return f"Qrels({self.name!r}: {len(self.query_ids):,} queries, {len(self):,} judgments, grades {self.levels})"

    def __eq__(self, other: object) -> bool:
        """Return whether other qrels have the same name and judgments, and where they came from."""
        return equal(self, other) if isinstance(other, Qrels) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.name, len(self.query_ids), len(self.grades)))

    def __iter__(self) -> Iterator[tuple[str, str, float]]:
        """Yield (query, document, grade), query by query, in the order of the file; so many as ``len(qrels)``."""
        queries = np.repeat(np.array(self.query_ids, dtype=object), sizes_of(self.offsets)).tolist()
        return zip(queries, self.doc_ids.to_pylist(), self.grades.tolist(), strict=True)

    def __contains__(self, query_id: object) -> bool:
        """Return whether a query is judged."""
        return query_id in self.query_index

    def __getitem__(self, query_id: str) -> dict[str, float]:
        """Return document -> grade of a query. Raises KeyError."""
        if query_id not in self.query_index:
            raise KeyError(query_id)
        return self.judgments(query_id)

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Return ``{query: {document: grade}}``."""
        return outgoing.qrels_rows(self)

    def to_arrow(self) -> Any:
        """Return a pyarrow.Table of query_id, doc_id, relevance, iteration where the second column of the file has a
        meaning, and stratum of sampled judgments; a row for each row of the file."""
        return outgoing.qrels_table(self)

    def to_pandas(self) -> Any:
        """Return a pandas.DataFrame with the columns of :meth:`to_arrow`."""
        outgoing.library("pandas")
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """Return a polars.DataFrame with the columns of :meth:`to_arrow`."""
        return outgoing.library("polars").from_arrow(self.to_arrow())

    def to_ranx(self) -> Any:
        """Return ranx' Qrels, without grades below 0 (pooled, unjudged). Raises OptionError for grades that are not
        whole numbers, and if no document is left."""
        return outgoing.ranx_qrels(self)

    def to_ir_measures(self) -> list[Any]:
        """Return ir_measures' Qrels."""
        return outgoing.ir_measures_qrels(self)

    @cached_property
    def query_index(self) -> Mapping[str, int]:
        """Query id -> its index in ``query_ids``."""
        return places_of_ids(self.query_ids)

    @cached_property
    def ordered_query_ids(self) -> tuple[str, ...]:
        """The queries in bytewise order of their ids; the same tuple if they are in that order."""
        if isinstance(self.query_ids, AscendingIds):
            return self.query_ids
        order = self.query_order
        if np.array_equal(order, np.arange(len(order))):
            return self.query_ids
        return AscendingIds.ordered(self.query_ids, order.tolist())

    @cached_property
    def query_order(self) -> Ints:
        """int64[Q]: the indices of the queries in bytewise order of their ids, as in trec_eval."""
        return frozen(bytewise_order(self.query_ids))

    @cached_property
    def levels(self) -> tuple[float, ...]:
        """The grades in use, ascending; whole grades as ints so that they print as written."""
        return tuple(int(grade) if grade.is_integer() else grade for grade in distinct(self.grades).tolist())

    @cached_property
    def digest(self) -> str:
        """The digest, the same for the same judgments in any order of queries and rows. Takes a second for a million
        judgments."""
        if self.unread is not None:
            return self.unread[0]
        queries, second, documents, grades = self.written
        # Strata change what judgments stand for: with them the same grades are other judgments.
        return digest_of_rows(queries, second if self.strata is None else self.strata.texts, documents, grades)

    @cached_property
    def max_grade(self) -> float:
        """The highest grade, of a part that of the whole; 0 without judgments."""
        if self.unread is not None:
            return self.unread[1]
        if self.highest is not None:
            return self.highest
        return float(self.grades.max()) if len(self.grades) else 0.0

    @cached_property
    def is_graded(self) -> bool:
        """True if there are several grades above 0, so that the user can choose a relevance level."""
        return sum(1 for level in self.levels if level > 0) > 1

    def relevant_counts(self, level: float = 1) -> Ints:
        """Return int64[Q]: the number of documents of grade ``level`` or more, by query."""
        hits = (self.grades >= level) & (self.grades >= 0)
        return np.bincount(group_of_each(self.offsets)[hits], minlength=len(self.query_ids)).astype(np.int64)

    def judgments(self, query_id: str) -> dict[str, float]:
        """Return document -> grade of one query, in file order; empty for a query without judgments."""
        position = self.query_index.get(query_id)
        if position is None:
            return {}
        start, stop = int(self.offsets[position]), int(self.offsets[position + 1])
        return dict(zip(self.doc_ids[start:stop].to_pylist(), self.grades[start:stop].tolist(), strict=True))

    @property
    def subtopics(self) -> Strings | None:
        """The second column for ``doc_ids``, an Arrow string array, if every document of a query has one row; None
        if there is no such column or a document has several rows (see ``assessments``)."""
        assessments = self.assessments
        return assessments.groups if assessments is not None and len(assessments) == len(self) else None

    @property
    def written(self) -> tuple[Strings, Strings | None, Strings, Floats]:
        """The rows as in a file: query, second column (None if it has no meaning), document, grade."""
        assessments = self.assessments
        rows = np.arange(len(self)) if assessments is None else assessments.rows
        queries = strings(self.query_ids).take(places_of(group_of_each(self.offsets)[rows]))
        if assessments is None:
            return queries, None, self.doc_ids, self.grades
        return queries, assessments.groups, self.doc_ids.take(places_of(rows)), assessments.grades

    @cached_property
    def vocabulary(self) -> Strings:
        """The distinct judged documents of all queries, an Arrow string array."""
        return pc.unique(self.doc_ids)

    @cached_property
    def id_lookup(self) -> IdLookup:
        """The lookup of ``vocabulary`` in the documents of runs."""
        return IdLookup(self.vocabulary)

    @cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """Every judged (query, document) as a sorted int64 key, ``query * len(vocabulary) + document``, and its row,
        so that a run is joined by a search of integers."""
        codes = values_of(pc.index_in(self.doc_ids, value_set=self.vocabulary)).astype(np.int64)
        keys = group_of_each(self.offsets) * len(self.vocabulary) + codes
        order = np.argsort(keys, kind="stable")
        return frozen(keys[order]), frozen(order)

    @cached_property
    def descending(self) -> Floats:
        """The grades of each query in descending order, flat with ``offsets``: the ideal ranking."""
        order = np.lexsort((-self.grades, group_of_each(self.offsets)))
        return frozen(self.grades[order])


def check_qrels(qrels: Qrels) -> None:
    """Raise BrokenError unless the shapes of qrels fit."""
    check_groups(f"qrels {qrels.name}", qrels.query_ids, qrels.offsets, qrels.doc_ids, {"grade": qrels.grades})
    if qrels.strata is not None and len(qrels.strata) != len(qrels):
        raise BrokenError(f"qrels {qrels.name}: {len(qrels.strata)} strata of {len(qrels)} documents")


def _with_finite_grades(qrels: Qrels) -> Qrels:
    """Return the qrels. Raises OptionError for the first grade that is NaN or infinite, as readers of files do."""
    invalid = np.flatnonzero(~np.isfinite(qrels.grades))
    if len(invalid):
        row = int(invalid[0])
        raise OptionError(
            tr("the grade of document {document} of query {query} is {grade}, which is not a finite number; leave out "
               "documents that are not judged",
               document=qrels.doc_ids[row].as_py(),
               query=qrels.query_ids[int(np.searchsorted(qrels.offsets, row, side="right")) - 1],
               grade=qrels.grades[row])
        )  # fmt: skip
    return qrels
