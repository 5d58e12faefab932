"""Ledgers of CG, DCG, nDCG and the ideal DCG."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

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
from irviewer.analysis.explain.gain_wording import gain_rule
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.analysis.explain.wording import factor
from irviewer.measures.gains import discount_of, gains_of
from irviewer.model.arrays import Floats, Ints
from irviewer.translation import tr, trn

Prices = Mapping[float, float] | None
GAIN = Column("gain", tr("gain"), tr("the gain of the grade"))
DISCOUNT = Column("discount", tr("discount"), tr("the factor for gains at this rank"))


def _gains(grades: Floats, dcg: str, gains: Prices, rel: float | None) -> Floats:
    with np.errstate(invalid="ignore"):
        values = np.where(np.isnan(grades), 0.0, gains_of(grades, dcg, gains))
        return values if rel is None else np.where(grades >= rel, values, 0.0)


def _term(gain: Floats, discount: Floats, row: int) -> str:
    """A gain over what it is divided by, as the formula writes it: 3/1.585."""
    return f"{factor(float(gain[row]))}/{factor(float(discount[row]))}"


def _says(dcg: str, base: float, gains: Prices, rel: float | None) -> tuple[Rule, ...]:
    where = f"log_{base:g}(max(i, {base:g}))" if dcg.endswith("jk") else "log2(i + 1)"
    discount = Rule("discount", tr("The discount at rank i is 1 ÷ {where}.", where=where))
    return gain_rule(dcg, gains, rel), discount


@explainer("CG")
def cumulative_gain(ranked_query: RankedQuery, gains: Prices, rel: float | None, cutoff: int | None) -> Contributions:
    """Gains, added up."""
    gain = _gains(ranked_query.grades[: ranked_query.top(cutoff)], "", gains, rel)
    return account(
        gain, tr("gain"), tr("what the document adds to the value"), tr("CG"),
        unjudged=tr("Such documents gain nothing."), rules=(gain_rule("", gains, rel),),
    )  # fmt: skip


@explainer("DCG")
def discounted_gain(
    ranked_query: RankedQuery, dcg: str, base: float, gains: Prices, rel: float | None, cutoff: int | None
) -> Contributions:
    """Gain by discount, added up."""
    n = ranked_query.top(cutoff)
    gain, discount = _gains(ranked_query.grades[:n], dcg, gains, rel), discount_of(ranked_query.ranks[:n], dcg, base)
    return account(
        gain / discount, tr("gain × discount"), tr("what the document adds to the value"), tr("DCG"),
        columns=((GAIN, gain), (DISCOUNT, 1.0 / discount)), term=partial(_term, gain, discount),
        unjudged=tr("Such documents gain nothing."), rules=_says(dcg, base, gains, rel),
    )  # fmt: skip


@explainer("nDCG")
def normalised_gain(
    ranked_query: RankedQuery, dcg: str, base: float, gains: Prices, ideal: str, rel: float | None, cutoff: int | None
) -> Contributions:
    """DCG by the DCG of the ideal ranking."""
    grades, best = _ideal(ranked_query, dcg, gains, ideal, rel)
    longest = int(np.flatnonzero(best).max(initial=-1)) + 1  # below its last gain the ideal stays as it is
    if cutoff is not None:
        grades, best, longest = grades[:cutoff], best[:cutoff], min(longest, cutoff)
    n = ranked_query.top(cutoff)
    rows = max(n, longest)
    ranks = np.arange(1, rows + 1)
    discount = discount_of(ranks, dcg, base)
    gain = filled(_gains(ranked_query.grades[:n], dcg, gains, rel), rows, 0.0)
    running = np.cumsum(best / discount_of(np.arange(1, len(best) + 1), dcg, base))
    normaliser = float(running[-1]) if len(running) else 0.0
    beside: tuple[tuple[Column, Cells], ...] = (
        (IDEAL_GRADE, filled(grades, rows)),
        (
            Column("ideal_running", tr("ideal DCG"), tr("the DCG of the ideal ranking down to this rank")),
            filled(running, rows, normaliser),
        ),
    )
    return account(
        gain / discount, tr("gain × discount"), tr("what the document adds to the value"), tr("DCG"),
        columns=((GAIN, gain), (DISCOUNT, 1.0 / discount)),
        term=partial(_term, gain, discount),
        beside=beside,
        normaliser=Quantity(tr("ideal DCG"), tr("the DCG of the best order"), normaliser, whole=False),
        unjudged=tr("Such documents gain nothing."),
        level=1e-12 if rel is None else rel,
        rules=(
            *_says(dcg, base, gains, rel),
            Rule("ideal", _ideal_rule(ideal == "judged", int(np.count_nonzero(best)), cutoff)),
        ),
    )  # fmt: skip


def _ideal_rule(judged: bool, gaining: int, cutoff: int | None) -> str:
    """The sentence about the documents of the ideal ranking."""
    if judged and cutoff is None:
        text = tr("The ideal ranking has all judged documents")
    elif judged:
        text = tr("The ideal ranking has all judged documents, cut at rank {cutoff} like the run", cutoff=cutoff)
    elif cutoff is None:
        text = tr("The ideal ranking has the retrieved judged documents")
    else:
        text = tr(
            "The ideal ranking has the retrieved judged documents, cut at rank {cutoff} like the run", cutoff=cutoff
        )
    return trn("{ranking}; {n} of them has a gain.", "{ranking}; {n} of them have a gain.", gaining, ranking=text)


def _ideal(ranked_query: RankedQuery, dcg: str, gains: Prices, ideal: str, rel: float | None) -> tuple[Floats, Floats]:
    """Grades and gains of the ideal ranking."""
    grades = ranked_query.judged.hit_grade if ideal == "retrieved" else ranked_query.ideal_grades
    gain = _gains(grades, dcg, gains, rel)
    order: Ints = np.lexsort((-grades, -gain))
    return grades[order], gain[order]


@explainer("IdealDCG")
def ideal_discounted_gain(
    ranked_query: RankedQuery, dcg: str, base: float, gains: Prices, rel: float | None, cutoff: int | None
) -> Contributions:
    """Gain by discount of the ideal ranking."""
    gain = _gains(ranked_query.ideal_grades, dcg, gains, rel)
    order = np.lexsort((-ranked_query.ideal_grades, -gain))[:cutoff]
    gain = gain[order]
    discount = discount_of(np.arange(1, len(gain) + 1), dcg, base)
    return account(
        gain / discount, tr("gain × discount"), tr("what the document adds to the value"), tr("ideal DCG"),
        judgments=ranked_query.ideal_order[order],
        columns=((GAIN, gain), (DISCOUNT, 1.0 / discount)), term=partial(_term, gain, discount), unjudged="",
        rules=(*_says(dcg, base, gains, rel), Rule("ideal", tr("The list is that of the qrels; the run is not used."))),
    )  # fmt: skip
