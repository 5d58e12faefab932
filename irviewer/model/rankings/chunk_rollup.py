"""Roll-up of chunks: the retrieved chunks of a document become one row of the query.

The three methods are those of passage retrieval (FirstP, MaxP and SumP; Dai and Callan, SIGIR 2019)."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.errors import OptionError
from irviewer.model.arrays import Floats, Ints, Strings, group_of_each
from irviewer.model.matching.id_matching import matched_ids
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr

Rollup = Literal["first", "best", "sum"]
ROLLUPS: tuple[Rollup, ...] = get_args(Rollup)
TITLES: dict[Rollup, str] = {
    "first": tr("score of the first chunk of a document"),
    "best": tr("score of the best chunk of a document"),
    "sum": tr("sum of the scores of a document's chunks"),
}


def rolled_up(run: Run, doc_ids: Strings, how: Rollup) -> Run:
    """Return the run with the rows of a query joined whose ``doc_ids`` (parallel to ``run.doc_ids``) are equal.

    "first" takes the score of the chunk with the lowest number in its id (the last number in it; ids without a number
    come first), "best" the highest score, "sum" adds the scores in rank order. Score components are computed in the
    same way. The new run is ranked again. Raises OptionError for another ``how``."""
    if how not in ROLLUPS:
        raise OptionError(tr("{method!r} is not a roll-up; use one of: {known}", method=how, known=", ".join(ROLLUPS)))
    codes = group_of_each(run.offsets)
    documents = pc.dictionary_encode(doc_ids)
    document = documents.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    _, first, group = np.unique(
        codes * max(1, len(documents.dictionary)) + document, return_index=True, return_inverse=True
    )
    group = group.reshape(-1)
    if how == "first" and len(first) < len(codes):
        first = _first_chunks(run.doc_ids, group, len(first))

    def rolled(values: Floats) -> Floats:
        if how != "sum":
            return values[first]
        return np.bincount(group, weights=values, minlength=len(first)).astype(np.float64)

    return Run.from_columns(
        run.query_ids, codes[first], doc_ids.take(pa.array(first)), rolled(run.scores),
        name=run.name, tag=run.tag, origin=run.origin, attributes=run.attributes,
        components={part: rolled(values) for part, values in run.components.items()},
    )  # fmt: skip


def rolled_up_by(run: Run, qrels: Qrels, rule: str, how: Rollup) -> Run:
    """Return the run under an id rule (see ``id_matching``), with joined documents rolled up. Raises OptionError."""
    return rolled_up(run, matched_ids(run, qrels, rule), how)


def _first_chunks(chunk_ids: Strings, group: Ints, n_groups: int) -> Ints:
    """Return the row of each group with the lowest chunk number, of several the best ranked, int64[n_groups]."""
    texts = pc.struct_field(pc.extract_regex(chunk_ids, r"(?P<n>[0-9]+)[^0-9]*$"), "n")
    numbers = pc.cast(texts, pa.float64()).fill_null(-1.0).to_numpy(zero_copy_only=False)
    order = np.lexsort((np.arange(len(group)), numbers, group))
    starts = np.searchsorted(group[order], np.arange(n_groups))
    rows: Ints = order[starts]
    return rows
