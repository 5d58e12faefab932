"""Which of several qrels judge given runs: those whose ids are the runs', and that have most of their queries."""

from __future__ import annotations

from collections.abc import Sequence

from irviewer.model.matching.unmatched import unmatched_runs
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run


def best_fitting(candidates: Sequence[Qrels], runs: Sequence[Run]) -> int:
    """Return the place of the qrels that match most runs, then most of their queries, then come first. ``candidates``
    must not be empty."""
    answered = {query for run in runs for query in run.query_ids}
    fits = [
        (len(unmatched_runs(runs, qrels)), -len(answered.intersection(qrels.query_ids)), place)
        for place, qrels in enumerate(candidates)
    ]
    return min(fits)[2]
