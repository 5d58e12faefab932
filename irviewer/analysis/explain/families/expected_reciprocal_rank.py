"""Ledgers of expected reciprocal rank."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, account, explainer
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.measures.gains import satisfying


@explainer("ERR")
def expected_reciprocal_rank(ranked_query: RankedQuery, max_rel: float, cutoff: int | None) -> Contributions:
    """The chance of stopping at each rank, by the rank."""
    n = ranked_query.top(cutoff)
    grades = np.where(ranked_query.relevant(1e-12)[:n], ranked_query.grades[:n], 0.0)
    stop = satisfying(grades, max_rel)
    reach = np.concatenate(([1.0], np.cumprod(1.0 - stop)))[:n]
    return account(
        reach * stop / ranked_query.ranks[:n], "reach × stop ÷ rank", "what the document adds", "ERR",
        columns=(
            (Column("gain", "stop", "the chance that the document satisfies: (2^grade − 1) ÷ 2^max"), stop),
            (Column("reach", "reach", "the chance that nothing above has satisfied"), reach),
            (Column("discount", "discount", "1 ÷ rank"), 1.0 / ranked_query.ranks[:n]),
        ),
        quantities=(Quantity("max_rel", "the grade that satisfies almost surely", max_rel),),
        unjudged="satisfy nobody",
        rules=(Rule("gain", f"A grade of {max_rel:g} satisfies with probability 1 − 2^−{max_rel:g}."),),
    )  # fmt: skip
