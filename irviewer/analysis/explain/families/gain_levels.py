"""Ledgers of G, and of nDCG averaged at relevant documents or at R levels."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from irviewer.analysis.explain.explainer import (
    IDEAL_GRADE,
    Cells,
    Contributions,
    RankedQuery,
    account,
    explainer,
    filled,
)
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.measures.gains import discount_of, gains_of
from irviewer.model.arrays import Floats, safe_divide
from irviewer.translation import tr, trn

GAIN = Column("gain", tr("gain"), tr("the gain of the grade"))
Prices = Mapping[float, float] | None


class _Gains:
    """Gain and DCG of list and ideal, both as long as the longer of them."""

    def __init__(self, ranked_query: RankedQuery, gains: Prices) -> None:
        grades = ranked_query.ideal_grades
        gain = gains_of(grades, "log2", gains)
        order = np.lexsort((-grades, -gain))
        self.ideal_grades, best = grades[order], np.maximum(gain[order], 0.0)
        self.count = int(np.count_nonzero(best))
        self.rows = max(ranked_query.n, self.count)
        judged = ~np.isnan(ranked_query.grades)
        own = np.where(judged, gains_of(np.where(judged, ranked_query.grades, 0.0), "log2", gains), 0.0)
        self.own, self.ideal = filled(own, self.rows, 0.0), filled(best, self.rows, 0.0)
        discount = discount_of(np.arange(1, self.rows + 1), "log2", 2)
        self.dcg, self.ideal_dcg = np.cumsum(self.own / discount), np.cumsum(self.ideal / discount)
        self.at = safe_divide(self.dcg, self.ideal_dcg)
        self.whole = float(self.at[-1]) if self.rows else 0.0
        self.total = float(self.ideal.sum())

    @property
    def columns(self) -> tuple[tuple[Column, Cells], ...]:
        return (
            (GAIN, self.own),
            (Column("dcg", tr("DCG"), tr("the DCG down to this rank")), self.dcg),
            (
                Column("ideal_dcg", tr("ideal DCG"), tr("the DCG of the ideal ranking down to this rank")),
                self.ideal_dcg,
            ),
        )

    @property
    def beside(self) -> tuple[tuple[Column, Cells], ...]:
        return ((IDEAL_GRADE, filled(self.ideal_grades[: self.count], self.rows)),)


def _says(gains: Prices) -> Rule:
    if not gains:
        return Rule("gain", tr("The gain is the grade; negative grades gain nothing."))
    return Rule(
        "gain",
        tr("Gains by grade: {gains}.", gains=", ".join(f"{grade:g} → {worth:g}" for grade, worth in gains.items())),
    )


@explainer("G")
def normalised_g(ranked_query: RankedQuery, gains: Prices) -> Contributions:
    """Gain by the logarithm of what better documents could have stood above, by all gain there is."""
    gains_of_list = _Gains(ranked_query, gains)
    n = ranked_query.n
    own_gains = gains_of_list.own[:n]
    cost = np.cumsum(np.maximum(gains_of_list.ideal[:n], 1.0))
    adds: Floats = own_gains / np.log2(np.maximum(2.0 + cost - np.cumsum(own_gains), 1e-300))
    return account(
        adds, tr("gain ÷ log2(2 + cost − gained)"), tr("what the document adds to the value"),
        columns=((GAIN, own_gains), (Column("cost", tr("cost"),
        tr("the gain of the ideal ranking so far, at least 1 for each rank")),
        cost)),
        beside=((IDEAL_GRADE, filled(gains_of_list.ideal_grades[: gains_of_list.count], n)),),
        unjudged=tr("Such documents gain nothing."),
        normaliser=Quantity("Σ g*", tr("the total gain of the qrels"), gains_of_list.total, whole=False),
        rules=(_says(gains),),
        level=1e-12,
    )  # fmt: skip


@explainer("ndcg_rel")
def ndcg_at_relevant(ranked_query: RankedQuery, gains: Prices) -> Contributions:
    """nDCG at every document that gains, and at the list's end for those not retrieved."""
    gains_of_list = _Gains(ranked_query, gains)
    good = gains_of_list.own > 0
    missed = gains_of_list.count - int(good.sum())
    offset = None
    if missed and gains_of_list.count:
        meaning = trn(
            "{n} document that was not retrieved counts with the nDCG of the whole list, {value:.4f}",
            "{n} documents that were not retrieved count with the nDCG of the whole list, {value:.4f}",
            missed,
            value=gains_of_list.whole,
        )
        offset = Quantity(tr("missed"), meaning, missed * gains_of_list.whole / gains_of_list.count, whole=False)
    return account(
        np.where(good, gains_of_list.at, 0.0), tr("nDCG here"), tr("nDCG at this rank, where the document has a gain"),
        columns=gains_of_list.columns, beside=gains_of_list.beside, offset=offset, least=0.0, level=1e-12,
        unjudged=tr("Such documents gain nothing."),
        normaliser=Quantity("R", tr("documents of the qrels with a gain"), gains_of_list.count), rules=(_says(gains),),
    )  # fmt: skip


@explainer("Rndcg")
def ndcg_at_levels(ranked_query: RankedQuery, gains: Prices, rel: float) -> Contributions:
    """nDCG where the ideal passes from one gain to the next, and at the end of a longer list."""
    gains_of_list = _Gains(ranked_query, gains)
    ideal = gains_of_list.ideal
    following = np.append(ideal[1:], 0.0) if gains_of_list.rows else ideal
    ends = (ideal > 0) & (ideal != following)
    longer = ranked_query.n > gains_of_list.count + 1 and gains_of_list.count > 0
    adds = np.where(ends, gains_of_list.at, 0.0)
    if longer:
        adds[ranked_query.n - 1] += gains_of_list.whole
    points = int(ends.sum()) + int(longer)
    if not ranked_query.relevant_count(rel):
        adds = np.zeros(gains_of_list.rows)
    rules = [_says(gains)]
    if longer:
        rules.append(Rule("own", tr("The list is longer than the ideal ranking, so nDCG is also measured at its end.")))
    return account(
        adds, tr("nDCG here"), tr("nDCG at this rank, where the ideal ranking changes to a lower gain"),
        columns=gains_of_list.columns,
        beside=gains_of_list.beside, normaliser=Quantity("L", tr("ranks at which nDCG is measured"), points),
        rules=tuple(rules),
        unjudged=tr("Such documents gain nothing."), level=1e-12,
    )  # fmt: skip
