"""Runs that a project kept when document ids could be damaged while a run was read (irviewer 0.1.0): each is compared
with the files of its collection. Knows values, no session."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.model.arrays import values_of
from irviewer.model.number_text import counted
from irviewer.model.run import Run
from irviewer.model.workspace import JudgmentSet, RunEntry

LAYOUT = 2
"""What is said of every run that a project keeps since ids are read whole."""
DOUBTED = "runs in doubt"
"""Key of a collection's notes: the runs, by key, that hold documents of none of its files, and what is said of them."""


def doubted(
    data: Iterable[Mapping[str, Any]], entries: Sequence[RunEntry], judgments: Sequence[JudgmentSet]
) -> dict[int, str]:
    """What is to be said of kept runs and edited copies, by key, that were written before ``LAYOUT`` and hold ids that
    no file of the collection has; ``data`` are the sections of the runs. Ids that a file has were not damaged."""
    rows = {one["key"]: one for one in data}
    former = [one for one in entries if "file" not in rows[one.key] and rows[one.key].get("layout", 1) < LAYOUT]
    if not former:
        return {}
    own = [one.run.doc_ids for one in entries if "file" in rows[one.key]]
    columns = [*own, *(one.read.doc_ids for one in judgments if one.read.origin)]
    known = pc.unique(pa.chunked_array(columns, pa.string()))
    found = {}
    for one in former:
        unknown = np.flatnonzero(~values_of(pc.is_in(one.run.doc_ids, value_set=known)))
        if len(unknown):
            found[one.key] = _told(one.run, unknown[0], len(unknown), bool(own))
    return found


def _told(run: Run, row: int, count: int, sources: bool) -> str:
    query = run.query_ids[int(np.searchsorted(run.offsets, row, side="right")) - 1]
    stand = f"{counted(count, 'document stands', 'documents stand')} in no file of the collection"
    first = f"{run.doc_ids[int(row)].as_py()} of query {query} first"
    again = "make it again" if sources else "open the runs that it was made of, to see whether these are whole"
    return f"{run.name}: {stand} ({first}); irviewer 0.1.0, which kept this run, could damage document ids: {again}"
