"""A judged run on some of its queries: what curves averaged over a query set are drawn from. Knows no set, no run."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from irviewer.model.arrays import Bools, frozen, offsets_of
from irviewer.model.judged import Judged


def restricted(judged: Judged, within: Bools) -> Judged:
    """The judged run on the queries where ``within`` bool[E] holds, in their order. Lengths of documents are left
    behind: measures that read them are computed on all queries, and their values chosen from."""
    if len(within) != judged.n_queries:
        raise ValueError(f"{len(within)} marks for {judged.n_queries} queries")
    places = np.flatnonzero(within)
    number = np.full(judged.n_queries, -1, dtype=np.int64)
    number[places] = np.arange(len(places))
    hits = number[judged.hit_query] >= 0
    ideal = number[judged.ideal_query] >= 0
    counts = np.diff(judged.ideal_offsets)[places]
    return replace(
        judged,
        query_ids=tuple(judged.query_ids[place] for place in places.tolist()),
        in_run=frozen(judged.in_run[places]),
        returned=frozen(judged.returned[places]),
        hit_query=frozen(number[judged.hit_query[hits]]),
        hit_rank=frozen(judged.hit_rank[hits]),
        hit_grade=frozen(judged.hit_grade[hits]),
        ideal_offsets=frozen(offsets_of(counts)),
        ideal_grades=frozen(judged.ideal_grades[ideal]),
        hit_row=frozen(judged.hit_row[hits]),
        lengths=None,
        listed_rank=None if judged.listed_rank is None else frozen(judged.listed_rank[hits]),
    )
