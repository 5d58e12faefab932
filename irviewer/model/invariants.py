"""Complete checks of runs and qrels, value by value, for tests: they take too long for every new value.

The shapes are checked whenever a run or qrels are made. Failed checks raise BrokenError."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from irviewer.model.arrays import Strings, group_of_each, values_of
from irviewer.model.qrels import Qrels, check_qrels
from irviewer.model.run import Run, check_run
from irviewer.model.shapes import BrokenError


def check_whole_run(run: Run) -> None:
    """Check a run: ids are texts, no document is listed twice for a query, scores do not rise, ties are marked, and the
    order in the file is known for tied documents only."""
    check_run(run)
    what = f"run {run.name}"
    check_documents(what, run.offsets, run.doc_ids)
    group = group_of_each(run.offsets)
    same = group[1:] == group[:-1]
    scores, nan = run.scores, np.isnan(run.scores)
    equal = same & ((scores[1:] == scores[:-1]) | (nan[1:] & nan[:-1]))
    if np.any(same & ~(equal | (scores[1:] < scores[:-1]) | (nan[1:] & ~nan[:-1]))):
        raise BrokenError(f"{what}: scores that rise")
    tied = np.zeros(len(run.query_ids), np.bool_)
    tied[group[1:][equal]] = True
    if not np.array_equal(tied, run.tied):
        raise BrokenError(f"{what}: the marks of ties are wrong")
    shared = np.zeros(len(run), np.bool_)
    shared[1:] |= equal
    shared[:-1] |= equal
    if run.arrival is not None and len(run.arrival) != int(shared.sum()):
        raise BrokenError(f"{what}: {len(run.arrival)} places in the file of {int(shared.sum())} tied documents")


def check_tie_order(run: Run) -> None:
    """Check that documents of equal score are in the order of the run's rule."""
    ties, _ = run.rule
    if ties == "arrival" or not run.tied.any():
        return
    scores, nan = run.scores, np.isnan(run.scores)
    group = group_of_each(run.offsets)
    equal = (group[1:] == group[:-1]) & ((scores[1:] == scores[:-1]) | (nan[1:] & nan[:-1]))
    rows = np.flatnonzero(equal)
    above, below = run.doc_ids.take(pa.array(rows)), run.doc_ids.take(pa.array(rows + 1))
    for first, second in zip(above.to_pylist(), below.to_pylist(), strict=True):
        if (first.encode() > second.encode()) != (ties == "descending"):
            raise BrokenError(f"run {run.name}: {first} and {second}, of equal score, are not {ties}")


def check_whole_qrels(qrels: Qrels) -> None:
    """Check qrels: ids are texts, and no document is listed twice for a query."""
    check_qrels(qrels)
    check_documents(f"qrels {qrels.name}", qrels.offsets, qrels.doc_ids)


def check_documents(what: str, offsets: Any, doc_ids: Strings) -> None:
    """Check that ids are valid texts, and that no group has an id twice."""
    try:
        doc_ids.validate(full=True)
    except pa.ArrowInvalid as fault:
        raise BrokenError(f"{what}: document ids are damaged: {fault}") from fault
    encoded = doc_ids.dictionary_encode()
    keys = np.sort(group_of_each(offsets) * max(len(encoded.dictionary), 1) + values_of(encoded.indices))
    if np.any(keys[1:] == keys[:-1]):
        raise BrokenError(f"{what}: a document is listed twice for a query")
