"""Ledgers of xinfAP and infNDCG: what each document adds, and what its stratum makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, account, explainer
from irviewer.analysis.explain.gain_wording import gain_rule
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.analysis.explain.wording import factor
from irviewer.measures.gains import gains_of
from irviewer.measures.strata import EPSILON, Cells, cells_of, ideal_gain
from irviewer.model.arrays import Bools, Floats, safe_divide
from irviewer.model.natural_order import natural_order
from irviewer.translation import decimal, tr

MOST_STRATA = 30
STRATUM = Column("stratum", tr("stratum"), tr("the stratum of the document; empty outside the pool"), "text")


class _Laid:
    """The strata along the list of one query: arrays by rank."""

    def __init__(self, ranked_query: RankedQuery, n: int) -> None:
        self.cells: Cells = cells_of(ranked_query.judged)
        strata = ranked_query.query.asked.strata
        self.names = None if strata is None else strata.names
        self.n = n
        keep = self.cells.hit_rank <= n
        self.rows = self.cells.hit_rank[keep] - 1
        self.hits = keep
        self.cell = np.full(n, -1, dtype=np.int64)
        self.cell[self.rows] = self.cells.hit_cell[keep]

    def spread(self, values: Floats, rest: float = np.nan) -> Floats:
        """Return values of hits by rank, float64[n]."""
        result = np.full(self.n, rest)
        result[self.rows] = values[self.hits]
        return result

    def of_cell(self, values: Floats) -> Floats:
        """Return values of strata by rank, float64[n]; NaN outside the strata."""
        return np.where(self.cell >= 0, values[self.cell], np.nan)

    def columns(self) -> tuple[tuple[Column, tuple[str, ...]], ...]:
        """Return the column of strata; none for judgments without strata."""
        if self.names is None:
            return ()
        names = self.names
        return ((STRATUM, tuple(names[cell] if cell >= 0 else "" for cell in self.cell.tolist())),)

    def name(self, cell: int) -> str:
        """Return the name of a stratum."""
        return tr("the pool") if self.names is None else self.names[cell]

    def rules(self, contributions: Floats, below: float, counts: Mapping[int, str]) -> tuple[Rule, ...]:
        """Return a sentence for each stratum, with what it adds, and one for judgments without strata."""
        adds = np.bincount(self.cell[self.cell >= 0], contributions[self.cell >= 0], minlength=self.cells.n_cells)
        rules = []
        if self.names is None:
            rules.append(
                Rule("own", tr("The qrels have no strata: all their documents are one stratum, the pool of the query."))
            )
        cells = np.flatnonzero(self.cells.size).tolist()
        known = [cells[place] for place in natural_order([self.name(cell) for cell in cells]).tolist()]
        for cell in known[:MOST_STRATA]:
            share = float(safe_divide(adds[cell], below))
            text = tr(
                "Stratum {stratum}: documents {size:,}, judged {sampled:,}, {counts}; its rows add {adds}.",
                stratum=self.name(cell), size=int(self.cells.size[cell]), sampled=int(self.cells.sampled[cell]),
                counts=counts[cell], adds=decimal(f"{share:.4f}"),
            )  # fmt: skip
            rules.append(Rule("own", text))
        if len(known) > MOST_STRATA:
            rules.append(Rule("own", tr("{n:,} more strata are not listed here.", n=len(known) - MOST_STRATA)))
        return tuple(rules)


def _unsampled(cells: Cells, cell: int) -> str:
    return "" if cells.sampled[cell] else tr("so nothing is known of it")


@explainer("xinfAP")
def extended_inferred_average_precision(ranked_query: RankedQuery, rel: float, cutoff: int | None) -> Contributions:
    """Weight of the stratum times expected precision at every judged relevant document, by the estimated R."""
    laid = _Laid(ranked_query, ranked_query.top(cutoff))
    cells = laid.cells
    hits = (cells.hit_grade >= rel) & (cells.hit_grade >= 0)
    relevant: Bools = laid.spread(hits.astype(np.float64), 0.0) > 0
    expected = laid.spread(cells.expected_above(rel))
    precision = (1.0 + expected) / ranked_query.ranks[: laid.n]
    weight = laid.of_cell(cells.weight)
    worth = np.where(relevant, weight * precision, 0.0)
    total = float(cells.estimated_relevant(rel)[0])
    relevant_judged = cells.relevant(rel)
    counts = {
        cell: _unsampled(cells, cell) or tr(
            "relevant {relevant:,}, weight {weight}",
            relevant=int(relevant_judged[cell]), weight=factor(float(cells.weight[cell])),
        )
        for cell in np.flatnonzero(cells.size).tolist()
    }  # fmt: skip
    meaning = tr("estimated number of relevant documents (grade {level:g} or more), by strata", level=rel)
    below = Quantity("R̂", meaning, total, whole=False)
    return account(
        worth, tr("weight × precision"), tr("what the document adds, for itself and those it stands for"),
        columns=(
            *laid.columns(),
            (Column("weight", tr("weight"), tr("documents of the stratum for each one that was judged, N/n")), weight),
            (
                Column("above", tr("expected above"), tr("relevant documents expected above, estimated by strata")),
                expected,
            ),
            (
                Column("precision", tr("precision"), tr("(1 + relevant documents expected above) ÷ rank")),
                np.where(relevant, precision, np.nan),
            ),
        ),
        normaliser=below, level=rel, quantities=(below,),
        unjudged=tr("Such documents are outside the pool and count as non-relevant."),
        rules=(
            *laid.rules(worth, total, counts),
            Rule("own", tr(
                "Expected above: for each stratum its documents above × (relevant + ε) ÷ (judged + 3ε) of those above; "
                "ε is {epsilon:g}, so that a third counts as relevant where none above was judged.",
                epsilon=EPSILON,
            )),
        ),
    )  # fmt: skip


@explainer("infNDCG")
def inferred_ndcg(ranked_query: RankedQuery, gains: Mapping[float, float] | None, cutoff: int | None) -> Contributions:
    """Weight of the stratum times discounted gain, by the DCG of the estimated ideal ranking."""
    laid = _Laid(ranked_query, ranked_query.top(cutoff))
    cells = laid.cells
    judged = laid.spread((cells.hit_grade >= 0).astype(np.float64), 0.0) > 0
    gain = np.where(judged, laid.spread(gains_of(cells.hit_grade, "log2", gains), 0.0), 0.0)
    discount = np.log2(ranked_query.ranks[: laid.n] + 1.0)
    by_cell = cells.found_weight(cutoff)
    weight = laid.of_cell(by_cell)
    worth = np.where(judged, weight * gain / discount, 0.0)
    ideal = float(ideal_gain(cells, gains, cutoff)[0])
    returned = np.bincount(laid.cell[laid.cell >= 0], minlength=cells.n_cells)
    known = np.bincount(laid.cell[judged], minlength=cells.n_cells)
    counts = {
        cell: _unsampled(cells, cell) or tr(
            "in the rows {returned:,}, judged in the rows {judged:,}, weight {weight}",
            returned=int(returned[cell]), judged=int(known[cell]), weight=factor(float(by_cell[cell])),
        )
        for cell in np.flatnonzero(cells.size).tolist()
    }  # fmt: skip
    below = Quantity(tr("ideal DCG"), tr("the DCG of the estimated documents in their best order"), ideal, whole=False)
    _, values, numbers = cells.estimated_gains(gains)
    estimated = ", ".join(
        tr("{count:,} of gain {gain}", count=count, gain=factor(value))
        for value, count in zip(values.tolist(), numbers.tolist(), strict=True)
    )
    best = tr("No document with a gain is estimated: the value is 0.")
    if estimated:
        best = tr("The ideal ranking has the documents estimated by strata: {documents}.", documents=estimated)
    return account(
        worth, tr("weight × gain"), tr("what the document adds, for itself and those it stands for"), tr("DCG"),
        columns=(
            *laid.columns(),
            (Column("gain", tr("gain"), tr("the gain of the grade")), gain),
            (Column("discount", tr("discount"), tr("the factor for gains at this rank")), 1.0 / discount),
            (
                Column("weight", tr("weight"), tr("documents of the stratum in the rows for each judged one there")),
                weight,
            ),
        ),
        term=partial(_term, weight, gain, discount), normaliser=below, level=1e-12,
        unjudged=tr("Such documents are outside the pool and gain nothing."),
        rules=(
            *laid.rules(worth, ideal, counts),
            gain_rule("log2", gains, None),
            Rule("discount", tr("The discount at rank i is 1 ÷ {where}.", where="log2(i + 1)")),
            Rule("ideal", best),
        ),
    )  # fmt: skip


def _term(weight: Floats, gain: Floats, discount: Floats, row: int) -> str:
    """The term of a document as the formula writes it: 2.5 × 3/1.585."""
    return f"{factor(float(weight[row]))} × {factor(float(gain[row]))}/{factor(float(discount[row]))}"
