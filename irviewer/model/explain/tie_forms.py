"""Expected values over all orders of ties in closed form, after McSherry and Najork (ECIR 2008).

At any rank of a tied group of n documents of which r are relevant stands a relevant one with probability r / n; two
given ranks of it hold two with probability r(r-1) / n(n-1). Measures that add up gains need the first, average
precision the second, the reciprocal rank the chance that the first relevant document stands at each rank."""

from __future__ import annotations

import math

import numpy as np

from irviewer.model.arrays import Bools, Floats
from irviewer.model.dialects import Treatment
from irviewer.model.explain.ledger import account_of, sheet_of
from irviewer.model.explain.one_query import OneQuery
from irviewer.model.explain.sheet import Account, Sheet
from irviewer.model.explain.ties_told import TieGroup
from irviewer.model.run import Run

COUNTED = ("P", "R", "F", "relative_P", "Rprec", "Rprec_mult", "NumRelRet")
"""Contribution at a rank: the same for every relevant document."""
GAINED = ("DCG", "nDCG", "RBP", "SDCG", "INSQ")
"""Contribution at a rank: a gain, which is the document's, times a discount, which is the rank's."""
CLOSED = (*COUNTED, *GAINED, "AP", "gm_map", "RR")
"""Measures with a closed form; of all orders of ties that by grade is the best for them."""


def expected_in_closed_form(
    one: OneQuery, treatment: Treatment, ranked: Run, groups: tuple[TieGroup, ...]
) -> float | None:
    """The expected value; None for measures that have no closed form here, and where lists are cut or condensed before
    ranks are counted, or documents of a group lie below an ``ideal`` of retrieved ones."""
    measure = treatment.measure
    if one.options.depth is not None or one.options.judged_only or measure.parameter("judged_only"):
        return None
    name = measure.name
    if name not in CLOSED:
        return None
    sheet = sheet_of(one, treatment)
    told = account_of(sheet)
    if name in COUNTED or name in GAINED:
        return _finished(told, float(_linear(sheet, treatment, told, groups, gained=name in GAINED).sum()))
    relevant = sheet.relevant(float(measure.parameter("rel")))
    rows = len(told.contributions)
    if name == "RR":
        return _first(relevant, groups, rows)
    return _finished(told, _precisions(relevant, groups, rows))


def _finished(told: Account, total: float) -> float:
    below = 1.0 if told.normaliser is None else told.normaliser.value
    return total / below if below else 0.0


def _linear(sheet: Sheet, treatment: Treatment, told: Account, groups: tuple[TieGroup, ...], *, gained: bool) -> Floats:
    """float64[m]: the expected contribution at each rank shown."""
    m = min(len(told.contributions), sheet.n)
    # The documents of a group that begins above the cutoff may stand below it: gains are needed of all of them.
    if gained:
        columns = {column.key: values for column, values in told.columns}
        discount = np.asarray(columns["discount"], dtype=np.float64)[:m]
        gain = _all_gains(sheet, treatment)
    else:
        relevant = sheet.relevant(float(treatment.measure.parameter("rel"))).astype(np.float64)
        beta = treatment.measure.parameter("beta")
        discount, gain = np.ones(m), relevant * (1.0 if beta is None else beta * beta + 1)
    for one in groups:
        gain[one.first - 1 : one.last] = gain[one.first - 1 : one.last].mean()
    return np.asarray(gain[:m] * discount)


def _all_gains(sheet: Sheet, treatment: Treatment) -> Floats:
    """float64[n]: the gain of every document of the list, cutoff or not."""
    from irviewer.model.explain.sheet import explainers

    measure = treatment.measure.bind(max_grade=sheet.judged.max_grade)
    values = {one.name: measure.parameter(one.name) for one in measure.family.parameters if one.name != "judged_only"}
    if measure.family.cutoff.value != "none":
        values["cutoff"] = max(sheet.n, 1)
    if "depth" in values:
        values["depth"] = max(sheet.n, 1)
    told = explainers()[measure.name](sheet, **values)
    columns = {column.key: cells for column, cells in told.columns}
    return np.array(columns["gain"], dtype=np.float64)[: sheet.n]


def _chances(relevant: Bools, groups: tuple[TieGroup, ...]) -> Floats:
    """float64[n]: how likely a relevant document stands at each rank."""
    found = relevant.astype(np.float64)
    for one in groups:
        found[one.first - 1 : one.last] = found[one.first - 1 : one.last].mean()
    return found


def _precisions(relevant: Bools, groups: tuple[TieGroup, ...], rows: int) -> float:
    """The expected sum of precisions at relevant documents down to ``rows``."""
    chance = _chances(relevant, groups)
    # Relevant documents above, given that one stands here: those before the group, and (j-1)(r-1)/(n-1) within it.
    above: Floats = np.cumsum(relevant) - relevant.astype(np.float64)
    for one in groups:
        start, size = one.first - 1, one.last - one.first + 1
        r = float(relevant[start : one.last].sum())
        above[start : one.last] = float(relevant[:start].sum()) + np.arange(size) * ((r - 1) / (size - 1))
    ranks = np.arange(1, len(relevant) + 1)
    return float((chance * (1.0 + above) / ranks)[:rows].sum())


def _first(relevant: Bools, groups: tuple[TieGroup, ...], rows: int) -> float:
    """The expected reciprocal rank of the first relevant document."""
    if not relevant.any():
        return 0.0
    first = int(np.argmax(relevant))
    group = next((one for one in groups if one.first - 1 <= first < one.last), None)
    if group is None:
        return 1.0 / (first + 1) if first < rows else 0.0
    start, size = group.first - 1, group.last - group.first + 1
    r = int(relevant[start : group.last].sum())
    total = math.comb(size, r)
    ranks = range(1, size - r + 2)
    return math.fsum(math.comb(size - j, r - 1) / total / (start + j) for j in ranks if start + j <= rows)
