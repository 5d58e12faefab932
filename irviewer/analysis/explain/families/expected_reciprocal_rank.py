"""Ledgers of expected reciprocal rank."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, account, explainer
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.measures.gains import satisfying
from irviewer.translation import tr

MOST_GRADES = 10
"""The grades of the best order that a rule lists."""


@explainer("ERR")
def expected_reciprocal_rank(ranked_query: RankedQuery, max_rel: float, cutoff: int | None) -> Contributions:
    """The chance of stopping at each rank, by the rank."""
    return _of_list(ranked_query, max_rel, cutoff)


@explainer("nERR")
def normalised_expected_reciprocal_rank(ranked_query: RankedQuery, max_rel: float, cutoff: int | None) -> Contributions:
    """The same, by the ERR of the best order."""
    grades = np.maximum(ranked_query.ideal_grades, 0.0)[:cutoff]
    grades = grades[grades > 0]
    stop = satisfying(grades, max_rel)
    reach = np.concatenate(([1.0], np.cumprod(1.0 - stop)))[: len(stop)]
    best = float(np.sum(reach * stop / np.arange(1, len(stop) + 1)))
    listed = ", ".join(f"{grade:g}" for grade in grades[:MOST_GRADES].tolist()) + (
        "…" if len(grades) > MOST_GRADES else ""
    )
    ideal = tr("The best order has the grades {grades}.", grades=listed) if listed else tr(
        "No judged document has a grade above 0: the value is 0."
    )  # fmt: skip
    own = _of_list(ranked_query, max_rel, cutoff)
    return replace(
        own, normaliser=Quantity(tr("ideal ERR"), tr("the ERR of the best order"), best, whole=False), level=1e-12,
        rules=(*own.rules, Rule("ideal", ideal)),
    )  # fmt: skip


def _of_list(ranked_query: RankedQuery, max_rel: float, cutoff: int | None) -> Contributions:
    n = ranked_query.top(cutoff)
    grades = np.where(ranked_query.relevant(1e-12)[:n], ranked_query.grades[:n], 0.0)
    stop = satisfying(grades, max_rel)
    reach = np.concatenate(([1.0], np.cumprod(1.0 - stop)))[:n]
    return account(
        reach * stop / ranked_query.ranks[:n], tr("reach × stop ÷ rank"), tr("what the document adds to the value"),
        tr("ERR"),
        columns=(
            (Column("gain", tr("stop"),
            tr("the probability that the document satisfies the user: (2^grade − 1) ÷ 2^max")),
            stop),
            (Column("reach", tr("reach"), tr("the probability that no document above has satisfied the user")), reach),
            (Column("discount", tr("discount"), tr("1 ÷ rank")), 1.0 / ranked_query.ranks[:n]),
        ),
        quantities=(Quantity("max_rel", tr("the grade that almost always satisfies the user"), max_rel),),
        unjudged=tr("Such documents satisfy no user."),
        rules=(Rule("gain", tr("A grade of {max_rel:g} satisfies the user with probability 1 − 2^−{max_rel:g}.",
        max_rel=max_rel)),),
    )  # fmt: skip
