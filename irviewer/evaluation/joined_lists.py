"""Runs as their joins with judgments have them: in another order, or without the documents that nobody judged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from irviewer.evaluation.evaluate import Joined
from irviewer.model.dialects import JoinOptions
from irviewer.model.judgments.judged import Judged
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run


def as_joined_run(run: Run, join_options: JoinOptions, judged: Judged, options: EvaluationOptions) -> Run:
    """Return the run in the order, and with the documents, of its join."""
    ranked = run.reordered(join_options.ties, join_options.bits)
    if not options.judged_only:
        return ranked
    # A condensed list has the judged documents only, at their original ranks.
    index = ranked.places_of_queries(judged.query_ids)
    listed = judged.hit_rank if judged.listed_rank is None else judged.listed_rank
    rows = ranked.offsets[index[judged.hit_query]] + listed - 1
    whole = ranked if ranked.original is None else replace(ranked, original=None)
    return whole.only(np.sort(rows))


def without_unjudged(run: Run, qrels: Qrels, options: EvaluationOptions) -> Run:
    """Return the run with the judged documents only, as options with ``judged_only`` have it."""
    rules = options.rules.join_options
    return as_joined_run(run, rules, Joined(run, qrels, options).under(rules), options)
