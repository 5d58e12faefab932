"""Ledgers of measures averaged over judgment groups: what a document adds for each person who judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, account, explainer
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.model.arrays import Floats, Ints
from irviewer.translation import decimal, tr

ByGroup = Callable[[Ints, Ints, int], tuple[Floats, float]]
"""(ranks of the relevant documents, their ordinals, R of the group) -> (what each adds, by what it is divided)."""


def _over_groups(ranked_query: RankedQuery, rel: float, adds: str, by_group: ByGroup) -> Contributions:
    """The mean over groups, each document's share of it."""
    rows = ranked_query.judged.assessed
    assessments = ranked_query.query.asked.assessments
    total = np.zeros(ranked_query.n)
    group_names: list[list[str]] = [[] for _ in range(ranked_query.n)]
    lines = []
    relevant = (rows.grade >= rel) & (rows.grade >= 0)
    for cell in range(rows.n_cells):
        counts_as_judged = (rows.grade >= 0) | ranked_query.judged.negatives_judged
        group_rows = np.flatnonzero((rows.cell == cell) & (rows.rank > 0) & counts_as_judged)
        group_rows = group_rows[np.argsort(rows.rank[group_rows], kind="stable")]
        own_ranks = rows.rank[group_rows]
        # Where unjudged documents are removed, for each group those that it did not judge.
        counted = own_ranks if ranked_query.judged.listed_rank is None else np.arange(1, len(group_rows) + 1)
        keep = relevant[group_rows]
        ranks = counted[keep]
        r = int(relevant[rows.cell == cell].sum())
        worth, below = by_group(ranks, np.arange(1, len(ranks) + 1), r)
        value = worth / below if below else np.zeros(len(ranks))
        np.add.at(total, own_ranks[keep] - 1, value)
        group = int(rows.group[rows.cell == cell][0])
        name = "0" if assessments is None else assessments.names[group]
        for row in (own_ranks[keep] - 1).tolist():
            group_names[row].append(name)
        lines.append(f"{name}: R = {r}, {decimal(f'{value.sum():.4f}')}")
    groups = Quantity("|G|", tr("judgment groups of this query"), rows.n_cells)
    return account(
        total, adds, tr("what the document adds, over all groups for which it is relevant"),
        columns=((Column("groups", tr("relevant to"), tr("the groups for which it is relevant"), "text"),
                  tuple(" ".join(names_of_row) for names_of_row in group_names)),),
        normaliser=groups, level=rel,
        rules=(Rule("own", tr("Each group has the same weight. By group: {groups}.", groups="; ".join(lines))),),
    )  # fmt: skip


@explainer("map_avgjg")
def average_precision_of_groups(ranked_query: RankedQuery, rel: float) -> Contributions:
    """AP of each group."""

    def by_group(ranks: Ints, ordinal: Ints, r: int) -> tuple[Floats, float]:
        return ordinal / ranks, float(r)

    return _over_groups(ranked_query, rel, tr("Σ precision ÷ R(g)"), by_group)


@explainer("P_avgjg")
def precision_of_groups(ranked_query: RankedQuery, rel: float, cutoff: int) -> Contributions:
    """P@k of each group."""

    def by_group(ranks: Ints, ordinal: Ints, r: int) -> tuple[Floats, float]:
        return (ranks <= cutoff).astype(np.float64), float(cutoff)

    # By k: what was not found counts nowhere.
    return replace(_over_groups(ranked_query, rel, tr("Σ relevant ÷ k"), by_group), level=None)


@explainer("Rprec_mult_avgjg")
def r_precision_of_groups(ranked_query: RankedQuery, rel: float, cutoff: float) -> Contributions:
    """The precision at m·R of each group."""

    def by_group(ranks: Ints, ordinal: Ints, r: int) -> tuple[Floats, float]:
        deepest = float(np.floor(cutoff * r + 0.9))
        return (ranks <= deepest).astype(np.float64), deepest

    return _over_groups(ranked_query, rel, tr("Σ relevant ÷ int(m·R + .9)"), by_group)
