"""Retrieval runs as columns, flat by query in rank order. ``rankings.tie_breaking`` has the rule of that order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, overload

import numpy as np

from irviewer.errors import OptionError
from irviewer.model.answers.answered import Answered
from irviewer.model.arrays import (
    Bools,
    Codes,
    Floats,
    Ints,
    Strings,
    frozen,
    ids_in_order,
    looked_up,
    nested_columns,
    numbers_in_order,
    offsets_of,
    places_of,
    relabelled,
    restore,
    sizes_of,
    strings,
)
from irviewer.model.ascending_ids import places_of_ids
from irviewer.model.equality import equal
from irviewer.model.exchange import outgoing
from irviewer.model.exchange.fields import set_fields
from irviewer.model.exchange.frames import Columns
from irviewer.model.exchange.objects import rows_of
from irviewer.model.exchange.rows import Rows
from irviewer.model.matching.id_lookup import IdLookup
from irviewer.model.rankings.duplicates import refuse_repeated
from irviewer.model.rankings.tie_breaking import Ranking, TieRule, equal_neighbours, ranked, reordered_ties, stretches
from irviewer.model.shapes import BrokenError, check_groups
from irviewer.model.stored_values import StoredValues
from irviewer.translation import tr

__all__ = ["Run", "ScoreBits", "TieRule"]

ScoreBits = Literal[64, 32]


@dataclass(frozen=True, eq=False, init=False)
class Run:
    """One system's rankings. ``Run(frame)`` is ``Run.of(frame)``: a run from a table or a value of another library.

    query_ids   the Q queries it answered, in file order
    offsets     int64[Q+1], where each query's documents begin in the flat columns
    doc_ids     Arrow string array, flat by query, best first
    scores      float64, in the same order, never rising within a query (NaN last)
    tied        bool[Q]: the query has at least two documents of equal score
    attributes  the attributes in the file (its tag, an ir_metadata header), plain JSON-like values
    components  further numbers of each retrieved document (the parts of its score) by name, float64 as ``scores``
    arrival     int[m], for the m documents that share their score with another, in rank order: numbers that rise with
                their order in the file; None if the file has them in rank order
    original    the run as it was read, if this run is :meth:`reordered`
    rule        the tie rule and the bits of the scores of a reordered run
    read_name   the name before it was first renamed, "" for a run that was not
    stored      values that stand for the documents, of which there are none then
    answered    the answers that were made from the documents, and the labels of these
    """

    name: str
    query_ids: tuple[str, ...]
    offsets: Ints
    doc_ids: Strings
    scores: Floats
    tied: Bools
    tag: str = ""
    origin: str = ""
    attributes: Mapping[str, Any] | None = None
    components: Mapping[str, Floats] = field(default_factory=dict)
    arrival: Codes | None = None
    original: Run | None = field(default=None, repr=False)
    rule: tuple[TieRule, ScoreBits] = ("descending", 64)
    read_name: str = ""
    stored: StoredValues | None = field(default=None, repr=False)
    answered: Answered | None = field(default=None, repr=False)

    @overload
    def __init__(self, value: Any, /, *, columns: Columns = None, name: str | None = None) -> None: ...

    @overload
    def __init__(
        self,
        name: str,
        query_ids: tuple[str, ...],
        offsets: Ints,
        doc_ids: Strings,
        scores: Floats,
        tied: Bools,
        tag: str = "",
        origin: str = "",
        attributes: Mapping[str, Any] | None = None,
        components: Mapping[str, Floats] = ...,
        arrival: Codes | None = None,
        original: Run | None = None,
        rule: tuple[TieRule, ScoreBits] = ...,
        read_name: str = "",
        stored: StoredValues | None = None,
        answered: Answered | None = None,
    ) -> None: ...

    def __init__(self, *arguments: Any, **options: Any) -> None:
        set_fields(self, arguments, options)
        self.__post_init__()

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Set the fields of a pickled value."""
        restore(self, state)

    def __post_init__(self) -> None:
        for column in (self.offsets, self.scores, self.tied, *self.components.values()):
            frozen(column)
        check_run(self)

    @classmethod
    def from_columns(
        cls,
        query_ids: tuple[str, ...],
        query_codes: Codes,
        doc_ids: Strings,
        scores: Floats,
        *,
        name: str = "run",
        tag: str = "",
        origin: str = "",
        attributes: Mapping[str, Any] | None = None,
        components: Mapping[str, Floats] | None = None,
        distinct: bool = False,
    ) -> Run:
        """Return a run from one row per retrieved document, in any order; ``query_codes`` int[n] point into
        ``query_ids``. ``distinct``: no document is listed twice for a query, which is not checked again.

        Raises OptionError for a document that is listed twice for a query."""
        if not distinct:
            refuse_repeated(query_ids, query_codes, doc_ids)
        return cls.from_ranking(
            ranked(query_codes, doc_ids, scores, len(query_ids)), query_ids, doc_ids, scores, name=name, tag=tag,
            origin=origin, attributes=attributes, components=components,
        )  # fmt: skip

    @classmethod
    def from_ranking(
        cls,
        ranking: Ranking,
        query_ids: tuple[str, ...],
        doc_ids: Strings,
        scores: Floats,
        *,
        name: str = "run",
        tag: str = "",
        origin: str = "",
        attributes: Mapping[str, Any] | None = None,
        components: Mapping[str, Floats] | None = None,
    ) -> Run:
        """Return a run from rows that are ranked, with no document twice for a query. The queries' codes are not
        needed, so their memory can be freed before."""
        given = scores
        if ranking.moved:
            doc_ids, scores = ids_in_order(doc_ids, ranking.parts), numbers_in_order(scores, ranking.changes)
        if scores is given and scores.flags.writeable:
            scores = scores.copy()  # the caller may change its array
        order = ranking.order if components else None
        parts = {
            part: frozen(np.array(values if order is None else values[order], dtype=np.float64))
            for part, values in (components or {}).items()
        }
        return cls(
            name,
            query_ids,
            frozen(ranking.offsets),
            doc_ids,
            frozen(scores),
            frozen(ranking.tied),
            tag,
            origin,
            attributes,
            parts,
            ranking.arrival,
        )

    @classmethod
    def from_dict(cls, rankings: Mapping[str, Mapping[str, float]], *, name: str = "run") -> Run:
        """Return a run from ``{query: {document: score}}``, pytrec_eval's shape. Raises OptionError for another
        shape."""
        queries, codes, ids, scores = nested_columns(rankings, "run")
        return cls.from_columns(queries, codes, ids, scores, name=name, tag=name)

    @classmethod
    def of(cls, value: Any, *, columns: Columns = None, name: str | None = None) -> Run:
        """Return a run from a value of another library: a data frame (pandas, polars, PyArrow …),
        ``{query: {document: score}}`` (ids may be whole numbers), ranx' Run, records with query_id, doc_id
        and score, or a dataset of ir_datasets.

        >>> rows = [("q1", "d1", 2.0), ("q1", "d2", 3.0)]
        >>> Run.of(rows, name="mine").ranking("q1")
        ['d2', 'd1']

        columns   role -> column of a data frame whose names are not known: ``{"doc": "chunk_id"}``; roles are
                  query, doc, score, rank, tag
        name      the run's name; None: that of the value, else "run"

        Raises OptionError, which lists the columns if one is missing."""
        if isinstance(value, Run):
            return value if name is None else value.renamed(name)
        return cls.from_rows(rows_of(value, "run", columns), name=name)

    @classmethod
    def from_rows(cls, rows: Rows, *, name: str | None = None) -> Run:
        """A run from rows in which no document is listed twice for a query."""
        name = name or rows.name or "run"
        return cls.from_columns(
            rows.query_ids, rows.codes, rows.doc_ids, rows.values, name=name, tag=name, distinct=True
        )

    @classmethod
    def of_stored(cls, name: str, query_ids: tuple[str, ...], stored: StoredValues) -> Run:
        """Return a run of which only values are known; ``query_ids`` are the evaluated queries that it had."""
        none = np.zeros(len(query_ids), dtype=np.bool_)
        offsets = np.zeros(len(query_ids) + 1, dtype=np.int64)
        return cls(name, query_ids, offsets, strings([]), np.empty(0), none, origin=stored.path, stored=stored)

    def renamed(self, name: str) -> Run:
        """The same rankings under another name; the columns are shared."""
        return relabelled(self, name=name, read_name=self.read_name or self.name)

    def sharing_queries(self, other: Run) -> Run:
        """The same rankings with the query ids of another run in place of its own equal ones, and their index, so that
        a million of them are held once; itself if they are others."""
        if self.query_ids is other.query_ids or self.query_ids != other.query_ids:
            return self
        stored = self.stored
        if stored is not None and stored.query_ids == other.query_ids:
            stored = replace(stored, query_ids=other.query_ids)
        return relabelled(self, query_ids=other.query_ids, query_index=other.query_index, stored=stored)

    def reordered(self, ties: TieRule, bits: ScoreBits = 64) -> Run:
        """Return the run ranked by another tie rule, with scores of ``bits``; the run as it was read if nothing moves.

        Raises OptionError for the order of the file with 32 bits: that order is known for equal 64-bit scores only."""
        if self.original is not None:
            return self if self.rule == (ties, bits) else self.original.reordered(ties, bits)
        if ties == "descending" and bits == 64:
            return self
        if ties == "arrival" and bits == 32:
            raise OptionError(tr("ties in the order of the file are known for scores of 64 bits only"))
        if bits == 64 and not self.tied.any():
            return self
        with np.errstate(over="ignore"):
            scores = self.scores if bits == 64 else self.scores.astype(np.float32).astype(np.float64)
        equal = equal_neighbours(scores, self._same_query)
        if (
            bits == 32
            and ties == "descending"
            and np.array_equal(equal, equal_neighbours(self.scores, self._same_query))
        ):
            return self
        order = reordered_ties(equal, self.doc_ids, len(self), ties, self.arrival)
        tied = np.zeros(len(self.query_ids), dtype=np.bool_)
        tied[np.searchsorted(self.offsets, np.flatnonzero(equal) + 1, side="right") - 1] = True
        return replace(
            self,
            doc_ids=self.doc_ids if order is None else self.doc_ids.take(places_of(order)),
            scores=frozen(scores if order is None else _taken(scores, order)),
            tied=frozen(tied),
            components={part: v if order is None else frozen(v[order]) for part, v in self.components.items()},
            arrival=None,
            original=self,
            rule=(ties, bits),
        )

    def only(self, rows: Ints) -> Run:
        """Return the run as it was read with only some rows (ascending) of its flat columns. Every query remains, and
        the order of ties in the file is kept."""
        if self.original is not None:
            raise ValueError("rows are those of the run as it was read")
        of_query = np.searchsorted(self.offsets, rows, side="right") - 1
        scores = self.scores[rows]
        equal = equal_neighbours(scores, of_query[1:] == of_query[:-1])
        tied = np.zeros(len(self.query_ids), dtype=np.bool_)
        tied[of_query[1:][equal]] = True
        arrival = self.arrival
        if arrival is not None:
            number = np.cumsum(
                _shared(equal_neighbours(self.scores, self._same_query))
            )  # among the tied documents, from 1
            arrival = arrival[number[rows[_shared(equal)[: len(rows)]]] - 1]
        return replace(
            self,
            offsets=offsets_of(np.bincount(of_query, minlength=len(self.query_ids))),
            doc_ids=self.doc_ids.take(places_of(rows)),
            scores=scores,
            tied=tied,
            components={name: values[rows] for name, values in self.components.items()},
            arrival=None if arrival is None else frozen(arrival),
        )

    def of_queries(self, query_ids: Iterable[str]) -> Run:
        """Return the run with those of its queries that are among these, in the order of the run."""
        if self.original is not None:
            return self.original.of_queries(query_ids).reordered(*self.rule)
        wanted = frozenset(query_ids)
        places = np.array([place for place, query in enumerate(self.query_ids) if query in wanted], dtype=np.int64)
        if len(places) == len(self.query_ids):
            return self
        offsets, rows = _stretches_at(self.offsets, places)
        return replace(
            self,
            query_ids=tuple(self.query_ids[place] for place in places.tolist()),
            offsets=frozen(offsets),
            doc_ids=self.doc_ids.take(places_of(rows)),
            scores=self.scores[rows],
            tied=self.tied[places],
            components={name: values[rows] for name, values in self.components.items()},
            arrival=None if self.arrival is None else self.arrival[_stretches_at(self.tied_offsets, places)[1]],
        )

    def rows_in(self, lookup: IdLookup) -> tuple[Ints, Ints]:
        """Return the rows of documents that a lookup finds, ascending, and where it has them, int64[m] both."""
        return lookup.rows_in(self.doc_ids)

    @property
    def _same_query(self) -> Bools:
        """bool[n-1]: whether a document and the next are of one query."""
        same = np.ones(max(len(self) - 1, 0), dtype=np.bool_)
        starts = self.offsets[(self.offsets > 0) & (self.offsets < len(self))]
        same[starts - 1] = False
        return same

    def __len__(self) -> int:
        """The number of retrieved documents over all queries."""
        return len(self.scores)

    def __repr__(self) -> str:
        return f"Run({self.name!r}: {len(self.query_ids):,} queries, {len(self):,} documents, depth {self.depth:,})"

    def __eq__(self, other: object) -> bool:
        """Return whether another run has the same name, documents, scores, order of ties in its file, and origin."""
        return equal(self, other) if isinstance(other, Run) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.name, len(self.query_ids), len(self.scores)))

    def __iter__(self) -> Iterator[tuple[str, str, float]]:
        """Yield (query, document, score), query by query, best first; so many as ``len(run)``."""
        queries = np.repeat(np.array(self.query_ids, dtype=object), sizes_of(self.offsets)).tolist()
        return zip(queries, self.doc_ids.to_pylist(), self.scores.tolist(), strict=True)

    def __contains__(self, query_id: object) -> bool:
        """Return whether the run has a query."""
        return query_id in self.query_index

    def __getitem__(self, query_id: str) -> dict[str, float]:
        """Return document -> score of a query, best first. Raises KeyError."""
        if query_id not in self.query_index:
            raise KeyError(query_id)
        return dict(zip(self.ranking(query_id), self.ranking_scores(query_id).tolist(), strict=True))

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Return ``{query: {document: score}}``, best first."""
        return outgoing.run_rows(self)

    def to_arrow(self) -> Any:
        """Return a pyarrow.Table of query_id, doc_id, score and rank (from 1)."""
        return outgoing.run_table(self)

    def to_pandas(self) -> Any:
        """Return a pandas.DataFrame of query_id, doc_id, score and rank (from 1)."""
        outgoing.library("pandas")
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """Return a polars.DataFrame of query_id, doc_id, score and rank (from 1)."""
        return outgoing.library("polars").from_arrow(self.to_arrow())

    def to_ranx(self) -> Any:
        """Return ranx' Run, without queries that have no document. Raises OptionError if none has one."""
        return outgoing.ranx_run(self)

    def to_pyterrier(self, topics: Any = None) -> Any:
        """Return PyTerrier's frame of results: qid, docno, score, rank (from 0), and with ``topics`` (a frame with qid
        and query, or ``{qid: query}``) the query, so that a transformer takes it as input. Raises OptionError."""
        return outgoing.pyterrier_results(self, topics)

    def to_ir_measures(self) -> list[Any]:
        """Return ir_measures' ScoredDocs."""
        return outgoing.scored_docs(self)

    @cached_property
    def query_index(self) -> Mapping[str, int]:
        """Query id -> its index in ``query_ids``."""
        return places_of_ids(self.query_ids)

    def places_of_queries(self, query_ids: Sequence[str]) -> Ints:
        """Return int64[q]: where the run has each of these queries, -1 where it lacks it."""
        return looked_up(self.query_index, query_ids)

    @cached_property
    def tied_offsets(self) -> Ints:
        """int64[Q+1]: where each query's documents begin in ``arrival``."""
        members, _ = stretches(np.flatnonzero(equal_neighbours(self.scores, self._same_query)))
        return frozen(np.searchsorted(members, self.offsets))

    @cached_property
    def depth(self) -> int:
        """The longest ranking's length."""
        return int(np.diff(self.offsets).max(initial=0))

    def returned(self, query_id: str) -> int:
        """Return the number of documents that the run returned for a query."""
        position = self.query_index.get(query_id) if len(self) else None
        return 0 if position is None else int(self.offsets[position + 1] - self.offsets[position])

    def ranking(self, query_id: str, depth: int | None = None) -> list[str]:
        """Return the document ids of one query, best first."""
        position = self.query_index.get(query_id) if len(self) else None
        if position is None:
            return []
        start, stop = int(self.offsets[position]), int(self.offsets[position + 1])
        stop = stop if depth is None else min(stop, start + depth)
        return self.doc_ids[start:stop].to_pylist()  # type: ignore[no-any-return]

    def ranking_scores(self, query_id: str, depth: int | None = None) -> Floats:
        """Return the scores of :meth:`ranking`, float64."""
        position = self.query_index.get(query_id)
        if position is None:
            return np.empty(0)
        start, stop = int(self.offsets[position]), int(self.offsets[position + 1])
        return self.scores[start : stop if depth is None else min(stop, start + depth)]

    def ranking_components(self, query_id: str, depth: int | None = None) -> dict[str, Floats]:
        """Return the components of :meth:`ranking`, float64 by name; empty if the run has none."""
        position = self.query_index.get(query_id)
        if position is None:
            return {}
        start, stop = int(self.offsets[position]), int(self.offsets[position + 1])
        stop = stop if depth is None else min(stop, start + depth)
        return {part: values[start:stop] for part, values in self.components.items()}


def _stretches_at(offsets: Ints, places: Ints) -> tuple[Ints, Ints]:
    """Return the offsets of some stretches put together, int64[m+1], and their rows in the whole."""
    counts = np.diff(offsets)[places]
    own = offsets_of(counts)
    return own, np.repeat(offsets[places] - own[:-1], counts) + np.arange(int(own[-1]))


def _shared(equal: Bools) -> Bools:
    """Return bool[n]: whether a document shares its score with another; ``equal`` bool[n-1]: with the next."""
    shared = np.zeros(len(equal) + 1, dtype=np.bool_)
    shared[:-1] = equal
    shared[1:] |= equal
    return shared


def _taken(scores: Floats, order: Codes) -> Floats:
    """Return the scores in an order; the same array if the bits are the same, as if only ties move (but for 0.0 and
    -0.0), so that several rankings of a run share it."""
    taken = scores[order]
    return scores if np.array_equal(taken.view(np.int64), scores.view(np.int64)) else taken


def check_run(run: Run) -> None:
    """Raise BrokenError unless the shapes of a run fit."""
    what = f"run {run.name}"
    check_groups(what, run.query_ids, run.offsets, run.doc_ids, {"score": run.scores, **run.components})
    if len(run.tied) != len(run.query_ids):
        raise BrokenError(f"{what}: {len(run.tied)} marks of ties for {len(run.query_ids)} queries")
    if run.arrival is not None and len(run.arrival) > len(run.doc_ids):
        raise BrokenError(f"{what}: {len(run.arrival)} places in the file of {len(run.doc_ids)} documents")
