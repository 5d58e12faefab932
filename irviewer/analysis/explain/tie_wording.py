"""What is said of ties: which documents of a list share a score, and how their order was decided."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.analysis.explain.ledger_types import Rule, shorten
from irviewer.analysis.explain.query_slice import ids_at, tied_with_next
from irviewer.model.dialects import JoinOptions
from irviewer.model.rankings.tied_ranks import ORDERS
from irviewer.model.run import Run


@dataclass(frozen=True)
class TieGroup:
    """Documents of one list that share a score, standing at ranks ``first`` to ``last``."""

    first: int
    last: int
    score: float
    documents: tuple[str, ...]


def tie_groups(run: Run, depth: int | None = None) -> tuple[TieGroup, ...]:
    """The tied groups of a one-query run, by rank; only those that begin at ``depth`` or above."""
    equal = tied_with_next(run.scores)
    if depth is not None:
        end = min(depth, len(equal))
        while end < len(equal) and equal[end]:
            end += 1  # a group that begins above the depth is told whole
        equal = equal[:end]
    edges = np.diff(np.concatenate(([0], equal.astype(np.int64), [0])))
    starts, stops = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    if depth is not None:
        keep = starts < depth
        starts, stops = starts[keep], stops[keep]
    found = []
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        ids = ids_at(run, np.arange(start, stop + 1))
        found.append(TieGroup(start + 1, stop + 1, float(run.scores[start]), tuple(ids)))
    return tuple(found)


def tie_rules(run: Run, join_options: JoinOptions, depth: int) -> tuple[Rule, ...]:
    """The sentences of the groups within the rows shown; one sentence where there are none."""
    bits = " (scores held in 32 bits)" if join_options.bits == 32 else ""
    equal = tied_with_next(run.scores[: depth + 1])
    if not equal.any():
        if not depth:
            return ()
        below = np.flatnonzero(tied_with_next(run.scores))
        if len(below):
            where = f"from rank {int(below[0]) + 1:,} on, below these rows"
            return (Rule("ties", f"Documents are tied only {where}{bits}."),)
        return (Rule("ties", f"No documents are tied{bits}."),)
    edges = np.diff(np.concatenate(([0], equal.astype(np.int64), [0])))
    starts, stops = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    told = []
    for start, stop in zip(starts[:3].tolist(), stops[:3].tolist(), strict=True):
        while stop < len(run.scores) - 1 and run.scores[stop] == run.scores[stop + 1]:
            stop += 1
        names = shorten(ids_at(run, np.arange(start, min(stop + 1, start + 6))), 6)
        more = f" and {stop - start - 5:,} more" if stop - start > 5 else ""
        told.append(f"ranks {start + 1}–{stop + 1} share the score {run.scores[start]:g} ({names}{more})")
    rest = f"; {len(starts) - 3:,} further groups" if len(starts) > 3 else ""
    return (Rule("ties", f"Tied{bits}: {'; '.join(told)}{rest}. Their order is {ORDERS[join_options.ties]}."),)
