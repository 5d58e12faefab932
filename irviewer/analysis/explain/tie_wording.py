"""Tied groups of a list, and the texts about how ties are broken."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.analysis.explain.ledger_types import Rule, shorten
from irviewer.analysis.explain.query_slice import ids_at, tied_with_next
from irviewer.model.dialects import JoinOptions
from irviewer.model.rankings.tied_ranks import ORDERS
from irviewer.model.run import Run
from irviewer.translation import tr, trn


@dataclass(frozen=True)
class TieGroup:
    """Documents of a list with the same score, at ranks ``first`` to ``last``."""

    first: int
    last: int
    score: float
    documents: tuple[str, ...]


def tie_groups(run: Run) -> tuple[TieGroup, ...]:
    """Return the tied groups of a one-query run, by rank."""
    equal = tied_with_next(run.scores)
    edges = np.diff(np.concatenate(([0], equal.astype(np.int64), [0])))
    starts, stops = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    groups = []
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        ids = ids_at(run, np.arange(start, stop + 1))
        groups.append(TieGroup(start + 1, stop + 1, float(run.scores[start]), tuple(ids)))
    return tuple(groups)


def tie_rules(run: Run, join_options: JoinOptions, depth: int) -> tuple[Rule, ...]:
    """Return the sentence about ties within the rows shown."""
    text = _tie_text(run, join_options, depth)
    if text and join_options.bits == 32:
        text = tr("{ties} Scores are compared in 32 bits.", ties=text)
    return (Rule("ties", text),) if text else ()


def _tie_text(run: Run, join_options: JoinOptions, depth: int) -> str:
    equal = tied_with_next(run.scores[: depth + 1])
    if not equal.any():
        if not depth:
            return ""
        below = np.flatnonzero(tied_with_next(run.scores))
        if len(below):
            return tr("The first ties are at rank {rank:,}, below these rows.", rank=int(below[0]) + 1)
        return tr("No ties.")
    edges = np.diff(np.concatenate(([0], equal.astype(np.int64), [0])))
    starts, stops = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    groups = []
    for start, stop in zip(starts[:3].tolist(), stops[:3].tolist(), strict=True):
        while stop < len(run.scores) - 1 and run.scores[stop] == run.scores[stop + 1]:
            stop += 1
        names = shorten(ids_at(run, np.arange(start, min(stop + 1, start + 6))), 6)
        if stop - start > 5:
            names = tr("{documents} and {n:,} more", documents=names, n=stop - start - 5)
        groups.append(
            tr(
                "ranks {first}–{last} have the score {score:g} ({documents})",
                first=start + 1, last=stop + 1, score=run.scores[start], documents=names,
            )
        )  # fmt: skip
    if len(starts) > 3:
        groups.append(trn("{n:,} more group", "{n:,} more groups", len(starts) - 3))
    return tr("Ties: {groups}. They are ordered {order}.", groups="; ".join(groups), order=ORDERS[join_options.ties])
