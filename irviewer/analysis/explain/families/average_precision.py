"""Ledgers of average precision, of the query's part of its geometric mean, and of yaap."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, account, explainer, yes_no
from irviewer.analysis.explain.ledger_types import Column, Rule
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.translation import tr

PAIRWISE = tr(
    "average precision is a sum over pairs of relevant documents, each 1 ÷ the lower one's rank ÷ R; each pair is "
    "split evenly between its two documents, so the split does not depend on an order of changes (the Shapley value)"
)


@explainer("AP", "gm_map")
def average_precision(ranked_query: RankedQuery, rel: float, cutoff: int | None = None) -> Contributions:
    """Precision at every relevant document, by R."""
    relevant = ranked_query.relevant(rel)[: ranked_query.top(cutoff)]
    ranks = ranked_query.ranks[: len(relevant)]
    found_so_far = np.cumsum(relevant)
    total = ranked_query.count_of(rel)
    return account(
        np.where(relevant, found_so_far / ranks, 0.0),
        tr("precision"),
        tr("precision at a relevant document's rank; 0 at any other"),
        tr("sum of precisions"),
        columns=(
            (Column("relevant", tr("relevant"), tr("1 where the document is relevant"), "int", 0), yes_no(relevant)),
            (
                Column("found", tr("found"), tr("relevant documents down to this rank"), "int", 0),
                found_so_far.astype(np.float64),
            ),
        ),
        normaliser=total,
        quantities=(total,),
        level=rel,
        term=_term(found_so_far.astype(np.float64), ranks.astype(np.float64)),
        credits=pairwise(relevant, ranks.astype(np.float64)),
        attribution=PAIRWISE,
        rules=_rules(ranked_query),
    )


@explainer("yaap")
def logit_average_precision(ranked_query: RankedQuery, rel: float) -> Contributions:
    """Explain the logit of average precision: the same sum of precisions on an unbounded scale."""
    plain = average_precision(ranked_query, rel)
    return Contributions(
        plain.contributions, plain.adds, plain.running, plain.columns, quantities=plain.quantities,
        normaliser=plain.normaliser, operation="log odds", term=plain.term, level=rel, credits=plain.credits,
        attribution=PAIRWISE,
        rules=(Rule("own", tr("With S the sum of precisions the value is log((1 + S) ÷ (1 + R − S)).")),),
    )  # fmt: skip


def pairwise(relevant: Bools, ranks: Floats) -> Floats:
    """float64[m]: what each relevant document has of the sum of precisions, pairs split evenly: with itself 1/rank,
    with one above half of 1/its rank, with one below half of 1/the other's rank (the sum of precisions is
    Σ over pairs i ≤ j of 1/rank(j), Aslam and Yilmaz 2006)."""
    inverse = np.where(relevant, 1.0 / ranks, 0.0)
    above: Ints = np.cumsum(relevant) - relevant
    below = inverse[::-1].cumsum()[::-1] - inverse
    return np.where(relevant, inverse + 0.5 * (above * inverse + below), 0.0)


def _term(hits: Floats, ranks: Floats) -> Callable[[int], str]:
    def term(row: int) -> str:
        return f"{hits[row]:.0f}/{ranks[row]:.0f}"

    return term


def _rules(ranked_query: RankedQuery) -> tuple[Rule, ...]:
    if ranked_query.measure.name == "gm_map":
        return (
            Rule(
                "own",
                tr(
                    "This is the AP of the query; the mean over queries is geometric, and values below "
                    ".00001 count as .00001."
                ),
            ),
        )
    if ranked_query.measure.cutoff is not None:
        return (Rule("normaliser", tr("R counts every relevant document, also those below the cutoff.")),)
    return ()
