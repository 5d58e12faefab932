"""A retrieval run as columns, flat by query in rank order. The rule of that order lives in ``ranking``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

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
    nested_columns,
    offsets_of,
    places_of,
    rearranged,
    taken,
)
from irviewer.model.ranking import TieRule, equal_neighbours, ranked, reordered_ties, stretches

__all__ = ["Run", "ScoreBits", "TieRule"]

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
    original    the run as it was read, where this one is :meth:`reordered` by
    rule        its ties and the bits of its scores
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
    rule: tuple[TieRule, ScoreBits] = ("descending", 64)

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
    ) -> Run:
        """A run from one row a retrieved document, in any order; ``query_codes`` int[n] point into ``query_ids``."""
        found = ranked(query_codes, doc_ids, scores, len(query_ids))
        order, moved = found.order, found.moved
        if order is None and components:
            order = found.whole(len(scores))
        if order is not None:
            doc_ids = taken(doc_ids, order)
            scores = found.scores if found.scores is not None else _moved(scores, None, order)
        elif moved is not None:
            doc_ids = rearranged(doc_ids, *moved)
            scores = _moved(scores, *moved)
        scores = scores.view()  # whoever made the array may go on writing to it by its own name
        parts = {
            part: frozen(np.array(values if order is None else values[order], dtype=np.float64))
            for part, values in (components or {}).items()
        }
        offsets = frozen(offsets_of(counts_of(query_codes, len(query_ids))))
        return cls(
            name,
            query_ids,
            offsets,
            doc_ids,
            frozen(scores),
            frozen(found.tied),
            tag,
            origin,
            attributes,
            parts,
            found.arrival,
        )

    @classmethod
    def from_dict(cls, rankings: Mapping[str, Mapping[str, float]], *, name: str = "run") -> Run:
        """A run from ``{query: {document: score}}``, pytrec_eval's shape. Raises OptionError for another shape."""
        queries, codes, ids, scores = nested_columns(rankings, "a run is", "score")
        return cls.from_columns(queries, codes, ids, scores, name=name, tag=name)

    def renamed(self, name: str) -> Run:
        """The same rankings under another name; the columns are shared."""
        return replace(self, name=name)

    def reordered(self, ties: TieRule, bits: ScoreBits = 64) -> Run:
        """The run ranked by another tie rule, scores held in ``bits``; the run as it was read where nothing moves.

        Raises OptionError for the order of the file under 32 bits: that order is kept of equal scores only."""
        if self.original is not None:
            return self if self.rule == (ties, bits) else self.original.reordered(ties, bits)
        if ties == "descending" and bits == 64:
            return self
        if ties == "arrival" and bits == 32:
            raise OptionError("ties in the order of the file are known for scores of 64 bits only")
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
            doc_ids=self.doc_ids if order is None else taken(self.doc_ids, order),
            scores=frozen(scores if order is None else _moved(scores, None, order)),
            tied=frozen(tied),
            components={part: v if order is None else frozen(v[order]) for part, v in self.components.items()},
            arrival=None,
            original=self,
            rule=(ties, bits),
        )

    def only(self, rows: Ints) -> Run:
        """The run as it was read, with no more than these rows (ascending) of its flat columns: every query stays, and
        ties know how they stood in the file."""
        if self.original is not None:
            raise ValueError("rows are those of the run as it was read")
        of_query = np.searchsorted(self.offsets, rows, side="right") - 1
        kept = replace(
            self,
            offsets=frozen(offsets_of(np.bincount(of_query, minlength=len(self.query_ids)))),
            doc_ids=self.doc_ids.take(places_of(rows)),
            scores=frozen(self.scores[rows]),
            components={name: frozen(values[rows]) for name, values in self.components.items()},
            arrival=None,
        )
        if self.arrival is None:
            return kept
        number = np.cumsum(self._shared)  # of each document among those that share a score, from 1
        still = rows[kept._shared]
        return replace(kept, arrival=frozen(self.arrival[number[still] - 1]))

    @property
    def _shared(self) -> Bools:
        """bool[n]: the documents that share their score with another."""
        equal = equal_neighbours(self.scores, self._same_query)
        shared = np.zeros(len(self), dtype=np.bool_)
        shared[:-1] = equal
        shared[1:] |= equal
        return shared

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
    def tied_offsets(self) -> Ints:
        """int64[Q+1]: where each query's documents begin in ``arrival``."""
        members, _ = stretches(np.flatnonzero(equal_neighbours(self.scores, self._same_query)))
        return frozen(np.searchsorted(members, self.offsets))

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


def _moved(scores: Floats, places: Codes | None, rows: Codes) -> Floats:
    """The scores with those of ``rows`` at ``places`` (None: everywhere): the same array where they are equal there
    anyway, which they are where only ties moved (but for 0.0 and -0.0)."""
    bits, result = scores.view(np.int64), scores
    for start in range(0, len(rows), SLICE):
        of = rows[start : start + SLICE]
        to = slice(start, start + len(of)) if places is None else places[start : start + SLICE]
        if np.any(bits[to] != bits[of]):
            result = scores.copy() if result is scores else result
            result[to] = scores[of]
    return result
