"""Ledgers of sets of evidence: which document completes them, and what fits into a budget."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.explain.explainer import Cells, Contributions, RankedQuery, account, explainer, yes_no
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.errors import MeasureError
from irviewer.model.arrays import Bools, Floats
from irviewer.translation import tr, trn

RELEVANT = Column("relevant", tr("relevant"), tr("1 where the document is relevant"), "int", 0)


def _complete(keep: Bools, total: int) -> Floats:
    """1 at the document that makes the set complete."""
    marks = np.zeros(len(keep))
    if total and int(keep.sum()) == total:
        marks[np.flatnonzero(keep)[-1]] = 1.0
    return marks


@explainer("AllFound")
def all_found(ranked_query: RankedQuery, rel: float, cutoff: int | None) -> Contributions:
    """1 at the last of all relevant documents, where all are there."""
    relevant = ranked_query.relevant(rel)[: ranked_query.top(cutoff)]
    total, n_found = ranked_query.relevant_count(rel), int(relevant.sum())
    return account(
        _complete(relevant, total), tr("complete"), tr("1 at the document that completes the set"), whole=True,
        columns=((RELEVANT, yes_no(relevant)),), level=rel, quantities=(ranked_query.count_of(rel),),
        rules=(Rule("own", trn(
            "{found} of {n} relevant document is found; the value is 1 only if it is.",
            "{found} of {n} relevant documents are found; the value is 1 only if all are.",
            total, found=n_found,
        )),),
    )  # fmt: skip


def _fits(
    ranked_query: RankedQuery, budget: float, rel: float
) -> tuple[Bools, tuple[tuple[Column, Cells], ...], tuple[Rule, ...]]:
    """Return which documents are relevant and fit the budget, with the length read down to each."""
    lengths = ranked_query.judged.lengths
    if lengths is None:
        raise MeasureError(tr("this measure needs document lengths: open a documents file (--documents FILE)"))
    fits = np.zeros(ranked_query.n, dtype=np.bool_)
    fits[ranked_query.judged.hit_rank - 1] = ranked_query.judged.read_down_to <= budget
    own_lengths = (
        lengths.one(np.zeros(ranked_query.n, dtype=np.int64), ranked_query.positions + 1)
        if ranked_query.n
        else np.empty(0)
    )
    unit = lengths.lengths.unit
    columns = (
        (RELEVANT, yes_no(ranked_query.relevant(rel))),
        (Column("length", unit, tr("the document's length in {unit}", unit=unit), "int", 0), own_lengths),
        (
            Column("read", tr("{unit} read", unit=unit), tr("total length down to this document"), "int", 0),
            np.cumsum(own_lengths),
        ),
    )
    rule = Rule(
        "own",
        tr(
            "The budget of {budget:g} {unit} is filled from the top; a document fits if it ends within it.",
            budget=budget,
            unit=unit,
        ),
    )
    return fits & ranked_query.relevant(max(rel, 1e-12)), columns, (rule,)


@explainer("BudgetRecall")
def budget_recall(ranked_query: RankedQuery, budget: float, rel: float) -> Contributions:
    """Relevant documents that fit, by R."""
    fits, columns, rules = _fits(ranked_query, budget, rel)
    return account(
        yes_no(fits),
        tr("fits"),
        tr("1 where the document is relevant and fits"),
        tr("fitting so far"),
        whole=True,
        columns=columns,
        normaliser=ranked_query.count_of(rel),
        level=rel,
        quantities=(Quantity(tr("budget"), tr("the length that is read"), budget),),
        rules=rules,
    )


@explainer("AllInBudget")
def all_in_budget(ranked_query: RankedQuery, budget: float, rel: float) -> Contributions:
    """1 at the last of all relevant documents, where all fit."""
    fits, columns, rules = _fits(ranked_query, budget, rel)
    return account(
        _complete(fits, ranked_query.relevant_count(rel)), tr("complete"),
        tr("1 at the document that completes the set"),
        whole=True,
        columns=columns, level=rel, quantities=(ranked_query.count_of(rel),), rules=rules,
    )  # fmt: skip
