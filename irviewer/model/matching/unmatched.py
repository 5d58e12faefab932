"""Runs that the qrels know nothing of: their ids are written otherwise, every number of them is 0, and none of these
says anything. And how much of the top of a run is judged at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow.compute as pc

from irviewer.errors import name_some
from irviewer.model.arrays import Strings
from irviewer.model.judgments.judged import Judged
from irviewer.model.number_text import counted
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

TOP = 10
"""How far down a list the share of judged documents is looked at."""
NEXT_TO_NONE = 0.05
"""A share of what could be judged among the top below which numbers rest on next to nothing."""
APART = 0.2
"""Shares of judged documents that lie so far apart make a comparison one of who was judged."""
LEAST = 50
"""Of fewer documents among the top no share is told."""


@dataclass(frozen=True)
class Unmatched:
    """A run none of whose retrieved documents is judged in any evaluated query.

    of       which ids are not the qrels': of "queries", or of "documents"
    queries  how many queries run and qrels have in common
    mine, theirs   some ids of that kind, of the run and of the qrels"""

    run: str
    of: Literal["queries", "documents"]
    queries: int
    mine: tuple[str, ...]
    theirs: tuple[str, ...]

    def __str__(self) -> str:
        return told([self])[0]


@dataclass(frozen=True)
class JudgedShare:
    """Of the ``seen`` documents among the top of a run's lists ``found`` are judged, at most ``reachable`` could be."""

    run: str
    found: int
    seen: int
    reachable: int

    @property
    def share(self) -> float:
        """The share that is judged, 0 of none."""
        return self.found / self.seen if self.seen else 0.0


def told(every: Sequence[Unmatched]) -> list[str]:
    """A sentence for all runs whose query ids are not the qrels', and one for those whose document ids are not."""
    found = []
    for kind in ("queries", "documents"):
        some = [one for one in every if one.of == kind]
        if not some:
            continue
        first, several = some[0], len(some) > 1
        who = f"{len(some)} runs ({name_some([one.run for one in some], 3)})" if several else f"run {first.run}"
        their, do = ("their", "answer") if several else ("its", "answers")
        does = f"{do} no query of the qrels"
        if kind == "documents":
            most = max(one.queries for one in some)
            does = f"return{'' if several else 's'} no judged document in any of {counted(most, 'query', 'queries')}"
        ids = f"({', '.join(first.mine)} …) are not those of the qrels ({', '.join(first.theirs)} …)"
        which = "query" if kind == "queries" else "document"
        found.append(f"{who} {does}: {their} {which} ids {ids}, and {their} numbers say nothing")
    return found


def strangers(runs: Sequence[Run], qrels: Qrels) -> tuple[Unmatched, ...]:
    """The runs that the qrels know nothing of."""
    return tuple(one for one in (unmatched(run, qrels) for run in runs) if one is not None)


def unmatched(run: Run, qrels: Qrels) -> Unmatched | None:
    """What is wrong with a run of which the qrels know nothing; None where they know a document of it. A single query
    without one is ordinary, and of a run without documents nothing is expected.

    The first query usually answers: nothing else of the run is looked at then."""
    if not len(run) or not len(qrels):
        return None
    shared = [query for query in qrels.query_ids if query in run.query_index]
    if not shared:
        return Unmatched(run.name, "queries", 0, run.query_ids[:2], qrels.query_ids[:2])
    for query in shared:
        judged, returned = _part(qrels, query), _part(run, query)
        if pc.any(pc.is_in(returned, value_set=judged)).as_py():
            return None
    if len(shared) == 1:
        return None
    mine, theirs = (_part(side, shared[0])[:2].to_pylist() for side in (run, qrels))
    return Unmatched(run.name, "documents", len(shared), tuple(mine), tuple(theirs))


def judged_share(name: str, judged: Judged, top: int = TOP) -> JudgedShare:
    """How much of the top of a run's lists is judged, over the evaluated queries that it has."""
    seen = np.minimum(judged.returned, top)
    listed = np.bincount(judged.ideal_query[judged.ideal_grades >= 0], minlength=judged.n_queries)
    found = len(judged.judged_hits.to(top).query)
    return JudgedShare(name, found, int(seen.sum()), int(np.minimum(seen, listed).sum()))


def names_nonrelevant(qrels: Qrels) -> bool:
    """Whether the qrels name documents as not relevant, so that a judged document need not be a relevant one."""
    return bool(np.any((qrels.grades >= 0) & (qrels.grades < 1)))


def share_warnings(shares: Sequence[JudgedShare], nonrelevant: bool) -> list[str]:
    """What has to be told where next to nothing of a top is judged, or much more of one run's than of another's. Qrels
    that name no document as not relevant (``nonrelevant`` False) are silent on the second: with them the share is
    precision itself."""
    told = [one for one in shares if one.seen >= LEAST]
    few = [one for one in told if one.found < NEXT_TO_NONE * one.reachable]
    found = []
    if few:
        names = few[0].run if len(few) == 1 else f"{len(few)} runs ({name_some([one.run for one in few], 3)})"
        most = max(one.share for one in few)
        upto = "" if len(few) == 1 else "at most "
        found.append(
            f"{names}: {upto}{most:.1%} of the top {TOP} are judged, next to nothing: are the ids those of the qrels?"
        )
    if nonrelevant and len(told) > 1:
        low, high = min(told, key=_share), max(told, key=_share)
        if high.share - low.share >= APART:
            found.append(
                f"of the top {TOP}, {low.share:.0%} are judged in {low.run} and {high.share:.0%} in {high.run}: what "
                "is not judged counts as not relevant, and a difference may be one of who was judged"
            )
    return found


def _share(one: JudgedShare) -> float:
    return one.share


def _part(side: Run | Qrels, query: str) -> Strings:
    place = side.query_index[query]
    return side.doc_ids[int(side.offsets[place]) : int(side.offsets[place + 1])]
