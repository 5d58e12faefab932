"""The queries that a protocol selects, as qrels and runs of these alone."""

from __future__ import annotations

from collections.abc import Sequence

from irviewer.evaluation.bind import BoundProtocol
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run


def select_queries(bound: BoundProtocol, qrels: Qrels, runs: Sequence[Run]) -> tuple[Qrels, list[Run]]:
    """Return the judgments and lists of the queries that count; the same ones where all do.

    The values of a query are those that it has among all queries: what measures take from the whole qrels, such as the
    highest grade, stays as it is there."""
    if bound.selected is None:
        return qrels, list(runs)
    return qrels.of_queries(bound.selected), [run.of_queries(bound.selected) for run in runs]
