"""The documents of some runs for a query by their best rank: who put which into the pool, and what becomes of it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from irviewer.analysis.pooling.depth_k import DepthPool
from irviewer.model.arrays import Floats
from irviewer.tables import column
from irviewer.tables.table import Table
from irviewer.translation import tr
from irviewer.views.keys import data_keys


def pool_table(pool: DepthPool, names: Sequence[str], grades: Floats) -> Table:
    """Return the table ``pool``, a row for each document; a line follows the last one of the pool. ``names`` are those
    of the runs, and ``grades`` float64[D] of the documents, NaN where nobody judged one."""
    first = column.identifier("document", tr("document"), pool.documents,
                              tip=tr("Documents of the shown runs, by their best rank"))  # fmt: skip
    put = [
        ", ".join(names[number] for number in np.flatnonzero(pool.contributed[:, row]).tolist())
        for row in range(len(pool.documents))
    ]
    behind = (
        column.count("runs", tr("runs"), pool.contributed.sum(axis=0),
                     tip=tr("Number of runs that put the document into the pool")),
        column.text("judgment", tr("judgment"), [_fate(grade) if pooled else tr("not judged") for grade, pooled
                                                 in zip(grades.tolist(), pool.pooled.tolist(), strict=True)],
                    tip=tr("Only documents in the pool are judged"), tips=put.__getitem__),
    )  # fmt: skip
    ranks = [
        column.rank(key, name, np.where(pool.ranks[number] > 0, pool.ranks[number], np.nan), names="run",
                    best=pool.contributed[number].tolist(), missing=tr("Not returned"),
                    tip=tr("Rank in {run}; bold: down to the depth", run=name))
        for number, (key, name) in enumerate(zip(data_keys(names, (first, *behind)), names, strict=True))
    ]  # fmt: skip
    return Table("pool", tr("Documents of the pool"), (first, *ranks, *behind), keys=pool.documents, opens="document",
                 line_below=pool.size - 1)  # fmt: skip


def _fate(grade: float) -> str:
    """Return what becomes of a document in the pool."""
    return tr("in the pool") if math.isnan(grade) else tr("grade {grade:g}", grade=grade)
