"""Edited lists: a query's documents in another order, without some, with others; and the run that has them.

A list is the ids from rank 1 down. An edit gives a new list; ``relisted`` gives the run with it, its scores falling
from rank to rank so that every tool ranks it so. Knows no measure and no judgments."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from irviewer.errors import IrviewerError
from irviewer.model.arrays import Floats, frozen, strings
from irviewer.model.replace_queries import run_part, with_lists
from irviewer.model.run import Run, ScoreBits, TieRule

List = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class EditedLists:
    """What a copy is of, and the lists in which it differs.

    source  the run as it was when it was copied
    lists   query -> the ids from rank 1 down, of the queries that were edited
    """

    source: Run
    lists: Mapping[str, List] = field(default_factory=dict)

    def list_of(self, query_id: str, ties: TieRule = "descending", bits: ScoreBits = 64) -> List:
        """The list as it is now: an edited one as it stands, one of the source's own as a rule for ties has it."""
        found = self.lists.get(query_id)
        return self.own_list(query_id, ties, bits) if found is None else found

    def own_list(self, query_id: str, ties: TieRule = "descending", bits: ScoreBits = 64) -> List:
        """The source's list as a rule for ties has it, whatever was edited."""
        part = run_part(self.source, query_id)
        return () if part is None else tuple(part.reordered(ties, bits).ranking(query_id))

    def with_list(self, query_id: str, order: List | None) -> EditedLists:
        """The same with another list of a query, None the source's own."""
        rest = {query: ids for query, ids in self.lists.items() if query != query_id}
        return replace(self, lists=rest if order is None else {**rest, query_id: order})

    def run(self) -> Run:
        """The copy: the source with every edited list, under the source's name."""
        return relisted(self.source, self.source, self.lists)


# --- edits of one list ---


def moved(order: Sequence[str], doc_id: str, rank: int) -> List:
    """A document at another rank, from 1; beyond the ends it stands at the end. Raises IrviewerError where the list
    lacks it."""
    rest = removed(order, doc_id)
    place = max(0, min(len(rest), rank - 1))
    return (*rest[:place], doc_id, *rest[place:])


def shifted(order: Sequence[str], doc_id: str, by: int) -> List:
    """A document so many ranks further down (up, where it is less than 0). Raises IrviewerError as above."""
    return moved(order, doc_id, _rank(order, doc_id) + by)


def swapped(order: Sequence[str], one: str, other: str) -> List:
    """Two documents in each other's place. Raises IrviewerError where the list lacks one."""
    first, second = _rank(order, one) - 1, _rank(order, other) - 1
    found = list(order)
    found[first], found[second] = other, one
    return tuple(found)


def removed(order: Sequence[str], doc_id: str) -> List:
    """Without a document. Raises IrviewerError where the list lacks it."""
    place = _rank(order, doc_id) - 1
    return (*order[:place], *order[place + 1 :])


def inserted(order: Sequence[str], doc_id: str, rank: int) -> List:
    """With a document more, at a rank from 1. Raises IrviewerError where the list has it, or the id is empty."""
    if doc_id in order:
        raise IrviewerError(f"{doc_id} is in the list already, at rank {_rank(order, doc_id)}")
    if not doc_id:
        raise IrviewerError("a document needs an id")
    place = max(0, min(len(order), rank - 1))
    return (*order[:place], doc_id, *order[place:])


def _rank(order: Sequence[str], doc_id: str) -> int:
    try:
        return order.index(doc_id) + 1
    except ValueError:
        raise IrviewerError(f"{doc_id} is not in the list") from None


# --- the run ---


def relisted(run: Run, source: Run, lists: Mapping[str, Sequence[str] | None]) -> Run:
    """``run`` with these lists; scores and components of documents come from ``source``'s lists of the same queries.

    Scores fall from rank to rank, in 32 bits too, so that no tool's rule for ties has a say: see
    :func:`falling_scores`. None is the source's list as it was read, ties and all. Raises ValueError where a list holds
    a document twice, or the source lacks a list that is to be its own."""
    return with_lists(run, [_part(source, query, order) for query, order in lists.items()])


def _part(source: Run, query_id: str, order: Sequence[str] | None) -> Run:
    own = run_part(source, query_id)
    if order is None:
        if own is None:
            raise ValueError(f"{source.name} has no list of query {query_id}")
        return own
    if len(set(order)) < len(order):
        raise ValueError(f"the list of query {query_id} holds a document twice")
    ids = [] if own is None else own.doc_ids.to_pylist()
    row = {doc: place for place, doc in enumerate(ids)}
    rows = np.array([row.get(doc, -1) for doc in order], dtype=np.int64)

    def of(values: Floats) -> Floats:
        return np.append(values, np.nan)[rows]  # -1 is what was appended: a document that the source lacks has none

    known = np.full(len(order), np.nan) if own is None else of(own.scores)
    parts = {name: frozen(of(values)) for name, values in ({} if own is None else own.components).items()}
    for name in source.components:
        parts.setdefault(name, frozen(np.full(len(order), np.nan)))
    return Run(
        source.name,
        (query_id,),
        np.array([0, len(order)], dtype=np.int64),
        strings(list(order)),
        frozen(falling_scores(known)),
        np.zeros(1, dtype=np.bool_),
        components=parts,
    )


def falling_scores(known: Floats) -> Floats:
    """Scores that fall from each rank to the next, also when they are held in 32 bits.

    ``known`` are the documents' own in the order wanted, NaN where there is none. As many as can keep theirs (the
    longest falling sequence); the others stand evenly between their neighbours, and beyond the ends as far apart as
    the kept ones are on average. Where 32 bits leave no room for that, the list is spaced anew: n, n - 1, …, 1."""
    n = len(known)
    keep = _longest_falling(known)
    if len(keep):
        step = (known[keep[0]] - known[keep[-1]]) / max(keep[-1] - keep[0], 1) or 1.0
        places = np.concatenate([[-1], keep, [n]])
        ends = known[keep[0]] + step * (keep[0] + 1), known[keep[-1]] - step * (n - keep[-1])
        scores = np.interp(np.arange(n), places, np.concatenate([[ends[0]], known[keep], [ends[1]]]))
        scores[keep] = known[keep]
        with np.errstate(over="ignore"):
            narrow = scores.astype(np.float32)
        if np.all(np.isfinite(narrow)) and np.all(narrow[1:] < narrow[:-1]):
            return np.asarray(scores, dtype=np.float64)
    return np.arange(n, 0, -1, dtype=np.float64)


def _longest_falling(values: Floats) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The places of the longest sequence that falls in 32 bits; finite values only."""
    with np.errstate(over="ignore"):
        narrow = (-values.astype(np.float32)).tolist()
    tails: list[float] = []  # the least last value of a rising sequence of each length, of the values turned round
    ends: list[int] = []
    before = [-1] * len(narrow)
    for place, value in enumerate(narrow):
        if not np.isfinite(value):
            continue
        length = bisect_left(tails, value)
        before[place] = ends[length - 1] if length else -1
        tails[length : length + 1] = [value]
        ends[length : length + 1] = [place]
    found = []
    place = ends[-1] if ends else -1
    while place >= 0:
        found.append(place)
        place = before[place]
    return np.array(found[::-1], dtype=np.int64)
