"""Edited runs: rankings of queries in another order, with documents removed or added.

A list holds the document ids from rank 1 down. An edit returns a new list; ``relisted`` makes the run, with scores that
fall from rank to rank so that all tools rank it the same way."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from irviewer.errors import IrviewerError
from irviewer.model.arrays import Floats, frozen, strings
from irviewer.model.changes.replace_queries import run_part, with_lists
from irviewer.model.run import Run, ScoreBits, TieRule
from irviewer.translation import tr

List = tuple[str, ...]

EDITED_FROM = "edited from"
"""The attribute of a run that was made of an edited copy: the name of the run that was copied."""


def edited_from(run: Run) -> str:
    """Return the name of the run that a kept copy was made from; "" for any other run."""
    name = (run.attributes or {}).get(EDITED_FROM, "")
    return name if isinstance(name, str) else ""


@dataclass(frozen=True, eq=False)
class EditedLists:
    """The lists in which a copy differs from its source.

    source  the run that was copied
    lists   query -> the ids from rank 1 down, of the edited queries
    """

    source: Run
    lists: Mapping[str, List] = field(default_factory=dict)

    def list_of(self, query_id: str, ties: TieRule = "descending", bits: ScoreBits = 64) -> List:
        """Return the current list of a query: the edited one, or the source's with ties broken by a rule."""
        edited = self.lists.get(query_id)
        return self.own_list(query_id, ties, bits) if edited is None else edited

    def own_list(self, query_id: str, ties: TieRule = "descending", bits: ScoreBits = 64) -> List:
        """Return the source's list of a query with ties broken by a rule, without edits."""
        part = run_part(self.source, query_id)
        return () if part is None else tuple(part.reordered(ties, bits).ranking(query_id))

    def with_list(self, query_id: str, order: List | None) -> EditedLists:
        """Return these lists with another list of a query; None restores the source's."""
        others = {query: ids for query, ids in self.lists.items() if query != query_id}
        return replace(self, lists=others if order is None else {**others, query_id: order})

    def run(self) -> Run:
        """Return the edited run, with the source's name."""
        return relisted(self.source, self.source, self.lists)


# --- edits of one list ---


def moved(order: Sequence[str], doc_id: str, rank: int) -> List:
    """Return the list with a document moved to a rank from 1; ranks outside move it to that end. Raises IrviewerError
    if the list lacks it."""
    others = removed(order, doc_id)
    index = max(0, min(len(others), rank - 1))
    return (*others[:index], doc_id, *others[index:])


def shifted(order: Sequence[str], doc_id: str, by: int) -> List:
    """Return the list with a document moved down by ``by`` ranks, up if negative. Raises IrviewerError if the list
    lacks it."""
    return moved(order, doc_id, _rank(order, doc_id) + by)


def swapped(order: Sequence[str], doc_id: str, other: str) -> List:
    """Return the list with two documents exchanged. Raises IrviewerError if the list lacks one."""
    first, second = _rank(order, doc_id) - 1, _rank(order, other) - 1
    swapped_order = list(order)
    swapped_order[first], swapped_order[second] = other, doc_id
    return tuple(swapped_order)


def removed(order: Sequence[str], doc_id: str) -> List:
    """Return the list without a document. Raises IrviewerError if the list lacks it."""
    index = _rank(order, doc_id) - 1
    return (*order[:index], *order[index + 1 :])


def inserted(order: Sequence[str], doc_id: str, rank: int) -> List:
    """Return the list with a document added at a rank from 1. Raises IrviewerError if the list has it already or the
    id is empty."""
    if doc_id in order:
        raise IrviewerError(
            tr("{document} is already in the ranking, at rank {rank}", document=doc_id, rank=_rank(order, doc_id))
        )
    if not doc_id:
        raise IrviewerError(tr("enter the id of a document"))
    index = max(0, min(len(order), rank - 1))
    return (*order[:index], doc_id, *order[index:])


def _rank(order: Sequence[str], doc_id: str) -> int:
    try:
        return order.index(doc_id) + 1
    except ValueError:
        raise IrviewerError(tr("{document} is not in the ranking", document=doc_id)) from None


# --- the run ---


def relisted(run: Run, source: Run, lists: Mapping[str, Sequence[str] | None]) -> Run:
    """Return ``run`` with other lists; scores and components of documents are those of ``source``.

    Scores fall from rank to rank, in 32 bits too, so that no tool breaks ties: see :func:`falling_scores`. None means
    the source's own list, with its ties. Raises ValueError if a list has a document twice, or if the source lacks a
    list that is None."""
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
    row = {doc: index for index, doc in enumerate(ids)}
    rows = np.array([row.get(doc, -1) for doc in order], dtype=np.int64)

    def of(values: Floats) -> Floats:
        return np.append(values, np.nan)[rows]  # -1, a document that the source lacks, takes the NaN

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
    """Return scores that fall from each rank to the next, also as 32-bit floats.

    known   the documents' own scores by rank, NaN if unknown. As many as possible are kept (the longest falling
            sequence); the others are interpolated, and extrapolated by the mean step of the kept ones. If 32 bits are
            too few for that, the scores are n, n - 1, …, 1."""
    n = len(known)
    keep = _longest_falling(known)
    if len(keep):
        step = (known[keep[0]] - known[keep[-1]]) / max(keep[-1] - keep[0], 1) or 1.0
        positions = np.concatenate([[-1], keep, [n]])
        ends = known[keep[0]] + step * (keep[0] + 1), known[keep[-1]] - step * (n - keep[-1])
        scores = np.interp(np.arange(n), positions, np.concatenate([[ends[0]], known[keep], [ends[1]]]))
        scores[keep] = known[keep]
        with np.errstate(over="ignore"):
            narrow = scores.astype(np.float32)
        if np.all(np.isfinite(narrow)) and np.all(narrow[1:] < narrow[:-1]):
            return np.asarray(scores, dtype=np.float64)
    return np.arange(n, 0, -1, dtype=np.float64)


def _longest_falling(values: Floats) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return the indices of the longest falling sequence of finite values, compared as 32-bit floats."""
    with np.errstate(over="ignore"):
        narrow = (-values.astype(np.float32)).tolist()
    tails: list[float] = []  # the lowest last value of a rising sequence of each length, of the negated values
    ends: list[int] = []
    before = [-1] * len(narrow)
    for index, value in enumerate(narrow):
        if not np.isfinite(value):
            continue
        length = bisect_left(tails, value)
        before[index] = ends[length - 1] if length else -1
        tails[length : length + 1] = [value]
        ends[length : length + 1] = [index]
    sequence = []
    index = ends[-1] if ends else -1
    while index >= 0:
        sequence.append(index)
        index = before[index]
    return np.array(sequence[::-1], dtype=np.int64)
