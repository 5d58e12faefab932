"""Ledgers of DCG, nDCG and the ideal DCG."""

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
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.analysis.explain.wording import factor
from irviewer.measures.gains import discount_of, gains_of
from irviewer.model.arrays import Floats, Ints

Prices = Mapping[float, float] | None
GAIN = Column("gain", "gain", "what the grade is worth")
DISCOUNT = Column("discount", "discount", "what a gain at this rank is multiplied by")


def _gains(grades: Floats, dcg: str, gains: Prices, rel: float | None) -> Floats:
    with np.errstate(invalid="ignore"):
        found = np.where(np.isnan(grades), 0.0, gains_of(grades, dcg, gains))
        return found if rel is None else np.where(grades >= rel, found, 0.0)


def _term(gain: Floats, discount: Floats, row: int) -> str:
    """A gain over what it is divided by, as the formula writes it: 3/1.585."""
    return f"{factor(float(gain[row]))}/{factor(float(discount[row]))}"


def _says(dcg: str, base: float, gains: Prices, rel: float | None) -> tuple[Rule, ...]:
    if gains:
        gain = "Gains by grade: " + ", ".join(f"{grade:g} gains {worth:g}" for grade, worth in gains.items())
        gain += "; a grade that is not named is its own gain."
    else:
        gain = "The gain is 2^grade − 1." if dcg.startswith("exp") else "The gain is the grade."
    if rel is not None:
        gain += f" Grades below {rel:g} gain nothing."
    where = f"log_{base:g}(max(i, {base:g}))" if dcg.endswith("jk") else "log2(i + 1)"
    return Rule("gain", gain), Rule("discount", f"The discount at rank i is 1 ÷ {where}.")


@explainer("DCG")
def discounted_gain(
    ranked_query: RankedQuery, dcg: str, base: float, gains: Prices, rel: float | None, cutoff: int | None
) -> Contributions:
    """Gain by discount, added up."""
    n = ranked_query.top(cutoff)
    gain, discount = _gains(ranked_query.grades[:n], dcg, gains, rel), discount_of(ranked_query.ranks[:n], dcg, base)
    return account(
        gain / discount, "gain × discount", "what the document adds", "DCG",
        columns=((GAIN, gain), (DISCOUNT, 1.0 / discount)), term=partial(_term, gain, discount),
        unjudged="gain nothing", rules=_says(dcg, base, gains, rel),
    )  # fmt: skip


@explainer("nDCG")
def normalised_gain(
    ranked_query: RankedQuery, dcg: str, base: float, gains: Prices, ideal: str, rel: float | None, cutoff: int | None
) -> Contributions:
    """DCG by the DCG of the ideal list."""
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
            Column("ideal_running", "ideal DCG", "the DCG of the ideal list down to this rank"),
            filled(running, rows, normaliser),
        ),
    )
    whose = "all judged documents" if ideal == "judged" else "the judged documents among those retrieved"
    cut = "" if cutoff is None else f", cut at rank {cutoff} as the run is"
    return account(
        gain / discount, "gain × discount", "what the document adds", "DCG",
        columns=((GAIN, gain), (DISCOUNT, 1.0 / discount)),
        term=partial(_term, gain, discount),
        beside=beside,
        normaliser=Quantity("ideal DCG", "the DCG of the best order", normaliser, whole=False),
        unjudged="gain nothing",
        level=1e-12 if rel is None else rel,
        rules=(
            *_says(dcg, base, gains, rel),
            Rule("ideal", f"The ideal is made of {whose}, {np.count_nonzero(best)} of which gain something{cut}."),
        ),
    )  # fmt: skip


def _ideal(ranked_query: RankedQuery, dcg: str, gains: Prices, ideal: str, rel: float | None) -> tuple[Floats, Floats]:
    """Grades and gains of the ideal list."""
    grades = ranked_query.judged.hit_grade if ideal == "retrieved" else ranked_query.ideal_grades
    gain = _gains(grades, dcg, gains, rel)
    order: Ints = np.lexsort((-grades, -gain))
    return grades[order], gain[order]


@explainer("IdealDCG")
def ideal_discounted_gain(
    ranked_query: RankedQuery, dcg: str, base: float, gains: Prices, rel: float | None, cutoff: int | None
) -> Contributions:
    """Gain by discount of the ideal list."""
    gain = _gains(ranked_query.ideal_grades, dcg, gains, rel)
    order = np.lexsort((-ranked_query.ideal_grades, -gain))[:cutoff]
    gain = gain[order]
    discount = discount_of(np.arange(1, len(gain) + 1), dcg, base)
    return account(
        gain / discount, "gain × discount", "what the document adds", "ideal DCG",
        judgments=ranked_query.ideal_order[order],
        columns=((GAIN, gain), (DISCOUNT, 1.0 / discount)), term=partial(_term, gain, discount), unjudged="",
        rules=(*_says(dcg, base, gains, rel), Rule("ideal", "The list is the qrels' own: the run is not looked at.")),
    )  # fmt: skip
