"""The similarity of runs as tables: each two runs, the matrix, and each two by query."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from irviewer.analysis.similarity.similarity import KINDS, Kind, Similarity, similarity
from irviewer.analysis.similarity.ties import TieVariant
from irviewer.evaluation.bind import BoundProtocol
from irviewer.model.arrays import Ints
from irviewer.model.dialects import dialect_of
from irviewer.tables import column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr, trn
from irviewer.views.inputs import Inputs
from irviewer.views.keys import data_keys
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult
from irviewer.views.view import ResultView, Step, option

KIND_WORDS = {name: kind.title for name, kind in KINDS.items()}
TIE_WORDS: dict[str, str] = {
    "a": tr("order unknown (a)"), "w": tr("equal (w)"), "b": tr("order unknown, 1 with itself (b)"),
    "broken": tr("as in the runs"),
}  # fmt: skip
"""How people read the ways to count tied scores."""


def tables(result: Similarity, bound: BoundProtocol | None) -> ViewResult:
    """Return the tables ``pairs`` and ``matrix``, ``by_query`` where the values of queries were asked for, and of
    rank-biased overlap ``ties``."""
    all_tables = [_pairs(result), _matrix(result)]
    if result.by_query is not None:
        all_tables.append(_by_query(result))
    if result.tied is not None and result.documents is not None:
        all_tables.append(_ties(result, result.tied, result.documents))
    known = {"kind": result.kind, "p": result.p, "ranks": result.ranks, "ties": result.ties,
             "by_query": result.by_query is not None}  # fmt: skip
    source = provenance(VIEW.name, bound, VIEW.record(known))
    return ViewResult(result, tuple(all_tables)).with_provenance(source)


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
    ), notes=_said(result))  # fmt: skip


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
    return Table("matrix", title, (names, *values), keys=result.runs, notes=_said(result))


def _said(result: Similarity) -> tuple[Remark, ...]:
    """How ties are counted, where there are some."""
    return (Remark("ties", result.ties_note, {"ties": result.ties}),) if result.ties_note else ()


def _ties(result: Similarity, tied: Ints, documents: Ints) -> Table:
    """How many of the documents compared share their score with another, by run."""
    return Table("ties", tr("Ties"), (
        column.run("run", tr("run"), result.runs),
        column.count("documents", tr("documents"), documents),
        column.count("tied", tr("tied"), tied, tip=tr("Documents that share their score with another of the list")),
        column.share("share", tr("share"), np.divide(tied, np.maximum(documents, 1)), of="tied"),
    ), keys=result.runs)  # fmt: skip


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


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    kind: Annotated[Kind, option(tr("kind of similarity"), title=tr("kind"), words=KIND_WORDS)] = "rbo",
    p: Annotated[float, option(tr("persistence of rank-biased overlap"), low=0, high=1, title=tr("p"))] = 0.9,
    ranks: Annotated[
        int,
        option(
            tr("ranks compared; 0: 10 for overlap and jaccard, 100 for the others"),
            low=0,
            zero=tr("auto"),
            title=tr("ranks"),
        ),
    ] = 0,
    ties: Annotated[
        TieVariant,
        option(
            tr(
                "how rank-biased overlap counts tied scores: a (an unknown order), w (equal), b (a, and a list "
                "agrees with itself by 1), broken (in the order of the runs)"
            ),
            title=tr("ties"),
            words=TIE_WORDS,
        ),
    ] = "a",
    by_query: Annotated[
        bool, option(tr("also the values of each query, as the table by_query"), title=tr("by query"))
    ] = False,
    progress: Step | None = None,
) -> Similarity:
    """How similar the lists of each two runs are, over the queries of the qrels that both have."""
    part = inputs.one
    part.refuse(tr("Similarity"), "weights", "judged_only", "depth")
    rules = dialect_of(protocol.protocol.rules.dialect)
    runs = [part.runs[place].renamed(part.names[place]) for place in protocol.runs]
    ranked = [run.reordered(rules.ties, rules.bits) for run in runs]
    queries = None if part.judgments is None else protocol.query_ids
    return similarity(
        ranked, kind, p=p, depth=ranks or None, ties=ties, queries=queries, by_query=by_query, progress=progress
    )


VIEW = ResultView(
    "similarity", compute, tables, title=tr("Similarity"), uses=("dialect", "scope"), needs=("lists", "two runs"),
    settles=("ranks",),
)  # fmt: skip
