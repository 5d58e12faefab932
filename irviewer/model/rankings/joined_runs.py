"""Runs of different queries as one run, as programs that write in parallel divide it among files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from irviewer.model.arrays import frozen, offsets_of, strings
from irviewer.model.run import Run


def are_disjoint(runs: Sequence[Run]) -> bool:
    """Return True if no query is in two of the runs."""
    return len(set().union(*(run.query_ids for run in runs))) == sum(len(run.query_ids) for run in runs)


def joined_run(runs: Sequence[Run], *, name: str, origin: str) -> Run:
    """Return runs of different queries, as they were read, as one run. Components that a part lacks are left out."""
    first = runs[0]
    common = [part for part in first.components if all(part in run.components for run in runs)]
    sizes = np.concatenate([np.diff(run.offsets) for run in runs])
    return Run(
        name,
        tuple(query for run in runs for query in run.query_ids),
        frozen(offsets_of(sizes)),
        strings(pa.chunked_array([run.doc_ids for run in runs], pa.string())),
        frozen(np.concatenate([run.scores for run in runs])),
        frozen(np.concatenate([run.tied for run in runs])),
        first.tag if all(run.tag == first.tag for run in runs) else name,
        origin,
        first.attributes,
        {part: frozen(np.concatenate([run.components[part] for run in runs])) for part in common},
        _arrival(runs),
    )


def _arrival(runs: Sequence[Run]) -> Any:
    """Return the order of tied documents in their files, one file after the other."""
    if all(run.arrival is None for run in runs):
        return None
    orders, begin = [], 0
    for run in runs:
        order = np.arange(int(run.tied_offsets[-1])) if run.arrival is None else run.arrival.astype(np.int64)
        orders.append(order + begin)
        begin += int(order.max(initial=-1)) + 1
    return frozen(np.concatenate(orders))
