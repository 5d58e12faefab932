"""The similarity of runs as tables: each two runs, the matrix, and each two by query."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.similarity.similarity import Similarity
from irviewer.evaluation.bind import BoundProtocol
from irviewer.tables import column
from irviewer.tables.table import Table
from irviewer.translation import tr, trn
from irviewer.views.keys import data_keys
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult


def tables(result: Similarity, bound: BoundProtocol | None) -> ViewResult:
    """Return the tables ``pairs`` and ``matrix``, and ``by_query`` where the values of queries were asked for."""
    all_tables = [_pairs(result), _matrix(result)]
    if result.by_query is not None:
        all_tables.append(_by_query(result))
    parameters = {
        "kind": result.kind, "p": result.p if result.kind.startswith("rbo") else None, "depth": result.depth,
    }  # fmt: skip
    return ViewResult(result, tuple(all_tables)).with_provenance(provenance("similarity", bound, parameters))


def _places(result: Similarity) -> tuple[list[int], list[int]]:
    """Return the places of both runs of each pair."""
    first, second = np.triu_indices(len(result.runs), 1)
    return first.tolist(), second.tolist()


def _pairs(result: Similarity) -> Table:
    first, second = _places(result)
    return Table("pairs", result.title, (
        column.run("run", tr("run"), [result.runs[place] for place in first]),
        column.run("other", tr("other"), [result.runs[place] for place in second]),
        column.number("value", tr("value"), result.means[first, second]),
        column.count("queries", tr("queries"), result.compared[first, second]),
    ))  # fmt: skip


def _matrix(result: Similarity) -> Table:
    names = column.run("run", tr("run"), result.runs)
    values = [
        column.number(key, run, result.means[:, place], names="run", heat=True)
        for place, (key, run) in enumerate(zip(data_keys(result.runs, [names]), result.runs, strict=True))
    ]
    compared = {int(n) for n in result.compared[~np.eye(len(result.runs), dtype=np.bool_)]} or {0}
    low, high = min(compared), max(compared)
    title = trn("{title}; mean over {n:,} query", "{title}; means over {n:,} queries", low, title=result.title)
    if low < high:
        title = tr("{title}; means over {low:,} to {high:,} queries", title=result.title, low=low, high=high)
    return Table("matrix", title, (names, *values), keys=result.runs)


def _by_query(result: Similarity) -> Table:
    assert result.by_query is not None
    first, second = _places(result)
    n = len(result.query_ids)
    return Table("by_query", tr("{title} by query", title=result.title), (
        column.run("run", tr("run"), [result.runs[place] for place in first for _ in range(n)]),
        column.run("other", tr("other"), [result.runs[place] for place in second for _ in range(n)]),
        column.identifier("query", tr("query"), [*result.query_ids] * len(first)),
        column.number("value", tr("value"), result.by_query[first, second].ravel()),
    ), opens="query")  # fmt: skip
