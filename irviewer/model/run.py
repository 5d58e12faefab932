"""A retrieval run as columns, flat by query in rank order, and the tie rule, which lives here and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.errors import OptionError
from irviewer.model.arrays import (
    SLICE,
    Bools,
    Codes,
    Floats,
    Ints,
    Strings,
    counts_of,
    frozen,
    offsets_of,
    places_of,
    rearrange,
    rearranged,
    strings,
    values_of,
)

TieRule = Literal["descending", "ascending", "arrival"]
"""Documents of equal score: by id as bytes, descending (trec_eval) or ascending, or in the order of the file."""
ScoreBits = Literal[64, 32]


@dataclass(frozen=True, eq=False)
class Run:
    """One system's rankings.

    query_ids   the queries it answered, in file order, Q of them
    offsets     int64[Q+1], where each query's documents begin in the flat columns
    doc_ids     Arrow string array, flat by query, best first
    scores      float64, the same order, never rising within a query (NaN last)
    tied        bool[Q]: the query has at least two documents of equal score
    attributes  what the file says of the run (its tag, an ir_metadata header), plain JSON-like values
    components  further numbers of each retrieved document (the parts of its score) by name, float64 beside ``scores``
    arrival     int[m], for the m documents that share their score with another, in rank order: numbers that rise as
                those documents stood in the file; None where they stood in rank order already
    original    the run as it was read, where this one is :meth:`reordered`
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
    arrival: Ints | None = None
    original: Run | None = field(default=None, repr=False)

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
        owned: bool = False,
    ) -> Run:
        """A run from one row a retrieved document, in any order; ``query_codes`` int[n] point into ``query_ids``.
        ``owned`` columns are the run's alone: they may be written to."""
        order, moved, tied, arrival = _ranked(query_codes, doc_ids, scores, len(query_ids))
        if order is None and moved is not None and components:
            order = _composed(len(scores), moved)
        if order is not None:
            doc_ids = doc_ids.take(places_of(order))
            scores = scores[order]
        elif moved is not None:
            doc_ids = rearrange(doc_ids, *moved) if owned else rearranged(doc_ids, *moved)
            if scores[moved[0]].tobytes() != scores[moved[1]].tobytes():  # 0.0 and -0.0 are equal
                scores = scores.copy()
                scores[moved[0]] = scores[moved[1]]
        scores = scores.view()  # whoever made the array may go on writing to it by its own name
        parts = {
            part: frozen(np.array(values if order is None else values[order], dtype=np.float64))
            for part, values in (components or {}).items()
        }
        offsets = frozen(offsets_of(counts_of(query_codes, len(query_ids))))
        return cls(
            name, query_ids, offsets, doc_ids, frozen(scores), frozen(tied), tag, origin, attributes, parts, arrival
        )

    @classmethod
    def from_dict(cls, rankings: Mapping[str, Mapping[str, float]], *, name: str = "run") -> Run:
        """A run from ``{query: {document: score}}``, pytrec_eval's shape."""
        counts = np.array([len(documents) for documents in rankings.values()], dtype=np.int64)
        codes = np.repeat(np.arange(len(rankings)), counts)
        ids = strings([document for documents in rankings.values() for document in documents])
        scores = np.array([score for documents in rankings.values() for score in documents.values()], dtype=np.float64)
        return cls.from_columns(tuple(rankings), codes, ids, scores, name=name, tag=name)

    def renamed(self, name: str) -> Run:
        """The same rankings under another name; the columns are shared."""
        return replace(self, name=name)

    def reordered(self, ties: TieRule, bits: ScoreBits = 64) -> Run:
        """The run ranked by another tie rule, scores held in ``bits``; the run as it was read where nothing moves.

        Raises OptionError for the order of the file under 32 bits: that order is kept of equal scores only."""
        if self.original is not None:
            return self.original.reordered(ties, bits)
        if ties == "descending" and bits == 64:
            return self
        if ties == "arrival" and bits == 32:
            raise OptionError("ties in the order of the file are known for scores of 64 bits only")
        if bits == 64 and not self.tied.any():
            return self
        with np.errstate(over="ignore"):
            scores = self.scores if bits == 64 else self.scores.astype(np.float32).astype(np.float64)
        equal = _equal(scores, self._same_query)
        if bits == 32 and ties == "descending" and np.array_equal(equal, _equal(self.scores, self._same_query)):
            return self
        order = _reordered_ties(equal, self.doc_ids, len(self), ties, self.arrival)
        tied = np.zeros(len(self.query_ids), dtype=np.bool_)
        tied[np.searchsorted(self.offsets, np.flatnonzero(equal) + 1, side="right") - 1] = True
        return replace(
            self,
            doc_ids=self.doc_ids if order is None else self.doc_ids.take(places_of(order)),
            scores=frozen(scores if order is None else scores[order]),
            tied=frozen(tied),
            components={part: v if order is None else frozen(v[order]) for part, v in self.components.items()},
            arrival=None,
            original=self,
        )

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

    @cached_property
    def query_index(self) -> dict[str, int]:
        """Query id -> its place in ``query_ids``."""
        return {query: place for place, query in enumerate(self.query_ids)}

    @cached_property
    def depth(self) -> int:
        """The longest ranking's length."""
        return int(np.diff(self.offsets).max(initial=0))

    def returned(self, query_id: str) -> int:
        """How many documents the run returned for a query; 0 where it has none."""
        place = self.query_index.get(query_id)
        return 0 if place is None else int(self.offsets[place + 1] - self.offsets[place])

    def ranking(self, query_id: str, depth: int | None = None) -> list[str]:
        """The document ids of one query, best first."""
        place = self.query_index.get(query_id)
        if place is None:
            return []
        start, stop = int(self.offsets[place]), int(self.offsets[place + 1])
        stop = stop if depth is None else min(stop, start + depth)
        return self.doc_ids[start:stop].to_pylist()  # type: ignore[no-any-return]

    def ranking_scores(self, query_id: str, depth: int | None = None) -> Floats:
        """The scores beside :meth:`ranking`, float64."""
        place = self.query_index.get(query_id)
        if place is None:
            return np.empty(0)
        start, stop = int(self.offsets[place]), int(self.offsets[place + 1])
        return self.scores[start : stop if depth is None else min(stop, start + depth)]

    def ranking_components(self, query_id: str, depth: int | None = None) -> dict[str, Floats]:
        """The components beside :meth:`ranking`, float64 by name; empty where the run has none."""
        place = self.query_index.get(query_id)
        if place is None:
            return {}
        start, stop = int(self.offsets[place]), int(self.offsets[place + 1])
        stop = stop if depth is None else min(stop, start + depth)
        return {part: values[start:stop] for part, values in self.components.items()}


def rank_order(query_codes: Codes, doc_ids: Strings, scores: Floats, n_queries: int) -> tuple[Ints | None, Bools]:
    """How rows must be taken so that each query's documents stand in rank order, and which queries have ties.

    The rule is trec_eval's: score descending, then document id descending as bytes; the rank column is ignored; NaN,
    which trec_eval leaves to chance, stands last. Most runs are in order already: that is checked first, only what is
    not in order is sorted, and only the ties there are are broken. Returns (None, tied) where nothing moves."""
    order, moved, tied, _ = _ranked(query_codes, doc_ids, scores, n_queries)
    return _composed(len(scores), moved) if order is None and moved is not None else order, tied


def _composed(n: int, moved: tuple[Ints, Ints]) -> Ints:
    order = np.arange(n)
    order[moved[0]] = moved[1]
    return order


def _ranked(
    query_codes: Codes, doc_ids: Strings, scores: Floats, n_queries: int
) -> tuple[Ints | None, tuple[Ints, Ints] | None, Bools, Ints | None]:
    """(order, moved, tied, arrival): :func:`rank_order`, and ``Run.arrival``. Where only ties move, ``order`` is
    None, and ``moved`` the places in question with the rows that come there."""
    n = len(query_codes)
    tied = np.zeros(n_queries, dtype=np.bool_)
    if n < 2:
        return None, None, tied, None
    order: Ints | None = None
    equal = _equal_in_order(query_codes, scores)
    if equal is None:
        keys = np.where(np.isnan(scores), np.inf, -scores)  # NaN and -inf share a key; the second key parts them
        order = np.lexsort((np.isnan(scores), keys, query_codes))
        del keys
        scores, query_codes = scores[order], query_codes[order]
        equal = np.flatnonzero(_equal(scores, query_codes[1:] == query_codes[:-1]))
    if not len(equal):
        return order, None, tied, None
    tied[query_codes[equal]] = True
    members, stretch = _stretches(equal)
    rows = members if order is None else order[members]
    within = _by_id(rows, stretch, doc_ids, descending=True)
    if np.array_equal(within, np.arange(len(rows))):
        return order, None, tied, None
    taken = rows[within]
    # Sorting was stable: within a stretch the rows rose until the rule put them otherwise.
    arrival = frozen(taken.astype(np.int32 if n < 2**31 else np.int64))
    if order is None:
        return None, (members, taken), tied, arrival
    order[members] = taken
    return order, None, tied, arrival


def _equal(scores: Floats, same_query: Bools) -> Bools:
    """bool[n-1]: whether a document and the next share query and score (two NaN do)."""
    nan = np.isnan(scores)
    result: Bools = same_query & ((scores[1:] == scores[:-1]) | (nan[1:] & nan[:-1]))
    return result


def _equal_in_order(query_codes: Codes, scores: Floats) -> Ints | None:
    """The documents that share query and score with the next; None where the rows are not in order: codes fall, or a
    score rises within a query, or a NaN has a neighbour, so that it is moved last."""
    found = []
    for start in range(0, len(scores) - 1, SLICE):
        codes, values = query_codes[start : start + SLICE + 1], scores[start : start + SLICE + 1]
        if np.any(codes[1:] < codes[:-1]):
            return None
        same = codes[1:] == codes[:-1]
        if not np.all((values[1:] <= values[:-1]) | ~same):
            return None
        found.append(np.flatnonzero(same & (values[1:] == values[:-1])) + start)
    return np.concatenate(found)


def _stretches(equal: Ints) -> tuple[Ints, Ints]:
    """The documents that share their score with another, as places in the flat columns, and the stretch of each.
    ``equal`` are those that share it with the next, ascending."""
    first = np.ones(len(equal), dtype=np.bool_)
    first[1:] = np.diff(equal) > 1
    starts = equal[first]
    lengths = np.diff(np.append(np.flatnonzero(first), len(equal))) + 1
    members = np.repeat(starts - offsets_of(lengths)[:-1], lengths) + np.arange(int(lengths.sum()))
    return members, np.repeat(np.arange(len(starts)), lengths)


def _by_id(rows: Ints, stretch: Ints, doc_ids: Strings, *, descending: bool) -> Ints:
    """How the members of stretches must be taken so that each stands in bytewise order of document ids."""
    # Sorted once ascending over all stretches; the place in that order is an integer key that can be negated.
    ids = doc_ids.take(places_of(rows))
    by_id = np.empty(len(rows), dtype=np.int64)
    by_id[values_of(pc.sort_indices(ids.cast(pa.binary())))] = np.arange(len(rows))
    return np.lexsort((-by_id if descending else by_id, stretch))


def _reordered_ties(equal: Bools, doc_ids: Strings, n: int, ties: TieRule, arrival: Ints | None) -> Ints | None:
    """How the rows of a ranked run must be taken so that its ties follow another rule; None where nothing moves."""
    members, stretch = _stretches(np.flatnonzero(equal))
    if ties == "arrival":
        if arrival is None:
            return None
        within = np.lexsort((arrival, stretch))
    else:
        within = _by_id(members, stretch, doc_ids, descending=ties == "descending")
    order = np.arange(n)
    order[members] = members[within]
    return order
