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

GAIN = Column("gain", "gain", "what the grade is worth")
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
        known = ~np.isnan(ranked_query.grades)
        own = np.where(known, gains_of(np.where(known, ranked_query.grades, 0.0), "log2", gains), 0.0)
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
            (Column("dcg", "DCG", "the DCG down to this rank"), self.dcg),
            (Column("ideal_dcg", "ideal DCG", "the ideal's DCG down to this rank"), self.ideal_dcg),
        )

    @property
    def beside(self) -> tuple[tuple[Column, Cells], ...]:
        return ((IDEAL_GRADE, filled(self.ideal_grades[: self.count], self.rows)),)


def _says(gains: Prices) -> Rule:
    if not gains:
        return Rule("gain", "The gain is the grade; negative grades gain nothing.")
    return Rule(
        "gain", "Gains by grade: " + ", ".join(f"{grade:g} gains {worth:g}" for grade, worth in gains.items()) + "."
    )


@explainer("G")
def normalised_g(ranked_query: RankedQuery, gains: Prices) -> Contributions:
    """Gain by the logarithm of what better documents could have stood above, by all gain there is."""
    found = _Gains(ranked_query, gains)
    n = ranked_query.n
    own = found.own[:n]
    cost = np.cumsum(np.maximum(found.ideal[:n], 1.0))
    adds: Floats = own / np.log2(np.maximum(2.0 + cost - np.cumsum(own), 1e-300))
    return account(
        adds, "gain ÷ log2(2 + cost − gained)", "what the document adds",
        columns=((GAIN, own), (Column("cost", "cost", "what the ideal has gained so far, 1 a rank at least"), cost)),
        beside=((IDEAL_GRADE, filled(found.ideal_grades[: found.count], n)),), unjudged="gain nothing",
        normaliser=Quantity("Σ g*", "all gain that the qrels hold", found.total, whole=False), rules=(_says(gains),),
        level=1e-12,
    )  # fmt: skip


@explainer("ndcg_rel")
def ndcg_at_relevant(ranked_query: RankedQuery, gains: Prices) -> Contributions:
    """nDCG at every document that gains, and at the list's end for those not retrieved."""
    found = _Gains(ranked_query, gains)
    good = found.own > 0
    missed = found.count - int(good.sum())
    offset = None
    if missed and found.count:
        meaning = f"{missed} documents not retrieved have the nDCG of the whole list, {found.whole:.4f}"
        offset = Quantity("missed", meaning, missed * found.whole / found.count, whole=False)
    return account(
        np.where(good, found.at, 0.0), "nDCG here", "nDCG at this rank, where the document gains something",
        columns=found.columns, beside=found.beside, offset=offset, least=0.0, level=1e-12, unjudged="gain nothing",
        normaliser=Quantity("R", "documents of the qrels that gain something", found.count), rules=(_says(gains),),
    )  # fmt: skip


@explainer("Rndcg")
def ndcg_at_levels(ranked_query: RankedQuery, gains: Prices, rel: float) -> Contributions:
    """nDCG where the ideal passes from one gain to the next, and at the end of a longer list."""
    found = _Gains(ranked_query, gains)
    ideal = found.ideal
    following = np.append(ideal[1:], 0.0) if found.rows else ideal
    ends = (ideal > 0) & (ideal != following)
    longer = ranked_query.n > found.count + 1 and found.count > 0
    adds = np.where(ends, found.at, 0.0)
    if longer:
        adds[ranked_query.n - 1] += found.whole
    points = int(ends.sum()) + int(longer)
    if not ranked_query.relevant_count(rel):
        adds = np.zeros(found.rows)
    rules = [_says(gains)]
    if longer:
        rules.append(Rule("own", "The list goes on past the ideal's end: it is measured at its own end as well."))
    return account(
        adds, "nDCG here", "nDCG at this rank, where the ideal passes to a lower gain", columns=found.columns,
        beside=found.beside, normaliser=Quantity("L", "ranks that are measured", points), rules=tuple(rules),
        unjudged="gain nothing", level=1e-12,
    )  # fmt: skip
