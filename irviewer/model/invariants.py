"""What holds of every run and all qrels, asked where they are made: shapes always, the values themselves where somebody
has the time, as the tests have. Raises BrokenError, which is a fault of the program and not of a file.

Knows columns, not what made them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from irviewer.model.arrays import Strings, group_of_each, values_of

if TYPE_CHECKING:
    from irviewer.model.qrels import Qrels
    from irviewer.model.run import Run


class BrokenError(ValueError):
    """A value that cannot be: the program that made it has a fault."""


def check_groups(what: str, names: Sequence[str], offsets: Any, doc_ids: Strings, columns: Mapping[str, Any]) -> None:
    """Offsets fit the groups, the ids and every column, and no group has the name of another. Costs nothing a row."""
    n = len(doc_ids)
    found = ""
    if len(offsets) != len(names) + 1 or offsets.dtype != np.int64:
        found = f"{len(offsets)} offsets ({offsets.dtype}) of {len(names)} queries"
    elif int(offsets[0]) != 0 or int(offsets[-1]) != n or bool(np.any(offsets[1:] < offsets[:-1])):
        found = f"offsets from {offsets[0]} to {offsets[-1]}, not all of them rising, of {n} documents"
    elif len(set(names)) < len(names):
        found = "two queries of one id"
    elif doc_ids.type != pa.string() or doc_ids.null_count:
        found = f"document ids of type {doc_ids.type}, {doc_ids.null_count} of them missing"
    else:
        odd = {name: len(one) for name, one in columns.items() if len(one) != n}
        found = f"{odd} values of {n} documents" if odd else ""
    if found:
        raise BrokenError(f"{what}: {found}")


def check_run(run: Run) -> None:
    """The shapes of a run."""
    what = f"run {run.name}"
    check_groups(what, run.query_ids, run.offsets, run.doc_ids, {"score": run.scores, **run.components})
    if len(run.tied) != len(run.query_ids):
        raise BrokenError(f"{what}: {len(run.tied)} marks of ties for {len(run.query_ids)} queries")
    if run.arrival is not None and len(run.arrival) > len(run.doc_ids):
        raise BrokenError(f"{what}: {len(run.arrival)} places in the file of {len(run.doc_ids)} documents")


def check_qrels(qrels: Qrels) -> None:
    """The shapes of qrels."""
    check_groups(f"qrels {qrels.name}", qrels.query_ids, qrels.offsets, qrels.doc_ids, {"grade": qrels.grades})


# --- every value ---


def check_whole_run(run: Run) -> None:
    """Everything that a run says of itself: ids are texts, and no document stands twice for a query; scores fall,
    equal ones are marked, and what the file's order was is known of them and no others."""
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
        raise BrokenError(f"{what}: ties are not where they are said to be")
    shared = np.zeros(len(run), np.bool_)
    shared[1:] |= equal
    shared[:-1] |= equal
    if run.arrival is not None and len(run.arrival) != int(shared.sum()):
        raise BrokenError(f"{what}: {len(run.arrival)} places in the file of {int(shared.sum())} tied documents")


def check_tie_order(run: Run) -> None:
    """Documents of equal score stand as the run's rule has them."""
    ties, _ = run.rule
    if ties == "arrival" or not run.tied.any():
        return
    scores, nan = run.scores, np.isnan(run.scores)
    group = group_of_each(run.offsets)
    equal = (group[1:] == group[:-1]) & ((scores[1:] == scores[:-1]) | (nan[1:] & nan[:-1]))
    for row in np.flatnonzero(equal).tolist():
        one, other = (run.doc_ids[place].as_py() for place in (row, row + 1))
        if (one.encode() > other.encode()) != (ties == "descending"):
            raise BrokenError(f"run {run.name}: {one} and {other}, of equal score, are not {ties}")


def check_whole_qrels(qrels: Qrels) -> None:
    """Everything that qrels say of themselves: ids are texts, and no document stands twice for a query."""
    check_qrels(qrels)
    check_documents(f"qrels {qrels.name}", qrels.offsets, qrels.doc_ids)


def check_documents(what: str, offsets: Any, doc_ids: Strings) -> None:
    """Ids are texts in memory that is theirs, and no group holds one twice."""
    try:
        doc_ids.validate(full=True)
    except pa.ArrowInvalid as fault:
        raise BrokenError(f"{what}: document ids are damaged: {fault}") from fault
    encoded = doc_ids.dictionary_encode()
    keys = group_of_each(offsets) * max(len(encoded.dictionary), 1) + values_of(encoded.indices)
    if len(np.unique(keys)) < len(keys):
        raise BrokenError(f"{what}: a document stands twice for a query")
