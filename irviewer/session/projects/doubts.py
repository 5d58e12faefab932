"""Check of runs stored by irviewer 0.1.0, which could damage document ids when it read runs: they are compared with the
files of their collection. Knows values, no session."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.model.arrays import values_of
from irviewer.model.run import Run
from irviewer.model.workspace import JudgmentSet, RunEntry
from irviewer.translation import trn

LAYOUT = 2
"""The layout number of runs stored since ids are read correctly."""
DOUBTED = "runs in doubt"
"""Key of a collection's notes: run key -> warning, for the runs with documents of none of its files."""


def doubted(
    data: Iterable[Mapping[str, Any]], entries: Sequence[RunEntry], judgments: Sequence[JudgmentSet]
) -> dict[int, str]:
    """Return run key -> warning for stored runs and edited copies that were written before ``LAYOUT`` and have ids that
    are in no file of the collection; ``data`` are the sections of the runs. Ids that a file has are not damaged."""
    rows = {row["key"]: row for row in data}
    former = [entry for entry in entries if "file" not in rows[entry.key] and rows[entry.key].get("layout", 1) < LAYOUT]
    if not former:
        return {}
    own = [entry.run.doc_ids for entry in entries if "file" in rows[entry.key]]
    columns = [*own, *(judgment.read.doc_ids for judgment in judgments if judgment.read.origin)]
    known = pc.unique(pa.chunked_array(columns, pa.string()))
    warnings = {}
    for entry in former:
        unknown = np.flatnonzero(~values_of(pc.is_in(entry.run.doc_ids, value_set=known)))
        if len(unknown):
            warnings[entry.key] = _warning(entry.run, unknown[0], len(unknown), bool(own))
    return warnings


def _warning(run: Run, row: int, count: int, sources: bool) -> str:
    query = run.query_ids[int(np.searchsorted(run.offsets, row, side="right")) - 1]
    document = run.doc_ids[int(row)].as_py()
    if sources:
        return trn(
            "{run}: {n:,} document is in no file of the collection ({document} of query {query}). irviewer 0.1.0, "
            "which "
            "stored this run, could damage document ids. Create the run again.",
            "{run}: {n:,} documents are in no file of the collection (first {document} of query {query}). "
            "irviewer 0.1.0, which stored this run, could damage document ids. Create the run again.",
            count, run=run.name, document=document, query=query,
        )  # fmt: skip
    return trn(
        "{run}: {n:,} document is in no file of the collection ({document} of query {query}). irviewer 0.1.0, which "
        "stored this run, could damage document ids. Open the runs that it was made from to check it.",
        "{run}: {n:,} documents are in no file of the collection (first {document} of query {query}). "
        "irviewer 0.1.0, which stored this run, could damage document ids. Open the runs that it was made from to "
        "check it.",
        count, run=run.name, document=document, query=query,
    )  # fmt: skip
